"""Check a transcript (its form and the public rules) or a script (whether it is legal).

All that is wrong is listed. What cannot be read or is not modelled is bad input; a game that
breaks a public rule and a script that is not legal get the answer no.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from assistant.cli import read, show
from assistant.transcript.errors import AgainstTheRules, NotModelled, TableError
from assistant.transcript.files import load_any_with_source
from assistant.transcript.jsonform import load_script
from assistant.transcript.validate import problems
from engine.legality import is_modelled, violations
from engine.script import Script
from engine.sets import RULEBOOKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", help="a transcript (JSON or notation) or a script; - reads it"
    )


def run(args: argparse.Namespace) -> int:
    """Print all that is wrong with a file."""
    content, name = read.text(args.file)
    if read.looks_like_script(content):
        return _script(load_script(content, name), name, args.json)
    return _transcript(content, name, args.json)


def _transcript(content: str, name: str, as_json: bool) -> int:
    found: Sequence[TableError]
    transcript = None
    try:
        transcript, source = load_any_with_source(content, name)
    except TableError as unreadable:
        found = [unreadable]
    else:
        found = problems(transcript, source) or read.rule_problems(transcript, source)
    code = max(map(_weight, found), default=show.FINE)
    if as_json:
        show.as_json(
            {
                "file": name,
                "kind": "transcript",
                "ok": not found,
                "problems": [show.error_fields(error) for error in found],
            }
        )
        return code
    for error in found:
        print(error)
    if found:
        print(f"{show.plural(len(found), 'problem')}.")
    elif transcript is not None:
        sheet = transcript.sheet
        print(f"{name}: a well-formed game that breaks no public rule.")
        print(
            f"{RULEBOOKS[sheet.set].name}, {show.plural(sheet.loops, 'loop')} of "
            f"{show.plural(sheet.days, 'day')}, {show.plural(len(sheet.cast), 'character')}, "
            f"{show.plural(len(transcript.records), 'record')}."
        )
    return code


def _weight(error: TableError) -> int:
    if isinstance(error, AgainstTheRules) and not isinstance(error, NotModelled):
        return show.NO
    return show.BAD_INPUT


def _script(script: Script, name: str, as_json: bool) -> int:
    found = violations(script)
    missing = is_modelled(script)
    code = show.BAD_INPUT if missing else show.NO if found else show.FINE
    if as_json:
        answer: dict[str, Any] = {
            "file": name,
            "kind": "script",
            "ok": not found,
            "problems": [
                {
                    "rule": str(violation.rule),
                    "rulings": list(violation.rulings),
                    "text": violation.text,
                    "remedy": violation.remedy,
                }
                for violation in found
            ],
            "not_modelled": missing,
        }
        show.as_json(answer)
        return code
    for violation in found:
        rulings = f" [{', '.join(violation.rulings)}]" if violation.rulings else ""
        end = "" if violation.remedy.endswith("?") else "."
        print(f"{name}: {violation.text}; {violation.remedy}{end}{rulings}")
    if found:
        print(f"{show.plural(len(found), 'problem')}.")
    else:
        print(f"{name}: a legal script of {RULEBOOKS[script.set].name}.")
    return code
