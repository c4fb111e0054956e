"""The open sheet and the secret script, in the public JSON form."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", description="an id")]
"""The id of a character, location, card, role, plot, incident or set."""
Count = Annotated[int, Meta(ge=1, le=99)]
"""A number of loops or days, or one of them, from 1."""


class ScheduledIncident(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An incident as the open sheet shows it."""

    day: Count
    incident: Id


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is public of a script.

    Attributes:
        set: id of the tragedy set.
        loops, days: number of loops and days per loop.
        players: Protagonist players, 1 to 3.
        cast: cards on the table at the start of the game.
        cast_complete: false if a late character could still enter (P-05).
        turf: location of each card that has a turf.
        incidents: the schedule, in the order in which culprits are numbered (from 0).
        special_rules: special rules as objects with a ``kind``.
    """

    set: Id
    loops: Count
    days: Count
    players: Annotated[int, Meta(ge=1, le=3)] = 3
    cast: tuple[Id, ...]
    cast_complete: bool
    turf: dict[Id, Id] = {}
    incidents: tuple[ScheduledIncident, ...] = ()
    special_rules: tuple[dict[str, object], ...] = ()

    def incidents_on(self, day: int) -> tuple[int, ...]:
        """Return the numbers of the incidents scheduled for ``day``."""
        return tuple(number for number, item in enumerate(self.incidents) if item.day == day)


class ScriptIncident(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scheduled incident with its secret culprit."""

    day: Count
    incident: Id
    culprit: Id
    culprit_kind: Literal["character", "mob"] = "character"


class Script(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """An open sheet plus its secrets.

    Attributes:
        main_plot, subplots, extra_main_plot: the plots.
        cast: character id to role id, late characters included.
        cast_extras: choices a card asks of the script (turf, entry loop or day, start).
        incidents: the schedule with culprits.
        loops: the numbers of loops the script may be played with.
        plain: no special rules and no other oddity.
    """

    id: str = ""
    title: str = ""
    set: Id
    main_plot: Id
    subplots: tuple[Id, ...]
    extra_main_plot: Id | None = None
    days: Count
    loops: tuple[Count, ...]
    cast: dict[Id, Id]
    cast_extras: dict[Id, dict[str, object]] = {}
    incidents: tuple[ScriptIncident, ...] = ()
    special_rules: tuple[dict[str, object], ...] = ()
    plain: bool = False

    def plots(self) -> tuple[str, ...]:
        """Return the main plot and the subplots."""
        return (self.main_plot, *self.subplots)

    def entry(self, who: str) -> tuple[int, int] | None:
        """Return (first loop, day of entry) of a late character, ``None`` if not late."""
        extras = self.cast_extras.get(who, {})
        loop, day = extras.get("entry_loop"), extras.get("entry_day")
        if loop is None and day is None:
            return None
        return (
            loop if isinstance(loop, int) else 1,
            day if isinstance(day, int) else 1,
        )
