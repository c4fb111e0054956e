"""A kill that has to come at the first night on which it is due, once in a loop (MC-06).

It may hit anybody at the holder's place, and whoever cannot die as well: then nothing shows,
and it may count as used or not. Alone the holder may also keep it (MC-07).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import kleene
from engine.kleene import NO, YES
from engine.rules.model import KillAnyHere, Per
from engine.table.step import Step
from engine.view import Holding, ScriptView


def is_due_once(holding: Holding) -> bool:
    """Tell whether an ability is a mandatory kill of anybody, once a loop."""
    ability = holding.ability
    return isinstance(ability.does, KillAnyHere) and ability.mandatory and ability.per is Per.LOOP


def spent(view: ScriptView, holding: Holding, nights: Iterable[Step]) -> bool:
    """Tell whether it was used for certain at an earlier night of the loop (MC-06 c).

    Args:
        view: the script.
        holding: whose ability it is.
        nights: the earlier nights of this loop.
    """
    holder = holding.holder
    if holder is None or not is_due_once(holding):
        return False
    has_turf = view.rules.characters[holder].has_turf and holder in view.sheet.turf
    for step in nights:
        moment = view.on(step.before)
        place = moment.board.possible_places(holder)
        if has_turf or not step.continues or len(place) != 1:
            continue
        if moment.board.alive(holder) & moment.holds(holding) == YES and _hits(
            moment, holder, place
        ):
            return True
    return False


def due_for_the_first_time(
    view: ScriptView, holding: Holding, nights: Iterable[Step], *, late: bool
) -> bool:
    """Tell whether it was surely not due at an earlier night of the loop (MC-06 b).

    Args:
        view: the script.
        holding: whose ability it is.
        nights: the earlier nights of this loop.
        late: the game began within this loop, so that earlier nights are not known.
    """
    assert holding.holder is not None
    moments = [view.on(step.before) for step in nights]
    return not late and not any(
        moment.board.alive(holding.holder) and moment.holds(holding) for moment in moments
    )


def had_to_hit(view: ScriptView, holder: str, places: Sequence[str]) -> tuple[str, ...]:
    """Return of whom one had to be hit, whichever of these places the holder acts from.

    Nobody is returned where it may show nothing: the holder is alone at one of the places, or
    somebody there cannot die.
    """
    if not all(_hits(view, holder, (place,)) for place in places):
        return ()
    board = view.board
    return tuple(
        who for who in board.cards if any(board.lives_at(who, place) != NO for place in places)
    )


def _hits(view: ScriptView, holder: str, places: Sequence[str]) -> bool:
    """Tell whether a use from there kills for certain, with company at the place."""
    board = view.board
    for place in places:
        if kleene.at_least(board.others_living_at(holder, place), 1) != YES:
            return False
        if any(view.unkillable(who) for who in board.cards if board.lives_at(who, place)):
            return False
    return True
