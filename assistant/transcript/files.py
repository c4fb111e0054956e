"""Reading and checking a transcript in whichever form it comes."""

from __future__ import annotations

from pathlib import Path

from assistant.transcript import jsonform, notation, validate
from assistant.transcript.errors import TableError
from assistant.transcript.source import Source, text_of
from engine.records import Transcript


def load_any(source: str | Path, name: str = "", *, checked: bool = True) -> Transcript:
    """Read a transcript from JSON or notation, and check that it is well-formed.

    Args:
        source: a path, or the text itself.
        name: what to call it in errors.
        checked: refuse what is not well-formed too (``assistant.transcript.validate``), not
            only what cannot be read.

    Raises:
        TableError: the first problem.
        OSError: when the file cannot be read.
    """
    transcript, where = load_any_with_source(source, name)
    if checked:
        validate.check(transcript, where)
    return transcript


def load_any_with_source(source: str | Path, name: str = "") -> tuple[Transcript, Source]:
    """Read a transcript from JSON or notation, and keep where each part of it stands."""
    text, shown = text_of(source, name)
    if is_json(text):
        return jsonform.load_with_source(text, shown)
    # An empty or single line would be taken for a path.
    return notation.parse_with_source(f"{text}\n", shown)


def problems_of(source: str | Path, name: str = "") -> list[TableError]:
    """Return all that is wrong with a transcript; a single problem when it cannot be read.

    Raises:
        OSError: when the file cannot be read.
    """
    try:
        transcript, where = load_any_with_source(source, name)
    except TableError as error:
        return [error]
    return validate.problems(transcript, where)


def is_json(text: str) -> bool:
    """Tell whether a text is meant as JSON: no line of notation begins with a bracket."""
    return text.lstrip().startswith(("{", "["))
