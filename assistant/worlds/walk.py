"""Single worlds out of the culprit layer: all of them, or one at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from assistant.worlds.tally import Layer
from assistant.worlds.world import World


@dataclass(frozen=True, slots=True)
class _Step:
    """One way to go on: a slot's state or the incidents it takes on, and where that leads.

    Attributes:
        state: number of the slot's state; 0 where only culprits are given away.
        taken: incidents that it is the culprit of.
        node, done: the next node, and the incidents given away by then.
        weight: in how many ways all the rest goes on.
    """

    state: int
    taken: int
    node: int
    done: int
    weight: int


def worlds_of(layer: Layer) -> Iterator[World]:
    """Yield every world of a layer once."""
    for entry, top in enumerate(layer.levels.tops.tolist()):
        if top:
            for steps in _paths(layer, 0, top, 0):
                yield _world(layer, entry, steps)


def draw(layer: Layer, entry: int, rng: Random) -> World:
    """Draw one of the layer's worlds, each with the same chance.

    Args:
        layer: the layer.
        entry: which of ``levels.combinations`` to draw from; it must have a world.
        rng: source of randomness.
    """
    node, done = int(layer.levels.tops[entry]), 0
    steps: list[_Step] = []
    for row in range(_length(layer)):
        options = list(_options(layer, row, node, done))
        left = rng.randrange(sum(step.weight for step in options))
        for step in options:
            left -= step.weight
            if left < 0:
                break
        steps.append(step)
        node, done = step.node, step.done
    return _world(layer, entry, steps)


def _length(layer: Layer) -> int:
    return len(layer.levels.children) + len(layer.options.pooled)


def _paths(layer: Layer, row: int, node: int, done: int) -> Iterator[list[_Step]]:
    if row == _length(layer):
        yield []
        return
    for step in _options(layer, row, node, done):
        for rest in _paths(layer, row + 1, step.node, step.done):
            yield [step, *rest]


def _options(layer: Layer, row: int, node: int, done: int) -> Iterator[_Step]:
    """Yield the ways to go on: first through all slots, then through the pooled ones again."""
    slots = len(layer.levels.children)
    if row >= slots:
        yield from _pool_options(layer, row - slots, done)
        return
    child = layer.levels.children[row][node].tolist()
    after, place = layer.after[row + 1], layer.place(row + 1)
    for numbers, sets in layer.options.classes[row]:
        for taken in (0,) if row in layer.pooled else sets:
            column = place.get(done | taken)
            if done & taken or column is None:
                continue
            for number in numbers:
                weight = int(after[child[number], column])
                if weight:
                    yield _Step(number, taken, child[number], done | taken, weight)


def _pool_options(layer: Layer, index: int, done: int) -> Iterator[_Step]:
    rest = layer.composition.every_incident ^ done
    after = layer.pool_after[index + 1]
    for taken in layer.options.classes[layer.options.pooled[index]][0][1]:
        weight = 0 if taken & ~rest else int(after[rest ^ taken])
        if weight:
            yield _Step(0, taken, 1, done | taken, weight)


def _world(layer: Layer, entry: int, steps: Sequence[_Step]) -> World:
    composition = layer.composition
    slots = composition.slots
    roles: dict[str, str] = {}
    entries: dict[str, int] = {}
    culprits = [""] * len(composition.incidents)
    rows = (*range(len(slots)), *layer.options.pooled)
    for place, (row, step) in enumerate(zip(rows, steps, strict=True)):
        who = composition.suspects[row]
        if place < len(slots):
            state = composition.states[row][step.state]
            if state.role is not None:
                roles[who] = state.role
            if state.entry is not None:
                entries[who] = state.entry
        for incident in range(len(culprits)):
            if step.taken >> incident & 1:
                culprits[incident] = who
    chosen = composition.combinations[layer.levels.combinations[entry]]
    return World(chosen.plots, roles, tuple(culprits), entries, extra_plot=chosen.extra)
