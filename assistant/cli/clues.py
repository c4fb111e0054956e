"""List what each step of a game says, or tell whether all of it holds for a script."""

from __future__ import annotations

import argparse

from assistant.cli import read, show
from assistant.clues import Clue, derive
from assistant.judge import Judge
from engine.records import Transcript
from engine.table import compile_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a transcript (JSON or notation); - reads it")
    parser.add_argument("--script", metavar="SCRIPT", help="a script to hold against the clues")


def run(args: argparse.Namespace) -> int:
    """Print the clues, or those that a script breaks."""
    if args.script is None:
        return _list(read.game(args.file), args.json)
    transcript, source = read.game_with_source(args.file)
    judgement = Judge(transcript, source).by_clues(read.script(args.script))
    if args.json:
        broken = [reason.fields() for reason in judgement.reasons]
        show.as_json({"holds": judgement.possible, "broken": broken})
    elif judgement.possible:
        print("All clues hold for this script.")
    else:
        print("This script could not have shown this game:")
        for reason in judgement.reasons:
            print(show.wrapped(str(reason), 4, 2))
    return show.FINE if judgement.possible else show.NO


def _list(transcript: Transcript, as_json: bool) -> int:
    clues = derive(compile_table(transcript))
    if as_json:
        show.as_json({"clues": [clue_fields(clue) for clue in clues]})
        return show.FINE
    for clue in clues:
        print(clue_text(clue))
    print(f"{show.plural(len(clues), 'clue')}.")
    return show.FINE


def clue_fields(clue: Clue) -> dict[str, object]:
    """Return a clue as plain JSON values."""
    return {
        "at": list(clue.at),
        "kind": clue.kind,
        "text": clue.text,
        "rulings": list(clue.rulings),
        "evidence": [unit.id for unit in clue.units],
    }


def clue_text(clue: Clue, indent: int = 0) -> str:
    """Return a clue in lines that fit: its sentence, its rulings, and evidence from elsewhere."""
    text = show.wrapped(f"{clue.text} [{', '.join(clue.rulings)}]", indent + 2, indent)
    elsewhere = [unit.id for unit in clue.units if unit.at != clue.at]
    if elsewhere:
        text += "\n" + show.listed("with ", elsewhere, indent + 2)
    return text
