"""Simulated games: a script, a seed, and named ways of playing give a transcript."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from engine.generate import sheet_of
from engine.play import play
from engine.policies import POLICIES, PROTAGONISTS, some_protagonists
from engine.records import Transcript
from engine.rules.model import Rulebook
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script
from engine.sets import RULEBOOKS
from engine.steps.choice import Course
from engine.view import World


@dataclass(frozen=True, slots=True)
class Game:
    """A simulated game.

    Attributes:
        transcript: the public records.
        course: the hidden choices behind them.
        script: the script that was played.
    """

    transcript: Transcript
    course: Course
    script: Script


def simulate(
    script: Script,
    seed: int,
    policy: str | None = None,
    players: int = 3,
    *,
    protagonists: str | None = None,
    loops: int | None = None,
    rulings: TableRulings = DEFAULT_RULINGS,
    announces: Literal["every_token", "net"] = "every_token",
    rules: Rulebook | None = None,
    title: str = "",
) -> Game:
    """Play a whole game by chance.

    Args:
        script: a legal script.
        seed: what all chance comes from; the same seed gives the same game.
        policy: how the Mastermind plays, one of ``engine.policies.POLICIES``; by chance if left
            out.
        players: how many people play the Protagonists, 1 to 3.
        protagonists: how they play, one of ``engine.policies.PROTAGONISTS``; by chance if left
            out.
        loops: one of the script's numbers of loops; its first by default.
        rulings: the table's readings; where they are open one is played.
        announces: what the Mastermind tells of his step.
        rules: another text of the set to play by.
        title: title of the transcript.

    Raises:
        KeyError: when a policy or the set is not known.
        ValueError: when the script is not played with that number of loops.
    """
    rng = Random(f"{seed}/{policy}/{players}")
    policy = policy or rng.choice(list(POLICIES))
    protagonists = protagonists or some_protagonists(rng)
    sheet = sheet_of(script, loops, players)
    world = World(rules or RULEBOOKS[script.set], sheet, script, rulings)
    transcript, course = play(
        sheet,
        script,
        POLICIES[policy](Random(rng.random())),
        PROTAGONISTS[protagonists](Random(rng.random())),
        rulings=rulings,
        announces=announces,
        title=title or script.title,
        world=world,
    )
    return Game(transcript, course, script)
