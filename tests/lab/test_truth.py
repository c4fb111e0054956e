"""True games are accepted, changed ones refused; refusals are held against all courses."""

from functools import cache

import msgspec
import pytest

from assistant.lab import truth
from assistant.lab.falsified import FALSIFIED, falsified
from assistant.lab.games import GameSpec, random_scripts, specs
from engine import records
from engine.exhaust import shown_by_some_course
from engine.replay import Replay
from engine.sets import RULEBOOKS
from engine.simulate import Game


@cache
def small_games(set_id: str) -> list[tuple[GameSpec, Game]]:
    chosen = specs(random_scripts(set_id, 4, 7, size=5), 2, 7)
    return [(spec, spec.play()) for spec in chosen]


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_true_games_are_shown_by_some_course(set_id: str) -> None:
    for spec, game in small_games(set_id):
        assert shown_by_some_course(game.transcript, game.script), spec


def test_a_game_is_shown_by_no_course_of_a_script_that_cannot_show_it() -> None:
    for spec, game in small_games("first_steps"):
        for record in game.transcript.records:
            if isinstance(record, records.Death) and record.at[2] == "night":
                without = tuple(r for r in game.transcript.records if r is not record)
                told = msgspec.structs.replace(game.transcript, records=without)
                assert shown_by_some_course(told, game.script) is False, spec
                return
    pytest.fail("nobody died at night")


def test_the_search_gives_up_rather_than_guess() -> None:
    _, game = small_games("first_steps")[0]
    said = falsified(game.transcript, "another word", small_games("first_steps")[0][0].rng("x"))
    assert said is not None
    assert shown_by_some_course(said, game.script, most=0) is None


@pytest.mark.parametrize("set_id", RULEBOOKS)
@pytest.mark.slow
def test_nothing_is_found(set_id: str) -> None:
    result = truth.judge_games([spec for spec, _ in small_games(set_id)], falsify=True)
    assert result.findings == []
    assert result.games == len(small_games(set_id))
    assert sum(n for (_, what), n in result.numbers.items() if what == truth.EXHAUSTED) > 10


def test_a_replay_that_refuses_the_truth_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    no = Replay(False, (1, 1, "night"), "D-05", "Nobody died.", ())
    monkeypatch.setattr(truth, "_replay", lambda told, script: no)
    spec, _ = small_games("first_steps")[0]
    assert "a true game is refused" in truth.judge_games([spec], falsify=False).findings[0]


def test_a_replay_that_refuses_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, game = small_games("first_steps")[0]
    real = truth._replay

    def strict(told: object, script: object) -> Replay:
        verdict = real(told, script)  # type: ignore[arg-type]
        if told == game.transcript:
            return verdict
        return Replay(False, (1, 1, "night"), "D-05", "Nobody died.", ())

    monkeypatch.setattr(truth, "_replay", strict)
    monkeypatch.setattr(truth, "FALSIFIED", {"nothing changed": None})
    same = msgspec.structs.replace(game.transcript, title="a copy")
    monkeypatch.setattr(truth, "falsified", lambda told, how, rng: same)
    found = truth.judge_games([spec], falsify=True).findings
    assert len(found) == 1
    assert "but a course shows it" in found[0]


def test_a_course_that_shows_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = truth.run_course

    def forgets(*args: object, **more: object) -> object:
        shown = real(*args, **more)  # type: ignore[arg-type]
        return msgspec.structs.replace(shown, records=shown.records[:-2])

    monkeypatch.setattr(truth, "run_course", forgets)
    spec, _ = small_games("first_steps")[0]
    assert "shows something else" in truth.judge_games([spec], falsify=False).findings[0]


@pytest.mark.parametrize("how", FALSIFIED)
def test_every_change_changes_something(how: str) -> None:
    changed = 0
    for set_id in RULEBOOKS:
        for spec, game in small_games(set_id):
            told = falsified(game.transcript, how, spec.rng(how))
            changed += told is not None and told.records != game.transcript.records
    assert changed


def test_the_words_of_the_report_name_every_change() -> None:
    spec, _ = small_games("first_steps")[0]
    result = truth.judge_games([spec], falsify=True)
    lines = list(truth.report(result))
    assert lines[0] == "1 games, each with its own script"
    assert any(line.strip().startswith("another word") for line in lines)
    assert lines[-1] == "findings: 0"
