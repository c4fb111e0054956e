"""Reading what commands are given: games, scripts, and names of things."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from assistant.judge import refuse_not_modelled
from assistant.transcript.errors import AgainstTheRules, Malformed, did_you_mean, one_of
from assistant.transcript.files import is_json, load_any_with_source
from assistant.transcript.jsonform import load_script
from assistant.transcript.source import Source, text_of
from assistant.transcript.validate import check
from engine.records import Transcript
from engine.script import Script
from engine.table import compile_table

STDIN = "-"
"""The name of a file that stands for the standard input."""


def text(file: str) -> tuple[str, str]:
    """Return the text of a file and the name to show for it.

    Raises:
        Malformed: when it is not UTF-8.
        OSError: when it cannot be read.
    """
    if file != STDIN:
        content, name = text_of(Path(file))
    else:
        name = "standard input"
        try:
            content = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Malformed("this is not UTF-8", file=name) from None
    # A text without a line end could be taken for a path.
    return f"{content}\n", name


def game(file: str) -> Transcript:
    """Read a transcript in either form, and refuse it if it breaks a public rule.

    Args:
        file: a path, or ``-``.
    """
    transcript, source = game_with_source(file)
    refuse(transcript, source)
    return transcript


def refuse(transcript: Transcript, source: Source) -> None:
    """Raise the first thing that is wrong with a game, if anything is.

    Raises:
        TableError: with the record, the rule and the remedy, and where it stands.
    """
    check(transcript, source)
    for problem in rule_problems(transcript, source):
        raise problem


def rule_problems(transcript: Transcript, source: Source) -> list[AgainstTheRules]:
    """Return the records of a well-formed game that the board contradicts."""
    return [
        AgainstTheRules(
            problem.text,
            remedy=f"{problem.remedy[:1].upper()}{problem.remedy[1:]}.",
            rule=problem.ruling,
            path=("records", problem.record),
        ).placed(
            file=source.name,
            position=source.locate(("records", problem.record)),
            at=transcript.records[problem.record].at,
        )
        for problem in compile_table(transcript).problems
    ]


def game_with_source(file: str) -> tuple[Transcript, Source]:
    """Read a transcript in either form, with the places of its parts."""
    content, name = text(file)
    return load_any_with_source(content, name)


def script(file: str) -> Script:
    """Read a script that the engine can play; whether it is legal is not asked.

    Raises:
        TableError: when it has not the form of a script, or something is not modelled.
    """
    content, name = text(file)
    read = load_script(content, name)
    refuse_not_modelled(read, name)
    return read


def looks_like_script(content: str) -> bool:
    """Tell whether a text is meant as a script and not as a transcript."""
    if not is_json(content):
        return False
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and "main_plot" in raw


def named(what: str, word: str, known: Mapping[str, object] | Iterable[str]) -> str:
    """Return the id that a word means: an id, or a printed name in any spelling of case.

    Args:
        what: the kind of thing, for the error.
        word: what was typed.
        known: the ids, with the things they name where those have printed names.

    Raises:
        Malformed: when nothing has that name; the nearest ones are named.
    """
    ids = list(known)
    names = {id: id for id in ids}
    if isinstance(known, Mapping):
        names |= {_plain(str(getattr(thing, "name", id))): id for id, thing in known.items()}
    names |= {_plain(id): id for id in ids}
    if word in ids:
        return word
    if _plain(word) in names:
        return names[_plain(word)]
    raise Malformed(
        f"there is no {what} {word!r}",
        expected=one_of(word, ids),
        remedy=did_you_mean(_plain(word), ids),
    )


def _plain(word: str) -> str:
    return "_".join("".join(c if c.isalnum() else " " for c in word.lower()).split())
