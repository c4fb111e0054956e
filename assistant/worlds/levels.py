"""Diagrams taken out of the node store, character by character, for counting in numpy."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistant.worlds.diagram import Diagram, Store

Indices: TypeAlias = NDArray[np.int32]
Vector: TypeAlias = NDArray[Any]

_NO_LEVEL = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Levels:
    """One diagram as layers of nodes, one layer above each slot and one below the last.

    Node 0 of every layer is false; node 1 of the lowest layer is true.

    Attributes:
        combinations: numbers of plot combinations; one may have several entries.
        tops: for each of these entries its node in the uppermost layer.
        children: for each slot an array of shape (nodes of its layer, states of the slot)
            with the node of the next layer that each state leads to.
    """

    combinations: Indices
    tops: Indices
    children: tuple[Indices, ...]

    def backward(self, last: Vector) -> list[Vector]:
        """Return for each layer the number of ways from its nodes to the end.

        Args:
            last: values of the two nodes of the lowest layer, in the wanted number type.
        """
        below = [last]
        for child in reversed(self.children):
            below.append(below[-1][child].sum(axis=1))
        below.reverse()
        return below


def extract(store: Store, diagrams: Sequence[Diagram]) -> list[Levels]:
    """Take diagrams out of the store.

    Args:
        store: where they are kept.
        diagrams: diagrams over all variables, each of them within the store's base, so that
            no code without a state occurs.

    Returns:
        One ``Levels`` per diagram, in the same order.
    """
    inner = [diagram for diagram in diagrams if diagram.node_level() is not None]
    if not inner:
        return [_constant(store, diagram) for diagram in diagrams]
    roots, variable, kids = _parse(_exported(store, inner))
    builder = _Builder(store, variable, kids)
    found = dict(zip((id(diagram) for diagram in inner), roots, strict=True))
    return [
        builder.levels(found[id(diagram)]) if id(diagram) in found else _constant(store, diagram)
        for diagram in diagrams
    ]


def _exported(store: Store, diagrams: Sequence[Diagram]) -> bytes:
    """Return the diagrams as DDDMP text; the library only writes to files."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("worlds")
        try:
            store.export(f"/proc/self/fd/{descriptor}", diagrams)
            return os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        finally:
            os.close(descriptor)
    with tempfile.TemporaryDirectory(prefix="worlds") as folder:
        path = Path(folder, "diagram")
        store.export(str(path), diagrams)
        return path.read_bytes()


def _combinations(store: Store) -> Indices:
    return np.array([number for number, _ in store.tops], np.int32)


def _constant(store: Store, diagram: Diagram) -> Levels:
    if diagram != store.false:
        raise ValueError("only the empty diagram is without variables")
    tops = np.zeros(len(store.tops), np.int32)
    return Levels(
        _combinations(store),
        tops,
        tuple(np.zeros((1, len(code.states)), np.int32) for code in store.codes),
    )


def _parse(text: bytes) -> tuple[list[int], Indices, Indices]:
    """Read DDDMP text.

    Returns:
        The roots, for each node its variable, and for each node its low and high child;
        node 0 is false, node 1 is true.
    """
    head, _, body = text.partition(b".nodes\n")
    first, second, rest = body.split(b"\n", 2)
    if (first.split()[:2], second.split()[:2]) != ([b"1", b"F"], [b"2", b"T"]):
        raise ValueError("the exported diagram does not begin with its two constants")
    fields = {line.split()[0]: line.split()[1:] for line in head.splitlines()}
    # Nodes name their variables by their rank among those that occur at all.
    names = np.array(fields[b".ids"], np.int32)
    table = np.fromstring(rest[: rest.index(b".end")], dtype=np.int32, sep=" ").reshape(-1, 4)
    variable = np.concatenate((np.full(2, _NO_LEVEL, np.int32), names[table[:, 1]]))
    kids = np.concatenate((np.array([[0, 0], [1, 1]], np.int32), table[:, 3:1:-1] - 1))
    return [int(root) - 1 for root in fields[b".rootids"]], variable, kids


class _Builder:
    """Turns exported nodes into layers."""

    def __init__(self, store: Store, variable: Indices, kids: Indices) -> None:
        self._store = store
        self._variable = variable
        self._kids = kids

    def levels(self, root: int) -> Levels:
        """Return the layers below a root."""
        store = self._store
        choices = np.array([values for _, values in store.tops], np.intp)
        tops = np.full(len(choices), root, np.int32)
        for number, chosen in enumerate(choices.T):
            # Nodes that do not ask for this plot stay where they are.
            tops = np.where(self._variable[tops] == number, self._kids[tops, chosen], tops)
        layer, tops = self._compact(tops)
        children = []
        for code, first in zip(store.codes, store.first_variables, strict=True):
            reached = layer[:, None]
            for bit in range(code.bits):
                asked = self._variable[reached] == first + bit
                split = np.where(asked[..., None], self._kids[reached], reached[..., None])
                reached = split.reshape(len(layer), -1)
            layer, child = self._compact(reached[:, code.numbers])
            children.append(child)
        return Levels(_combinations(store), tops, tuple(children))

    def _compact(self, reached: Indices) -> tuple[Indices, Indices]:
        """Return the different nodes, false first, and the place of each one reached."""
        seen = np.zeros(len(self._variable), np.bool_)
        seen[reached] = True
        seen[0] = True
        layer = np.flatnonzero(seen).astype(np.int32)
        place = np.empty(len(seen), np.int32)
        place[layer] = np.arange(len(layer), dtype=np.int32)
        return layer, place[reached]
