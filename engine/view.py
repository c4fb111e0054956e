"""What the engine knows of a moment: one script, judged on a board.

``ScriptView`` puts a script (``engine.world``) together with a board and the hidden flags of a
moment, and answers the questions of the rule text with three-valued integers
(``engine.kleene``).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import kleene
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.rules import queries
from engine.rules.conditions import ALWAYS, Actor
from engine.rules.model import Rulebook
from engine.rulings import DEATH_ENDS_LOOP, TURF_AT_NIGHT, TableRulings
from engine.script import Sheet
from engine.world import (
    FREED,
    NO_FLAGS,
    ON,
    SHIELD,
    SUPPRESSED,
    TODAY,
    USED,
    Flag,
    Flags,
    Holding,
    World,
)

__all__ = [
    "FREED",
    "NO_FLAGS",
    "ON",
    "SHIELD",
    "SUPPRESSED",
    "TODAY",
    "USED",
    "Flag",
    "Flags",
    "Holding",
    "ScriptView",
    "World",
]


class ScriptView:
    """A script on a board: ``engine.rules.conditions.View`` with three-valued integers.

    Args:
        world: the script.
        board: the public snapshot.
        flags: the hidden choices so far; they decide about what the board leaves open.
    """

    __slots__ = ("board", "flags", "world")

    def __init__(self, world: World, board: Board, flags: Flags = NO_FLAGS) -> None:
        self.world = world
        self.board = board
        self.flags = flags

    def on(self, board: Board) -> ScriptView:
        """Return the same view on another board."""
        return ScriptView(self.world, board, self.flags)

    # engine.rules.conditions.View --------------------------------------------------------

    @property
    def rules(self) -> Rulebook:
        """The tragedy set."""
        return self.world.rules

    @property
    def sheet(self) -> Sheet:
        """The open sheet."""
        return self.world.sheet

    @property
    def rulings(self) -> TableRulings:
        """The readings that the table plays."""
        return self.world.rulings

    @property
    def cast(self) -> Iterable[str]:
        """All cards that hold a role, late ones included."""
        return self.world.role

    def fact(self, value: int) -> int:
        """Return a public fact as it is."""
        return value

    def negate(self, truth: int) -> int:
        """Return "not truth"."""
        return kleene.negate(truth)

    def scripted(self, who: str, role: str) -> int:
        """Judge "the script gives ``who`` the role ``role``"."""
        return YES if self.world.role.get(who) == role else NO

    def plot(self, plot: str) -> int:
        """Judge "the plot is active"."""
        return YES if plot in self.world.plots else NO

    def extra_plot(self, plot: str) -> int:
        """Judge "the plot is the script's extra main plot" (WM-05)."""
        return kleene.certain(self.world.script.extra_main_plot == plot)

    def culprit(self, number: int, who: str) -> int:
        """Judge "``who`` is the culprit of the sheet's incident ``number``"."""
        return YES if self.world.culprits[number] == who else NO

    # Current roles -------------------------------------------------------------------------

    def current_role(self, who: str, role: str) -> int:
        """Judge "the current role of ``who`` is ``role``" (P-06)."""
        if self.world.is_fixed(who):
            return self.scripted(who, role)
        return queries.current_role(self, who, role)

    def acts_as(self, who: str, role: str) -> int:
        """Judge "``who`` has the abilities of ``role`` now" (P-07)."""
        if self.world.is_fixed(who):
            return self.scripted(who, role)
        if role not in self.world.possible_roles(who):
            return NO
        return queries.acts_as(self, who, role)

    def may_refuse(self, who: str) -> int:
        """Judge "the role of ``who`` has Goodwill refusal now" (G-06)."""
        constant = self.world.may_refuse(who)
        return queries.may_refuse(self, who) if constant is None else constant

    def must_refuse(self, who: str) -> int:
        """Judge "``who`` has to refuse every refusable use now" (G-05)."""
        constant = self.world.must_refuse(who)
        return queries.must_refuse(self, who) if constant is None else constant

    def unkillable(self, who: str) -> int:
        """Judge "``who`` cannot die now" (B-09)."""
        constant = self.world.unkillable(who)
        return queries.unkillable(self, who) if constant is None else constant

    def death_is_lost(self, who: str) -> int:
        """Judge "if ``who`` dies now the Protagonists have lost" (P-11)."""
        constant = self.world.death_ends_loop(who)
        return queries.death_ends_loop(self, who) if constant is None else constant

    def death_ends_loop(self, who: str) -> int:
        """Judge "if ``who`` dies now the loop ends at once" (L-02, under the table ruling)."""
        return self.death_is_lost(who) & self.world.rulings.fact(DEATH_ENDS_LOOP)

    def holds(self, holding: Holding) -> int:
        """Judge "the ability is in force here": the role is held and its condition met."""
        ability = holding.ability
        truth = YES
        if not holding.sure:
            if holding.plot is not None:
                truth = queries.rule_active(self, self.rules.plots[holding.plot])
            else:
                assert holding.holder is not None
                assert holding.role is not None
                truth = self.acts_as(holding.holder, holding.role)
        if truth and ability.when is not ALWAYS:
            if holding.holder is None:
                truth &= ability.when.judge(self, Actor(None, None))
            else:
                truth &= ability.when.judge(self, queries.actor_of(self, holding.holder))
        return truth

    # Places --------------------------------------------------------------------------------

    def turf(self, who: str) -> str | None:
        """Return the turf of a living card, for what it does by its role (P-10)."""
        place = self.world.sheet.turf.get(who)
        if place is None or not self.world.rules.characters[who].has_turf:
            return None
        return place if self.board.alive(who) != NO else None

    def stands(self, who: str, place: str) -> int:
        """Judge "the card of ``who`` lies at ``place``"."""
        return self.board.is_at(who, place)

    def reaches(self, who: str, place: str, *, night: bool = False) -> int:
        """Judge "``who`` may act from ``place``": it stands there or it is its turf (P-10)."""
        truth = self.board.is_at(who, place)
        if truth != YES and self.turf(who) == place:
            if not night:
                return YES
            return truth | self.world.rulings.fact(TURF_AT_NIGHT)
        return truth

    def places(self, who: str, *, night: bool = False) -> tuple[str, ...]:
        """Return every location from which ``who`` may act."""
        places = self.board.possible_places(who)
        turf = self.turf(who)
        if turf is None or turf in places:
            return places
        if night and self.world.rulings[TURF_AT_NIGHT] is False:
            return places
        return (*places, turf)

    def targeted_at(self, who: str, place: str) -> int:
        """Judge "a token may be put on living ``who`` at ``place``", his turf only perhaps."""
        board = self.board
        truth = board.is_at(who, place)
        if truth == NO and self.turf(who) == place:
            truth = MAYBE
        return board.alive(who) & truth

    # Lasting effects -----------------------------------------------------------------------

    def effect(self, kind: str, on: str) -> int:
        """Judge "the lasting effect is in force": the flags know what the table does not."""
        fact = self.board.effect(kind, on)
        if fact == MAYBE:
            return YES if (ON, kind, on) in self.flags else NO
        return fact

    def shielded(self) -> int:
        """Judge "the Protagonists cannot die in this loop" (G-15)."""
        truth = NO
        for kind, on in self.board.effects:
            if kind == SHIELD:
                truth |= self.effect(kind, on)
        return truth
