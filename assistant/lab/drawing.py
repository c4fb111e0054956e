"""Drawing the worlds on which the two sides are compared.

Most legal scripts are refused by many clues at once, which tests none of them. So the worlds
come in equal parts: those that all clues leave, those that all clues but one leave, those
that lie next to the truth, and any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final

from assistant.clues import Clue
from assistant.formula import (
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    Formula,
    PlotAtom,
    RoleAtom,
    all_of,
)
from assistant.worlds import Composition, World, Worlds
from engine.generate import near_miss
from engine.rules.model import Rulebook
from engine.script import Script

_BATCH: Final = 16
"""So many clues are left out one by one from the same conjunction of the others."""


class Part(StrEnum):
    """Where a world was drawn."""

    TRUTH = "truth"
    LEFT = "left"
    ISOLATED = "isolated"
    NEAR = "near"
    RANDOM = "random"


PARTS: Final = (Part.LEFT, Part.ISOLATED, Part.NEAR, Part.RANDOM)
"""The parts among which the worlds of a game are divided."""


@dataclass(slots=True)
class Isolation:
    """Worlds that satisfy every clue of a game but one.

    Attributes:
        found: each such world, with the number of the clue that it breaks.
        implied: kinds of the clues for which there is none: the others imply them.
        tested: kinds of the clues for which there is one.
    """

    found: list[tuple[int, World]] = field(default_factory=list)
    implied: Counter[str] = field(default_factory=Counter)
    tested: Counter[str] = field(default_factory=Counter)


def isolate(fresh: Worlds, clues: Sequence[Clue], rng: Random, wanted: int) -> Isolation:
    """Look for worlds that satisfy every clue but one.

    Args:
        fresh: all legal worlds.
        clues: the clues of the game.
        rng: which clues come first, the kinds taking turns, and which world is drawn.
        wanted: how many worlds to find; clues that come later are not looked at.
    """
    isolation = Isolation()
    formulas = [clue.formula for clue in clues]
    times = Counter(formulas)
    order = _in_turn(clues, rng)
    twice = [number for number in order if times[formulas[number]] > 1]
    for number in twice:
        isolation.implied[clues[number].kind] += 1  # another clue says just the same
    order = [number for number in order if times[formulas[number]] == 1]
    for first in range(0, len(order), _BATCH):
        if len(isolation.found) >= wanted:
            break
        batch = order[first : first + _BATCH]
        rest = set(range(len(clues))) - set(batch)
        base = fresh.conjoin(*(formulas[number] for number in sorted(rest)))
        for number, others in _each_left_out(base, batch, formulas):
            only = others.conjoin(~formulas[number])
            if not only.any():
                isolation.implied[clues[number].kind] += 1
                continue
            isolation.tested[clues[number].kind] += 1
            isolation.found.append((number, only.sample(rng, 1)[0]))
            if len(isolation.found) >= wanted:
                break
    return isolation


def _in_turn(clues: Sequence[Clue], rng: Random) -> list[int]:
    """Return the numbers of the clues by chance, but so that the kinds take turns."""
    numbers = list(range(len(clues)))
    rng.shuffle(numbers)
    seen: Counter[str] = Counter()
    turn: dict[int, int] = {}
    for number in numbers:
        turn[number] = seen[clues[number].kind]
        seen[clues[number].kind] += 1
    return sorted(numbers, key=lambda number: turn[number])


def _each_left_out(
    worlds: Worlds, numbers: Sequence[int], formulas: Sequence[Formula]
) -> Iterator[tuple[int, Worlds]]:
    """Yield for each number the worlds that satisfy the formulas of all the others."""
    if len(numbers) == 1:
        yield numbers[0], worlds
        return
    half = len(numbers) // 2
    for kept, left in ((numbers[:half], numbers[half:]), (numbers[half:], numbers[:half])):
        smaller = worlds.conjoin(*(formulas[number] for number in left))
        yield from _each_left_out(smaller, kept, formulas)


def near_misses(script: Script, rng: Random, rules: Rulebook, wanted: int) -> list[Script]:
    """Return different legal scripts that differ from this one in a single secret."""
    found: list[Script] = []
    for _ in range(3 * wanted):
        if len(found) >= wanted:
            break
        try:
            other = near_miss(script, rng, rules)
        except ValueError:
            break
        if other not in found:
            found.append(other)
    return found


def exactly(world: World, composition: Composition) -> Formula:
    """Return the formula that holds in this world and in no other.

    Args:
        world: the world.
        composition: the legal scripts: who may be absent, and that there may be an extra plot.
    """
    parts: list[Formula] = [PlotAtom(plot) for plot in world.plots]
    parts += [RoleAtom(who, role) for who, role in world.roles.items()]
    parts += [CulpritAtom(number, who) for number, who in enumerate(world.culprits)]
    parts += [EntryAtom(who, value) for who, value in world.entries.items()]
    parts += [~CastAtom(slot.who) for slot in composition.slots if slot.who not in world.roles]
    for plot in {item.extra for item in composition.combinations if item.extra is not None}:
        extra = ExtraPlotAtom(plot)
        parts.append(extra if plot == world.extra_plot else ~extra)
    return all_of(parts)
