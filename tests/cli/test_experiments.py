"""Suppositions, open rulings, open steps, late characters, and how to mend a contradiction."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from assistant.cli import main
from assistant.deduction import Deduction
from assistant.experiments import corrections, followed_by, fuller, readings, supposing
from assistant.explain import Explainer
from assistant.formula import CastAtom, EntryAtom, RoleAtom, RulingAtom
from assistant.transcript.notation import parse
from engine.rulings import RULINGS
from tests.cli.games import GAME

WHOLE = parse(GAME, name="game")


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) in (0, 1)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


def test_suppositions_are_conjoined_and_dropped_again() -> None:
    deduction = Deduction.of(WHOLE)
    cell = RoleAtom("doctor", "brain")
    supposed = supposing(deduction, cell)
    assert supposed.worlds.count() == deduction.worlds.roles()["doctor", "brain"]
    assert supposed.answer()["roles"]["doctor"]["brain"]["state"] == "certain"
    assert deduction.answer()["roles"]["doctor"]["brain"]["state"] == "possible"
    assert not supposing(supposed, ~cell).consistent


def test_the_command_takes_suppositions(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = answered(capsys, "solve", game)
    brain = answered(capsys, "solve", game, "--suppose", "doctor brain")
    other = answered(capsys, "solve", game, "--suppose", "not doctor brain")
    assert brain["worlds"] == plain["roles"]["doctor"]["brain"]["worlds"]
    assert brain["worlds"] + other["worlds"] == plain["worlds"]
    assert main(["solve", game, "--suppose", "boy_student key_person"]) == 1
    assert "cannot be" in capsys.readouterr().out
    assert main(["solve", game, "--suppose", "nobody brain"]) == 2


def test_what_might_come_next(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    then = followed_by(WHOLE, ["== 1.2 night", "."])
    assert then.records[: len(WHOLE.records)] == WHOLE.records
    assert len(then.records) == len(WHOLE.records) + 1
    quiet = answered(capsys, "solve", game, "--then", "== 1.2 night", "--then", ".")
    assert quiet["worlds"] == Deduction.of(then).worlds.count() < Deduction.of(WHOLE).worlds.count()
    assert main(["solve", game, "--then", "== 1.1 night", "--then", "."]) == 2


def test_an_open_step_is_worth_what_silence_would_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.txt"
    path.write_text(
        GAME.replace(
            "1.1 mastermind\n+unease girl_student\n.\n", "1.1 mastermind\n+unease girl_student\n"
        ),
        encoding="utf-8",
    )
    deduction = Deduction.of(parse(path, name="open"))
    (one,) = fuller(deduction)
    assert one.at == (1, 1, "mastermind")
    assert one.worlds == Deduction.of(WHOLE).worlds.count() < deduction.worlds.count()
    found = answered(capsys, "solve", str(path), "--open")
    assert found["open_steps"] == [{"at": [1, 1, "mastermind"], "worlds": one.worlds}]
    assert fuller(Deduction.of(WHOLE)) == ()


def test_what_hangs_on_an_open_ruling() -> None:
    deduction = Deduction.of(WHOLE)
    ruling = list(RULINGS)[-1]  # no clue of this game speaks of it
    before = Deduction.of(structs.replace(WHOLE, rulings={ruling: None}))
    assert readings(before) == ()
    clue = before.clues[0]
    cell = RoleAtom("doctor", "brain")

    formula = clue.formula & (~RulingAtom(ruling) | cell)
    told = replace(
        before,
        clues=(replace(clue, formula=formula), *before.clues[1:]),
        worlds=before.worlds.conjoin(formula),
    )
    yes, no = readings(told)
    assert (yes.ruling, yes.yes, no.yes) == (ruling, True, False)
    assert yes.worlds == deduction.worlds.roles()["doctor", "brain"]
    assert (cell, "certain") in yes.settled
    assert no.worlds == told.worlds.count()
    assert no.settled == ()
    assert readings(deduction) == ()


def test_a_record_that_is_doubted_mends_a_contradiction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = GAME + "\n== 1.2 night\ndead girl_student\n.\n"
    deduction = Deduction.of(parse(wrong, name="wrong"))
    assert not deduction.consistent
    found = Explainer(deduction.fresh, deduction.clues).conflict()
    assert found is not None
    numbers = corrections(deduction, found.reason.units)
    records = deduction.table.transcript.records
    assert numbers
    for number in numbers:
        mended = structs.replace(records[number], doubt=True)
        changed = (*records[:number], mended, *records[number + 1 :])
        told = structs.replace(deduction.table.transcript, records=changed)
        assert Deduction.of(told).consistent
    path = tmp_path / "wrong.txt"
    path.write_text(wrong, encoding="utf-8")
    answer = answered(capsys, "solve", str(path))
    assert answer["conflict"]["corrections"] == [number + 1 for number in numbers]
    assert main(["solve", str(path)]) == 1
    assert f"record {numbers[0] + 1} (" in capsys.readouterr().out


def test_late_characters_have_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = structs.replace(WHOLE.sheet, set="basic_tragedy", cast_complete=False)
    deduction = Deduction.of(structs.replace(WHOLE, sheet=sheet, records=()))
    entries = deduction.answer()["entries"]
    assert entries
    for who, late in entries.items():
        last = sheet.loops if late["counts"] == "loop" else sheet.days
        assert list(late["cells"]) == [*map(str, range(1, last + 1)), "never"]
        cells = late["cells"]
        assert sum(cell["worlds"] for cell in cells.values()) == deduction.worlds.count()
        never = deduction.worlds.conjoin(~CastAtom(who)).count()
        assert cells["never"]["worlds"] == never
        assert cells["1"]["worlds"] == deduction.worlds.conjoin(EntryAtom(who, 1)).count()
    assert Deduction.of(WHOLE).answer()["entries"] == {}
