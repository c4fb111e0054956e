"""Curse cards under what was noted: at a loop start (HS-08), and before a night (HS-06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine import records
from engine.board import Board
from engine.kleene import NO, YES
from engine.records import AnyRecord
from engine.replay.matching import Bag, Item, stands_for
from engine.replay.paths import Choices
from engine.rulings import CURSE_STAYS
from engine.steps import curses
from engine.steps.choice import Choice
from engine.steps.common import At, Failure, Move, name
from engine.steps.curses import CURSE
from engine.steps.deaths import kill_outcomes
from engine.table.apply import apply_record
from engine.view import ScriptView

# Loop start --------------------------------------------------------------------------------


def start_choices(view: ScriptView, at: At, placed: Bag) -> Choices | Failure:
    """Match the curses of a loop start with sources of their own (HS-08)."""
    if not placed:
        return ()
    moves = list(curses.start_moves(view, at))
    found = _match(view.board, placed, {move.key: [] for move in moves}, moves)
    if found is None:
        return Failure("HS-08", "Nothing in this script places this curse at a loop start.")
    return found


def _match(
    board: Board,
    placed: Bag,
    free: dict[tuple[str, str | None], list[str]],
    moves: list[Move],
) -> Choices | None:
    if not placed:
        return ()
    record = placed[0].record
    assert isinstance(record, records.Curse)
    for move in moves:
        if move.key in free and record.source is None and stands_for(board, record.on, move.on):
            rest = {key: value for key, value in free.items() if key != move.key}
            others = _match(board, placed[1:], rest, moves)
            if others is not None:
                assert move.on is not None
                return (Choice(record.at, move.source, move.by, move.on, move.shows), *others)
    return None


# The night ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which the curse step may have gone.

    Attributes:
        struck: the blows that something else has to explain.
        board: the board of the mandatory batch, after the curses (D-15).
        sure: the same with only those deaths that every table reads like this: what was due in
            the batch is judged on it.
        dead, shown: who died of a curse, and what was seen of that.
        choices: the course of the step.
        lapse: what was not done although it had to be, if silence counts.
    """

    struck: Bag
    board: Board
    sure: Board
    dead: tuple[str, ...] = ()
    shown: tuple[AnyRecord, ...] = ()
    choices: Choices = ()
    lapse: Failure | None = None


def is_asked(view: ScriptView, moved: Bag) -> bool:
    """Tell whether curses have a part in this night."""
    board = view.board
    return view.rules.curses and bool(board.curses or board.curses_open or moved)


def ways(view: ScriptView, at: At, struck: Bag, moved: Bag) -> list[Way] | Failure:
    """Return the ways in which the curse step may have shown its part of a night.

    Args:
        view: the moment before the night.
        at: the step.
        struck: the deaths and lost guards of the night.
        moved: its records of curses.
    """
    step = _Step(view, at, struck, moved)
    if not view.board.curses_open:
        failure = step.misplaced()
        if failure is not None:
            return failure
    found = list(step.ways())
    if not found:
        assert step.reason is not None
        return step.reason
    return found


class _Step:
    """The curse step of one night in one world."""

    def __init__(self, view: ScriptView, at: At, struck: Bag, moved: Bag) -> None:
        self.view = view
        self.at = at
        self.struck = struck
        self.moved = [item.record for item in moved if isinstance(item.record, records.Curse)]
        self.places = curses.on_places(view.board)
        self.carriers = curses.carried(view.board)
        self.reason: Failure | None = None

    # What was seen of the cards ------------------------------------------------------------

    def attached(self) -> Iterator[records.Curse]:
        """Yield the curses that were attached tonight: those off a location."""
        board = self.view.board
        for record in self.moved:
            if isinstance(record.source, str) and record.source in board.intrigue:
                yield record

    def dropped(self) -> Iterator[records.Curse]:
        """Yield the curses that dropped tonight: those off a card."""
        board = self.view.board
        for record in self.moved:
            if isinstance(record.source, str) and record.source not in board.intrigue:
                yield record

    def tonight(self, who: str) -> bool:
        """Tell whether a curse may have been attached to a card tonight."""
        board = self.view.board
        return any(stands_for(board, record.on, who) for record in self.attached())

    def was_hit(self, who: str, kind: type) -> bool:
        """Tell whether a card may have died, or lost a guard, tonight."""
        board = self.view.board
        return any(
            isinstance(item.record, kind)
            and stands_for(board, getattr(item.record, "who", ""), who)
            for item in self.struck
        )

    def misplaced(self) -> Failure | None:
        """Judge that every curse went where it may go (HS-06)."""
        board, rules = self.view.board, self.view.rules
        for record in self.attached():
            source = str(record.source)
            able = [
                who
                for who in board.cards
                if stands_for(board, record.on, who) and board.lives_at(who, source)
            ]
            if not able:
                where = name(rules, source)
                return Failure("HS-06", f"A curse at {where} goes to somebody who lives there.")
        for record in self.dropped():
            who = str(record.source)
            if not any(
                stands_for(board, record.on, place) and board.is_at(who, place)
                for place in board.intrigue
            ):
                return Failure("HS-06", f"A curse of {name(rules, who)} drops where that lies.")
            if not self.may_drop(who):
                return Failure("HS-06", f"The curse of {name(rules, who)} could not drop.")
        return None

    def may_drop(self, who: str) -> bool:
        """Tell whether a curse may leave a card: off a corpse, or off who could not die."""
        board = self.view.board
        if board.alive(who) != YES or self.was_hit(who, records.Death):
            return True
        if self.view.rulings[CURSE_STAYS] is True:
            return False
        spared = self.was_hit(who, records.GuardLost) or bool(self.view.unkillable(who))
        return spared

    # What had to be seen ---------------------------------------------------------------------

    def lapse(self) -> Failure | None:
        """Return what the curses had to do and was not seen, if anything (HS-06)."""
        board, rules = self.view.board, self.view.rules
        if board.curses_open or len([*self.attached(), *self.dropped()]) < len(self.moved):
            return None
        gone = Counter(str(record.source) for record in self.attached())
        for place, number in self.places.items():
            living = any(board.lives_at(who, place) == YES for who in board.cards)
            if living and gone[place] < number:
                where = name(rules, place)
                return Failure("HS-06", f"The curse at {where} had to be attached to somebody.")
        fallen = Counter(str(record.source) for record in self.dropped())
        for who, number in self.carriers.items():
            failure = self._carrier(who, number, fallen[who])
            if failure is not None:
                return failure
        return None

    def _carrier(self, who: str, number: int, fallen: int) -> Failure | None:
        """Judge a card that carried curses when the night began: it dies, and they drop."""
        board, called = self.view.board, name(self.view.rules, who)
        if board.dead(who) == YES:
            known = board.cards[who].at is not None
            if known and fallen < number:
                return Failure("HS-06", f"The curse on the corpse of {called} had to drop.")
            return None
        if board.alive(who) != YES:
            return None
        guarded = self.was_hit(who, records.GuardLost)
        if self.was_hit(who, records.Death) and not guarded:
            if fallen < number:
                return Failure("HS-06", f"The curse on {called} had to drop when it died.")
            return None
        if not guarded and self.view.unkillable(who) == NO:
            return Failure("HS-06", f"{called} carried a curse, could die, and lives.")
        sure = guarded or self.view.unkillable(who) == YES
        falls = self.view.rulings[CURSE_STAYS] is False
        if sure and falls and fallen < number and not self.was_hit(who, records.Death):
            return Failure("HS-06", f"At this table the curse on {called} had to fall off.")
        return None

    # Who died of it --------------------------------------------------------------------------

    def ways(self) -> Iterator[Way]:
        """Yield who of the dead died of a curse: carriers for certain, others at some tables."""
        for blows, left in self._shares(self.struck):
            board = self.view.board
            shown: list[AnyRecord] = []
            for who, record in blows:
                fitting = [
                    outcome.shows
                    for outcome in kill_outcomes(self.view, self.at, who)
                    if outcome.shows is not None and isinstance(outcome.shows, type(record))
                ]
                if not fitting:
                    self.reason = Failure("B-09", f"{name(self.view.rules, who)} cannot die.")
                    break
                shown.append(fitting[0])
            else:
                yield self._way(board, left, shown)

    def _way(self, before: Board, left: Bag, shown: list[AnyRecord]) -> Way:
        moves = [*self.attached()]
        falls = [*self.dropped()]
        board = before
        listed = [*moves, *shown, *falls]
        if listed:
            board = before.copy()
            for record in listed:
                apply_record(self.view.rules, board, record)
        choices = tuple(
            Choice(
                self.at,
                CURSE,
                None,
                getattr(record, "who", None) or getattr(record, "on", None),
                (_bare(record),),
            )
            for record in listed
            if isinstance(getattr(record, "on", ""), str)
        )
        dead = tuple(str(record.who) for record in shown if isinstance(record, records.Death))
        sure = board
        if any(who not in self.carriers or before.curses_open for who in dead):
            sure = before.copy()
            for who in dead:
                if who in self.carriers and not before.curses_open:
                    sure.cards[who].alive = NO
        return Way(left, board, sure, dead, tuple(shown), choices, self.lapse())

    def _shares(self, struck: Bag) -> Iterator[tuple[list[tuple[str, AnyRecord]], Bag]]:
        """Yield (blows of curses, blows of something else)."""
        taken: set[str] = set()
        choices: list[list[str | None]] = []
        for item in struck:
            choices.append(self._readings(item, taken))
        yield from self._pick(struck, choices, 0, [], ())

    def _readings(self, item: Item, taken: set[str]) -> list[str | None]:
        """Return whom a curse may have hit with this blow; ``None`` for something else."""
        record, board = item.record, self.view.board
        who = getattr(record, "who", "")
        if isinstance(who, str) and who in self.carriers and not board.curses_open:
            first = isinstance(record, records.GuardLost) or not self.was_hit(
                who, records.GuardLost
            )
            if first and who not in taken:
                taken.add(who)
                return [who]
            return [None]
        found: list[str | None] = [None]
        for other in board.cards:
            cursed = other in self.carriers or self.tonight(other) or board.curses_open
            if cursed and stands_for(board, who, other) and board.alive(other):
                found.append(other)
        return found

    def _pick(
        self,
        struck: Bag,
        choices: list[list[str | None]],
        index: int,
        blows: list[tuple[str, AnyRecord]],
        left: Bag,
    ) -> Iterator[tuple[list[tuple[str, AnyRecord]], Bag]]:
        if index == len(struck):
            yield blows, left
            return
        for who in choices[index]:
            if who is None:
                yield from self._pick(struck, choices, index + 1, blows, (*left, struck[index]))
            elif all(who != other for other, _ in blows):
                record = struck[index].record
                yield from self._pick(struck, choices, index + 1, [*blows, (who, record)], left)


def _bare(record: AnyRecord) -> AnyRecord:
    from engine.replay.noted import plain

    return plain(record)
