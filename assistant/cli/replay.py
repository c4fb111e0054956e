"""Tell whether a script could have shown a game: is there a legal course of hidden choices?"""

from __future__ import annotations

import argparse

import msgspec

from assistant.cli import read, show
from assistant.judge import Judge
from assistant.transcript.errors import at_words
from engine.steps.choice import Choice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a transcript (JSON or notation); - reads it")
    parser.add_argument("--script", metavar="SCRIPT", required=True, help="the script to play")


def run(args: argparse.Namespace) -> int:
    """Print the answer, with a course or the first step that cannot be."""
    transcript, source = read.game_with_source(args.file)
    judgement = Judge(transcript, source).by_replay(read.script(args.script))
    first = judgement.reasons[0] if judgement.reasons else None
    if args.json:
        show.as_json(
            {
                "possible": judgement.possible,
                "at": None if first is None or first.at is None else list(first.at),
                "ruling": None if first is None else next(iter(first.rulings), None),
                "why": None if first is None else first.text,
                "course": msgspec.to_builtins(judgement.course) if first is None else None,
            }
        )
    elif first is None:
        print("This script could have shown this game. One course of hidden choices:")
        for choice in judgement.course:
            print(show.wrapped(_words(choice), 4, 2))
    else:
        print("This script could not have shown this game:")
        print(show.wrapped(str(first), 4, 2))
    return show.FINE if judgement.possible else show.NO


def _words(choice: Choice) -> str:
    """Return a hidden choice as one line: when, which rule, who, on whom, the answer."""
    parts = [choice.source]
    parts += [f"by {choice.by}"] if choice.by else []
    parts += [f"on {choice.on}"] if choice.on else []
    parts += [f"({choice.answer})"] if choice.answer else []
    return f"{at_words(choice.at)}: {' '.join(parts)}"
