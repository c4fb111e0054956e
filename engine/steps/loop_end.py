"""The end of a loop: losses that are looked at then, and roles that are told (L-05 to L-08)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kleene import MAYBE, NO, YES
from engine.rules.model import Lose, Timing
from engine.view import Holding, ScriptView


def losses(view: ScriptView) -> Iterator[tuple[Holding, int]]:
    """Yield the loss conditions of the script, each with its truth on this board.

    A loss that the Mastermind may declare, but need not, never has to hold.
    """
    for holding in view.world.holdings(Timing.LOOP_END):
        ability = holding.ability
        if not isinstance(ability.does, Lose):
            continue
        truth = view.holds(holding)
        if truth:
            yield holding, truth if ability.mandatory else truth & MAYBE


def is_lost(view: ScriptView) -> int:
    """Judge "some loss condition holds" (L-07, L-08)."""
    truth = NO
    for _, holds in losses(view):
        truth |= holds
    return truth


def told_roles(view: ScriptView) -> Iterator[tuple[str, str, int]]:
    """Yield (card, role, truth) for each role that a loss condition reveals (L-05)."""
    for holding, truth in losses(view):
        does = holding.ability.does
        if isinstance(does, Lose) and does.reveals and holding.holder is not None:
            assert holding.role is not None
            yield holding.holder, holding.role, truth


def known_before(view: ScriptView, who: str) -> int:
    """Judge "the role of ``who`` has been told earlier in the game" (L-05)."""
    if who in view.board.revealed:
        return YES
    return NO if view.board.revealed_known else MAYBE
