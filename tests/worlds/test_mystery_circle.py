"""Mystery Circle: the combinations of plots that single observations leave (MC-29)."""

from typing import Any

import msgspec
import pytest

from assistant.formula import CulpritAtom, PlotAtom, RoleAtom
from assistant.worlds import Worlds
from engine.rulings import DEFAULT_RULINGS
from engine.script import ScheduledIncident, Sheet
from engine.sets.mystery_circle import MYSTERY_CIRCLE
from tests.worlds.observed import CAST, At, Fields, combinations_left, deduced, token

INCIDENTS = ("serial_murder", "portent", "faked_suicide", "terrorism")


def sheet() -> Sheet:
    """Return an open sheet with an incident for everybody who has to be a culprit."""
    return Sheet(
        set=MYSTERY_CIRCLE.id,
        loops=4,
        days=4,
        cast=CAST,
        cast_complete=True,
        incidents=tuple(
            ScheduledIncident(day=day, incident=incident)
            for day, incident in enumerate(INCIDENTS, start=1)
        ),
    )


def combinations(at: At, board: Fields, *records: Fields) -> int:
    """Return how many combinations of plots a few records on a board leave."""
    return combinations_left(deduced(sheet(), at, board, *records)[1])


def apart(*here: str, gauge: int = 0, **tokens: int) -> dict[str, Any]:
    """Return a board with some characters in the Hospital and all others at the School."""
    cards = {who: {"at": "hospital" if who in here else "school"} for who in CAST}
    for who in here:
        cards[who] |= tokens  # type: ignore[arg-type]
    return {"gauge": gauge, "characters": cards}


DONE = {"kind": "complete"}
DIED = {"kind": "death", "who": "nurse"}
MASTERMIND = (1, 1, "mastermind")
NIGHT = (1, 1, "night")


def test_without_records_all_combinations_are_there() -> None:
    assert combinations(MASTERMIND, {"gauge": 0}) == 105


def test_refusal() -> None:
    board = {"gauge": 0, "characters": {"office_worker": {"goodwill": 3}}}
    use = {"kind": "use", "who": "office_worker", "ability": 3, "outcome": "refused"}
    assert combinations((1, 1, "goodwill"), board, use) == 99


@pytest.mark.parametrize(
    ("on", "kind", "n", "gauge", "left"),
    [
        ("city", "intrigue", 1, 0, 63),
        ("nurse", "intrigue", 1, 0, 85),
        ("nurse", "unease", 1, 0, 81),
        ("nurse", "unease", -1, 1, 30),
    ],
)
def test_tokens_of_the_mastermind(on: str, kind: str, n: int, gauge: int, left: int) -> None:
    here = {"nurse": {"at": "hospital", "unease": 1}, "pop_idol": {"at": "hospital"}}
    board = {"gauge": gauge, "characters": here}
    assert combinations(MASTERMIND, board, token(on, kind, n)) == left


def test_the_gauge_at_a_loop_start() -> None:
    board = {"gauge_last_loop": 2}
    raised = {"kind": "gauge", "value": 1}
    assert combinations((2, 1, "loop_start"), board, raised, DONE) == 30
    assert combinations((2, 1, "loop_start"), board, DONE) == 75


def test_lost_by_a_death() -> None:
    board = apart("nurse", "police_officer", unease=4)
    happened = {"kind": "incident", "occurs": True}
    over = {"kind": "loop_over", "word": "lost"}
    assert combinations((1, 1, "incident"), board, happened, DIED, over, DONE) == 42


@pytest.mark.parametrize(("intrigue", "gauge", "left"), [(4, 0, 42), (0, 4, 21), (4, 4, 63)])
def test_dead_at_day_end(intrigue: int, gauge: int, left: int) -> None:
    board = apart("nurse", gauge=gauge, intrigue=intrigue)
    over = {"kind": "loop_over", "word": "dead"}
    assert combinations(NIGHT, board, over, DONE) == left


@pytest.mark.parametrize(("gauge", "left"), [(0, 55), (2, 65)])
def test_a_death_at_day_end_and_play_went_on(gauge: int, left: int) -> None:
    board = apart("nurse", "pop_idol", gauge=gauge)
    go_on = {"at": (1, 2, "day_start"), "kind": "complete"}
    assert combinations(NIGHT, board, DIED, DONE, go_on) == left


def test_a_role_told_at_the_loop_end() -> None:
    board = {"gauge": 0, "characters": {"nurse": {"alive": False}}}
    told = {"kind": "reveal", "role_of": "nurse", "role": "friend"}
    over = {"kind": "loop_over", "word": "lost"}
    assert combinations((1, 4, "loop_end"), board, told, over, DONE) == 75


def test_unease_that_goes_after_an_incident() -> None:
    at = (1, 3, "incident")
    board = {"gauge": 0, "characters": {"nurse": {"unease": 4}}}
    happened = {"kind": "incident", "occurs": True}
    card = {"kind": "extra_card", "on": "nurse"}
    assert combinations(at, board, happened, card, token("nurse", "unease", -4), DONE) == 60


def test_a_survivor_of_a_certain_death() -> None:
    at = (1, 4, "incident")
    here = {who: {"at": "city"} for who in ("nurse", "pop_idol")}
    far = {who: {"at": "school"} for who in CAST if who not in here}
    board = {
        "gauge": 0,
        "characters": {**far, **here, "office_worker": {"at": "school", "unease": 4}},
        "locations": {"city": {"intrigue": 1}},
    }
    happened = {"kind": "incident", "occurs": True}
    go_on = {"at": (1, 4, "night"), "kind": "complete"}
    assert combinations(at, board, happened, DIED, DONE, go_on) == 30


# Culprits tied to roles -------------------------------------------------------------------


def test_who_has_to_be_a_culprit_and_who_never_is() -> None:
    worlds = Worlds(sheet(), MYSTERY_CIRCLE, DEFAULT_RULINGS)
    assert all(worlds.combinations().values())
    for role in ("fool", "twin", "obstinate"):
        held = worlds.conjoin(RoleAtom("nurse", role))
        free = held.conjoin(*(~CulpritAtom(number, "nurse") for number in range(4)))
        assert held.any()
        assert not free.any()
    detective = worlds.conjoin(PlotAtom("i_am_a_master_detective"))
    assert not detective.allows(RoleAtom("nurse", "private_investigator") & CulpritAtom(0, "nurse"))


def test_two_serial_murders_of_one_culprit_and_no_other_two_incidents() -> None:
    two = msgspec.structs.replace(
        sheet(),
        incidents=(
            ScheduledIncident(day=1, incident="serial_murder"),
            ScheduledIncident(day=2, incident="serial_murder"),
            ScheduledIncident(day=3, incident="portent"),
        ),
    )
    worlds = Worlds(two, MYSTERY_CIRCLE, DEFAULT_RULINGS)
    assert worlds.allows(CulpritAtom(0, "nurse") & CulpritAtom(1, "nurse"))
    assert not worlds.allows(CulpritAtom(0, "nurse") & CulpritAtom(2, "nurse"))
