"""The comparison of the two sides: that they agree, and that it would notice if they did not."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.clues import Clue, derive
from assistant.formula import FALSE, RoleAtom
from assistant.lab import compare, pairs, sides
from assistant.lab.agree import agree, report
from assistant.lab.compare import Comparison, FreshWorlds, Options, compare_games
from assistant.lab.mutations import mutants
from assistant.lab.sides import Books
from assistant.lab.tally import Tally
from assistant.transcript import jsonform
from engine.replay import Replay
from engine.rules.model import Timing
from engine.sets import RULEBOOKS
from engine.table import Table
from engine.words import PERSON
from tests.lab.games import games

SMALL = Options(worlds=16)


def kinds(tally: Tally) -> set[str]:
    return {kind for kind, _ in tally.causes}


def text(tally: Tally) -> str:
    return "\n".join([*report(tally), *(finding.text for finding in tally.findings)])


# The sides agree ------------------------------------------------------------------------


def test_both_sides_agree_on_a_small_sample() -> None:
    tally = agree(games(3), Options(worlds=24), workers=0, quiet=True)
    assert not tally.number_found, text(tally)
    for part in ("left", "isolated", "near", "random"):
        assert sum(tally.of_part(part).values()), part
    assert tally.of_part("left")["rejected"] == 0
    assert tally.of_part("isolated")["accepted"] == 0
    assert sum(tally.games.values()) == 9


def test_the_truth_alone_survives_many_games() -> None:
    tally = agree(games(16, seed=2), Options(worlds=0), workers=0, quiet=True)
    assert not tally.number_found, text(tally)
    assert tally.checks["truths"] >= 2 * 48
    assert not tally.pairs


def test_less_knowledge_loses_nothing() -> None:
    tally = agree(games(3, seed=3), Options(worlds=8, blur=True), workers=0, quiet=True)
    assert not tally.number_found, text(tally)
    assert tally.checks["blurred"] == 18


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    found = [agree(games(1), Options(worlds=8), workers=n, quiet=True) for n in (1, 2)]
    assert found[0].as_json() == found[1].as_json()


# Planted errors -------------------------------------------------------------------------


def planted(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[Table, list[Clue]], list[Clue]]
) -> None:
    """Let the clues be what ``change`` makes of them."""
    monkeypatch.setattr(sides, "derive", lambda table: change(table, derive(table)))


def small_run(options: Options = SMALL) -> Tally:
    return compare_games(games(2), options)


def test_a_clue_that_deletes_the_truth_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = games(1)[0].script
    who, role = next((who, role) for who, role in truth.cast.items() if role != PERSON)

    def change(table: Table, clues: list[Clue]) -> list[Clue]:
        wrong = ~RoleAtom(who, role)
        return [*clues[:-1], type(clues[-1])(**{**fields(clues[-1]), "formula": wrong})]

    planted(monkeypatch, change)
    for options in (Options(worlds=0), SMALL):
        tally = small_run(options)
        assert "lost truth" in kinds(tally)
        assert any(cause.startswith("clues") for _, cause in tally.causes)


def fields(clue: Clue) -> dict[str, Any]:
    return {name: getattr(clue, name) for name in clue.__dataclass_fields__}


def test_a_clue_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_one(table: Table, clues: list[Clue]) -> list[Clue]:
        return [clue for clue in clues if not clue.kind.startswith("incident.")]

    planted(monkeypatch, without_one)
    tally = compare_games(games(2), Options(worlds=60))
    assert any(cause.startswith("replay refuse: incident") for _, cause in tally.causes), text(
        tally
    )


def test_a_replay_that_accepts_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Yes:
        def __init__(self, table: Table) -> None:
            pass

        def run(self, script: object) -> Replay:
            return Replay(True, None, None, None, ())

    monkeypatch.setattr(sides, "Replayer", Yes)
    tally = small_run()
    assert "disagreement" in kinds(tally)
    assert all(cause.startswith("clues refuse") for kind, cause in tally.causes)


def test_a_replay_that_refuses_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class No:
        def __init__(self, table: Table) -> None:
            self.at = table.steps[0].at

        def run(self, script: object) -> Replay:
            return Replay(False, self.at, "P-01", "No.", ())

    monkeypatch.setattr(sides, "Replayer", No)
    tally = small_run()
    assert {"disagreement", "lost truth"} <= kinds(tally)


@pytest.mark.parametrize("side", ["engine", "clues"])
def test_a_rule_switched_off_on_one_side_is_noticed(side: str) -> None:
    spec = games(1)[0]
    true = RULEBOOKS[spec.script.set]
    held = {
        role
        for role in spec.script.cast.values()
        for ability in true.roles[role].abilities
        if ability.timing is Timing.MASTERMIND
    }
    without = next(
        mutant
        for mutant in mutants(RULEBOOKS, true.id)
        if mutant.id in held and mutant.what.startswith("abilities without")
    ).apply(true)
    books = Books(without, true) if side == "engine" else Books(true, without)
    found = Tally()
    for game in games(4):
        if game.script == spec.script:
            comparison = Comparison(game, books, SMALL, FreshWorlds())
            comparison.look_at(game.play(true).transcript)
            found.add(comparison.tally)
    assert found.number_found


def test_a_side_that_breaks_down_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(table: Table, clues: list[Clue]) -> list[Clue]:
        raise IndexError("planted")

    planted(monkeypatch, breaks)
    tally = small_run()
    assert kinds(tally) == {"error"}
    assert "planted" in tally.findings[0].text


def test_a_count_that_grows_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgets(compare.Deduction):
        @classmethod
        def of(cls, transcript: Any, before: Any = None, rules: Any = None) -> Any:
            found = super().of(transcript, None, rules)
            if len(transcript.records) > 60:
                return cls(found.table, found.clues, found.fresh, found.chain, found.fresh)
            return found

    monkeypatch.setattr(compare, "Deduction", Forgets)
    assert "count" in kinds(compare_games(games(2), Options(worlds=4)))


def test_reused_work_that_is_stale_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stale(compare.Deduction):
        @classmethod
        def of(cls, transcript: Any, before: Any = None, rules: Any = None) -> Any:
            return before or super().of(transcript, None, rules)

    monkeypatch.setattr(compare, "Deduction", Stale)
    assert "deduction" in kinds(small_run())


def test_knowledge_that_is_lost_by_blurring_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clue builder that takes a partial step for a complete one loses worlds."""

    def change(table: Table, clues: list[Clue]) -> list[Clue]:
        if not any(step.partial for step in table.steps):
            return clues
        return [*clues, type(clues[0])(**{**fields(clues[0]), "formula": FALSE})]

    planted(monkeypatch, change)
    tally = compare_games(games(1), Options(worlds=8, blur=True))
    assert {"lost truth", "blur"} <= kinds(tally)
    assert all(" after " in cause for kind, cause in tally.causes if kind == "blur")


def test_a_legality_that_differs_is_noticed() -> None:
    set_id = games(1)[0].script.set
    true = RULEBOOKS[set_id]
    changed = next(
        mutant
        for mutant in mutants(RULEBOOKS, set_id)
        if mutant.kind == "role" and mutant.id == PERSON and mutant.what.startswith("never_culprit")
    )
    books = Books(changed.apply(true), true)
    tally = compare_games([game for game in games(2) if game.script.set == set_id], SMALL, books)
    assert "legality" in kinds(tally)


# Findings on disk -----------------------------------------------------------------------


def test_a_failing_pair_is_written_and_made_small(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def without_night(table: Table, clues: list[Clue]) -> list[Clue]:
        return [clue for clue in clues if not clue.kind.startswith("night.")]

    planted(monkeypatch, without_night)
    tally = compare_games(games(3), Options(worlds=40))
    found = [f for f in tally.findings if f.kind == "disagreement" and "night" in f.cause]
    assert found, text(tally)
    files = pairs.write(found[:1], tmp_path)
    assert files[0].read_text().startswith("disagreement: replay refuse: night")
    base = str(files[0]).removesuffix(".txt")
    whole = jsonform.load(Path(f"{base}.transcript.json"))
    small = jsonform.load(Path(f"{base}.small.json"))
    assert len(small.records) < len(whole.records)
    for name in ("truth", "world"):
        assert jsonform.load_script(Path(f"{base}.{name}.json")).set == whole.sheet.set


# The command ----------------------------------------------------------------------------


def run(args: Iterable[object], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["lab", "agree", *map(str, args)])
    return code, capsys.readouterr().out


def test_the_command_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.json").write_text(compare.script_json(games(1)[0].script))
    code, out = run(
        [tmp_path / "own.json", "--games", 2, "--worlds", 8, "--jobs", 0, "--policy", "hides"],
        capsys,
    )
    assert code == 0, out
    for line in ("by part", "by policy", "clues by kind", "disagreements: 0", "lost truths: 0"):
        assert line in out
    code, out = run(
        ["--random", 1, "--set", "first_steps", "--games", 1, "--worlds", 0, "--jobs", 0, "--json"],
        capsys,
    )
    assert code == 0
    assert json.loads(out)["findings"] == []


def test_the_command_returns_1_when_something_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(
        monkeypatch,
        lambda table, clues: [type(clue)(**{**fields(clue), "formula": FALSE}) for clue in clues],
    )
    code, out = run(
        [
            *("--random", 1, "--set", "first_steps", "--games", 1, "--worlds", 0, "--jobs", 0),
            *("--out", tmp_path / "found"),
        ],
        capsys,
    )
    assert code == 1
    assert "lost truth" in out
    assert list((tmp_path / "found").glob("*.txt"))


@pytest.mark.parametrize("args", [["--random", 1], [], ["--policy", "nobody", "--random", 1]])
def test_bad_arguments(args: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args, capsys)[0] == 2
