"""What the rule text adds to a culprit: when its incidents occur, where they act, what follows.

The plain test for tokens stands in ``engine.steps.incident``; here is what roles and plots
change about it (I-02, MC-05, MC-10, MC-13), the diagonal location at which the incidents of
some culprits act (MC-11), and the Unease that goes after an incident (MC-08).
"""

from __future__ import annotations

from engine import kleene
from engine.kleene import MAYBE, NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import Incident, Role
from engine.view import ScriptView
from engine.words import DIAGONAL, move_from

# When --------------------------------------------------------------------------------------


def counted_by_plots(view: ScriptView, incident: Incident, culprit: str) -> int:
    """Judge "with the tokens that an active plot counts as Unease it is at its limit" (MC-05).

    Whether a plot that names an incident also speaks of one that only resolves the named one
    is open.
    """
    truth = NO
    card = view.board.cards[culprit]
    limit = view.rules.characters[culprit].limit + incident.limit_change
    for plot in view.rules.plots.values():
        for named, tokens in plot.trigger_tokens:
            if named != incident.id and not _resolves(view, incident, named):
                continue
            low = high = 0
            for kind in dict.fromkeys((*incident.counts, *tokens)):
                least, most = kleene.span_of(card.tokens(kind))
                low, high = low + least, high + most
            fact = kleene.at_least((low, high), limit)
            truth |= view.plot(plot.id) & (fact if named == incident.id else fact & MAYBE)
    return truth


def _resolves(view: ScriptView, incident: Incident, named: str) -> bool:
    """Tell whether an incident's effect begins with the whole effect of another one."""
    parts = view.rules.incidents[named].parts
    return incident.id != named and incident.parts[: len(parts)] == parts


def always_triggers(view: ScriptView, culprit: str) -> int:
    """Judge "its incidents occur while it lives, whatever lies on it" (MC-13)."""
    truth = NO
    for role in view.rules.roles.values():
        if role.always_triggers:
            truth |= view.current_role(culprit, role.id)
    return truth


def in_company(view: ScriptView, culprit: str) -> int:
    """Judge "somebody stands with it who makes incidents here occur" (MC-10).

    For a culprit that acts elsewhere its own place and the other one both explain and neither
    demands; a card with a turf elsewhere may count in its turf and need not count where it is.
    """
    truth = NO
    for role in view.rules.roles.values():
        if role.triggers_others is None:
            continue
        for other in view.board.cards:
            if other != culprit and view.board.alive(other) != NO:
                truth |= _with(view, culprit, other, role)
    return truth


def _with(view: ScriptView, culprit: str, other: str, role: Role) -> int:
    assert role.triggers_others is not None
    board = view.board
    holds = view.current_role(other, role.id) & board.alive(other)
    if not holds:
        return NO
    holds &= role.triggers_others.judge(view, Actor(other, board.cards[other].at))
    here = opposite = NO
    for place in board.intrigue:
        there = board.is_at(other, place)
        here |= board.is_at(culprit, place) & there
        opposite |= board.is_at(culprit, move_from(place, DIAGONAL)) & there
    turf = view.turf(other)
    if turf is not None:
        here = (here | board.is_at(culprit, turf)) & MAYBE
    moved = displaced(view, culprit)
    near = (kleene.negate(moved) & here) | (moved & (here | opposite) & MAYBE)
    return holds & near


# Where -------------------------------------------------------------------------------------


def displaced(view: ScriptView, culprit: str) -> int:
    """Judge "what its incidents do they do at the diagonal location" (MC-11)."""
    truth = NO
    for role in view.rules.roles.values():
        if role.triggers_from_diagonal:
            truth |= view.current_role(culprit, role.id)
    return truth


def sides(view: ScriptView, culprit: str, *, borrowed: bool = False) -> tuple[bool, ...]:
    """Return where its effects may act: where it stands (false), or diagonally opposite (true).

    Args:
        view: the moment.
        culprit: the culprit, or who stands for it.
        borrowed: a card resolves the effect itself; whether its role then counts is open.
    """
    moved = displaced(view, culprit)
    found = (False,) if borrowed or moved != YES else ()
    return (*found, True) if moved else found


def acts_at(view: ScriptView, culprit: str, place: str, *, diagonal: bool) -> int:
    """Judge "what the culprit's incident does happens at this place" (I-09, HS-03)."""
    if culprit in view.board.intrigue:
        return kleene.certain(culprit == place)  # a mob is at its place
    return view.board.is_at(culprit, move_from(place, DIAGONAL) if diagonal else place)


def is_with(view: ScriptView, culprit: str, who: str, *, diagonal: bool) -> int:
    """Judge "``who`` lives where the incident acts"; a displaced culprit may count as there.

    Args:
        view: the moment.
        culprit: whose incident it is.
        who: a card, the culprit included.
        diagonal: its incidents act at the diagonal location.
    """
    board = view.board
    if who == culprit:
        return board.alive(who) & MAYBE if diagonal else board.alive(who)
    truth = NO
    for place in board.intrigue:
        truth |= acts_at(view, culprit, place, diagonal=diagonal) & board.lives_at(who, place)
    return truth


# Afterwards --------------------------------------------------------------------------------


def clears(view: ScriptView, culprit: str) -> int:
    """Judge "all its Unease goes when it has triggered an incident" (MC-08)."""
    truth = NO
    for role in view.rules.roles.values():
        if role.clears_after_incident:
            truth |= view.current_role(culprit, role.id)
    return truth
