"""Resolving a day's cards in one world: what is printed, and the hidden exceptions (C-02).

Tables read a few points apart; here one reading is played (``engine.steps.cards`` gives what
all of them print).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import records
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.rulings import ECHO_AFTER_MOVEMENT
from engine.steps import cards
from engine.steps.cards import Played, Printed
from engine.steps.common import At, Move
from engine.steps.forbids import ignores_goodwill, ignores_intrigue, voided
from engine.steps.knowledge import is_sealed
from engine.view import FREED, ScriptView
from engine.words import GOODWILL, INTRIGUE, ONCE_PER_LOOP, UNEASE

Asks = Callable[[list[Move]], Move | None]
"""Chooses who ignores a Forbid Intrigue, or nobody."""


def resolve(
    view: ScriptView, at: At, played: list[Played], asks: Asks
) -> tuple[Board, list[records.CardResult]]:
    """Resolve the cards of a day.

    Args:
        view: the moment before.
        at: the step.
        played: the cards as revealed.
        asks: asked for each Forbid Intrigue that somebody may ignore (C-07).

    Returns:
        The board afterwards, and a result record for each spot that differs from what the
        cards print.
    """
    board, world = view.board, view.world
    sealed = is_sealed(world.rules, board) == YES
    table_void = cards.forbid_intrigue_void(played, world.sheet, world.rulings, sealed)
    # Where tables differ, cards of one person do not void each other (C-05).
    void = NO if table_void == MAYBE else table_void
    spots = cards.by_spot(played)
    echo = [
        who
        for who in board.cards
        if world.rules.characters[who].echoes_location_cards and board.alive(who)
    ]
    printed: dict[str, Printed] = {}
    shown: dict[str, Printed] = {}
    for on in dict.fromkeys((*spots, *echo)):
        printed[on] = _print(view, on, spots, table_void, world.rulings[ECHO_AFTER_MOVEMENT])
        reading = world.rulings[ECHO_AFTER_MOVEMENT] is not False
        shown[on] = _freed(view, on, _print(view, on, spots, void, reading))
    after = board.copy()
    for on, result in shown.items():
        if on in after.cards:
            after.cards[on].at = result.to
    later = view.on(after)
    for on, result in shown.items():
        shown[on] = _with_exceptions(view, later, on, result, asks, open_=table_void == MAYBE)
    for on, result in shown.items():
        _put(after, on, result)
    for card in played:
        if card.face is not None and card.face in ONCE_PER_LOOP[card.by]:
            after.spent[card.by].append(card.face)
    results = [_difference(at, on, printed[on], shown[on]) for on in shown]
    return after, [result for result in results if result is not None]


def _print(
    view: ScriptView, on: str, spots: dict[str, list[Played]], void: int, echo: bool | None
) -> Printed:
    characters = view.rules.characters
    if on in characters and characters[on].echoes_location_cards:
        return cards.echoed(view.board, characters, on, spots, void, echo)[1]
    return cards.printed(view.board, characters, on, spots[on], void)


def _freed(view: ScriptView, on: str, result: Printed) -> Printed:
    """Decide a move beyond a red X: only the hidden flags may know whether it goes (B-04)."""
    if result.to is not None or result.beyond_red_x is None:
        return result
    free = view.effect(FREED, on) == YES
    return replace(result, to=result.beyond_red_x if free else view.board.cards[on].at)


def _with_exceptions(
    before: ScriptView,
    after: ScriptView,
    on: str,
    result: Printed,
    asks: Asks,
    *,
    open_: bool,
) -> Printed:
    if result.forbidden_goodwill and ignores_goodwill(before, on) == YES:
        goodwill = (result.goodwill or 0) + result.forbidden_goodwill
        result = replace(result, goodwill=goodwill, forbidden_goodwill=0)
    if result.forbidden_intrigue and result.void == NO:
        moves = list(ignores_intrigue(before, after, on))
        if open_:
            moves.append(voided(on))
        if moves and asks(moves) is not None:
            result = replace(result, intrigue=result.forbidden_intrigue)
    return result


def _put(board: Board, on: str, result: Printed) -> None:
    if on in board.intrigue:
        board.add(INTRIGUE, on, result.intrigue or 0)
        return
    for token, delta in (
        (UNEASE, result.unease),
        (GOODWILL, result.goodwill),
        (INTRIGUE, result.intrigue),
    ):
        if delta:
            board.add(token, on, delta)


def _difference(at: At, on: str, printed: Printed, shown: Printed) -> records.CardResult | None:
    """Return the fields in which a result differs from what everybody reads off the cards."""
    differs = {
        name: getattr(shown, name)
        for name in ("goodwill", "unease", "intrigue", "to")
        if getattr(shown, name) != getattr(printed, name)
    }
    return records.CardResult(at=at, on=on, **differs) if differs else None
