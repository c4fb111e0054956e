"""Three-valued facts: what may hold and what must hold.

A value is two bits: bit 0 "may hold", bit 1 "must hold". ``&`` and ``|`` of Python's
integers are then the right connectives; only negation needs a function. An unknown board
value or a point on which tables differ is ``MAYBE``: it supports every explanation and
supports no demand (P-01, P-02).
"""

from __future__ import annotations

from typing import Final

NO: Final = 0
MAYBE: Final = 1
YES: Final = 3

Span = tuple[int, int]
"""Lowest and highest value that a count may have."""

UNBOUNDED: Final = 10**6
"""Stands for "no upper limit known" in a span."""


def negate(value: int) -> int:
    """Return the truth of "not value"."""
    return (~value >> 1 & 1) | ((~value & 1) << 1)


def certain(value: bool) -> int:
    """Lift a known fact."""
    return YES if value else NO


def either(*readings: int) -> int:
    """Join open readings: may hold if one says so, must hold only if all do."""
    may = must = 0
    for number, reading in enumerate(readings):
        may |= reading & 1
        must = reading & 2 if number == 0 else must & reading
    return may | must


def at_least(span: Span, n: int) -> int:
    """Judge ``count >= n``."""
    low, high = span
    return YES if low >= n else (MAYBE if high >= n else NO)


def exactly(span: Span, n: int) -> int:
    """Judge ``count == n``."""
    low, high = span
    if low == high:
        return YES if low == n else NO
    return MAYBE if low <= n <= high else NO


def span_of(value: int | None) -> Span:
    """Return the span of a board value, unknown values having no upper limit."""
    return (0, UNBOUNDED) if value is None else (value, value)
