"""Reading one line of notation as a record, in the fields of the JSON form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from assistant.transcript.boardlines import UNKNOWN, ability_key, read_statement
from assistant.transcript.errors import Malformed, did_you_mean
from assistant.transcript.lexer import Cursor, Line, Token
from assistant.transcript.pools import (
    DECK_POOL,
    FACE_POOL,
    PLACE_POOL,
    TOKEN_POOL,
    Pool,
    Pools,
    pool,
    resolve,
)
from engine.words import LOOP_WORDS, MASTERMIND, OUTCOMES

Fields = dict[str, Any]
Columns = dict[str, int]

_DELTA: Final = re.compile(r"([gui])([+-]?\d{1,9})")
_DELTA_FIELD: Final = {"g": "goodwill", "u": "unease", "i": "intrigue"}
_INTEGER: Final = re.compile(r"[+-]?\d{1,9}")
_OUTCOME_POOL: Final = pool(OUTCOMES)
_RIGHT_POOL: Final = pool(("right", "wrong"))


def read_record(line: Line, pools: Pools) -> tuple[Fields, Columns]:
    """Return the record of a line, without its moment, and the columns of its fields.

    Raises:
        TableError: when the line is no record.
    """
    reader = _Reader(line, pools)
    return reader.record(), reader.columns


class _Reader:
    """Reads one line."""

    def __init__(self, line: Line, pools: Pools) -> None:
        self.pools = pools
        self.line = line
        self.columns: Columns = {}
        self.cursor = Cursor(line)

    def record(self) -> Fields:
        """Return the fields of the record."""
        common: Fields = {}
        if self.line.indented:
            common["by_use"] = True
        if self.cursor.accept(UNKNOWN):
            common["doubt"] = True
        if self.cursor.accept("then"):
            common["ordered"] = True
        if not self.cursor.at("count") and self._ends_in_doubt():
            common["doubt"] = True
        if self.line.note is not None:
            common["note"] = self.line.note
        fields = self._own_fields()
        self.cursor.end()
        return fields | common

    def _ends_in_doubt(self) -> bool:
        """Take a ``?`` off the end of the line, alone or behind its last word."""
        tokens = self.cursor.tokens
        last = tokens[-1] if len(tokens) > self.cursor.index + 1 else None
        if last is None:
            # A mark such as "." may stand alone with its doubt: ".?".
            last = self.cursor.next
            if last is None or len(last.text) == 1:
                return False
        if last.quoted or not last.text.endswith(UNKNOWN):
            return False
        rest = last.text[:-1]
        shorter = (Token(rest, last.line, last.column),) if rest else ()
        self.cursor.tokens = (*tokens[:-1], *shorter)
        return True

    def _own_fields(self) -> Fields:
        first = self.cursor.next
        if first is None:
            raise self.cursor.error("a record")
        self.cursor.index += 1
        word = "" if first.quoted else first.text
        self.columns["kind"] = first.column
        if word[:1] in ("+", "-"):
            return self._token(first)
        if word in _DECKS:
            return self._card(_DECKS[word])
        read = _READERS.get(word)
        if read is None:
            known = sorted({*_READERS, *_DECKS, "+TOKEN", "-TOKEN"})
            raise Malformed(
                f"no record begins with {first.text!r}",
                expected=" ".join(known),
                remedy=did_you_mean(word, known),
                line=first.line,
                column=first.column,
            )
        return read(self)

    # Parts ----------------------------------------------------------------------------

    def id(self, field: str, words: Pool, what: str) -> str:
        """Read an id."""
        token = self.cursor.take(what)
        self.columns.setdefault(field, token.column)
        return resolve(token, words, what)

    def who(self, field: str, words: Pool | None = None, what: str = "a character") -> Any:
        """Read an id, ``a|b`` (also ``one of a|b``) or ``someone@place``."""
        words = self.pools.characters if words is None else words
        several = self.cursor.accept("one", "of")
        if self.cursor.at("someone"):
            self.columns.setdefault(field, self.cursor.take(what).column)
            self.cursor.expect("@")
            return {"somebody_at": self.id(field, PLACE_POOL, "a location")}
        names = [self.id(field, words, what)]
        while self.cursor.accept("|"):
            names.append(self.id(field, words, what))
        return {"one_of": names} if several or len(names) > 1 else names[0]

    def spot(self, field: str) -> Any:
        """Read a character or location."""
        return self.who(field, self.pools.spots, "a character or location")

    def place(self, field: str) -> Any:
        """Read a location."""
        return self.who(field, PLACE_POOL, "a location")

    # Records --------------------------------------------------------------------------

    def placed(self, kind: str) -> Fields:
        who = self.who("who")
        self.cursor.expect("@")
        return {"kind": kind, "who": who, "where": self.place("where")}

    def only_who(self, kind: str) -> Fields:
        return {"kind": kind, "who": self.who("who")}

    def _token(self, first: Token) -> Fields:
        name = Token(first.text[1:], first.line, first.column + 1)
        self.columns["token"] = name.column
        fields = {"kind": "token", "on": self.spot("on")}
        fields["token"] = resolve(name, TOKEN_POOL, "token")
        number = 1
        if self.cursor.next is not None and not self.cursor.at("by"):
            self.columns["n"] = self.cursor.next.column
            number = self.cursor.integer("a number, by or the end of the line")
        fields["n"] = number if first.text[0] == "+" else -number
        if self.cursor.accept("by"):
            fields["by"] = self.id("by", self.pools.characters, "a character")
        return fields

    def curse(self) -> Fields:
        fields = {"kind": "curse", "on": self.spot("on")}
        if self.cursor.accept("from"):
            fields["from"] = self.spot("from")
        return fields

    def extra(self) -> Fields:
        fields: Fields = {"kind": "extra_card", "on": self.who("on")}
        if self.cursor.accept("off"):
            fields["off"] = True
        return fields

    def spell(self) -> Fields:
        return {"kind": "spell", "on": None if self.cursor.accept("declined") else self.who("on")}

    def leader(self) -> Fields:
        if self.cursor.accept("chooses"):
            return self.only_who("leader_chooses")
        return {"kind": "leader", "deck": self.id("deck", DECK_POOL, "a deck")}

    def _card(self, deck: str) -> Fields:
        hidden = self.cursor.accept(UNKNOWN)
        fields: Fields = {"kind": "card", "by": deck, "card": None}
        if not hidden:
            fields["card"] = self.id("card", FACE_POOL, "an action card")
        self.cursor.expect(">")
        fields["on"] = self.spot("on")
        if self.cursor.accept("by"):
            human = self.cursor.take("a player")
            number = not human.quoted and _INTEGER.fullmatch(human.text)
            fields["human"] = int(human.text) if number else human.text
        return fields

    def result(self) -> Fields:
        fields = {"kind": "card_result", "on": self.spot("on")}
        while (token := self.cursor.next) is not None:
            self.columns.setdefault("to", token.column)
            if self.cursor.accept(">"):
                fields["to"] = self.place("to")
                continue
            delta = None if token.quoted else _DELTA.fullmatch(token.text)
            name = _DELTA_FIELD[delta[1]] if delta is not None else ""
            if delta is None or name in fields:
                raise self.cursor.error("each of g+1, u-1, i2 and >place once")
            self.columns[name] = token.column
            fields[name] = int(delta[2])
            self.cursor.index += 1
        return fields

    def moved(self) -> Fields:
        who = self.who("who")
        self.cursor.expect(">")
        return {"kind": "moved", "who": who, "to": self.place("to")}

    def shifted(self) -> Fields:
        token = self.id("token", TOKEN_POOL, "a token")
        source = self.spot("from")
        self.cursor.expect(">")
        return {"kind": "shifted", "token": token, "from": source, "to": self.spot("to")}

    def use(self) -> Fields:
        fields: Fields = {"kind": "use", "who": self.who("who")}
        self.cursor.expect("[")
        key = self.cursor.take("an ability")
        self.columns["ability"] = key.column
        fields["ability"] = ability_key(key)
        self.cursor.expect("]")
        if not self.cursor.at(":", "choose"):
            fields["target"] = self._target()
        if self.cursor.accept("choose"):
            choice = self.cursor.take("1, -1 or an id")
            self.columns["choice"] = choice.column
            number = not choice.quoted and _INTEGER.fullmatch(choice.text)
            fields["choice"] = (
                int(choice.text) if number else resolve(choice, self.pools.anything, "choice")
            )
        self.cursor.expect(":")
        fields["outcome"] = self.id("outcome", _OUTCOME_POOL, "resolved, refused or nothing")
        return fields

    def _target(self) -> Any:
        if self.cursor.accept("day"):
            return {"day": self.cursor.integer("a day")}
        if self.cursor.accept("card"):
            return {"card": self.id("target", FACE_POOL, "an action card")}
        if self.cursor.at(*TOKEN_POOL):
            token = self.id("target", TOKEN_POOL, "a token")
            source = self.spot("target")
            self.cursor.expect(">")
            return {"from": source, "to": self.spot("target"), "token": token}
        target = self.who("target", self.pools.targets, "a target")
        if self.cursor.accept(">"):
            return {"character": target, "to": self.place("target")}
        return target

    def back(self) -> Fields:
        deck = self.id("deck", DECK_POOL, "a deck")
        return {
            "kind": "card_back",
            "deck": deck,
            "card": self.id("card", FACE_POOL, "an action card"),
        }

    def reveal(self) -> Fields:
        fields: Fields = {"kind": "reveal"}
        if self.cursor.accept("culprit"):
            fields["culprit_of"] = self.cursor.integer("the day of the incident")
            self.cursor.expect("=")
            fields["culprit"] = self.spot("culprit")
        elif self.cursor.accept("subplot"):
            fields["subplot"] = self.id("subplot", self.pools.plots, "a subplot")
            if self.cursor.accept("asked"):
                fields["asked"] = self.id("asked", self.pools.plots, "a subplot")
        elif self.cursor.accept("same_role"):
            fields["same_role_as"] = self.who("same_role_as")
            self.cursor.expect("=")
            fields["characters"] = []
            while not self.cursor.accept("nobody") and self.cursor.next is not None:
                fields["characters"].append(self.who("characters"))
        else:
            fields["role_of"] = self.who("role_of")
            self.cursor.expect("=")
            fields["role"] = self.id("role", self.pools.roles, "a role")
        return fields

    def no(self) -> Fields:
        if self.cursor.accept("incident"):
            return {"kind": "incident", "occurs": False}
        if self.cursor.accept("effect"):
            return {"kind": "no_effect"}
        raise self.cursor.error("a record", ("incident", "effect"))

    def guard(self) -> Fields:
        self.cursor.expect("lost")
        return self.only_who("guard_lost")

    def over(self, word: str) -> Fields:
        fields: Fields = {"kind": "loop_over", "word": word}
        if self.cursor.accept("deaths"):
            self.cursor.expect("closed")
            fields["deaths_closed"] = True
        return fields

    def you(self) -> Fields:
        if self.cursor.accept("are"):
            self.cursor.expect("dead")
            return self.over("dead")
        self.cursor.expect("have")
        return self.over(self.id("word", pool(LOOP_WORDS), "lost or won"))

    def loop(self) -> Fields:
        self.cursor.expect("over")
        return self.over("none")

    def count(self) -> Fields:
        board: Fields = {}
        while self.cursor.next is not None:
            read_statement(self.cursor, board, self.pools)
            if self.cursor.next is not None:
                self.cursor.expect(";")
        return {"kind": "recount", "board": board}

    def guess(self) -> Fields:
        fields: Fields = {"kind": "guess", "who": self.who("who")}
        self.cursor.expect("=")
        fields["role"] = self.id("role", self.pools.roles, "a role")
        self.cursor.expect(":")
        fields["right"] = self.id("right", _RIGHT_POOL, "right or wrong") == "right"
        return fields


_DECKS: Final[Mapping[str, str]] = {
    word: deck for word, deck in DECK_POOL.items() if word in ("mm", MASTERMIND, "a", "b", "c")
}

_READERS: Final[Mapping[str, Callable[[_Reader], Fields]]] = {
    ".": lambda _: {"kind": "complete"},
    "~": lambda _: {"kind": "partial"},
    "=": _Reader.result,
    "placed": lambda reader: reader.placed("placed"),
    "enters": lambda reader: reader.placed("enters"),
    "gauge": lambda reader: {"kind": "gauge", "value": reader.cursor.integer("a number")},
    "curse": _Reader.curse,
    "extra": _Reader.extra,
    "spell": _Reader.spell,
    "leader": _Reader.leader,
    "moved": _Reader.moved,
    "shifted": _Reader.shifted,
    "use": _Reader.use,
    "back": _Reader.back,
    "reveal": _Reader.reveal,
    "happens": lambda _: {"kind": "incident", "occurs": True},
    "no": _Reader.no,
    "named": lambda reader: {"kind": "location_named", "location": reader.place("location")},
    "dead": lambda reader: reader.only_who("death"),
    "guard": _Reader.guard,
    "revived": lambda reader: {"kind": "revived", "who": reader.spot("who")},
    "removed": lambda reader: reader.only_who("removed"),
    "you": _Reader.you,
    "lost": lambda reader: reader.over("lost"),
    "won": lambda reader: reader.over("won"),
    "loop": _Reader.loop,
    "count": _Reader.count,
    "guess": _Reader.guess,
}
"""What each first word begins."""
