"""The record kinds of the transcript format: their types, their steps, what they say."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import msgspec

from engine import records
from engine.records import AnyRecord, Record
from engine.words import (
    CARDS,
    DAY_START,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    STEPS,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A record kind.

    Attributes:
        tag: its name in the format.
        type: its type in ``engine.records``.
        steps: the steps in which it may stand.
        about: what it says, in a few words.
    """

    tag: str
    type: type[Record]
    steps: tuple[str, ...]
    about: str

    def own_fields(self) -> tuple[str, ...]:
        """Return the names of its own fields in the JSON form, required ones first."""
        return _own_fields(self.type)


@functools.cache
def _own_fields(kind: type[Record]) -> tuple[str, ...]:
    fields = msgspec.structs.fields(kind)
    own = [field for field in fields if field.name not in COMMON_FIELDS]
    own.sort(key=lambda field: not field.required)
    return tuple(field.encode_name for field in own)


COMMON_FIELDS: Final = tuple(field.name for field in msgspec.structs.fields(Record))
"""The fields that every record may carry."""

_BATCHES = (GOODWILL_STEP, INCIDENT_STEP, NIGHT)
_ALL_BUT_CARDS = tuple(step for step in STEPS if step != CARDS)

_KINDS: Final[Mapping[type[Record], tuple[tuple[str, ...], str]]] = {
    records.Placed: ((LOOP_START,), "a start that is not printed, or differs"),
    records.Enters: ((LOOP_START, DAY_START), "a late character appears"),
    records.Token: (_ALL_BUT_CARDS, "tokens placed or removed"),
    records.Gauge: (STEPS, "the Extra Gauge at the end of the step"),
    records.Curse: (
        (LOOP_START, GOODWILL_STEP, INCIDENT_STEP, NIGHT),
        "a curse card appears or moves",
    ),
    records.ExtraCard: ((INCIDENT_STEP, GOODWILL_STEP), "an Extra card is set or taken off"),
    records.Spell: ((DAY_START,), "the Leader's spell, or that it was declined"),
    records.Leader: ((DAY_START, NIGHT), "who leads from now on"),
    records.PlayedCard: ((CARDS,), "one action card"),
    records.CardResult: ((CARDS,), "what the resolution showed on one spot"),
    records.Moved: ((MASTERMIND_STEP, *_BATCHES), "a character or corpse changed place"),
    records.Shifted: ((MASTERMIND_STEP, GOODWILL_STEP, NIGHT), "a token moved between cards"),
    records.Use: ((GOODWILL_STEP,), "the Leader declares an ability"),
    records.CardBack: ((GOODWILL_STEP,), "a spent card returns to its deck"),
    records.Reveal: ((*_BATCHES, LOOP_END), "the Mastermind tells something"),
    records.Happens: ((INCIDENT_STEP,), "the incident happens or does not"),
    records.NoEffect: ((INCIDENT_STEP,), "it happened and nothing was seen"),
    records.LeaderChooses: ((INCIDENT_STEP,), "the Leader chose a character for it"),
    records.LocationNamed: ((INCIDENT_STEP, GOODWILL_STEP), "it named a location"),
    records.Death: (_BATCHES, "a character died"),
    records.GuardLost: (_BATCHES, "a guard marker went instead"),
    records.Revived: ((GOODWILL_STEP,), "a corpse came back to life"),
    records.Removed: ((GOODWILL_STEP,), "a card left the board for the loop"),
    records.LoopOver: ((*_BATCHES, LOOP_END), "the loop ended here"),
    records.Recount: (STEPS, "the table was counted"),
    records.Complete: (STEPS, "everything of this step is noted"),
    records.Partial: (STEPS, "something may be missing in this step"),
    records.Guess: ((FINAL_GUESS,), "one answer of the Final Guess"),
}


def tag_of(kind: type[Record]) -> str:
    """Return the name of a record type in the format."""
    return str(kind.__struct_config__.tag)


KINDS: Final[Mapping[str, Kind]] = {
    tag_of(kind): Kind(tag_of(kind), kind, *_KINDS[kind]) for kind in get_args(AnyRecord)
}
"""All record kinds, by the name that they have in the format."""


def kind_of(record: Record) -> Kind:
    """Return the kind of a record."""
    return KINDS[tag_of(type(record))]
