"""What occurs in simulated games, and what is said when something never does."""

import tomllib
from collections import Counter
from dataclasses import replace
from importlib import resources

import pytest

from assistant.cli import main
from assistant.lab.coverage import count, count_games, impossible, wanted
from assistant.lab.games import GameSpec, random_scripts, specs
from assistant.lab.reach import Name, Reach
from assistant.lab.seeking import COURTING, game_for, seek
from engine.legality import violations
from engine.rules.model import Refusal
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


def refusals(set_id: str) -> list[tuple[str, str, str]]:
    """Return the refusals of abilities that need much Goodwill."""
    return [
        ("goodwill ability", f"{who}.{ability.key}", "refused")
        for who, card in RULEBOOKS[set_id].characters.items()
        for ability in card.goodwill
        if ability.goodwill == 5 and ability.refusable
    ]


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_scripts_are_found_that_hold_what_is_missing(set_id: str) -> None:
    rules = RULEBOOKS[set_id]
    for name in refusals(set_id):
        script = game_for(name, rules, 1, seed=1).script
        who = name[1].split(".")[0]
        assert rules.roles[script.cast[who]].refusal is not Refusal.NONE
        assert not violations(script)
    for incident in rules.incidents:
        script = game_for(("incident", incident, "without effect"), rules, 2, seed=1).script
        culprits = [item.culprit for item in script.incidents if item.incident == incident]
        if rules.incidents[incident].mob is not None:
            assert culprits
            continue
        assert any(rules.characters[who].effect_times == 0 for who in culprits)


def test_what_is_missing_is_looked_for_until_it_occurs() -> None:
    wanted_too = refusals("first_steps")[:2]
    asked: list[GameSpec] = []

    def play(games: list[GameSpec]) -> Counter[Name]:
        asked.extend(games)
        return count_games(games)

    counts, played = seek(wanted_too, ["first_steps"], 400, 1, play)
    assert all(counts[name] for name in wanted_too)
    assert played == len(asked) < 2 * 400
    assert {spec.protagonists for spec in asked} == {COURTING}
    nothing, most = seek([("trait", "nobody", "flies")], ["first_steps"], 0, 1, play)
    assert (sum(nothing.values()), most) == (0, 0)


def test_courting_opens_the_dearest_abilities() -> None:
    """Goodwill of 5 on one person within a loop comes up far more often than otherwise."""

    def reached(protagonists: str | None) -> int:
        counts = count_games(
            replace(game_for(name, RULEBOOKS["first_steps"], n, 7), protagonists=protagonists)
            for name in refusals("first_steps")[:3]
            for n in range(12)
        )
        return sum(
            number
            for (group, thing, _), number in counts.items()
            if group == "goodwill ability" and thing.endswith(".5")
        )

    assert reached(COURTING) > reached("blunders")
