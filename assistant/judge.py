"""Judging a script: could it have shown this game? Asked of the clues and of replay.

Both sides share what comes before them: the public rules, the sheet, and whether the script
is legal at all. Beyond that they share nothing, which is why they can check each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from assistant.clues import Clue, derive
from assistant.formula import RulingAtom, atoms, evaluate
from assistant.transcript.errors import (
    AgainstTheRules,
    NotModelled,
    TableError,
    at_words,
)
from assistant.transcript.jsonform import Case
from assistant.transcript.source import Source
from assistant.transcript.validate import problems
from assistant.worlds import World, world_of
from engine.legality import is_modelled, violations
from engine.records import Transcript
from engine.replay import Replayer, misfit
from engine.rulings import TableRulings
from engine.script import Script
from engine.sets import RULEBOOKS
from engine.steps.choice import Course
from engine.table import Table, compile_table

At = tuple[int, int, str]

REPLAY: Final = "replay"
CLUES: Final = "clues"
SIDES: Final = (REPLAY, CLUES)


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why a script is not possible.

    Attributes:
        at: loop, day and step; ``None`` where the script itself is at fault.
        rulings: what it rests on, the main one first; may be empty.
        text: a sentence.
    """

    at: At | None
    rulings: tuple[str, ...]
    text: str

    def fields(self) -> dict[str, Any]:
        """Return the reason as plain JSON values."""
        at = None if self.at is None else list(self.at)
        return {"at": at, "rulings": list(self.rulings), "text": self.text}

    def __str__(self) -> str:
        """Return moment, text and rulings in one line."""
        where = "" if self.at is None else f"{at_words(self.at)}: "
        # The sentence of a clue begins with its moment.
        where = "" if self.text.lower().startswith(where) else where
        rulings = f" [{', '.join(self.rulings)}]" if self.rulings else ""
        return f"{where}{self.text}{rulings}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one side says of one script.

    Attributes:
        possible: whether the script could have shown the game.
        reasons: why not; empty if it could.
        course: the hidden choices that show the game, from replay only.
    """

    possible: bool
    reasons: tuple[Reason, ...] = ()
    course: Course = ()


@dataclass(frozen=True, slots=True)
class ScriptVerdict:
    """What a case expects of one of its scripts, and what each side says.

    Attributes:
        number: position in the case, from 1.
        possible, why: what the case expects, and why.
        sides: judgement by side.
    """

    number: int
    possible: bool
    why: str
    sides: Mapping[str, Judgement]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return the sides that do not say what the case expects."""
        return tuple(
            side for side, said in self.sides.items() if said.possible is not self.possible
        )


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What both sides say of a case."""

    case: str
    rulings: tuple[str, ...]
    title: str
    scripts: tuple[ScriptVerdict, ...]

    @property
    def mismatches(self) -> tuple[ScriptVerdict, ...]:
        """Return the verdicts in which a side does not say what the case expects."""
        return tuple(verdict for verdict in self.scripts if verdict.wrong)


class Judge:
    """A game made ready to judge scripts by.

    Attributes:
        transcript: the game.
        refused: public rules that it breaks; no script explains it then.
        table: the compiled game, unless it is refused before that.
    """

    def __init__(self, transcript: Transcript, source: Source | None = None) -> None:
        """Check and compile a transcript.

        Raises:
            TableError: when it is malformed or holds something that is not modelled.
        """
        self.transcript = transcript
        self.refused = tuple(_refusals(problems(transcript, source)))
        self.table: Table | None = None
        self._clues: tuple[Clue, ...] | None = None
        self._replayer: Replayer | None = None
        if not self.refused:
            self.table = compile_table(transcript)
            self.refused = tuple(
                Reason(transcript.records[problem.record].at, (problem.ruling,), problem.text)
                for problem in self.table.problems
            )

    @property
    def clues(self) -> tuple[Clue, ...]:
        """Return the clues of the game."""
        assert self.table is not None  # refused games have none
        if self._clues is None:
            self._clues = tuple(derive(self.table))
        return self._clues

    def before(self, script: Script) -> tuple[Reason, ...]:
        """Return what speaks against a script before the game is looked at in detail.

        Raises:
            NotModelled: when the script uses what the engine does not play.
        """
        refuse_not_modelled(script)
        if self.refused:
            return self.refused
        rulings = TableRulings(self.transcript.rulings)
        illegal = tuple(
            Reason(None, violation.rulings, f"the script is not legal: {violation.text}")
            for violation in violations(script, rulings)
        )
        sheet = self.transcript.sheet
        fault = misfit(RULEBOOKS[sheet.set], sheet, script, rulings)
        return illegal or (() if fault is None else (Reason(None, (fault.ruling,), fault.why),))

    def by_clues(self, script: Script) -> Judgement:
        """Judge a script by the clues (``before`` included)."""
        reasons = self.before(script)
        if not reasons:
            assert self.table is not None  # nothing was refused
            broken = broken_clues(self.table, self.clues, script)
            reasons = tuple(Reason(clue.at, clue.rulings, clue.text) for clue in broken)
        return Judgement(not reasons, reasons)

    def by_replay(self, script: Script) -> Judgement:
        """Judge a script by playing it through (``before`` included)."""
        reasons = self.before(script)
        if reasons:
            return Judgement(False, reasons)
        assert self.table is not None  # nothing was refused
        if self._replayer is None:
            self._replayer = Replayer(self.table)
        result = self._replayer.run(script)
        if result.possible:
            return Judgement(True, (), result.course)
        ruling = (result.ruling,) if result.ruling else ()
        return Judgement(False, (Reason(result.at, ruling, result.why or ""),))


def judge_case(case: Case, sides: Sequence[str] = SIDES) -> Verdicts:
    """Judge the scripts of a case by replay and by the clues.

    Args:
        case: the case.
        sides: which of ``SIDES`` to ask.

    Raises:
        TableError: when the transcript is malformed, or it or a script is not modelled.
    """
    judge = Judge(case.transcript)
    ask = {REPLAY: judge.by_replay, CLUES: judge.by_clues}
    verdicts = tuple(
        ScriptVerdict(
            number, item.possible, item.why, {side: ask[side](item.script) for side in sides}
        )
        for number, item in enumerate(case.scripts, 1)
    )
    return Verdicts(case.case, case.rulings, case.title, verdicts)


def broken_clues(table: Table, clues: Sequence[Clue], script: Script) -> tuple[Clue, ...]:
    """Return the clues that a script does not satisfy, in the order of play.

    A table plays one reading of an open ruling all game: the reading that breaks the fewest
    clues counts.

    Args:
        table: the compiled game.
        clues: its clues.
        script: a script that fits its sheet.
    """
    fewest: tuple[Clue, ...] | None = None
    for reading in _readings(table, clues):
        world: World = world_of(script, table.sheet, table.rules, reading)
        broken = tuple(clue for clue in clues if not evaluate(clue.formula, world))
        if not broken:
            return ()
        if fewest is None or len(broken) < len(fewest):
            fewest = broken
    assert fewest is not None  # there is always a reading
    return fewest


def _readings(table: Table, clues: Iterable[Clue]) -> Iterable[Mapping[str, bool]]:
    found = atoms(*(clue.formula for clue in clues))
    ids = sorted(atom.id for atom in found if isinstance(atom, RulingAtom))
    open_values = [
        (True, False) if (decided := table.rulings[id]) is None else (decided,) for id in ids
    ]
    for values in product(*open_values):
        yield dict(zip(ids, values, strict=True))


def _refusals(found: Iterable[TableError]) -> Iterable[Reason]:
    """Yield breaches of public rules as reasons; anything else cannot be judged at all."""
    for error in found:
        if isinstance(error, NotModelled) or not isinstance(error, AgainstTheRules):
            raise error
        text = error.found + (f"; expected {error.expected}" if error.expected else "")
        yield Reason(error.at, (error.rule,) if error.rule else (), text)


def refuse_not_modelled(script: Script, file: str = "") -> None:
    """Refuse a script that uses what the engine does not play.

    Raises:
        NotModelled: with the names of all that is missing.
    """
    names = is_modelled(script)
    if names:
        raise NotModelled(
            f"the script uses what is not modelled: {'; '.join(names)}",
            remedy="If a name is misspelled, looper check says which was meant.",
            file=file,
        )
