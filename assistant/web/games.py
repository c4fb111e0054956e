"""The games that phones work on: read, changed one at a time, and what is deduced of each.

A change is checked, written to the disk and only then acknowledged. Deductions are kept in
memory while a game is being played and made again when they are asked for later.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from assistant.transcript.errors import AgainstTheRules
from assistant.transcript.validate import check
from assistant.transcript.vocabulary import Vocabulary, modelled_set
from assistant.web.names import Names
from engine.records import Transcript
from engine.rules.model import Rulebook
from engine.sets import RULEBOOKS
from engine.table import Table, compile_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assistant.clues import Clue
    from assistant.deduction import Deduction
    from assistant.explain import Conflict, Explainer, Reason
    from assistant.formula import Formula
    from assistant.store import Store, StoredGame

IDLE_SECONDS: Final = 30 * 60
"""How long a deduction stays in memory after it was last asked for."""
MOST_KEPT: Final = 8
"""How many deductions stay in memory: each takes some megabytes."""
MOST_INCIDENTS: Final = 12
"""Counting takes twice as long with each further incident."""

Edit = Callable[[Transcript], Transcript]
"""What makes the changed game of the one that was read."""


@dataclass(slots=True)
class _Kept:
    """What is kept in memory of a game.

    Attributes:
        revision: of which revision.
        deduction: what it leaves possible.
        used: when somebody asked for it last.
        explainer: made when somebody first asks why.
        reasons: those that were found.
        conflict: why no world is left, once that was looked for.
    """

    revision: int
    deduction: Deduction
    used: float
    explainer: Explainer[Clue] | None = None
    reasons: dict[Formula, Reason[Clue] | None] = field(default_factory=dict)
    conflict: Conflict[Clue] | None = None


class Games:
    """All games of a store, for many threads at once.

    Attributes:
        store: where they are kept.
    """

    def __init__(self, store: Store, idle_seconds: float = IDLE_SECONDS) -> None:
        self.store: Final = store
        self._idle = idle_seconds
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def deduction(self, game: StoredGame) -> Deduction:
        """Return what a game leaves possible.

        Raises:
            TableError: When a newer version of the rules refuses one of its records.
        """
        with self._locked(game.id):
            return self._solved(game).deduction

    def reason(self, game: StoredGame, formula: Formula) -> Reason[Clue] | None:
        """Return why a formula holds in no world of a game, ``None`` if it holds in some."""
        with self._locked(game.id):
            kept = self._solved(game)
            if formula not in kept.reasons:
                kept.reasons[formula] = _explainer(kept).impossible(formula)
            return kept.reasons[formula]

    def supposed(
        self, game: StoredGame, formula: Formula
    ) -> tuple[tuple[tuple[Formula, str], ...], ...]:
        """Return which cells would stand otherwise if a formula held, and if it did not."""
        from assistant.experiments import consequences

        with self._locked(game.id):
            deduction = self._solved(game).deduction
            return consequences(deduction, formula), consequences(deduction, ~formula)

    def conflict(self, game: StoredGame) -> Conflict[Clue] | None:
        """Return why no world of a game is left, ``None`` if one is."""
        with self._locked(game.id):
            kept = self._solved(game)
            if kept.conflict is None and not kept.deduction.consistent:
                kept.conflict = _explainer(kept).conflict()
            return kept.conflict

    def change(self, game_id: str, revision: int, edit: Edit) -> StoredGame:
        """Change a game, if it is still as it was when it was read.

        Args:
            game_id: which game.
            revision: the revision that was read.
            edit: makes the changed game.

        Returns:
            The game as it now stands on the disk.

        Raises:
            UnknownGameError: When there is no such game.
            ConflictError: When somebody else has changed it; nothing is written then.
            TableError: When it may not stand so; nothing is written then.
        """
        from assistant.store import ConflictError

        self.store.revision(game_id)  # an unknown game gets no lock
        with self._locked(game_id):
            game = self.store.get(game_id)
            if game.revision != revision:
                raise ConflictError(game_id)
            changed = edit(game.transcript)
            refuse(changed)
            return self.store.replace(game, changed)

    def add(self, transcript: Transcript) -> StoredGame:
        """Keep a new game.

        Raises:
            TableError: When it may not stand so.
        """
        refuse(transcript)
        return self.store.add(transcript)

    def kept(self) -> tuple[str, ...]:
        """Return the ids of the games whose deduction is in memory."""
        with self._guard:
            return tuple(self._kept)

    def _solved(self, game: StoredGame) -> _Kept:
        """Return what is known of a game; its lock must be held."""
        from assistant.deduction import Deduction

        kept = self._recall(game.id)
        if kept is not None and kept.revision == game.revision:
            return kept
        before = None if kept is None else kept.deduction
        now = time.monotonic()
        solved = _Kept(game.revision, Deduction.of(game.transcript, before), now)
        if kept is None or kept.revision < game.revision:
            self._keep(game.id, solved)
        return solved

    @contextmanager
    def _locked(self, game_id: str) -> Iterator[None]:
        with self._guard:
            lock = self._locks.setdefault(game_id, threading.Lock())
        with lock:
            yield

    def _recall(self, game_id: str) -> _Kept | None:
        """Return what is kept of a game, and drop what has not been asked for lately."""
        now = time.monotonic()
        with self._guard:
            for other in [
                name for name, kept in self._kept.items() if kept.used < now - self._idle
            ]:
                del self._kept[other]
            found = self._kept.get(game_id)
            if found is not None:
                found.used = now
                self._kept.move_to_end(game_id)
            return found

    def _keep(self, game_id: str, kept: _Kept) -> None:
        with self._guard:
            self._kept[game_id] = kept
            self._kept.move_to_end(game_id)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _explainer(kept: _Kept) -> Explainer[Clue]:
    from assistant.explain import Explainer

    if kept.explainer is None:
        kept.explainer = Explainer(kept.deduction.fresh, kept.deduction.clues)
    return kept.explainer


def refuse(transcript: Transcript) -> Table:
    """Refuse a game that may not stand as it is.

    Returns:
        The compiled game, when it may.

    Raises:
        TableError: The first problem, with its record, its rule and the remedy.
    """
    from assistant.deduction import refuse_problems

    check(transcript)
    if len(transcript.sheet.incidents) > MOST_INCIDENTS:
        raise AgainstTheRules(
            f"the sheet has {len(transcript.sheet.incidents)} incidents",
            expected=f"at most {MOST_INCIDENTS}",
            remedy="Leave out what is not on the sheet.",
            path=("sheet", "incidents"),
        )
    table = compile_table(transcript)
    refuse_problems(table)
    return table


def rules_of(transcript: Transcript) -> Rulebook:
    """Return the tragedy set of a game.

    Raises:
        NotModelled: When it is not modelled.
    """
    return modelled_set(RULEBOOKS, transcript.sheet.set, ("sheet", "set"))


def names_of(transcript: Transcript) -> Names:
    """Return what things are called in a game."""
    return Names(rules_of(transcript), transcript.sheet)


def words_of(transcript: Transcript) -> Vocabulary:
    """Return the ids that the records of a game may use."""
    return Vocabulary(rules_of(transcript), transcript.sheet)
