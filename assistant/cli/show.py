"""What commands print: JSON, errors, and lines that fit a terminal."""

from __future__ import annotations

import io
import json
import os
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, Final, TextIO

FINE: Final = 0
NO: Final = 1
BAD_INPUT: Final = 2
"""Exit codes: yes or fine; the answer is no; input that cannot be read or judged."""
WIDTH: Final = 80
_HARD_SPACE: Final = "\N{NO-BREAK SPACE}"


def never_fail(stream: TextIO) -> None:
    """Make a stream write what its encoding lacks in another way instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def give_up_output() -> None:
    """Send what is still to be printed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


def wrapped(text: str, indent: int = 0, first: int | None = None) -> str:
    """Return a text in lines that fit.

    Args:
        text: words.
        indent: spaces before all lines.
        first: spaces before the first line, where they differ.
    """
    lead = indent if first is None else first
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=" " * lead,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def listed(label: str, items: Iterable[str], indent: int = 2) -> str:
    """Return ``label item, item, ...`` in lines that fit, broken between items only.

    Items that have commas themselves are set apart by semicolons.
    """
    whole = [item.replace(" ", _HARD_SPACE) for item in items]
    mark = "; " if any("," in item for item in whole) else ", "
    return wrapped(f"{label}{mark.join(whole)}", indent + 2, indent).replace(_HARD_SPACE, " ")


def plural(number: int, word: str, words: str = "") -> str:
    """Return ``1 word`` or ``n words``, with thousands set apart."""
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"


# Errors ---------------------------------------------------------------------------------


def is_bad_input(error: BaseException) -> bool:
    """Tell whether an error says that what was given cannot be read or judged."""
    from assistant.transcript.errors import TableError

    return isinstance(error, TableError | OSError | MemoryError)


def bad_input(error: BaseException, *, as_json: bool) -> None:
    """Print an error; with ``as_json`` as an object on the standard output too."""
    text = message(error)
    print(f"looper: {text}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": error_fields(error)}, ensure_ascii=False, indent=1))


def message(error: BaseException) -> str:
    """Return an error in words."""
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}."
    if isinstance(error, MemoryError):
        return "this leaves too many scripts open to hold them all in memory."
    return str(error)


def error_fields(error: BaseException) -> dict[str, Any]:
    """Return an error as plain JSON values, without what is not known."""
    from assistant.transcript.errors import TableError

    fields: dict[str, Any] = {"kind": _kind(error), "message": message(error)}
    if isinstance(error, TableError):
        fields |= {
            "found": error.found,
            "expected": error.expected,
            "remedy": error.remedy,
            "rule": error.rule,
            "file": error.file,
            "line": error.line,
            "column": error.column,
            "record": error.record,
            "at": None if error.at is None else list(error.at),
        }
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _kind(error: BaseException) -> str:
    """Return the class of an error as a word: ``malformed``, ``against_the_rules`` ..."""
    name = "Unreadable" if isinstance(error, OSError) else type(error).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]
