"""The loop end read backward: which losses explain it, which dead cards were not revealed."""

from __future__ import annotations

from assistant.clues import deaths, knowledge
from assistant.clues.model import Flags, Piece, Unit, completed, observed
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, Judged, any_of
from engine import records
from engine.kleene import MAYBE, NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import GaugeUse, Lose, Timing
from engine.rules.queries import plot_abilities, role_abilities
from engine.rulings import DEATH_ENDS_LOOP
from engine.table import Step, Table
from engine.table.step import loop_end_word
from engine.words import DEAD, LOOP_END, LOST, WON


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a loop end (L-03 to L-13)."""
    view = FormulaView(table, step.before, flags)
    found = [
        *_reveals(table, step, view, flags),
        *_unrevealed(table, step, view, flags),
        *knowledge.reminiscence(table, step, flags),
    ]
    if not step.early_end:
        found += _word(table, step, view, flags)
    return found


def _revealed_now(step: Step) -> dict[str, str]:
    return {
        record.role_of: record.role
        for record in step.records
        if isinstance(record, records.Reveal)
        and isinstance(record.role_of, str)
        and record.role is not None
    }


def _reveals(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    found = []
    for number, record in enumerate(step.records):
        if not isinstance(record, records.Reveal):
            continue
        if isinstance(record.role_of, str) and record.role is not None:
            told = name_of(table, record.role_of)
            way = view.current_role(record.role_of, record.role).may & _reveals_at_end(
                view, record.role_of
            )
            found.append(
                Piece(
                    f"revealed:{number}",
                    {flags: way},
                    (observed(step),),
                    ("L-05", "P-06"),
                    f"{when(step.at)}: the role of {told} was told.",
                )
            )
    return found


def _reveals_at_end(view: FormulaView, who: str) -> Formula:
    """Return when a loop-end rule may reveal this card."""
    terms = []
    for role, ability in role_abilities(view, Timing.LOOP_END):
        if isinstance(ability.does, Lose) and ability.does.reveals:
            holds = ability.when.judge(view, Actor(who, None))
            terms.append((view.acts_as(who, role.id) & holds).may)
    return any_of(terms)


def _unrevealed(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A card that had to be revealed and was not lacks the role, in every loop (L-05)."""
    if not step.complete:
        return []
    now = _revealed_now(step)
    found = []
    for role, ability in role_abilities(view, Timing.LOOP_END):
        if not (isinstance(ability.does, Lose) and ability.does.reveals and ability.mandatory):
            continue
        for who in view.board.cards:
            if who in now or view.board.revealed.get(who) == role.id:
                continue
            if not _all_reveals_known(view, step):
                continue
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            way = ~holds.must
            if way is TRUE:
                continue
            found.append(
                Piece(
                    f"unrevealed:{role.id}.{who}",
                    {flags: way},
                    (completed(step), observed(step)),
                    ("L-05",),
                    f"{when(step.at)}: {name_of(table, who)} lay dead and nothing was revealed.",
                )
            )
    return found


def _all_reveals_known(view: FormulaView, step: Step) -> bool:
    """Tell whether every earlier reveal is known: a told role need not be told again."""
    return view.board.revealed_known or step.loop == 1


def losses(view: FormulaView, step: Step, *, revealed_now: frozenset[str]) -> Judged:
    """Return when a loss condition of the loop end holds on this board (L-07).

    Args:
        view: the board when the loop ended.
        step: the step that says so.
        revealed_now: cards whose role was told in it; a dead card neither told now nor
            before explains no loss by a rule that reveals, in a complete step.
    """
    total = Judged(FALSE, FALSE)
    for plot, ability in plot_abilities(view, Timing.LOOP_END):
        if isinstance(ability.does, Lose):
            total = total | _as_told(
                view.active(plot) & ability.when.judge(view, Actor(None, None)),
                mandatory=ability.mandatory,
            )
    for role, ability in role_abilities(view, Timing.LOOP_END):
        if not isinstance(ability.does, Lose):
            continue
        # An absent card counts too: it has no Goodwill (BT-04).
        for who in dict.fromkeys((*view.cast, *view.board.cards)):
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            told = who in revealed_now or view.board.revealed.get(who) == role.id
            silence = step.complete and step.name == LOOP_END and not told
            if ability.does.reveals and silence and _all_reveals_known(view, step):
                dead = view.board.dead(who) == YES
                holds = Judged(FALSE, FALSE) if dead else holds
            total = total | _as_told(holds, mandatory=ability.mandatory)
    return total


def _as_told(truth: Judged, *, mandatory: bool) -> Judged:
    return truth if mandatory else Judged(truth.may, FALSE)


def _word(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    word = loop_end_word(step)
    now = frozenset(_revealed_now(step))
    units: tuple[Unit, ...] = (observed(step),)
    if word == LOST:
        loss = losses(view, step, revealed_now=now).may | _earlier_deaths(table, step, flags)
        if loss is TRUE:
            return []
        return [
            Piece(
                "lost",
                {flags: loss},
                (*units, completed(step)) if step.complete else units,
                ("L-07", "L-03", "L-13"),
                f"{when(step.at)}: played out and lost.",
            )
        ]
    if word == DEAD:
        return [
            Piece(
                "dead",
                {flags: _killed_last_night(table, step, flags)},
                units,
                ("L-03", "L-06"),
                f"{when(step.at)}: the Protagonists were dead.",
            )
        ]
    if word == WON:
        ended = losses(view, step, revealed_now=frozenset(view.board.cards)).must
        for other in _steps_with_deaths(table, step):
            before = FormulaView(table, other.before, flags)
            ended = ended | any_of(
                before.death_ends_loop(names[0]).must
                for names in deaths.dead_of(other)
                if len(names) == 1
            )
        way = ~ended
        if way is TRUE:
            return []
        return [Piece("won", {flags: way}, units, ("L-08",), f"{when(step.at)}: the loop was won.")]
    return []


def _killed_last_night(table: Table, step: Step, flags: Flags) -> Formula:
    """Return when the Protagonists may have died in the last night, told afterwards (L-06)."""
    from assistant.clues.night import protagonists_killed

    night = _last_night(table, step)
    if night is None:
        return FALSE
    before = FormulaView(table, night.before, flags)
    if before.shielded() == YES:
        return FALSE
    highest = night.after.gauge_max
    if table.rules.gauge is GaugeUse.KNOWLEDGE and (
        highest is None or highest >= knowledge.MADNESS
    ):
        return TRUE  # madness: a public cause (WM-04)
    return protagonists_killed(before, FormulaView(table, night.after, flags), night)


def _steps_with_deaths(table: Table, step: Step) -> list[Step]:
    """Return the steps of this loop in which somebody died."""
    return [
        other
        for other in table.steps[: step.index]
        if other.loop == step.loop and deaths.dead_of(other)
    ]


def _last_night(table: Table, step: Step) -> Step | None:
    if step.index == 0:
        return None
    before = table.steps[step.index - 1]
    return before if before.name == "night" and before.loop == step.loop else None


def _earlier_deaths(table: Table, step: Step, flags: Flags) -> Formula:
    """Return when a death explains a loss noted at the loop end.

    On the last night it may have ended the loop (L-06); at a table where such a death only
    loses the loop, any death of the loop may (L-02).
    """
    night = _last_night(table, step)
    nights = [] if night is None else [night]
    if night is not None and not night.complete:
        return TRUE  # a death of the last night may be missing from the notes
    if table.rulings[DEATH_ENDS_LOOP] is not True:
        nights = _steps_with_deaths(table, step)
        start = table.transcript.start
        corpses = any(step.before.dead(who) != NO for who in step.before.cards)
        if start is not None and start.at[0] == step.loop and corpses:
            # Who died before the late start is known, not when.
            view = FormulaView(table, step.before, flags)
            return any_of(
                view.death_ends_loop(who).may
                for who in step.before.cards
                if step.before.dead(who) in (YES, MAYBE)
            )
    return any_of(
        deaths.some_death_ended_it(FormulaView(table, other.before, flags), other)
        for other in nights
    )
