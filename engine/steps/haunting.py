"""Corpses and runaways in the Mastermind's step (HS-09, HS-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine import records
from engine.kleene import NO, YES, negate
from engine.rules.model import Place, StepAway
from engine.steps.common import At, Move, works_dead
from engine.view import FREED, Holding, ScriptView
from engine.words import neighbours


def steps_away(view: ScriptView, at: At, source: str, holder: str, truth: int) -> Iterator[Move]:
    """Yield the neighbours to which a card steps; beyond a red X only some tables (B-05).

    A card with a turf may be counted from there (HS-10).
    """
    board = view.board
    for place in view.places(holder):
        for near in neighbours(place):
            stays = board.is_at(holder, near)
            legal = truth & negate(stays) & view.reaches(holder, place)
            if not legal:
                continue
            from_turf = board.is_at(holder, place) == NO
            barred = is_barred(view, holder, near) != NO
            moved = records.Moved(at=at, who=holder, to=near)
            yield Move(source, holder, (moved,), legal, holder, open=barred or from_turf)


def is_barred(view: ScriptView, who: str, place: str) -> int:
    """Judge "a red X keeps the card out of this place" (B-05, G-18)."""
    if place not in view.rules.characters[who].forbidden:
        return NO
    return negate(view.effect(FREED, who))


def is_locked(view: ScriptView, who: str, *places: str) -> int:
    """Judge "movement of the card, or to and from these places, is void today"."""
    truth = view.board.effect("cannot_move", who)
    for place in places:
        truth |= view.board.effect("closed", place)
    return truth


# What had to show ------------------------------------------------------------------------


def had_to_show(
    before: ScriptView,
    after: ScriptView,
    holding: Holding,
    placed: Callable[[str, str], bool],
    removed: Callable[[str, str], int],
) -> bool:
    """Tell whether a mandatory use of a corpse or runaway that was not seen had to show.

    Args:
        before, after: the moments around the step.
        holding: the ability in its holder's hands.
        placed: whether a token of this kind may have come on this card.
        removed: how many tokens of this kind may have left this card.
    """
    deed, who = holding.ability.does, holding.holder
    if who is None:
        return False
    if isinstance(deed, StepAway):
        return _had_to_step(before, holding, who, removed)
    if isinstance(deed, Place) and works_dead(holding.ability.when):
        if before.board.dead(who) != YES or before.holds(holding) != YES:
            return False
        return _had_to_haunt(before, after, who, deed, placed)
    return False


def _had_to_step(
    before: ScriptView, holding: Holding, who: str, removed: Callable[[str, str], int]
) -> bool:
    """Judge a runaway that stayed: both neighbours open, and upset all through (HS-10)."""
    board = before.board
    place = board.cards[who].at if who in board.cards else None
    if place is None or place not in board.intrigue or board.alive(who) != YES:
        return False
    if before.turf(who) is not None or board.effect("revived", who) != NO:
        return False
    near = neighbours(place)
    if any(is_barred(before, who, spot) != NO for spot in near):
        return False
    if is_locked(before, who, place, *near) != NO:
        return False
    calm = board.copy()
    for token in ("goodwill", "unease", "intrigue"):
        calm.add(token, who, -removed(who, token))
    return before.holds(holding) == YES and before.on(calm).holds(holding) == YES


def _had_to_haunt(
    before: ScriptView,
    after: ScriptView,
    who: str,
    deed: Place,
    placed: Callable[[str, str], bool],
) -> bool:
    """Judge a corpse of which nobody near got a token, somebody having stayed near (HS-09)."""
    board = before.board
    places, start = board.possible_places(who), board.starts.get(who)
    if len(places) != 1 or start is None:
        return False
    haunted = {places[0], start}
    stayed = False
    for other in board.cards:
        for place in haunted:
            early = board.lives_at(other, place)
            late = after.board.lives_at(other, place)
            stayed = stayed or early & late == YES
            if (early | late) != NO and placed(other, deed.token):
                return False
    return stayed
