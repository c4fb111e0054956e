"""Resolving action cards (C-01 to C-14): public but for a few hidden exceptions.

``printed`` gives what the faces print; the hidden exceptions (a Forbid that somebody
ignores, an acceptance that nobody saw) are left to whoever knows or doubts the script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.rules.model import Character
from engine.rulings import FORBID_COUNTS_PLAYERS, TableRulings
from engine.script import Sheet
from engine.words import (
    CARD_DIRECTION,
    CARD_FORBIDS,
    CARD_TOKENS,
    FORBID_INTRIGUE,
    FORBID_MOVEMENT,
    GOODWILL,
    INTRIGUE,
    MASTERMIND,
    UNEASE,
    combine_directions,
    move_from,
)


@dataclass(frozen=True, slots=True)
class Played:
    """One card on the table: who played it, its face (``None``: not noted), on what."""

    by: str
    face: str | None
    on: str
    human: str | int | None = None


@dataclass(frozen=True, slots=True)
class Printed:
    """What the faces on one spot do, with every Forbid doing what its card prints.

    Attributes:
        to: end place of a character (its old one if it stays); ``None`` unknown.
        unease, goodwill, intrigue: deltas; ``None`` unknown.
        forbidden_goodwill, forbidden_intrigue: tokens that a Forbid here holds back.
        held: a Forbid Movement or red X was the only thing that kept the character here,
            and this is where it would have gone.
        void: three-valued, "Forbid Intrigue is void today" (C-05).
        noted: all faces on the spot are known.
    """

    to: str | None
    unease: int | None
    goodwill: int | None
    intrigue: int | None
    forbidden_goodwill: int = 0
    forbidden_intrigue: int = 0
    beyond_red_x: str | None = None
    void: int = NO
    noted: bool = True


def forbid_intrigue_void(
    played: Iterable[Played], sheet: Sheet, rulings: TableRulings, sealed: bool = False
) -> int:
    """Judge "the Forbid Intrigue cards of today nullify each other" (C-05, WM-24)."""
    forbids = [card for card in played if card.face == FORBID_INTRIGUE and card.by != MASTERMIND]
    if len(forbids) < 2 or sealed:
        return NO
    if sheet.players >= 3:
        return YES
    humans = {card.human for card in forbids if card.human is not None}
    if len(humans) >= 2:
        return YES
    one_human = sheet.players == 1 or (
        len(humans) == 1 and all(card.human is not None for card in forbids)
    )
    counts_players = rulings[FORBID_COUNTS_PLAYERS]
    if counts_players is False:
        return YES
    if one_human and counts_players:
        return NO
    return MAYBE


def by_spot(played: Iterable[Played]) -> dict[str, list[Played]]:
    """Group the cards of a day by where they lie."""
    spots: dict[str, list[Played]] = {}
    for card in played:
        spots.setdefault(card.on, []).append(card)
    return spots


def end_of_movement(
    board: Board, character: Character, faces: Iterable[str]
) -> tuple[str | None, str | None]:
    """Return where movement cards take a character, and what lies beyond its red X.

    Returns:
        The end place (``None`` unknown) and, when only a forbidden location stopped the move,
        that location (B-03, B-04); a move is never cut in half.
    """
    place = board.cards[character.id].at
    faces = list(faces)
    directions = [CARD_DIRECTION[face] for face in faces if face in CARD_DIRECTION]
    if not directions or FORBID_MOVEMENT in faces:
        return place, None
    if place is None or place not in board.intrigue:
        return place, None
    direction = directions[0]
    for other in directions[1:]:
        direction = combine_directions(direction, other)
    end = move_from(place, direction)
    lock = board.locked(character.id) | board.effect("closed", place) | board.effect("closed", end)
    if lock != NO:
        # Movement is void here (MC-17, MC-18).
        return (place if lock == YES else None), None
    if end in character.forbidden:
        freed = board.effect("freed", character.id)
        if freed == YES:
            return end, None
        return (None if freed == MAYBE else place), end
    return end, None


def printed(
    board: Board,
    cast: Mapping[str, Character],
    on: str,
    cards: Iterable[Played],
    void: int,
) -> Printed:
    """Resolve the cards on one spot as printed.

    Args:
        board: the board before the step.
        cast: the character cards.
        on: a character or location id.
        cards: the cards that lie there.
        void: three-valued, whether Forbid Intrigue is void today.
    """
    cards = list(cards)
    faces = [card.face for card in cards if card.face is not None]
    noted = len(faces) == len(cards)
    intrigue = sum(
        CARD_TOKENS[face][1] for face in faces if CARD_TOKENS.get(face, ("", 0))[0] == INTRIGUE
    )
    held_intrigue = intrigue if FORBID_INTRIGUE in faces else 0
    shown = {NO: 0, YES: intrigue, MAYBE: None}[void] if held_intrigue else intrigue
    if on not in cast:
        return Printed(
            None,
            0,
            0,
            shown if noted else None,
            forbidden_intrigue=held_intrigue,
            void=void,
            noted=noted,
        )
    forbids = {CARD_FORBIDS[face] for face in faces if face in CARD_FORBIDS}
    goodwill = sum(
        CARD_TOKENS[face][1] for face in faces if CARD_TOKENS.get(face, ("", 0))[0] == GOODWILL
    )
    unease = _unease(board.unease(on), [] if UNEASE in forbids else faces)
    to, beyond = end_of_movement(board, cast[on], faces)
    held_goodwill = goodwill if GOODWILL in forbids else 0
    if not noted:
        return Printed(None, None, None, None, held_goodwill, held_intrigue, beyond, void, False)
    return Printed(
        to,
        unease,
        goodwill - held_goodwill,
        shown,
        held_goodwill,
        held_intrigue,
        beyond,
        void,
    )


def _unease(before: int | None, faces: Iterable[str]) -> int | None:
    """Return the Unease delta: every +1 first, then -1, never below 0 (C-03)."""
    amounts = [CARD_TOKENS[face][1] for face in faces if CARD_TOKENS.get(face, ("",))[0] == UNEASE]
    plus = sum(n for n in amounts if n > 0)
    minus = -sum(n for n in amounts if n < 0)
    if minus == 0:
        return plus
    if before is None:
        return plus - minus if plus >= minus else None
    return max(0, before + plus - minus) - before


def echoed(
    board: Board,
    cast: Mapping[str, Character],
    who: str,
    spots: Mapping[str, list[Played]],
    void: int,
    after_movement: bool | None,
) -> tuple[list[Played], Printed]:
    """Resolve the cards on locations for a card to which they apply too (K-Illusion).

    Movement cards reach it by its place before moving; the others by its place after or
    before movement, as the table plays; where that is open and matters the result is unknown.

    Returns:
        The cards that may have reached it, and what they print.
    """
    place = board.cards[who].at
    if place is None or place not in board.intrigue:
        here = [card for on in board.intrigue for card in spots.get(on, ())]
        unknown = Printed(None, None, None, None, noted=not here, void=void)
        return here, unknown if here else printed(board, cast, who, (), void)
    at_first = spots.get(place, [])
    moves = [card for card in at_first if card.face is None or card.face in _MOVING]
    end, _ = end_of_movement(board, cast[who], [c.face for c in moves if c.face is not None])
    results = []
    for by in {True: (end,), False: (place,), None: (end, place)}[after_movement]:
        others = [
            card
            for card in (at_first if by is None else spots.get(by, []))
            if card.face is None or card.face not in _MOVING
        ]
        results.append(printed(board, cast, who, [*moves, *others], void))
    first, last = results[0], results[-1]
    merged = first if first == last else _merge(first, last)
    reach = dict.fromkeys((*at_first, *(spots.get(end, ()) if end is not None else ())))
    return list(reach), merged


_MOVING = frozenset({*CARD_DIRECTION, FORBID_MOVEMENT})


def _merge(first: Printed, last: Printed) -> Printed:
    """Keep what two readings print alike; the rest is unknown and proves nothing."""

    def same(name: str) -> int | None:
        one: int | None = getattr(first, name)
        return one if one == getattr(last, name) else None

    return Printed(
        first.to if first.to == last.to else None,
        same("unease"),
        same("goodwill"),
        same("intrigue"),
        beyond_red_x=first.beyond_red_x,
        void=first.void,
        noted=False,
    )
