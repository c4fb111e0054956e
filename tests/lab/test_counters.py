"""Counting in several ways: the ways agree, and an error planted in one of them is noticed."""

import pytest

from assistant.deduction import Deduction
from assistant.formula import CulpritAtom, PlotAtom, RoleAtom
from assistant.lab import counters
from assistant.worlds import Worlds

SMALL = counters.small_games("first_steps", 4, 2, 0)[0]
LARGE = counters.small_games("basic_tragedy", 10, 1, 0)[0]


def test_all_ways_agree_on_small_and_large_games() -> None:
    result = counters.check_game(SMALL, most=0)
    assert result.findings == []
    assert result.numbers["games"] == 1
    assert result.numbers["worlds listed by diagram, constraint model and propagation"]
    large = counters.check_game(LARGE, most=0)
    assert large.findings == []
    assert large.numbers["cells counted both ways"]


@pytest.mark.slow
def test_replay_accepts_the_worlds_that_are_left() -> None:
    result = counters.check_game(SMALL, most=4_000)
    assert result.findings == []
    assert result.numbers["games of which every legal script was replayed"] == 1


def test_an_error_in_one_way_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_one(*args: object) -> set[object]:
        return set(list(true(*args))[1:])  # type: ignore[arg-type]

    true = counters.enumerate_worlds
    monkeypatch.setattr(counters, "enumerate_worlds", without_one)
    assert "propagation differs in 1 world" in counters.check_game(SMALL, most=0).findings[0]


def test_which_clues_the_other_counter_takes() -> None:
    deduction = Deduction.of(LARGE.play().transcript)
    composition = deduction.fresh.composition
    one, other = composition.sheet.cast[:2]
    role = next(iter(composition.rulebook.roles))
    known = RoleAtom(one, role)
    did, somebody = CulpritAtom(0, one), CulpritAtom(0, other)
    for formula in (known, ~did, ~known | ~did):
        assert counters._about(formula, composition) is not None
    for formula in (did, known & ~somebody, ~did | ~somebody, PlotAtom("nothing") | known):
        assert counters._about(formula, composition) is None


def test_an_error_in_the_other_counter_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Worlds.count
    monkeypatch.setattr(Worlds, "count", lambda worlds: true(worlds) + 1)
    assert any("frontier" in line for line in counters.check_game(LARGE, most=0).findings)
