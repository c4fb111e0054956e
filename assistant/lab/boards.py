"""A board of the compiled table in the public form, to start a game in the middle."""

from __future__ import annotations

from typing import Any, Final

from engine.board import Board
from engine.cast import CHARACTERS
from engine.kleene import MAYBE, NO, YES
from engine.records import Start
from engine.rules.model import LastingEffect
from engine.script import Sheet
from engine.words import ALL_TOKENS

_EFFECTS: Final = frozenset(
    ability.does.kind
    for card in CHARACTERS.values()
    for ability in card.goodwill
    if isinstance(ability.does, LastingEffect)
)
"""Lasting effects that the public form knows; the table keeps more in mind."""


def start_at(board: Board, at: tuple[int, int, str], sheet: Sheet) -> Start | None:
    """Return the start of a game that is noted from this step on.

    Args:
        board: the board before the step.
        at: the step.
        sheet: the open sheet.

    Returns:
        The start, ``None`` where the public form cannot say what the table knows.
    """
    effects = {of: fact for of, (fact, _) in board.effects.items() if of[0] in _EFFECTS}
    if MAYBE in effects.values():
        return None
    characters: dict[str, Any] = {}
    for who, card in board.cards.items():
        values: dict[str, Any] = {"at": card.at}
        values["alive"] = None if card.alive == MAYBE else card.alive == YES
        values |= {token: card.tokens(token) for token in ALL_TOKENS}
        characters[who] = values
    given: dict[str, Any] = {
        "characters": characters,
        "locations": {place: {"intrigue": n} for place, n in board.intrigue.items()},
        "spent": {deck: list(cards) for deck, cards in board.spent.items()},
        "occurred": sorted(day for day, fact in board.occurred.items() if fact == YES),
        "used": {who: sorted(keys) for who, keys in board.used.items()},
        "starts": {
            who: place
            for who, place in board.starts.items()
            if place is not None and who in board.cards
        },
        "effects": [{"kind": kind, "on": on} for kind, on in effects],
        "curses": None if board.curses_open else list(board.curses),
    }
    unknown = []
    if any(fact == MAYBE for fact in board.occurred.values()):
        unknown.append("occurred")
    unknown += [f"starts.{who}" for who in board.cards if board.starts.get(who) is None]
    if board.leader is not None:
        given["leader"] = board.leader
    if board.occurred_before is not None:
        given["occurred_before"] = sorted(board.occurred_before)
    if board.revealed_known:
        given["revealed"] = dict(board.revealed)
    before = board.goodwill_last_loop
    if before is not None and MAYBE not in before.values():
        given["goodwill_last_loop"] = sorted(who for who, fact in before.items() if fact != NO)
    return Start(at, given, tuple(unknown))
