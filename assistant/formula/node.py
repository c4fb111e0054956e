"""Nodes and connectives: formulas that exist once, simplified as they are made."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self, TypeVar, cast
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from assistant.formula.atom import Atom

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
        return self.arg if isinstance(self, Not) else intern(Not, self)

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
        return intern, (type(self), *(getattr(self, name) for name in type(self).__slots__))

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in type(self).__slots__)
        return f"{type(self).__name__}({values})"


def intern(kind: type[F], *values: object) -> F:
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


TRUE: Final[Formula] = intern(Constant, True)
FALSE: Final[Formula] = intern(Constant, False)


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
    return intern(kind, tuple(sorted(found, key=_serial)))


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
    return intern(AtLeast, k, tuple(sorted(rest, key=_serial)))


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
