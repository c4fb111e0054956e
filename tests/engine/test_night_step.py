"""The night: one batch on one snapshot, what had to die, and who may kill whom."""

from typing import Any

import pytest

from tests.engine.tools import MURDER, RIPPER, fits, people, ruling, script

STEP = (1, 2, "night")
NEXT = ((1, 3, "day_start"), "complete", {})
KILLER = script(
    RIPPER,
    {"boy_student": "serial_killer", "nurse": "brain", "informant": "conspiracy_theorist"},
    *("girl_student", "alien", "doctor", "police_officer"),
)


def death(who: str) -> tuple[str, dict[str, Any]]:
    return "death", {"who": who}


DEAD = ("loop_over", {"word": "dead"})
LOST = ("loop_over", {"word": "lost"})


def test_a_serial_killer_alone_with_one_other_kills() -> None:
    assert fits(KILLER, STEP, {}, death("girl_student"), NEXT)
    assert ruling(KILLER, STEP, {}, NEXT) == "D-05"
    assert ruling(KILLER, STEP, {}) == "D-05"
    assert fits(KILLER, STEP, {}, complete=False)
    assert not fits(KILLER, STEP, {}, death("boy_student"), NEXT)
    assert not fits(KILLER, STEP, {}, death("girl_student"), death("doctor"), NEXT)


@pytest.mark.parametrize(
    ("cards", "must"),
    [
        ({"alien": {"at": "school"}}, False),
        ({"alien": {"at": "school", "alive": False}}, True),
        ({"girl_student": {"at": "city"}}, False),
        ({"boy_student": {"alive": False}}, False),
        ({"girl_student": {"at": None}}, False),
        ({"boy_student": {"at": None}}, False),
        ({"alien": {"at": "school", "alive": None}}, False),
    ],
)
def test_a_kill_is_demanded_only_where_it_is_certain(cards: dict[str, Any], must: bool) -> None:
    assert fits(KILLER, STEP, people(**cards), NEXT) is not must


def test_a_guard_is_lost_instead_and_has_to_be() -> None:
    board = people(girl_student={"guard": 1})
    gone = ("guard_lost", {"who": "girl_student"})
    assert fits(KILLER, STEP, board, gone, NEXT)
    assert ruling(KILLER, STEP, board, NEXT) == "D-05"
    assert ruling(KILLER, STEP, board, death("girl_student"), NEXT) == "G-17"
    assert not fits(KILLER, STEP, people(doctor={"guard": 1}), ("guard_lost", {"who": "doctor"}))


def test_two_killers_alone_together_kill_each_other() -> None:
    two = script(
        RIPPER,
        {
            "boy_student": "serial_killer",
            "mystery_boy": "serial_killer",
            "nurse": "brain",
            "informant": "conspiracy_theorist",
        },
        "alien",
    )
    assert fits(two, STEP, {}, death("boy_student"), death("mystery_boy"), NEXT)
    assert not fits(two, STEP, {}, death("boy_student"), NEXT)


def test_a_second_wave_may_kill_but_need_not() -> None:
    """Three at a place, one of them dies: the killer is alone with one only afterwards (D-03)."""
    secret = script(
        RIPPER,
        {
            "boy_student": "serial_killer",
            "mystery_boy": "serial_killer",
            "nurse": "brain",
            "informant": "conspiracy_theorist",
        },
        *("girl_student", "alien"),
    )
    board = people(mystery_boy={"at": "shrine"}, girl_student={"at": "school"})
    kills = (death("alien"), death("girl_student"))
    assert fits(secret, STEP, board, *kills, NEXT)
    crowd = people(mystery_boy={"at": "shrine"}, nurse={"at": "school"})
    assert fits(secret, STEP, crowd, death("alien"), NEXT)
    assert not fits(secret, STEP, crowd, death("alien"), death("nurse"), NEXT)


MURDER_CAST = {
    "doctor": "murderer",
    "nurse": "key_person",
    "alien": "brain",
    "informant": "conspiracy_theorist",
}
MURDERER = script(MURDER, MURDER_CAST, "patient", "boy_student")


def test_a_murderer_kills_the_key_person_beside_him() -> None:
    board = people(nurse={"intrigue": 2})
    assert fits(MURDERER, STEP, board, death("nurse"), LOST)
    assert ruling(MURDERER, STEP, board, death("nurse"), NEXT) == "L-02"
    assert fits(MURDERER, STEP, board, NEXT)
    assert not fits(MURDERER, STEP, people(nurse={"intrigue": 1}), death("nurse"), LOST)
    assert not fits(MURDERER, STEP, people(patient={"intrigue": 2}), death("patient"), NEXT)
    away = people(nurse={"intrigue": 2, "at": "city"})
    assert not fits(MURDERER, STEP, away, death("nurse"), LOST)
    gone = people(nurse={"intrigue": 2}, doctor={"alive": False})
    assert not fits(MURDERER, STEP, gone, death("nurse"), LOST)


def test_a_murderer_with_four_intrigue_kills_the_protagonists() -> None:
    board = people(doctor={"intrigue": 4})
    assert fits(MURDERER, STEP, board, DEAD)
    assert fits(MURDERER, STEP, board, NEXT)
    assert ruling(MURDERER, STEP, people(doctor={"intrigue": 3}), DEAD) == "D-12"
    assert not fits(MURDERER, STEP, board, LOST)
    shield = {**board, "effects": [{"kind": "protagonists_cannot_die", "on": "nurse"}]}
    assert ruling(MURDERER, STEP, shield, DEAD) == "D-12"
    assert fits(MURDERER, STEP, shield, NEXT)


def test_where_the_loop_ended_nothing_more_is_demanded() -> None:
    """The Murderer may have come before the mandatory batch (D-06, M-03)."""
    secret = script(
        ("first_steps", "premeditated_murder", ("shadow_of_the_ripper",)),
        {**MURDER_CAST, "boy_student": "serial_killer"},
        *("girl_student", "patient"),
    )
    board = people(doctor={"intrigue": 4})
    assert fits(secret, STEP, board, DEAD)
    assert fits(secret, STEP, board, death("girl_student"), DEAD)
    assert not fits(secret, STEP, board, NEXT)


def test_lost_needs_a_key_person_among_the_dead_of_the_night() -> None:
    assert not fits(KILLER, STEP, {}, death("girl_student"), LOST)
    assert ruling(MURDERER, STEP, people(nurse={"intrigue": 2}), LOST) == "D-13"
    assert fits(MURDERER, STEP, people(nurse={"intrigue": 2}), LOST, complete=False)


def test_on_the_last_day_a_loss_may_be_told_at_night_too() -> None:
    secret = script(
        ("first_steps", "a_place_to_protect", ("an_unsettling_rumor",)),
        {"nurse": "key_person", "alien": "cultist", "doctor": "conspiracy_theorist"},
    )
    school = {"locations": {"school": {"intrigue": 2}}}
    assert fits(secret, (1, 4, "night"), school, LOST)
    assert not fits(secret, (1, 3, "night"), school, LOST)
    assert not fits(secret, (1, 4, "night"), {}, LOST)


def test_a_companion_that_could_not_be_named() -> None:
    at_school = {"somebody_at": "school"}
    assert fits(KILLER, STEP, {}, ("death", {"who": at_school}), NEXT)
    assert not fits(KILLER, STEP, {}, ("death", {"who": {"somebody_at": "city"}}), NEXT)
    assert not fits(KILLER, STEP, {}, ("death", {"who": {"one_of": ["alien", "doctor"]}}), NEXT)


def test_nothing_else_shows_at_night() -> None:
    assert not fits(
        KILLER,
        STEP,
        {},
        death("girl_student"),
        ("token", {"on": "alien", "token": "unease", "n": 1}),
    )
