"""Evaluating many formulas in many worlds at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.formula import (
    ATOMS,
    TRUE,
    And,
    AtLeast,
    Formula,
    Not,
    Or,
    RulingAtom,
    atoms,
    nodes,
)
from assistant.worlds import World
from engine.rulings import TableRulings

Truths = NDArray[np.bool_]
"""Rows for formulas, columns for worlds."""


def truths(
    formulas: Sequence[Formula],
    worlds: Sequence[World],
    rulings: TableRulings,
    known: Mapping[Formula, Truths] | None = None,
) -> Truths:
    """Return which formulas hold in which worlds.

    A table plays one reading of an open ruling all game: each world is given the reading in
    which the fewest formulas fail.

    Args:
        formulas: formulas, such as those of all clues of a game.
        worlds: the worlds, whose own readings are passed over.
        rulings: the table's readings.
        known: rows that are at hand already, such as those of atoms.
    """
    best: Truths | None = None
    for reading in _readings(formulas, rulings):
        read = worlds if not reading else [replace(world, rulings=reading) for world in worlds]
        found = _evaluate(formulas, read, known or {})
        if best is None:
            best = found
        else:
            better = found.sum(axis=0) > best.sum(axis=0)
            best = np.where(better, found, best)
    assert best is not None  # there is always a reading
    return best


def _readings(formulas: Sequence[Formula], rulings: TableRulings) -> Iterator[Mapping[str, bool]]:
    ids = sorted(atom.id for atom in atoms(*formulas) if isinstance(atom, RulingAtom))
    options = [(True, False) if (said := rulings[id]) is None else (said,) for id in ids]
    for values in product(*options):
        yield dict(zip(ids, values, strict=True))


def _evaluate(
    formulas: Sequence[Formula], worlds: Sequence[World], known: Mapping[Formula, Truths]
) -> Truths:
    values: dict[Formula, Any] = dict(known)
    for node in nodes(*formulas):
        if node in values:
            continue
        if isinstance(node, ATOMS):
            values[node] = np.array([world.holds(node) for world in worlds], dtype=np.bool_)
        elif isinstance(node, Not):
            values[node] = ~values[node.arg]
        elif isinstance(node, And):
            values[node] = reduce(np.logical_and, (values[arg] for arg in node.args))
        elif isinstance(node, Or):
            values[node] = reduce(np.logical_or, (values[arg] for arg in node.args))
        elif isinstance(node, AtLeast):
            counts = sum(values[arg].astype(np.int16) for arg in node.args)
            values[node] = counts >= node.k
        else:
            values[node] = np.full(len(worlds), node is TRUE, dtype=np.bool_)
    if not formulas:
        return np.ones((0, len(worlds)), dtype=np.bool_)
    return np.array([values[formula] for formula in formulas])
