"""A game to look at: one of the sample scripts, played by the program; always the same game."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from assistant import samples
from engine.records import Transcript
from engine.sets import RULEBOOKS
from engine.simulate import simulate

_TRIES: Final = 20


def demo_game(seed: int = 1) -> Transcript:
    """Return a simulated game that goes on for more than one loop where possible.

    Args:
        seed: what all chance comes from.

    Raises:
        LookupError: When no sample script is of a modelled set.
    """
    scripts = [
        script for name in samples.names() if (script := samples.load(name)).set in RULEBOOKS
    ]
    # The plainest set: the one with the fewest plots.
    scripts.sort(key=lambda script: len(RULEBOOKS[script.set].plots))
    if not scripts:
        raise LookupError("no sample script is of a modelled set")
    longest: Transcript | None = None
    for turn in range(_TRIES):
        game = simulate(scripts[0], seed + turn).transcript
        if longest is None or len(game.records) > len(longest.records):
            longest = game
        if game.records[-1].at[0] == game.sheet.loops:
            break
    assert longest is not None  # at least one was played
    return structs.replace(longest, title=f"Demo: {longest.title}")
