"""The board at the beginning: of a loop, and of a game that starts late."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import kleene
from engine.board import Board, Card
from engine.kleene import MAYBE, NO, YES
from engine.records import Start
from engine.rules.model import GaugeUse, ReviveTarget, Rulebook
from engine.script import Sheet
from engine.words import (
    ALL_TOKENS,
    DECKS,
    LOCATIONS,
    LOOP_START,
    MASTERMIND,
    OFF_BOARD,
    STEP_ORDER,
)


def fresh_board(
    rules: Rulebook, sheet: Sheet, loop: int, previous: Board | None, entered: frozenset[str]
) -> Board:
    """Return the board after the rewind, before anything of the loop start is announced.

    Args:
        rules, sheet: the set and the open sheet.
        loop: the loop that begins.
        previous: the board when the loop before ended; ``None`` at the start of the game.
        entered: late characters that have entered in an earlier loop and stay (N-02).
    """
    board = Board(loop=loop, day=1)
    for who in (*sheet.cast, *sorted(entered)):
        starts = rules.characters[who].starts
        place = starts[0] if len(starts) == 1 else None
        board.cards[who] = Card(place)
        board.starts[who] = place
    for who, character in rules.characters.items():
        if character.entry is not None and not sheet.cast_complete:
            # The printed start of an absent card counts too (L-10).
            board.starts.setdefault(who, character.starts[0])
    if previous is None:
        return board
    board.revealed = dict(previous.revealed)
    board.revealed_known = previous.revealed_known
    board.maybe_revealed = set(previous.maybe_revealed)
    board.leader = previous.leader
    board.goodwill_last_loop = {
        who: kleene.at_least(kleene.span_of(card.goodwill), 1)
        if card.at != OFF_BOARD
        else MAYBE  # open whether the mark of a removed card counts (B-07)
        for who, card in previous.cards.items()
    }
    board.gauge_last_loop = previous.gauge
    board.borrowed = previous.borrowed
    if rules.gauge is GaugeUse.KNOWLEDGE:
        board.gauge = board.gauge_loop_start = previous.gauge
        board.gauge_max = previous.gauge_max
    before = previous.occurred_before
    if before is not None and all(fact != MAYBE for fact in previous.occurred.values()):
        now = {
            item.incident for item in sheet.incidents if previous.occurred.get(item.day, NO) == YES
        }
        board.occurred_before = before | now
    else:
        board.occurred_before = None
    return board


def add_start_tokens(rules: Rulebook, board: Board, noted: frozenset[str]) -> None:
    """Place the Intrigue that a card puts on a location at every loop start (K-Black Cat).

    Args:
        noted: locations whose Intrigue the records of the step already speak of.
    """
    for who in board.cards:
        place = rules.characters[who].start_intrigue
        if place is not None and place not in noted:
            board.add("intrigue", place, 1)


def late_board(rules: Rulebook, sheet: Sheet, start: Start) -> Board:
    """Return the board set by hand for a game that starts late.

    What the start leaves out is at its loop-start value, except what only earlier loops
    could tell, which is unknown; so is everything that ``null`` or ``unknown`` names.
    """
    loop, day, step = start.at
    given: Mapping[str, Any] = start.board
    characters: Mapping[str, Any] = given.get("characters") or {}
    late = frozenset(who for who in characters if who not in sheet.cast)
    board = fresh_board(rules, sheet, loop, None, late)
    board.day = day
    locations: Mapping[str, Any] = given.get("locations") or {}
    if STEP_ORDER[step] > STEP_ORDER[LOOP_START] or day > 1:
        add_start_tokens(rules, board, frozenset(locations))
    if loop > 1:
        board.goodwill_last_loop = None
        board.gauge_last_loop = None
        board.occurred_before = None
        board.revealed = {}
        board.revealed_known = False
    overlay(board, given)
    _late_revivals(rules, board)
    if rules.gauge is GaugeUse.KNOWLEDGE:
        _late_knowledge(board, given)
    for path in start.unknown:
        forget(board, path)
    return board


def _late_revivals(rules: Rulebook, board: Board) -> None:
    """Doubt who was brought back to life before the game was noted (HS-18)."""
    if any(
        ability.key in keys and isinstance(ability.does, ReviveTarget)
        for who, keys in board.used.items()
        if who in rules.characters
        for ability in rules.characters[who].goodwill
    ):
        for who in board.cards:
            board.effects.setdefault(("revived", who), (MAYBE, None))


def _late_knowledge(board: Board, given: Mapping[str, Any]) -> None:
    """Set the gauge that never resets: what the late start leaves out of it is unknown.

    In the first loop the highest value and that of the loop start are at their loop-start
    values, the highest being at least the gauge.
    """
    if "gauge" not in given:
        board.gauge = None
    now = board.gauge
    if "gauge_max" not in given:
        sure = now is not None and (board.loop == 1 or now >= 4)
        board.gauge_max = now if sure else None
    if "gauge_loop_start" not in given:
        at_start = board.day == 1 and now == 0
        board.gauge_loop_start = 0 if board.loop == 1 else (now if at_start else None)
    first = board.gauge_loop_start
    if first is None or now is None:
        board.gauge_rose = NO if now == 0 else MAYBE
    else:
        board.gauge_rose = YES if now > first else MAYBE if now < first else NO


def overlay(board: Board, given: Mapping[str, Any]) -> None:
    """Write the values of a partial BOARD object over ``board``."""
    for who, values in (given.get("characters") or {}).items():
        if values is None:
            forget(board, f"characters.{who}")
            continue
        card = board.cards.setdefault(who, Card(OFF_BOARD))
        if "at" in values:
            card.at = values["at"]
        if "alive" in values:
            alive = values["alive"]
            card.alive = MAYBE if alive is None else kleene.certain(alive)
        for token in ALL_TOKENS:
            if token in values:
                setattr(card, token, values[token])
    for place, values in (given.get("locations") or {}).items():
        if values is None:
            board.intrigue[place] = None
            continue
        if "intrigue" in values:
            board.intrigue[place] = values["intrigue"]
    for name in ("gauge", "gauge_max", "gauge_loop_start", "gauge_last_loop", "leader"):
        if name in given:
            setattr(board, name, given[name])
    if "curses" in given:
        board.curses = list(given["curses"] or ())
        board.curses_open = given["curses"] is None
    if "extra_cards" in given:
        board.extra_cards = set(given["extra_cards"] or ())
    for deck, cards in (given.get("spent") or {}).items():
        board.spent[deck] = list(cards or ())
        if cards is None:
            board.spent_open.add(deck)
    if "occurred" in given:
        days = given["occurred"]
        board.occurred = {} if days is None else dict.fromkeys(days, YES)
    if "occurred_before" in given:
        before = given["occurred_before"]
        board.occurred_before = None if before is None else frozenset(before)
    if given.get("revealed") is not None:
        board.revealed = dict(given["revealed"])
        board.revealed_known = True
    for who, keys in (given.get("used") or {}).items():
        board.used[who] = {str(key) for key in keys or ()}
    for who, place in (given.get("starts") or {}).items():
        board.starts[who] = place
        # A card with several starts stands at the chosen one until the board says otherwise.
        if board.cards[who].at is None:
            board.cards[who].at = place
    for effect in given.get("effects") or ():
        board.effects[effect["kind"], effect["on"]] = (YES, effect.get("until_day"))
    if "goodwill_last_loop" in given:
        names = given["goodwill_last_loop"]
        board.goodwill_last_loop = (
            None if names is None else {who: YES if who in names else NO for who in board.cards}
        )


def forget(board: Board, path: str) -> None:
    """Make one value of the board unknown; paths read like ``characters.nurse.unease``.

    Raises:
        ValueError: when the path names nothing on a board.
    """
    match path.split("."):
        case ["characters", who, "alive"] if who in board.cards:
            board.cards[who].alive = MAYBE
        case ["characters", who, field] if who in board.cards and field in ("at", *ALL_TOKENS):
            setattr(board.cards[who], field, None)
        case ["characters", who] if who in board.cards:
            board.cards[who] = Card(None, MAYBE, None, None, None, None)
        case ["locations", place, "intrigue"] | ["locations", place] if place in LOCATIONS:
            board.intrigue[place] = None
        case ["starts", who] if who in board.cards:
            board.starts[who] = None
        case ["spent", deck] if deck in (MASTERMIND, *DECKS):
            board.spent[deck] = []
            board.spent_open.add(deck)
        case ["revealed"]:
            board.revealed_known = False
        case ["occurred_before"]:
            board.occurred_before = None
        case ["goodwill_last_loop"]:
            board.goodwill_last_loop = None
        case ["occurred"]:
            board.occurred = dict.fromkeys(range(1, board.day), MAYBE)
        case ["gauge" | "gauge_max" | "gauge_loop_start" | "gauge_last_loop" as name]:
            setattr(board, name, None)
        case ["curses"]:
            board.curses_open = True
        case ["extra_cards" | "leader" | "used" | "effects", *_]:
            pass
        case _:
            raise ValueError(f"{path} names no value of a board")
