"""Where the log stands: the step that is noted now, the one after it, the place of a record.

Only the order of play is known here; what could happen in a step is asked of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from assistant.transcript.validate import position
from assistant.transcript.vocabulary import Vocabulary
from engine.board import Board
from engine.records import AnyRecord, At, Complete, LoopOver, Partial, Transcript, Use
from engine.table.blur import could_change
from engine.words import (
    DAY_START,
    FINAL_GUESS,
    LOOP_END,
    LOOP_START,
    NIGHT,
    STEPS,
    TIME_SPIRAL,
    WON,
)

_MOMENT: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.([a-z_]+)")
_IN_A_DAY: Final = STEPS[STEPS.index(DAY_START) : STEPS.index(NIGHT) + 1]
_AFTER_A_LOOP: Final = (LOOP_END, TIME_SPIRAL, FINAL_GUESS)


def write_moment(at: At) -> str:
    """Return a moment as it stands in addresses: ``2.3.night``."""
    loop, day, step = at
    return f"{loop}.{day}.{step}"


def read_moment(text: str) -> At | None:
    """Return the moment of an address, ``None`` when it is none."""
    match = _MOMENT.fullmatch(text)
    if match is None or match[3] not in STEPS:
        return None
    loop, day = int(match[1]), int(match[2])
    return (loop, day, match[3]) if loop and day else None


def records_at(records: Sequence[AnyRecord], at: At) -> list[tuple[int, AnyRecord]]:
    """Return the records of a step with their positions in the game."""
    return [(number, record) for number, record in enumerate(records) if record.at == at]


def is_closed(records: Sequence[AnyRecord], at: At) -> bool:
    """Tell whether the table is done with a step: noted completely, or as well as it can be."""
    return any(
        isinstance(record, Complete | Partial) and not record.doubt
        for _, record in records_at(records, at)
    )


def end_of_loop(records: Sequence[AnyRecord], loop: int) -> LoopOver | None:
    """Return the record that ended a loop, if there is one."""
    return next(
        (
            record
            for record in records
            if isinstance(record, LoopOver) and record.at[0] == loop and not record.doubt
        ),
        None,
    )


def first_moment(transcript: Transcript) -> At:
    """Return where the game begins."""
    return (1, 1, LOOP_START) if transcript.start is None else transcript.start.at


def current(transcript: Transcript, words: Vocabulary, board: Board) -> At | None:
    """Return the step that is to be noted now, ``None`` when the game is over.

    Args:
        transcript: the game.
        words: what its records may speak of.
        board: the board after the last record.
    """
    records = transcript.records
    if not records:
        return _skipped(first_moment(transcript), transcript, words, board)
    at = records[-1].at
    return following(at, transcript, words, board) if is_closed(records, at) else at


def following(at: At, transcript: Transcript, words: Vocabulary, board: Board) -> At | None:
    """Return the next step in which something can be noted, ``None`` after the last one."""
    loop, day, step = at
    end = end_of_loop(transcript.records, loop)
    if step in _AFTER_A_LOOP:
        return _after_the_loop(at, end, transcript, words)
    if end is not None and position(at) >= position(end.at):
        return loop, day, LOOP_END
    if step == LOOP_START:
        return _skipped((loop, day, DAY_START), transcript, words, board)
    if step != NIGHT:
        after = _IN_A_DAY[_IN_A_DAY.index(step) + 1]
        return _skipped((loop, day, after), transcript, words, board)
    if day >= transcript.sheet.days:
        return loop, day, LOOP_END
    return _skipped((loop, day + 1, DAY_START), transcript, words, board)


def _after_the_loop(
    at: At, end: LoopOver | None, transcript: Transcript, words: Vocabulary
) -> At | None:
    loop, day, step = at
    if step == FINAL_GUESS or (end is not None and end.word == WON):
        return None
    if loop < transcript.sheet.loops:
        return loop + 1, 1, LOOP_START
    return (loop, day, FINAL_GUESS) if words.final_guess else None


def _skipped(at: At, transcript: Transcript, words: Vocabulary, board: Board) -> At | None:
    """Return the moment itself, or the next one if nothing can be noted in it."""
    then = board.copy()
    if board.loop != at[0]:
        then.gauge = None  # what a rewind leaves of it is not known here
    then.loop, then.day = at[0], at[1]
    if could_change(words.rules, at[2], transcript.sheet, then) or at[2] == FINAL_GUESS:
        return at
    return following(at, transcript, words, board)


def place_for(records: Sequence[AnyRecord], at: At, use: int | None = None) -> int:
    """Return the position at which a new record of a step belongs.

    Args:
        records: the game so far.
        at: the step.
        use: position of the use whose effect it is; the record then follows its effects.
    """
    if use is not None:
        place = use + 1
        while place < len(records) and records[place].at == at and records[place].by_use:
            place += 1
        return place
    return sum(position(record.at) <= position(at) for record in records)


def uses_at(records: Sequence[AnyRecord], at: At) -> list[tuple[int, Use]]:
    """Return the uses of abilities in a step, with their positions."""
    return [
        (number, record) for number, record in records_at(records, at) if isinstance(record, Use)
    ]
