"""The JSON form of transcripts, scripts and cases: reading and writing.

Reading checks the form only (fields, types, kinds and their steps), so that games of any
tragedy set can be read; ``assistant.transcript.validate`` checks what is written there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from assistant.transcript.boardform import BOARD_FIELDS, CARD_FIELDS, EFFECT_FIELDS
from assistant.transcript.errors import At, JsonPath, Malformed, TableError
from assistant.transcript.forms import transcript_problems
from assistant.transcript.kinds import COMMON_FIELDS, kind_of
from assistant.transcript.source import JsonSource, Source, text_of
from assistant.transcript.structure import convert
from engine.records import AnyRecord, Record, Recount, Transcript
from engine.records import At as RecordAt
from engine.script import Script

HARMLESS: Final = frozenset(
    {"official", "difficulty", "family", "notes", "title_other", "corrected"}
)
"""Names in published scripts that say nothing about the game; they are read over."""


class CaseScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A script of a case: could it have produced the transcript, and why."""

    script: Script
    possible: bool
    why: str = ""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case that judges an engine.

    Attributes:
        case: its id.
        rulings: ids of the rulings that it is about.
        title: what it shows.
        transcript: a small public game.
        scripts: scripts, each possible or not under the default table rulings.
    """

    case: str
    rulings: tuple[str, ...]
    title: str
    transcript: Transcript
    scripts: tuple[CaseScript, ...]


def load(source: str | Path, name: str = "") -> Transcript:
    """Read a transcript from its JSON form.

    Args:
        source: a path, or the text itself.
        name: what to call it in errors.

    Raises:
        TableError: when it does not have the form of a transcript.
        OSError: when the file cannot be read.
    """
    return load_with_source(source, name)[0]


def load_with_source(source: str | Path, name: str = "") -> tuple[Transcript, Source]:
    """Read a transcript, and keep where each part of it stands (for later errors)."""
    raw, where = _read(source, name)
    return from_raw(raw, where), where


def from_raw(raw: Mapping[str, Any], where: Source) -> Transcript:
    """Return the transcript that plain JSON values describe.

    Raises:
        TableError: when it does not have the form of a transcript.
    """
    with _placing(where, raw):
        _check_header(raw)
        transcript: Transcript = convert(raw, Transcript)
        for error in transcript_problems(transcript):
            raise error
    return transcript


def load_script(source: str | Path, name: str = "") -> Script:
    """Read a script from its JSON form, published extras included.

    Raises:
        TableError: when it does not have the form of a script.
        OSError: when the file cannot be read.
    """
    raw, where = _read(source, name)
    with _placing(where, raw):
        script: Script = convert(_without_extras(raw), Script)
    return script


def load_case(source: str | Path, name: str = "") -> Case:
    """Read a case: a transcript with scripts, each possible or not.

    Raises:
        TableError: when it does not have the form of a case.
        OSError: when the file cannot be read.
    """
    raw, where = _read(source, name)
    with _placing(where, raw):
        plain = dict(raw)
        scripts = plain.get("scripts")
        if isinstance(scripts, list):
            plain["scripts"] = [
                item | {"script": _without_extras(item["script"])}
                if isinstance(item, dict) and isinstance(item.get("script"), dict)
                else item
                for item in scripts
            ]
        case: Case = convert(plain, Case)
        for error in transcript_problems(case.transcript):
            error.path = ("transcript", *error.path)
            raise error
    return case


def dump(transcript: Transcript) -> str:
    """Return the JSON form: stable order, one record per line, no needless fields.

    ``load`` gives an equal transcript back.
    """
    raw: dict[str, Any] = msgspec.to_builtins(transcript)
    lines = [f' "{name}": {_compact(raw[name])}' for name in ("format", "version", "title")]
    lines.append(f' "sheet": {_block(raw["sheet"], ("cast", "incidents"))}')
    lines += [f' "{name}": {_compact(raw[name])}' for name in ("rulings", "announces")]
    start = "null" if transcript.start is None else _dump_start(raw["start"])
    lines.append(f' "start": {start}')
    records = [f"  {_compact(record_fields(record))}" for record in transcript.records]
    body = ",\n".join(records)
    lines.append(f' "records": [\n{body}\n ]' if records else ' "records": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def record_fields(record: Record) -> dict[str, Any]:
    """Return one record as a JSON object: ``at``, ``kind``, its own fields, common ones."""
    raw: dict[str, Any] = msgspec.to_builtins(record)
    kind = kind_of(record)
    order = ("at", "kind", *kind.own_fields(), *reversed(COMMON_FIELDS[1:]))
    fields = {name: raw[name] for name in order if name in raw}
    if isinstance(record, Recount):
        fields["board"] = _ordered_board(fields["board"])
    return fields


def record_from(fields: Mapping[str, object], path: JsonPath = ()) -> AnyRecord:
    """Return the record that a JSON object describes.

    Raises:
        Malformed: when it is not the form of a record.
    """
    record: AnyRecord = convert(dict(fields), AnyRecord, path)
    return record


def _read(source: str | Path, name: str) -> tuple[dict[str, Any], JsonSource]:
    text, shown = text_of(source, name)
    where = JsonSource(shown, text)
    try:
        raw = json.loads(
            text, object_pairs_hook=_no_twice, parse_constant=_finite, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise Malformed(
            f"this is not JSON: {_lower(error.msg).removesuffix(' at')}",
            remedy=_SYNTAX_REMEDY,
            file=shown,
            line=error.lineno,
            column=error.colno,
        ) from None
    except _TwiceError:
        where.positions()  # names the place
        raise AssertionError("a name stands twice, but the scan does not see it") from None
    except RecursionError:
        raise Malformed("the file is nested too deeply", file=shown) from None
    except ValueError as error:
        # Python refuses to read numbers of thousands of digits.
        reason = str(error) if "no number" in str(error) else "a number has too many digits"
        raise Malformed(reason, file=shown) from None
    if not isinstance(raw, dict):
        raise Malformed("the file holds no object", expected="an object in braces", file=shown)
    if "\\ud" in text.lower():
        _check_surrogates(raw, shown)
    return raw, where


_SYNTAX_REMEDY: Final = "Look for a missing comma, quotation mark or bracket just before it."


class _TwiceError(ValueError):
    """A name stands twice in one object."""


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _TwiceError
    return found


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word} is no number that JSON can hold")
    return number


def _check_surrogates(raw: object, name: str) -> None:
    """Refuse half a character, which no file can hold."""
    try:
        json.dumps(raw, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Malformed(
            "a text holds half of a character (an escape from \\ud800 to \\udfff alone)",
            remedy="Write the character itself.",
            file=name,
        ) from None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


@contextmanager
def _placing(where: Source, raw: Mapping[str, Any]) -> Iterator[None]:
    """Add file, line, column and moment to an error."""
    try:
        yield
    except TableError as error:
        raise error.placed(
            file=where.name, position=where.locate(error.path), at=_moment(raw, error.path)
        ) from None


def _moment(raw: Any, path: JsonPath) -> At | None:
    """Return the ``at`` of the record in which ``path`` lies, if it is sound."""
    for part in path:
        if isinstance(raw, dict) and "kind" in raw and "at" in raw:
            break
        try:
            raw = raw[part]
        except (LookupError, TypeError):
            return None
    try:
        moment: At = msgspec.convert(raw["at"], RecordAt)
    except (LookupError, TypeError, msgspec.ValidationError):
        return None
    return moment


def _check_header(raw: Mapping[str, Any]) -> None:
    """Say plainly when the file is something else."""
    if "transcript" in raw and "case" in raw:
        raise Malformed("this is a case, not a transcript", remedy="Read it as a case.")
    if "main_plot" in raw:
        raise Malformed("this is a script, not a transcript", remedy="Read it as a script.")
    version = raw.get("version")
    if raw.get("format") == "looper-transcript" and isinstance(version, int) and version > 1:
        raise Malformed(
            f"this transcript has version {version}",
            expected="version 1",
            remedy="A newer assistant may read it.",
            path=("version",),
        )


def _without_extras(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if name not in HARMLESS}


def _dump_start(start: dict[str, Any]) -> str:
    ordered = _ordered_board(start["board"])
    parts = {
        "at": _compact(start["at"]),
        "board": _block(ordered, ("characters",), "  "),
        "unknown": _compact(start.get("unknown", [])),
    }
    return "{" + ", ".join(f'"{name}": {text}' for name, text in parts.items()) + "}"


def _ordered_board(board: Mapping[str, Any]) -> dict[str, Any]:
    """Return an equal board whose parts stand in the order in which they are documented."""
    ordered = {name: board[name] for name in BOARD_FIELDS if name in board}
    if "characters" in ordered:
        ordered["characters"] = {
            who: values and {name: values[name] for name in CARD_FIELDS if name in values}
            for who, values in ordered["characters"].items()
        }
    if ordered.get("effects"):
        ordered["effects"] = [
            {name: effect[name] for name in EFFECT_FIELDS if name in effect}
            for effect in ordered["effects"]
        ]
    return ordered


def _block(value: Mapping[str, Any], broken: tuple[str, ...], indent: str = " ") -> str:
    """Return an object on few lines; the members named in ``broken`` get lines of their own."""
    parts = []
    for name, item in value.items():
        text = _compact(item)
        if name in broken and isinstance(item, dict):
            inner = ",\n".join(f'{indent}  "{who}": {_compact(what)}' for who, what in item.items())
            text = f"{{\n{inner}}}" if inner else "{}"
        parts.append(f'{indent} "{name}": {text}')
    return "{\n" + ",\n".join(parts) + "}" if parts else "{}"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
