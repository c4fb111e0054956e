"""Playing a game forward: loops, days, the nine steps, and the public records of all of it.

Rules stand in ``engine.steps``; what they leave open is asked of two players. Every record is
shown to both sides by changing the public board, just as a table compiled from the transcript
follows it (``engine.table``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

import msgspec

from engine import records, special_rules
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.players import Declared, Mastermind, Protagonists
from engine.records import AnyRecord, Transcript
from engine.rules.model import (
    ClearUser,
    Entry,
    GoodwillAbility,
    RaiseGauge,
    Timing,
)
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, Sheet
from engine.sets import RULEBOOKS
from engine.steps import (
    days,
    goodwill,
    haunted,
    knowledge,
    loop_end,
    loop_start,
    magic,
    placing,
    targets,
)
from engine.steps.choice import ACCEPTED, REFUSED, Choice, choice_of
from engine.steps.common import At, Move
from engine.table.apply import apply_record
from engine.table.start import fresh_board
from engine.view import NO_FLAGS, ScriptView, World
from engine.words import (
    DAY_START,
    DECKS,
    FINAL_GUESS,
    GOODWILL_STEP,
    LOOP_END,
    LOOP_START,
    LOST,
    NOTHING,
    RESOLVED,
    WON,
)
from engine.words import REFUSED as SAID_REFUSED


class Play:
    """One game in progress.

    Attributes:
        world: the script, the sheet and the table's readings.
        board: the public board now.
        flags: the hidden choices that outlive a step.
        records: the transcript so far.
        choices: the hidden choices so far.
        over: the word with which the loop ended, ``None`` while it goes on.
        fatal: somebody whose death is a loss has died in this loop.
        face_down: where the Mastermind's cards of today lie, which everybody sees.
        at: loop, day and step.
        stopped: the loop ends without a Day End of this day, and no word was said yet (MC-19).
        gauge: the gauge when the step began.
        lenient: moves are offered that only some tables allow.
        deadly_night: today's incident kills the Protagonists when the day is over (HS-04).
    """

    lenient = False

    def __init__(
        self, world: World, mastermind: Mastermind, protagonists: Protagonists, announces: str
    ) -> None:
        self.world = world
        self.rules = world.rules
        self.mastermind = mastermind
        self.protagonists = protagonists
        self.announces = announces
        self.board = Board()
        self.flags = NO_FLAGS
        self.records: list[AnyRecord] = []
        self.choices: list[Choice] = []
        self.over: str | None = None
        self.fatal = False
        self.face_down: tuple[str, ...] = ()
        self.at: At = (1, 1, LOOP_START)
        self.stopped = False
        self.gauge: int | None = None
        self.leader = DECKS[0]
        self.deadly_night = False

    # The course of a game ----------------------------------------------------------------

    def run(self) -> None:
        """Play to the end of the game."""
        previous: Board | None = None
        for loop in range(1, self.world.sheet.loops + 1):
            self.begin_loop(loop, previous)
            day = 0
            while self.over is None and not self.stopped and day < self.world.sheet.days:
                day += 1
                self.play_day(day)
            if self.end_loop(day) == WON:
                return
            if knowledge.is_mad(self.rules, self.board):
                break
            previous = self.board
        if special_rules.has_final_guess(self.rules, self.world.sheet.special_rules):
            self.final_guess()

    def view(self) -> ScriptView:
        """Return the script on the board of this moment."""
        return ScriptView(self.world, self.board, self.flags)

    def show(self, *shown: AnyRecord) -> None:
        """Announce records: they enter the transcript and change the board."""
        for record in shown:
            self.records.append(record)
            apply_record(self.rules, self.board, record)

    def take(self, move: Move, *, by_use: bool = False) -> None:
        """Carry out a hidden choice."""
        self.choices.append(choice_of(self.at, move))
        if move.flag is not None:
            self.flags |= {move.flag}
        self.show(*(mark(record) if by_use else record for record in move.shows))

    def blow(self, moves: list[Move]) -> Move:
        """Return how a blow shows: as every table plays it, where there is such a way."""
        return next((move for move in moves if move.truth == YES), moves[0])

    def step(self, name: str) -> None:
        """Begin a step."""
        self.at = (self.board.loop, self.board.day, name)
        self.gauge = self.board.gauge

    def complete(self) -> None:
        """Close a step: everything that was announced is noted, the gauge as it stands too."""
        if self.board.gauge is not None and (self.board.gauge != self.gauge or self._unsaid()):
            self.show(records.Gauge(at=self.at, value=self.board.gauge))
        self.records.append(records.Complete(at=self.at))

    def _unsaid(self) -> bool:
        """Tell whether words leave open where the gauge stands: so it is read aloud (WM-22)."""
        return knowledge.counts_knowledge(self.rules) and any(
            isinstance(record, records.Use) and record.outcome != RESOLVED
            for record in itertools.takewhile(
                lambda record: record.at == self.at, reversed(self.records)
            )
        )

    def change_gauge(self, n: int) -> None:
        """Move the Extra Gauge, never below 0; it is announced at the end of the step."""
        if not n:
            return
        board = self.board
        board.gauge = max(0, (board.gauge or 0) + n)
        board.gauge_max = max(board.gauge_max or 0, board.gauge)
        if n > 0:
            board.gauge_rose = YES

    def occurs(self, triggered: int) -> bool:
        """Tell whether an incident occurs; where tables differ it does."""
        return bool(triggered)

    def cleared(self, who: str, n: int) -> int:
        """Return how much of its Unease goes from a culprit after its incident: all (MC-08)."""
        return n

    def end(self, word: Literal["dead", "lost", "none", "won"]) -> None:
        """End the loop with a word."""
        self.over = word
        self.records.append(records.LoopOver(at=self.at, word=word))

    # Loop start ------------------------------------------------------------------------------

    def begin_loop(self, loop: int, previous: Board | None) -> None:
        """Rewind and set up a loop."""
        world = self.world
        entered = frozenset(
            who
            for who in (previous.cards if previous is not None else ())
            if who not in world.sheet.cast and self.rules.characters[who].entry is Entry.LOOP
        )
        starts = dict(self.board.starts) if previous is not None else {}
        self.board = fresh_board(self.rules, world.sheet, loop, previous, entered)
        self.flags = NO_FLAGS
        self.over, self.fatal, self.stopped = None, False, False
        self.deadly_night = False
        self.step(LOOP_START)
        for who in self.board.cards:
            if self.board.cards[who].at is None:
                places = special_rules.start_choices(
                    self.rules.characters[who], world.sheet.special_rules, starts.get(who)
                )
                where = places[0]
                if len(places) > 1:
                    where = self.mastermind.start(self, who, places)
                self.show(records.Placed(at=self.at, who=who, where=where))
        self.enter(0)
        self._start_tokens()
        self._start_gauge()
        self.complete()

    def enter(self, day: int) -> None:
        """Let late characters appear: at a loop start (day 0) or a day start (P-05)."""
        for who in self.world.late:
            if who not in self.board.cards and self.world.enters(who, self.board.loop, day):
                where = self.rules.characters[who].starts[0]
                self.show(records.Enters(at=self.at, who=who, where=where))

    def _start_tokens(self) -> None:
        view = self.view()
        due = [(on, kind, must) for (on, kind), (must, _) in loop_start.due_tokens(view).items()]
        for who, place in loop_start.public_intrigue(view).items():
            shown = records.Token(at=self.at, on=place, token="intrigue", n=1, by=who)
            self.show(shown)
        for who in loop_start.with_start_token(view):
            kind = self.mastermind.start_token(self, who)
            self.choices.append(Choice(self.at, "start_token", who, who))
            shown = records.Token(at=self.at, on=who, token=kind, n=1, by=who)  # type: ignore[arg-type]
            self.show(shown)
        for on, kind, n in due:
            if n:
                self.show(records.Token(at=self.at, on=on, token=kind, n=n))  # type: ignore[arg-type]
        haunted.start_curses(self)

    def _start_gauge(self) -> None:
        """Raise the gauge where a rule says so; in the first loop that is open (MC-02)."""
        view = self.view()
        for holding in self.world.holdings(Timing.LOOP_START):
            deed = holding.ability.does
            if isinstance(deed, RaiseGauge) and view.holds(holding) == YES:
                self.change_gauge(deed.n)

    # Days ------------------------------------------------------------------------------------

    def play_day(self, day: int) -> None:
        """Play the steps of a day, until the loop ends."""
        self.board.day = day
        self.board.used_today.clear()
        self.flags = days.without_today(self.flags)
        self.step(DAY_START)
        if self.board.leader is None:
            self.show(records.Leader(at=self.at, deck=self.leader))  # type: ignore[arg-type]
        self.enter(day)
        magic.spell(self)
        self.complete()
        placing.card_step(self)
        days.mastermind_step(self)
        self.goodwill_step()
        if self.over is None:
            days.incident_step(self)
        if self.over is None and not self.stopped:
            self.night()

    def night(self) -> None:
        """Play the night: a new Leader, then what the night brings."""
        days.night_step(self)

    def spots(self) -> list[str]:
        """Return where a card may lie: living characters and locations (C-01)."""
        return placing.spots(self)

    # The Leader's step ---------------------------------------------------------------------

    def goodwill_step(self) -> None:
        """Let the Leader use Goodwill abilities; nothing goes on after the end of the loop."""
        self.step(GOODWILL_STEP)
        begun = len(self.records)
        self._transfer()
        while self.over is None:
            declared = self.protagonists.use(self)
            if declared is None:
                break
            self.resolve_use(declared)
        self._mark_order(begun)
        self.complete()

    def _transfer(self) -> None:
        for who in self.board.cards:
            if self.rules.characters[who].passes_token:
                moves = list(goodwill.transfers(self.view(), self.at, who))
                moves = [move for move in moves if self.lenient or move.truth == YES]
                move = self.protagonists.passes(self, moves) if moves else None
                if move is not None:
                    self.show(*move.shows)

    def _mark_order(self, begun: int) -> None:
        """Mark the order of several uses: a later one may rest on an earlier one (G-01)."""
        shown = self.records[begun:]
        if sum(isinstance(record, records.Use) for record in shown) > 1:
            self.records[begun:] = [
                msgspec.structs.replace(record, ordered=True)
                if record.by_use or isinstance(record, records.Use)
                else record
                for record in shown
            ]

    def usable(self) -> Iterator[tuple[str, GoodwillAbility]]:
        """Yield the abilities that could be declared now, targets apart (G-02, G-03)."""
        view = self.view()
        for who in self.board.cards:
            if not self.board.goodwill(who):
                continue
            for ability in self.rules.characters[who].goodwill:
                if (who, ability.key) in self.board.used_today:
                    continue
                if ability.once_per_loop and ability.key in self.board.used.get(who, ()):
                    continue
                if targets.enough_goodwill(view, who, ability):
                    yield who, ability

    def declarations(self, who: str, ability: GoodwillAbility) -> list[Declared]:
        """Return every way to declare an ability: all legal targets and choices."""
        view, user = self.view(), self.rules.characters[who]
        choices = targets.choices(view, user, ability)
        return [
            Declared(who, ability, target, choice)
            for target in targets.targets(view, user, ability)
            for choice in choices
        ]

    def resolve_use(self, use: Declared) -> None:
        """Answer a declared use and show what follows."""
        view, who, ability = self.view(), use.who, use.ability
        if self.refused(view, use):
            said = self.mastermind.says(self, use, refused=True)
            self._answer(use, SAID_REFUSED if said == RESOLVED else said, REFUSED)
            magic.after_refusal(self)
            return
        user = self.rules.characters[who]
        if days.resolves_incident(ability):
            # Whether anything shows is known afterwards; a game that was noted tells the word.
            said = self.mastermind.says(self, use, refused=False) if self.lenient else RESOLVED
            self._answer(use, NOTHING if said == SAID_REFUSED else said, ACCEPTED)
            days.resolve_for_leader(self, use.target, user.id)
            magic.after_use(self, view, use, ())
            return
        moves = goodwill.acceptances(view, self.at, user, ability, use.target, use.choice)
        moves = [move for move in moves if not move.open] or moves
        move = moves[0] if len(moves) == 1 else self.mastermind.tells(self, moves)
        said = RESOLVED
        if not move.shows:
            said = self.mastermind.says(self, use, refused=False)
        self._answer(use, NOTHING if said == SAID_REFUSED else said, ACCEPTED, move)
        if move.flag is not None and self.board.effect(move.flag[1], str(move.flag[2])) == MAYBE:
            self.flags |= {move.flag}
        self.show(*(mark(record) for record in move.shows))
        dead = [str(r.who) for r in move.shows if isinstance(r, records.Death)]
        if isinstance(ability.does, ClearUser) and isinstance(use.choice, int):
            self.change_gauge(use.choice)
        days.after_deaths(self, view, dead, by_use=True)
        if days.ends_by_death(view, dead):
            self.end(LOST)
        magic.after_use(self, view, use, move.shows)

    def refused(self, view: ScriptView, use: Declared) -> bool:
        """Tell whether a use is refused: it has to be, or the Mastermind chooses to (G-04)."""
        if not goodwill.may_refuse(view, use.who, use.ability):
            return False
        if goodwill.may_accept(view, use.who, use.ability) == NO:
            return True
        return self.mastermind.refuses(self, use)

    def _answer(self, use: Declared, said: str, answer: str, move: Move | None = None) -> None:
        on, shows = (None, ()) if move is None else (move.on, move.shows)
        name = f"{use.who}.{use.ability.key}"
        self.choices.append(Choice(self.at, name, use.who, on, shows, answer))
        record = records.Use(
            at=self.at,
            who=use.who,
            ability=goodwill.ability_key(use.ability.key),
            target=use.target,
            choice=use.choice,
            outcome=said,  # type: ignore[arg-type]
        )
        self.show(record)

    # The end of a loop ---------------------------------------------------------------------

    def end_loop(self, day: int) -> str:
        """Look at the losses, tell roles, and say the word (L-05 to L-08); return the word."""
        self.step(LOOP_END)
        early = self.over is not None
        view = self.view()
        for who, role, truth in loop_end.told_roles(view):
            if truth == YES and loop_end.known_before(view, who) == NO:
                self.show(records.Reveal(at=self.at, role_of=who, role=role))
        magic.reminiscence(self)
        if not early:
            lost = loop_end.is_lost(view)
            if lost == YES or self.fatal or (lost and self.mastermind.declares(self)):
                self.end(LOST)
            else:
                self.end(WON)
        self.complete()
        assert self.over is not None
        return self.over

    def final_guess(self) -> None:
        """Let the Protagonists name roles until one answer is wrong (F-02)."""
        self.step(FINAL_GUESS)
        for who, role in self.protagonists.guess(self):
            right = self.world.role[who] == role
            self.records.append(records.Guess(at=self.at, who=who, role=role, right=right))
            if not right:
                break
        self.complete()


def mark(record: AnyRecord) -> AnyRecord:
    """Return a record as the effect of the last declared use."""
    return msgspec.structs.replace(record, by_use=True)


def play(
    sheet: Sheet,
    script: Script,
    mastermind: Mastermind,
    protagonists: Protagonists,
    *,
    rulings: TableRulings = DEFAULT_RULINGS,
    announces: Literal["every_token", "net"] = "every_token",
    title: str = "",
    game: type[Play] = Play,
    world: World | None = None,
) -> tuple[Transcript, tuple[Choice, ...]]:
    """Play a whole game.

    Args:
        sheet: the open sheet.
        script: the script behind it.
        mastermind, protagonists: who decides.
        rulings: the table's readings; where they are open one is played.
        announces: what the Mastermind tells of his step.
        title: title of the transcript.
        game: how to play (a course is played more leniently).
        world: the script made ready, if it is at hand (by another rulebook, say).

    Returns:
        The public transcript, and the hidden choices behind it.
    """
    if world is None:
        world = World(RULEBOOKS[sheet.set], sheet, script, rulings)
    running = game(world, mastermind, protagonists, announces)
    running.run()
    transcript = Transcript(
        format="looper-transcript",
        version=1,
        title=title,
        sheet=sheet,
        rulings=dict(rulings.chosen),
        announces=announces,
        records=tuple(running.records),
    )
    return transcript, tuple(running.choices)
