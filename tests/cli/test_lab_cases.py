"""Case files: each mismatch is printed with its ruling and the side that is wrong."""

import json
import shutil
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.judge import Judge, judge_case
from assistant.lab.cases import Tally, judge_file
from assistant.transcript import Malformed, NotModelled, load_any, load_case
from engine.table import compile_table
from tests.cli import games

RULINGS_FOLDER = Path(__file__).resolve().parents[1] / "rulings"
GOOD = RULINGS_FOLDER / "section_2" / "C-07-a-dead-cultist-no.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a good case, one that expects nonsense, and what is no case."""
    shutil.copy(GOOD, tmp_path / "good.json")
    raw = json.loads(GOOD.read_text(encoding="utf-8"))
    raw["case"] = "wrong"
    raw["scripts"][0]["possible"] = True
    games.write(tmp_path, "wrong.json", json.dumps(raw))
    raw["transcript"]["sheet"]["set"] = "unheard_of"
    games.write(tmp_path, "other.json", json.dumps(raw))
    games.write(tmp_path, "notes.json", '{"C-07": "no case"}')
    return tmp_path


def test_a_mismatch_is_printed_with_its_ruling_and_both_sides(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "cases", str(folder)]) == 1
    said = capsys.readouterr().out
    assert "MISMATCH wrong [C-07" in said
    assert "script 1: replay and clues wrong" in said
    assert "Left out, of other sets: 1 case (unheard_of 1)" in said
    assert main(["lab", "cases", str(folder / "good.json")]) == 0


def test_totals_by_ruling(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "cases", str(folder), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["cases"] == 2
    assert answer["by_ruling"]["C-07"] == {"cases": 2, "scripts": 2, "mismatches": 1}
    assert answer["other_sets"] == {"unheard_of": 1}
    assert answer["passed_over"] == 1
    (mismatch,) = answer["mismatches"]
    assert mismatch["wrong"] == ["replay", "clues"]
    assert mismatch["sides"]["replay"]["reasons"][0]["at"]


def test_one_side_or_one_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "cases", str(folder), "--side", "clues"]) == 1
    assert "script 1: clues wrong" in capsys.readouterr().out
    assert main(["lab", "cases", str(folder), "--set", "first_steps"]) == 1
    assert main(["lab", "cases", str(folder), "--set", "unheard_of"]) == 2


def test_a_file_that_cannot_be_read_is_bad_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games.write(folder, "half.json", '{"case": "half", "transcript": ')
    assert main(["lab", "cases", str(folder)]) == 2
    assert "half.json, line 1" in capsys.readouterr().out
    assert main(["lab", "cases", str(folder / "absent")]) == 2


def test_cases_with_something_unknown_are_counted(tmp_path: Path) -> None:
    raw = json.loads(GOOD.read_text(encoding="utf-8"))
    raw["transcript"]["sheet"]["cast"].append("somebody_new")
    path = Path(games.write(tmp_path, "new.json", json.dumps(raw)))
    tally = Tally()
    judge_file(path, tally)
    assert not tally.judged
    assert "somebody_new" in str(tally.not_modelled[0])


# The judge ------------------------------------------------------------------------------


def test_records_that_no_mastermind_could_produce_are_not_possible() -> None:
    case = load_case(RULINGS_FOLDER / "section_2" / "C-10-spent-is-spent-no.json")
    (verdict, *_) = judge_case(case).scripts
    for side in verdict.sides.values():
        assert not side.possible
        assert side.reasons[0].rulings == ("C-10",)
        assert side.reasons[0].at == (1, 2, "cards")


def test_a_malformed_game_cannot_be_judged() -> None:
    transcript = load_any(games.GAME.replace("dead boy_student", "dead nobody"), checked=False)
    with pytest.raises(Malformed):
        Judge(transcript)


def test_a_script_that_is_not_modelled_cannot_be_judged() -> None:
    case = load_case(GOOD)
    raw = json.loads(GOOD.read_text(encoding="utf-8"))
    raw["scripts"][0]["script"]["set"] = "unheard_of"
    other = load_case(json.dumps(raw) + "\n")
    with pytest.raises(NotModelled, match="the tragedy set unheard_of"):
        Judge(case.transcript).by_clues(other.scripts[0].script)


def test_refusals_come_from_the_game_before_the_script() -> None:
    transcript = load_any(games.AGAINST_THE_RULES, checked=False)
    judge = Judge(transcript)
    assert [reason.rulings for reason in judge.refused] == [("G-02",)]
    assert compile_table(transcript).problems
