"""Reading formulas: their nodes, their atoms, their truth, and what is left of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from assistant.formula.atom import ATOMS, Atom
from assistant.formula.node import (
    TRUE,
    And,
    AtLeast,
    Formula,
    Not,
    Or,
    all_of,
    any_of,
    at_least,
)


class Valuation(Protocol):
    """Something that decides every atom, such as a world."""

    def holds(self, atom: Atom, /) -> bool:
        """Return whether the atom is true."""


def nodes(*formulas: Formula) -> Iterator[Formula]:
    """Yield every node of the formulas once, arguments before the nodes that use them."""
    done: set[Formula] = set()
    stack = [(formula, False) for formula in reversed(formulas)]
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if ready or not node.parts():
            done.add(node)
            yield node
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in node.parts() if part not in done)


def atoms(*formulas: Formula) -> frozenset[Atom]:
    """Return the atoms that occur in the formulas."""
    return frozenset().union(*(_atoms_of(formula) for formula in formulas))


def _atoms_of(formula: Formula) -> frozenset[Atom]:
    """Return a formula's atoms; it is asked often and never changes, so it keeps them."""
    try:
        return formula._atoms
    except AttributeError:
        found = frozenset(node for node in nodes(formula) if isinstance(node, ATOMS))
        object.__setattr__(formula, "_atoms", found)
        return found


def evaluate(formula: Formula, world: Valuation) -> bool:
    """Return whether the formula holds in a concrete world."""
    values: dict[Formula, bool] = {}
    for node in nodes(formula):
        if isinstance(node, ATOMS):
            value = world.holds(node)
        elif isinstance(node, Not):
            value = not values[node.arg]
        elif isinstance(node, And):
            value = all(values[arg] for arg in node.args)
        elif isinstance(node, Or):
            value = any(values[arg] for arg in node.args)
        elif isinstance(node, AtLeast):
            value = sum(values[arg] for arg in node.args) >= node.k
        else:
            value = node is TRUE
        values[node] = value
    return values[formula]


def substitute(formula: Formula, given: Mapping[Formula, Formula]) -> Formula:
    """Return the formula with nodes replaced and the result simplified.

    Args:
        formula: the formula to rewrite.
        given: replacement per node, mostly TRUE or FALSE per atom; a replaced node's own
            arguments are not looked at, nor are replacements rewritten again.
    """
    values: dict[Formula, Formula] = {}
    for node in nodes(formula):
        if node in given:
            values[node] = given[node]
        elif isinstance(node, Not):
            values[node] = ~values[node.arg]
        elif isinstance(node, And):
            values[node] = all_of(values[arg] for arg in node.args)
        elif isinstance(node, Or):
            values[node] = any_of(values[arg] for arg in node.args)
        elif isinstance(node, AtLeast):
            values[node] = at_least(node.k, (values[arg] for arg in node.args))
        else:
            values[node] = node
    return values[formula]
