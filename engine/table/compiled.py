"""Compiling a transcript into steps, each with the board before and after it."""

from __future__ import annotations

from collections.abc import Mapping

from engine import records
from engine.board import Board
from engine.kleene import MAYBE, NO
from engine.records import AnyRecord, CardResult, LoopOver, PlayedCard, Transcript
from engine.rules.model import EndLoop, GaugeUse, Rulebook
from engine.rulings import TableRulings
from engine.sets import RULEBOOKS
from engine.table.apply import apply_record, noted_places
from engine.table.blur import blur, could_change, forget_everything
from engine.table.calendar import STEP_NAMES, order, steps_between
from engine.table.cards import resolve_cards
from engine.table.start import add_start_tokens, forget, fresh_board, late_board
from engine.table.step import Step, Table
from engine.words import (
    CARDS,
    DEAD,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    NO_WORD,
    STEP_ORDER,
    TIME_SPIRAL,
)


def compile_table(
    transcript: Transcript,
    rules: Rulebook | None = None,
    rulings: TableRulings | None = None,
) -> Table:
    """Follow the public board through a transcript.

    Args:
        transcript: a well-formed transcript (``assistant.transcript`` checks that).
        rules: the set to read it by; the sheet's own set by default.
        rulings: the table's readings; those of the transcript by default.

    Returns:
        The compiled table; records that break public rules stand in its ``problems``.
    """
    table = Table(
        transcript,
        rules or RULEBOOKS[transcript.sheet.set],
        rulings or TableRulings(transcript.rulings),
    )
    _Compiler(table).run()
    return table


def _in_turn(step: Step) -> list[tuple[int, AnyRecord]]:
    """Return the records of a step, with their numbers, in the order in which they count.

    The Mastermind's tokens are told in no order: what was removed may have come only just
    before (M-04), so that what was placed counts first.
    """
    listed = list(zip(step.numbers, step.records, strict=True))
    if step.name != MASTERMIND_STEP or any(record.ordered for record in step.records):
        return listed
    return sorted(listed, key=lambda item: _turn(item[1]))


def _turn(record: AnyRecord) -> int:
    match record:
        case records.Token(n=n) if n > 0:
            return 0
        case records.Shifted():
            return 1
        case records.Token():
            return 2
        case records.Recount():  # it tells of the end of the step
            return 3
        case _:
            return 0


class _Compiler:
    """Walks through the steps once; a recount that differs sends it back (see ``run``)."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = table.rules
        self.sheet = table.sheet
        self.numbered: dict[tuple[int, int, str], list[int]] = {}
        for number, record in enumerate(table.transcript.records):
            self.numbered.setdefault(record.at, []).append(number)
        self.last = max(self.numbered, key=order, default=None)
        # Paths of values that a recount found wrong, by loop (they are unknown before it).
        self.wrong: dict[int, list[tuple[int, str]]] = {}

    def run(self) -> None:
        """Compile; repeat with values unknown that a recount showed to have been wrong."""
        for _ in range(1 + len(self.table.transcript.records)):
            self.table.steps.clear()
            self.table.problems.clear()
            if not self._pass():
                return

    def _pass(self) -> bool:
        start = self.table.transcript.start
        entered: frozenset[str] = frozenset()
        first = start.at if start is not None else (1, 1, LOOP_START)
        board = (
            late_board(self.rules, self.sheet, start)
            if start is not None
            else fresh_board(self.rules, self.sheet, 1, None, entered)
        )
        found_wrong = False
        for at, gap in self._plan(first):
            loop, day, name = at
            if loop != board.loop:
                entered = self._entered(board)
                board = fresh_board(self.rules, self.sheet, loop, board, entered)
            step, wrong = self._step(board, at, gap)
            found_wrong = found_wrong or wrong
            self.table.steps.append(step)
            board = step.after.copy()
            if name == NIGHT:
                board.day = day + 1
                board.used_today.clear()
        self._judge_continuation()
        return found_wrong

    def _entered(self, board: Board) -> frozenset[str]:
        """Return late characters that, once in, are there from every later loop start on."""
        return frozenset(
            who
            for who in board.cards
            if who not in self.sheet.cast
            and (entry := self.rules.characters[who].entry) is not None
            and entry.value == "loop"
        )

    def _plan(self, first: tuple[int, int, str]) -> list[tuple[tuple[int, int, str], bool]]:
        """Return the steps to compile, in order, each with "this is an unnoted stretch"."""
        noted = set(self.numbered)
        if not noted:
            return [(first, False)]
        last = max(noted, key=order)
        plan: list[tuple[tuple[int, int, str], bool]] = []
        for loop in range(first[0], last[0] + 1):
            in_loop = [at for at in noted if at[0] == loop]
            ends = [at for at in in_loop if at[2] in (LOOP_END, TIME_SPIRAL, FINAL_GUESS)]
            days = [at for at in in_loop if at not in ends]
            over_at = self._over_at(days)
            start_day = first[1] if loop == first[0] else 1
            start_step = first[2] if loop == first[0] else LOOP_START
            if start_step in (LOOP_END, TIME_SPIRAL, FINAL_GUESS):
                steps: list[tuple[int, int, str]] = []
                stop = None
            else:
                stop, unnoted = self._stop(loop, last, over_at, ends, days)
                steps = steps_between(loop, (start_day, start_step), stop)
                if unnoted:
                    plan += [(at, False) for at in steps]
                    plan.append(((loop, self.sheet.days, LOOP_END), True))
                    continue
            plan += [(at, False) for at in steps]
            if ends or loop < last[0]:
                end_day = max(
                    [at[1] for at in ends] or [over_at[1] if over_at else self.sheet.days]
                )
                plan.append(((loop, end_day, LOOP_END), False))
                plan += [
                    ((loop, end_day, name), False)
                    for name in (TIME_SPIRAL, FINAL_GUESS)
                    if any(at[2] == name for at in ends)
                ]
        return plan

    def _over_at(self, days: list[tuple[int, int, str]]) -> tuple[int, int, str] | None:
        for at in days:
            for number in self.numbered[at]:
                record = self.table.transcript.records[number]
                if isinstance(record, LoopOver) and not record.doubt:
                    return at
        return None

    def _stop(
        self,
        loop: int,
        last: tuple[int, int, str],
        over_at: tuple[int, int, str] | None,
        ends: list[tuple[int, int, str]],
        days: list[tuple[int, int, str]],
    ) -> tuple[tuple[int, str] | None, bool]:
        """Return (day, step) of the last step of the loop to compile, and "the rest is unnoted"."""
        latest = max(((at[1], STEP_ORDER[at[2]]) for at in days), default=None)
        named = None if latest is None else (latest[0], STEP_NAMES[latest[1]])
        if over_at is not None:
            return (over_at[1], over_at[2]), False
        if ends:
            end_day = max(at[1] for at in ends)
            if self._ended_by_incident(loop, end_day):
                return (end_day, INCIDENT_STEP), False
            return (end_day, NIGHT), end_day < self.sheet.days
        if loop < last[0]:
            return named, named is None or named[0] < self.sheet.days or named[1] != NIGHT
        return named, False

    def _ended_by_incident(self, loop: int, day: int) -> bool:
        """Tell whether the incident of a day ended the loop after its step (MC-19)."""
        numbers = self.sheet.incidents_on(day)
        parts = [
            part
            for number in numbers
            for part in self.rules.incidents[self.sheet.incidents[number].incident].parts
        ]
        night = self.numbered.get((loop, day, NIGHT), [])
        happened = any(
            isinstance(record := self.table.transcript.records[number], records.Happens)
            and record.occurs
            for number in self.numbered.get((loop, day, INCIDENT_STEP), [])
        )
        return happened and not night and any(isinstance(part, EndLoop) for part in parts)

    def _step(self, board: Board, at: tuple[int, int, str], gap: bool) -> tuple[Step, bool]:
        loop, day, name = at
        before = board.copy()
        before.day = day
        for until, path in self.wrong.get(loop, ()):
            if len(self.table.steps) <= until:
                forget(before, path)
        numbers = self.numbered.get(at, [])
        everything = [self.table.transcript.records[number] for number in numbers]
        kept = [(n, r) for n, r in zip(numbers, everything, strict=True) if not r.doubt]
        marked = any(isinstance(record, records.Complete) for _, record in kept)
        doubtful = len(kept) < len(everything)
        partial_marked = any(isinstance(record, records.Partial) for _, record in kept)
        silent = not could_change(self.rules, name, self.sheet, before)
        complete = (marked or (silent and not everything)) and not doubtful and not partial_marked
        is_last = at == self.last
        partial = gap or doubtful or partial_marked or (not complete and not is_last)
        step_records = tuple(record for _, record in kept)
        if gap:
            forget_everything(self.rules, before)
        elif partial:
            blur(self.rules, self.sheet, before, name, step_records)
        over = next((r for r in step_records if isinstance(r, LoopOver)), None)
        step = Step(
            len(self.table.steps),
            loop,
            day,
            name,
            step_records,
            tuple(n for n, _ in kept),
            complete and not gap,
            partial,
            False,
            over,
            name == NIGHT and day == self.sheet.days,
            before,
            before.copy(),
            self._ground(before, name, step_records, still_open=not complete and not partial),
            gap,
        )
        wrong = self._apply(step)
        return step, wrong

    def _ground(
        self, before: Board, name: str, noted: tuple[AnyRecord, ...], *, still_open: bool
    ) -> Board:
        """Return the board on which the records of a step are explained (``Step.ground``).

        The Mastermind's events are told in no order (M-04): while his step is still being
        noted, what enabled one of them may come later.
        """
        if not still_open or name != MASTERMIND_STEP:
            return before
        ground = before.copy()
        blur(self.rules, self.sheet, ground, name, noted)
        return ground

    def _apply(self, step: Step) -> bool:
        wrong = False
        counted: list[records.Recount] = []
        for number, record in _in_turn(step):
            self._check(step, number, record)
            if isinstance(record, records.Recount):
                if step.name == CARDS:
                    counted.append(record)
                    continue
                wrong = self._recount(step, record) or wrong
            if not isinstance(record, PlayedCard | CardResult):
                apply_record(self.rules, step.after, record)
        if step.name == CARDS:
            resolve_cards(self.table, step)
        # The cards of a day are resolved together: who counts then counts what they gave.
        for recount in counted:
            wrong = self._recount(step, recount) or wrong
            apply_record(self.rules, step.after, recount)
        if step.name == LOOP_START:
            add_start_tokens(self.rules, step.after, noted_places(step.records))
        self._aftermath(step)
        return wrong

    def _aftermath(self, step: Step) -> None:
        from engine.table import aftermath

        if step.name == LOOP_START:
            aftermath.start_gauge(self.rules, step)
        elif step.name == INCIDENT_STEP:
            aftermath.incident_aftermath(self.rules, self.sheet, step)
        elif step.name == GOODWILL_STEP:
            aftermath.borrowed_aftermath(self.rules, self.sheet, step)
            aftermath.goodwill_aftermath(self.rules, step)
        if self.rules.gauge is GaugeUse.KNOWLEDGE:
            aftermath.knowledge_aftermath(self.rules, self.sheet, step)

    def _recount(self, step: Step, record: records.Recount) -> bool:
        """Note which tracked values the recount contradicts; return whether there are new ones."""
        new = False
        known = self.wrong.setdefault(step.loop, [])
        given = record.board
        for section in ("characters", "locations"):
            values: Mapping[str, object] = given.get(section) or {}  # type: ignore[assignment]
            for name, fields in values.items():
                if not isinstance(fields, Mapping):
                    continue  # null: nobody knows
                for key, value in fields.items():
                    path = f"{section}.{name}.{key}"
                    tracked = _value(step.after, section, name, key)
                    if tracked is None or tracked == value or value is None:
                        continue
                    if all(path != other for _, other in known):
                        known.append((step.index, path))
                        new = True
        return new

    def _check(self, step: Step, number: int, record: AnyRecord) -> None:
        from engine.table.checks import check_record

        problem = check_record(self.rules, self.sheet, step, number, record)
        if problem is not None:
            self.table.problems.append(problem)

    def _judge_continuation(self) -> None:
        """Fill in which steps were followed by play in the same loop, and unworded losses."""
        steps = self.table.steps
        for position, step in enumerate(steps):
            later = [other for other in steps[position + 1 :] if other.loop == step.loop]
            played_on = any(
                other.numbers and other.name not in (LOOP_END, TIME_SPIRAL, FINAL_GUESS)
                for other in later
            )
            natural_end = any(other.name == LOOP_END and not other.gap for other in later) and not (
                any(other.over for other in (step, *later) if other.name != LOOP_END)
            )
            step.ends_loop = (
                (step.name == INCIDENT_STEP and bool(later) and later[0].name == LOOP_END)
                and step.over is None
                and not later[0].gap
            )
            step.continues = step.over is None and (
                played_on or (natural_end and not step.last_night and not step.ends_loop)
            )
            step.dead_later = step.last_night and any(
                other.over is not None and other.over.word == DEAD
                for other in later
                if other.name == LOOP_END
            )
            if step.name == LOOP_END:
                earlier = [other for other in steps[:position] if other.loop == step.loop]
                step.early_end = any(other.over for other in earlier) or step.gap
                followed = any(other.loop > step.loop for other in steps)
                unsaid = step.over is None or step.over.word == NO_WORD
                if followed and unsaid and not step.early_end:
                    step.lost_anyway = True


def _value(board: Board, section: str, name: str, key: str) -> object:
    """Return a tracked board value in its JSON form, ``None`` when unknown."""
    if section == "locations":
        return board.intrigue.get(name)
    card = board.cards.get(name)
    if card is None:
        return None
    if key == "alive":
        return None if card.alive == MAYBE else card.alive != NO
    value: object = getattr(card, key, None)
    return value
