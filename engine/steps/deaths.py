"""Deaths: what a kill shows, what follows from it, and when it ends the loop.

A guard marker goes instead of a life (G-17), an unkillable card shows nothing, a partner in
love gets its Unease (BT-07), and some deaths are lost at once (L-02).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord, LoopOver
from engine.rules.model import Place, Timing
from engine.steps.common import At, Failure
from engine.table.step import Step
from engine.view import ScriptView
from engine.words import DEAD, LOST, NO_WORD


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a kill may show: a record or nothing, and whether it must."""

    shows: AnyRecord | None
    truth: int


def kill_outcomes(view: ScriptView, at: At, who: str) -> list[Outcome]:
    """Return how a kill on ``who`` may show: death, guard marker, or nothing (B-09, G-17).

    On an unkillable card a marker may stay or go (open).
    """
    unkillable = view.unkillable(who)
    mortal = kleene.negate(unkillable)
    guarded = kleene.at_least(kleene.span_of(view.board.tokens("guard", who)), 1)
    found = []
    death = mortal & kleene.negate(guarded)
    if death:
        found.append(Outcome(records.Death(at=at, who=who), death))
    if guarded:
        truth = guarded & (mortal | (MAYBE if unkillable else NO))
        if truth:
            found.append(Outcome(records.GuardLost(at=at, who=who), truth))
    if unkillable:
        found.append(Outcome(None, unkillable))
    return found


def can_die(view: ScriptView, who: str) -> int:
    """Judge "a kill on ``who`` shows something": it is not unkillable."""
    return kleene.negate(view.unkillable(who))


# Reactions -----------------------------------------------------------------------------


def reactions(
    before: ScriptView, dead: Iterable[str], alive_after: ScriptView
) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the tokens that follow from deaths: (card, token) to (must, may).

    What has to come is only what no reading denies: a partner that lives on, neither of the
    two a copy (BT-07); a partner that died in the same step may or may not get it (D-14).

    Args:
        before: the moment of the deaths.
        dead: who died in the step.
        alive_after: the moment after all of them.
    """
    world = before.world
    listed = tuple(dead)
    found: dict[tuple[str, str], tuple[int, int]] = {}
    if not listed:
        return found
    for holding in world.holdings(Timing.OTHER_DEATH):
        deed, role = holding.ability.does, holding.ability.death_of
        holder = holding.holder
        if not isinstance(deed, Place) or holder is None or role is None:
            continue
        had = before.board.alive(holder) & before.holds(holding)
        if not had:
            continue
        for victim in listed:
            if victim == holder:
                continue
            truth = had & before.current_role(victim, role)
            if not truth:
                continue
            must, may = found.get((holder, deed.token), (0, 0))
            certain = (
                truth == YES
                and holding.ability.mandatory
                and holder not in listed
                and alive_after.board.alive(holder) == YES
                and not world.is_copy(holder)
                and not world.is_copy(victim)
            )
            found[holder, deed.token] = (must + (deed.n if certain else 0), may + deed.n)
    return found


# The end of the loop -------------------------------------------------------------------


def any_ends_loop(view: ScriptView, dead: Iterable[str]) -> int:
    """Judge "one of these deaths ends the loop at once" (L-02), on the board before them."""
    truth = NO
    for who in dead:
        truth |= view.death_ends_loop(who)
    return truth


def with_unnoted(ends: int, step: Step) -> int:
    """Return what an open step tells of "one of these deaths ends the loop".

    The death on which "lost" rests may still be missing from the notes of such a step.
    """
    over = step.over
    open_word = over is not None and over.word in (LOST, NO_WORD) and not step.complete
    return ends | MAYBE if open_word else ends


def judge_end(
    over: LoopOver | None,
    continues: bool,
    ends: int,
    killed: int,
    *,
    rulings: tuple[str, str, str],
    told: bool = False,
) -> Failure | None:
    """Judge the word with which a loop ended in a step, or that it went on.

    Args:
        over: the word, if the loop ended here.
        continues: play went on in the same loop.
        ends: truth of "one of the dead ends the loop".
        killed: truth of "a deed killed the Protagonists", the Soldier's shield considered.
        rulings: rulings to name when "lost", "dead" or the going on cannot be.
        told: the step is complete: the death of the Protagonists would have been announced.

    Returns:
        Why it cannot be, ``None`` if it can. When both could be, either word fits (L-04).
    """
    lost_ruling, dead_ruling, on_ruling = rulings
    if over is not None:
        if over.word == LOST and not ends:
            return Failure(
                lost_ruling,
                "The loop was lost here, and nobody who died here ends it by dying.",
            )
        if over.word == DEAD and not killed:
            return Failure(dead_ruling, "Nothing could kill the Protagonists here.")
        if over.word == NO_WORD and not (ends or killed):
            return Failure(lost_ruling, "Nothing could end the loop here.")
        if over.word not in (LOST, DEAD, NO_WORD):
            return Failure("L-08", "A loop is won only after its last day.")
        return None
    if continues:
        if ends == YES:
            return Failure("L-02", "One of the dead ends the loop at once, and play went on.")
        if killed == YES:
            return Failure(on_ruling, "The Protagonists had to die here, and play went on.")
    elif told and killed == YES and ends == NO:
        return Failure(on_ruling, "The Protagonists had to die here, and it was not told.")
    return None
