"""May and must: three-valued answers over worlds."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.formula.node import Formula, truth


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
