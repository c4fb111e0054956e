"""Exact joint counts: plots and roles from the layers of a diagram, culprits laid over them.

A vector over sets of incidents runs through the characters: at each one, the incidents that
have a culprit so far. Characters whose possible culpritships do not depend on their role are
counted once, outside the diagram; only the others make the vector there longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from assistant.worlds.composition import Composition
from assistant.worlds.levels import Levels, Vector

Masks = NDArray[np.int64]
"""For each suspect and state the incidents, as bits, of which it may be the culprit."""

_SAFE: Final = 2.0**62


N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Tally(Generic[N]):
    """Numbers of worlds, or sums of their weights.

    Attributes:
        combinations: by plot combination.
        states: for each slot, by its state.
        culprits: for each incident, by suspect: the slots, then the locations.
    """

    combinations: tuple[N, ...]
    states: tuple[tuple[N, ...], ...]
    culprits: tuple[tuple[N, ...], ...]

    def __add__(self, other: Tally[N]) -> Tally[N]:
        return Tally(
            _plus(self.combinations, other.combinations),
            tuple(_plus(a, b) for a, b in zip(self.states, other.states, strict=True)),
            tuple(_plus(a, b) for a, b in zip(self.culprits, other.culprits, strict=True)),
        )

    def divided(self, total: float) -> Tally[float]:
        """Return every number divided by ``total``."""
        return Tally(
            tuple(number / total for number in self.combinations),
            tuple(tuple(number / total for number in row) for row in self.states),
            tuple(tuple(number / total for number in row) for row in self.culprits),
        )


def _plus(first: Sequence[N], second: Sequence[N]) -> tuple[N, ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))


class Options:
    """Which sets of incidents each state of each suspect may take on.

    Attributes:
        classes: for each suspect the classes of states with the same sets: the numbers of the
            states that lead anywhere, and the sets as bits.
        pooled: the suspects with one class only; all locations are among them.
    """

    def __init__(self, composition: Composition, levels: Levels, masks: Masks) -> None:
        self.classes: list[list[tuple[list[int], tuple[int, ...]]]] = []
        for child, mask, bound in zip(
            levels.children, masks.tolist(), composition.bound, strict=False
        ):
            found: dict[tuple[int, ...], list[int]] = {}
            for number in np.flatnonzero(child.any(axis=0)).tolist():
                sets = composition.culprit_sets(*bound[number], mask[number])
                found.setdefault(sets, []).append(number)
            self.classes.append([(numbers, sets) for sets, numbers in found.items()])
        for row in range(len(composition.slots), len(composition.suspects)):
            self.classes.append([([0], composition.place_sets(int(masks[row, 0])))])
        self.pooled = [row for row, classes in enumerate(self.classes) if len(classes) == 1]


class Layer:
    """The culprit layer over one diagram.

    Attributes:
        composition, levels, options: what it counts.
        states: before each slot and after the last one, the sets of incidents, as bits, that
            slots outside the pool may have taken on by then.
        pool: for each of the last states, in how many ways the pooled slots take on the rest.
        after: for each layer of nodes an array over nodes and states: in how many ways all
            the rest goes on, the pool included.
    """

    def __init__(self, composition: Composition, levels: Levels, masks: Masks) -> None:
        self.composition = composition
        self.levels = levels
        self.options = Options(composition, levels, masks)
        self._full = composition.every_incident
        self._type = self._number_type()
        self._pool_steps = [
            _steps(self.options.classes[row][0][1], self._full) for row in self.options.pooled
        ]
        pool = self._pool_before()[-1][::-1]  # by the set that is left over
        self.states, self._matrices = self._plan(pool)
        self.pool: Vector = pool[list(self.states[-1])]
        self.after = self._backward()

    @cached_property
    def pooled(self) -> frozenset[int]:
        """The slots of the pool."""
        return frozenset(self.options.pooled)

    @cached_property
    def pool_after(self) -> list[Vector]:
        """Before each pooled slot and after the last, the ways to take on exactly each set."""
        ways: Vector = np.zeros(self._full + 1, self._type)
        ways[0] = 1
        found = [ways]
        for old, new, _ in reversed(self._pool_steps):
            ways = np.zeros_like(ways)
            np.add.at(ways, new, found[-1][old])
            found.append(ways)
        found.reverse()
        return found

    def moves(self, row: int) -> Masks:
        """Return the steps of a slot outside the pool: by class, column before and after.

        A step is the set that is taken on, -1 where none leads.
        """
        return np.stack(self._matrices[row])

    def place(self, row: int) -> Mapping[int, int]:
        """Return the columns of the states before slot ``row``."""
        return self._places[row]

    @cached_property
    def _places(self) -> list[dict[int, int]]:
        return [{state: column for column, state in enumerate(row)} for row in self.states]

    def by_entry(self) -> Vector:
        """Return the number of worlds by entry of ``levels.combinations``."""
        result: Vector = self.after[0][self.levels.tops].sum(axis=1)
        return result

    @cached_property
    def counts(self) -> Tally[int]:
        """The number of worlds by cell."""
        return self._sum(np.ones(len(self.composition.combinations), self._type))

    def weigh(self, weights: Vector) -> Tally[float]:
        """Sum the weights of the worlds by cell, a weight for each plot combination."""
        # Python's integers take the weights as Python's numbers.
        return self._sum(np.ones(len(self.composition.combinations), self._type) * weights)

    def _sum(self, weights: Vector) -> Tally[Any]:
        tops, seeds = self.levels.tops, weights[self.levels.combinations]
        before: Vector = np.zeros((len(self.after[0]), len(self.states[0])), seeds.dtype)
        for column in before.T:
            np.add.at(column, tops, seeds)
        before[0] = 0
        states: list[tuple[Any, ...]] = []
        shape = (len(self.composition.incidents), len(self.composition.suspects))
        culprits: Vector = np.zeros(shape, seeds.dtype)
        for row in range(len(self.levels.children)):
            cells, numbers, before = self._forward(row, before)
            states.append(tuple(cells.tolist()))
            culprits[:, row] = numbers
        self._pool_culprits(before[-1], culprits)
        by_combination = np.zeros_like(weights)
        np.add.at(by_combination, self.levels.combinations, self.by_entry() * seeds)
        return Tally(
            tuple(by_combination.tolist()),
            tuple(states),
            tuple(tuple(numbers) for numbers in culprits.tolist()),
        )

    def _number_type(self) -> Any:
        """Return int64 if no sum here can pass it, else the type of Python's integers.

        Every value of the passes counts parts of worlds which the diagram can all complete,
        so none is larger than its worlds times all ways to choose culprits.
        """
        roles = self.levels.backward(np.array([0.0, 1.0]))[0][self.levels.tops].sum()
        ways = float(len(self.composition.suspects) + 1) ** len(self.composition.incidents)
        return np.int64 if roles * ways * 1.001 < _SAFE else np.object_

    # The pool -------------------------------------------------------------------------

    def _pool_before(self) -> list[Vector]:
        """Return, before each pooled slot and after the last, the ways to have each set."""
        ways: Vector = np.zeros(self._full + 1, self._type)
        ways[0] = 1
        found = [ways]
        for old, new, _ in self._pool_steps:
            ways = np.zeros_like(ways)
            np.add.at(ways, new, found[-1][old])
            found.append(ways)
        return found

    def _pool_culprits(self, rest: Vector, culprits: Vector) -> None:
        """Count the culprits among the pooled slots.

        Args:
            rest: by last state, the worlds of the slots outside the pool.
            culprits: where to write the numbers.
        """
        after: Vector = np.zeros(self._full + 1, rest.dtype)
        after[[self._full ^ taken for taken in self.states[-1]]] = rest
        steps = zip(self.options.pooled, self._pool_steps, self._pool_before(), strict=False)
        for row, (old, new, taken), before in reversed(list(steps)):
            ways = before[old] * after[new]
            for number in range(len(culprits)):
                culprits[number, row] = ways[taken >> number & 1 == 1].sum()
            earlier = np.zeros_like(after)
            np.add.at(earlier, old, after[new])
            after = earlier

    # The diagram ----------------------------------------------------------------------

    def _plan(self, pool: Vector) -> tuple[list[tuple[int, ...]], list[list[Masks]]]:
        """Return the states and, for each class of each slot outside the pool, its steps.

        The steps of a class are an array over states before and after: the set taken on, or
        -1 where no step leads.
        """
        slots = range(len(self.levels.children))
        moves = [
            [(0,)] if row in self.pooled else [sets for _, sets in self.options.classes[row]]
            for row in slots
        ]
        states = [{0}]
        for move in moves:
            states.append({s | t for s in states[-1] for sets in move for t in sets if not s & t})
        states[-1] = {state for state in states[-1] if pool[state]}
        for row in reversed(slots):
            later = states[row + 1]
            states[row] = {
                s
                for s in states[row]
                if any(not s & t and s | t in later for sets in moves[row] for t in sets)
            }
        ordered = [tuple(sorted(found)) for found in states]
        return ordered, [
            []
            if row in self.pooled
            else [_moves(sets, ordered[row], ordered[row + 1]) for sets in moves[row]]
            for row in slots
        ]

    def _backward(self) -> list[Vector]:
        last: Vector = np.zeros((2, len(self.states[-1])), self._type)
        last[1] = self.pool
        below = [last]
        for row in reversed(range(len(self.levels.children))):
            child = self.levels.children[row]
            if not self._matrices[row]:
                below.append(below[-1][child].sum(axis=1))
                continue
            ways: Vector = np.zeros((len(child), len(self.states[row])), self._type)
            for (numbers, _), moves in zip(
                self.options.classes[row], self._matrices[row], strict=True
            ):
                ways += below[-1][child[:, numbers]].sum(axis=1) @ self._ones(moves >= 0).T
            below.append(ways)
        below.reverse()
        return below

    def _ones(self, where: NDArray[np.bool_]) -> Vector:
        result: Vector = where.astype(self._type)
        return result

    def _forward(self, row: int, before: Vector) -> tuple[Vector, Vector, Vector]:
        """Return the worlds by state of a slot and by incident, and the ways up to the next."""
        child, after = self.levels.children[row], self.after[row + 1]
        cells: Vector = np.zeros(child.shape[1], before.dtype)
        numbers: Vector = np.zeros(len(self.composition.incidents), before.dtype)
        beyond: Vector = np.zeros(after.shape, before.dtype)
        if not self._matrices[row]:
            _pass_on(beyond, child, before)
            cells[:] = (before[:, None] * after[child]).sum(axis=(0, 2))
            return cells, numbers, beyond
        for (columns, _), moves in zip(self.options.classes[row], self._matrices[row], strict=True):
            part = child[:, columns]
            ways = after[part]
            moved = before @ self._ones(moves >= 0)
            _pass_on(beyond, part, moved)
            cells[columns] = (moved[:, None] * ways).sum(axis=(0, 2))
            # Products of states between which no step leads may overflow: they are not read.
            pairs = before.T @ ways.sum(axis=1)
            for number in range(len(numbers)):
                numbers[number] += pairs[(moves >= 0) & (moves >> number & 1 == 1)].sum()
        return cells, numbers, beyond


def _pass_on(beyond: Vector, child: Vector, ways: Vector) -> None:
    for column, source in zip(beyond.T, ways.T, strict=True):
        np.add.at(column, child, np.broadcast_to(source[:, None], child.shape))
    beyond[0] = 0


def _moves(sets: tuple[int, ...], before: Sequence[int], after: Sequence[int]) -> Masks:
    place = {state: number for number, state in enumerate(after)}
    moves = np.full((len(before), len(after)), -1, np.int64)
    for row, state in enumerate(before):
        for taken in sets:
            if not state & taken and state | taken in place:
                moves[row, place[state | taken]] = taken
    return moves


@lru_cache(maxsize=4096)
def _steps(sets: tuple[int, ...], full: int) -> tuple[Masks, Masks, Masks]:
    """Return all steps from a set of incidents to a larger one: from, to, and what was taken."""
    steps = [(s, s | t, t) for s in range(full + 1) for t in sets if not s & t]
    old, new, taken = np.array(steps, np.int64).reshape(-1, 3).T
    return old, new, taken
