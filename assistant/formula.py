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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any, Final, NoReturn, Protocol, Self, TypeVar, cast
from weakref import WeakValueDictionary

F = TypeVar("F", bound="Formula")

_NODES: Final[WeakValueDictionary[tuple[object, ...], Formula]] = WeakValueDictionary()
_LOCK: Final = Lock()
_SERIALS: Final = count()


class Formula:
    """A node; ``serial`` numbers nodes in the order of their making and orders arguments."""

    __slots__ = ("__weakref__", "_atoms", "serial")
    serial: int
    _atoms: frozenset[Atom]

    def __and__(self, other: Formula, /) -> Formula:
        """Return "self and other"."""
        if self is TRUE or other is FALSE or self is other:
            return other
        if other is TRUE or self is FALSE:
            return self
        return all_of((self, other))

    def __or__(self, other: Formula, /) -> Formula:
        """Return "self or other"."""
        if self is FALSE or other is TRUE or self is other:
            return other
        if other is FALSE or self is TRUE:
            return self
        return any_of((self, other))

    def __invert__(self) -> Formula:
        """Return "not self"."""
        if self is TRUE:
            return FALSE
        if self is FALSE:
            return TRUE
        return self.arg if isinstance(self, Not) else _intern(Not, self)

    def parts(self) -> tuple[Formula, ...]:
        """Return the arguments, none for constants and atoms."""
        return ()

    def __bool__(self) -> bool:
        raise TypeError("a formula is not a truth value: compare it with `is TRUE` or `is FALSE`")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _intern, (type(self), *(getattr(self, name) for name in type(self).__slots__))

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in type(self).__slots__)
        return f"{type(self).__name__}({values})"


def _intern(kind: type[F], *values: object) -> F:
    """Return the one node of this kind and these values, whose fields are its slots."""
    key = (kind, *values)
    with _LOCK:
        node = _NODES.get(key)
        if node is None:
            node = object.__new__(kind)
            for name, value in zip(kind.__slots__, values, strict=True):
                object.__setattr__(node, name, value)
            object.__setattr__(node, "serial", next(_SERIALS))
            _NODES[key] = node
    return cast("F", node)


class Constant(Formula):
    """True or false."""

    __slots__ = __match_args__ = ("value",)
    value: bool


TRUE: Final[Formula] = _intern(Constant, True)
FALSE: Final[Formula] = _intern(Constant, False)


# Atoms --------------------------------------------------------------------------------


class PlotAtom(Formula):
    """The plot is active in the script."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> PlotAtom:
        """Return the one such node."""
        return _intern(PlotAtom, plot)


class ExtraPlotAtom(Formula):
    """The plot is the script's extra main plot, which some subplots bring (WM-05)."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> ExtraPlotAtom:
        """Return the one such node."""
        return _intern(ExtraPlotAtom, plot)


class FirstSubplotAtom(Formula):
    """The subplot stands first in the script; only what is told of it is known (L-11)."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> FirstSubplotAtom:
        """Return the one such node."""
        return _intern(FirstSubplotAtom, plot)


class RoleAtom(Formula):
    """The script gives the character ``who`` this role; false for one outside the cast."""

    __slots__ = __match_args__ = ("who", "role")
    who: str
    role: str

    def __new__(cls, who: str, role: str) -> RoleAtom:
        """Return the one such node."""
        return _intern(RoleAtom, who, role)


class CulpritAtom(Formula):
    """``who`` is the culprit of the sheet's incident ``number``, counted from 0."""

    __slots__ = __match_args__ = ("number", "who")
    number: int
    who: str

    def __new__(cls, number: int, who: str) -> CulpritAtom:
        """Return the one such node."""
        return _intern(CulpritAtom, number, who)


class CastAtom(Formula):
    """The late character ``who`` is in the cast."""

    __slots__ = __match_args__ = ("who",)
    who: str

    def __new__(cls, who: str) -> CastAtom:
        """Return the one such node."""
        return _intern(CastAtom, who)


class EntryAtom(Formula):
    """The late character ``who`` is in the cast and enters in loop, or on day, ``value``."""

    __slots__ = __match_args__ = ("who", "value")
    who: str
    value: int

    def __new__(cls, who: str, value: int) -> EntryAtom:
        """Return the one such node."""
        return _intern(EntryAtom, who, value)


class RulingAtom(Formula):
    """The table plays the ruling ``id``, left open on the sheet, in its reading "yes"."""

    __slots__ = __match_args__ = ("id",)
    id: str

    def __new__(cls, id: str) -> RulingAtom:
        """Return the one such node."""
        return _intern(RulingAtom, id)


Atom = (
    PlotAtom
    | ExtraPlotAtom
    | FirstSubplotAtom
    | RoleAtom
    | CulpritAtom
    | CastAtom
    | EntryAtom
    | RulingAtom
)
ATOMS: Final = (
    PlotAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    RoleAtom,
    CulpritAtom,
    CastAtom,
    EntryAtom,
    RulingAtom,
)
"""The classes of atoms, for ``isinstance``."""


# Connectives --------------------------------------------------------------------------


class Not(Formula):
    """Negation; its argument is never a constant nor a negation."""

    __slots__ = __match_args__ = ("arg",)
    arg: Formula

    def __new__(cls, arg: Formula) -> Formula:  # type: ignore[misc]
        """Return the simplified result, of any class."""
        return ~arg

    def parts(self) -> tuple[Formula, ...]:
        """Return the argument."""
        return (self.arg,)


class And(Formula):
    """Conjunction of two or more different nodes, none of them a conjunction."""

    __slots__ = __match_args__ = ("args",)
    args: tuple[Formula, ...]

    def __new__(cls, args: Iterable[Formula]) -> Formula:  # type: ignore[misc]
        """Return the simplified result, of any class."""
        return all_of(args)

    def parts(self) -> tuple[Formula, ...]:
        """Return the arguments."""
        return self.args


class Or(Formula):
    """Disjunction of two or more different nodes, none of them a disjunction."""

    __slots__ = __match_args__ = ("args",)
    args: tuple[Formula, ...]

    def __new__(cls, args: Iterable[Formula]) -> Formula:  # type: ignore[misc]
        """Return the simplified result, of any class."""
        return any_of(args)

    def parts(self) -> tuple[Formula, ...]:
        """Return the arguments."""
        return self.args


class AtLeast(Formula):
    """At least ``k`` of ``args`` hold, 1 < k < len(args); one argument may occur several times."""

    __slots__ = __match_args__ = ("k", "args")
    k: int
    args: tuple[Formula, ...]

    def __new__(cls, k: int, args: Iterable[Formula]) -> Formula:  # type: ignore[misc]
        """Return the simplified result, of any class."""
        return at_least(k, args)

    def parts(self) -> tuple[Formula, ...]:
        """Return the arguments."""
        return self.args


def _serial(node: Formula) -> int:
    return node.serial


def _gather(kind: type[And] | type[Or], unit: Formula, args: Iterable[Formula]) -> Formula:
    """Flatten, drop units and duplicates; a zero or a complementary pair decides."""
    zero = ~unit
    found: set[Formula] = set()
    for arg in args:
        found.update(arg.args if isinstance(arg, kind) else (arg,))
    found.discard(unit)
    if zero in found or any(isinstance(arg, Not) and arg.arg in found for arg in found):
        return zero
    if len(found) < 2:
        return next(iter(found), unit)
    return _intern(kind, tuple(sorted(found, key=_serial)))


def all_of(args: Iterable[Formula]) -> Formula:
    """Return the conjunction of ``args``, TRUE if there are none."""
    return _gather(And, TRUE, args)


def any_of(args: Iterable[Formula]) -> Formula:
    """Return the disjunction of ``args``, FALSE if there are none."""
    return _gather(Or, FALSE, args)


def at_least(k: int, args: Iterable[Formula]) -> Formula:
    """Return "at least ``k`` of ``args`` hold", an argument counting as often as it is given."""
    rest: list[Formula] = []
    open_args: dict[Formula, int] = {}
    for arg in args:
        opposite = ~arg
        if arg is TRUE:
            k -= 1
        elif open_args.get(opposite):
            # Of a complementary pair exactly one holds.
            open_args[opposite] -= 1
            k -= 1
        elif arg is not FALSE:
            open_args[arg] = open_args.get(arg, 0) + 1
    for arg, times in open_args.items():
        rest.extend([arg] * times)
    if k <= 0:
        return TRUE
    if k > len(rest):
        return FALSE
    if k == 1:
        return any_of(rest)
    if k == len(rest):
        return all_of(rest)
    return _intern(AtLeast, k, tuple(sorted(rest, key=_serial)))


def at_most(k: int, args: Iterable[Formula]) -> Formula:
    """Return "at most ``k`` of ``args`` hold"."""
    return ~at_least(k + 1, args)


def exactly(k: int, args: Iterable[Formula]) -> Formula:
    """Return "exactly ``k`` of ``args`` hold"."""
    args = tuple(args)
    return at_least(k, args) & at_most(k, args)


def implies(first: Formula, second: Formula) -> Formula:
    """Return "if ``first`` then ``second``"."""
    return ~first | second


def truth(value: bool) -> Formula:
    """Return TRUE or FALSE."""
    return TRUE if value else FALSE


# Reading ------------------------------------------------------------------------------


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


# May and must -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """A three-valued answer over worlds: where it may hold, and where it must hold.

    ``must`` implies ``may``; they differ where a board value is unknown or tables differ.
    """

    may: Formula
    must: Formula

    @classmethod
    def of(cls, value: int) -> Judged:
        """Lift a three-valued public fact of ``engine.kleene``."""
        return cls(truth(bool(value & 1)), truth(bool(value & 2)))

    @classmethod
    def exact(cls, formula: Formula) -> Judged:
        """Lift a formula about which nothing is open."""
        return cls(formula, formula)

    def __and__(self, other: Judged, /) -> Judged:
        """Return "self and other"."""
        may = self.may & other.may
        if self.may is self.must and other.may is other.must:
            return Judged(may, may)
        return Judged(may, self.must & other.must)

    def __or__(self, other: Judged, /) -> Judged:
        """Return "self or other"."""
        may = self.may | other.may
        if self.may is self.must and other.may is other.must:
            return Judged(may, may)
        return Judged(may, self.must | other.must)


def negate(judged: Judged) -> Judged:
    """Return "not judged": it may fail where it need not hold."""
    return Judged(~judged.must, ~judged.may)
