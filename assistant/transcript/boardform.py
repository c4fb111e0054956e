"""The form of BOARD: a late start, or what a recount showed.

The types are only used to check a board and to publish its schema: in a transcript a board
stays the plain object that was read, because what is left out, what is null (unknown) and
what is given must stay apart.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from engine.records import AbilityKey, Deck
from engine.script import Count, Id
from engine.words import DECKS, MASTERMIND

Tokens = Annotated[int, Meta(ge=0, le=99)] | None | UnsetType
Ids = tuple[Id, ...] | None | UnsetType


class CharacterOnBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card: where it lies, whether it lives, what lies on it."""

    at: Id | UnsetType | None = UNSET
    alive: bool | UnsetType | None = UNSET
    goodwill: Tokens = UNSET
    unease: Tokens = UNSET
    intrigue: Tokens = UNSET
    guard: Tokens = UNSET


class LocationOnBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies on a location."""

    intrigue: Tokens = UNSET


class EffectOnBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lasting effect that is in force."""

    kind: Id
    on: Id
    until_day: Count | UnsetType | None = UNSET


class BoardForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board in the public form; every part may be left out, null is unknown."""

    characters: dict[Id, CharacterOnBoard | None] | UnsetType = UNSET
    locations: dict[Id, LocationOnBoard | None] | UnsetType = UNSET
    gauge: Tokens = UNSET
    gauge_max: Tokens = UNSET
    gauge_loop_start: Tokens = UNSET
    curses: Ids = UNSET
    extra_cards: Ids = UNSET
    leader: Deck | UnsetType | None = UNSET
    spent: dict[Literal["mastermind", "a", "b", "c"], Ids] | UnsetType | None = UNSET
    occurred: tuple[Count, ...] | UnsetType | None = UNSET
    occurred_before: Ids = UNSET
    revealed: dict[Id, Id | None] | UnsetType | None = UNSET
    used: dict[Id, tuple[AbilityKey, ...] | None] | UnsetType | None = UNSET
    starts: dict[Id, Id | None] | UnsetType | None = UNSET
    effects: tuple[EffectOnBoard, ...] | UnsetType | None = UNSET
    goodwill_last_loop: Ids = UNSET
    gauge_last_loop: Tokens = UNSET


BOARD_FIELDS: Final = tuple(field.name for field in msgspec.structs.fields(BoardForm))
"""The parts of a board, in the order in which they are written."""
CARD_FIELDS: Final = tuple(field.name for field in msgspec.structs.fields(CharacterOnBoard))
EFFECT_FIELDS: Final = tuple(field.name for field in msgspec.structs.fields(EffectOnBoard))
COUNT_FIELDS: Final = ("gauge", "gauge_max", "gauge_loop_start", "gauge_last_loop")
ID_FIELDS: Final = ("curses", "extra_cards", "occurred_before", "goodwill_last_loop")
"""The parts that are plain counts, and those that are plain lists of ids."""

_ID: Final = "[a-z][a-z0-9_]*"
UNKNOWN_PATTERN: Final = (
    rf"^(characters\.{_ID}(\.({'|'.join(CARD_FIELDS)}))?"
    rf"|locations\.{_ID}(\.intrigue)?"
    rf"|(revealed|used|starts)\.{_ID}"
    rf"|spent\.({'|'.join((MASTERMIND, *DECKS))})"
    rf"|{'|'.join(BOARD_FIELDS)})$"
)
"""The form of the paths in ``unknown``."""


def is_unknown_path(path: str) -> bool:
    """Tell whether ``path`` has the form of a path into a board."""
    return re.search(UNKNOWN_PATTERN, path) is not None
