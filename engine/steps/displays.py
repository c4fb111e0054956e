"""Parts of an effect that leave a public mark on a card or place: moves, names, Extra cards.

``engine.steps.incident.options`` asks here for what such a part may show (MC-16 to MC-18).
"""

from __future__ import annotations

from engine import kleene, records
from engine.kleene import NO, YES
from engine.rules import queries
from engine.steps import culprits
from engine.steps.common import At, Move
from engine.view import ScriptView


def extra_card(view: ScriptView, at: At, source: str, culprit: str) -> list[Move]:
    """Return the Extra card on the culprit itself, wherever its incidents act (MC-16)."""
    return [Move(source, culprit, (records.ExtraCard(at=at, on=culprit),), YES, culprit)]


def name_location(
    view: ScriptView, at: At, source: str, culprit: str, *, diagonal: bool
) -> list[Move]:
    """Return the naming of the place where the incident acts (MC-18)."""
    found = []
    for place in view.board.intrigue:
        truth = culprits.acts_at(view, culprit, place, diagonal=diagonal)
        if truth:
            named = records.LocationNamed(at=at, location=place)
            found.append(Move(source, culprit, (named,), truth, place))
    return found


def move_any(view: ScriptView, at: At, source: str, culprit: str, *, diagonal: bool) -> list[Move]:
    """Return who may be sent where; sent to where it stands, nothing shows (MC-17).

    A move that a lock or a red X would stop is public and accepted all the same (B-05).
    """
    board = view.board
    found = [Move(source, culprit)]
    for who in board.cards:
        here = culprits.is_with(view, culprit, who, diagonal=diagonal)
        if not here:
            continue
        legal = queries.legal_places(view, view.rules.characters[who])
        for place in board.intrigue:
            elsewhere = kleene.negate(board.is_at(who, place))
            if here & elsewhere:
                moved = records.Moved(at=at, who=who, to=place)
                barred = place not in legal or locked(view, who, place) != NO
                found.append(Move(source, culprit, (moved,), here & elsewhere, who, open=barred))
    return found


def locked(view: ScriptView, who: str, to: str) -> int:
    """Judge "a card may not be moved there now": it is held, or a place is closed (MC-18)."""
    board = view.board
    truth = board.locked(who) | board.effect("closed", to)
    for place in board.possible_places(who):
        truth |= board.is_at(who, place) & board.effect("closed", place)
    return truth
