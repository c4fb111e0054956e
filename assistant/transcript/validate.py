"""Is a transcript well-formed? Everything that can be told without judging the rules.

The board is not followed here: whether a character is a corpse, or has the Goodwill that an
ability needs, is for ``engine.table``; what a Mastermind could do, for the clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.transcript.cardcheck import card_problems
from assistant.transcript.errors import (
    AgainstTheRules,
    JsonPath,
    Malformed,
    NotModelled,
    TableError,
    at_words,
    choices,
)
from assistant.transcript.forms import transcript_problems
from assistant.transcript.kinds import kind_of
from assistant.transcript.recordcheck import record_problems
from assistant.transcript.sheetcheck import header_problems, moment_problems
from assistant.transcript.source import Source
from assistant.transcript.vocabulary import Vocabulary, modelled_set
from engine import records
from engine.records import AnyRecord, At, Transcript
from engine.sets import RULEBOOKS
from engine.words import FINAL_GUESS, GOODWILL_STEP, LOOP_END, STEP_ORDER, TIME_SPIRAL, WON

_AFTER_THE_LOOP = (LOOP_END, TIME_SPIRAL, FINAL_GUESS)
_ONCE_A_STEP = (
    records.NoEffect,
    records.Spell,
    records.LoopOver,
    records.Complete,
    records.Partial,
)
_SEEN_EFFECTS = (
    records.Token,
    records.Moved,
    records.Death,
    records.GuardLost,
    records.Curse,
    records.ExtraCard,
)
_AT_AN_EARLY_END = (records.Reveal, records.Recount, records.Complete, records.Partial)


def check(transcript: Transcript, source: Source | None = None) -> None:
    """Refuse a transcript that is not well-formed.

    Args:
        transcript: the game.
        source: where its parts stand in its file, for the error.

    Raises:
        TableError: the first problem.
    """
    for error in problems(transcript, source):
        raise error


def problems(transcript: Transcript, source: Source | None = None) -> list[TableError]:
    """Return all that is wrong with a transcript, in reading order; empty when well-formed."""
    found = list(transcript_problems(transcript))
    # Ids and order only make sense where the form is right.
    if not found:
        try:
            rules = modelled_set(RULEBOOKS, transcript.sheet.set, ("sheet", "set"))
            found = list(
                _all_problems(transcript, Vocabulary(rules, transcript.sheet, transcript.start))
            )
        except NotModelled as unknown_set:
            found = [unknown_set]
    for error in found:
        _place(error, transcript, source)
    return found


def _place(error: TableError, transcript: Transcript, source: Source | None) -> None:
    at = None if error.record is None else transcript.records[error.record - 1].at
    if source is None:
        error.placed(at=at)
    else:
        error.placed(file=source.name, position=source.locate(error.path), at=at)


def _all_problems(transcript: Transcript, words: Vocabulary) -> Iterator[TableError]:
    header = list(header_problems(transcript, words))
    yield from header
    found: list[TableError] = []
    for number, record in enumerate(transcript.records):
        path: JsonPath = ("records", number)
        found += moment_problems(record.at, words.sheet, (*path, "at"))
        found += record_problems(record, words, path)
    found += _order_problems(transcript)
    found += _step_problems(transcript)
    found += _end_problems(transcript)
    found += card_problems(transcript, words)
    yield from sorted(found, key=lambda error: error.record or 0)


def position(at: At) -> tuple[int, int, int]:
    """Return a moment in a form that sorts."""
    return at[0], at[1], STEP_ORDER[at[2]]


def _order_problems(transcript: Transcript) -> Iterator[TableError]:
    """Yield records that come too late, and those before a late start."""
    start = transcript.start
    latest: At | None = None
    for number, record in enumerate(transcript.records):
        path: JsonPath = ("records", number, "at")
        if start is not None and position(record.at) < position(start.at):
            yield Malformed(
                f"this lies before the start of the transcript at {at_words(start.at)}",
                remedy="Correct the moment, or start earlier.",
                path=path,
            )
        elif latest is not None and position(record.at) < position(latest):
            follower = next(
                other
                for other, before in enumerate(transcript.records)
                if position(before.at) > position(record.at)
            )
            yield Malformed(
                f"this record comes too late, after {at_words(latest)}",
                expected=f"it before record {follower + 1}",
                remedy="Move it there, or correct its moment: records stand in the order of play.",
                path=path,
            )
            return  # one record with a wrong moment makes all later ones look late
        else:
            latest = record.at


def _step_problems(transcript: Transcript) -> Iterator[TableError]:
    """Yield records that contradict or repeat others of their step."""
    steps: dict[At, list[tuple[int, AnyRecord]]] = {}
    for number, record in enumerate(transcript.records):
        steps.setdefault(record.at, []).append((number, record))
    for at, everything in steps.items():
        yield from _by_use_problems(everything)
        numbered = [(number, record) for number, record in everything if not record.doubt]
        seen: set[type] = set()
        scheduled = max(1, len(transcript.sheet.incidents_on(at[1])))
        for number, record in numbered:
            path: JsonPath = ("records", number)
            if isinstance(record, _ONCE_A_STEP):
                if type(record) in seen:
                    yield Malformed(
                        f"a second {kind_of(record).tag!r} record in one step",
                        remedy="Delete one of the two.",
                        path=path,
                    )
                seen.add(type(record))
            if isinstance(record, records.Happens):
                scheduled -= 1
                if scheduled < 0:
                    yield Malformed(
                        "the incident of the day is judged twice",
                        remedy="Delete one of the two records.",
                        path=path,
                    )
        yield from _no_effect_problems([record for _, record in numbered], numbered)
        yield from _gauge_problems(numbered)
        yield from _guess_problems(numbered)


def _by_use_problems(numbered: Sequence[tuple[int, AnyRecord]]) -> Iterator[TableError]:
    used = False
    for number, record in numbered:
        used = used or isinstance(record, records.Use)
        if record.by_use and not used:
            yield Malformed(
                "by_use marks the effect of a use, and no use stands before it in the step",
                expected=f"a use record before it, in the step {GOODWILL_STEP!r}",
                remedy="Delete by_use, or put the use before it.",
                path=("records", number, "by_use"),
            )


def _no_effect_problems(
    together: Sequence[AnyRecord], numbered: Sequence[tuple[int, AnyRecord]]
) -> Iterator[TableError]:
    if sum(isinstance(record, records.Happens) for record in together) > 1:
        return  # with two incidents on a day, one may have shown nothing
    silent = any(isinstance(record, records.Happens) and not record.occurs for record in together)
    seen = any(isinstance(record, _SEEN_EFFECTS) for record in together)
    for number, record in numbered:
        if isinstance(record, records.NoEffect) and (silent or seen):
            what = "does not happen" if silent else "had an effect that is noted"
            yield AgainstTheRules(
                f"no_effect says that the incident happened and showed nothing, but it {what}",
                remedy="Delete one of the two records.",
                rule="I-04",
                path=("records", number),
            )


def _gauge_problems(numbered: Sequence[tuple[int, AnyRecord]]) -> Iterator[TableError]:
    before: records.Gauge | None = None
    for number, record in numbered:
        if isinstance(record, records.Gauge):
            unordered = before is not None and not (
                (record.by_use and before.by_use) or (record.ordered and before.ordered)
            )
            if unordered and before is not None and before.value != record.value:
                yield Malformed(
                    f"the gauge ends the step at {record.value} and at {before.value}",
                    expected="one value, or both marked as ordered",
                    remedy="Delete one of the two.",
                    path=("records", number),
                )
            before = record


def _guess_problems(numbered: Sequence[tuple[int, AnyRecord]]) -> Iterator[TableError]:
    guessed: set[records.Who] = set()
    wrong = 0
    for number, record in numbered:
        if isinstance(record, records.Guess):
            wrong += not record.right
            if record.who in guessed or wrong > 1:
                yield AgainstTheRules(
                    "this character is guessed twice"
                    if record.who in guessed
                    else "a second answer is wrong, and the first ends the Final Guess",
                    remedy="Delete one of the two.",
                    rule="F-02",
                    path=("records", number),
                )
            guessed.add(record.who)


def _end_problems(transcript: Transcript) -> Iterator[TableError]:
    """Yield records that come after their loop, or the game, was over."""
    over: dict[int, records.LoopOver] = {}
    closing: dict[int, At] = {}
    game_over: tuple[AnyRecord, str] | None = None
    for number, record in enumerate(transcript.records):
        path: JsonPath = ("records", number)
        loop, day, step = record.at
        if game_over is not None and loop > game_over[0].at[0]:
            yield AgainstTheRules(
                f"the game was over in loop {game_over[0].at[0]}",
                remedy="Delete the record, or correct how that loop ended.",
                rule=game_over[1],
                path=path,
            )
        elif game_over is not None and step == FINAL_GUESS and game_over[1] == "L-08":
            yield AgainstTheRules(
                f"the Protagonists won in loop {loop}: there is no Final Guess",
                remedy="Delete the record, or correct how the loop ended.",
                rule="L-08",
                path=path,
            )
        end = over.get(loop)
        if end is not None and position(record.at) > position(end.at):
            yield from _after_the_end(record, end, path)
        elif loop in closing and day != closing[loop][1]:
            yield AgainstTheRules(
                f"loop {loop} ended on day {closing[loop][1]}",
                expected=f"day {closing[loop][1]}, or the next loop",
                remedy="Correct the day.",
                path=(*path, "at"),
            )
        if step in _AFTER_THE_LOOP:
            closing.setdefault(loop, record.at)
        if isinstance(record, records.LoopOver) and not record.doubt:
            over.setdefault(loop, record)
            if record.word == WON:
                game_over = (record, "L-08")
        if isinstance(record, records.Guess) and not record.doubt:
            game_over = (record, "F-02")


def _after_the_end(
    record: AnyRecord, end: records.LoopOver, path: JsonPath
) -> Iterator[TableError]:
    loop, day, step = record.at
    early = end.at[2] != LOOP_END
    if step not in _AFTER_THE_LOOP or day != end.at[1]:
        yield AgainstTheRules(
            f"loop {loop} was over at {at_words(end.at)}",
            expected=f"{choices(_AFTER_THE_LOOP)} of day {end.at[1]}, or the next loop",
            remedy="Correct the moment, or delete the loop_over record.",
            rule="L-01",
            path=(*path, "at"),
        )
    elif early and step == LOOP_END and not isinstance(record, _AT_AN_EARLY_END):
        yield AgainstTheRules(
            f"loop {loop} was over at {at_words(end.at)}, and its loop_end has "
            f"a {kind_of(record).tag!r} record",
            expected="only reveals there",
            remedy="Note it in the step in which it was seen, or delete one loop_over record.",
            rule="L-05",
            path=path,
        )
