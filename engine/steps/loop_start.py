"""The start of a loop: places to choose, tokens that follow from roles and plots (N-04).

Everything here is mandatory but for the Mastermind's choice of a starting place and of the
token that a card with ``start_token`` gets.
"""

from __future__ import annotations

from engine.kleene import NO, YES
from engine.rules.conditions import ALWAYS, Actor
from engine.rules.model import On, Place, Timing
from engine.steps.common import can_act
from engine.view import Holding, ScriptView
from engine.words import OFF_BOARD

Due = dict[tuple[str, str], tuple[int, int]]
"""(card or location, token) to the least and most that come."""


def due_tokens(view: ScriptView) -> Due:
    """Return the tokens that abilities bring at a loop start, for each card on the board.

    Cards off the board may or may not be reached (B-07): nothing is due on them.
    """
    found: Due = {}
    for holding in view.world.holdings(Timing.LOOP_START):
        deed = holding.ability.does
        if not isinstance(deed, Place):
            continue
        for who, truth in _receivers(view, holding, deed):
            least, most = found.get((who, deed.token), (0, 0))
            certain = truth == YES and holding.ability.mandatory
            found[who, deed.token] = (least + (deed.n if certain else 0), most + deed.n)
    return found


def _receivers(view: ScriptView, holding: Holding, deed: Place) -> list[tuple[str, int]]:
    board, ability = view.board, holding.ability
    if On.SELF not in deed.on:
        return []
    if holding.holder is not None:
        who = holding.holder
        if who not in board.cards or board.cards[who].at == OFF_BOARD:
            return []
        truth = can_act(view, ability, who)
        truth = truth & view.holds(holding) if truth else NO
        return [(who, truth)] if truth else []
    found = []
    for who, card in board.cards.items():
        if card.at == OFF_BOARD:
            continue
        truth = YES if ability.when is ALWAYS else ability.when.judge(view, Actor(who, card.at))
        if truth:
            found.append((who, truth))
    return found


def with_start_token(view: ScriptView) -> list[str]:
    """Return the cards on the board that get one token of any kind (K-Scientist)."""
    characters = view.rules.characters
    return [
        who
        for who, card in view.board.cards.items()
        if characters[who].start_token and card.at != OFF_BOARD
    ]


def public_intrigue(view: ScriptView) -> dict[str, str]:
    """Return the cards that put Intrigue on a location at each loop start, and where."""
    return {
        who: place
        for who in view.board.cards
        if (place := view.rules.characters[who].start_intrigue) is not None
    }
