"""The check of reasons finds nothing in true ones, and notices each way to be wrong."""

from dataclasses import replace

from assistant.deduction import Deduction
from assistant.explain import Explainer
from assistant.formula import TRUE
from assistant.lab.reasons import check_games, impossible_cells, wrong_with
from tests.lab.games import games

SPEC = games(1)[0]


def test_true_reasons_pass() -> None:
    result = check_games([SPEC], cells=4)
    assert result.findings == []
    assert result.cells == sum(result.units.values()) == 4


def test_wrong_reasons_are_noticed() -> None:
    deduction = Deduction.of(SPEC.play().transcript)
    explainer = Explainer(deduction.fresh, deduction.clues)
    cell = impossible_cells(deduction.fresh, deduction.worlds, SPEC.rng("wrong"), 1)[0]
    reason = explainer.impossible(cell)
    assert reason is not None

    def wrong(**changed: object) -> str:
        found = wrong_with(
            replace(reason, **changed),  # type: ignore[arg-type]
            deduction.clues,
            deduction.fresh,
            cell,
        )
        return found or ""

    assert wrong() == ""
    assert "leave a world" in wrong(clues=())
    assert "other units" in wrong(units=reason.units[1:])
    spare = next(c for c in deduction.clues if c.units[0] not in reason.units)
    more = wrong(clues=(*reason.clues, spare), units=(*reason.units, *spare.units))
    assert "can be left out" in more
    assert impossible_cells(deduction.fresh, deduction.fresh.conjoin(TRUE), SPEC.rng("x"), 9) == []
