"""The gauge of knowledge: what raises it, and the spells that it teaches (WM-01, WM-04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine import kleene
from engine.board import Board
from engine.kleene import NO, YES
from engine.rules import queries
from engine.rules.model import (
    DieAndRaise,
    GaugeUse,
    RevealAndRaise,
    Role,
    Rulebook,
    Timing,
)
from engine.view import ScriptView

SYMPATHY = 1
REMINISCENCE = 2
SEAL = 3
MADNESS = 4
"""The values of the gauge at which its spells are learnt (WM-04)."""


def counts_knowledge(rules: Rulebook) -> bool:
    """Tell whether the Extra Gauge is the knowledge of the whole game."""
    return rules.gauge is GaugeUse.KNOWLEDGE


def reached(rules: Rulebook, value: int | None, n: int) -> int:
    """Judge "the gauge shows ``n`` or more", always "no" where it counts something else."""
    return kleene.at_least(kleene.span_of(value), n) if counts_knowledge(rules) else NO


def is_sealed(rules: Rulebook, board: Board) -> int:
    """Judge "Forbid Intrigue cards no longer void each other" (WM-24)."""
    return _ever(rules, board, SEAL)


def _ever(rules: Rulebook, board: Board, n: int) -> int:
    """Judge "the gauge has shown ``n`` or more at some time of the game"."""
    now = YES if board.gauge is not None and board.gauge >= n else NO
    return reached(rules, board.gauge_max, n) | (now if counts_knowledge(rules) else NO)


def is_mad(rules: Rulebook, board: Board) -> int:
    """Judge "the Protagonists die when the day is over, and no loop follows" (WM-04)."""
    return _ever(rules, board, MADNESS)


def rise(before: Board, after: Board) -> int | None:
    """Return how far the gauge moved in a step, ``None`` if that is not known."""
    if before.gauge is None or after.gauge is None:
        return None
    return after.gauge - before.gauge


def told_by_death(view: ScriptView, dead: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """Yield (card, role, truth) for the roles that are told when their holders die (WM-03)."""
    telling = {
        role.id
        for role, ability in queries.role_abilities(view, Timing.OWN_DEATH)
        if isinstance(ability.does, RevealAndRaise)
    }
    for who in dict.fromkeys(dead):
        for role in telling:
            truth = view.current_role(who, role)
            if truth:
                yield who, role, truth


def own_deaths(view: ScriptView) -> Iterator[tuple[str, int]]:
    """Yield who has to die at Day End by its own role, raising the gauge (WM-20)."""
    for holding in view.world.holdings(Timing.NIGHT):
        who = holding.holder
        if isinstance(holding.ability.does, DieAndRaise) and who is not None:
            truth = view.board.alive(who)
            truth = truth & view.holds(holding) if truth else NO
            if truth:
                yield who, truth


def raising_deaths(view: ScriptView, dead: Iterable[str], saved: Iterable[str]) -> tuple[int, int]:
    """Return the least and most by which this night's own deaths raise the gauge (WM-02).

    Args:
        view: the moment before the night.
        dead: who died in it.
        saved: whose guard marker went instead; whether that raises it is open (WM-20).
    """
    died, kept = set(dead), set(saved)
    least = most = 0
    for who, truth in own_deaths(view):
        if who in died or who in kept:
            most += 1
            least += truth == YES and who in died
    return least, most


def telling_roles(rules: Rulebook) -> list[Role]:
    """Return the roles that a used Goodwill ability tells (WM-10)."""
    return [role for role in rules.roles.values() if role.told_by_use]


def tells_itself(view: ScriptView, who: str) -> tuple[str | None, int]:
    """Return the role that a used Goodwill ability of ``who`` tells, and its truth (WM-10)."""
    for role in telling_roles(view.rules):
        truth = view.current_role(who, role.id)
        if truth:
            return role.id, truth
    return None, NO
