"""Both players of a game at once, reading from a course and from open decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from engine import records
from engine.play import Play
from engine.players import Declared
from engine.records import AnyRecord
from engine.steps.choice import REFUSED, Choice
from engine.steps.common import At, Move
from engine.steps.goodwill import find
from engine.table.calendar import order
from engine.words import LOST, MASTERMIND, NO_WORD


class IllegalCourse(ValueError):
    """A course holds a choice that the rules do not allow."""


@dataclass(slots=True)
class Decisions:
    """What was decided in the open: cards, declared uses, words.

    Attributes:
        by_step: the records of each step.
    """

    by_step: dict[At, list[AnyRecord]] = field(default_factory=lambda: defaultdict(list))

    def over_before(self, at: At) -> bool:
        """Tell whether all that was decided lies before a moment."""
        return bool(self.by_step) and order(at) > max(map(order, self.by_step))

    def of(self, at: At, *kinds: type) -> list[AnyRecord]:
        """Return the records of some kinds in a step."""
        return [record for record in self.by_step.get(at, ()) if isinstance(record, kinds)]

    def word(self, at: At) -> str | None:
        """Return the word with which a loop ended in a step, if it did."""
        for record in self.of(at, records.LoopOver):
            assert isinstance(record, records.LoopOver)
            return record.word
        return None


class Scripted:
    """Both players at once, reading from a course and from open decisions."""

    def __init__(self, course: Iterable[Choice], decisions: Decisions) -> None:
        self.decisions = decisions
        self.pending: dict[At, list[Choice]] = defaultdict(list)
        for choice in course:
            self.pending[choice.at].append(choice)
        self._uses: dict[At, Iterator[AnyRecord]] = {}
        self._said: records.Use | None = None
        self._condemned: dict[At, Iterator[AnyRecord]] = {}

    def left(self) -> Choice | None:
        """Return a choice that was not used."""
        return next((choice for listed in self.pending.values() for choice in listed), None)

    def find(self, at: At, moves: Iterable[Move]) -> Move | None:
        """Return the move that the next choice of the step names, if it is among these."""
        listed = self.pending.get(at)
        if not listed:
            return None
        return next((move for move in moves if matches(listed[0], move)), None)

    def carried_out(self, at: At, move: Move) -> None:
        """Drop the choice that named a move: the game has carried it out."""
        listed = self.pending.get(at, [])
        done = next((choice for choice in listed if matches(choice, move)), None)
        if done is not None:
            listed.remove(done)

    # Loop start and cards -----------------------------------------------------------------

    def start(self, play: Play, who: str, places: tuple[str, ...]) -> str:
        """See ``engine.players.Mastermind``."""
        for record in self.decisions.of(play.at, records.Placed):
            assert isinstance(record, records.Placed)
            if record.who == who and isinstance(record.where, str):
                return record.where
        raise IllegalCourse(f"{play.at}: nobody said where {who} starts")

    def start_token(self, play: Play, who: str) -> str:
        """See ``engine.players.Mastermind``."""
        listed = self.pending.get(play.at, [])
        for choice in listed:
            if choice.source == "start_token" and choice.by == who:
                listed.remove(choice)
                break
        for record in self.decisions.of(play.at, records.Token):
            assert isinstance(record, records.Token)
            if record.by == who and record.on == who:
                return record.token
        raise IllegalCourse(f"{play.at}: nobody said which token {who} gets")

    def _played(self, at: At, by: str) -> list[tuple[str, str]]:
        found = []
        for record in self.decisions.of(at, records.PlayedCard):
            assert isinstance(record, records.PlayedCard)
            if record.by == by and record.card is not None and isinstance(record.on, str):
                found.append((record.card, record.on))
        return found

    def cards(self, play: Play, hand: dict[str, int], spots: list[str]) -> list[tuple[str, str]]:
        """See ``engine.players.Mastermind``."""
        return self._played(play.at, MASTERMIND)

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> tuple[str, str]:
        """See ``engine.players.Protagonists``."""
        for card in self._played(play.at, deck):
            return card
        raise IllegalCourse(f"{play.at}: deck {deck} plays no card")

    def ignores(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        move = self.find(play.at, moves)
        if move is not None:
            self.carried_out(play.at, move)
            return move
        # A card that echoes what lies on its place: tables differ on what it gets after moving,
        # so that a course says nothing of it.
        echoes = play.rules.characters
        for record in self.decisions.of(play.at, records.CardResult):
            assert isinstance(record, records.CardResult)
            echoing = record.on in echoes and echoes[str(record.on)].echoes_location_cards
            if echoing and record.intrigue:
                return next((move for move in moves if move.on == record.on), None)
        return None

    # Abilities ----------------------------------------------------------------------------

    def ability(self, play: Play, moves: list[Move], *, must: bool) -> Move | None:
        """See ``engine.players.Mastermind``."""
        return self.find(play.at, moves)

    def use(self, play: Play) -> Declared | None:
        """See ``engine.players.Protagonists``."""
        uses = self._uses.setdefault(play.at, iter(self.decisions.of(play.at, records.Use)))
        record = next(uses, None)
        if record is None:
            return None
        assert isinstance(record, records.Use)
        assert isinstance(record.who, str)
        self._said = record
        ability = find(play.rules.characters[record.who], record.key)
        if ability is None:
            raise IllegalCourse(f"{play.at}: {record.who} has no ability {record.key}")
        return Declared(record.who, ability, record.target, record.choice)

    def refuses(self, play: Play, use: Declared) -> bool:
        """See ``engine.players.Mastermind``."""
        listed = self.pending.get(play.at)
        return bool(listed) and listed[0].answer == REFUSED  # type: ignore[index]

    def says(self, play: Play, use: Declared, *, refused: bool) -> str:
        """See ``engine.players.Mastermind``."""
        assert self._said is not None
        return self._said.outcome

    def tells(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        listed = self.pending.get(play.at) or []
        for move in moves:
            if listed and listed[0].shows == move.shows:
                return move
        raise IllegalCourse(f"{play.at}: acceptance cannot show this")

    def answered(self, play: Play) -> None:
        """Drop the choice that answered a use: the game has carried it out."""
        listed = self.pending.get(play.at)
        if listed:
            del listed[0]

    def passes(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Protagonists``."""
        shown = [bare(record) for record in self.decisions.of(play.at, records.Shifted)]
        return next((move for move in moves if move.shows[0] in shown), None)

    # The gauge of knowledge -----------------------------------------------------------------

    def spell(self, play: Play) -> str | None:
        """See ``engine.players.Protagonists``."""
        for record in self.decisions.of(play.at, records.Spell):
            assert isinstance(record, records.Spell)
            return record.on if isinstance(record.on, str) else None
        return None

    def raises_gauge(self, play: Play) -> bool:
        """See ``engine.players.Protagonists``: if the noted gauge still asks for it.

        Refusals that are still to come in the step raise it by themselves.
        """
        noted = self.decisions.of(play.at, records.Gauge)
        goal = noted[-1].value if noted else play.gauge  # type: ignore[union-attr]
        refusals = sum(choice.answer == REFUSED for choice in self.pending.get(play.at, ()))
        return (goal or 0) - (play.board.gauge or 0) - refusals > 0

    def condemns(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Protagonists``."""
        noted = self._condemned.setdefault(
            play.at, iter(self.decisions.of(play.at, records.LeaderChooses))
        )
        record = next(noted, None)
        who = record.who if isinstance(record, records.LeaderChooses) else None
        return self.effect(play, [move for move in moves if who in (None, move.on)] or moves)

    # Incidents, nights, the end -------------------------------------------------------------

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        move = self.find(play.at, moves)
        if move is None:
            move = next((move for move in moves if not move.shows), None)
        if move is None:
            raise IllegalCourse(f"{play.at}: the effect has to show something")
        return move

    def strikes(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        raise IllegalCourse("nights of a course are played by the game itself")

    def night(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        raise IllegalCourse("nights of a course are played by the game itself")

    def declares(self, play: Play) -> bool:
        """See ``engine.players.Mastermind``."""
        return self.decisions.word(play.at) in (LOST, NO_WORD)

    def guess(self, play: Play) -> list[tuple[str, str]]:
        """See ``engine.players.Protagonists``."""
        found = []
        for record in self.decisions.of(play.at, records.Guess):
            assert isinstance(record, records.Guess)
            assert isinstance(record.who, str)
            found.append((record.who, record.role))
        return found


def matches(choice: Choice, move: Move) -> bool:
    """Tell whether a choice names a move: same source, same card, same showing."""
    if (choice.source, choice.by) != move.key:
        return False
    if not choice.shows and not move.shows:
        return choice.on == move.on
    return [bare(record) for record in choice.shows] == [bare(record) for record in move.shows]


def bare(record: AnyRecord) -> AnyRecord:
    """Return a record without the marks of how it was told."""
    return msgspec.structs.replace(record, by_use=False, ordered=False, note=None)
