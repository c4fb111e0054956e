"""Truth of many formulas in many worlds, a whole number for each formula: one bit a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Final

from assistant.formula import ATOMS, TRUE, And, AtLeast, Atom, Formula, Not, Or, atoms, nodes


class Truths:
    """Evaluates fixed formulas, whose common parts are looked at once.

    Attributes:
        formulas: the formulas.
        atoms: the atoms that occur in them.
    """

    def __init__(self, formulas: Sequence[Formula]) -> None:
        self.formulas: Final = tuple(formulas)
        self.atoms: Final = atoms(*formulas)
        self._nodes = tuple(node for node in nodes(*formulas) if not isinstance(node, ATOMS))

    def of(self, given: Mapping[Atom, int], every: int) -> list[int]:
        """Return in which worlds each formula holds.

        Args:
            given: in which worlds each atom holds.
            every: all worlds.
        """
        values: dict[Formula, int] = dict(given.items())
        for node in self._nodes:
            match node:
                case Not():
                    value = every ^ values[node.arg]
                case And():
                    value = reduce(and_, [values[arg] for arg in node.args])
                case Or():
                    value = reduce(or_, [values[arg] for arg in node.args])
                case AtLeast():
                    value = _at_least(node.k, [values[arg] for arg in node.args], every)
                case _:
                    value = every if node is TRUE else 0
            values[node] = value
        return [values[formula] for formula in self.formulas]


def _at_least(least: int, parts: Sequence[int], every: int) -> int:
    reached = [every] + [0] * least
    for part in parts:
        for number in range(least, 0, -1):
            reached[number] |= reached[number - 1] & part
    return reached[least]
