"""Formulas over the secrets of a script: atoms, connectives, and pairs of may and must.

A formula is an immutable node that exists once: equal formulas are the same object, so they
compare and hash by identity, and caches may be keyed by them. Build them with the operators
``& | ~`` and the functions ``all_of``, ``any_of``, ``at_least``, ``at_most`` and ``exactly``;
these simplify (constants, duplicates, ``x & ~x``), so a result may be of any class. The node
classes ``Not``, ``And``, ``Or`` and ``AtLeast`` may be called like the functions and are there
to be matched on.

    >>> killer = RoleAtom("somebody", "killer")
    >>> killer & ~killer is FALSE
    True
    >>> any_of([killer, FALSE]) is killer
    True
"""

from __future__ import annotations

from assistant.formula.atom import (
    ATOMS,
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    PlotAtom,
    RoleAtom,
    RulingAtom,
)
from assistant.formula.judged import (
    Judged,
    negate,
)
from assistant.formula.node import (
    FALSE,
    TRUE,
    And,
    AtLeast,
    Constant,
    Formula,
    Not,
    Or,
    all_of,
    any_of,
    at_least,
    at_most,
    exactly,
    implies,
    truth,
)
from assistant.formula.reading import (
    Valuation,
    atoms,
    evaluate,
    nodes,
    substitute,
)

__all__ = [
    "ATOMS",
    "FALSE",
    "TRUE",
    "And",
    "AtLeast",
    "Atom",
    "CastAtom",
    "Constant",
    "CulpritAtom",
    "EntryAtom",
    "ExtraPlotAtom",
    "FirstSubplotAtom",
    "Formula",
    "Judged",
    "Not",
    "Or",
    "PlotAtom",
    "RoleAtom",
    "RulingAtom",
    "Valuation",
    "all_of",
    "any_of",
    "at_least",
    "at_most",
    "atoms",
    "evaluate",
    "exactly",
    "implies",
    "negate",
    "nodes",
    "substitute",
    "truth",
]
