"""Loop end and Final Guess under what was noted (L-05 to L-08, L-13, F-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine import records, special_rules
from engine.board import Board
from engine.kleene import MAYBE, NO, YES, negate
from engine.records import Reveal
from engine.replay.knowledge import first_subplot
from engine.replay.matching import stands_for
from engine.replay.noted import Noted
from engine.replay.paths import Outcome, unchanged
from engine.rulings import DEATH_ENDS_LOOP
from engine.steps import loop_end, night
from engine.steps.common import Failure, name
from engine.steps.knowledge import is_mad
from engine.table.step import Step, loop_end_word
from engine.view import Flags, ScriptView, World
from engine.words import DEAD, LOST, WON

Deaths = Iterable[tuple[str, Board]]
"""Cards that died, each with the board before the step in which they did."""


def explain_loop_end(
    world: World,
    noted: Noted,
    flags: Flags,
    last_night: Step | None,
    in_night: Deaths,
    in_loop: Callable[[], Deaths],
) -> Outcome:
    """Judge the roles told at a loop end and the word after the last day.

    Args:
        world: the script.
        noted: the step.
        flags: the hidden choices so far.
        last_night: the night of the last day, if it was noted.
        in_night: who died in it (L-06).
        in_loop: who died in the loop at all, for tables at which no death ends a loop (L-02).
    """
    if noted.step.gap:
        return unchanged(flags)
    view = ScriptView(world, noted.step.before, flags)
    failure = _reveals(view, noted) or first_subplot(view, noted.step)
    if failure is None and not noted.step.early_end:
        if loop_end_word(noted.step) == DEAD:
            failure = _killed(view, last_night)
        else:
            failure = _word(view, noted, in_night, in_loop)
    return unchanged(flags) if failure is None else failure


def _reveals(view: ScriptView, noted: Noted) -> Failure | None:
    told = [record for record in noted.step.records if isinstance(record, Reveal)]
    told = [record for record in told if record.role_of is not None]
    due = list(loop_end.told_roles(view)) if told or noted.closed else []
    for record in told:
        if not any(
            stands_for(view.board, record.role_of, who) and record.role == role and truth
            for who, role, truth in due
        ):
            who = record.role_of
            whose = name(view.rules, who) if isinstance(who, str) else "this card"
            return Failure("L-05", f"Nothing in this script tells that role of {whose} here.")
    if not noted.closed:
        return None
    for who, _, truth in due:
        silent = not any(stands_for(view.board, record.role_of, who) for record in told)
        if silent and truth == YES and not loop_end.known_before(view, who):
            return Failure(
                "L-05", f"{name(view.rules, who)} lies dead and its role had to be told."
            )
    return None


def _killed(view: ScriptView, last_night: Step | None) -> Failure | None:
    """Judge "dead" noted here: it can only have been said in the last night (L-03, D-12)."""
    if last_night is not None:
        before, after = view.on(last_night.before), view.on(last_night.after)
        if night.kills_protagonists(before, after):
            return None
        if is_mad(view.rules, last_night.after) & negate(view.shielded()):
            return None
        if _all_killed(view, last_night):
            return None
    return Failure("L-03", "Nothing kills the Protagonists at a loop end.")


def _all_killed(view: ScriptView, last_night: Step) -> bool:
    """Tell whether somebody may have killed everybody in the last night (WM-11)."""
    blows = last_night.of(records.Death, records.GuardLost)
    over = last_night.over
    found = night.may_kill_all(
        view.on(last_night.before),
        view.on(last_night.after),
        [str(getattr(r, "who", "")) for r in blows if isinstance(r, records.Death)],
        [str(getattr(r, "who", "")) for r in blows],
        closed=last_night.complete and (over is None or over.deaths_closed),
    )
    return found is not None


def _word(
    view: ScriptView, noted: Noted, in_night: Deaths, in_loop: Callable[[], Deaths]
) -> Failure | None:
    word = loop_end_word(noted.step)
    if word not in (LOST, WON):
        return None
    lost = loop_end.is_lost(view)
    if lost != YES:
        lost |= _fatal(view, in_night)
    if lost != YES and view.world.rulings[DEATH_ENDS_LOOP] is not True:
        lost |= _fatal(view, in_loop())
    if word == LOST and not lost:
        return Failure("L-07", "No loss condition of this script holds at this loop end.")
    if word == WON and lost == YES:
        return Failure("L-08", "A loss condition of this script holds, the loop was not won.")
    return None


def _fatal(view: ScriptView, deaths: Deaths) -> int:
    truth = NO
    for who, board in deaths:
        fatal = view.on(board).death_is_lost(who)
        # Of several candidates for one death only one has died.
        truth |= fatal if view.board.dead(who) == YES else fatal & MAYBE
    return truth


def explain_guess(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge the answers of the Final Guess: they are about scripted roles (F-01, F-04)."""
    guessed = any(isinstance(record, records.Guess) for record in noted.step.records)
    if guessed and not special_rules.has_final_guess(world.rules, world.sheet.special_rules):
        return Failure("F-03", f"{world.rules.name} has no Final Guess.")
    for record in noted.step.records:
        if isinstance(record, records.Guess):
            candidates = [
                who for who in world.role if stands_for(noted.step.before, record.who, who)
            ]
            # Nobody holds the role of a card that is not in the cast (F-02).
            absent = isinstance(record.who, str) and record.who not in world.role
            fits = not record.right if absent else False
            fits = fits or any(
                (world.role[who] == record.role) is record.right for who in candidates
            )
            if not fits:
                who = record.who
                whose = name(world.rules, who) if isinstance(who, str) else "that card"
                verdict = "right" if record.right else "wrong"
                return Failure("F-04", f"The answer about {whose} was not {verdict}.")
    return unchanged(flags)
