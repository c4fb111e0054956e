"""Where things stand in a file: file name, line and column of each value.

Positions are only looked up when an error must be shown, so reading a good file stays fast.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from assistant.transcript.errors import JsonPath, Malformed

Position = tuple[int, int]
"""Line and column, from 1."""

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN = re.compile(r"[^\s,\]}]+")


class Source:
    """A file, or a text with a name; positions by path in the JSON form."""

    def __init__(self, name: str, positions: Mapping[JsonPath, Position] | None = None) -> None:
        self.name = name
        self._positions = positions if positions is not None else {}

    def positions(self) -> Mapping[JsonPath, Position]:
        """Return the known positions."""
        return self._positions

    def locate(self, path: JsonPath) -> Position | None:
        """Return where the value at ``path`` stands, or the nearest thing that holds it."""
        known = self.positions()
        for length in range(len(path), 0, -1):
            if path[:length] in known:
                return known[path[:length]]
        return None


class JsonSource(Source):
    """A JSON text; it is only scanned for positions when one is asked for."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self.text = text
        self._scanned: dict[JsonPath, Position] | None = None

    def positions(self) -> Mapping[JsonPath, Position]:
        """Return the position of every value (of the name, for a named one)."""
        if self._scanned is None:
            scan = _Scan(self.text, self.name)
            with suppress(RecursionError):  # a deeper place is then shown by what holds it
                scan.value((), 0)
            self._scanned = scan.positions
        return self._scanned


def text_of(source: str | Path, name: str = "") -> tuple[str, str]:
    """Return the text to read and the name to show in errors.

    Args:
        source: a path, or a text. A string of one line that does not start with a brace
            is taken for a path.
        name: what to call it; the path, or ``text``, unless given.

    Raises:
        Malformed: when the file is not UTF-8.
        OSError: when the file cannot be read.
    """
    if isinstance(source, str):
        if "\n" in source or source.lstrip("\ufeff \t").startswith(("{", "[")):
            return source.removeprefix("\ufeff").replace("\r\n", "\n"), name or "text"
        source = Path(source)
    data = source.read_bytes()
    shown = name or str(source)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n"), shown
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = position_in(before, len(before))
        raise Malformed(
            f"byte {data[error.start]:#04x} is not UTF-8",
            remedy="Save the file as UTF-8.",
            file=shown,
            line=line,
            column=column,
        ) from error


def position_in(text: str, offset: int) -> Position:
    """Return line and column of an offset."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, start) + 1, offset - start + 1


class _Scan:
    """Walks over a text that is known to be JSON, but for names that occur twice."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.positions: dict[JsonPath, Position] = {}
        # Lines are counted along the way: counting from the start each time is quadratic.
        self._line, self._line_start, self._seen = 1, 0, 0

    def value(self, path: JsonPath, offset: int) -> int:
        """Note the positions in the value at ``offset`` and return where it ends."""
        offset = self._skip(offset)
        match self.text[offset : offset + 1]:
            case "{":
                return self._members(path, offset + 1)
            case "[":
                return self._items(path, offset + 1)
            case '"':
                return self._match(_STRING, offset)
            case _:
                return self._match(_PLAIN, offset)

    def _members(self, path: JsonPath, offset: int) -> int:
        names: set[str] = set()
        while True:
            offset = self._skip(offset)
            if self.text[offset] == "}":
                return offset + 1
            if self.text[offset] == ",":
                offset = self._skip(offset + 1)
            position = self._position(offset)
            end = self._match(_STRING, offset)
            member: str = json.loads(self.text[offset:end])
            if member in names:
                raise Malformed(
                    f"the name {member!r} stands twice in one object",
                    remedy="Delete one of the two.",
                    path=(*path, member),
                    file=self.name,
                    line=position[0],
                    column=position[1],
                )
            names.add(member)
            self.positions[*path, member] = position
            offset = self.value((*path, member), self._skip(end) + 1)

    def _items(self, path: JsonPath, offset: int) -> int:
        index = 0
        while True:
            offset = self._skip(offset)
            if self.text[offset] == "]":
                return offset + 1
            if self.text[offset] == ",":
                offset = self._skip(offset + 1)
            self.positions[*path, index] = self._position(offset)
            offset = self.value((*path, index), offset)
            index += 1

    def _skip(self, offset: int) -> int:
        return self._match(_SPACE, offset)

    def _match(self, pattern: re.Pattern[str], offset: int) -> int:
        found = pattern.match(self.text, offset)
        return offset if found is None else found.end()

    def _position(self, offset: int) -> Position:
        lines = self.text.count("\n", self._seen, offset)
        if lines:
            self._line += lines
            self._line_start = self.text.rfind("\n", 0, offset) + 1
        self._seen = offset
        return self._line, offset - self._line_start + 1
