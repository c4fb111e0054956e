"""Reasons in one game."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, Generic

from assistant.explain.reason import C, Conflict, Reason
from assistant.explain.search import Search
from assistant.explain.witnesses import Witnesses
from assistant.formula import TRUE, Formula
from assistant.solver import Solver
from assistant.worlds import Worlds

_REASONS_A_MODEL: Final = 12
"""So many reasons are checked by one model: formulas of all of them stay in it."""


class Explainer(Generic[C]):
    """Finds reasons in one game.

    Attributes:
        clues: the clues of the game.
    """

    def __init__(self, start: Worlds, clues: Iterable[C]) -> None:
        """Make the clues ready.

        Args:
            start: all legal worlds of the game's open sheet.
            clues: its clues, in the order of play.
        """
        self.clues: Final = tuple(clues)
        self._start: Final = start
        self._useful: Final = [clue for clue in self.clues if clue.formula is not TRUE]
        self._places: Final = {id(clue): place for place, clue in enumerate(self._useful)}
        self._known: Witnesses[C] | None = None
        self._model: Solver | None = None
        self._checker: Solver | None = None
        self._reasons = 0

    def impossible(self, cell: Formula) -> Reason[C] | None:
        """Explain why a formula holds in no world.

        Args:
            cell: the formula, such as a character's role.

        Returns:
            The reason, ``None`` if some world is left in which the formula holds.
        """
        start = self._start.conjoin(cell)
        if not start.any():
            return Reason((), (), (), smallest=True)
        search = Search(start, self._witnesses(), cell)
        found = search.run()
        if found is None:
            return None
        every = self._witnesses().units
        units = [unit for place, unit in enumerate(every) if found.units >> place & 1]
        return self._reason(start, units, cell, found.smallest)

    def certain(self, cell: Formula) -> Reason[C] | None:
        """Explain why a formula holds in every world, ``None`` if it fails in some."""
        return self.impossible(~cell)

    def conflict(self) -> Conflict[C] | None:
        """Explain why no world is left, ``None`` if one is."""
        reason = self.impossible(TRUE)
        if reason is None:
            return None
        # Whoever wants to repair it must take away part of this very conflict.
        repairs = (unit for unit in reason.units if self._without(unit).any())
        return Conflict(reason, tuple(repairs))

    def _without(self, unit: Hashable) -> Worlds:
        kept = (clue.formula for clue in self._useful if unit not in clue.units)
        return self._start.conjoin(*kept)

    def _witnesses(self) -> Witnesses[C]:
        if self._known is None:
            self._known = Witnesses(self._start, self._useful)
        return self._known

    def _reason(
        self, start: Worlds, units: Sequence[Hashable], cell: Formula, smallest: bool
    ) -> Reason[C]:
        """Return the reason that rests on these units, checked by the constraint model.

        Args:
            start: the legal worlds in which the cell holds.
            units: what settles the matter.
            cell: the cell.
            smallest: fewer units do not.
        """
        active = [clue for clue in self._useful if set(clue.units) <= set(units)]
        chosen = self._needed(start, cell, active)
        checker = self._checked_by()
        if not checker.refutes(cell, *(clue.formula for clue in chosen)):
            raise AssertionError("the evidence of a reason must settle the matter")
        for unit in units:
            rest = (clue.formula for clue in active if unit not in clue.units)
            if checker.refutes(cell, *rest):
                raise AssertionError("no evidence unit of a reason can be left out")
        rulings = dict.fromkeys(ruling for clue in chosen for ruling in clue.rulings)
        return Reason(tuple(chosen), tuple(units), tuple(rulings), smallest)

    def _checked_by(self) -> Solver:
        """Return a constraint model that holds few formulas from earlier reasons."""
        if self._model is None:
            self._model = Solver(self._start.composition)
        self._reasons += 1
        if self._checker is None or self._reasons % _REASONS_A_MODEL == 0:
            self._checker = self._model.copy()
        return self._checker

    def _needed(self, start: Worlds, cell: Formula, clues: Sequence[C]) -> list[C]:
        """Return clues that settle the matter, of which none can be left out.

        The later clues are left out first: what is told first carries the argument.
        """
        rows = self._witnesses().where(cell)
        needed = list(clues)
        for clue in reversed(clues):
            rest = [other for other in needed if other is not clue]
            left = rows
            for other in rest:
                left &= ~self._witnesses().broken_by(self._places[id(other)])
            if not left and not start.conjoin(*(other.formula for other in rest)).any():
                needed = rest
        return needed
