"""What occurs in simulated games, and what is said when something never does."""

import tomllib
from importlib import resources

import pytest

from assistant.cli import main
from assistant.lab.coverage import count, impossible, wanted
from assistant.lab.games import random_scripts, specs
from assistant.lab.reach import Reach
from engine.sets import RULEBOOKS
from tests.lab.games import games


def test_few_games_touch_most_of_what_their_scripts_hold() -> None:
    played = games(60)
    counts = count(played, workers=0, quiet=True)
    names = wanted(played)
    assert set(counts) - {name for name, number in counts.items() if not number} <= {
        *names,
        *wanted(played, whole=True),
    }
    zeros = [name for name in names if not counts[name] and not impossible(name)]
    assert len(zeros) < 0.15 * len(names), zeros
    for group in ("ability", "incident", "trait", "goodwill ability", "loop end", "record"):
        assert any(number for name, number in counts.items() if name[0] == group), group


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_the_reach_of_scripts_lies_in_that_of_the_set(set_id: str) -> None:
    rules = RULEBOOKS[set_id]
    scripts = [script for _, script in random_scripts(set_id, 5, seed=1)]
    some, whole = list(Reach.of(rules, scripts).names()), list(Reach.whole(rules).names())
    assert len(set(some)) == len(some)
    assert len(set(whole)) == len(whole)
    assert set(some) <= set(whole)


def test_every_reason_is_needed() -> None:
    """A reason that fits nothing is out of date."""
    text = (resources.files("assistant.lab") / "impossible.toml").read_text()
    names = {
        " ".join((f"{name[0]}:", *name[1:]))
        for rules in RULEBOOKS.values()
        for name in Reach.whole(rules).names()
    }
    for entry in tomllib.loads(text)["impossible"]:
        if "*" not in entry["name"]:
            assert entry["name"] in names
        assert entry["reason"]


def test_the_command_lists_zeros(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(
        ["lab", "coverage", "--random", "2", "--set", "first_steps", "--games", "2", "--jobs", "0"]
    )
    out = capsys.readouterr().out
    assert code == 1
    assert "ZERO" in out
    assert "4 games" in out


def test_games_take_policies_and_players_in_turn() -> None:
    played = specs(random_scripts("first_steps", 1, seed=1), 12, 1)
    assert len({(game.policy, game.players) for game in played}) == 12
    assert len({game.seed for game in played}) == 12
