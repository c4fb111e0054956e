"""All courses of a script under a noted game, tried one by one: the naive twin of replay.

Replay judges each step by itself and carries along what stays hidden. Here the game is played
forward again and again, and every hidden choice is taken in every way, until a course shows
exactly what was noted or none is left. That takes long, and is only meant for small games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from engine import records
from engine.course import decisions_of
from engine.play import Play
from engine.players import Declared
from engine.records import AnyRecord, Transcript
from engine.rulings import TableRulings
from engine.script import Script
from engine.scripted import Decisions, IllegalCourse, Scripted
from engine.sets import RULEBOOKS
from engine.steps.common import Move
from engine.view import World
from engine.words import LOST, MASTERMIND_STEP, NO_WORD, RESOLVED

MOST_RUNS: Final = 20_000
"""After so many games the search gives up."""


def shown_by_some_course(told: Transcript, script: Script, most: int = MOST_RUNS) -> bool | None:
    """Tell whether some course of hidden choices shows exactly a noted game.

    Only courses that every table allows are tried, so that a game which only an open reading
    explains is not found.

    Args:
        told: a whole game, noted completely.
        script: the script behind it.
        most: how many games are played at most.

    Returns:
        Whether there is one, ``None`` when the search gave up.
    """
    search = _Search(told, script)
    for _ in range(most):
        if search.once():
            return True
        if not search.next():
            return False
    return None


class _Mismatch(Exception):
    """The game shows something else than was noted."""


class _Search:
    """Depth first through the choices of a game, the last one changed first.

    Attributes:
        path: the choices of the current game: the option taken and the number of options.
        taken: how many choices the current game has made.
        fixed: so many choices of the path lead to where the search goes on.
    """

    def __init__(self, told: Transcript, script: Script) -> None:
        self.decisions = decisions_of(told)
        self.told = {at: _bag(listed) for at, listed in self.decisions.by_step.items()}
        self.announces = told.announces
        self.world = World(
            RULEBOOKS[told.sheet.set], told.sheet, script, TableRulings(dict(told.rulings))
        )
        self.path: list[tuple[int, int]] = []
        self.taken = self.fixed = 0
        self._seen: set[object] = set()

    def once(self) -> bool:
        """Play one game along the path; tell whether it shows what was noted."""
        self.taken = 0
        players = _Chooser(self)
        game = _Game(self, players)
        try:
            game.run()
        except (_Mismatch, IllegalCourse):
            return False
        return game.closed == set(self.told)

    def choose(self, number: int) -> int:
        """Return the option to take next, out of so many."""
        if number < 1:
            raise _Mismatch
        if self.taken == len(self.path):
            self.path.append((0, number))
        option, _ = self.path[self.taken]
        self.taken += 1
        return option

    def next(self) -> bool:
        """Go on to the next path; tell whether there is one."""
        del self.path[self.taken :]
        while self.path:
            option, number = self.path.pop()
            if option + 1 < number:
                self.path.append((option + 1, number))
                self.fixed = len(self.path)
                return True
        return False

    def enter(self, state: object) -> None:
        """Come to the end of a step; what was tried from here need not be tried again."""
        if self.taken < self.fixed:
            return  # still on the way to where the search goes on
        if state in self._seen:
            raise _Mismatch
        self._seen.add(state)


class _Game(Play):
    """A game that stops as soon as it shows something else than was noted."""

    def __init__(self, search: _Search, players: _Chooser) -> None:
        super().__init__(search.world, players, players, search.announces)
        self.search = search
        self.closed: set[records.At] = set()

    def show(self, *shown: AnyRecord) -> None:
        """Announce records, if they were noted."""
        if self.at[2] != MASTERMIND_STEP or self.announces == "every_token":
            told = self.search.told.get(self.at, Counter())
            if any(told.get(_plain(record), 0) < 1 for record in shown):
                raise _Mismatch
        super().show(*shown)

    def complete(self) -> None:
        """Close a step, if it has shown exactly what was noted."""
        super().complete()
        mine = _bag([record for record in self.records if record.at == self.at])
        if mine != self.search.told.get(self.at):
            raise _Mismatch
        self.closed.add(self.at)
        self.search.enter((self.at, self.flags, self.fatal, self.over))


class _Chooser(Scripted):
    """Decides in the open as it was noted, and in secret as the search says."""

    def __init__(self, search: _Search) -> None:
        super().__init__((), Decisions(search.decisions.by_step))
        self.search = search

    def _one(self, moves: Sequence[Move]) -> Move:
        return moves[self.search.choose(len(moves))]

    def _one_or_none(self, moves: Sequence[Move]) -> Move | None:
        option = self.search.choose(len(moves) + 1)
        return None if option == 0 else moves[option - 1]

    def ignores(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        return self._one_or_none(moves)

    def ability(self, play: Play, moves: list[Move], *, must: bool) -> Move | None:
        """See ``engine.players.Mastermind``."""
        return self._one(moves) if must else self._one_or_none(moves)

    def use(self, play: Play) -> Declared | None:
        """See ``engine.players.Protagonists``: the use that was noted, if it is allowed."""
        use = super().use(play)
        if use is None:
            return None
        usable = [(who, ability.key) for who, ability in play.usable()]
        if (use.who, use.ability.key) in usable and use in play.declarations(use.who, use.ability):
            return use
        raise _Mismatch

    def refuses(self, play: Play, use: Declared) -> bool:
        """See ``engine.players.Mastermind``."""
        return self.search.choose(2) == 1

    def says(self, play: Play, use: Declared, *, refused: bool) -> str:
        """See ``engine.players.Mastermind``."""
        return RESOLVED if self._said is None else str(self._said.outcome)

    def tells(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        return self._one(moves)

    def answered(self, play: Play) -> None:
        """See ``engine.scripted``: nothing is pending here."""

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        return self._one(moves)

    def strikes(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        return self._one(moves)

    def night(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        return self._one_or_none(moves)

    def declares(self, play: Play) -> bool:
        """See ``engine.players.Mastermind``."""
        return self.decisions.word(play.at) in (LOST, NO_WORD)


def _plain(record: AnyRecord) -> AnyRecord:
    return msgspec.structs.replace(record, ordered=False, by_use=False, note=None)


def _bag(listed: Sequence[AnyRecord]) -> Counter[AnyRecord]:
    return Counter(_plain(record) for record in listed)
