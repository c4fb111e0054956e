"""What the engine knows of a script for a whole game: who may hold what, at any moment.

``World`` is worked out once for a script on a sheet; ``engine.view`` puts it on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.kleene import NO, YES
from engine.rules.conditions import ALWAYS
from engine.rules.model import (
    Ability,
    Entry,
    Lose,
    PlotKind,
    Refusal,
    Role,
    RoleRule,
    Rulebook,
    Timing,
)
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, Sheet
from engine.words import PERSON

Flag = tuple[str, str, str | None]
"""A hidden choice that outlives its step: (kind, what, who)."""
Flags = frozenset[Flag]
NO_FLAGS: Flags = frozenset()

USED = "used"
TODAY = "today"
ON = "on"
"""Kinds of flags: used this loop, used by the Mastermind today, traceless effect in force."""

SHIELD = "protagonists_cannot_die"
SUPPRESSED = "incidents_suppressed"
FREED = "freed"
"""Kinds of lasting effects (``engine.rules.model.LastingEffect``)."""


@dataclass(frozen=True, slots=True)
class Holding:
    """An ability of a role in somebody's hands, or of an active plot (no holder).

    Attributes:
        ability: the ability.
        role: the role it belongs to, ``None`` for a plot's.
        holder: the card, ``None`` for a plot's.
        sure: the holder has that role at every moment of the game, the plot its rules.
        plot: the plot whose rule it is, ``None`` for a role's.
    """

    ability: Ability
    role: str | None
    holder: str | None
    sure: bool
    plot: str | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        """Return what a use of it is known by."""
        return self.ability.id, self.holder

    @property
    def flag(self) -> Flag:
        """Return the flag that a use sets, where it may be used once a loop."""
        return USED, self.ability.id, self.holder


class World:
    """One script on one open sheet, and what follows from it for the whole game.

    Args:
        rules: the tragedy set.
        sheet: the open sheet.
        script: the script; ``engine.replay.fit`` judges whether it fits the sheet.
        rulings: the readings that the table plays.
    """

    __slots__ = (
        "_current",
        "_death_ends",
        "_holdings",
        "_may_refuse",
        "_must_refuse",
        "_unkillable",
        "culprits",
        "late",
        "plots",
        "role",
        "rules",
        "rulings",
        "script",
        "sheet",
        "sources",
    )

    def __init__(
        self,
        rules: Rulebook,
        sheet: Sheet,
        script: Script,
        rulings: TableRulings = DEFAULT_RULINGS,
    ) -> None:
        self.rules = rules
        self.sheet = sheet
        self.script = script
        self.rulings = rulings
        self.role = script.cast
        self.plots = frozenset(script.plots())
        self.culprits = _culprits(sheet, script)
        self.late = {
            who: entry
            for who in script.cast
            if who not in sheet.cast and (entry := script.entry(who)) is not None
        }
        self.sources: object = None  # a cache of engine.steps.mastermind
        self._current: dict[str, tuple[str, ...]] = {}
        self._holdings: dict[Timing, tuple[Holding, ...]] = {}
        self._may_refuse: dict[str, int | None] = {}
        self._must_refuse: dict[str, int | None] = {}
        self._unkillable: dict[str, int | None] = {}
        self._death_ends: dict[str, int | None] = {}

    # Roles -----------------------------------------------------------------------------

    def possible_roles(self, who: str) -> tuple[str, ...]:
        """Return the roles whose abilities ``who`` may ever have, the scripted one first."""
        found = self._current.get(who)
        if found is None:
            found = self._current[who] = self._find_roles(who)
        return found

    def current_roles(self, who: str) -> tuple[str, ...]:
        """Return the roles that ``who`` may ever read as, the scripted one first (P-06)."""
        scripted = self.role.get(who, PERSON)
        roles = [scripted]
        for plot, shift in self.rules.shifts:
            if plot in self.plots and scripted in shift.old:
                roles.append(shift.new)
        return tuple(dict.fromkeys(roles))

    def _find_roles(self, who: str) -> tuple[str, ...]:
        current = self.current_roles(who)
        roles = [*current]
        for role in current:
            roles += [gain.role for gain in self.rules.roles[role].gains]
        for plot in self.script.plots():
            roles += [gained for role, gained in self.rules.plots[plot].gains if role in current]
        return tuple(dict.fromkeys(roles))

    def is_fixed(self, who: str) -> bool:
        """Tell whether ``who`` has its scripted role, and no other ability, all the time."""
        return len(self.possible_roles(who)) == 1

    def holdings(self, timing: Timing) -> tuple[Holding, ...]:
        """Return the abilities of this script with a timing, those of plots last."""
        found = self._holdings.get(timing)
        if found is None:
            found = self._holdings[timing] = tuple(self._find_holdings(timing))
        return found

    def _find_holdings(self, timing: Timing) -> Iterable[Holding]:
        for who in self.role:
            for role in self.possible_roles(who):
                for ability in self.rules.roles[role].abilities:
                    if ability.timing is timing:
                        yield Holding(ability, role, who, self.is_fixed(who))
        # The rules of main plots change where the script has another one beside (WM-05).
        twisted = self.script.extra_main_plot
        plots = self.script.plots() if twisted is None else (*self.script.plots(), twisted)
        for plot in dict.fromkeys(plots):
            sure = twisted is None or self.rules.plots[plot].kind is not PlotKind.MAIN
            for ability in self.rules.plots[plot].abilities:
                if ability.timing is timing:
                    yield Holding(ability, None, None, sure, plot)

    def is_copy(self, who: str) -> bool:
        """Tell whether ``who`` holds its role as a copy of another's (K-Copycat)."""
        return self.rules.characters[who].role_rule is RoleRule.COPIES

    def enters(self, who: str, loop: int, day: int) -> bool:
        """Tell whether a late character appears at this loop start or day start (P-05)."""
        entry = self.late.get(who)
        if entry is None:
            return False
        first_loop, on_day = entry
        if self.rules.characters[who].entry is Entry.LOOP:
            return loop == first_loop and day == 0
        return loop >= first_loop and day == on_day

    # Questions that have one answer for the whole game, where the role cannot change -----

    def _constant(
        self,
        memo: dict[str, int | None],
        who: str,
        of_role: Callable[[Role], int | None],
        roles: Callable[[str], tuple[str, ...]],
    ) -> int | None:
        if who not in memo:
            answers = {of_role(self.rules.roles[role]) for role in roles(who)}
            memo[who] = answers.pop() if len(answers) == 1 else None
        return memo[who]

    def may_refuse(self, who: str) -> int | None:
        """Return the truth of "may refuse", ``None`` where it depends on the moment."""
        return self._constant(self._may_refuse, who, _may_refuse, self.current_roles)

    def must_refuse(self, who: str) -> int | None:
        """Return the truth of "has to refuse", ``None`` where it depends on the moment."""
        return self._constant(self._must_refuse, who, _must_refuse, self.current_roles)

    def unkillable(self, who: str) -> int | None:
        """Return the truth of "cannot die", ``None`` where it depends on the moment."""
        return self._constant(self._unkillable, who, _unkillable, self.current_roles)

    def death_ends_loop(self, who: str) -> int | None:
        """Return the truth of "its death is a loss", ``None`` if it depends on the moment."""
        return self._constant(self._death_ends, who, _death_ends, self.possible_roles)


def _may_refuse(role: Role) -> int | None:
    if role.refusal is Refusal.NONE:
        return NO
    return YES if role.refusal_when is ALWAYS else None


def _must_refuse(role: Role) -> int | None:
    if role.refusal is not Refusal.MANDATORY:
        return NO
    return YES if role.refusal_when is ALWAYS else None


def _unkillable(role: Role) -> int | None:
    if role.unkillable is None:
        return NO
    return YES if role.unkillable is ALWAYS else None


def _death_ends(role: Role) -> int | None:
    for ability in role.abilities:
        does = ability.does
        if ability.timing is Timing.OWN_DEATH and isinstance(does, Lose) and does.at_once:
            return YES if ability.mandatory and ability.when is ALWAYS else None
    return NO


def _culprits(sheet: Sheet, script: Script) -> tuple[str | None, ...]:
    """Return the culprit of each incident of the sheet, in the sheet's order."""
    left = list(script.incidents)
    found: list[str | None] = []
    for scheduled in sheet.incidents:
        match = next(
            (
                item
                for item in left
                if item.day == scheduled.day and item.incident == scheduled.incident
            ),
            None,
        )
        if match is not None:
            left.remove(match)
        found.append(None if match is None else match.culprit)
    return tuple(found)
