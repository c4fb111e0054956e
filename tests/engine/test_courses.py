"""A course run forward gives the transcript again, record by record."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.course import Choice, IllegalCourse, decisions_of, run_course
from engine.generate import random_script
from engine.records import Transcript
from engine.replay import Replayer
from engine.sets import RULEBOOKS
from engine.simulate import Game, simulate
from engine.table import compile_table
from tests.engine.tools import OWN, by_step, played, published


def run(game: Game, course: tuple[Choice, ...]) -> Transcript:
    told = game.transcript
    return run_course(
        told.sheet,
        game.script,
        course,
        decisions_of(told),
        announces=told.announces,
        title=told.title,
    )


@pytest.mark.parametrize("number", range(len(OWN)))
def test_the_course_of_a_simulated_game_gives_the_same_game(number: int) -> None:
    for seed in range(8):
        announces = "net" if seed % 4 == 3 else "every_token"
        game = played(number, seed, players=(3, 3, 2, 1)[seed % 4], announces=announces)
        assert run(game, game.course) == game.transcript


@pytest.mark.parametrize("number", range(len(OWN)))
def test_the_course_that_replay_finds_shows_the_same_in_every_step(number: int) -> None:
    for seed in range(8):
        announces = "net" if seed % 4 == 3 else "every_token"
        game = played(number, seed, players=(3, 3, 2, 1)[seed % 4], announces=announces)
        verdict = Replayer(compile_table(game.transcript)).run(game.script)
        assert verdict.possible
        assert by_step(run(game, verdict.course)) == by_step(game.transcript)


@pytest.mark.parametrize("set_id", sorted(RULEBOOKS))
def test_courses_over_random_scripts(set_id: str) -> None:
    for seed in range(12):
        game = simulate(random_script(RULEBOOKS[set_id], Random(f"courses/{seed}")), seed)
        assert run(game, game.course) == game.transcript
        verdict = Replayer(compile_table(game.transcript)).run(game.script)
        assert by_step(run(game, verdict.course)) == by_step(game.transcript)


def test_courses_over_published_scripts(shared: Path) -> None:
    for secret in published(shared / "scripts", "fs"):
        for seed in range(3):
            game = simulate(secret, seed)
            assert run(game, game.course) == game.transcript


def game_with(source: str) -> Game:
    """Return a game in whose course an ability is used."""
    for number in range(len(OWN)):
        for seed in range(40):
            game = played(number, seed)
            if any(choice.source == source for choice in game.course):
                return game
    raise AssertionError(f"no game uses {source}")


def test_a_course_with_another_holder_is_refused() -> None:
    game = game_with("conspiracy_theorist.unease")
    wrong = tuple(
        msgspec.structs.replace(choice, by="nurse")
        if choice.source == "conspiracy_theorist.unease"
        else choice
        for choice in game.course
    )
    with pytest.raises(IllegalCourse, match="was never reached"):
        run(game, wrong)


def test_a_course_without_a_mandatory_kill_is_refused() -> None:
    game = game_with("serial_killer.kill")
    wrong = tuple(choice for choice in game.course if choice.source != "serial_killer.kill")
    with pytest.raises(IllegalCourse, match="had to kill"):
        run(game, wrong)


def test_a_course_that_leaves_a_use_unanswered_is_refused() -> None:
    games = (played(1, seed) for seed in range(40))
    game = next(game for game in games if any(choice.answer for choice in game.course))
    wrong = tuple(choice for choice in game.course if choice.answer is None)
    with pytest.raises(IllegalCourse, match="nothing answers"):
        run(game, wrong)


def test_a_late_or_partial_game_has_no_course_from_the_beginning() -> None:
    told = played(0, 0).transcript
    withdrawn = (msgspec.structs.replace(told.records[3], doubt=True), *told.records[4:])
    with pytest.raises(ValueError, match="is not whole"):
        decisions_of(msgspec.structs.replace(told, records=withdrawn))
