"""The compiled form of a game: its steps, each with the board before and after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.board import Board
from engine.records import AnyRecord, CardResult, LoopOver, Transcript
from engine.rules.model import Rulebook
from engine.rulings import TableRulings
from engine.script import Sheet
from engine.steps import cards as cards_step
from engine.words import LOST, NO_WORD


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that breaks a public rule.

    Attributes:
        record: number of the record, from 0.
        ruling: the rule it breaks.
        text: what is wrong.
        remedy: how to put it right.
    """

    record: int
    ruling: str
    text: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Spot:
    """What one spot got in the card step: the cards, what they print, what was shown.

    ``result`` has a value for every field: shown where noted, printed elsewhere; ``None``
    where neither tells.
    """

    on: str
    cards: tuple[cards_step.Played, ...]
    printed: cards_step.Printed
    result: cards_step.Printed
    noted: CardResult | None


@dataclass(slots=True)
class Step:
    """One step of the game as the table saw it.

    Attributes:
        index: position in ``Table.steps``.
        loop, day, name: when.
        records: the records that count (doubtful ones withdrawn), in table order.
        numbers: their positions in the transcript, from 0.
        complete: silence counts: everything that was announced is noted.
        partial: something may be missing; ``before`` is blurred accordingly.
        continues: a later step of the same loop was played (L-02).
        over: the word with which the loop ended in this step.
        last_night: the night of the last day, whose deaths may have ended the loop although
            the word stands in the loop end (L-06).
        gap: stands for a stretch of the loop of which nothing was noted.
        before, after: the public board around the step.
        ground: what the step's records are explained on: ``before``, made unknown where an event
            that is not noted yet may have enabled one that is.
        spots: in the card step, what each spot got.
        ends_loop: the loop was over after this incident step, without a night (MC-19).
        dead_later: in the last night: its "dead" was noted at the loop end.
        lost_anyway: in the loop end: no word was noted but another loop followed (L-13).
    """

    index: int
    loop: int
    day: int
    name: str
    records: tuple[AnyRecord, ...]
    numbers: tuple[int, ...]
    complete: bool
    partial: bool
    continues: bool
    over: LoopOver | None
    last_night: bool
    before: Board
    after: Board
    ground: Board
    gap: bool = False
    early_end: bool = False
    spots: tuple[Spot, ...] = ()
    lost_anyway: bool = False
    ends_loop: bool = False
    dead_later: bool = False

    @property
    def at(self) -> tuple[int, int, str]:
        """Return (loop, day, step name)."""
        return self.loop, self.day, self.name

    def of(self, *kinds: type) -> list[AnyRecord]:
        """Return the records of the given kinds in table order."""
        return [record for record in self.records if isinstance(record, kinds)]


@dataclass(slots=True)
class Table:
    """A compiled transcript.

    Attributes:
        transcript: what it was compiled from.
        rules: the tragedy set.
        rulings: the readings the table plays.
        steps: all steps from the start to the last record.
        problems: records that break a public rule.
        scratch: where a reader may keep what it found out about this game; it may be handed
            on to a later table of the same game.
        late_start: the game began in the middle: hidden uses may lie before it.
    """

    transcript: Transcript
    rules: Rulebook
    rulings: TableRulings
    steps: list[Step] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    scratch: dict[object, Any] = field(default_factory=dict, repr=False)

    @property
    def sheet(self) -> Sheet:
        """Return the open sheet."""
        return self.transcript.sheet

    @property
    def late_start(self) -> bool:
        """Tell whether hidden uses may lie before the first step."""
        return self.transcript.start is not None


def loop_end_word(step: Step) -> str | None:
    """Return the word of a loop played to its end: noted, or implied by a next loop (L-13)."""
    if step.over is not None and step.over.word != NO_WORD:
        return step.over.word
    return LOST if step.lost_anyway else None
