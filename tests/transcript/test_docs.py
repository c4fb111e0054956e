"""What is documented is what is read."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from assistant.transcript.boardform import BOARD_FIELDS
from assistant.transcript.jsonform import HARMLESS
from assistant.transcript.kinds import COMMON_FIELDS, KINDS, Kind
from assistant.transcript.recordlines import _READERS
from engine.records import Transcript
from engine.rulings import RULINGS
from engine.script import Script, Sheet
from engine.sets import RULEBOOKS

ROOT = Path(__file__).resolve().parents[2]
FORMAT = (ROOT / "docs" / "transcript.md").read_text(encoding="utf-8")
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_record_kind_is_documented_with_fields_and_steps(kind: Kind) -> None:
    row = re.search(rf"^\| `{kind.tag}` \|(.*)$", FORMAT, re.MULTILINE)
    assert row is not None
    fields, steps, about = row[1].split("|")[:3]
    if kind.tag != "reveal":  # its groups of fields have a table of their own
        assert set(re.findall(r"`(\w+)`", fields)) == set(kind.own_fields())
    if steps.strip() not in ("all", "all but cards"):
        assert tuple(steps.strip().split(", ")) == kind.steps
    assert about.strip()
    assert f"`{kind.tag}`" in NOTATION


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=RULINGS)
def test_every_table_ruling_is_documented_with_its_default(ruling: object) -> None:
    name, default = getattr(ruling, "id"), getattr(ruling, "default")  # noqa: B009
    word = {True: "true", False: "false", None: "null"}[default]
    assert f"| `{name}` | {word} |" in FORMAT


def test_every_field_is_documented() -> None:
    for name in (
        *COMMON_FIELDS,
        *BOARD_FIELDS,
        *HARMLESS,
        *Transcript.__struct_fields__,
        *Sheet.__struct_fields__,
        *Script.__struct_fields__,
    ):
        assert f"`{name}`" in FORMAT, name


def test_every_first_word_of_a_line_is_documented() -> None:
    for word in _READERS:
        assert re.search(rf"`{re.escape(word)}[ `]", NOTATION), word


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "assistant" / "transcript").glob("*.py")),
    ids=lambda path: path.name,
)
def test_no_name_of_the_rule_text_stands_in_the_code(path: Path) -> None:
    known = {
        name
        for rules in RULEBOOKS.values()
        for group in (rules.plots, rules.roles, rules.incidents, rules.characters)
        for name in (*group, *(item.name for item in group.values()))
    }
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    words = {text for text in texts if isinstance(text, str)}
    assert not known & words
    longer = {name for name in known if "_" in name or " " in name}
    for text in words:
        assert not [name for name in longer if name in text], text
