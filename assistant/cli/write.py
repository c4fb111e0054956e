"""Writing a transcript to a file or to the screen."""

from __future__ import annotations

from pathlib import Path

from assistant.cli import show
from assistant.transcript import jsonform, notation
from engine.records import Transcript


def game(transcript: Transcript, output: str | None, as_json: bool) -> int:
    """Write a transcript and return the exit code.

    Args:
        transcript: the game.
        output: a path, whose suffix ``.json`` asks for JSON; the screen when left out.
        as_json: write JSON whatever the suffix.
    """
    if output is not None:
        as_json = as_json or Path(output).suffix.lower() == ".json"
    text = jsonform.dump(transcript) if as_json else notation.write(transcript)
    if output is None:
        print(text, end="")
    else:
        Path(output).write_text(text, encoding="utf-8")
    return show.FINE
