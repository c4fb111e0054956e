"""The worlds that a game has left, as one value that clues make smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import islice
from operator import add
from random import Random
from typing import Any, Final, TypeVar

import numpy as np
from oxidd.util import DDMemoryError

from assistant.formula import (
    TRUE,
    And,
    Formula,
    RulingAtom,
    atoms,
    substitute,
    truth,
)
from assistant.worlds.cells import Cells
from assistant.worlds.composition import Composition
from assistant.worlds.culprits import Case, Cases, Possible, Reader, everything
from assistant.worlds.diagram import Diagram, Store, grow_until
from assistant.worlds.draws import Drawn, draw_many
from assistant.worlds.levels import Levels, extract
from assistant.worlds.readings import (
    Reading,
    either_reading,
    readings_of,
    speaks_of_readings,
    with_reading,
)
from assistant.worlds.tally import Layer, Tally
from assistant.worlds.walk import draw, worlds_of
from assistant.worlds.world import World
from engine.rules.model import Rulebook
from engine.rulings import TableRulings
from engine.script import Sheet

K = TypeVar("K")
N = TypeVar("N", int, float)
T = TypeVar("T")

_TABLES_KEPT: Final = 1_000
_LAYERS_KEPT: Final = 12


class _Room:
    """A node store with what belongs to it; shared by all worlds of one game."""

    def __init__(self, store: Store) -> None:
        self.store: Final = store
        self.reader: Final = Reader(store)
        self.start: Final = everything(store)
        self._possible: dict[bytes, Diagram] = {}
        self._levels: dict[Diagram, Levels] = {}
        self._layers: dict[tuple[Diagram, bytes], Layer] = {}

    def layers(self, cases: Sequence[Case]) -> tuple[Layer, ...]:
        """Return the culprit layer of each case; a clue often changes few of them."""
        new = dict.fromkeys(case.diagram for case in cases)
        levels = {diagram: self._levels.pop(diagram) for diagram in new if diagram in self._levels}
        new = dict.fromkeys(diagram for diagram in new if diagram not in levels)
        levels.update(zip(new, extract(self.store, list(new)), strict=True))
        _keep(self._levels, levels)
        layers: dict[tuple[Diagram, bytes], Layer] = {}
        for case in cases:
            key = (case.diagram, case.masks.tobytes())
            known = self._layers.pop(key) if key in self._layers else None
            layers[key] = known or Layer(self.store.composition, levels[case.diagram], case.masks)
        _keep(self._layers, layers)
        return tuple(layers.values())

    def possible(self, case: Case) -> Diagram:
        """Return the plots and roles of a case for which there are culprits."""
        key = case.masks.tobytes()
        if key not in self._possible:
            if len(self._possible) >= _TABLES_KEPT:
                self._possible.clear()
            self._possible[key] = Possible(self.store, case.masks).diagram
        return case.diagram & self._possible[key]


def _keep(kept: dict[K, T], new: dict[K, T]) -> None:
    """Add what is new to what is kept, as the newest, and drop what is oldest."""
    kept.update(new)
    while len(kept) > max(_LAYERS_KEPT, len(new)):
        del kept[next(iter(kept))]


@dataclass(frozen=True, slots=True)
class _State:
    """What is known, in a room.

    Attributes:
        room: where the diagrams are.
        core: what the clues that leave nothing open say.
        ruled: the clues that leave something open.
        known: what all clues say, for the one reading or another.
    """

    room: _Room
    core: Cases
    ruled: tuple[Formula, ...]
    known: Cases

    def with_clues(self, formulas: Iterable[Formula]) -> _State:
        """Return the state with more clues, without rulings that the table decided."""
        reader = self.room.reader
        core, known, ruled = self.core, self.known, list(self.ruled)
        for formula in formulas:
            for part in formula.args if isinstance(formula, And) else (formula,):
                if speaks_of_readings(part):
                    ruled.append(part)
                    continue
                core = reader.add(core, part)
                if ruled:
                    known = reader.add(known, part)
        if len(ruled) > len(self.ruled):
            subplots = [plot.id for plot in reader.store.composition.rulebook.subplots()]
            known = reader.add(core, either_reading(ruled, subplots))
        elif not ruled:
            known = core
        return _State(self.room, core, tuple(ruled), known)


class Worlds:
    """All worlds of an open sheet that the clues so far allow.

    A value: ``conjoin`` returns the smaller one and leaves this one as it was. A world is
    counted once however many readings of open table rulings fit it.

    Attributes:
        composition: the sheet's legal scripts, as structure.
    """

    def __init__(self, sheet: Sheet, rulebook: Rulebook, rulings: TableRulings) -> None:
        """Begin with every legal script.

        Args:
            sheet: the open sheet.
            rulebook: its tragedy set.
            rulings: the table's readings; the open ones may occur in clues.

        Raises:
            ValueError: If the sheet does not fit the rulebook.
            MemoryError: If the legal scripts are too many to hold.
        """
        self.composition: Final = Composition.of(sheet, rulebook, rulings)
        room = _Room(grow_until(lambda nodes: Store(self.composition, nodes)))
        self._state = _State(room, room.start, (), room.start)
        self._formulas: tuple[Formula, ...] = ()
        self._origin: Worlds = self

    def conjoin(self, *formulas: Formula) -> Worlds:
        """Return the worlds in which the formulas hold too.

        Args:
            formulas: clues; atoms about unknown characters, plots and incidents are false.

        Raises:
            KeyError: If one has a ruling that does not exist.
            MemoryError: If the worlds are too many to hold.
        """
        settled = [self._settled(formula) for formula in formulas]
        settled = [formula for formula in settled if formula is not TRUE]
        if not settled:
            return self
        smaller = object.__new__(Worlds)
        vars(smaller).update(
            composition=self.composition,
            _state=self._within_memory(lambda state: state.with_clues(settled)),
            _formulas=(*self._formulas, *settled),
            _origin=self._origin,
        )
        return smaller

    def _settled(self, formula: Formula) -> Formula:
        """Return the formula with the rulings that the table decided put in."""
        given: dict[Formula, Formula] = {}
        for atom in atoms(formula):
            if isinstance(atom, RulingAtom):
                reading = self.composition.rulings[atom.id]
                if reading is not None:
                    given[atom] = truth(reading)
        return substitute(formula, given) if given else formula

    def _within_memory(self, work: Callable[[_State], T]) -> T:
        """Do some work on the state, in a larger store if this one is too small for it."""
        while True:
            state = self._state
            try:
                return work(state)
            except DDMemoryError:
                self._state = self._moved(state.room.store)

    def _moved(self, store: Store) -> _State:
        """Return the state in a store larger than the given one."""
        while True:
            room = _Room(store.grown())
            try:
                return _State(room, room.start, (), room.start).with_clues(self._formulas)
            except DDMemoryError:
                store = room.store

    # Counts ---------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> tuple[Layer, ...]:
        return self._within_memory(lambda state: state.room.layers(state.known))

    @cached_property
    def _tally(self) -> Tally[int]:
        return self._sum(layer.counts for layer in self._layers)

    def _sum(self, tallies: Iterable[Tally[N]]) -> Tally[N]:
        nothing: Tally[Any] = Tally(
            (0,) * len(self.composition.combinations),
            tuple((0,) * len(states) for states in self.composition.states),
            ((0,) * len(self.composition.suspects),) * len(self.composition.incidents),
        )
        return reduce(add, tallies, nothing)

    def count(self) -> int:
        """Return the number of worlds: plots, roles, entries and culprits."""
        return sum(self._tally.combinations)

    def combinations(self) -> Mapping[tuple[str, ...], int]:
        """Return the number of worlds by plot combination, main plot first."""
        return self._cells.combinations

    def extra_plots(self) -> Mapping[str | None, int]:
        """Return the number of worlds by extra main plot, ``None`` for none (WM-05)."""
        return self._cells.extra_plots

    def plots(self) -> Mapping[str, int]:
        """Return the number of worlds by active plot."""
        return self._cells.plots

    def roles(self) -> Mapping[tuple[str, str], int]:
        """Return the number of worlds by character and scripted role."""
        return self._cells.roles

    def culprits(self) -> Mapping[tuple[int, str], int]:
        """Return the number of worlds by incident number and culprit."""
        return self._cells.culprits

    def entries(self) -> Mapping[tuple[str, int | None], int]:
        """Return the number of worlds by late character and entry, ``None`` for never."""
        return self._cells.entries

    @cached_property
    def _cells(self) -> Cells[int]:
        return Cells.of(self.composition, self._tally)

    def plot_role_count(self) -> int:
        """Return the number of plots, roles and entries for which there are culprits."""
        return self._within_memory(
            lambda state: self._projected(state).sat_count(state.room.store.variables)
        )

    def role_assignments(self) -> int:
        """Return the number of roles and entries for which there are plots and culprits."""

        def work(state: _State) -> int:
            store = state.room.store
            found = store.without_plots(self._projected(state)).sat_count(store.variables)
            return found >> store.top_variables

        return self._within_memory(work)

    def _projected(self, state: _State) -> Diagram:
        room = state.room
        return room.store.any_of(room.possible(case) for case in state.known)

    # Questions ------------------------------------------------------------------------

    def any(self) -> bool:
        """Return whether some world is left."""

        def work(state: _State) -> bool:
            room, none = state.room, state.room.store.false
            return any(room.possible(case) != none for case in state.known)

        return self._within_memory(work)

    def allows(self, formula: Formula) -> bool:
        """Return whether the formula holds in some world that is left."""
        return self.conjoin(formula).any()

    def entails(self, formula: Formula) -> bool:
        """Return whether the formula holds in every world that is left, as it does in none."""
        return not self.allows(~formula)

    def readings(self) -> tuple[Reading, ...]:
        """Return which readings of what the clues leave open some world fits."""
        possible = readings_of(self._state.ruled)
        return tuple(reading for reading in possible if self.allows(reading.formula()))

    # Worlds ---------------------------------------------------------------------------

    def __iter__(self) -> Iterator[World]:
        """Yield every world once."""
        ruled = self._state.ruled
        for layer in self._layers:
            for world in worlds_of(layer):
                yield with_reading(world, ruled)

    def listing(self, limit: int) -> list[World]:
        """Return up to ``limit`` different worlds, in no particular order."""
        return list(islice(self, limit))

    def sample(self, rng: Random, n: int) -> list[World]:
        """Draw worlds, with replacement, by the weights of ``shares``.

        Args:
            rng: source of randomness.
            n: how many.

        Raises:
            ValueError: If no world is left.
        """
        weights = self._weights()
        parts: list[tuple[Layer, int]] = []
        shares: list[float] = []
        for layer in self._layers:
            for entry, count in enumerate(layer.by_entry()):
                if count:
                    parts.append((layer, entry))
                    shares.append(count * weights[layer.levels.combinations[entry]])
        if not parts:
            raise ValueError("no world is left to draw from")
        ruled = self._state.ruled
        chosen = rng.choices(parts, shares, k=n)
        return [with_reading(draw(layer, entry, rng), ruled) for layer, entry in chosen]

    def draw(self, rng: Random, n: int) -> Drawn:
        """Draw worlds in columns, with replacement: a plot combination, then a world of it.

        Raises:
            ValueError: If no world is left.
        """
        return draw_many(self.composition, self._layers, rng, n)

    def shares(self) -> Cells[float]:
        """Return the share of each cell, plot combinations weighing as their sizes ask.

        A world weighs 1 / (legal worlds of its plot combination without clues). That is no
        probability: it knows nothing of how a Mastermind plays.

        Raises:
            ValueError: If no world is left.
        """
        weights = np.array(self._weights())
        tally = self._sum(layer.weigh(weights) for layer in self._layers)
        total = sum(tally.combinations)
        if not total:
            raise ValueError("no world is left to share")
        return Cells.of(self.composition, tally.divided(total))

    def _weights(self) -> list[float]:
        counts = self._origin.combinations()
        return [
            1 / counts[item.plots] if counts[item.plots] else 0.0
            for item in self.composition.combinations
        ]
