"""The errors of reading a game: what was found, what was expected, how to put it right.

One family, ``TableError``, so that a page or a command can show every one of them alike:

* ``Malformed``: the file does not have the form of a transcript, script or case;
* ``AgainstTheRules``: the form is right, but no table could have seen this;
* ``NotModelled``: a set, character or special rule that this assistant does not know;
* ``Ambiguous``: more than one reading is possible.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable
from typing import TypeVar

At = tuple[int, int, str]
JsonPath = tuple[str | int, ...]
"""Where a value stands in the JSON form, for example ``("records", 16, "who")``."""

_Error = TypeVar("_Error", bound="TableError")

_MANY = 14
"""A longer list of allowed words is not printed whole when a near one is known."""


class TableError(ValueError):
    """Something that was read cannot stand as it is.

    Attributes:
        found: what was found, as a clause.
        expected: what may stand there; empty where ``found`` says it all.
        remedy: how to put it right, as a sentence.
        rule: id of the ruling that it breaks; empty for questions of form.
        path: where it stands in the JSON form.
        file, line, column: where it stands in the file (from 1), as far as known.
        record: number of the record, from 1.
        at: loop, day and step of the record.
    """

    def __init__(
        self,
        found: str,
        *,
        expected: str = "",
        remedy: str = "",
        rule: str = "",
        path: JsonPath = (),
        file: str = "",
        line: int | None = None,
        column: int | None = None,
        at: At | None = None,
    ) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.remedy = remedy
        self.rule = rule
        self.path = path
        self.file = file
        self.line = line
        self.column = column
        self.at = at

    @property
    def record(self) -> int | None:
        """Return the number of the record, from 1."""
        return _record_number(self.path)

    def placed(
        self: _Error,
        *,
        file: str = "",
        position: tuple[int, int] | None = None,
        at: At | None = None,
    ) -> _Error:
        """Add where it stands, as far as that is not known yet, and return the error."""
        self.file = self.file or file
        if self.line is None and position is not None:
            self.line, self.column = position
        if self.at is None:
            self.at = at
        return self

    def __str__(self) -> str:
        """Return the whole message."""
        where = ", ".join(self._where())
        text = f"{where}: {self.found}" if where else self.found
        if self.expected:
            text += f"; expected {self.expected}"
        text += "."
        if self.remedy:
            text += f" {self.remedy}"
        if self.rule:
            text += f" [{self.rule}]"
        return text

    def _where(self) -> Iterable[str]:
        if self.file:
            yield self.file
        if self.line is not None:
            yield f"line {self.line}"
            if self.column is not None:
                yield f"column {self.column}"
        place = "" if self.at is None else at_words(self.at)
        if self.record is not None:
            yield f"record {self.record} ({place})" if place else f"record {self.record}"
        elif place:
            yield place


class Malformed(TableError):
    """The form is wrong: syntax, a field, a type, an unknown id."""


class AgainstTheRules(TableError):
    """The form is right, but no table could have seen this."""


class NotModelled(AgainstTheRules):
    """A set, character or special rule that this assistant does not know."""


class Ambiguous(TableError):
    """More than one reading is possible."""


def _record_number(path: JsonPath) -> int | None:
    for name, index in itertools.pairwise(path):
        if name == "records" and isinstance(index, int):
            return index + 1
    return None


def at_words(at: At) -> str:
    """Return a moment in words: ``loop 1, day 2, night``."""
    loop, day, step = at
    return f"loop {loop}, day {day}, {step}"


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Return up to three known words that look like ``word``, best first."""
    return difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)


def choices(words: Iterable[str]) -> str:
    """Return a list of words as people write it: ``a, b or c``."""
    names = list(words)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown word: the nearest known ones, or nothing."""
    near = nearest(word, known)
    return f"Did you mean {choices(near)}?" if near else ""


def one_of(word: str, known: Iterable[str]) -> str:
    """Return what was expected instead of ``word``: the known words, unless they are many."""
    names = list(known)
    if not names:
        return "nothing"
    if len(names) > _MANY and nearest(word, names):
        return f"one of the {len(names)} known ones"
    return choices(names)
