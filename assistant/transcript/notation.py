"""The line notation: the same records as the JSON form, for people at a table.

A header (``set``, ``loops``, ``cast``, ``incident`` ...), perhaps a ``start`` with its board,
then steps (``== 1.2 night``) with one record a line; ``docs/notation.md`` describes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assistant.transcript.boardlines import read_statement, write_board
from assistant.transcript.errors import JsonPath, Malformed, TableError, did_you_mean
from assistant.transcript.forms import transcript_problems
from assistant.transcript.jsonform import from_raw, record_fields
from assistant.transcript.lexer import Cursor, Line, read_line
from assistant.transcript.pools import (
    PLACE_POOL,
    STEP_POOL,
    Pool,
    Pools,
    pool,
    resolve,
    write_id,
)
from assistant.transcript.recordlines import read_record
from assistant.transcript.source import Position, Source, text_of
from assistant.transcript.writelines import note_text, write_record
from engine.records import Transcript
from engine.rulings import RULINGS
from engine.sets import RULEBOOKS

_READINGS: Final = {"yes": True, "no": False, "either": None}
_READING_WORDS: Final = {reading: word for word, reading in _READINGS.items()}
_ANNOUNCES: Final = ("every_token", "net")
_MOMENT: Final = re.compile(r"(\d{1,2})\.(\d{1,2})")
_OPEN: Final = "..."
_HEADER: Final = (
    "title",
    "set",
    "loops",
    "days",
    "players",
    "cast",
    "turf",
    "incident",
    "special",
    "ruling",
    "announces",
    "start",
    "unknown",
    "==",
)


def parse(source: str | Path, name: str = "") -> Transcript:
    """Read a transcript from its notation.

    Args:
        source: a path, or the text itself.
        name: what to call it in errors.

    Raises:
        TableError: when a line cannot be read, or the whole is no transcript.
        OSError: when the file cannot be read.
    """
    return parse_with_source(source, name)[0]


def parse_with_source(source: str | Path, name: str = "") -> tuple[Transcript, Source]:
    """Read a transcript, and keep where each part of it stands (for later errors)."""
    text, shown = text_of(source, name)
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            reader.line(line, number)
        except TableError as error:
            raise error.placed(file=shown, at=reader.at) from None
    where = Source(shown, reader.positions)
    return from_raw(reader.raw(), where), where


def write(transcript: Transcript) -> str:
    """Return the notation of a transcript; ``parse`` gives an equal one back.

    Raises:
        TableError: when it does not have the form of a transcript.
    """
    for error in transcript_problems(transcript):
        raise error
    return "\n".join(_lines(transcript)) + "\n"


class _Reader:
    """Collects the JSON form line by line."""

    def __init__(self) -> None:
        self.positions: dict[JsonPath, Position] = {}
        self.at: tuple[int, int, str] | None = None
        self.top: dict[str, Any] = {"format": "looper-transcript", "version": 1}
        self.sheet: dict[str, Any] = {}
        self.records: list[dict[str, Any]] = []
        self.start: dict[str, Any] | None = None
        self._pools: Pools | None = None

    def raw(self) -> dict[str, Any]:
        """Return the transcript in its JSON form."""
        whole = {**self.top, "sheet": self.sheet, "records": self.records}
        if self.sheet.get("cast") is not None:
            self.sheet.setdefault("cast_complete", True)
        return whole if self.start is None else {**whole, "start": self.start}

    @property
    def pools(self) -> Pools:
        """Return the known words; they are settled when the first step or board begins."""
        if self._pools is None:
            rules = RULEBOOKS.get(self.sheet.get("set", ""))
            self._pools = Pools(rules, self.sheet.get("cast", ()))
        return self._pools

    def line(self, text: str, number: int) -> None:
        """Read one line."""
        keyword = text.split(maxsplit=1)[0] if text.strip() else "#"
        if keyword.startswith("#"):
            return
        if self.at is None and self.start is None and keyword in ("title", "special"):
            self._free(keyword, text, number)
            return
        line = read_line(text, number)
        cursor = Cursor(line)
        if cursor.accept("=="):
            self.at = _moment(cursor)
            cursor.end()
        elif self.at is not None:
            self._record(line)
        elif self.start is not None:
            self._start_line(cursor)
        else:
            self._header_line(cursor)

    def _record(self, line: Line) -> None:
        assert self.at is not None  # a step has begun
        fields, columns = read_record(line, self.pools)
        path: JsonPath = ("records", len(self.records))
        self.positions[path] = (line.number, line.tokens[0].column)
        for name, column in columns.items():
            self.positions[*path, name] = (line.number, column)
        self.records.append({"at": list(self.at), **fields})

    def _free(self, keyword: str, text: str, number: int) -> None:
        """Read a line whose rest is a text or an object."""
        column = text.index(keyword) + 1
        rest = text.strip()[len(keyword) :].strip()
        if keyword == "title" and not rest.startswith('"'):
            self._put(self.top, (), keyword, rest, (number, column))
            return
        try:
            value = json.loads(rest)
        except ValueError:
            raise Malformed(
                f"{rest!r} cannot be read",
                expected="an object" if keyword == "special" else "a text in quotation marks",
                line=number,
                column=column + len(keyword) + 1,
            ) from None
        if keyword == "title":
            self._put(self.top, (), keyword, value, (number, column))
        else:
            rules = self.sheet.setdefault("special_rules", [])
            self.positions["sheet", "special_rules", len(rules)] = (number, column)
            rules.append(value)

    def _put(
        self, table: dict[str, Any], path: JsonPath, name: str, value: object, place: Position
    ) -> None:
        if name in table:
            raise Malformed(
                f"{name!r} is given a second time",
                remedy="Delete one of the two.",
                line=place[0],
                column=place[1],
            )
        table[name] = value
        self.positions[*path, name] = place

    def _header_line(self, cursor: Cursor) -> None:
        while (token := cursor.next) is not None:
            place = (token.line, token.column)
            if not token.is_word(*_HEADER):
                raise Malformed(
                    f"no line of the header begins with {token.text!r}",
                    expected=", ".join(_HEADER),
                    remedy=did_you_mean(token.text, _HEADER)
                    or "Records stand behind a step such as == 1.1 cards.",
                    line=token.line,
                    column=token.column,
                )
            cursor.index += 1
            self._header_item(token.text, cursor, place)

    def _header_item(self, word: str, cursor: Cursor, place: Position) -> None:
        match word:
            case "set":
                name = resolve(cursor.take("a set"), pool(RULEBOOKS), "set")
                self._put(self.sheet, ("sheet",), word, name, place)
            case "loops" | "days" | "players":
                number = cursor.integer("a number")
                self._put(self.sheet, ("sheet",), word, number, place)
            case "cast":
                self._cast(cursor)
            case "turf":
                who = resolve(cursor.take("a character"), self._cast_pool(), "character")
                cursor.accept("@")
                where = resolve(cursor.take("a location"), PLACE_POOL, "location")
                turf = self.sheet.setdefault("turf", {})
                self._put(turf, ("sheet", "turf"), who, where, place)
            case "incident":
                day = cursor.integer("the day of the incident")
                token = cursor.take("an incident")
                rules = RULEBOOKS.get(self.sheet.get("set", ""))
                words = pool(rules.incidents if rules else ())
                incidents = self.sheet.setdefault("incidents", [])
                self.positions["sheet", "incidents", len(incidents)] = place
                incidents.append({"day": day, "incident": resolve(token, words, "incident")})
            case "ruling":
                ruling = resolve(cursor.take("a table ruling"), pool(RULINGS), "table ruling")
                cursor.expect("=")
                reading = cursor.next
                if reading is None or not reading.is_word(*_READINGS):
                    raise cursor.error("a reading", _READINGS)
                cursor.index += 1
                rulings = self.top.setdefault("rulings", {})
                self._put(rulings, ("rulings",), ruling, _READINGS[reading.text], place)
            case "announces":
                how = cursor.take("every_token or net").text
                self._put(self.top, (), word, how, place)
            case "start":
                at = _moment(cursor)
                self.start = {"at": list(at), "board": {}, "unknown": []}
                self.positions["start",] = place
            case _:
                cursor.index -= 1
                raise cursor.error("a line of its own for this")

    def _cast_pool(self) -> Pool:
        rules = RULEBOOKS.get(self.sheet.get("set", ""))
        return pool(rules.characters if rules else ())

    def _cast(self, cursor: Cursor) -> None:
        cast: list[str] = self.sheet.setdefault("cast", [])
        self.positions.setdefault(("sheet", "cast"), (cursor.line.number, 1))
        while (token := cursor.next) is not None:
            if cursor.accept(_OPEN):
                self.sheet["cast_complete"] = False
                continue
            cursor.take("a character")
            self.positions["sheet", "cast", len(cast)] = (token.line, token.column)
            cast.append(resolve(token, self._cast_pool(), "character"))

    def _start_line(self, cursor: Cursor) -> None:
        assert self.start is not None  # the caller looked
        first = cursor.next
        place = (cursor.line.number, 1 if first is None else first.column)
        if cursor.accept("unknown"):
            while (token := cursor.next) is not None:
                unknown = self.start["unknown"]
                self.positions["start", "unknown", len(unknown)] = (token.line, token.column)
                unknown.append(cursor.take("a path into the board").text)
            return
        before = _paths(self.start["board"])
        read_statement(cursor, self.start["board"], self.pools)
        cursor.end()
        for path in _paths(self.start["board"]) - before:
            self.positions["start", "board", *path] = place


def _paths(board: dict[str, Any]) -> set[JsonPath]:
    """Return the paths of the parts of a board, two names deep."""
    parts: set[JsonPath] = set()
    for name, value in board.items():
        parts.add((name,))
        if isinstance(value, dict):
            parts |= {(name, inner) for inner in value}
    return parts


def _moment(cursor: Cursor) -> tuple[int, int, str]:
    """Read ``1.2 night`` (or ``1 2 night``)."""
    token = cursor.next
    match = None if token is None or token.quoted else _MOMENT.fullmatch(token.text)
    if match is not None:
        cursor.index += 1
        loop, day = int(match[1]), int(match[2])
    else:
        loop = cursor.integer("loop and day such as 1.2")
        day = cursor.integer("the day")
    step = cursor.take("a step")
    name = resolve(step, STEP_POOL, "step")
    if name not in STEP_POOL:
        cursor.index -= 1
        raise cursor.error("a step", STEP_POOL)
    return loop, day, name


def _lines(transcript: Transcript) -> Iterator[str]:
    sheet = transcript.sheet
    rules = RULEBOOKS.get(sheet.set)
    pools = Pools(rules, sheet.cast)
    if transcript.title:
        yield f"title {note_text(transcript.title)}"
    yield f"set {write_id(sheet.set, pool(RULEBOOKS))}"
    yield f"loops {sheet.loops}  days {sheet.days}  players {sheet.players}"
    cast = [write_id(who, pools.cast) for who in sheet.cast]
    yield " ".join(["cast", *cast, *([] if sheet.cast_complete else [_OPEN])])
    for who, where in sheet.turf.items():
        yield f"turf {write_id(who, pools.cast)} @{write_id(where, PLACE_POOL)}"
    for item in sheet.incidents:
        yield f"incident {item.day} {write_id(item.incident, pools.incidents)}"
    for rule in sheet.special_rules:
        yield f"special {json.dumps(rule, ensure_ascii=False)}"
    for ruling, reading in transcript.rulings.items():
        yield f"ruling {write_id(ruling, pool(RULINGS))} = {_READING_WORDS[reading]}"
    if transcript.announces != "every_token":
        yield f"announces {transcript.announces}"
    start = transcript.start
    if start is not None:
        yield f"start {start.at[0]}.{start.at[1]} {start.at[2]}"
        for statement in write_board(msgspec.to_builtins(start.board), pools):
            yield f"  {statement}"
        if start.unknown:
            yield f"  unknown {' '.join(start.unknown)}"
    at = None
    for record in transcript.records:
        if record.at != at:
            at = record.at
            yield ""
            yield f"== {at[0]}.{at[1]} {at[2]}"
        yield write_record(record_fields(record), pools)
