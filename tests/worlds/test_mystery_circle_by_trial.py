"""Small games of Mystery Circle: what deduction leaves is what replaying every script leaves."""

from random import Random

import pytest

from assistant.deduction import Deduction
from assistant.worlds.world import world_of
from engine.every_script import legal_scripts
from engine.generate import random_script
from engine.records import Transcript
from engine.replay import Replayer
from engine.script import Script
from engine.sets.mystery_circle import MYSTERY_CIRCLE
from engine.simulate import simulate
from engine.table import compile_table

LATE = [who for who, card in MYSTERY_CIRCLE.characters.items() if card.entry is not None]


def small_script(rng: Random, size: int) -> Script:
    """Return a random script with one or two incidents."""
    while True:
        script = random_script(MYSTERY_CIRCLE, rng, size=size, days=3, loops=2, exclude=LATE)
        if 1 <= len(script.incidents) <= 2:
            return script


def assert_same_scripts_are_left(transcript: Transcript) -> None:
    replayer = Replayer(compile_table(transcript))
    sheet = transcript.sheet
    left = {
        world_of(script, sheet, MYSTERY_CIRCLE).secrets()
        for script in legal_scripts(sheet, MYSTERY_CIRCLE)
        if replayer.run(script).possible
    }
    worlds = Deduction.of(transcript).worlds
    assert {world.secrets() for world in worlds.listing(10**9)} == left
    assert worlds.count() == len(left)


@pytest.mark.parametrize("seed", range(4))
def test_four_characters(seed: int) -> None:
    script = small_script(Random(f"four {seed}"), 4)
    assert_same_scripts_are_left(simulate(script, seed).transcript)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_five_characters(seed: int) -> None:
    script = small_script(Random(f"five {seed}"), 5)
    assert_same_scripts_are_left(simulate(script, seed).transcript)
