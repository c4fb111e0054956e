"""Ways of playing the Protagonists: testing people, protecting them, and blundering about."""

from __future__ import annotations

from random import Random

from engine.play import Play
from engine.players import Declared
from engine.rules.model import PlaceGuard
from engine.steps.common import Move
from engine.words import (
    FORBID_INTRIGUE,
    FORBID_MOVEMENT,
    GOODWILL_PLUS_1,
    GOODWILL_PLUS_2,
    MOVEMENT_HORIZONTAL,
    MOVEMENT_VERTICAL,
    UNEASE_MINUS_1,
)

Card = tuple[str, str]
_MOVEMENTS = (MOVEMENT_VERTICAL, MOVEMENT_HORIZONTAL)


class Blunders:
    """Plays any card anywhere, and uses abilities at random."""

    uses = 0.5
    knows = 0.6
    """How often an answer of the Final Guess is right."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        """Return true in this share of cases."""
        return self.rng.random() < share

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> Card:
        """See ``engine.players.Protagonists``."""
        return self.rng.choice(hand), self.rng.choice(spots)

    def use(self, play: Play) -> Declared | None:
        """See ``engine.players.Protagonists``."""
        usable = list(play.usable())
        while usable and self.chance(self.uses):
            who, ability = usable.pop(self.rng.randrange(len(usable)))
            declared = play.declarations(who, ability)
            if declared:
                return self.pick(play, declared)
        return None

    def pick(self, play: Play, declared: list[Declared]) -> Declared:
        """Choose among the targets of one ability."""
        return self.rng.choice(declared)

    def passes(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Protagonists``."""
        return self.rng.choice(moves) if self.chance(self.uses) else None

    def condemns(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Protagonists``."""
        return self.rng.choice(moves)

    def spell(self, play: Play) -> str | None:
        """See ``engine.players.Protagonists``."""
        living = [who for who in play.board.cards if play.board.alive(who)]
        return self.rng.choice(living) if living and self.chance(self.uses) else None

    def raises_gauge(self, play: Play) -> bool:
        """See ``engine.players.Protagonists``."""
        return self.chance(0.5)

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Protagonists``."""
        return self.rng.choice(moves)

    def guess(self, play: Play) -> list[Card]:
        """See ``engine.players.Protagonists``."""
        roles = list(play.rules.roles)
        guessed = []
        for who, role in play.world.role.items():
            guessed.append((who, role if self.chance(self.knows) else self.rng.choice(roles)))
        self.rng.shuffle(guessed)
        return guessed


class Tests(Blunders):
    """Wins the Goodwill of a few people in each loop and uses all their abilities."""

    __test__ = False
    uses = 0.95
    knows = 0.8

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._loop = 0
        self._focus: list[str] = []

    def focus(self, play: Play) -> list[str]:
        """Return whom this loop is about: people with abilities, others each loop."""
        if self._loop != play.board.loop:
            self._loop = play.board.loop
            characters = play.rules.characters
            able = [who for who in play.board.cards if characters[who].goodwill]
            self.rng.shuffle(able)
            able.sort(key=lambda who: who in self._focus)
            self._focus = able[:3]
        return self._focus

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> Card:
        """See ``engine.players.Protagonists``: most cards are Goodwill for the chosen people."""
        people = sorted(self.focus(play), key=lambda who: -(play.board.goodwill(who) or 0))
        wanted = [on for who in people if (on := self.reached_on(play, who)) in spots]
        if wanted and self.chance(0.85):
            face = GOODWILL_PLUS_2 if GOODWILL_PLUS_2 in hand else GOODWILL_PLUS_1
            return face, wanted[0]
        if self.chance(0.3):
            return self.forbid(play, spots)
        return super().card(play, deck, hand, spots)

    def pick(self, play: Play, declared: list[Declared]) -> Declared:
        """Choose among targets: a guard for somebody who stands with one other person."""
        if isinstance(declared[0].ability.does, PlaceGuard):
            board = play.board
            lonely = [
                use
                for use in declared
                if isinstance(use.target, str)
                and board.others_living_at(use.target, str(board.cards[use.target].at)) == (1, 1)
            ]
            declared = lonely or declared
        return super().pick(play, declared)

    def reached_on(self, play: Play, who: str) -> str:
        """Return where a card for ``who`` has to lie (K-Illusion)."""
        if play.rules.characters[who].echoes_location_cards:
            return str(play.board.cards[who].at)
        return who

    def forbid(self, play: Play, spots: list[str]) -> Card:
        """Return a Forbid Intrigue where the Mastermind has laid a card, rather on locations."""
        marked = [on for on in play.face_down if on in spots]
        marked.sort(key=lambda on: on in play.board.cards)
        return FORBID_INTRIGUE, marked[0] if marked else self.rng.choice(spots)


class Courts(Tests):
    """Wins one person a loop as fast as the cards allow, for abilities that need much Goodwill."""

    uses = 0.95

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> Card:
        """See ``engine.players.Protagonists``: the best card each day is for that person."""
        beloved = self.reached_on(play, self.focus(play)[0]) if self.focus(play) else None
        if beloved in spots and self.chance(0.95):
            return GOODWILL_PLUS_2 if GOODWILL_PLUS_2 in hand else GOODWILL_PLUS_1, beloved
        # The other decks keep their best card for one of the next days.
        if self.chance(0.4):
            return self.forbid(play, spots)
        return GOODWILL_PLUS_1, self.rng.choice(spots)


class Protects(Tests):
    """Calms those about to panic, forbids Intrigue where it piles up, keeps people in company."""

    uses = 0.9

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> Card:
        """See ``engine.players.Protagonists``."""
        board, characters = play.board, play.rules.characters
        roll = self.rng.random()
        upset = [
            who
            for who in spots
            if who in board.cards and (board.unease(who) or 0) >= max(1, characters[who].limit - 1)
        ]
        if roll < 0.25 and upset and UNEASE_MINUS_1 in hand:
            return UNEASE_MINUS_1, self.rng.choice(upset)
        if roll < 0.5:
            return self.forbid(play, spots)
        people = [on for on in spots if on in board.cards]
        if roll < 0.65 and people:
            alone = [
                who
                for who in people
                if board.others_living_at(who, str(board.cards[who].at)) == (0, 0)
            ]
            return self.rng.choice(_MOVEMENTS), self.rng.choice(alone or people)
        if roll < 0.7 and people and FORBID_MOVEMENT in hand:
            return FORBID_MOVEMENT, self.rng.choice(people)
        return super().card(play, deck, hand, spots)

    def pick(self, play: Play, declared: list[Declared]) -> Declared:
        """Choose a target that has something to lose, where there is one."""
        useful = [use for use in declared if use.choice in (None, -1)]
        return super().pick(play, useful or declared)
