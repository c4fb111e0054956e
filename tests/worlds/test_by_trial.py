"""Small games of every set: what deduction leaves is what replaying every script leaves."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from assistant.deduction import Deduction
from assistant.worlds.world import world_of
from engine.every_script import legal_scripts
from engine.generate import random_script
from engine.records import Reveal, Transcript
from engine.replay import Replayer
from engine.rules.model import Rulebook
from engine.script import Script
from engine.sets import RULEBOOKS
from engine.simulate import simulate
from engine.table import compile_table

GAMES = [
    *((set_id, 4, seed) for set_id in RULEBOOKS for seed in range(2)),
    *((set_id, 5, 3 if set_id == "basic_tragedy" else 0) for set_id in RULEBOOKS),
]
"""Set, characters, seed; with five characters those games that take no minutes."""


def small_script(rules: Rulebook, rng: Random, size: int) -> Script:
    """Return a random script with one or two incidents, one of a mob where the set has mobs."""
    late = [who for who, card in rules.characters.items() if card.entry is not None]
    mobs = any(incident.mob is not None for incident in rules.incidents.values())
    while True:
        script = random_script(rules, rng, size=size, days=3, loops=2, exclude=late)
        of_mob = [rules.incidents[item.incident].mob is not None for item in script.incidents]
        if 1 <= len(of_mob) <= 2 and any(of_mob) >= mobs:
            return script


def orders(script: Script, transcript: Transcript) -> Iterator[Script]:
    """Yield a script with its subplots in each order that may have been told (L-11)."""
    told = any(isinstance(r, Reveal) and r.subplot is not None for r in transcript.records)
    for order in permutations(script.subplots) if told else (script.subplots,):
        yield replace(script, subplots=order)


@pytest.mark.slow
@pytest.mark.parametrize(("set_id", "size", "seed"), GAMES)
def test_the_worlds_left_are_the_scripts_that_replay_accepts(
    set_id: str, size: int, seed: int
) -> None:
    rules = RULEBOOKS[set_id]
    script = small_script(rules, Random(f"{size} {seed}"), size)
    transcript = simulate(script, seed).transcript
    sheet, replayer = transcript.sheet, Replayer(compile_table(transcript))
    left = {
        world_of(one, sheet, rules).secrets()
        for one in legal_scripts(sheet, rules)
        if any(replayer.run(ordered).possible for ordered in orders(one, transcript))
    }
    worlds = Deduction.of(transcript).worlds
    assert {world.secrets() for world in worlds.listing(10**9)} == left
    assert worlds.count() == len(left)
