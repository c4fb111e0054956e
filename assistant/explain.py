"""Smallest reasons: which evidence of this very game rules something out.

A clue rests on evidence units (what was noted in a step, that it was complete, that play went
on). A reason is a set of units from which none can be left out: the clues that rest on them
alone settle the matter, and without any one of them it would be open. Small reasons are found
by trying all of up to three units as far as that can be done; larger ones by shrinking a
conflict of the constraint model. Every reason is checked once more before it is returned.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

from assistant.formula import TRUE, Formula, RulingAtom, atoms, evaluate
from assistant.solver import Solver
from assistant.worlds import World, Worlds

MOST_TRIED_UNITS: Final = 3
"""Reasons of up to so many units are proved to be smallest."""
_MOST_TRIALS: Final = 4_000
_MOST_WITNESSES: Final = 120


class Evidence(Protocol):
    """What is needed of a clue."""

    @property
    def formula(self) -> Formula:
        """What holds in every world that could have shown the evidence."""

    @property
    def units(self) -> Sequence[Hashable]:
        """The evidence units that it rests on."""

    @property
    def rulings(self) -> Sequence[str]:
        """The rulings that it follows."""

    @property
    def text(self) -> str:
        """A sentence for the table."""


C = TypeVar("C", bound=Evidence)


@dataclass(frozen=True, slots=True)
class Reason(Generic[C]):
    """Why something cannot be.

    Attributes:
        clues: clues that settle it, in the order of play; none can be left out. There are
            none where the open sheet alone settles it.
        units: the evidence units that they rest on, in the same order; none can be left out.
        rulings: the rulings that they follow.
        smallest: whether it is proved that fewer units cannot settle it.
    """

    clues: tuple[C, ...]
    units: tuple[Hashable, ...]
    rulings: tuple[str, ...]
    smallest: bool

    @property
    def text(self) -> str:
        """The sentences of the clues."""
        return " ".join(clue.text for clue in self.clues)


@dataclass(frozen=True, slots=True)
class Conflict(Generic[C]):
    """Why no world is left.

    Attributes:
        reason: clues that cannot all be right.
        repairs: units of which each, withdrawn alone, would leave a world.
    """

    reason: Reason[C]
    repairs: tuple[Hashable, ...]


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
        self._units: Final = list(dict.fromkeys(u for clue in self._useful for u in clue.units))
        self._solver: Solver | None = None

    def impossible(self, cell: Formula) -> Reason[C] | None:
        """Explain why a formula holds in no world.

        Args:
            cell: the formula, such as a character's role.

        Returns:
            The reason, ``None`` if some world is left in which the formula holds.
        """
        if not self._start.allows(cell):
            return Reason((), (), (), smallest=True)
        solver = self._guarded()
        core = solver.refute(self._units, cell)
        if core is None:
            return None
        found = _Search(self._start.conjoin(cell), self._useful).smaller_than(len(core))
        if found.units is not None:
            core = [unit for unit in self._units if unit in found.units]
        return self._reason(core, cell, smallest=found.exhausted)

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

    def _guarded(self) -> Solver:
        """Return the constraint model with every clue in force while its units are assumed."""
        if self._solver is None:
            self._solver = Solver(self._start.composition)
            for clue in self._useful:
                self._solver.guard(clue.formula, clue.units)
        return self._solver

    def _reason(self, units: Sequence[Hashable], cell: Formula, smallest: bool) -> Reason[C]:
        """Return the reason that rests on these units, checked by the constraint model."""
        active = [clue for clue in self._useful if set(clue.units) <= set(units)]
        formulas = [clue.formula for clue in active]
        checker = Solver(self._start.composition)
        core = checker.core(formulas, cell)
        if core is None:
            raise AssertionError("the evidence of a reason must settle the matter")
        for unit in units:
            rest = (c.formula for c in active if unit not in c.units)
            if not checker.possible(cell, *rest):
                raise AssertionError("no evidence unit of a reason can be left out")
        chosen = tuple(active[place] for place in core)
        rulings = dict.fromkeys(ruling for clue in chosen for ruling in clue.rulings)
        return Reason(chosen, tuple(units), tuple(rulings), smallest)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search for a smaller reason came to.

    Attributes:
        units: a smaller reason, ``None`` if none was found.
        exhausted: everything smaller than the result was excluded.
    """

    units: frozenset[Hashable] | None
    exhausted: bool


class _GaveUp(Exception):
    """The search has taken too long."""


class _Search(Generic[C]):
    """Looks for few units whose clues leave no world.

    Each world found is a witness: a reason must contain all units of some clue that the
    witness breaks. So the search only ever adds the units of such a clue.
    """

    def __init__(self, worlds: Worlds, clues: Sequence[C]) -> None:
        self._worlds = worlds
        self._clues = clues
        self._units = [frozenset(clue.units) for clue in clues]
        self._witnesses: list[list[int]] = []
        self._trials = 0
        self._open: set[frozenset[Hashable]] = set()
        rulings = worlds.composition.rulings
        spoken = atoms(*(clue.formula for clue in clues))
        ids = (atom.id for atom in spoken if isinstance(atom, RulingAtom))
        self._readings = {id: rulings[id] is not False for id in ids}

    def smaller_than(self, size: int) -> _Found:
        """Look for a reason of fewer units, the smallest sizes first."""
        try:
            for wanted in range(1, min(size, MOST_TRIED_UNITS + 1)):
                self._open.clear()
                units = self._find(frozenset(), wanted)
                if units is not None:
                    return _Found(units, exhausted=True)
        except _GaveUp:
            return _Found(None, exhausted=False)
        return _Found(None, exhausted=size <= MOST_TRIED_UNITS + 1)

    def _find(self, units: frozenset[Hashable], size: int) -> frozenset[Hashable] | None:
        """Return a reason of at most ``size`` units that contains these, ``None`` if none."""
        if units in self._open:
            return None
        self._open.add(units)
        self._trials += 1
        if self._trials > _MOST_TRIALS:
            raise _GaveUp
        broken = self._witness(units)
        if broken is None:
            return units
        larger = dict.fromkeys(units | self._units[place] for place in broken)
        for more in larger:
            if len(more) <= size:
                found = self._find(more, size)
                if found is not None:
                    return found
        return None

    def _witness(self, units: frozenset[Hashable]) -> list[int] | None:
        """Return the clues that some world breaks which keeps all those on these units."""
        fitting = [
            broken
            for broken in self._witnesses
            if not any(self._units[place] <= units for place in broken)
        ]
        if fitting:
            return min(fitting, key=len)
        if len(self._witnesses) >= _MOST_WITNESSES:
            raise _GaveUp
        world = self._world(units)
        if world is None:
            return None
        broken = [n for n, clue in enumerate(self._clues) if not evaluate(clue.formula, world)]
        self._witnesses.append(broken)
        return broken

    def _world(self, units: frozenset[Hashable]) -> World | None:
        active = (c.formula for c, u in zip(self._clues, self._units, strict=True) if u <= units)
        left = self._worlds.conjoin(*active)
        if not left.any():
            return None
        world = left.listing(1)[0]
        # Of rulings that these clues do not speak of any reading will do.
        return replace(world, rulings={**self._readings, **world.rulings})
