"""Parts of an effect that place, move or name something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.clues.effect.base import Base, State
from assistant.clues.effect.noted import take, take_tokens
from assistant.formula import TRUE, Formula
from engine import kleene
from engine.kleene import NO, YES
from engine.rules.model import (
    MoveCulprit,
    On,
    Put,
    PutOnPlace,
    Transfer,
)


@dataclass(slots=True)
class ChangeParts(Base):
    """Reads the parts that leave everybody alive."""

    def put_on_place(
        self, part: PutOnPlace, state: State, *, forced: bool = True
    ) -> Iterator[tuple[Formula, State]]:
        """Tokens on the culprit's location or on any; ``forced``: this always shows."""
        places = tuple(self.view.board.intrigue) if part.anywhere else self.places(state)
        for place in places:
            left = take_tokens(state.left, place, part.token, part.n)
            if left is not None:
                yield TRUE, replace(state, left=left)
        if forced and self.silent_ok(state):
            yield TRUE, state

    def attach_curse(self, state: State) -> Iterator[tuple[Formula, State]]:
        """A curse lies on the culprit, or by a mob's incident on the location (HS-05)."""
        for on in self.places(state) if self.mob else (self.culprit,):
            left = take(state.left.curses, on)
            if left is not None:
                yield TRUE, replace(state, left=replace(state.left, curses=left))
        if self.silent_ok(state):
            yield TRUE, state

    def scatter(self, state: State) -> Iterator[tuple[Formula, State]]:
        """Everybody else here goes elsewhere, but may be sent beyond its red X (HS-23)."""
        board = self.view.board
        moves = list(state.left.moves)
        for who in board.cards:
            fact = board.alive(who) & self.here(who, state)
            if who == self.culprit or fact == NO:
                continue
            taken = next((entry for entry in moves if who in entry[0]), None)
            if taken is not None:
                moves.remove(taken)
            elif fact == YES and not self.may_stay(who) and not self.silent_ok(state):
                return
        yield TRUE, replace(state, left=replace(state.left, moves=tuple(moves)))

    def may_stay(self, who: str) -> bool:
        """Tell whether some location is barred to the card, so that its move may fail."""
        board = self.view.board
        barred = self.view.rules.characters[who].forbidden
        locked = board.effect("cannot_move", who) != NO or any(
            board.effect("closed", place) != NO for place in board.intrigue
        )
        return bool(barred) or locked

    def put(self, part: Put, state: State) -> Iterator[tuple[Formula, State]]:
        """Tokens on a character, another one, or a fixed location (I-13, I-15)."""
        board = self.view.board
        if not isinstance(part.on, On):
            for token in part.tokens:
                left = take_tokens(state.left, part.on, token, part.n)
                if left is not None:
                    yield TRUE, replace(state, left=left)
            if self.silent_ok(state):
                yield TRUE, state
            return
        possible = False
        for who in board.cards:
            fact = board.alive(who)
            if part.on is On.CHARACTER_HERE:
                fact &= self.here(who, state)
            if part.on is On.ANOTHER and who == state.chosen:
                fact = NO
            if fact == NO or who in state.gone:
                continue
            # A displaced culprit may be hit where it acts, but need not be (MC-11, MC-26).
            possible = possible or (fact == YES and not (self.diagonal and who == self.culprit))
            for token in part.tokens:
                left = take_tokens(state.left, who, token, part.n)
                if left is not None:
                    yield TRUE, replace(state, left=left, chosen=who)
        if not possible or self.silent_ok(state):
            yield TRUE, replace(state, chosen=None)

    def transfer(self, part: Transfer, state: State) -> Iterator[tuple[Formula, State]]:
        """What is taken is placed, or by another print the full number is (I-14)."""
        yield TRUE, state
        board = self.view.board
        living = [who for who in board.cards if board.alive(who) != NO]
        for giver in living:
            low, high = kleene.span_of(board.tokens(part.token, giver))
            for taken in range(part.up_to + 1):
                if taken > high:
                    continue
                left = take_tokens(state.left, giver, part.token, -taken)
                if left is None:
                    continue
                placed_counts = {taken}
                if taken >= min(low, part.up_to):
                    placed_counts.add(part.up_to)
                for taker in living:
                    for placed in placed_counts:
                        after = take_tokens(left, taker, part.token, placed)
                        if taker != giver and after is not None and (taken or placed):
                            yield TRUE, replace(state, left=after)
                if self.silent_ok(state) and taken:
                    yield TRUE, replace(state, left=left)

    def move_any(self, state: State) -> Iterator[tuple[Formula, State]]:
        """Somebody here moves anywhere, or to where it stands: then nothing shows (MC-17)."""
        yield TRUE, state
        for number, (names, to) in enumerate(state.left.moves):
            fits = [
                who
                for who in names
                if self.view.board.alive(who) != NO and self.here(who, state) != NO
            ]
            if not fits:
                continue
            moves = state.left.moves[:number] + state.left.moves[number + 1 :]
            after = replace(state, left=replace(state.left, moves=moves))
            if self.culprit in fits and not self.diagonal:
                place = to[0] if len(to) == 1 else None
                yield TRUE, replace(after, place=place)
            if set(fits) - {self.culprit} or self.diagonal:
                yield TRUE, after

    def name_location(self, state: State) -> Iterator[tuple[Formula, State]]:
        """The place where the culprit acts is named, always (MC-18, MC-26)."""
        for number, place in enumerate(state.left.named):
            if place in self.places(state):
                named = state.left.named[:number] + state.left.named[number + 1 :]
                yield TRUE, replace(state, left=replace(state.left, named=named))
        if self.silent_ok(state):
            yield TRUE, state

    def extra_card(self, state: State) -> Iterator[tuple[Formula, State]]:
        """An Extra card lies on the culprit itself, always (MC-16)."""
        left = take(state.left.extra, self.culprit)
        if left is not None:
            yield TRUE, replace(state, left=replace(state.left, extra=left))
        if self.silent_ok(state):
            yield TRUE, state

    def can_move(self) -> bool:
        """Tell whether some other location is surely open to the culprit."""
        character = self.view.rules.characters[self.culprit]
        if len(character.forbidden) < len(self.view.board.intrigue) - 1:
            return True
        return self.view.effect("freed", self.culprit) == YES

    def move_culprit(self, part: MoveCulprit, state: State) -> Iterator[tuple[Formula, State]]:
        """The culprit moves or stays, then its place is marked (I-10)."""
        board = self.view.board
        for place in board.intrigue:
            left = take_tokens(state.left, place, part.token, part.n)
            if left is None:
                continue
            for number, (names, to) in enumerate(left.moves):
                if self.culprit in names and place in to:
                    moves = left.moves[:number] + left.moves[number + 1 :]
                    yield TRUE, replace(state, left=replace(left, moves=moves), place=place)
            if place in self.places(state):
                yield TRUE, replace(state, left=left, place=place)
        if not self.can_move():
            # Whether a culprit that cannot move still marks its place is open (I-26).
            yield TRUE, state
        if self.silent_ok(state):
            for number, (names, to) in enumerate(state.left.moves):
                if self.culprit in names:
                    moves = state.left.moves[:number] + state.left.moves[number + 1 :]
                    place_after = to[0] if len(to) == 1 else None
                    yield (
                        TRUE,
                        replace(state, left=replace(state.left, moves=moves), place=place_after),
                    )
            # The token may have been noted although the move was not (B-05: anywhere).
            for place in board.intrigue:
                left = take_tokens(state.left, place, part.token, part.n)
                if left is not None:
                    yield TRUE, replace(state, left=left, place=None)
            yield TRUE, state
