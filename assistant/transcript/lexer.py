"""The words of a notation line, each with its column, and a cursor that walks over them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.transcript.errors import Malformed, choices, did_you_mean

_TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<note>\#.*)
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<mark>==|[\[\]:|@>=;])
      | (?P<word>[^\s\#"\[\]:|@>=;]+)""",
    re.VERBOSE | re.DOTALL,
)
_MARKS = frozenset({"==", *"[]:|@>=;"})
_INTEGER = re.compile(r"[+-]?\d{1,9}")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a mark such as ``>``, or a text in quotation marks.

    Attributes:
        text: what it says; without the quotation marks.
        line, column: where it begins, from 1.
        quoted: it stood in quotation marks and is to be taken literally.
    """

    text: str
    line: int
    column: int
    quoted: bool = False

    def is_word(self, *words: str) -> bool:
        """Tell whether it is one of the given words or marks, not quoted."""
        return not self.quoted and self.text in words


@dataclass(frozen=True, slots=True)
class Line:
    """A line of notation: its words, whether it is indented, and the note behind ``#``."""

    number: int
    indented: bool
    tokens: tuple[Token, ...]
    note: str | None
    length: int


def read_line(text: str, number: int) -> Line:
    """Split a line into words.

    Raises:
        Malformed: on a text in quotation marks that does not end or cannot be read.
    """
    tokens: list[Token] = []
    note: str | None = None
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            what = "a quotation mark without a second one" if text[offset] == '"' else "a character"
            raise Malformed(
                f"{what} cannot be read: {text[offset : offset + 10]!r}",
                line=number,
                column=offset + 1,
            )
        column = offset + 1
        match match.lastgroup:
            case "note":
                note = _note(match[0][1:].strip(), number, column)
            case "text":
                tokens.append(Token(_quoted(match[0], number, column), number, column, True))
            case "mark" | "word":
                tokens.append(Token(match[0], number, column))
            case _:
                pass
        offset = match.end()
    return Line(number, text[:1] in (" ", "\t"), tuple(tokens), note, len(text))


def _note(text: str, line: int, column: int) -> str:
    return _quoted(text, line, column) if text.startswith('"') else text


def _quoted(text: str, line: int, column: int) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, str):
        raise Malformed(
            f"{text} is not a text in quotation marks",
            remedy='Inside, write \\" for a quotation mark and \\\\ for a backslash.',
            line=line,
            column=column,
        )
    return value


class Cursor:
    """Walks over the words of a line; what does not fit becomes an error with its place."""

    def __init__(self, line: Line, tokens: Sequence[Token] | None = None) -> None:
        self.line = line
        self.tokens = line.tokens if tokens is None else tokens
        self.index = 0

    @property
    def next(self) -> Token | None:
        """Return the next word without passing it, ``None`` at the end."""
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def at(self, *words: str) -> bool:
        """Tell whether the next word is one of ``words``."""
        return self.next is not None and self.next.is_word(*words)

    def accept(self, *words: str) -> bool:
        """Pass the given words if they come next, in this order; tell whether they did."""
        ahead = self.tokens[self.index : self.index + len(words)]
        if len(ahead) < len(words):
            return False
        if any(not token.is_word(word) for token, word in zip(ahead, words, strict=True)):
            return False
        self.index += len(words)
        return True

    def expect(self, mark: str) -> None:
        """Pass a word or mark that must come next."""
        if not self.accept(mark):
            raise self.error(f"{mark!r}")

    def take(self, expected: str) -> Token:
        """Pass and return the next word, whatever it is."""
        token = self.next
        if token is None or (not token.quoted and token.text in _MARKS):
            raise self.error(expected)
        self.index += 1
        return token

    def integer(self, expected: str) -> int:
        """Pass and return a whole number."""
        token = self.next
        if token is None or token.quoted or _INTEGER.fullmatch(token.text) is None:
            raise self.error(expected)
        self.index += 1
        return int(token.text)

    def end(self, expected: str = "the end of the line") -> None:
        """Refuse anything that is left."""
        if self.next is not None:
            raise self.error(expected)

    def error(self, expected: str, words: Iterable[str] = ()) -> Malformed:
        """Return the error for the next word, with what could stand there."""
        token = self.next
        known = list(words)
        found = "the line ends here" if token is None else f"found {token.text!r}"
        remedy = "" if token is None else did_you_mean(token.text, known)
        return Malformed(
            found,
            expected=f"{expected}: {choices(known)}" if known else expected,
            remedy=remedy,
            line=self.line.number,
            column=self.line.length + 1 if token is None else token.column,
        )
