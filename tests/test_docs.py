"""What the README and docs/ say is true: examples run, and every command is described."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli.parser import COMMANDS, build_parser, lab_commands
from assistant.cli.reference import page, parsers
from engine.sets import RULEBOOKS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def looper(arguments: list[str], folder: Path) -> str:
    """Run ``looper`` in a folder and return what it prints, errors included."""
    code = "import sys; from assistant.cli import main; sys.exit(main())"
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def conversations(text: str) -> list[tuple[str, str]]:
    """Return the commands of a ``console`` block, each with what it prints."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_readme_examples_run(tmp_path: Path) -> None:
    ran = 0
    for language, name, text in _BLOCK.findall(README):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
        if language == "console":
            for command, printed in conversations(text):
                program, *arguments = shlex.split(command)
                assert program == "looper"
                assert looper(arguments, tmp_path) == printed, command
                ran += 1
    assert ran > 1


def test_readme_names_the_two_commands_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_page_of_commands_is_up_to_date() -> None:
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == page(), "write it anew: python -m assistant.cli.reference docs/cli.md"


def test_every_command_and_option_is_described() -> None:
    described = page()
    for command in COMMANDS:
        assert f"## looper {command.name}\n" in described
    for command in lab_commands():
        assert f"## looper lab {command.name}\n" in described
    for parser in parsers(build_parser()):
        assert parser.description, parser.prog
        for action in parser._actions:
            assert action.help or action.choices, f"{parser.prog}: {action.dest} has no help"
        offers_json = any("--json" in action.option_strings for action in parser._actions)
        assert offers_json or parser.prog in ("looper", "looper lab")


def test_every_form_of_answer_is_described() -> None:
    described = (ROOT / "docs" / "answer.md").read_text(encoding="utf-8")
    for name in ("solve", "why", "clues", "replay", "check"):
        assert f"## `looper {name} FILE" in described


def test_limits_name_every_set_that_is_modelled() -> None:
    limits = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert [rules.name for rules in RULEBOOKS.values() if rules.name not in limits] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in _LINK.findall(path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
