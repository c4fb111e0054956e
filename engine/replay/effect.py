"""An incident's effect under what was noted: part by part, the Mastermind choosing freely.

In a complete step exactly what was noted has to come out (I-26); in another one some of it.
Where the loop ended within the effect the rest may have been cut off (I-25), and cards may
have been left standing (D-06).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine import records
from engine.board import Board
from engine.kleene import NO, YES, negate
from engine.records import AnyRecord
from engine.replay.aftermath import with_records
from engine.replay.matching import Bag, consume_all, stands_for
from engine.replay.paths import Choices
from engine.rules.model import KillAllOnce, LeaderKills, Part, ScatterOthers
from engine.steps import incident
from engine.steps.choice import Choice
from engine.steps.common import At, Move
from engine.steps.deaths import any_ends_loop, kill_outcomes
from engine.view import ScriptView


@dataclass(frozen=True, slots=True)
class Trace:
    """How far an effect has come on one path.

    Attributes:
        board: the board now.
        bag: what is left to explain.
        dead: who died, noted or not.
        seen: who of them was noted.
        killed: truth of "the Protagonists were killed".
        choices: the choices so far.
    """

    board: Board
    bag: Bag
    dead: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    killed: int = NO
    choices: Choices = ()


@dataclass(slots=True)
class Effect:
    """The search through the parts of one effect.

    Attributes:
        before: the moment before it.
        at: the step.
        number: the incident's number on the sheet.
        culprit: who triggered it, or who stands for the culprit (K-A.I.).
        parts: what resolves, in order.
        closed: every record that shows was noted.
        deaths_closed: every death was.
        over: the loop ended in this step.
        only: cards and locations that the records name, ``None`` for any.
        done: called with each way through; returns whether it fits.
        diagonal: the culprit's incidents act at the diagonal location (MC-11).
        chosen: whom the Leader chose, as far as that was noted (WM-15).
    """

    before: ScriptView
    at: At
    number: int
    culprit: str
    parts: tuple[Part, ...]
    closed: bool
    deaths_closed: bool
    over: bool
    only: frozenset[str] | None
    done: Callable[[Trace], None]
    diagonal: bool = False
    chosen: tuple[records.Who, ...] = ()

    def run(self, bag: Bag, board: Board, killed: int = NO) -> None:
        """Search from the beginning of the effect."""
        self._part(0, Trace(board, bag, killed=killed), None)

    def _part(self, index: int, trace: Trace, chosen: str | None) -> None:
        if index == len(self.parts):
            self.done(trace)
            return
        part = self.parts[index]
        view = self.before.on(trace.board)
        if index and self._may_be_cut(part, trace):
            self.done(trace)
        if isinstance(part, incident.Fatal):
            killed = trace.killed | incident.kills_protagonists(view, part, self.culprit)
            trace = replace(trace, killed=killed)
            self._part(index + 1, trace, chosen)
        elif isinstance(part, incident.Strike):
            self._strike(index, part, view, trace)
        elif isinstance(part, ScatterOthers):
            self._scatter(index, list(incident.scattered(view, self.culprit)), view, trace)
        else:
            self._one(index, part, view, trace, chosen)

    def _strike(self, index: int, part: incident.Strike, view: ScriptView, trace: Trace) -> None:
        """Go through a part that strikes many, or nobody where its condition does not hold."""
        holds = incident.strikes(view, part, self.number, self.culprit)
        if holds:
            struck = trace
            if isinstance(part, KillAllOnce):
                killed = trace.killed | (YES & negate(view.shielded()))
                struck = replace(trace, killed=killed)
            self._many(index, list(incident.doomed(view, part, self.culprit)), view, struck)
        if holds != YES:
            self._part(index + 1, trace, None)

    def _may_be_cut(self, part: Part, trace: Trace) -> bool:
        """Tell whether the loop may have ended before this part (I-25, I-16)."""
        if not self.over:
            return False
        # The word does not ask whether the Protagonists died as well, so nothing is cut there.
        if isinstance(part, incident.Fatal):
            return False
        return bool(trace.killed or any_ends_loop(self.before, trace.dead))

    def _one(
        self, index: int, part: Part, view: ScriptView, trace: Trace, chosen: str | None
    ) -> None:
        # Where silence does not count, cards of which nothing was noted may take part too.
        only = self.only if self.closed else None
        found = incident.options(
            view,
            self.at,
            self.number,
            part,
            self.culprit,
            chosen=chosen,
            only=only,
            diagonal=self.diagonal,
        )
        if isinstance(part, LeaderKills):
            found = self._as_chosen(index, found)
        for move in sorted(found, key=lambda one: one.open):
            closed = self.closed and (self.deaths_closed or not _kills(move))
            for bag in consume_all(trace.bag, move.shows, trace.board, closed=closed):
                self._part(index + 1, self._moved(trace, move, bag), move.on)
        if not self.closed:
            self._part(index + 1, trace, None)

    def _as_chosen(self, index: int, found: list[Move]) -> list[Move]:
        """Keep the moves that hit whom the Leader chose; each such part has a choice of its own."""
        earlier = sum(isinstance(part, LeaderKills) for part in self.parts[:index])
        if earlier >= len(self.chosen):
            return found
        who = self.chosen[earlier]
        board = self.before.board
        return [move for move in found if move.on is None or stands_for(board, who, move.on)]

    def _moved(self, trace: Trace, move: Move, bag: Bag) -> Trace:
        dead, seen = trace.dead, trace.seen
        choices = trace.choices
        if move.shows:
            choices = (*choices, self._choice(move.on, move.shows))
            if any(isinstance(record, records.Death) for record in move.shows):
                assert move.on is not None
                dead = (*dead, move.on)
                if bag is not trace.bag:
                    seen = (*seen, move.on)
        board = with_records(self.before.world, trace.board, move.shows)
        return Trace(board, bag, dead, seen, trace.killed, choices)

    def _choice(self, on: str | None, shows: tuple[AnyRecord, ...]) -> Choice:
        source = self.before.sheet.incidents[self.number].incident
        return Choice(self.at, source, self.culprit, on, shows)

    def _many(
        self, index: int, doomed: list[tuple[str, int]], view: ScriptView, trace: Trace
    ) -> None:
        """Go through the cards that a part strikes together, one by one."""
        if not doomed:
            self._part(index + 1, trace, None)
            return
        (who, truth), rest = doomed[0], doomed[1:]
        closed = self.closed and self.deaths_closed
        for outcome in kill_outcomes(view, self.at, who):
            shows = () if outcome.shows is None else (outcome.shows,)
            for bag in consume_all(trace.bag, shows, trace.board, closed=closed):
                move = Move(self.culprit, self.culprit, shows, outcome.truth, who)
                self._many(index, rest, view, self._moved(trace, move, bag))
        if truth != YES:
            self._many(index, rest, view, trace)

    def _scatter(
        self, index: int, leaving: list[tuple[str, int]], view: ScriptView, trace: Trace
    ) -> None:
        """Send those who have to leave elsewhere, one by one (HS-23).

        Where silence does not count a card of which nothing was noted may be anywhere.
        """
        if not leaving:
            self._part(index + 1, trace, None)
            return
        (who, truth), rest = leaving[0], leaving[1:]
        named = False
        for move in incident.ways_out(view, self.at, self.number, self.culprit, who):
            if not move.shows and not self.closed:
                continue
            for bag in consume_all(trace.bag, move.shows, trace.board, closed=True):
                named = named or any(not item.vague for item in trace.bag if item not in bag)
                self._scatter(index, rest, view, self._moved(trace, move, bag))
        if not self.closed and not named:
            board = trace.board.copy()
            board.cards[who].at = None
            self._scatter(index, rest, view, replace(trace, board=board))
        elif truth != YES:
            self._scatter(index, rest, view, trace)


def _kills(move: Move) -> bool:
    return any(isinstance(record, records.Death | records.GuardLost) for record in move.shows)
