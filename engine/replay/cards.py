"""The card step under what was noted (C-01 to C-14): all public but a few exceptions."""

from __future__ import annotations

from engine import records
from engine.kleene import MAYBE, YES
from engine.replay.noted import Noted
from engine.replay.paths import Choices, Outcome, unchanged
from engine.steps.choice import choice_of
from engine.steps.common import Failure, name
from engine.steps.forbids import (
    closed_to_mastermind,
    ignores_goodwill,
    ignores_intrigue,
    voided,
)
from engine.table.step import Spot
from engine.view import FREED, Flags, ScriptView, World

CARDS_A_DAY = 6
"""Three of the Mastermind, one of each Protagonist deck (C-01)."""


def prepare_cards(noted: Noted) -> None:
    """Find the spots whose result depends on the world, and results that no world shows.

    While cards may still be missing, one of them may be behind any result.
    """
    cards = len(noted.step.of(records.PlayedCard))
    if not noted.closed and cards < CARDS_A_DAY:
        return
    hidden = []
    for spot in noted.step.spots:
        fault = _fault(spot)
        if fault is not None and noted.fault is None:
            noted.fault = (fault, spot.on)
        if _is_hidden(noted, spot):
            hidden.append(spot)
    noted.hidden = tuple(hidden)


def _fault(spot: Spot) -> str | None:
    """Return the ruling that a result breaks in every world, if any (C-14)."""
    printed, result = spot.printed, spot.result
    if not printed.noted:
        return None
    forbidden = printed.forbidden_intrigue
    if result.intrigue is not None:
        if forbidden == 0:
            if printed.intrigue is not None and result.intrigue != printed.intrigue:
                return "C-14"
        elif printed.void == YES:
            if result.intrigue != forbidden:
                return "C-05"
        elif result.intrigue not in (0, forbidden):
            return "C-14"
    forbidden = printed.forbidden_goodwill
    if result.goodwill is not None and printed.goodwill is not None:
        allowed = (0, forbidden) if forbidden else (printed.goodwill,)
        if result.goodwill not in allowed:
            return "C-14"
    if result.unease is not None and printed.unease is not None and result.unease != printed.unease:
        return "C-03"
    if result.to is not None:
        if printed.beyond_red_x is not None:
            if printed.to is not None and result.to not in (printed.to, printed.beyond_red_x):
                return "B-04"
        elif printed.to is not None and result.to != printed.to:
            return "C-14"
    return None


def _is_hidden(noted: Noted, spot: Spot) -> bool:
    printed, result = spot.printed, spot.result
    if not printed.noted:
        return False
    if _breaks_through(spot):
        return True
    if printed.forbidden_goodwill and _goodwill_stated(noted, spot):
        return True
    return printed.beyond_red_x is not None and result.to is not None


def _breaks_through(spot: Spot) -> bool:
    """Tell whether Intrigue came in spite of a Forbid that is not void for certain."""
    printed = spot.printed
    return (
        printed.forbidden_intrigue > 0
        and printed.void != YES
        and spot.result.intrigue == printed.forbidden_intrigue
    )


def _goodwill_stated(noted: Noted, spot: Spot) -> bool:
    """Tell whether the Goodwill result counts: it was noted, or silence does."""
    stated = spot.noted is not None and spot.noted.goodwill is not None
    return spot.result.goodwill is not None and (stated or noted.closed)


def explain_cards(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge the card step in one world (C-04, C-07, G-18)."""
    if noted.fault is not None:
        ruling, on = noted.fault
        return Failure(
            ruling, f"The cards on {name(world.rules, on)} cannot have given this result."
        )
    if not noted.hidden and not noted.marked:
        return unchanged(flags)
    before = ScriptView(world, noted.step.before, flags)
    for who in noted.marked:
        if closed_to_mastermind(before, who) == YES:
            return Failure(
                "C-12", f"The Mastermind cannot place cards on {name(world.rules, who)}."
            )
    after = ScriptView(world, noted.step.after, flags)
    choices: Choices = ()
    for spot in noted.hidden:
        failure = _goodwill(before, noted, spot) or _red_x(before, spot)
        if failure is not None:
            return failure
        if not _breaks_through(spot):
            continue
        if spot.printed.void == MAYBE:
            choices += (choice_of(noted.at, voided(spot.on)),)
            continue
        moves = sorted(ignores_intrigue(before, after, spot.on), key=lambda move: move.open)
        if not moves:
            return Failure(
                "C-07",
                f"Nobody who could ignore the Forbid Intrigue on {name(world.rules, spot.on)} "
                "is there.",
            )
        choices += (choice_of(noted.at, moves[0]),)
    return {flags: choices}


def _goodwill(before: ScriptView, noted: Noted, spot: Spot) -> Failure | None:
    forbidden = spot.printed.forbidden_goodwill
    if not forbidden or not _goodwill_stated(noted, spot):
        return None
    ignores = ignores_goodwill(before, spot.on)
    who = name(before.rules, spot.on)
    if spot.result.goodwill == forbidden and not ignores:
        return Failure("C-04", f"The Forbid Goodwill on {who} works, nothing ignores it.")
    if spot.result.goodwill == 0 and ignores == YES:
        return Failure("C-04", f"The Forbid Goodwill on {who} had to be ignored.")
    return None


def _red_x(before: ScriptView, spot: Spot) -> Failure | None:
    beyond = spot.printed.beyond_red_x
    if beyond is None or spot.result.to is None:
        return None
    freed = before.effect(FREED, spot.on)
    who = name(before.rules, spot.on)
    if spot.result.to == beyond and not freed:
        return Failure("G-18", f"{who} was not freed and cannot go to {beyond}.")
    if spot.result.to != beyond and freed == YES:
        return Failure("G-18", f"{who} was freed and had to move.")
    return None
