"""What the types alone do not say: fields that go together, steps of a kind, boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from assistant.transcript.boardform import BoardForm, is_unknown_path
from assistant.transcript.errors import JsonPath, Malformed, TableError, choices
from assistant.transcript.kinds import kind_of
from assistant.transcript.structure import convert
from engine.records import (
    Record,
    Recount,
    Reveal,
    Start,
    TargetSpec,
    Token,
    Transcript,
    Unsure,
    Use,
)

REVEAL_FORMS: Final = (
    ("role_of", "role"),
    ("culprit_of", "culprit"),
    ("subplot",),
    ("same_role_as", "characters"),
)
"""The fields of a reveal that go together; ``subplot`` may carry ``asked``."""
TARGET_FORMS: Final = (
    ("character", "to"),
    ("from", "to", "token"),
    ("day",),
    ("card",),
    ("one_of",),
    ("somebody_at",),
)
"""The forms of a target that is an object."""
UNSURE_FORMS: Final = (("one_of",), ("somebody_at",))


def transcript_problems(transcript: Transcript) -> Iterator[TableError]:
    """Yield what is wrong with the form, beyond what the types check.

    A transcript that was made in code, not read from a file, has to pass this too.
    """
    for index, rule in enumerate(transcript.sheet.special_rules):
        if not isinstance(rule.get("kind"), str):
            yield Malformed(
                "a special rule lacks its kind",
                expected='an object with a "kind"',
                path=("sheet", "special_rules", index),
            )
    if transcript.start is not None:
        yield from _start_problems(transcript.start)
    for index, record in enumerate(transcript.records):
        for error in record_problems(record, ("records", index)):
            yield error.placed(at=record.at)


def record_problems(record: Record, path: JsonPath = ()) -> Iterator[TableError]:
    """Yield what is wrong with the form of one record."""
    kind = kind_of(record)
    if record.at[2] not in kind.steps:
        article = "an" if kind.tag[0] in "aeiou" else "a"
        yield Malformed(
            f"{article} {kind.tag!r} record cannot stand in the step {record.at[2]!r}",
            expected=f"one in {choices(kind.steps)}",
            remedy="Note it in the step in which it was seen.",
            path=(*path, "at"),
        )
    for name in record.__struct_fields__:
        value = getattr(record, name)
        values = value if isinstance(value, tuple) and name == "characters" else (value,)
        for item in values:
            if isinstance(item, Unsure):
                yield from _form_problems(_given(item), UNSURE_FORMS, "place", (*path, name))
    match record:
        case Token(n=0):
            yield Malformed(
                "a token record says that 0 tokens were placed",
                expected="a number other than 0",
                remedy="Delete the record.",
                path=(*path, "n"),
            )
        case Use(target=TargetSpec() as target):
            yield from _form_problems(_given(target), TARGET_FORMS, "target", (*path, "target"))
            for part in (target.character, target.to, target.source):
                if isinstance(part, Unsure):
                    here = (*path, "target")
                    yield from _form_problems(_given(part), UNSURE_FORMS, "place", here)
        case Reveal():
            given = _given(record)
            for name in ("at", "doubt", "note", "ordered", "by_use"):
                given.pop(name, None)
            if "subplot" in given:
                given.pop("asked", None)
            yield from _form_problems(given, REVEAL_FORMS, "reveal", path)
        case Recount():
            yield from board_problems(record.board, (*path, "board"))
        case _:
            pass


def board_problems(board: Mapping[str, object], path: JsonPath) -> Iterator[TableError]:
    """Yield what is wrong with the form of a board."""
    try:
        convert(dict(board), BoardForm, path)
    except TableError as error:
        yield error


def _start_problems(start: Start) -> Iterator[TableError]:
    yield from board_problems(start.board, ("start", "board"))
    for index, unknown in enumerate(start.unknown):
        if not is_unknown_path(unknown):
            yield Malformed(
                f"{unknown!r} names nothing on a board",
                expected='a path such as "characters.nobody.unease", "gauge" or "spent.a"',
                path=("start", "unknown", index),
            )


def _given(value: Unsure | TargetSpec | Reveal) -> dict[str, object]:
    """Return the fields that are given, by their names in the JSON form."""
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    found = {wire: getattr(value, name) for name, wire in names}
    return {wire: item for wire, item in found.items() if item not in (None, False)}


def _form_problems(
    given: Mapping[str, object], forms: tuple[tuple[str, ...], ...], what: str, path: JsonPath
) -> Iterator[TableError]:
    if tuple(sorted(given)) not in {tuple(sorted(form)) for form in forms}:
        names = " and ".join(repr(name) for name in given) or "nothing"
        yield Malformed(
            f"this {what} gives {names}",
            expected=choices(" + ".join(form) for form in forms),
            path=path,
        )
    several = given.get("one_of")
    if isinstance(several, tuple) and len(set(several)) < len(several):
        yield Malformed(
            "one_of names somebody twice",
            remedy="Name each only once.",
            path=(*path, "one_of"),
        )
