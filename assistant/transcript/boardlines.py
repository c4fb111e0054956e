"""Notation of a board: one statement a line after ``start``, or behind ``count``.

Every statement sets one part of BOARD; ``?`` is an unknown value, ``none`` an empty list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from assistant.transcript.boardform import BOARD_FIELDS, CARD_FIELDS, COUNT_FIELDS, ID_FIELDS
from assistant.transcript.errors import Malformed
from assistant.transcript.lexer import Cursor, Token
from assistant.transcript.pools import (
    DECK_POOL,
    FACE_POOL,
    NO_WORDS,
    PLACE_POOL,
    Pool,
    Pools,
    resolve,
    write_deck,
    write_face,
    write_id,
)
from engine.words import GUARD, LOCATIONS, OFF_BOARD

UNKNOWN: Final = "?"
EMPTY: Final = "none"
_LETTERS: Final = {"g": "goodwill", "u": "unease", "i": "intrigue", GUARD: GUARD}
_SHORT: Final = {name: letter for letter, name in _LETTERS.items()}
_COUNT: Final = re.compile(r"(g|u|i|guard)(\d{1,3}|\?)")
_AT_POOL: Final[Pool] = {**PLACE_POOL, OFF_BOARD: OFF_BOARD}
_SECTIONS: Final = frozenset({*BOARD_FIELDS, "effect", "character", "location"})
"""Words that begin a statement; a card of such a name is written in quotation marks."""
_CARD_FORM: Final = "@place, alive, dead, g2, u1, i1 or guard1 (? for unknown)"


def read_statement(cursor: Cursor, board: dict[str, Any], pools: Pools) -> None:
    """Read one statement, up to ``;`` or the end of the line, into ``board``.

    Raises:
        TableError: when it is no statement, or sets again what is set already.
    """
    first = cursor.take("a part of the board")
    word = "" if first.quoted else first.text
    if word in ("characters", "locations"):
        _set(board, word, {}, first)
        cursor.expect(EMPTY)
    elif word in COUNT_FIELDS:
        _set(board, word, _count(cursor), first)
    elif word in ID_FIELDS:
        words = pools.incidents if word == "occurred_before" else pools.spots
        _set(board, word, _list(cursor, _ids(words, "id")), first)
    elif word == "occurred":
        _set(board, word, _list(cursor, lambda days: days.integer("a day, none or ?")), first)
    elif word == "leader":
        deck = cursor.take("a deck or ?")
        value = None if deck.is_word(UNKNOWN) else resolve(deck, DECK_POOL, "deck")
        _set(board, word, value, first)
    elif word in ("spent", "used", "revealed", "starts"):
        _read_table(word, first, cursor, board, pools)
    elif word in ("effect", "effects"):
        _read_effect(word, first, cursor, board, pools)
    else:
        _read_piece(first, cursor, board, pools)


def write_board(board: Mapping[str, Any], pools: Pools) -> Iterator[str]:
    """Yield the statements that give exactly this board."""
    for name in BOARD_FIELDS:
        if name not in board:
            continue
        value = board[name]
        if name in ("characters", "locations"):
            yield from _write_pieces(name, value, pools)
        elif value is None:
            yield f"{name} {UNKNOWN}"
        elif name in COUNT_FIELDS:
            yield f"{name} {value}"
        elif name in ID_FIELDS:
            words = pools.incidents if name == "occurred_before" else pools.spots
            yield _join(name, [write_id(one, words) for one in value])
        elif name == "occurred":
            yield _join(name, [str(day) for day in value])
        elif name == "leader":
            yield f"leader {write_deck(value)}"
        elif name == "effects":
            yield from _write_effects(value, pools)
        else:
            yield from _write_table(name, value, pools)


def _set(table: dict[str, Any], name: str, value: object, token: Token) -> None:
    if name in table:
        raise Malformed(
            f"{name!r} is set a second time",
            remedy="Delete one of the two.",
            line=token.line,
            column=token.column,
        )
    table[name] = value


def _count(cursor: Cursor) -> int | None:
    return None if cursor.accept(UNKNOWN) else cursor.integer("a number or ?")


def _more(cursor: Cursor) -> bool:
    return cursor.next is not None and not cursor.at(";")


def _list(cursor: Cursor, read: Callable[[Cursor], Any]) -> list[Any] | None:
    """Read ``?``, ``none``, or one value after the other."""
    if cursor.accept(UNKNOWN):
        return None
    if cursor.accept(EMPTY):
        return []
    values = [read(cursor)]
    while _more(cursor):
        values.append(read(cursor))
    return values


def _ids(words: Pool, what: str) -> Callable[[Cursor], str]:
    """Return a reader of one id."""
    return lambda cursor: resolve(cursor.take(f"{what}, none or ?"), words, what)


def _join(name: str, values: list[str]) -> str:
    return f"{name} {' '.join(values) or EMPTY}"


def _read_table(
    word: str, first: Token, cursor: Cursor, board: dict[str, Any], pools: Pools
) -> None:
    """Read an entry of a part that holds something for each card or deck."""
    if cursor.accept(UNKNOWN):
        _set(board, word, None, first)
        return
    if cursor.accept(EMPTY):
        _set(board, word, {}, first)
        return
    table = board.setdefault(word, {})
    if table is None:
        raise Malformed(f"{word!r} is unknown and known", line=first.line, column=first.column)
    key = cursor.take("a card" if word != "spent" else "a deck")
    if word == "spent":
        faces = _list(cursor, _ids(FACE_POOL, "action card"))
        _set(table, resolve(key, DECK_POOL, "deck"), faces, key)
        return
    who = resolve(key, pools.characters, "character")
    if word == "used":
        _set(table, who, _list(cursor, lambda keys: ability_key(keys.take("an ability"))), key)
        return
    cursor.expect("=")
    value = cursor.take("an id or ?")
    words = pools.roles if word == "revealed" else PLACE_POOL
    _set(table, who, None if value.is_word(UNKNOWN) else resolve(value, words, "id"), key)


def _write_table(name: str, table: Mapping[str, Any], pools: Pools) -> Iterator[str]:
    if not table:
        yield f"{name} {EMPTY}"
    for key, value in table.items():
        who = write_deck(key) if name == "spent" else write_id(key, pools.characters)
        if name == "spent":
            text = _list_text(value, write_face)
        elif name == "used":
            text = _list_text(value, write_ability)
        else:
            words = pools.roles if name == "revealed" else PLACE_POOL
            text = f"= {UNKNOWN if value is None else write_id(value, words)}"
        yield f"{name} {who} {text}"


def _list_text(values: list[Any] | None, write: Callable[[Any], str]) -> str:
    if values is None:
        return UNKNOWN
    return " ".join(write(value) for value in values) or EMPTY


def ability_key(token: Token) -> int | str:
    """Return an ability's key: a number, or a text such as ``2a``."""
    if not token.quoted and token.text.isascii() and token.text.isdigit():
        return int(token.text)
    return token.text


def write_ability(key: int | str) -> str:
    """Return how an ability's key is written."""
    return json.dumps(key) if isinstance(key, str) and key.isdigit() else str(key)


def _read_effect(
    word: str, first: Token, cursor: Cursor, board: dict[str, Any], pools: Pools
) -> None:
    if word == "effects":
        _set(board, word, _list(cursor, _ids(NO_WORDS, "effect")), first)
        if board[word]:
            raise Malformed(
                "effects are given one by one",
                expected="effects none, effects ? or effect KIND CARD",
                line=first.line,
                column=first.column,
            )
        return
    kind = resolve(cursor.take("the kind of the effect"), NO_WORDS, "effect")
    effect: dict[str, Any] = {
        "kind": kind,
        "on": resolve(cursor.take("a card or location"), pools.spots, "id"),
    }
    if cursor.accept("until"):
        effect["until_day"] = _count(cursor)
    if board.setdefault("effects", []) is None:
        raise Malformed("'effects' is unknown and known", line=first.line, column=first.column)
    board["effects"].append(effect)


def _write_effects(effects: list[dict[str, Any]], pools: Pools) -> Iterator[str]:
    if not effects:
        yield f"effects {EMPTY}"
    for effect in effects:
        text = f"effect {write_id(effect['kind'])} {write_id(effect['on'], pools.spots)}"
        if "until_day" in effect:
            day = effect["until_day"]
            text += f" until {UNKNOWN if day is None else day}"
        yield text


def _read_piece(first: Token, cursor: Cursor, board: dict[str, Any], pools: Pools) -> None:
    """Read what stands for one card or location."""
    section = ""
    if first.is_word("character", "location"):
        section = f"{first.text}s"
        first = cursor.take("an id")
    name = resolve(first, pools.spots, "character or location")
    section = section or ("locations" if name in LOCATIONS else "characters")
    pieces = board.setdefault(section, {})
    if cursor.accept(UNKNOWN):
        _set(pieces, name, None, first)
        return
    values: dict[str, Any] = {}
    _set(pieces, name, values, first)
    while _more(cursor):
        _read_value(cursor, values)


def _read_value(cursor: Cursor, values: dict[str, Any]) -> None:
    token = cursor.next
    assert token is not None  # the caller looked
    if cursor.accept("@"):
        place = cursor.take("a place or ?")
        _set(
            values,
            "at",
            None if place.is_word(UNKNOWN) else resolve(place, _AT_POOL, "place"),
            token,
        )
        return
    count = None if token.quoted else _COUNT.fullmatch(token.text)
    if count is not None:
        number = None if count[2] == UNKNOWN else int(count[2])
        _set(values, _LETTERS[count[1]], number, token)
    elif token.is_word("alive", "dead", "alive?"):
        _set(values, "alive", {"alive": True, "dead": False}.get(token.text), token)
    else:
        raise cursor.error(_CARD_FORM)
    cursor.index += 1


def _write_pieces(section: str, pieces: Mapping[str, Any], pools: Pools) -> Iterator[str]:
    if not pieces:
        yield f"{section} {EMPTY}"
    for name, values in pieces.items():
        who = write_id(name, pools.spots)
        if name in _SECTIONS:
            who = json.dumps(name)
        if (section == "locations") != (name in LOCATIONS):
            who = f"{section.removesuffix('s')} {who}"
        if values is None:
            yield f"{who} {UNKNOWN}"
        else:
            yield " ".join([who, *_write_values(values)])


def _write_values(values: Mapping[str, Any]) -> Iterator[str]:
    for name in CARD_FIELDS:
        if name not in values:
            continue
        value = values[name]
        if name == "at":
            yield f"@{UNKNOWN if value is None else write_id(value, _AT_POOL)}"
        elif name == "alive":
            yield "alive?" if value is None else ("alive" if value else "dead")
        else:
            yield f"{_SHORT[name]}{UNKNOWN if value is None else value}"
