"""When an incident occurs, given its culprit: the test with all that modifies it (I-01, I-02)."""

from __future__ import annotations

from assistant.clues.reach import turf_of
from assistant.clues.view import FormulaView
from assistant.formula import FALSE, Judged
from engine import kleene
from engine.kleene import MAYBE, NO, Span
from engine.rules.conditions import Actor
from engine.rules.model import Character, Incident, Role
from engine.words import DIAGONAL, UNEASE, move_from


def counted(
    view: FormulaView, character: Character, incident: Incident, more: tuple[str, ...] = ()
) -> Span:
    """Return the span of what counts as Unease for this culprit and incident.

    Args:
        view: the board before the incident step.
        character: the culprit.
        incident: what may occur.
        more: further tokens that count by the rule of a plot or role.
    """
    card = view.board.cards[character.id]
    if character.counts_all_tokens:
        low, high = card.total()
        if UNEASE not in incident.counts:
            # Whether all tokens count where others stand in for Unease is open (WM-14).
            low = sum(kleene.span_of(card.tokens(token))[0] for token in incident.counts)
        # Whether a guard marker or an Extra card counts is open (I-03).
        extra = character.id in view.board.extra_cards
        return low, high + kleene.span_of(card.guard)[1] + extra
    low = high = 0
    for token in dict.fromkeys((*incident.counts, *more)):
        least, most = kleene.span_of(card.tokens(token))
        low, high = low + least, high + most
    return low, high


def triggers(view: FormulaView, who: str, incident: Incident) -> Judged:
    """Judge "if ``who`` is the culprit the incident occurs now"."""
    board = view.board
    if incident.mob is not None:
        return Judged.of(kleene.at_least(board.corpses_at(who), incident.mob))
    if board.alive(who) == NO:
        return Judged(FALSE, FALSE)
    held = view.effect("incidents_suppressed", who)
    by_count = _by_count(view, who, incident) & view.fact(kleene.negate(held))
    always = view.fact(NO)
    for role in view.rules.roles.values():
        if role.always_triggers:
            always = always | view.current_role(who, role.id)
    near = _by_company(view, who) & view.fact(MAYBE if held != NO else kleene.YES)
    return view.fact(board.alive(who)) & (by_count | always | near)


def _by_count(view: FormulaView, who: str, incident: Incident) -> Judged:
    """Judge the token test, with what plots and the culprit's own role add to it."""
    character = view.rules.characters[who]
    limit = character.limit + incident.limit_change

    def reaches(more: tuple[str, ...] = ()) -> int:
        return kleene.at_least(counted(view, character, incident, more), limit)

    truth = view.fact(reaches())
    for plot in view.rules.plots.values():
        for named, tokens in plot.trigger_tokens:
            if named == incident.id:
                truth = truth | (view.plot(plot.id) & view.fact(reaches(tokens)))
            elif _contains(view, incident, named):
                # An incident that only resolves the named one too: open (MC-05).
                truth = truth | (view.plot(plot.id) & view.fact(reaches(tokens) & MAYBE))
    for role in view.rules.roles.values():
        if role.trigger_tokens:
            fact = reaches(role.trigger_tokens)
            if set(role.trigger_tokens) & set(incident.counts):
                fact = reaches(tuple({*role.trigger_tokens, UNEASE})) & MAYBE  # open (WM-11)
            truth = truth | (view.current_role(who, role.id) & view.fact(fact))
    return truth


def _contains(view: FormulaView, incident: Incident, other: str) -> bool:
    """Tell whether the effect of ``other`` is a part of this incident's effect."""
    parts = view.rules.incidents[other].parts
    return incident.id != other and incident.parts[: len(parts)] == parts


def displaced(view: FormulaView, who: str) -> Judged:
    """Judge "the incidents of ``who`` count as at the diagonal location" (MC-11)."""
    truth = view.fact(NO)
    for role in view.rules.roles.values():
        if role.triggers_from_diagonal:
            truth = truth | view.current_role(who, role.id)
    return truth


def _by_company(view: FormulaView, who: str) -> Judged:
    """Judge "a card that makes incidents here occur stands with the culprit" (MC-10)."""
    truth = view.fact(NO)
    for role in view.rules.roles.values():
        if role.triggers_others is None:
            continue
        for other in view.board.cards:
            if other != who and view.board.alive(other) != NO:
                truth = truth | _company(view, who, other, role)
    return truth


def _company(view: FormulaView, who: str, other: str, role: Role) -> Judged:
    assert role.triggers_others is not None
    board = view.board
    here = diagonal = NO
    for place in board.intrigue:
        here |= board.is_at(who, place) & board.is_at(other, place)
        diagonal |= board.is_at(who, move_from(place, DIAGONAL)) & board.is_at(other, place)
    turf = turf_of(view, other)
    open_point = NO
    if turf is not None:
        # It may count in its turf, and need not count where it stands (MC-10).
        open_point = board.is_at(who, turf) & MAYBE
        here &= MAYBE
    moved = displaced(view, who)
    where = (view.negate(moved) & view.fact(here | open_point)) | (
        moved & view.fact((here | diagonal | open_point) & MAYBE)
    )
    holds = role.triggers_others.judge(view, Actor(other, None))
    return view.current_role(other, role.id) & holds & view.fact(board.alive(other)) & where
