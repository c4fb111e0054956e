"""What an explanation is made of."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from assistant.formula import Formula


class Evidence(Protocol):
    """What is needed of a clue."""

    @property
    def formula(self) -> Formula:
        """What holds in every world that could have shown the evidence."""

    @property
    def units(self) -> Sequence[Hashable]:
        """The evidence units that it rests on."""

    @property
    def rulings(self) -> Sequence[str]:
        """The rulings that it follows."""

    @property
    def text(self) -> str:
        """A sentence for the table."""


C = TypeVar("C", bound=Evidence)


@dataclass(frozen=True, slots=True)
class Reason(Generic[C]):
    """Why something cannot be.

    Attributes:
        clues: clues that settle it, in the order of play; none can be left out. There are
            none where the open sheet alone settles it.
        units: the evidence units that they rest on, in the same order; none can be left out.
        rulings: the rulings that they follow.
        smallest: whether it is proved that fewer units cannot settle it.
    """

    clues: tuple[C, ...]
    units: tuple[Hashable, ...]
    rulings: tuple[str, ...]
    smallest: bool

    @property
    def text(self) -> str:
        """The sentences of the clues."""
        return " ".join(clue.text for clue in self.clues)


@dataclass(frozen=True, slots=True)
class Conflict(Generic[C]):
    """Why no world is left.

    Attributes:
        reason: clues that cannot all be right.
        repairs: units of which each, withdrawn alone, would leave a world.
    """

    reason: Reason[C]
    repairs: tuple[Hashable, ...]
