"""Each command on a short game: what it answers, as text and as JSON, and its exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.cli.solve import short_names
from assistant.deduction import solve
from assistant.transcript import load_any
from tests.cli import games


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with the games and scripts of ``tests.cli.games``."""
    games.write(tmp_path, "game.txt", games.GAME)
    games.write(tmp_path, "contradiction.txt", games.CONTRADICTION)
    games.write(tmp_path, "against.txt", games.AGAINST_THE_RULES)
    for name, script in (("truth", games.TRUTH), ("lie", games.LIE), ("illegal", games.ILLEGAL)):
        games.write(tmp_path, f"{name}.json", json.dumps(script))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Printed:
    """What a command printed, and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(arguments)
        self.out, self.err = capsys.readouterr()

    def json(self) -> Any:
        return json.loads(self.out)


# check ----------------------------------------------------------------------------------


def test_check_accepts_a_game_and_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    game = Printed(capsys, "check", "game.txt", "--json")
    assert game.code == 0
    assert game.json() == {"file": "game.txt", "kind": "transcript", "ok": True, "problems": []}
    script = Printed(capsys, "check", "truth.json", "--json")
    assert script.code == 0
    assert script.json()["kind"] == "script"
    assert script.json()["ok"]


def test_check_names_record_rule_and_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    checked = Printed(capsys, "check", "against.txt", "--json")
    assert checked.code == 1
    (problem,) = checked.json()["problems"]
    assert (problem["rule"], problem["record"], problem["at"]) == ("G-02", 22, [1, 2, "goodwill"])
    assert (problem["line"], problem["column"]) == (37, 1)
    assert problem["remedy"]


def test_check_lists_every_reason_against_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    checked = Printed(capsys, "check", "illegal.json", "--json")
    assert checked.code == 1
    assert {problem["rule"] for problem in checked.json()["problems"]} == {"subplots", "role"}
    assert "did you mean brain?" in Printed(capsys, "check", "illegal.json").out


def test_check_refuses_what_is_not_modelled_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = {"kind": "everything_is_different", "text": "Everything is different."}
    games.write(folder, "odd.json", json.dumps(games.TRUTH | {"special_rules": [rule]}))
    checked = Printed(capsys, "check", "odd.json")
    assert checked.code == 2
    assert "everything_is_different (Everything is different.) is not modelled" in checked.out


# solve ----------------------------------------------------------------------------------


def test_solve_gives_the_answer_of_the_deduction(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = Printed(capsys, "solve", "game.txt", "--json")
    assert printed.code == 0
    assert printed.json() == solve(load_any(folder / "game.txt")).answer()


def test_solve_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "solve", "game.txt")
    assert printed.code == 0
    assert max(map(len, printed.out.splitlines())) <= 80
    assert "certainly Office Worker" in printed.out
    assert "● Shadow of the Ripper" in printed.out


def test_solve_goes_back_to_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for number in (0, 12, games.RECORDS):
        answer = Printed(capsys, "solve", "game.txt", "--at", str(number), "--json").json()
        assert answer["records"] == number
        counts.append(answer["worlds"])
    assert counts == sorted(counts, reverse=True)
    # What breaks a rule later does not matter yet.
    assert Printed(capsys, "solve", "against.txt", "--at", "12").code == 0
    assert Printed(capsys, "solve", "against.txt").code == 2


def test_solve_names_a_record_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "solve", "game.txt", "--at", "27", "--json")
    assert printed.code == 2
    assert printed.json()["error"]["expected"] == "a number from 0 (before the first) to 26"


def test_solve_says_when_no_world_explains_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "solve", "contradiction.txt")
    assert printed.code == 1
    assert printed.out.startswith("No world explains this.")
    assert "D-11" in printed.out
    answer = Printed(capsys, "solve", "contradiction.txt", "--json").json()
    assert not answer["consistent"]
    assert "1.2.night:observed" in answer["conflict"]["evidence"]


def test_short_names_are_all_different() -> None:
    names = ["Key Person", "Brain", "Breaker", "Brainiac", "Kind Person", "Bo"]
    short = short_names({name: name for name in names})
    assert short["Key Person"] == "KP"
    assert len(set(short.values())) == len(names)


# why ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "state", "evidence"),
    [
        (["shrine_maiden", "serial_killer"], "certain", "1.1.night:observed"),
        (["boy_student", "Key Person"], "impossible", "1.1.night:continued"),
        (["plot", "An Unsettling Rumor"], "impossible", "1.1.night:observed"),
        (["culprit", "2", "Office Worker"], "certain", "1.2.incident:observed"),
        (["culprit", "2", "doctor"], "impossible", "1.2.incident:observed"),
    ],
)
def test_why_gives_a_reason_with_evidence_and_rulings(
    question: list[str], state: str, evidence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = Printed(capsys, "why", "game.txt", *question, "--json")
    assert printed.code == 0
    assert printed.json()["state"] == state
    reason = printed.json()["reason"]
    assert evidence in reason["evidence"]
    assert reason["rulings"]
    said = Printed(capsys, "why", "game.txt", *question).out
    assert reason["rulings"][0] in said
    assert max(map(len, said.splitlines())) <= 80


def test_why_has_no_reason_for_what_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "why", "game.txt", "doctor", "brain", "--json")
    assert printed.code == 1
    assert (printed.json()["state"], printed.json()["reason"]) == ("possible", None)
    assert "of 55 worlds" in Printed(capsys, "why", "game.txt", "doctor", "brain").out


def test_why_says_that_the_game_contradicts_itself(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "why", "contradiction.txt", "doctor", "brain", "--json")
    assert printed.code == 1
    assert printed.json()["state"] == "contradiction"
    assert "1.2.night:observed" in printed.json()["reason"]["evidence"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (["doctor", "brian"], "Did you mean brain?"),
        (["docter", "brain"], "Did you mean doctor?"),
        (["plot", "a_place"], "there is no plot 'a_place'"),
        (["culprit", "1", "doctor"], "there is no incident on day 1; expected 2 or 3"),
        (["doctor"], "'doctor' is no question"),
    ],
)
def test_why_names_what_it_does_not_understand(
    question: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = Printed(capsys, "why", "game.txt", *question)
    assert printed.code == 2
    assert said in printed.err


# clues and replay -----------------------------------------------------------------------


def test_clues_are_listed_with_rulings_and_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "clues", "game.txt", "--json")
    assert printed.code == 0
    clue = next(item for item in printed.json()["clues"] if item["at"] == [1, 2, "goodwill"])
    assert "G-06" in clue["rulings"]
    assert clue["evidence"] == ["1.2.goodwill:observed"]
    assert "something killed Boy Student. [D-11" in Printed(capsys, "clues", "game.txt").out


def test_both_sides_accept_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    clues = Printed(capsys, "clues", "game.txt", "--script", "truth.json", "--json")
    assert (clues.code, clues.json()) == (0, {"holds": True, "broken": []})
    replay = Printed(capsys, "replay", "game.txt", "--script", "truth.json", "--json")
    assert replay.code == 0
    assert replay.json()["possible"]
    assert replay.json()["course"]


def test_both_sides_refuse_a_lie(capsys: pytest.CaptureFixture[str]) -> None:
    clues = Printed(capsys, "clues", "game.txt", "--script", "lie.json", "--json")
    assert clues.code == 1
    assert clues.json()["broken"][0]["at"] == [1, 1, "night"]
    replay = Printed(capsys, "replay", "game.txt", "--script", "lie.json", "--json")
    assert replay.code == 1
    assert replay.json()["at"] == [1, 1, "night"]
    assert replay.json()["ruling"].startswith("D-")
    assert replay.json()["course"] is None


@pytest.mark.parametrize(("game", "script"), [("against.txt", "truth"), ("game.txt", "illegal")])
def test_both_sides_refuse_what_breaks_the_rules(
    game: str, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("clues", "replay"):
        assert Printed(capsys, command, game, "--script", f"{script}.json").code == 1


def test_a_script_of_another_sheet_is_not_possible(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games.write(folder, "other.json", json.dumps(games.TRUTH | {"days": 5}))
    printed = Printed(capsys, "clues", "game.txt", "--script", "other.json")
    assert printed.code == 1
    assert "The script has 5 days, the sheet 4. [P-09]" in printed.out


# convert and simulate -------------------------------------------------------------------


def test_convert_there_and_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Printed(capsys, "convert", "game.txt", "-o", "game.json").code == 0
    assert Printed(capsys, "convert", "game.json", "-o", "again.txt").code == 0
    assert load_any(folder / "again.txt") == load_any(folder / "game.txt")
    assert Printed(capsys, "convert", "game.txt").json()["format"] == "looper-transcript"
    assert Printed(capsys, "convert", "game.json").out == (folder / "again.txt").read_text()


def test_simulate_is_the_same_for_the_same_seed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.json", "two.json"):
        arguments = ("simulate", "truth.json", "--seed", "7", "--players", "2", "-o", name)
        assert Printed(capsys, *arguments).code == 0
    assert (folder / "one.json").read_text() == (folder / "two.json").read_text()
    assert Printed(capsys, "clues", "one.json", "--script", "truth.json").code == 0
    assert Printed(capsys, "replay", "one.json", "--script", "truth.json").code == 0
    assert Printed(capsys, "simulate", "truth.json", "--seed", "7").out.startswith("set")


def test_simulate_refuses_an_illegal_script(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(capsys, "simulate", "illegal.json", "--seed", "1")
    assert printed.code == 2
    assert "the script is not legal" in printed.err
