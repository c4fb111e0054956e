"""Falsified games of our own scripts: each is refused by the right rule, or really shown."""

from collections.abc import Iterator
from random import Random

import pytest

from assistant.lab.falsified import FALSIFIED, falsified
from assistant.lab.truth import not_shown
from assistant.transcript.validate import problems
from engine.records import Transcript
from engine.replay import Replay, Replayer
from engine.simulate import Game
from engine.table import compile_table
from tests.engine.tools import OWN, played


def changed(how: str) -> Iterator[tuple[Game, Transcript, Replay]]:
    """Yield games with one thing changed, and what replay says of each."""
    for number in range(len(OWN)):
        for seed in range(10):
            game = played(number, seed)
            told = falsified(game.transcript, how, Random(f"{how}/{number}/{seed}"))
            if told is not None and not problems(told):
                yield game, told, Replayer(compile_table(told)).run(game.script)


@pytest.mark.parametrize("how", FALSIFIED)
def test_a_falsified_game_is_refused_or_really_shown(how: str) -> None:
    refused = 0
    for game, told, verdict in changed(how):
        if verdict.possible:
            assert not_shown(told, game.script, verdict) == ""
            continue
        refused += 1
        assert verdict.at is not None
        assert verdict.ruling
        assert verdict.why
        assert verdict.why.endswith(".")
    assert refused, "nothing was ever refused"


@pytest.mark.parametrize(
    ("how", "rulings"),
    [
        ("another role told", {"G-10", "L-05"}),
        (
            "an incident turned round",
            {"I-01", "I-07", "I-09", "I-11", "I-12", "I-26", "I-16", "I-10"},
        ),
        ("a refusal invented", {"G-06", "G-08"}),
    ],
)
def test_the_ruling_that_forbids_it_is_named(how: str, rulings: set[str]) -> None:
    named = {verdict.ruling for _, _, verdict in changed(how) if not verdict.possible}
    # A change early in a game may also make a later record impossible by public rules.
    assert named & rulings


def test_a_lie_is_found_in_the_step_in_which_it_is_told() -> None:
    found = 0
    for game, told, verdict in changed("another role told"):
        differing = next(
            new.at
            for old, new in zip(game.transcript.records, told.records, strict=True)
            if old != new
        )
        if not verdict.possible:
            assert verdict.at == differing
            found += 1
    assert found
