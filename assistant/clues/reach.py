"""Who could have done it from where (P-10)."""

from __future__ import annotations

from assistant.clues.view import FormulaView
from engine.kleene import NO
from engine.rules.model import On
from engine.rulings import TURF_AT_NIGHT


def reach(view: FormulaView, who: str, *, night: bool = False) -> tuple[str, ...]:
    """Return the places from which a living card may use its role's abilities.

    Its real place (all four when unknown), and its turf if it has one; at night the turf
    only where the table plays so. Empty if it cannot be alive on the board.
    """
    board = view.board
    if board.alive(who) == NO:
        return ()
    places = board.possible_places(who)
    turf = turf_of(view, who)
    if turf is None or turf in places:
        return places
    if night and view.rulings[TURF_AT_NIGHT] is False:
        return places
    return (*places, turf)


def turf_of(view: FormulaView, who: str) -> str | None:
    """Return the turf of a card that has one."""
    if not view.rules.characters[who].has_turf:
        return None
    return view.sheet.turf.get(who)


def hits(
    view: FormulaView, who: str | None, place: str | None, on: tuple[On, ...], target: str
) -> bool:
    """Tell whether an effect aimed from ``place`` may hit ``target``.

    Args:
        view: the board on which it happens.
        who: the source, ``None`` for a plot.
        place: where the source is taken to stand.
        on: what the effect may aim at.
        target: a card or location.
    """
    board = view.board
    if target in board.intrigue:
        return On.ANY_LOCATION in on or (On.HERE in on and target == place)
    if board.alive(target) == NO:
        return False
    if On.SELF in on and target == who:
        return True
    if On.ANYONE in on:
        return True
    if place is None:
        return False
    if On.CHARACTER_HERE in on or (On.OTHER_HERE in on and target != who):
        # A source in a card's turf that aims at that card there is accepted (P-10).
        return board.is_at(target, place) != NO or place == turf_of(view, target)
    return False
