"""What is left of a small game, against every legal script replayed one by one."""

from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from assistant.deduction import Deduction
from assistant.worlds import world_of
from engine.every_script import legal_scripts
from engine.generate import random_script
from engine.replay import Replayer
from engine.sets import RULEBOOKS
from engine.simulate import simulate
from engine.table import compile_table

LATE = ("copycat", "godly_being", "transfer_student")
"""Left out where they would make the list long."""


def both_ways(set_id: str, seed: int) -> None:
    """Hold the deduction of one random game against the replay of all scripts."""
    rules, rng = RULEBOOKS[set_id], Random(f"brute/{seed}")
    script = random_script(rules, rng, size=5, days=2, loops=3, exclude=LATE)
    transcript = simulate(script, seed).transcript
    assert len(transcript.sheet.incidents) <= 2
    replayer = Replayer(compile_table(transcript))
    possible = {
        world_of(one, transcript.sheet, rules).secrets()
        for one in legal_scripts(transcript.sheet, rules)
        # Which subplot stands first is no part of a world, and may have been told (L-11).
        if any(
            replayer.run(replace(one, subplots=order)).possible
            for order in permutations(one.subplots)
        )
    }
    worlds = Deduction.of(transcript).worlds
    assert worlds.count() == len(possible)
    assert {world.secrets() for world in worlds.listing(10**6)} == possible


@pytest.mark.parametrize("set_id", ["weird_mythology"])
def test_all_scripts_that_replay_allows_are_the_worlds_left(set_id: str) -> None:
    both_ways(set_id, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 20))
@pytest.mark.parametrize("set_id", ["weird_mythology"])
def test_the_same_over_more_games(set_id: str, seed: int) -> None:
    both_ways(set_id, seed)
