"""What the worlds are not told apart by: open table rulings, and which subplot stands first.

Clues may speak of them. A world is left if the clues hold under one reading, the same for all
of them; it is counted once however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from assistant.formula import (
    FALSE,
    TRUE,
    And,
    FirstSubplotAtom,
    Formula,
    PlotAtom,
    RulingAtom,
    all_of,
    any_of,
    atoms,
    evaluate,
    substitute,
    truth,
)
from assistant.worlds.world import World


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what some clues leave open.

    Attributes:
        rulings: a reading by open ruling.
        first: the subplot that stands first, ``None`` for one that the clues do not name.
        given: what the atoms come to under this reading.
    """

    rulings: Mapping[str, bool]
    first: str | None
    given: Mapping[Formula, Formula]

    def formula(self) -> Formula:
        """Return the reading itself as a formula."""
        rulings = (RulingAtom(id) if yes else ~RulingAtom(id) for id, yes in self.rulings.items())
        firsts = (atom for atom in self.given if isinstance(atom, FirstSubplotAtom))
        return all_of((*rulings, *(a if a.plot == self.first else ~a for a in firsts)))


def speaks_of_readings(formula: Formula) -> bool:
    """Return whether a formula has an atom by which worlds are not told apart."""
    return any(isinstance(atom, RulingAtom | FirstSubplotAtom) for atom in atoms(formula))


def readings_of(formulas: Iterable[Formula]) -> list[Reading]:
    """Return every way to read what the formulas leave open."""
    found = atoms(*formulas)
    ids = sorted(atom.id for atom in found if isinstance(atom, RulingAtom))
    named = sorted(atom.plot for atom in found if isinstance(atom, FirstSubplotAtom))
    firsts = (*named, None) if named else (None,)
    readings = []
    for values in product((True, False), repeat=len(ids)):
        rulings = dict(zip(ids, values, strict=True))
        for first in firsts:
            given: dict[Formula, Formula] = {
                RulingAtom(id): truth(value) for id, value in rulings.items()
            }
            given.update((FirstSubplotAtom(plot), truth(plot == first)) for plot in named)
            readings.append(Reading(rulings, first, given))
    return readings


def either_reading(formulas: Sequence[Formula], subplots: Sequence[str]) -> Formula:
    """Return "under one reading all the formulas hold", without anything open in it.

    Args:
        formulas: the clues that leave something open.
        subplots: all subplots of the set.
    """
    parts: list[frozenset[Formula]] = []
    for reading in readings_of(formulas):
        named = [atom.plot for atom in reading.given if isinstance(atom, FirstSubplotAtom)]
        possible = TRUE
        if reading.first is not None:
            possible = PlotAtom(reading.first) if reading.first in subplots else FALSE
        elif named:
            possible = any_of(PlotAtom(plot) for plot in subplots if plot not in named)
        whole = possible & all_of(substitute(formula, reading.given) for formula in formulas)
        if whole is not FALSE:
            parts.append(frozenset(whole.args if isinstance(whole, And) else (whole,)))
    if not parts:
        return FALSE
    # What all readings ask is a clue of its own, and mostly a simple one.
    common = frozenset.intersection(*parts)
    return all_of(common) & any_of(all_of(part - common) for part in parts)


def with_reading(world: World, formulas: Sequence[Formula]) -> World:
    """Return the world with a reading under which the formulas hold.

    Raises:
        ValueError: If there is none.
    """
    for reading in readings_of(formulas):
        main, *subs = world.plots
        for first in subs or [main]:
            rest = [plot for plot in subs if plot != first]
            plots = (main, first, *rest) if subs else (main,)
            read = replace(world, plots=plots, rulings=reading.rulings)
            if all(evaluate(formula, read) for formula in formulas):
                return read
    raise ValueError("no reading of the open rulings fits the world")
