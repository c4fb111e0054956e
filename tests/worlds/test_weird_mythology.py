"""Weird Mythology: the combinations of plots that single observations leave (WM-29)."""

from typing import Any

import msgspec
import pytest

from assistant.deduction import Deduction
from assistant.formula import CulpritAtom, ExtraPlotAtom, PlotAtom
from assistant.worlds import Worlds
from engine.records import Transcript
from engine.rulings import DEFAULT_RULINGS, EXTRA_PLOT_ROLES
from engine.script import ScheduledIncident, Sheet
from engine.sets.weird_mythology import WEIRD_MYTHOLOGY
from tests.worlds.observed import CAST, At, Fields, combinations_left, deduced, token


def sheet(cast: tuple[str, ...] = CAST) -> Sheet:
    """Return an open sheet with one incident, so that a role that needs one is possible."""
    return Sheet(
        set=WEIRD_MYTHOLOGY.id,
        loops=4,
        days=3,
        cast=cast,
        cast_complete=True,
        incidents=(ScheduledIncident(day=2, incident="insane_murder"),),
    )


def told(at: At, board: Fields, *records: Fields) -> tuple[Transcript, Deduction]:
    """Return what follows from a few records on a board."""
    return deduced(sheet(), at, board, *records, rulings={EXTRA_PLOT_ROLES: False})


def combinations(at: At, board: Fields, *records: Fields) -> int:
    """Return how many combinations of plots the records leave."""
    return combinations_left(told(at, board, *records)[1])


def living(**cards: dict[str, Any]) -> dict[str, Any]:
    return {"gauge": 0, "characters": cards}


DONE = {"kind": "complete"}
MASTERMIND = (1, 1, "mastermind")
CARDS = (1, 1, "cards")
NIGHT = (1, 1, "night")
GOODWILL_3 = {"goodwill": 3}


def forbidden(token_card: str, forbid: str, by: str, on: str, shown: str) -> list[dict[str, Any]]:
    """Return a card in spite of a Forbid, and the other cards of the day."""
    other = "mastermind" if by != "mastermind" else "a"
    return [
        {"kind": "card", "by": by, "card": token_card, "on": on},
        {"kind": "card", "by": other, "card": forbid, "on": on},
        {"kind": "card_result", "on": on, shown: 1},
    ]


def test_refusal() -> None:
    board = living(office_worker=GOODWILL_3)
    use = {"kind": "use", "who": "office_worker", "ability": 3, "outcome": "refused"}
    assert combinations((1, 1, "goodwill"), board, use, {"kind": "gauge", "value": 1}) == 99


@pytest.mark.parametrize(("gauge", "left"), [(0, 75), (2, 87)])
def test_intrigue_on_a_location(gauge: int, left: int) -> None:
    assert combinations(MASTERMIND, {"gauge": gauge}, token("city", "intrigue")) == left


@pytest.mark.parametrize(("gauge", "left"), [(0, 75), (2, 87)])
def test_intrigue_on_a_character(gauge: int, left: int) -> None:
    assert combinations(MASTERMIND, {"gauge": gauge}, token("nurse", "intrigue")) == left


@pytest.mark.parametrize(("gauge", "left"), [(1, 105), (2, 100)])
def test_unease_on_a_character(gauge: int, left: int) -> None:
    assert combinations(MASTERMIND, {"gauge": gauge}, token("nurse", "unease")) == left


def test_forbid_intrigue_ignored() -> None:
    cards = forbidden("intrigue_plus_1", "forbid_intrigue", "mastermind", "nurse", "intrigue")
    assert combinations(CARDS, {"gauge": 0}, *cards) == 42


def test_forbid_goodwill_ignored() -> None:
    cards = forbidden("goodwill_plus_1", "forbid_goodwill", "a", "nurse", "goodwill")
    assert combinations(CARDS, {"gauge": 0}, *cards) == 30


def test_lost_by_a_death() -> None:
    # By the incident: nothing else that kills there tells anything of plots.
    at = (1, 2, "incident")
    board = living(nurse={}, police_officer={"unease": 4, "at": "hospital"})
    happened = {"kind": "incident", "occurs": True}
    died = {"kind": "death", "who": "nurse"}
    over = {"kind": "loop_over", "word": "lost"}
    assert combinations(at, board, happened, died, over, DONE) == 60


def test_told_at_its_death() -> None:
    at = (1, 2, "incident")
    board = living(nurse={}, police_officer={"unease": 4, "at": "hospital"})
    happened = {"kind": "incident", "occurs": True}
    died = {"kind": "death", "who": "nurse"}
    role = {"kind": "reveal", "role_of": "nurse", "role": "deep_one"}
    gauge = {"kind": "gauge", "value": 1}
    assert combinations(at, board, happened, died, role, gauge, DONE) == 60


def test_told_by_its_own_ability() -> None:
    board = living(shrine_maiden={"goodwill": 3, "at": "shrine"})
    use = {"kind": "use", "who": "shrine_maiden", "ability": 3, "outcome": "resolved"}
    role = {"kind": "reveal", "role_of": "shrine_maiden", "role": "wizard"}
    assert combinations((1, 1, "goodwill"), board, use, role, DONE) == 55


def test_own_death_at_night() -> None:
    nurse = {"unease": 4, "at": "hospital"}
    died = {"kind": "death", "who": "nurse"}
    gauge = {"kind": "gauge", "value": 1}
    far = {who: {"at": "school"} for who in CAST if who != "nurse"}
    board = living(nurse=nurse, **far)
    assert combinations(NIGHT, board, died, gauge, DONE) == 30


def test_killed_by_a_companion_at_night() -> None:
    here = {"at": "hospital"}
    far = {who: {"at": "school"} for who in CAST if who not in ("nurse", "pop_idol")}
    board = living(nurse=here, pop_idol=here, **far)
    died = {"kind": "death", "who": "nurse"}
    go_on = {"at": (1, 2, "day_start"), "kind": "complete"}
    assert combinations(NIGHT, board, died, DONE, go_on) == 55


def test_dead_at_night_before_madness() -> None:
    board = living(nurse={"intrigue": 2, "unease": 2})
    over = {"kind": "loop_over", "word": "dead"}
    assert combinations(NIGHT, board, over, DONE) == 42


def test_survivor_of_a_certain_death() -> None:
    # The Leader chose the only card that can be the culprit, and it lived (WM-15).
    at = (1, 2, "incident")
    chosen = {"kind": "leader_chooses", "who": "police_officer"}
    happened = {"kind": "incident", "occurs": True}
    open_sheet = replace_incident("the_executioner")
    board = living(police_officer={"unease": 4})
    rulings: dict[str, bool | None] = {EXTRA_PLOT_ROLES: False}
    _, left = deduced(open_sheet, at, board, happened, chosen, DONE, rulings=rulings)
    assert combinations_left(left) == 85


def replace_incident(name: str) -> Sheet:
    return msgspec.structs.replace(sheet(), incidents=(ScheduledIncident(day=2, incident=name),))


# What a world is under the extra main plot ------------------------------------------------


def test_the_extra_main_plot_is_part_of_the_world() -> None:
    worlds = Worlds(sheet(), WEIRD_MYTHOLOGY, DEFAULT_RULINGS)
    twisted = worlds.conjoin(PlotAtom("twisted_truth"))
    extras = worlds.extra_plots()
    assert sum(extras[plot] for plot in extras if plot is not None) == twisted.count()
    king = twisted.conjoin(PlotAtom("the_king_in_yellow"))
    assert not king.allows(ExtraPlotAtom("the_king_in_yellow"))
    assert king.allows(ExtraPlotAtom("bloody_rites"))
    assert not worlds.conjoin(~PlotAtom("twisted_truth")).allows(ExtraPlotAtom("bloody_rites"))


def test_without_the_informant_there_is_no_twisted_truth() -> None:
    cast = tuple(who for who in CAST if who != "informant")
    worlds = Worlds(sheet(cast), WEIRD_MYTHOLOGY, DEFAULT_RULINGS)
    assert not worlds.allows(PlotAtom("twisted_truth"))
    assert len([n for n in worlds.combinations().values() if n]) == 75


def test_somebody_has_to_be_the_culprit() -> None:
    worlds = Worlds(sheet(), WEIRD_MYTHOLOGY, DEFAULT_RULINGS)
    choir = worlds.conjoin(PlotAtom("choir_to_the_outside_god"), CulpritAtom(0, "nurse"))
    assert {who for (who, role), n in choir.roles().items() if n and role == "sacrifice"} == {
        "nurse"
    }
