"""From a compiled table to clues: one forward filter over hidden states.

Most conditions of a step are the same whatever happened unseen before, and become a clue of
their own. Where a hidden choice matters (a once-a-loop rule, an acceptance that nobody saw),
one formula per flag set is carried along, and the clue says that some path of hidden choices
fits: the exact way out of choices that outlive a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import msgspec

from assistant.clues import (
    cards,
    goodwill,
    guess,
    incident,
    loop_end,
    loop_start,
    mastermind,
    night,
)
from assistant.clues.model import NO_FLAGS, Clue, Flags, Piece, Unit
from assistant.clues.view import cast_of
from assistant.formula import FALSE, TRUE, Formula, any_of
from engine.rules.model import Timing
from engine.table import Step, Table
from engine.words import (
    CARDS,
    DAY_START,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    STEP_ORDER,
)

ANSWERS_KEPT = 20_000
"""Answers about roles at a moment that are kept for a game before they are dropped."""

Builder = Callable[[Table, Step, Flags], list[Piece]]

BUILDERS: dict[str, Builder] = {
    LOOP_START: loop_start.pieces,
    DAY_START: loop_start.day_start_pieces,
    CARDS: cards.pieces,
    MASTERMIND_STEP: mastermind.pieces,
    GOODWILL_STEP: goodwill.pieces,
    INCIDENT_STEP: incident.pieces,
    NIGHT: night.pieces,
    LOOP_END: loop_end.pieces,
    FINAL_GUESS: guess.pieces,
}


class _Filter:
    """Flag sets that are still possible, each with the formula that leads there."""

    def __init__(self, states: Iterable[Flags]) -> None:
        self.states: dict[Flags, Formula] = dict.fromkeys(states, TRUE)
        self.units: tuple[Unit, ...] = ()
        self.rulings: tuple[str, ...] = ()

    def forget(self, keep: Callable[[tuple[str, ...]], bool]) -> None:
        """Drop flags whose time is over, joining states that become equal."""
        joined: dict[Flags, Formula] = {}
        for flags, formula in self.states.items():
            kept = frozenset(flag for flag in flags if keep(flag))
            joined[kept] = joined.get(kept, FALSE) | formula
        if len(joined) == 1:
            # Whatever led here has been said by the clues already emitted.
            joined = dict.fromkeys(joined, TRUE)
            self.units, self.rulings = (), ()
        self.states = joined


def derive(table: Table) -> list[Clue]:
    """Return the clues of a game, in the order of its steps.

    A world could have shown everything that was noted if and only if it satisfies all of
    them (P-01); the truth is never among the worlds they exclude. What was derived for a step
    is kept in ``table.scratch``: a later table of the same game only pays for what changed.
    """
    clues: list[Clue] = []
    states = _Filter(_states_at_start(table))
    loop: int | None = None
    history: object = None
    for step in table.steps:
        if loop is not None and step.loop != loop:
            states.forget(lambda flag: False)
            history = None
        loop = step.loop
        history = (history, fingerprint(step))
        clues += _step_clues(table, step, states, hash(history))
        if step.gap:
            states = _Filter(_any_flags(table))
        if step.name == NIGHT:
            states.forget(lambda flag: flag[0] != "today")
    _tidy(table.scratch)
    return clues


def _tidy(scratch: dict[object, Any]) -> None:
    """Keep only what this game still uses: edits must not make the memory grow."""
    scratch["pieces"] = scratch.pop("used pieces", {})
    if len(scratch.get("answers", ())) > ANSWERS_KEPT:
        scratch["answers"] = {}


def fingerprint(step: Step) -> tuple[object, ...]:
    """Return all of a step that its conditions can depend on, as a hashable value."""
    board = step.before
    cards = tuple(
        (who, card.at, card.alive, card.goodwill, card.unease, card.intrigue, card.guard)
        for who, card in board.cards.items()
    )
    public = (
        tuple(board.intrigue.values()),
        tuple(sorted(board.occurred.items())),
        board.occurred_before,
        tuple(sorted(board.revealed.items())),
        board.revealed_known,
        frozenset(board.maybe_revealed),
        tuple(sorted(board.effects.items())),
        None if board.goodwill_last_loop is None else tuple(board.goodwill_last_loop.items()),
        (board.gauge, board.gauge_max, board.gauge_loop_start, board.gauge_last_loop),
        (board.gauge_rose, step.after.gauge, tuple(board.curses), board.curses_open),
        (frozenset(board.used_today), board.borrowed),
        tuple(sorted(board.extra_cards)),
        tuple(board.starts.items()),
    )
    how = (
        step.index,
        step.at,
        step.complete,
        step.partial,
        step.continues,
        step.last_night,
        step.gap,
        step.early_end,
        step.ends_loop,
        step.lost_anyway,
        step.dead_later,
    )
    return how, cards, public, msgspec.json.encode(step.records)


def _step_clues(table: Table, step: Step, states: _Filter, history: int) -> list[Clue]:
    builder = BUILDERS.get(step.name)
    if builder is None or step.gap:
        return []
    kept: dict[object, list[Piece]] = table.scratch.setdefault("pieces", {})
    used: dict[object, list[Piece]] = table.scratch.setdefault("used pieces", {})

    def made(flags: Flags) -> list[Piece]:
        key = (history, flags)
        found = used.get(key)
        if found is None:
            found = used[key] = kept.get(key) or builder(table, step, flags)
        return found

    def by_key(flags: Flags) -> dict[str, Piece]:
        return {piece.key: piece for piece in made(flags)}

    clues: list[Clue] = []
    done: set[str] = set()
    while True:
        known = {flags: by_key(flags) for flags in states.states}
        key = next((key for pieces in known.values() for key in pieces if key not in done), None)
        if key is None:
            return clues
        done.add(key)
        sample = next(pieces[key] for pieces in known.values() if key in pieces)
        # Where the flags leave no such condition, it holds.
        pieces = {
            flags: own.get(key) or replace(sample, ways={flags: TRUE})
            for flags, own in known.items()
        }
        plain = _plain(pieces)
        if plain is not None:
            if plain is not TRUE:
                clues.append(_clue(step, sample, plain, sample.units, sample.rulings))
            continue
        clues.append(_linked(step, states, pieces, sample))
        if not states.states:
            # A contradiction: the clue is FALSE; go on as if nothing were known.
            states.states = dict.fromkeys(pieces, TRUE)


def _plain(pieces: dict[Flags, Piece]) -> Formula | None:
    """Return the one formula of a piece that neither asks for nor changes any flag."""
    formulas = set()
    for flags, piece in pieces.items():
        if set(piece.ways) - {flags}:
            return None
        formulas.add(piece.ways.get(flags, FALSE))
    return formulas.pop() if len(formulas) == 1 else None


def _linked(step: Step, states: _Filter, pieces: dict[Flags, Piece], sample: Piece) -> Clue:
    after: dict[Flags, Formula] = {}
    for flags, formula in states.states.items():
        for target, way in pieces[flags].ways.items():
            joined = formula & way
            if joined is not FALSE:
                after[target] = after.get(target, FALSE) | joined
    units = tuple(dict.fromkeys((*states.units, *sample.units)))
    rulings = tuple(dict.fromkeys((*sample.rulings, *states.rulings)))
    states.states, states.units, states.rulings = after, units, rulings
    return _clue(step, sample, any_of(after.values()), units, rulings)


def _clue(
    step: Step,
    piece: Piece,
    formula: Formula,
    units: tuple[Unit, ...],
    rulings: tuple[str, ...],
) -> Clue:
    kind = f"{step.name}.{piece.key.split(':')[0]}"
    return Clue(step.index, step.at, kind, formula, units, rulings, piece.text)


def _states_at_start(table: Table) -> list[Flags]:
    """Return the hidden states in which a game may begin: several after a late start."""
    start = table.transcript.start
    if start is None:
        return [NO_FLAGS]
    _, day, name = start.at
    if (day, STEP_ORDER[name]) <= (1, STEP_ORDER[MASTERMIND_STEP]):
        return [NO_FLAGS]
    today = STEP_ORDER[name] > STEP_ORDER[MASTERMIND_STEP]
    return _any_flags(table, today=today)


def _any_flags(table: Table, *, today: bool = False) -> list[Flags]:
    """Return every flag set that unseen uses could have left."""
    flags: list[tuple[str, ...]] = [
        ("used", ability.id)
        for plot in table.rules.plots.values()
        for ability in plot.abilities
        if ability.limit_per_loop(table.rulings) == 1 and ability.timing is Timing.MASTERMIND
    ]
    if today:
        flags += [
            ("today", who, ability.key)
            for who in cast_of(table)
            for ability in table.rules.characters[who].goodwill
            if ability.mastermind
        ]
    return [
        frozenset(chosen) for size in range(len(flags) + 1) for chosen in combinations(flags, size)
    ]
