"""The night read backward: who had to die, and what explains who did."""

from __future__ import annotations

from collections import Counter

from assistant.clues import curses, deaths, haunting, knowledge, night_demands, night_kills
from assistant.clues.loop_end import losses
from assistant.clues.model import Flags, Piece, add_way, observed
from assistant.clues.stray import untimed
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import TRUE, Formula, any_of
from engine import records
from engine.kleene import NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import (
    GaugeUse,
    KillEverybody,
    KillProtagonists,
    Timing,
)
from engine.rules.queries import plot_abilities, role_abilities
from engine.table import Step, Table
from engine.table.apply import candidates
from engine.words import DEAD, LOST, NO_WORD


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a night under given flags (D-01 to D-17)."""
    view = FormulaView(table, step.before, flags)
    after = FormulaView(table, step.after, flags)
    # Curses come before even mandatory abilities (D-15).
    batch = view
    if table.rules.curses:
        batch = FormulaView(table, curses.after_curses(step), flags)
    tokens = Counter[tuple[str, str]]()
    for record in step.records:
        if isinstance(record, records.Token) and record.on not in view.board.intrigue:
            names = candidates(step.before, record.on)
            tokens[names[0] if len(names) == 1 else "somebody", record.token] += record.n
    return [
        *curses.pieces(table, step, view, flags),
        *night_demands.companions_due(table, step, batch, flags),
        *night_demands.kills_due(table, step, batch, flags),
        *night_demands.protagonists_spared(table, step, batch, after, flags),
        *night_demands.own_deaths_due(table, step, batch, flags),
        *haunting.nobody_struck(table, step, batch, flags),
        *haunting.deadly_night_spared(table, step, view, flags),
        *night_kills.explained(table, step, batch, flags),
        *haunting.walking(table, step, view, flags),
        *_stray_tokens(table, step, view, flags),
        *deaths.killable(table, step, view, flags),
        *deaths.play_went_on(table, step, view, flags),
        *deaths.reactions(table, step, view, flags, tokens),
        *deaths.reveals(table, step, view, flags),
        *knowledge.night_gauge(table, step, view, flags),
        *knowledge.madness(table, step, view, flags),
        *_word(table, step, view, after, flags),
    ]


def _stray_tokens(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A token on a location now: a plot rule without a printed timing may explain it (M-08)."""
    events = [
        (record.on, record.token, record.n)
        for record in step.records
        if isinstance(record, records.Token) and record.on in view.board.intrigue
    ]
    found = []
    for number, (on, token, n) in enumerate(events):
        ways = untimed(view, flags, on, token, n)
        found.append(
            Piece(
                f"stray:{number}",
                ways,
                (observed(step),),
                ("M-08",),
                f"{when(step.at)}: a token came on {name_of(table, on)}.",
            )
        )
    return found


def _word(
    table: Table, step: Step, view: FormulaView, after: FormulaView, flags: Flags
) -> list[Piece]:
    if step.over is None:
        return []
    word = step.over.word
    ways: dict[Flags, Formula] = {}
    if word in (DEAD, NO_WORD) and view.shielded() != YES:
        add_way(ways, flags, protagonists_killed(view, after, step))
        add_way(ways, flags, haunting.deadly_incident(table, step, flags)[0])
        if table.rules.gauge is GaugeUse.KNOWLEDGE and (
            step.after.gauge_max is None or step.after.gauge_max >= knowledge.MADNESS
        ):
            add_way(ways, flags, TRUE)  # madness: a public cause (WM-04)
    if word in (LOST, NO_WORD) and not step.complete:
        return []  # the death that ended it may be missing from the notes
    if word in (LOST, NO_WORD):
        add_way(ways, flags, deaths.some_death_ended_it(view, step))
        if step.last_night:
            add_way(ways, flags, losses(after, step, revealed_now=frozenset()).may)
    if word not in (DEAD, LOST, NO_WORD):
        return []
    rulings = ("D-12", "G-15") if word == DEAD else ("D-13", "L-06")
    said = "the Protagonists were dead" if word == DEAD else "the loop was lost"
    return [Piece("word", ways, (observed(step),), rulings, f"{when(step.at)}: {said} at Day End.")]


def protagonists_killed(view: FormulaView, after: FormulaView, step: Step) -> Formula:
    """Return when somebody still alive could kill the Protagonists tonight (D-12, D-08)."""
    gone = {who for names in deaths.dead_of(step) for who in names if len(names) == 1}
    terms = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not isinstance(ability.does, KillProtagonists | KillEverybody):
            continue
        for who in view.board.cards:
            # In the mandatory batch a source may fall in the same instant (D-17).
            fallen = who in gone and not ability.mandatory
            if fallen or view.board.alive(who) == NO:
                continue
            actor = Actor(who, None)
            # Counts may rise tonight (a partner's death): the condition may hold at any moment.
            holds = ability.when.judge(view, actor) | ability.when.judge(after, actor)
            term = (view.acts_as(who, role.id) & holds).may
            if isinstance(ability.does, KillEverybody):
                term = term & night_kills.everybody_hit(view, step)
            terms.append(term)
    for plot, ability in plot_abilities(view, Timing.NIGHT):
        if isinstance(ability.does, KillProtagonists):
            nobody = Actor(None, None)
            holds = ability.when.judge(view, nobody) | ability.when.judge(after, nobody)
            terms.append((view.active(plot) & holds).may)
    return any_of(terms)
