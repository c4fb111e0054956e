"""What follows an incident whatever its effect: cleared Unease, the gauge, an end of the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.kleene import YES
from engine.rules.model import GaugeUp, GaugeUse, Incident, Part
from engine.steps import culprits
from engine.steps.common import token
from engine.steps.trigger import incident_of
from engine.view import ScriptView
from engine.words import UNEASE

if TYPE_CHECKING:
    from engine.play import Play


def after_occurrence(play: Play, number: int, culprit: str) -> None:
    """Do what an occurrence brings beside its effect: MC-08 while the loop goes on, MC-01."""
    view = play.view()
    if play.over is None and culprits.clears(view, culprit) == YES and play.board.alive(culprit):
        left = play.cleared(culprit, play.board.unease(culprit) or 0)
        if left:
            play.show(token(play.at, culprit, UNEASE, -left))
    if play.rules.gauge is GaugeUse.INCIDENTS:
        play.change_gauge(plain_rise(incident_of(view, number)))


def raised_by(parts: tuple[Part, ...]) -> int:
    """Return how far an effect itself moves the gauge."""
    return sum(part.n for part in parts if isinstance(part, GaugeUp))


def plain_rise(happened: Incident) -> int:
    """Return how far an occurrence raises the gauge, its effect apart (MC-01)."""
    return happened.gauge_rise - raised_by(happened.parts)


def rises(view: ScriptView, number: int, culprit: str) -> frozenset[int]:
    """Return how far a whole occurrence may have moved the gauge.

    Whether what an effect says of the gauge is void where the effect is, and whether it counts
    twice where the effect resolves twice, is open (MC-01, MC-19, MC-20).
    """
    happened = incident_of(view, number)
    times = view.rules.characters[culprit].effect_times
    plain, more = plain_rise(happened), raised_by(happened.parts)
    if times == 0:
        return frozenset((plain + more, 1))
    return frozenset((plain + more, plain + more * times))
