"""A hidden choice as it stands in a course: who did what, and what of it was seen."""

from __future__ import annotations

import msgspec

from engine.records import AnyRecord, At
from engine.steps.common import Move

ACCEPTED = "accepted"
REFUSED = "refused"


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One hidden choice of the Mastermind.

    Attributes:
        at: loop, day and step.
        source: id of the ability, incident or trait behind it; ``card.key`` for a Goodwill use.
        by: the card that acts, ``None`` for a plot.
        on: the card or place it is aimed at.
        shows: the public records it shows.
        answer: ``accepted`` or ``refused`` for a Goodwill use.
        early: at night, judged on the board before the step.
    """

    at: At
    source: str
    by: str | None = None
    on: str | None = None
    shows: tuple[AnyRecord, ...] = ()
    answer: str | None = None
    early: bool = False


Course = tuple[Choice, ...]
"""The hidden choices behind a transcript, in order."""


def choice_of(at: At, move: Move, answer: str | None = None, *, early: bool = False) -> Choice:
    """Return a move as a choice."""
    return Choice(at, move.source, move.by, move.on, move.shows, answer, early)
