"""The hidden exceptions of the card step: who ignores a Forbid (C-04, C-07).

What the faces print is public and stands in ``engine.steps.cards``.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kleene import MAYBE, NO
from engine.rules.model import ForbidMastermindCards, IgnoreForbid, On, Timing
from engine.steps.common import Move, can_act
from engine.view import Holding, ScriptView
from engine.words import GOODWILL, INTRIGUE

VOIDED = "forbid_intrigue_void"
"""Source of the reading by which one person's Forbid Intrigue cards void each other (C-05)."""


def voided(on: str) -> Move:
    """Return the reading that the Forbid Intrigue on a spot is void, where tables differ."""
    return Move(VOIDED, None, (), MAYBE, on, open=True)


def _ignoring(view: ScriptView, token: str) -> Iterator[tuple[Holding, IgnoreForbid]]:
    for holding in view.world.holdings(Timing.CARDS):
        deed = holding.ability.does
        if isinstance(deed, IgnoreForbid) and deed.token == token:
            yield holding, deed


def _covers(view: ScriptView, holding: Holding, deed: IgnoreForbid, on: str) -> int:
    """Judge "at this moment the holder's reach holds the spot" (P-10)."""
    holder = holding.holder
    if holder is None:
        return NO
    truth = can_act(view, holding.ability, holder)
    if not truth:
        return NO
    truth &= view.holds(holding)
    if not truth or deed.on is On.SELF:
        return truth if holder == on else NO
    if on in view.board.intrigue:
        return truth & view.reaches(holder, on)
    if on == holder:
        return truth
    at = NO
    for place in view.board.possible_places(on):
        at |= view.reaches(holder, place) & view.stands(on, place)
    return truth & at


def ignores_intrigue(before: ScriptView, after: ScriptView, on: str) -> Iterator[Move]:
    """Yield who may ignore the Forbid Intrigue on a spot (C-07).

    The place after the movement cards counts; the place before them is accepted as well, as
    an open reading.

    Args:
        before: the moment before the step.
        after: the moment after the movement.
        on: the card or location with the Forbid.
    """
    for holding, deed in _ignoring(before, INTRIGUE):
        late = _covers(after, holding, deed, on)
        early = _covers(before, holding, deed, on)
        if late or early:
            truth = late if late else early
            yield Move(holding.ability.id, holding.holder, (), truth, on, open=not late)


def closed_to_mastermind(view: ScriptView, who: str) -> int:
    """Judge "the Mastermind cannot place cards on this card" (C-12)."""
    truth = NO
    for holding in view.world.holdings(Timing.CARDS):
        if isinstance(holding.ability.does, ForbidMastermindCards) and holding.holder == who:
            truth |= view.holds(holding)
    return truth


def ignores_goodwill(view: ScriptView, on: str) -> int:
    """Judge "the Forbid Goodwill on this card is ignored"; a mandatory ability has to (C-04)."""
    truth = NO
    for holding, deed in _ignoring(view, GOODWILL):
        covers = _covers(view, holding, deed, on)
        truth |= covers if holding.ability.mandatory else covers & MAYBE
    return truth
