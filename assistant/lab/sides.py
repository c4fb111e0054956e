"""One game as both sides read it: the clues of the assistant, and the engine's replay.

Nothing is judged here. Each side is asked, and what it says is put into one form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assistant.clues import Clue, derive
from assistant.lab.evaluation import truths
from assistant.worlds import World, Worlds, script_of, world_of
from engine.records import Transcript
from engine.replay import Replayer
from engine.rules.model import Rulebook
from engine.rulings import TableRulings
from engine.script import Script
from engine.sets import RULEBOOKS
from engine.table import Table, compile_table

CLUES: Final = "clues"
REPLAY: Final = "replay"


@dataclass(frozen=True, slots=True)
class Books:
    """The rule text by which each side reads a game; the same one but for mutants.

    Attributes:
        engine: what simulated games and replay go by.
        clues: what the clues and the worlds go by.
    """

    engine: Rulebook
    clues: Rulebook

    @classmethod
    def of(cls, set_id: str) -> Books:
        """Return the text of a set for both sides."""
        return cls(RULEBOOKS[set_id], RULEBOOKS[set_id])


@dataclass(frozen=True, slots=True)
class Said:
    """What one side says of one script.

    Attributes:
        possible: whether the script could have shown the game.
        cause: where and by what it cannot have, in a few words that group like cases.
        text: why not, in full.
        broken: numbers of the clues that do not hold, from the clues only.
    """

    possible: bool
    cause: str = ""
    text: str = ""
    broken: tuple[int, ...] = ()


class Sides:
    """A transcript, compiled for both sides.

    Attributes:
        transcript: the game.
        books: the rule texts.
        refused: public rules that the game breaks by either text; nothing else is asked then.
    """

    def __init__(self, transcript: Transcript, books: Books) -> None:
        self.transcript: Final = transcript
        self.books: Final = books
        self.rulings: Final = TableRulings(transcript.rulings)
        self.engine_table: Final = compile_table(transcript, books.engine)
        self.clue_table: Final = (
            self.engine_table
            if books.engine is books.clues
            else compile_table(transcript, books.clues)
        )
        self.refused: Final = _problems(self.engine_table) or _problems(self.clue_table)
        self._replayer: Final = Replayer(self.engine_table)
        self._clues: tuple[Clue, ...] | None = None

    @property
    def clues(self) -> tuple[Clue, ...]:
        """Return the clues of the game."""
        if self._clues is None:
            self._clues = tuple(derive(self.clue_table))
        return self._clues

    def world(self, script: Script) -> World:
        """Return a script's secrets as the clues see them."""
        return world_of(script, self.transcript.sheet, self.books.clues)

    def script(self, world: World) -> Script:
        """Return the script with a world's secrets."""
        return script_of(world, self.transcript.sheet, self.books.clues)

    def worlds(self, fresh: Worlds) -> Worlds:
        """Return the worlds that all clues leave of ``fresh``."""
        return fresh.conjoin(*(clue.formula for clue in self.clues))

    def by_clues(self, scripts: Sequence[Script]) -> list[Said]:
        """Ask the clues about scripts."""
        if not scripts:
            return []
        table = truths(
            [clue.formula for clue in self.clues],
            [self.world(script) for script in scripts],
            self.rulings,
        )
        said = []
        for column in range(len(scripts)):
            broken = tuple(int(n) for n in (~table[:, column]).nonzero()[0])
            said.append(self._said_by_clues(broken))
        return said

    def _said_by_clues(self, broken: tuple[int, ...]) -> Said:
        if not broken:
            return Said(True)
        clues = [self.clues[number] for number in broken]
        first = clues[0]
        ruling = first.rulings[0] if first.rulings else "no ruling"
        text = "\n".join(f"{clue.text} ({clue.kind}) [{', '.join(clue.rulings)}]" for clue in clues)
        return Said(False, f"{first.kind} [{ruling}]", text, broken)

    def by_replay(self, script: Script) -> Said:
        """Ask replay about a script."""
        result = self._replayer.run(script)
        if result.possible:
            return Said(True)
        where = "-" if result.at is None else result.at[2]
        ruling = result.ruling or "no ruling"
        return Said(False, f"{where} [{ruling}]", f"{result.at}: {result.why} [{ruling}]")


def _problems(table: Table) -> str:
    return "\n".join(
        f"record {problem.record + 1} {table.transcript.records[problem.record].at}: "
        f"{problem.text} [{problem.ruling}]"
        for problem in table.problems
    )
