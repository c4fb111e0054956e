"""Ways through a step: the flags afterwards and the choices that lead there."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.model import Timing
from engine.steps.choice import Choice
from engine.steps.common import Failure
from engine.view import ON, TODAY, USED, Flags, World

Choices = tuple[Choice, ...]
Paths = dict[Flags, Choices]
"""Flags after a step to the hidden choices that lead there."""
Outcome = Paths | Failure
"""What a step gives for one set of flags."""


def unchanged(flags: Flags) -> Paths:
    """Return the one path on which nothing hidden was chosen."""
    return {flags: ()}


@dataclass(slots=True)
class Node:
    """A reachable set of flags, with the choices behind it (the newest first)."""

    flags: Flags
    parent: Node | None
    choices: Choices

    def course(self) -> Choices:
        """Return all choices from the beginning on."""
        parts: list[Choices] = []
        node: Node | None = self
        while node is not None:
            if node.choices:
                parts.append(node.choices)
            node = node.parent
        return tuple(choice for part in reversed(parts) for choice in part)


def prune(world: World, nodes: dict[Flags, Node]) -> dict[Flags, Node]:
    """Drop sets of flags that allow less than another one.

    A use that is spent only ever forbids, unless the ability is mandatory (then it also
    excuses) or the role behind the Mastermind's own use can change (M-11).
    """
    if len(nodes) < 2:
        return nodes
    weights = {flags: _weighty(world, flags) for flags in nodes}
    kept = {}
    for flags, node in nodes.items():
        if not any(other < flags and weights[other] == weights[flags] for other in nodes):
            kept[flags] = node
    return kept


def _weighty(world: World, flags: Flags) -> Flags:
    """Return the flags that do more than forbid."""
    return frozenset(
        flag
        for flag in flags
        if flag[0] == ON
        or (flag[0] == TODAY and world.may_refuse(flag[1]) is None)
        or (flag[0] == USED and _is_mandatory(world, flag[1]))
    )


def _is_mandatory(world: World, ability: str) -> bool:
    return any(
        holding.ability.id == ability and holding.ability.mandatory
        for timing in (Timing.MASTERMIND, Timing.NIGHT)
        for holding in world.holdings(timing)
    )


def next_day(flags: Flags) -> Flags:
    """Return the flags that outlive the day."""
    if not flags:
        return flags
    return frozenset(flag for flag in flags if flag[0] != TODAY)
