"""Small games of Haunted Stage: what deduction leaves is what replaying every script leaves."""

from random import Random

import pytest

from assistant.deduction import Deduction
from assistant.worlds.world import world_of
from engine.every_script import legal_scripts
from engine.generate import random_script
from engine.records import Transcript
from engine.replay import Replayer
from engine.script import Script
from engine.sets.haunted_stage import HAUNTED_STAGE
from engine.simulate import simulate
from engine.table import compile_table

LATE = [who for who, card in HAUNTED_STAGE.characters.items() if card.entry is not None]


def small_script(rng: Random, size: int) -> Script:
    """Return a random script with at most two incidents, one of them of a mob."""
    while True:
        script = random_script(HAUNTED_STAGE, rng, size=size, days=3, loops=2, exclude=LATE)
        kinds = {HAUNTED_STAGE.incidents[item.incident].mob is None for item in script.incidents}
        if len(script.incidents) <= 2 and False in kinds:
            return script


def assert_same_scripts_are_left(transcript: Transcript) -> None:
    table = compile_table(transcript)
    replayer = Replayer(table)
    sheet = transcript.sheet
    left = {
        world_of(script, sheet, HAUNTED_STAGE).secrets()
        for script in legal_scripts(sheet, HAUNTED_STAGE)
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
