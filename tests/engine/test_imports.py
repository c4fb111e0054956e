"""The engine stands by itself: no assistant, no web, no solver."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
FOREIGN = ("assistant", "flask", "ortools", "oxidd", "constraint", "numpy", "gunicorn")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.stem)
def test_no_module_of_the_engine_imports_what_stands_above_it(path: Path) -> None:
    assert not imported(path) & set(FOREIGN)


def test_using_the_whole_engine_loads_nothing_of_them() -> None:
    program = (
        "import sys, engine.course, engine.simulate, engine.replay, engine.policies\n"
        f"print([name for name in {FOREIGN!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parent,
    )
    assert done.stdout.strip() == "[]"


def test_no_step_names_a_role_a_plot_an_incident_or_a_card() -> None:
    """The machines read the rule text; the names in it are none of their business."""
    from engine.cast import CHARACTERS
    from engine.sets import RULEBOOKS

    names = set(CHARACTERS)
    for rules in RULEBOOKS.values():
        names |= {*rules.roles, *rules.plots, *rules.incidents} - {"person"}
    places = ("steps", "replay", "policies")
    files = [path for place in places for path in (FOLDER / place).rglob("*.py")]
    files += [FOLDER / f"{name}.py" for name in ("view", "world", "play", "course", "simulate")]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in names, (path.name, node.value)
