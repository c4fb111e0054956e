"""What a few records on a board leave of the combinations of plots."""

from typing import Any

import msgspec

from assistant.deduction import Deduction
from engine.records import AnyRecord, Start, Transcript
from engine.script import Sheet

CAST = (
    "informant",
    "boy_student",
    "girl_student",
    "rich_student",
    "shrine_maiden",
    "police_officer",
    "office_worker",
    "pop_idol",
    "journalist",
    "nurse",
)
"""Nobody whose Goodwill the Mastermind could use, nobody with a role from outside the plots."""

At = tuple[int, int, str]
Fields = dict[str, Any]


def deduced(
    sheet: Sheet,
    at: At,
    board: Fields,
    *records: Fields,
    rulings: dict[str, bool | None] | None = None,
) -> tuple[Transcript, Deduction]:
    """Return a game that starts at a step with these records, and what follows from it."""
    transcript = Transcript(
        format="looper-transcript",
        version=1,
        sheet=sheet,
        rulings=rulings or {},
        start=Start(at=at, board=board),
        records=tuple(
            msgspec.convert({"at": at, **fields}, AnyRecord)  # type: ignore[arg-type]
            for fields in records
        ),
    )
    return transcript, Deduction.of(transcript)


def combinations_left(deduction: Deduction) -> int:
    """Return how many combinations of plots are left."""
    return sum(1 for count in deduction.worlds.combinations().values() if count)


def token(on: str, kind: str, n: int = 1) -> Fields:
    """Return a token record."""
    return {"kind": "token", "on": on, "token": kind, "n": n}
