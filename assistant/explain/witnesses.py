"""Witnesses: worlds in which a matter is otherwise, with the clues that each of them breaks.

A set of evidence units settles a matter only if every witness breaks a clue that rests on
these units alone. So a few thousand worlds drawn once for a game exclude almost every set
that does not settle a matter, without a look at the diagrams.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Generic

from assistant.explain.bits import Truths
from assistant.explain.reason import C
from assistant.formula import Atom, FirstSubplotAtom, Formula, RulingAtom
from assistant.worlds import World, Worlds
from assistant.worlds.draws import Drawn
from engine.rulings import TableRulings

FIRST: Final = 2_048
"""How many legal scripts a game begins with."""

Units = int
"""A set of evidence units, as bits: their numbers in ``Witnesses.units``."""


class _Batch:
    """Worlds that came together, each with one reading of all that tables leave open."""

    def __init__(self, drawn: Drawn, n: int, rulings: TableRulings, rng: Random) -> None:
        self._drawn = drawn
        self._every = (1 << n) - 1
        self._n = n
        self._rulings = rulings
        self._rng = rng
        self._readings: dict[str, int] = {}
        self._firsts: dict[str, int] | None = None

    def bits(self, atom: Atom) -> int:
        """Return in which of the worlds an atom holds."""
        if isinstance(atom, RulingAtom):
            said = self._rulings[atom.id]
            if said is not None:
                return self._every if said else 0
            return self._readings.setdefault(atom.id, self._rng.getrandbits(self._n))
        if isinstance(atom, FirstSubplotAtom):
            if self._firsts is None:
                self._firsts = self._drawn.first_subplots(self._rng)
            return self._firsts.get(atom.plot, 0)
        return self._drawn.bits(atom)


class _One:
    """A single world with the readings that it was found with."""

    def __init__(self, world: World, rulings: TableRulings, rng: Random) -> None:
        self._world = world
        self._rulings = rulings
        self._rng = rng
        self._readings: dict[str, int] = {}

    def bits(self, atom: Atom) -> int:
        """Return 1 if the atom holds, else 0."""
        if not isinstance(atom, RulingAtom):
            return int(self._world.holds(atom))
        said = self._rulings[atom.id]
        if said is None:
            said = self._world.rulings.get(atom.id)
        if said is None:
            return self._readings.setdefault(atom.id, self._rng.getrandbits(1))
        return int(said)


class Witnesses(Generic[C]):
    """The witnesses of a game.

    Attributes:
        clues: the clues of the game.
        units: the evidence units, in the order of play.
        rests_on: for each clue its units.
        groups: the sets of units on which clues rest.
        broken: for each of these sets the witnesses that break one of its clues, as bits.
        every: all witnesses, as bits.
    """

    def __init__(self, start: Worlds, clues: Sequence[C]) -> None:
        """Draw the first witnesses.

        Args:
            start: all legal worlds; there is one.
            clues: the clues of the game.
        """
        self.clues: Final = tuple(clues)
        self._rng: Final = Random("witnesses")
        self._rulings: Final = start.composition.rulings
        self._truths: Final = Truths([clue.formula for clue in self.clues])
        self._number = 0
        self.every = 0
        self._rows: dict[Atom, int] = {}
        self._batches: list[tuple[int, _Batch | _One]] = []
        self._broken = [0] * len(self.clues)
        self.units: Final = tuple(dict.fromkeys(u for clue in self.clues for u in clue.units))
        bit = {unit: 1 << number for number, unit in enumerate(self.units)}
        self.rests_on: Final = tuple(sum(bit[u] for u in set(clue.units)) for clue in self.clues)
        self.groups: Final = tuple(dict.fromkeys(self.rests_on))
        place = {group: number for number, group in enumerate(self.groups)}
        self._group: Final = [place[own] for own in self.rests_on]
        self.broken = [0] * len(self.groups)
        self.draw(start, FIRST)

    def draw(self, worlds: Worlds, n: int) -> int:
        """Add worlds by chance, and return which bits they are.

        Raises:
            ValueError: If no world is left to draw.
        """
        return self._add(_Batch(worlds.draw(self._rng, n), n, self._rulings, self._rng), n)

    def add(self, world: World) -> int:
        """Add a world with its readings, and return which bit it is."""
        return self._add(_One(world, self._rulings, self._rng), 1)

    def where(self, formula: Formula) -> int:
        """Return the witnesses in which a formula holds, as bits."""
        truths = Truths([formula])
        for atom in truths.atoms:
            if atom not in self._rows:
                self._rows[atom] = sum(batch.bits(atom) << first for first, batch in self._batches)
        return truths.of(self._rows, self.every)[0]

    def broken_by(self, clue: int) -> int:
        """Return the witnesses that break the clue of this number, as bits."""
        return self._broken[clue]

    def _add(self, batch: _Batch | _One, n: int) -> int:
        first, new = self._number, (1 << n) - 1
        self._batches.append((first, batch))
        self._number += n
        self.every |= new << first
        given: dict[Atom, int] = {}
        for atom in self._truths.atoms | self._rows.keys():
            given[atom] = batch.bits(atom)
            self._rows[atom] = self._rows.get(atom, 0) | given[atom] << first
        for number, truth in enumerate(self._truths.of(given, new)):
            broken = (new ^ truth) << first
            self._broken[number] |= broken
            self.broken[self._group[number]] |= broken
        return new << first
