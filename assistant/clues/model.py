"""What a clue is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from assistant.formula import FALSE, Formula
from engine.table import Step

Flags = frozenset[tuple[str, ...]]
"""Hidden state: see docs/semantics.md."""

NO_FLAGS: Flags = frozenset()


class UnitKind(StrEnum):
    """The three kinds of evidence that one step gives."""

    OBSERVED = "observed"
    """What was noted in the step."""
    COMPLETE = "complete"
    """That nothing else was announced in it."""
    CONTINUED = "continued"
    """That play went on after it in the same loop."""


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """An evidence unit: what a reason is made of.

    Attributes:
        step: index of the step in the compiled table.
        at: loop, day and step name.
        kind: what about the step is used.
    """

    step: int
    at: tuple[int, int, str]
    kind: UnitKind

    @property
    def id(self) -> str:
        """Return a stable name such as ``1.2.night:complete``."""
        loop, day, step = self.at
        return f"{loop}.{day}.{step}:{self.kind}"


@dataclass(frozen=True, slots=True)
class Clue:
    """A necessary condition on the world, with the evidence it rests on.

    Attributes:
        step: index of the step whose observation completes it.
        at: loop, day and step name of that step.
        kind: the sort of inference (the lab tests each in isolation).
        formula: what holds in every world that could have shown the evidence.
        units: the evidence units.
        rulings: the rulings it follows, the main one first.
        text: a sentence for the table.
    """

    step: int
    at: tuple[int, int, str]
    kind: str
    formula: Formula
    units: tuple[Unit, ...]
    rulings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One independent condition of a step under given flags.

    Attributes:
        key: names the piece within its step, whatever the flags.
        ways: flags afterwards to the formula under which they can be reached.
    """

    key: str
    ways: Mapping[Flags, Formula]
    units: tuple[Unit, ...]
    rulings: tuple[str, ...]
    text: str


def observed(step: Step) -> Unit:
    """Return the unit "what was noted in this step"."""
    return Unit(step.index, step.at, UnitKind.OBSERVED)


def completed(step: Step) -> Unit:
    """Return the unit "nothing else was announced in this step"."""
    return Unit(step.index, step.at, UnitKind.COMPLETE)


def continued(step: Step) -> Unit:
    """Return the unit "play went on after this step"."""
    return Unit(step.index, step.at, UnitKind.CONTINUED)


def add_way(ways: dict[Flags, Formula], flags: Flags, formula: Formula) -> None:
    """Add one more way of reaching ``flags``."""
    if formula is not FALSE:
        ways[flags] = ways.get(flags, FALSE) | formula
