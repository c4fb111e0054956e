"""Ways of playing the Mastermind: careful, pushing, bluffing, and doing nothing."""

from __future__ import annotations

from random import Random

from engine import records
from engine.play import Play
from engine.players import Declared
from engine.policies.aims import Aims, aims_of, meetings, worth
from engine.steps.common import Move
from engine.words import (
    CARD_DIRECTION,
    CARD_TOKENS,
    FORBID_GOODWILL,
    INTRIGUE_PLUS_1,
    INTRIGUE_PLUS_2,
    NOTHING,
    REFUSED,
    RESOLVED,
    TOKENS,
    UNEASE_PLUS_1,
)

Card = tuple[str, str]


class Passive:
    """Bluffs with cards, uses nothing that is optional, and lets every ability happen."""

    aimed = 0.0
    """How often a card is placed with an aim."""
    uses = 0.0
    """How often an optional ability is used that is worth something, or not."""
    idle = 0.0
    refusing = 0.0
    vague = 0.0
    """How often "nothing happens" is said where nothing shows."""
    kills = 0.0

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._aims: Aims | None = None

    def aims(self, play: Play) -> Aims:
        """Return what this script makes worth aiming at."""
        if self._aims is None:
            self._aims = aims_of(play.world)
        return self._aims

    def chance(self, share: float) -> bool:
        """Return true in this share of cases."""
        return self.rng.random() < share

    # Loop start and cards -----------------------------------------------------------------

    def start(self, play: Play, who: str, places: tuple[str, ...]) -> str:
        """See ``engine.players.Mastermind``."""
        return self.rng.choice(places)

    def start_token(self, play: Play, who: str) -> str:
        """See ``engine.players.Mastermind``."""
        return self.rng.choice(TOKENS)

    def cards(self, play: Play, hand: dict[str, int], spots: list[str]) -> list[Card]:
        """See ``engine.players.Mastermind``."""
        free, left = list(spots), dict(hand)
        chosen: list[Card] = []
        while len(chosen) < 3:
            card = self._aimed_card(play, left, free) if self.chance(self.aimed) else None
            face, on = card or self._bluff(left, free)
            left[face] -= 1
            free.remove(on)
            chosen.append((face, on))
        return chosen

    def _bluff(self, hand: dict[str, int], free: list[str]) -> Card:
        faces = [face for face, n in hand.items() if n > 0]
        return self.rng.choice(faces), self.rng.choice(free)

    def _aimed_card(self, play: Play, hand: dict[str, int], free: list[str]) -> Card | None:
        view, aims = play.view(), self.aims(play)
        best: list[tuple[float, Card]] = []
        for face in (UNEASE_PLUS_1, INTRIGUE_PLUS_1, INTRIGUE_PLUS_2):
            if hand.get(face, 0) > 0:
                token = CARD_TOKENS[face][0]
                for on in free:
                    value = worth(view, aims, on, token)
                    if value:
                        best.append((value + self.rng.random(), (face, on)))
        if hand.get(FORBID_GOODWILL, 0) > 0:
            loved = [on for on in free if (play.board.tokens("goodwill", on) or 0) >= 1]
            if loved:
                best.append((1 + self.rng.random(), (FORBID_GOODWILL, self.rng.choice(loved))))
        faces = [face for face in CARD_DIRECTION if hand.get(face, 0) > 0]
        for who, direction in meetings(view, aims):
            for face in faces:
                if CARD_DIRECTION[face] == direction and who in free:
                    best.append((2.5 + self.rng.random(), (face, who)))
        people = [on for on in free if on in play.board.cards]
        if faces and people:
            card = (self.rng.choice(faces), self.rng.choice(people))
            best.append((3 * self.rng.random(), card))
        return max(best)[1] if best else None

    def ignores(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        strict = [move for move in moves if not move.open]
        return self.rng.choice(strict) if strict and self.chance(self.uses) else None

    # Abilities ----------------------------------------------------------------------------

    def ability(self, play: Play, moves: list[Move], *, must: bool) -> Move | None:
        """See ``engine.players.Mastermind``."""
        if must:
            return self.rng.choice(moves)
        view, aims = play.view(), self.aims(play)
        rated = []
        for move in moves:
            value = sum(
                worth(view, aims, record.on, record.token) * (1 if record.n > 0 else -1)
                for record in move.shows
                if isinstance(record, records.Token) and isinstance(record.on, str)
            )
            value += sum(isinstance(record, records.Curse) for record in move.shows)
            rated.append((value + self.rng.random(), move))
        most, best = max(rated, key=lambda pair: pair[0])
        if self.chance(self.uses if most >= 1 else self.idle):
            return best
        return None

    # Goodwill -----------------------------------------------------------------------------

    def refuses(self, play: Play, use: Declared) -> bool:
        """See ``engine.players.Mastermind``."""
        return self.chance(self.refusing)

    def says(self, play: Play, use: Declared, *, refused: bool) -> str:
        """See ``engine.players.Mastermind``."""
        if self.chance(self.vague):
            return NOTHING
        return REFUSED if refused else RESOLVED

    def tells(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        return self.rng.choice(moves)

    # Incidents and nights -----------------------------------------------------------------

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        view, aims = play.view(), self.aims(play)

        def value(move: Move) -> float:
            total = self.rng.random()
            for record in move.shows:
                if isinstance(record, records.Token) and isinstance(record.on, str):
                    total += worth(view, aims, record.on, record.token) * record.n
                elif isinstance(record, records.Death) and isinstance(record.who, str):
                    total += 5 * bool(view.death_ends_loop(record.who))
            return total

        if self.chance(self.aimed):
            return max(moves, key=value)
        return self.rng.choice(moves)

    def strikes(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``."""
        return self.rng.choice(moves)

    def night(self, play: Play, moves: list[Move]) -> Move | None:
        """See ``engine.players.Mastermind``."""
        if not self.chance(self.kills):
            return None
        if self.aims(play).laden_corpses and self.chance(self.aimed):
            return max(moves, key=lambda move: _burden(play, move))
        return self.rng.choice(moves)

    def declares(self, play: Play) -> bool:
        """See ``engine.players.Mastermind``."""
        return self.chance(self.kills)


def _burden(play: Play, move: Move) -> int:
    """Return how much Intrigue a kill lays among the dead; the last of kills shows nothing."""
    dead = [record.who for record in move.shows if isinstance(record, records.Death)]
    if not move.shows and move.on is None:
        return 99
    return sum(play.board.tokens("intrigue", str(who)) or 0 for who in dead)


class Hides(Passive):
    """Lets abilities happen and waits: gives away as little as possible."""

    aimed = 0.6
    uses = 0.35
    idle = 0.05
    refusing = 0.1
    vague = 0.6
    kills = 0.5


class Presses(Passive):
    """Pushes towards every loss, refuses what it may, and says so."""

    aimed = 0.95
    uses = 0.95
    idle = 0.3
    refusing = 0.8
    vague = 0.2
    kills = 1.0


class Bluffs(Passive):
    """Uses what it has at random, and says "nothing happens" whenever that is true."""

    aimed = 0.4
    uses = 0.6
    idle = 0.5
    refusing = 0.5
    vague = 0.9
    kills = 0.7

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """See ``engine.players.Mastermind``: rather nothing than something, now and then."""
        quiet = [move for move in moves if not move.shows]
        if quiet and self.chance(0.4):
            return quiet[0]
        return super().effect(play, moves)
