"""The assistant's view: public facts from the board, secrets as formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from assistant.clues.model import NO_FLAGS, Flags
from assistant.formula import CulpritAtom, ExtraPlotAtom, Judged, PlotAtom, RoleAtom, negate
from engine import kleene
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.rules import queries
from engine.rules.conditions import ALWAYS
from engine.rules.model import Lose, Plot, Refusal, Rulebook, Timing
from engine.rulings import TableRulings
from engine.script import Sheet
from engine.table import Table

_FACTS = {fact: Judged.of(fact) for fact in (NO, MAYBE, YES)}


@dataclass(slots=False)
class FormulaView:
    """``engine.rules.conditions.View`` over all worlds at once.

    Attributes:
        table: the compiled game.
        board: the snapshot of which is asked.
        flags: the hidden state of which is asked.
    """

    table: Table
    board: Board
    flags: Flags = NO_FLAGS
    _cache: dict[tuple[object, ...], Judged] = field(default_factory=dict, repr=False)
    _public: tuple[object, ...] | None = field(default=None, repr=False)

    @property
    def rules(self) -> Rulebook:
        """Return the tragedy set."""
        return self.table.rules

    @property
    def rulings(self) -> TableRulings:
        """Return the table's readings."""
        return self.table.rulings

    @property
    def sheet(self) -> Sheet:
        """Return the open sheet."""
        return self.table.sheet

    @cached_property
    def cast(self) -> Iterable[str]:
        """Return every card that may hold a role: the cast and late characters."""
        return cast_of(self.table)

    def fact(self, value: int) -> Judged:
        """Lift a public fact."""
        return _FACTS[value]

    def negate(self, truth: Judged) -> Judged:
        """Return "not truth"."""
        return negate(truth)

    def scripted(self, who: str, role: str) -> Judged:
        """Return the atom of a scripted role."""
        atom = RoleAtom(who, role)
        return Judged(atom, atom)

    def plot(self, plot: str) -> Judged:
        """Return the atom of a plot."""
        atom = PlotAtom(plot)
        return Judged(atom, atom)

    def extra_plot(self, plot: str) -> Judged:
        """Return the atom of an extra main plot (WM-05)."""
        atom = ExtraPlotAtom(plot)
        return Judged(atom, atom)

    def active(self, plot: Plot) -> Judged:
        """Judge "the rules of this plot are in force in this loop"."""
        key = ("active", plot.id)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = queries.rule_active(self, plot)
        return found

    def culprit(self, number: int, who: str) -> Judged:
        """Return the atom of a culprit."""
        atom = CulpritAtom(number, who)
        return Judged(atom, atom)

    # The queries of the engine, remembered per board: builders ask them again and again.

    def _ask(self, name: str, *args: str) -> Judged:
        key: tuple[object, ...] = (name, *args)
        found = self._cache.get(key)
        if found is None:
            known: dict[object, Judged] = self.table.scratch.setdefault("answers", {})
            full = key if is_static(self.table, name, args) else (*key, self._moment(args[0]))
            found = known.get(full)
            if found is None:
                found = known[full] = getattr(queries, name)(self, *args)
            self._cache[key] = found
        return found

    def _moment(self, who: str) -> tuple[object, ...]:
        """Return all of the board that a question about a card's role can depend on."""
        if self._public is None:
            self._public = (tuple(self.board.intrigue.values()), self.board.gauge)
        card = self.board.cards.get(who)
        own = (
            None
            if card is None
            else (card.at, card.alive, card.goodwill, card.unease, card.intrigue)
        )
        return own, self._public

    def current_role(self, who: str, role: str) -> Judged:
        """Judge the current role (P-06)."""
        return self._ask("current_role", who, role)

    def acts_as(self, who: str, role: str) -> Judged:
        """Judge "has the abilities of this role" (P-07)."""
        return self._ask("acts_as", who, role)

    def may_refuse(self, who: str) -> Judged:
        """Judge "has Goodwill refusal now" (G-06)."""
        return self._ask("may_refuse", who)

    def must_refuse(self, who: str) -> Judged:
        """Judge "has to refuse now" (G-05)."""
        return self._ask("must_refuse", who)

    def unkillable(self, who: str) -> Judged:
        """Judge "cannot die now" (B-09)."""
        return self._ask("unkillable", who)

    def death_ends_loop(self, who: str) -> Judged:
        """Judge "the death of this card ends the loop at once" (P-11)."""
        return self._ask("death_ends_loop", who)

    def effect(self, kind: str, on: str) -> int:
        """Judge a lasting effect; where nobody could tell, the flag decides (G-18)."""
        fact = self.board.effect(kind, on)
        if fact == MAYBE:
            return kleene.certain(("on", kind, on) in self.flags)
        return fact

    def shielded(self) -> int:
        """Judge "the Protagonists cannot die this loop" (G-15)."""
        fact = NO
        for kind, on in self.board.effects:
            if kind == "protagonists_cannot_die":
                fact |= self.effect(kind, on)
        return fact


def cast_of(table: Table) -> tuple[str, ...]:
    """Return the cast of the sheet, and the late characters if any may be in it (P-05)."""
    sheet = table.sheet
    late = tuple(
        who
        for who, character in table.rules.characters.items()
        if character.entry is not None and who not in sheet.cast
    )
    return sheet.cast if sheet.cast_complete else sheet.cast + late


def name_of(table: Table, on: object) -> str:
    """Return the name of a card or place for a sentence."""
    if not isinstance(on, str):
        return "somebody"
    character = table.rules.characters.get(on)
    return on.replace("_", " ").title() if character is None else character.name


def when(step_at: tuple[int, int, str]) -> str:
    """Return "Loop 1, day 2, night" for a sentence."""
    loop, day, step = step_at
    words = {
        "loop_start": f"Loop {loop}, start",
        "loop_end": f"End of loop {loop}",
        "mastermind": f"Loop {loop}, day {day}, Mastermind step",
        "goodwill": f"Loop {loop}, day {day}, Goodwill step",
        "final_guess": "Final Guess",
    }
    return words.get(step, f"Loop {loop}, day {day}, {step.replace('_', ' ')}")


def is_static(table: Table, name: str, args: tuple[str, ...]) -> bool:
    """Tell whether the answer to a role question is the same at every moment of the game."""
    known: dict[object, bool] = table.scratch.setdefault("static", {})
    key = (name, *args[1:])
    found = known.get(key)
    if found is None:
        found = known[key] = _is_static(table.rules, name, args)
    return found


def _is_static(rules: Rulebook, name: str, args: tuple[str, ...]) -> bool:
    shifting = {role for _, shift in rules.shifts for role in (*shift.old, shift.new)}
    roles = rules.roles.values()
    if name == "current_role":
        return args[1] not in shifting
    if name == "acts_as":
        gained = any(gain.role == args[1] for role in roles for gain in role.gains)
        lent = any(
            role == args[1] and holder in shifting
            for plot in rules.plots.values()
            for holder, role in plot.gains
        )
        return args[1] not in shifting and not gained and not lent
    if name in ("may_refuse", "must_refuse"):
        refusing = [role for role in roles if role.refusal is not Refusal.NONE]
        return all(role.id not in shifting and role.refusal_when is ALWAYS for role in refusing)
    if name == "unkillable":
        hard = [role for role in roles if role.unkillable is not None]
        return all(role.id not in shifting and role.unkillable is ALWAYS for role in hard)
    if name == "death_ends_loop":
        ending = [
            role
            for role in roles
            for ability in role.abilities
            if ability.timing is Timing.OWN_DEATH and isinstance(ability.does, Lose)
        ]
        return all(_is_static(rules, "acts_as", (args[0], role.id)) for role in ending)
    return False
