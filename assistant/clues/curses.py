"""Curse cards at night read backward: who dies of them, and where they go (HS-06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assistant.clues import deaths
from assistant.clues.model import Flags, Piece, completed, observed
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula
from engine import records
from engine.board import Board
from engine.kleene import NO, YES
from engine.rulings import CURSE_STAYS
from engine.table import Step, Table
from engine.table.apply import candidates

Names = tuple[str, ...]


def carriers(step: Step) -> frozenset[str]:
    """Return the cards that carried a curse when the night began (HS-06)."""
    return frozenset(on for on in step.before.curses if on in step.before.cards)


def cursed_tonight(step: Step) -> frozenset[str]:
    """Return the cards to which a curse may have been attached tonight; some tables kill at once.

    Where curses may have moved unnoted that is anybody.
    """
    if step.before.curses_open:
        return frozenset(step.before.cards)
    return frozenset(
        name
        for record in _moves(step)
        if record.source is None or record.source in step.before.intrigue
        for name in candidates(step.before, record.on)
        if name in step.before.cards
    )


def _moves(step: Step) -> list[records.Curse]:
    return [record for record in step.records if isinstance(record, records.Curse)]


def struck(step: Step) -> frozenset[str]:
    """Return the carriers of whom the curse surely took the life: no guard went instead."""
    if step.before.curses_open:
        return frozenset()
    guarded = {who for names in deaths.guards_of(step) for who in names}
    dead = {names[0] for names in deaths.dead_of(step) if len(names) == 1}
    return frozenset(carriers(step) & dead - guarded)


def after_curses(step: Step) -> Board:
    """Return the board of the mandatory batch: carriers that died are gone (D-15)."""
    dead = struck(step)
    if not dead:
        return step.before
    board = step.before.copy()
    for who in dead:
        board.cards[who].alive = NO
    return board


def shares(
    step: Step, events: list[tuple[Names, bool]]
) -> Iterator[tuple[frozenset[str], list[tuple[Names, bool]]]]:
    """Yield how the blows of a night may be shared out: (dead by curse, the other events).

    Args:
        step: the night.
        events: for each blow the cards it may have hit, and whether it was a death.
    """
    if not step.before.curses_open and not step.before.curses:
        yield frozenset(), events
        return
    guarded = {names[0] for names, died in events if not died and len(names) == 1}
    forced: set[str] = set()
    readings: list[tuple[str | None, ...]] = []
    tonight = cursed_tonight(step)
    for names, died in events:
        who = names[0]
        if len(names) == 1 and who in carriers(step) and not step.before.curses_open:
            first = who not in forced and not (died and who in guarded)
            forced |= {who} if first else set()
            readings.append((who,) if first else (None,))
            continue
        cursed = [name for name in names if name in tonight or name in carriers(step)]
        readings.append((None, *cursed))
    yield from _share(events, readings, 0, (), [])


def _share(
    events: list[tuple[Names, bool]],
    readings: list[tuple[str | None, ...]],
    number: int,
    hit: tuple[tuple[str, bool], ...],
    rest: list[tuple[Names, bool]],
) -> Iterator[tuple[frozenset[str], list[tuple[Names, bool]]]]:
    if number == len(events):
        yield frozenset(who for who, died in hit if died), rest
        return
    for who in readings[number]:
        if who is None:
            yield from _share(events, readings, number + 1, hit, [*rest, events[number]])
        elif all(who != other for other, _ in hit):
            entry = (who, events[number][1])
            yield from _share(events, readings, number + 1, (*hit, entry), rest)


# What the cards did ------------------------------------------------------------------------


def pieces(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Return what the moves of the curses say, seen and unseen."""
    if not table.rules.curses or step.before.curses_open:
        return []
    found = [*_seen(table, step, view, flags)]
    if step.complete and step.over is None:
        ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
        found += _unseen(table, step, view, flags, ended)
    return [piece for piece in found if piece.ways != {flags: TRUE}]


def _hit(step: Step) -> tuple[set[str], set[str]]:
    dead = {who for names in deaths.dead_of(step) for who in names}
    return dead, {who for names in deaths.guards_of(step) for who in names}


def _seen(table: Table, step: Step, view: FormulaView, flags: Flags) -> Iterator[Piece]:
    """Each curse went to somebody who lived there, or off who carried it to where that lies."""
    for number, record in enumerate(_moves(step)):
        source, board = record.source, view.board
        if not isinstance(source, str):
            continue
        if source in board.intrigue:
            fits = any(board.lives_at(who, source) for who in candidates(board, record.on))
            way: Formula = TRUE if fits else FALSE
        else:
            near = any(board.is_at(source, place) for place in candidates(board, record.on))
            way = _may_fall(step, view, source) if near else FALSE
        yield Piece(
            f"curse:{number}",
            {flags: way} if way is not FALSE else {},
            (observed(step),),
            ("HS-06",),
            f"{when(step.at)}: the curse of {name_of(table, source)} moved.",
        )


def _may_fall(step: Step, view: FormulaView, who: str) -> Formula:
    """Return when a curse may leave a card: off a corpse, or at some tables off who lives on."""
    dead, guarded = _hit(step)
    if view.board.alive(who) != YES or who in dead:
        return TRUE
    if view.rulings[CURSE_STAYS] is True:
        return FALSE
    return TRUE if who in guarded else view.unkillable(who).may


def _unseen(
    table: Table, step: Step, view: FormulaView, flags: Flags, ended: Formula
) -> Iterator[Piece]:
    """What the curses had to do and did not."""
    board = view.board
    moves = _moves(step)
    if any(not isinstance(record.source, str) for record in moves):
        return
    gone = Counter(str(record.source) for record in moves)
    for on, number in Counter(board.curses).items():
        if on in board.intrigue:
            living = any(board.lives_at(who, on) == YES for who in board.cards)
            way = ended if living and gone[on] < number else TRUE
            text = f"{when(step.at)}: a curse stayed at {name_of(table, on)}."
        else:
            way = _carrier(step, view, on, left=gone[on] < number) | ended
            text = f"{when(step.at)}: {name_of(table, on)} carried a curse."
        yield Piece(
            f"cursed:{on}",
            {flags: way} if way is not FALSE else {},
            (completed(step), observed(step)),
            ("HS-06", "HS-28"),
            text,
        )


def _carrier(step: Step, view: FormulaView, who: str, *, left: bool) -> Formula:
    """Return when a card that carried a curse may have come through like this.

    Args:
        step, view: the night.
        who: the card.
        left: some curse that it carried did not leave it.
    """
    board = view.board
    dead, guarded = _hit(step)
    if board.dead(who) == YES:
        return FALSE if left and board.cards[who].at is not None else TRUE
    if board.alive(who) != YES:
        return TRUE
    if who in dead and who not in guarded:
        return FALSE if left else TRUE
    unkillable = view.unkillable(who)
    if who in dead:
        return TRUE
    way = TRUE if who in guarded else unkillable.may
    if left and view.rulings[CURSE_STAYS] is False:
        way = FALSE if who in guarded else way & ~unkillable.must
    return way
