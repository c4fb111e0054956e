"""The card step: what is printed, and the Cultist, the freed Patient, the voided Forbids."""

import pytest

from tests.engine.tools import FIRST, PROTECT, fits, people, ruling, script

STEP = (1, 2, "cards")
CULTIST = script(
    PROTECT,
    {"nurse": "key_person", "alien": "cultist", "doctor": "conspiracy_theorist"},
    "patient",
    "boy_student",
)


def card(by: str, face: str, on: str) -> tuple[str, dict[str, object]]:
    return "card", {"by": by, "card": face, "on": on}


def day(*cards: tuple[str, str, str]) -> list[tuple[str, dict[str, object]]]:
    """Return a day's cards, filled up with bluffs on locations and people."""
    fill = [
        ("mastermind", "forbid_unease", "city"),
        ("mastermind", "unease_minus_1", "hospital"),
        ("a", "unease_plus_1", "hospital"),
        ("b", "goodwill_plus_1", "city"),
        ("c", "unease_plus_1", "school"),
    ]
    missing = {"mastermind": 3, "a": 1, "b": 1, "c": 1}
    for by, _, _ in cards:
        missing[by] -= 1
    chosen = list(cards)
    for by, face, on in fill:
        if missing[by] > 0:
            missing[by] -= 1
            chosen.append((by, face, on))
    return [card(*one) for one in chosen]


FORBIDDEN = day(("mastermind", "intrigue_plus_2", "shrine"), ("a", "forbid_intrigue", "shrine"))


def result(on: str, **fields: object) -> tuple[str, dict[str, object]]:
    return "card_result", {"on": on, **fields}


def test_a_cultist_may_ignore_a_forbid_where_he_stands_or_stay_silent() -> None:
    assert fits(CULTIST, STEP, {}, *FORBIDDEN, result("shrine", intrigue=2))
    assert fits(CULTIST, STEP, {}, *FORBIDDEN, result("shrine", intrigue=0))
    assert fits(CULTIST, STEP, {}, *FORBIDDEN)
    away = people(alien={"at": "city"})
    assert ruling(CULTIST, STEP, away, *FORBIDDEN, result("shrine", intrigue=2)) == "C-07"
    dead = people(alien={"alive": False})
    assert ruling(CULTIST, STEP, dead, *FORBIDDEN, result("shrine", intrigue=2)) == "C-07"


def test_a_cultist_is_judged_before_or_after_the_movement() -> None:
    leaves = day(
        ("mastermind", "intrigue_plus_2", "shrine"),
        ("mastermind", "movement_vertical", "alien"),
        ("a", "forbid_intrigue", "shrine"),
    )
    assert fits(CULTIST, STEP, {}, *leaves, result("shrine", intrigue=2))
    arrives = day(
        ("mastermind", "intrigue_plus_2", "school"),
        ("mastermind", "movement_vertical", "alien"),
        ("a", "forbid_intrigue", "school"),
    )
    assert fits(CULTIST, STEP, {}, *arrives, result("school", intrigue=2))


def test_a_cultist_protects_people_who_stand_with_him() -> None:
    cards = day(
        ("mastermind", "intrigue_plus_1", "boy_student"), ("a", "forbid_intrigue", "boy_student")
    )
    told = (*cards, result("boy_student", intrigue=1))
    assert not fits(CULTIST, STEP, {}, *told)
    assert fits(CULTIST, STEP, people(boy_student={"at": "shrine"}), *told)


def test_forbids_of_two_players_void_each_other() -> None:
    cards = day(
        ("mastermind", "intrigue_plus_2", "shrine"),
        ("a", "forbid_intrigue", "shrine"),
        ("b", "forbid_intrigue", "city"),
    )
    plain = script(FIRST, {"nurse": "brain", "doctor": "conspiracy_theorist"}, "alien")
    assert fits(plain, STEP, {}, *cards)
    assert fits(plain, STEP, {}, *cards, result("shrine", intrigue=2))
    assert ruling(plain, STEP, {}, *cards, result("shrine", intrigue=0)) == "C-05"
    for intrigue in (0, 2):
        assert fits(plain, STEP, {}, *cards, result("shrine", intrigue=intrigue), players=1)


def test_no_other_difference_fits_any_world() -> None:
    cards = day(("mastermind", "unease_plus_1", "nurse"), ("a", "goodwill_plus_1", "nurse"))
    assert ruling(CULTIST, STEP, {}, *cards, result("nurse", unease=0)) == "C-03"
    assert ruling(CULTIST, STEP, {}, *cards, result("nurse", goodwill=2)) == "C-14"
    assert ruling(CULTIST, STEP, {}, *cards, result("doctor", intrigue=1)) == "C-14"
    assert fits(CULTIST, STEP, {}, *cards, result("nurse", unease=1, goodwill=1))


def test_while_cards_are_missing_a_result_proves_nothing() -> None:
    noted = (card("mastermind", "intrigue_plus_2", "shrine"), result("shrine", intrigue=0))
    assert fits(CULTIST, STEP, {}, *noted, complete=False)


WALK = day(("mastermind", "movement_horizontal", "patient"))


@pytest.mark.parametrize(
    ("outcome", "to", "possible"),
    [
        ("resolved", "shrine", True),
        ("resolved", "hospital", False),
        ("nothing", "shrine", True),
        ("refused", "shrine", False),
        ("refused", "hospital", True),
    ],
)
def test_a_freed_patient_walks_and_no_other(outcome: str, to: str, possible: bool) -> None:
    doctor = script(FIRST, {"doctor": "brain", "nurse": "conspiracy_theorist"}, "patient")
    told = [
        ("use", {"who": "doctor", "ability": 3, "target": "patient", "outcome": outcome}),
        ("night", "complete", {}),
        *(((1, 3, "cards"), *one) for one in (*WALK, result("patient", to=to))),
    ]
    board = people(doctor={"goodwill": 3})
    assert fits(doctor, (1, 2, "goodwill"), board, *told) is possible


def test_a_quiet_acceptance_binds_who_cannot_refuse() -> None:
    """A Person has accepted; a Brain may have refused without saying so (G-18)."""
    told = [
        ("use", {"who": "doctor", "ability": 3, "target": "patient", "outcome": "nothing"}),
        *(((1, 3, "cards"), *one) for one in (*WALK, result("patient", to="hospital"))),
    ]
    board = people(doctor={"goodwill": 3})
    brain = script(FIRST, {"doctor": "brain", "nurse": "conspiracy_theorist"}, "patient")
    person = script(FIRST, {"nurse": "brain", "alien": "conspiracy_theorist"}, "patient", "doctor")
    assert fits(brain, (1, 2, "goodwill"), board, *told)
    assert ruling(person, (1, 2, "goodwill"), board, *told) == "G-18"
