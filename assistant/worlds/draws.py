"""Many worlds at once out of culprit layers, as columns of bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.formula import (
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    PlotAtom,
    RoleAtom,
)
from assistant.worlds.composition import Composition
from assistant.worlds.tally import Layer

_Numbers = NDArray[np.int64]
_Weights = NDArray[np.float64]
_AT_ONCE: Final = 128
"""So many worlds are drawn together: the arrays stay small."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Some worlds, not all of them different.

    Attributes:
        composition: what they are worlds of.
        combinations: for each world the number of its plot combination.
        states: for each world and slot the number of the slot's state.
        culprits: for each world and incident the number of the suspect.
    """

    composition: Composition
    combinations: _Numbers
    states: _Numbers
    culprits: _Numbers

    def __len__(self) -> int:
        return len(self.combinations)

    def bits(self, atom: Atom) -> int:
        """Return in which worlds an atom holds, the first one as the lowest bit.

        Raises:
            ValueError: If it is an atom by which worlds are not told apart.
        """
        composition = self.composition
        match atom:
            case PlotAtom(plot):
                return self._of_combinations([plot in c.plots for c in composition.combinations])
            case ExtraPlotAtom(plot):
                return self._of_combinations([plot == c.extra for c in composition.combinations])
            case CulpritAtom(number, who):
                if not (0 <= number < self.culprits.shape[1] and who in composition.suspects):
                    return 0
                return _bits(self.culprits[:, number] == composition.suspects.index(who))
            case RoleAtom(who, _) | CastAtom(who) | EntryAtom(who, _):
                slot = composition.by_id.get(who)
                if slot is None:
                    return 0
                place = composition.slots.index(slot)
                holds = [
                    state.role == atom.role
                    if isinstance(atom, RoleAtom)
                    else state.entry == atom.value
                    if isinstance(atom, EntryAtom)
                    else state.role is not None
                    for state in composition.states[place]
                ]
                return _bits(np.array(holds)[self.states[:, place]])
        raise ValueError(f"worlds are not told apart by {atom}")

    def _of_combinations(self, holds: list[bool]) -> int:
        return _bits(np.array(holds)[self.combinations])

    def first_subplots(self, rng: Random) -> dict[str, int]:
        """Return in which worlds each subplot stands first, in an order by chance (L-11)."""
        found: dict[str, int] = {}
        combinations = self.composition.combinations
        for place, number in enumerate(self.combinations.tolist()):
            subs = combinations[number].plots[1:]
            if subs:
                first = rng.choice(subs)
                found[first] = found.get(first, 0) | 1 << place
        return found


def _bits(holds: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(holds, bitorder="little").tobytes(), "little")


def draw_many(composition: Composition, layers: Sequence[Layer], rng: Random, n: int) -> Drawn:
    """Draw worlds, with replacement: first a plot combination, then a world of it.

    Args:
        composition: of the layers.
        layers: disjoint culprit layers.
        rng: source of randomness.
        n: how many.

    Raises:
        ValueError: If no world is left.
    """
    places, counts = [], []
    for number, layer in enumerate(layers):
        for entry, count in enumerate(layer.by_entry().astype(np.float64).tolist()):
            if count:
                places.append((number, entry, int(layer.levels.combinations[entry])))
                counts.append(count)
    if not places:
        raise ValueError("no world is left to draw from")
    totals: dict[int, float] = {}
    for (_, _, combination), count in zip(places, counts, strict=True):
        totals[combination] = totals.get(combination, 0.0) + count
    shares = [
        count / totals[combination]
        for (_, _, combination), count in zip(places, counts, strict=True)
    ]
    wanted: dict[int, list[int]] = {}
    for number, entry, _ in rng.choices(places, shares, k=n):
        wanted.setdefault(number, []).append(entry)
    source = np.random.default_rng(rng.getrandbits(64))
    parts = [
        _draw(layers[number], np.array(entries[first : first + _AT_ONCE]), source)
        for number, entries in wanted.items()
        for first in range(0, len(entries), _AT_ONCE)
    ]
    return Drawn(
        composition,
        np.concatenate([part.combinations for part in parts]),
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.culprits for part in parts]),
    )


def _draw(layer: Layer, entries: _Numbers, source: np.random.Generator) -> Drawn:
    """Draw one world for each entry of ``levels.combinations``."""
    composition, children = layer.composition, layer.levels.children
    number, every = len(entries), np.arange(len(entries))
    node: _Numbers = layer.levels.tops[entries].astype(np.int64)
    column: _Numbers = np.zeros(number, np.int64)
    states: _Numbers = np.zeros((number, len(children)), np.int64)
    culprits: _Numbers = np.zeros((number, len(composition.incidents)), np.int64)
    for row, child in enumerate(children):
        after: _Weights = layer.after[row + 1].astype(np.float64)
        reached = child[node]
        if row in layer.pooled:
            states[:, row] = _choose(after[reached, column[:, None]], source)
        else:
            weights, options = _ways(layer, row, reached, column, after)
            chosen = options[_choose(weights, source)]
            states[:, row] = chosen[:, 0]
            taken = layer.moves(row)[chosen[:, 1], column, chosen[:, 2]]
            column = chosen[:, 2]
            _give(culprits, taken, row)
        node = reached[every, states[:, row]].astype(np.int64)
    done = np.array(layer.states[-1], np.int64)[column]
    _draw_pool(layer, composition.every_incident ^ done, culprits, source)
    combinations = layer.levels.combinations[entries].astype(np.int64)
    return Drawn(composition, combinations, states, culprits)


def _ways(
    layer: Layer, row: int, reached: NDArray[np.int32], column: _Numbers, after: _Weights
) -> tuple[_Weights, _Numbers]:
    """Return the weight of each way through a slot, and its state, class and next column."""
    parts, options = [], []
    moves = layer.moves(row)
    columns = np.arange(after.shape[1])
    for number, (numbers, _) in enumerate(layer.options.classes[row]):
        allowed = moves[number][column] >= 0
        parts.append((after[reached[:, numbers]] * allowed[:, None, :]).reshape(len(column), -1))
        pairs = np.array([(state, number, place) for state in numbers for place in columns])
        options.append(pairs.reshape(-1, 3))
    return np.concatenate(parts, axis=1), np.concatenate(options)


def _draw_pool(
    layer: Layer, rest: _Numbers, culprits: _Numbers, source: np.random.Generator
) -> None:
    for place, row in enumerate(layer.options.pooled):
        after: _Weights = layer.pool_after[place + 1].astype(np.float64)
        sets = np.array(layer.options.classes[row][0][1], np.int64)
        fits = sets[None, :] & ~rest[:, None] == 0
        taken = sets[_choose(np.where(fits, after[rest[:, None] ^ sets], 0.0), source)]
        rest = rest ^ taken
        _give(culprits, taken, row)


def _choose(weights: _Weights, source: np.random.Generator) -> _Numbers:
    """Return for each row one of its columns, by their weights."""
    sums = weights.cumsum(axis=1)
    aims = source.random(len(weights)) * sums[:, -1]
    chosen: _Numbers = (sums <= aims[:, None]).sum(axis=1)
    return chosen


def _give(culprits: _Numbers, taken: _Numbers, row: int) -> None:
    for number in range(culprits.shape[1]):
        culprits[taken >> number & 1 == 1, number] = row
