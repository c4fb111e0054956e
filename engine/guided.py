"""A game in which a course decides, open readings included."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from engine import records
from engine.kleene import YES
from engine.play import Play
from engine.players import Declared
from engine.records import AnyRecord
from engine.scripted import IllegalCourse, Scripted, bare, matches
from engine.steps import corpses, days, haunted, knowledge, magic, mastermind, night
from engine.steps.choice import Choice
from engine.steps.common import Move
from engine.steps.curses import CURSE
from engine.steps.deaths import kill_outcomes, reactions
from engine.steps.loop_end import is_lost, told_roles
from engine.view import ScriptView
from engine.words import CARDS, LOOP_END, LOST, MASTERMIND_STEP, NIGHT, UNEASE


class _NothingMore(Exception):
    """The noted game stops here."""


class Guided(Play):
    """A game in which a course decides, open readings included."""

    lenient = True

    @property
    def scripted(self) -> Scripted:
        """Return the players."""
        assert isinstance(self.mastermind, Scripted)
        return self.mastermind

    def run(self) -> None:
        """Play as far as the game was noted."""
        with suppress(_NothingMore):
            super().run()

    def step(self, name: str) -> None:
        """Begin a step, if anything was noted from here on."""
        super().step(name)
        if self.scripted.decisions.over_before(self.at):
            raise _NothingMore

    def complete(self) -> None:
        """Close a step; what no deed showed was a use at an unusual moment (M-08)."""
        if self.at[2] not in (CARDS, MASTERMIND_STEP):
            self._strays()
        for record in self.scripted.decisions.of(self.at, records.Gauge):
            assert isinstance(record, records.Gauge)
            self.board.gauge = record.value
        super().complete()

    def blow(self, moves: list[Move]) -> Move:
        """Return how a blow shows, as the course says where it speaks of it."""
        listed = self.scripted.pending.get(self.at, [])
        named = (move for move in moves if any(matches(choice, move) for choice in listed))
        return next(named, None) or super().blow(moves)

    def occurs(self, triggered: int) -> bool:
        """Tell whether an incident occurs; where tables differ the transcript tells."""
        said = self.scripted.decisions.of(self.at, records.Happens)
        if triggered == YES or not said:
            return bool(triggered)
        return bool(triggered) and any(getattr(record, "occurs", False) for record in said)

    def cleared(self, who: str, n: int) -> int:
        """Return how much goes: some tables clear before the effect puts more (MC-08)."""
        return sum(
            -record.n
            for record in self.scripted.decisions.of(self.at, records.Token)
            if isinstance(record, records.Token)
            and (record.on, record.token) == (who, UNEASE)
            and record.n < 0
        )

    def take(self, move: Move, *, by_use: bool = False) -> None:
        """Carry out a move; the choice that named it is done."""
        self.scripted.carried_out(self.at, move)
        super().take(move, by_use=by_use)

    def _strays(self) -> None:
        untimed = {ability.id for ability in mastermind.untimed(self.world)}
        listed = self.scripted.pending.get(self.at, [])
        for choice in [choice for choice in listed if choice.source in untimed]:
            places = [on for on in self.board.intrigue if on in _spots(choice)]
            moves = [m for on in places for m in mastermind.stray_moves(self.view(), self.at, on)]
            move = next((move for move in moves if matches(choice, move)), None)
            if move is None:
                raise IllegalCourse(f"{self.at}: {choice.source} cannot do this")
            listed.remove(choice)
            super().take(move)

    def resolve_use(self, use: Declared) -> None:
        """Answer a use as the course says."""
        listed = self.scripted.pending.get(self.at)
        if not listed or listed[0].answer is None:
            raise IllegalCourse(f"{self.at}: nothing answers the use of {use.who}")
        super().resolve_use(use)

    def _answer(self, use: Declared, said: str, answer: str, move: Move | None = None) -> None:
        super()._answer(use, said, answer, move)
        self.scripted.answered(self)

    def end(self, word: Literal["dead", "lost", "none", "won"]) -> None:
        """End the loop with the word that was said; the last night may leave it for later."""
        said = self.scripted.decisions.word(self.at)
        if said is None and self.at[2] == NIGHT and self.at[1] == self.world.sheet.days:
            self.fatal = True
            return
        super().end(word if said is None else said)  # type: ignore[arg-type]

    # The night -----------------------------------------------------------------------------

    def night(self) -> None:
        """Play the choices of a night in the order of the course, then see what was due."""
        self.step(NIGHT)
        days.switch_leader(self)
        before = self.view().on(self.board.copy())
        struck: list[str] = []
        dead: list[str] = []
        ended = killed = False
        listed = self.scripted.pending.get(self.at, [])
        untimed = {ability.id for ability in mastermind.untimed(self.world)}
        start, before = before, self._after_curses(before, listed, struck, dead)
        ended = any(start.death_ends_loop(who) for who in dead)
        told: list[str] = []
        for choice in [choice for choice in listed if choice.source not in untimed]:
            listed.remove(choice)
            if self._walks(choice):
                continue
            if not choice.early:
                self._tell(before, dead, told)
            blows = self._blows_on_all(choice)
            if blows is not None:
                self.choices.append(choice)
                self.show(*blows)
                fallen = [str(r.who) for r in blows if isinstance(r, records.Death)]
                dead += fallen
                ended = ended or any(before.death_ends_loop(who) for who in fallen)
                killed = self.view().shielded() != YES
                break
            if self._kills_protagonists(before, choice):
                self.choices.append(choice)
                killed = True
                break
            move = self._blow(before, choice)
            self.choices.append(choice)
            if not move.shows or (choice.early and move.on in struck):
                continue
            assert move.on is not None
            struck.append(move.on)
            self.show(*move.shows)
            if isinstance(move.shows[0], records.Death):
                dead.append(move.on)
                ended = ended or bool(before.death_ends_loop(move.on))
        self._reactions(start, dead)
        self._tell(before, dead, told)
        self.change_gauge(knowledge.raising_deaths(before, dead, ())[0])
        if killed:
            self.end("dead")
        elif ended:
            self.end("lost")
        elif self.scripted.decisions.word(self.at) is None:
            self._see_demands(before, struck)
        else:  # where the loop ended not every death need be noted (D-06)
            haunted.day_is_over(self)
            self._lose_now()
            magic.madness(self)
        self.complete()

    def _lose_now(self) -> None:
        """Declare a loss in the last night already, where the table did (BT-04)."""
        last = self.at[1] == self.world.sheet.days
        if last and self.over is None and self.scripted.decisions.word(self.at) == LOST:
            if not is_lost(self.view()):
                raise IllegalCourse(f"{self.at}: nothing is lost")
            self.end("lost")

    def _tell(self, before: ScriptView, dead: list[str], told: list[str]) -> None:
        """Tell the roles that deaths tell, of those that have died since the last time."""
        new = [who for who in dead if who not in told]
        told += new
        magic.after_deaths(self, before, new, by_use=False)

    def _blows_on_all(self, choice: Choice) -> tuple[AnyRecord, ...] | None:
        """Return what killing everybody shows, ``None`` for a choice of another kind."""
        for move in night.kill_all_moves(self.view(), self.at):
            if move.key == (choice.source, choice.by):
                return tuple(self._blow_on(choice, who) for who in self._struck(choice, move))
        return None

    def _struck(self, choice: Choice, move: Move) -> list[str]:
        """Return whom killing everybody hits: all of whom it has to show, or the course does."""
        shown = (*move.shows, *choice.shows)
        return list(dict.fromkeys(str(getattr(record, "who", "")) for record in shown))

    def _blow_on(self, choice: Choice, who: str) -> AnyRecord:
        """Return how one of the blows shows, as the course says where it speaks of it."""
        possible = [one.shows for one in kill_outcomes(self.view(), self.at, who) if one.shows]
        if not possible:
            raise IllegalCourse(f"{self.at}: {choice.source} cannot kill {who}")
        said = [bare(record) for record in choice.shows]
        return next((record for record in possible if bare(record) in said), possible[0])

    def _after_curses(
        self, before: ScriptView, listed: list[Choice], struck: list[str], dead: list[str]
    ) -> ScriptView:
        """Follow what the curses of a night did; return the moment of the batch (D-15)."""
        while listed and listed[0].source == CURSE:
            choice = listed.pop(0)
            move = Move(choice.source, None, choice.shows, YES, choice.on)
            if not haunted.is_legal(self, before.board, move):
                raise IllegalCourse(f"{self.at}: a curse cannot do this to {choice.on}")
            self.choices.append(choice)
            self.show(*choice.shows)
            if not isinstance(choice.shows[0], records.Curse):
                assert choice.on is not None
                struck.append(choice.on)
                if isinstance(choice.shows[0], records.Death):
                    dead.append(choice.on)
        return self.view().on(self.board.copy())

    def _walks(self, choice: Choice) -> bool:
        """Follow the step of a corpse; return whether the choice is one (HS-16)."""
        horde = corpses.horde_of(self.rules)
        if horde is None or horde.move is None or choice.source != horde.move.id:
            return False
        move = next((m for m in corpses.steps(self.view(), self.at) if matches(choice, m)), None)
        if move is None:
            raise IllegalCourse(f"{self.at}: no such corpse can walk there")
        self.choices.append(choice)
        self.show(*move.shows)
        return True

    def _kills_protagonists(self, before: ScriptView, choice: Choice) -> bool:
        view = before if choice.early else self._with_reactions(before)
        for holding, _ in night.protagonist_killers(view):
            if holding.key == (choice.source, choice.by):
                if view.shielded() == YES:
                    raise IllegalCourse(f"{self.at}: the Protagonists cannot die in this loop")
                return True
        return False

    def _with_reactions(self, before: ScriptView) -> ScriptView:
        """Return the moment with the tokens that follow from tonight's deaths (D-09)."""
        alive = [who for who in before.board.cards if before.board.alive(who)]
        dead = [who for who in alive if not self.board.alive(who)]
        board = self.board.copy()
        for (who, kind), (_, may) in reactions(before, dead, self.view()).items():
            board.add(kind, who, may)
        return self.view().on(board)

    def _blow(self, before: ScriptView, choice: Choice) -> Move:
        view = before if choice.early else self.view()
        for holding in night.killers(view):
            if holding.key == (choice.source, choice.by):
                for move in night.kill_moves(view, self.at, holding):
                    if move.on == choice.on and matches(choice, move):
                        return move
        raise IllegalCourse(f"{self.at}: {choice.source} of {choice.by} cannot kill {choice.on}")

    def _reactions(self, before: ScriptView, dead: list[str]) -> None:
        self.fatal = self.fatal or any(before.death_is_lost(who) for who in dead)
        noted = {
            (str(record.on), str(record.token)): record.n
            for record in self.scripted.decisions.of(self.at, records.Token)
            if isinstance(record, records.Token)
        }
        for (who, kind), (must, may) in reactions(before, dead, self.view()).items():
            n = min(may, max(must, noted.get((who, kind), 0)))
            if n:
                self.show(records.Token(at=self.at, on=who, token=kind, n=n))  # type: ignore[arg-type]

    def _see_demands(self, before: ScriptView, struck: list[str]) -> None:
        for demand in night.demands(before):
            if not set(struck) & set(demand.victims):
                holder = demand.holding.holder
                raise IllegalCourse(f"{self.at}: {holder} had to kill {demand.victims[0]}")

    def end_loop(self, day: int) -> str:
        """Look at the losses; roles that were told once more are told once more."""
        self.step(LOOP_END)
        again = []
        for record in self.scripted.decisions.of(self.at, records.Reveal):
            assert isinstance(record, records.Reveal)
            if record.role_of in self.board.revealed and any(
                (who, role) == (record.role_of, record.role)
                for who, role, _ in told_roles(self.view())
            ):
                again.append(record)
        self.show(*again)
        return super().end_loop(day)


def _spots(choice: Choice) -> list[str]:
    return [str(getattr(record, "on", "")) for record in choice.shows]
