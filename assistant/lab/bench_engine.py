"""Speed of the engine: games, replays, step checks, and how they grow."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from assistant.lab.timing import rate
from engine.generate import random_script
from engine.replay import Replayer
from engine.rules.model import Rulebook
from engine.script import Script
from engine.simulate import simulate
from engine.table import compile_table

GAMES: Final = 8
SIZE: Final = 10
DAYS: Final = 6
LOOPS: Final = 3


def script_of(rules: Rulebook, size: int, days: int, loops: int, seed: int = 1) -> Script:
    """Return the script that is measured."""
    return random_script(rules, Random(f"bench/{seed}"), size=size, days=days, loops=loops)


def speeds(script: Script, seconds: float) -> dict[str, float]:
    """Return games, compilations, replays and step checks a second for one script.

    Only games of full length are replayed: with the truth, which replay has to play to the end.
    """
    games = [simulate(script, seed).transcript for seed in range(4 * GAMES)]
    games = sorted(games, key=lambda game: -len(game.records))[:GAMES]
    tables = [compile_table(game) for game in games]
    replayers = [Replayer(table) for table in tables]
    steps = sum(len(table.steps) for table in tables) / len(tables)
    for replayer in replayers:
        replayer.run(script)  # what is prepared once for a table does not count
    replays = rate(lambda number: replayers[number % GAMES].run(script), seconds)
    return {
        "games/s": rate(lambda number: simulate(script, number), seconds),
        "compilations/s": rate(lambda number: compile_table(games[number % GAMES]), seconds),
        "replays/s": replays,
        "step checks/s": replays * steps,
        "steps a game": steps,
        "records a game": sum(len(game.records) for game in games) / len(games),
    }


def growth(rules: Rulebook, seconds: float) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the speeds of larger and smaller scripts."""
    for size in (6, 8, 10, 12):
        yield f"{size} characters", speeds(script_of(rules, size, DAYS, LOOPS), seconds)
    for days in (3, 6, 8):
        yield f"{days} days", speeds(script_of(rules, SIZE, days, LOOPS), seconds)
