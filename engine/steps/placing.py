"""The card step played forward: six cards are placed and resolved (C-01, C-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import records, special_rules
from engine.steps.cards import Played
from engine.steps.choice import choice_of
from engine.steps.common import Move
from engine.steps.forbids import closed_to_mastermind
from engine.steps.resolve import resolve
from engine.words import CARDS, DECKS, MASTERMIND, PROTAGONIST_HAND

if TYPE_CHECKING:
    from engine.play import Play


def card_step(play: Play) -> None:
    """Place six cards and resolve them."""
    play.step(CARDS)
    played = _mastermind_cards(play)
    play.face_down = tuple(card.on for card in played)
    played += _protagonist_cards(play)
    shared = play.world.sheet.players < 3
    for card in played:
        play.records.append(
            records.PlayedCard(
                at=play.at,
                by=card.by,  # type: ignore[arg-type]
                card=card.face,
                on=card.on,
                human=card.human if shared else None,
            )
        )

    def asks(moves: list[Move]) -> Move | None:
        move = play.mastermind.ignores(play, moves)
        if move is not None:
            play.choices.append(choice_of(play.at, move))
        return move

    play.board, results = resolve(play.view(), play.at, played, asks)
    play.records += results
    play.complete()


def spots(play: Play) -> list[str]:
    """Return where a card may lie: living characters and locations (C-01)."""
    characters, board = play.rules.characters, play.board
    people = [
        who for who in board.cards if board.alive(who) and not characters[who].echoes_location_cards
    ]
    return [*people, *board.intrigue]


def _mastermind_cards(play: Play) -> list[Played]:
    hand = special_rules.hand_of_mastermind(play.world.sheet.special_rules)
    for face in play.board.spent[MASTERMIND]:
        hand[face] = hand.get(face, 1) - 1
    hand = {face: n for face, n in hand.items() if n > 0}
    view = play.view()
    free = [on for on in spots(play) if not closed_to_mastermind(view, on)]
    chosen = play.mastermind.cards(play, hand, free)
    return [Played(MASTERMIND, face, on) for face, on in chosen]


def _protagonist_cards(play: Play) -> list[Played]:
    free = [on for on in spots(play) if on not in play.board.extra_cards]
    played = []
    first = DECKS.index(play.leader)
    for deck in (*DECKS[first:], *DECKS[:first]):
        spent = play.board.spent[deck]
        hand = [face for face in PROTAGONIST_HAND if face not in spent]
        face, on = play.protagonists.card(play, deck, hand, free)
        free.remove(on)
        played.append(Played(deck, face, on, human(play, deck)))
    return played


def human(play: Play, deck: str) -> int:
    """Return which person plays a deck today; with two people the third deck is the Leader's.

    The people are numbered by the decks they always hold.
    """
    players = play.world.sheet.players
    if players == 3:
        return DECKS.index(deck) + 1
    if players == 1:
        return 1
    return DECKS.index(play.leader if deck == DECKS[2] else deck) + 1
