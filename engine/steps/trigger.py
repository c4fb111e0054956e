"""Whether an incident occurs (I-01, I-02): the trigger decides, nobody chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine import kleene
from engine.kleene import MAYBE, NO, YES, Span
from engine.rules.model import Incident
from engine.steps.culprits import always_triggers, counted_by_plots, in_company
from engine.view import SUPPRESSED, ScriptView
from engine.words import UNEASE


def incident_of(view: ScriptView, number: int) -> Incident:
    """Return the incident with this number on the sheet."""
    return view.rules.incidents[view.sheet.incidents[number].incident]


def trigger(view: ScriptView, number: int) -> int:
    """Judge "the incident occurs" (I-01, I-02): its culprit is there, alive and upset.

    A mob is roused by the corpses at its location alone (HS-03).
    """
    culprit = view.world.culprits[number]
    mob = incident_of(view, number).mob
    if mob is not None:
        at = culprit in view.board.intrigue
        return kleene.at_least(view.board.corpses_at(str(culprit)), mob) if at else NO
    if culprit is None or culprit not in view.board.cards:
        return NO
    truth = view.board.alive(culprit)
    if not truth:
        return NO
    incident = incident_of(view, number)
    free = unsuppressed(view, culprit)
    counted = is_upset(view, number, culprit) | counted_by_plots(view, incident, culprit)
    # Whether company overrules a suppression is open (MC-10).
    near = in_company(view, culprit) & (YES if free == YES else MAYBE)
    return truth & ((counted & free) | always_triggers(view, culprit) | near)


def is_upset(view: ScriptView, number: int, culprit: str) -> int:
    """Judge "the culprit has enough tokens of the kinds that count" (I-02)."""
    incident = incident_of(view, number)
    character = view.rules.characters[culprit]
    limit = character.limit + incident.limit_change
    card = view.board.cards[culprit]

    def reaches(kinds: Iterable[str]) -> int:
        counted = _sum(kleene.span_of(card.tokens(kind)) for kind in dict.fromkeys(kinds))
        return kleene.at_least(counted, limit)

    plain = reaches(incident.counts)
    if character.counts_all_tokens:
        low, high = card.total()
        guard_low, guard_high = kleene.span_of(card.guard)
        guard_high += culprit in view.board.extra_cards
        # Whether the guard marker and an Extra card are counters is open (I-03).
        every = kleene.either(
            kleene.at_least((low, high), limit),
            kleene.at_least((low + guard_low, high + guard_high), limit),
        )
        # Whether all tokens count where others stand in for Unease is open (WM-14).
        return every if UNEASE in incident.counts else kleene.either(plain, every)
    return plain | _by_own_role(view, incident, culprit, reaches)


def _by_own_role(
    view: ScriptView,
    incident: Incident,
    culprit: str,
    reaches: Callable[[Iterable[str]], int],
) -> int:
    """Judge the test with what the culprit's own role counts beside (WM-11)."""
    truth = NO
    for role in view.rules.roles.values():
        if role.trigger_tokens and (holds := view.current_role(culprit, role.id)):
            if set(role.trigger_tokens) & set(incident.counts):
                # The sum, or what the incident counts alone: open.
                truth |= holds & MAYBE & reaches((UNEASE, *role.trigger_tokens))
            else:
                truth |= holds & reaches((*incident.counts, *role.trigger_tokens))
    return truth


def unsuppressed(view: ScriptView, culprit: str) -> int:
    """Judge "nothing keeps its incidents from occurring" (G-16)."""
    return kleene.negate(view.effect(SUPPRESSED, culprit))


def _sum(spans: Iterable[Span]) -> Span:
    low = high = 0
    for least, most in spans:
        low, high = low + least, high + most
    return low, high
