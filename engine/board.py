"""The board: everything that lies open on the table, each value known or unknown.

A board holds no secret. Unknown places and counts are ``None``; whether a card lives is a
three-valued fact. Boards are mutable on purpose: the engine works on copies, one per step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine import kleene
from engine.kleene import MAYBE, NO, YES, Span
from engine.words import (
    DECKS,
    GOODWILL,
    INTRIGUE,
    LOCATIONS,
    MASTERMIND,
    OFF_BOARD,
    TOKENS,
    UNEASE,
)

TokenKind = Literal["goodwill", "unease", "intrigue", "guard"]


@dataclass(slots=True)
class Card:
    """One character card on the table.

    Attributes:
        at: its location, ``"off_board"``, or ``None`` when unknown.
        alive: three-valued; a card off the board is not dead (B-07).
        goodwill, unease, intrigue, guard: token counts, ``None`` when unknown.
    """

    at: str | None
    alive: int = YES
    goodwill: int | None = 0
    unease: int | None = 0
    intrigue: int | None = 0
    guard: int | None = 0

    def copy(self) -> Card:
        """Return an independent copy."""
        return Card(self.at, self.alive, self.goodwill, self.unease, self.intrigue, self.guard)

    def tokens(self, token: str) -> int | None:
        """Return the count of ``token``, ``None`` when unknown."""
        count: int | None = getattr(self, token)
        return count

    def add(self, token: str, n: int) -> None:
        """Place (or with negative ``n`` remove) tokens; unknown stays unknown, floor 0."""
        count = getattr(self, token)
        if count is not None:
            setattr(self, token, max(0, count + n))

    def total(self) -> Span:
        """Return the span of all Goodwill, Unease and Intrigue on the card."""
        low = high = 0
        for token in TOKENS:
            least, most = kleene.span_of(getattr(self, token))
            low, high = low + least, high + most
        return low, high


@dataclass(slots=True)
class Board:
    """The public snapshot before or after a step.

    Attributes:
        loop, day: where the game stands.
        cards: character id to its card; late characters appear when they enter.
        intrigue: Intrigue on each location.
        starts: this loop's starting location of each card (L-10), ``None`` when unknown.
        occurred: day to three-valued "the incident of that day occurred this loop".
        occurred_before: incident ids that occurred in earlier loops; ``None`` unknown.
        revealed: roles that the Mastermind has named for a card, any loop (N-02).
        revealed_known: false when earlier loops may have revealed more (late start).
        maybe_revealed: cards of which tables differ whether their role was told (N-05).
        used: ability keys used this loop, by character; refusals count (G-03).
        used_today: the same for today.
        effects: lasting effects: (kind, on) to (three-valued, last day or ``None`` for the
            loop); MAYBE where nobody could see whether it came into force.
        goodwill_last_loop: cards with Goodwill when the previous loop ended.
        spent_open: decks of which more cards may be spent than was noted.
        curses: where each curse lies: a location, or a card that carries it.
        curses_open: curses may have come or moved of which nothing was noted.
        borrowed: (loop, day of the incident) for each effect that a card resolved itself.
    """

    loop: int = 1
    day: int = 1
    cards: dict[str, Card] = field(default_factory=dict)
    intrigue: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(LOCATIONS, 0))
    starts: dict[str, str | None] = field(default_factory=dict)
    leader: str | None = None
    spent: dict[str, list[str]] = field(
        default_factory=lambda: {deck: [] for deck in (MASTERMIND, *DECKS)}
    )
    occurred: dict[int, int] = field(default_factory=dict)
    occurred_before: frozenset[str] | None = frozenset()
    revealed: dict[str, str] = field(default_factory=dict)
    revealed_known: bool = True
    maybe_revealed: set[str] = field(default_factory=set)
    used: dict[str, set[str]] = field(default_factory=dict)
    used_today: set[tuple[str, str]] = field(default_factory=set)
    effects: dict[tuple[str, str], tuple[int, int | None]] = field(default_factory=dict)
    goodwill_last_loop: dict[str, int] | None = field(default_factory=dict)
    gauge: int | None = 0
    gauge_max: int | None = 0
    gauge_loop_start: int | None = 0
    gauge_last_loop: int | None = None
    gauge_rose: int = NO
    curses: list[str] = field(default_factory=list)
    extra_cards: set[str] = field(default_factory=set)
    curses_open: bool = False
    spent_open: set[str] = field(default_factory=set)
    borrowed: frozenset[tuple[int, int]] = frozenset()

    def copy(self) -> Board:
        """Return an independent copy."""
        return Board(
            self.loop,
            self.day,
            {who: card.copy() for who, card in self.cards.items()},
            dict(self.intrigue),
            dict(self.starts),
            self.leader,
            {deck: list(cards) for deck, cards in self.spent.items()},
            dict(self.occurred),
            self.occurred_before,
            dict(self.revealed),
            self.revealed_known,
            set(self.maybe_revealed),
            {who: set(keys) for who, keys in self.used.items()},
            set(self.used_today),
            dict(self.effects),
            None if self.goodwill_last_loop is None else dict(self.goodwill_last_loop),
            self.gauge,
            self.gauge_max,
            self.gauge_loop_start,
            self.gauge_last_loop,
            self.gauge_rose,
            list(self.curses),
            set(self.extra_cards),
            self.curses_open,
            set(self.spent_open),
            self.borrowed,
        )

    def alive(self, who: str) -> int:
        """Judge "on the board and alive"."""
        card = self.cards.get(who)
        if card is None or card.at == OFF_BOARD:
            return NO
        return card.alive

    def dead(self, who: str) -> int:
        """Judge "lies on the board as a corpse" (an absent card is not dead, B-07)."""
        card = self.cards.get(who)
        if card is None or card.at == OFF_BOARD:
            return NO
        return kleene.negate(card.alive)

    def is_at(self, who: str, place: str) -> int:
        """Judge "the card of ``who``, alive or not, lies at ``place``"."""
        card = self.cards.get(who)
        if card is None:
            return NO
        if card.at is None:
            return MAYBE
        return YES if card.at == place else NO

    def lives_at(self, who: str, place: str) -> int:
        """Judge "``who`` is alive at ``place``"."""
        return self.alive(who) & self.is_at(who, place)

    def possible_places(self, who: str) -> tuple[str, ...]:
        """Return where the card may lie: one location, all four, or none if off the board."""
        card = self.cards.get(who)
        if card is None or card.at == OFF_BOARD:
            return ()
        return LOCATIONS if card.at is None else (card.at,)

    def others_living_at(self, who: str | None, place: str) -> Span:
        """Count the living characters at ``place`` other than ``who`` (D-04)."""
        low = high = 0
        for other in self.cards:
            if other != who:
                fact = self.lives_at(other, place)
                low += fact >> 1
                high += fact & 1
        return low, high

    def corpses_at(self, place: str) -> Span:
        """Count the corpses at ``place``, victims (Intrigue on it) included (HS-01)."""
        low, high = kleene.span_of(self.intrigue[place])
        for who in self.cards:
            fact = self.dead(who) & self.is_at(who, place)
            low, high = low + (fact >> 1), high + (fact & 1)
        return low, high

    def tokens(self, token: str, on: str) -> int | None:
        """Return the tokens on a card or (Intrigue only) a location; ``None`` unknown."""
        if on in self.intrigue:
            return self.intrigue[on] if token == INTRIGUE else 0
        card = self.cards.get(on)
        return 0 if card is None else card.tokens(token)

    def add(self, token: str, on: str, n: int) -> None:
        """Place or remove tokens on a card or location."""
        if on in self.intrigue:
            count = self.intrigue[on]
            if token == INTRIGUE and count is not None:
                self.intrigue[on] = max(0, count + n)
        elif on in self.cards:
            self.cards[on].add(token, n)

    def effect(self, kind: str, on: str) -> int:
        """Judge "a lasting effect of ``kind`` is in force on ``on`` today".

        MAYBE where the Mastermind's words left open whether it came into force (G-18).
        """
        fact, until = self.effects.get((kind, on), (NO, None))
        return NO if until is not None and until < self.day else fact

    def locked(self, who: str) -> int:
        """Judge "``who`` cannot be moved today": a lock holds on its last day only (MC-17)."""
        fact, until = self.effects.get(("cannot_move", who), (NO, None))
        return fact if until in (None, self.day) else NO

    def hold(self, who: str, fact: int = YES) -> None:
        """Note that ``who`` cannot be moved on the next day (MC-17)."""
        self.effects["cannot_move", who] = (fact, self.day + 1)

    def goodwill(self, who: str) -> int | None:
        """Return the Goodwill of ``who``."""
        return self.tokens(GOODWILL, who)

    def unease(self, who: str) -> int | None:
        """Return the Unease of ``who``."""
        return self.tokens(UNEASE, who)
