"""Curse cards: on a location, or carried by a card, alive or dead (HS-05 to HS-08).

At Day End, before all else, every curse on a location is attached to somebody who lives there;
at the same time whoever carried one already is killed; then the curses on corpses drop to where
those lie. Their places are public; only who cannot die is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine import records
from engine.board import Board
from engine.kleene import NO, YES
from engine.rules.model import PlaceCurse, Timing
from engine.rulings import CURSE_STAYS
from engine.steps.common import At, Move
from engine.view import Holding, ScriptView
from engine.words import OFF_BOARD

CURSE = "curse"
"""Source of what curses do by themselves."""


def on_places(board: Board) -> Counter[str]:
    """Count the curses on each location."""
    return Counter(on for on in board.curses if on in board.intrigue)


def carried(board: Board) -> Counter[str]:
    """Count the curses that each card carries, alive or dead."""
    return Counter(on for on in board.curses if on not in board.intrigue)


def attachments(view: ScriptView, at: At, place: str) -> Iterator[Move]:
    """Yield to whom a curse on a location may be attached: to anybody who lives there."""
    for who in view.board.cards:
        truth = view.board.lives_at(who, place)
        if truth:
            shown = records.Curse(at=at, on=who, source=place)
            yield Move(CURSE, None, (shown,), truth, who)


def drops(view: ScriptView, at: At, before: Board) -> Iterator[Move]:
    """Yield the curses that drop after the deaths of the curse step.

    Args:
        view: the moment after those deaths.
        at: the step.
        before: the board at the beginning of the step, for who carried one then.
    """
    falls = view.rulings[CURSE_STAYS] is False
    carriers = carried(before)
    for who, number in carried(view.board).items():
        card = view.board.cards[who]
        if card.at is None or card.at == OFF_BOARD:
            continue
        lived_on = card.alive == YES and who in carriers and falls
        if card.alive == NO or lived_on:
            shown = records.Curse(at=at, on=card.at, source=who)
            for _ in range(carriers[who] if lived_on else number):
                yield Move(CURSE, None, (shown,), YES, who)


# Loop start --------------------------------------------------------------------------------


def sources(view: ScriptView) -> Iterator[tuple[Holding, str, str, int]]:
    """Yield what may place a curse at a loop start: ability, whose start it is, where, truth.

    With several holders of the role any of them, one curse each, is accepted (HS-08). An absent
    card counts with its printed start (L-10).
    """
    for holding in view.world.holdings(Timing.LOOP_START):
        deed = holding.ability.does
        if not isinstance(deed, PlaceCurse):
            continue
        active = view.holds(holding)
        if not active:
            continue
        for who in view.world.role:
            truth = active & view.current_role(who, deed.role)
            start = view.board.starts.get(who)
            starts = view.rules.characters[who].starts if start is None else (start,)
            for place in starts if truth else ():
                yield holding, who, place, truth


def start_moves(view: ScriptView, at: At) -> Iterator[Move]:
    """Yield the curses that may be placed at a loop start, each by its ability and holder."""
    for holding, who, place, truth in sources(view):
        shown = records.Curse(at=at, on=place)
        yield Move(holding.ability.id, who, (shown,), truth, place)
