"""The rooms: who may name what, and who may import whom (docs/architecture.md)."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.sets import RULEBOOKS

ROOT = Path(__file__).resolve().parent.parent
ASSISTANT = sorted((ROOT / "assistant").rglob("*.py"))
ENGINE = sorted((ROOT / "engine").rglob("*.py"))

PAGES = sorted(
    path
    for folder in (ROOT / "templates", ROOT / "assistant" / "static")
    for path in folder.rglob("*")
    if path.suffix in (".html", ".js") and "vendor" not in path.parts
)

# Identifiers and texts in assistant/ that name something of a rulebook, each with the reason.
ALLOWED: dict[str, str] = dict.fromkeys(
    ("PERSON", "NOT_PERSON", "OUTSIDER_MAY_BE_PERSON", "outsider_may_be_person"),
    "having no role of the plots is part of the game's structure, not a role with rules",
)
ALLOWED_ON_PAGES: dict[str, str] = {"person": "an everyday word"}

ENGINE_MAY_IMPORT = {"engine", "msgspec"}
INPUT_AND_OUTPUT = {
    *("io", "os", "pathlib", "shutil", "tempfile", "glob", "sqlite3", "dbm", "logging"),
    *("socket", "ssl", "http", "urllib", "email", "subprocess", "multiprocessing", "asyncio"),
}

# From the bottom up: a room imports only what stands below it (and the engine, below all).
ROOMS = (
    {"resources"},
    {"formula", "transcript", "samples"},
    {"clues"},
    {"worlds"},
    {"solver"},
    {"deduction", "explain"},
    {"guess", "experiments", "audit", "lookback", "judge", "store"},
    {"web"},
    {"cli"},
    {"lab"},
)
FLOORS = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


@cache
def rulebook_ids() -> frozenset[str]:
    """Return the ids of all roles, plots, incidents and characters of all rulebooks."""
    return frozenset(
        id
        for rules in RULEBOOKS.values()
        for things in (rules.roles, rules.plots, rules.incidents, rules.characters)
        for id in things
    )


def docstrings(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes that are documentation: docstrings, and texts that stand alone."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def words_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the identifiers and the texts of a module, with their lines, no documentation."""
    documentation = docstrings(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Constant(value=str(text)) if node not in documentation:
                yield line, text
            case ast.Constant(value=bytes(data)):
                yield line, data.decode("latin-1")
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield line, name
            case ast.arg(arg=name) | ast.alias(name=name):
                yield line, name
            case ast.keyword(arg=str(name)):
                yield line, name
            case _:
                pass


def names_in(text: str, ids: frozenset[str]) -> set[str]:
    """Return the ids that occur in a text as whole words, in snake case or any other."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower()
    plain = "_" + re.sub(r"[^a-z0-9]+", "_", apart) + "_"
    return set(_any_of(ids).findall(plain))


@cache
def _any_of(ids: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(ids, key=len, reverse=True)
    return re.compile(f"(?<=_)(?:{'|'.join(longest_first)})(?=_)")


def test_names_are_found_in_any_spelling() -> None:
    ids = frozenset({"key_person", "brain"})
    assert names_in("key_person_dies", ids) == {"key_person"}
    assert names_in("KeyPersonAtom", ids) == {"key_person"}
    assert names_in("The Key Person lives.", ids) == {"key_person"}
    assert names_in("brainstorm", ids) == set()


@pytest.mark.parametrize("path", ASSISTANT, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_assistant_names_no_role_plot_incident_or_character(path: Path) -> None:
    ids = rulebook_ids()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [
        f"line {line}: {', '.join(sorted(names))} in {text!r}"
        for line, text in words_of(tree)
        if text not in ALLOWED and (names := names_in(text, ids))
    ]
    assert not found, "\n".join(found)


def test_no_page_names_a_role_plot_incident_or_character() -> None:
    found = [
        f"{path.relative_to(ROOT)}, line {number}: {', '.join(sorted(names))}"
        for path in PAGES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (names := names_in(line, rulebook_ids()) - ALLOWED_ON_PAGES.keys())
    ]
    assert not found, "\n".join(found)


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the modules that a file imports anywhere, with their lines, absolute."""
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield node.lineno, alias.name
            case ast.ImportFrom(module=module, names=names, level=level):
                start = ".".join(package[: len(package) - level]) if level else ""
                whole = ".".join(part for part in (start, module) if part)
                for alias in names:
                    # ``from assistant import judge`` may name a module or something in one.
                    yield node.lineno, f"{whole}.{alias.name}"
            case _:
                pass


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_knows_no_web_no_solver_and_no_files(path: Path) -> None:
    wrong = [
        f"line {line}: {module}"
        for line, module in imported(path)
        if (top := module.split(".")[0]) not in ENGINE_MAY_IMPORT
        and not (top in sys.stdlib_module_names and top not in INPUT_AND_OUTPUT)
    ]
    calls = [
        f"line {node.lineno}: {node.func.id}()"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input")
    ]
    assert not wrong + calls


def test_loading_all_of_the_engine_loads_nothing_of_the_assistant() -> None:
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in ENGINE]
    code = f"""
import importlib, sys
for name in {modules!r}:
    importlib.import_module(name.removesuffix(".__init__"))
print(*sorted({{name.split(".")[0] for name in sys.modules}}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & {
        *("assistant", "flask", "gunicorn", "numpy", "ortools", "oxidd", "constraint", "sqlite3"),
    }


def room_of(module: str) -> str | None:
    """Return the room of a module of the assistant, ``None`` for anything else."""
    parts = module.split(".")
    return parts[1] if parts[0] == "assistant" and len(parts) > 1 else None


def test_every_room_has_a_place_in_the_order() -> None:
    rooms = {room_of(".".join(p.relative_to(ROOT).with_suffix("").parts)) for p in ASSISTANT}
    assert rooms - {"__init__"} <= FLOORS.keys(), "add it to ROOMS and to docs/architecture.md"


@pytest.mark.parametrize("path", ASSISTANT, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    own = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if own is None or own == "__init__":
        assert not list(imported(path)), "assistant/__init__.py imports nothing"
        return
    wrong = [
        f"line {line}: {own} imports {module}"
        for line, module in imported(path)
        if (room := room_of(module)) is not None and room != own and FLOORS[room] >= FLOORS[own]
    ]
    assert not wrong, "\n".join(wrong)
