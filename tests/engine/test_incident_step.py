"""The incident step: who triggers, what each incident shows, and when nothing may show."""

from typing import Any

import pytest

from tests.engine.tools import FIRST, MURDER, PROTECT, fits, people, ruling, script

STEP = (1, 2, "incident")
CAST = ("boy_student", "girl_student", "nurse", "doctor", "patient", "alien", "shrine_maiden")
Told = tuple[Any, ...]
HAPPENS = ("incident", {"occurs": True})
QUIET = ("incident", {"occurs": False})


def with_incident(incident: str, culprit: str, **roles: str) -> Any:
    given = {"informant": "brain", "office_worker": "conspiracy_theorist", **roles}
    plots = PROTECT if "key_person" in roles.values() else FIRST
    if plots is PROTECT:
        given["informant"] = "cultist"
    rest = [who for who in (*CAST, culprit) if who not in given]
    return script(plots, given, *rest, incidents=((2, incident, culprit),))


def upset(who: str, **more: Any) -> dict[str, Any]:
    """Return a board on which somebody is about to act."""
    cards = {name: dict(values) for name, values in more.items()}
    cards.setdefault(who, {})["unease"] = 3
    return people(**cards)


def death(who: str) -> tuple[str, dict[str, Any]]:
    return "death", {"who": who}


def token(on: str, kind: str, n: int = 1) -> tuple[str, dict[str, Any]]:
    return "token", {"on": on, "token": kind, "n": n}


# The trigger -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "occurs", "quiet"),
    [
        ({"unease": 3}, True, False),
        ({"unease": 2}, False, True),
        ({"unease": 3, "alive": False}, False, True),
        ({"unease": 3, "at": "off_board"}, False, True),
        ({"unease": None}, True, True),
        ({"unease": 3, "alive": None}, True, True),
    ],
)
def test_a_living_upset_culprit_triggers(card: dict[str, Any], occurs: bool, quiet: bool) -> None:
    secret = with_incident("increasing_unease", "girl_student")
    board = people(girl_student=card)
    shown = (HAPPENS, token("nurse", "unease", 2), token("doctor", "intrigue"))
    assert fits(secret, STEP, board, *shown) is occurs
    assert fits(secret, STEP, board, QUIET) is quiet


def test_the_ruling_of_the_trigger_is_named() -> None:
    secret = with_incident("suicide", "girl_student")
    assert ruling(secret, STEP, people(girl_student={"unease": 1}), HAPPENS) == "I-01"
    assert ruling(secret, STEP, upset("girl_student"), QUIET) == "I-01"


def test_effects_without_the_word_mean_that_it_happened() -> None:
    secret = with_incident("suicide", "girl_student")
    assert fits(secret, STEP, upset("girl_student"), death("girl_student"))
    assert not fits(secret, STEP, {}, death("girl_student"))
    # Nothing said and nothing seen, in a complete step: it cannot have happened with an effect.
    assert fits(secret, STEP, {})
    assert not fits(secret, STEP, upset("girl_student"))


# What each incident shows ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("incident", "board", "possible", "impossible"),
    [
        (
            "homicide",
            {},
            [[death("boy_student")], [death("girl_student")]],
            [[], [death("nurse")], [death("boy_student"), death("girl_student")]],
        ),
        ("suicide", {}, [[death("girl_student")]], [[], [death("boy_student")]]),
        (
            "faraway_murder",
            {"nurse": {"intrigue": 2}, "alien": {"intrigue": 1}},
            [[death("nurse")]],
            [[], [death("alien")], [death("boy_student")]],
        ),
        ("faraway_murder", {"nurse": {"intrigue": 1}}, [[]], [[death("nurse")]]),
        (
            "transfer_friendship",
            {"nurse": {"goodwill": 2}},
            [
                [],
                [token("nurse", "goodwill", -1), token("alien", "goodwill", 1)],
                [token("nurse", "goodwill", -2), token("alien", "goodwill", 2)],
            ],
            [
                [token("nurse", "goodwill", -1), token("alien", "goodwill", 2)],
                [token("nurse", "goodwill", -2)],
                [token("nurse", "goodwill", -2), token("alien", "goodwill", 1)],
                [token("nurse", "goodwill", -2), token("shrine", "intrigue", 2)],
            ],
        ),
        (
            "transfer_friendship",  # other editions place two whatever was there (I-14)
            {"nurse": {"goodwill": 1}},
            [
                [token("nurse", "goodwill", -1), token("alien", "goodwill", 1)],
                [token("nurse", "goodwill", -1), token("alien", "goodwill", 2)],
                [token("alien", "goodwill", 2)],
            ],
            [[token("alien", "goodwill", 1)], [token("alien", "goodwill", 3)]],
        ),
        (
            "increasing_unease",
            {},
            [[token("nurse", "unease", 2), token("alien", "intrigue")]],
            [
                [],
                [token("nurse", "unease", 2)],
                [token("nurse", "unease", 2), token("nurse", "intrigue")],
                [token("nurse", "unease", 1), token("alien", "intrigue")],
                [token("nurse", "unease", 2), token("shrine", "intrigue")],
            ],
        ),
        (
            "missing_person",
            {},
            [
                [token("school", "intrigue")],
                [("moved", {"who": "girl_student", "to": "city"}), token("city", "intrigue")],
            ],
            [
                [],
                [token("city", "intrigue")],
                [("moved", {"who": "girl_student", "to": "city"})],
                [("moved", {"who": "nurse", "to": "city"}), token("city", "intrigue")],
            ],
        ),
    ],
)
def test_what_an_incident_shows(
    incident: str, board: dict[str, Any], possible: list[Told], impossible: list[Told]
) -> None:
    secret = with_incident(incident, "girl_student")
    state = upset("girl_student", **board)
    for told in possible:
        assert fits(secret, STEP, state, HAPPENS, *told), told
        assert not fits(secret, STEP, state, QUIET, *told)
    for told in impossible:
        assert not fits(secret, STEP, state, HAPPENS, *told), told


@pytest.mark.parametrize(
    "incident",
    [
        "homicide",
        "suicide",
        "faraway_murder",
        "increasing_unease",
        "hospital_horror",
        "missing_person",
    ],
)
def test_incidents_of_the_black_cat_occur_without_effect(incident: str) -> None:
    secret = with_incident(incident, "black_cat")
    board = {
        "characters": {"nurse": {"intrigue": 2}},
        "locations": {"hospital": {"intrigue": 2}, "shrine": {"intrigue": 1}},
    }
    assert fits(secret, STEP, board, HAPPENS)
    assert fits(secret, STEP, board, HAPPENS, ("no_effect", {}))
    assert not fits(secret, STEP, board, QUIET)
    assert not fits(secret, STEP, board, HAPPENS, death("nurse"))


def test_a_patient_who_cannot_move_only_marks_his_place() -> None:
    secret = with_incident("missing_person", "patient")
    assert fits(secret, STEP, upset("patient"), HAPPENS, token("hospital", "intrigue"))
    assert fits(secret, STEP, upset("patient"), HAPPENS)  # open: he cannot move (I-26)


# Whom a Homicide may hit ------------------------------------------------------------------------


def test_a_homicide_alone_proves_nothing_and_with_company_a_death() -> None:
    secret = with_incident("homicide", "doctor")
    alone = upset("doctor", nurse={"at": "city"}, patient={"alive": False})
    assert fits(secret, STEP, alone, HAPPENS)
    assert fits(secret, STEP, alone, HAPPENS, death("doctor"))
    strict = {"rulings": {"homicide_may_hit_culprit": False}}
    assert not fits(secret, STEP, alone, HAPPENS, death("doctor"), **strict)
    assert ruling(secret, STEP, upset("doctor"), HAPPENS) == "I-26"


def test_a_guard_goes_instead() -> None:
    secret = with_incident("suicide", "girl_student")
    board = upset("girl_student", girl_student={"guard": 1})
    assert fits(secret, STEP, board, HAPPENS, ("guard_lost", {"who": "girl_student"}))
    assert not fits(secret, STEP, board, HAPPENS, death("girl_student"))


# Hospital Horror --------------------------------------------------------------------------------


def horror(intrigue: int, **cards: Any) -> dict[str, Any]:
    board = upset("girl_student", **cards)
    board["locations"] = {"hospital": {"intrigue": intrigue}}
    return board


ALL = (death("nurse"), death("doctor"), death("patient"))
DEAD = ("loop_over", {"word": "dead"})
LOST = ("loop_over", {"word": "lost"})


def test_everybody_in_the_hospital_dies_or_nothing_happens() -> None:
    secret = with_incident("hospital_horror", "girl_student")
    assert fits(secret, STEP, horror(0), HAPPENS)
    assert not fits(secret, STEP, horror(0), HAPPENS, *ALL)
    assert fits(secret, STEP, horror(1), HAPPENS, *ALL)
    assert not fits(secret, STEP, horror(1), HAPPENS, *ALL[:2])
    assert not fits(secret, STEP, horror(1), HAPPENS, *ALL, death("alien"))
    assert not fits(secret, STEP, horror(1), HAPPENS, *ALL, DEAD)


def test_two_intrigue_kill_the_protagonists_and_need_not_lay_the_cards_down() -> None:
    secret = with_incident("hospital_horror", "girl_student")
    assert fits(secret, STEP, horror(2), HAPPENS, *ALL, DEAD)
    assert fits(secret, STEP, horror(2), HAPPENS, DEAD)  # D-06: the list of deaths is open
    closed = ("loop_over", {"word": "dead", "deaths_closed": True})
    assert not fits(secret, STEP, horror(2), HAPPENS, ALL[0], closed)
    assert fits(secret, STEP, horror(2), HAPPENS, *ALL, closed)
    assert not fits(secret, STEP, horror(2), HAPPENS, *ALL, LOST)
    goes_on = ("night", "complete", {})
    assert ruling(secret, STEP, horror(2), HAPPENS, *ALL, goes_on) == "I-26"
    shield = horror(2)
    shield["effects"] = [{"kind": "protagonists_cannot_die", "on": "nurse"}]
    assert fits(secret, STEP, shield, HAPPENS, *ALL, goes_on)
    assert ruling(secret, STEP, shield, HAPPENS, *ALL, DEAD) == "I-22"


def test_a_key_person_among_the_dead_leaves_the_word_open() -> None:
    secret = with_incident("hospital_horror", "girl_student", nurse="key_person")
    for word in (DEAD, LOST):
        assert fits(secret, STEP, horror(2), HAPPENS, *ALL, word)
    first, last = ({"rulings": {"hospital_key_person_first": reading}} for reading in (True, False))
    assert fits(secret, STEP, horror(2), HAPPENS, *ALL, LOST, **first)
    assert ruling(secret, STEP, horror(2), HAPPENS, *ALL, DEAD, **first) == "I-16"
    assert fits(secret, STEP, horror(2), HAPPENS, *ALL, DEAD, **last)
    assert ruling(secret, STEP, horror(2), HAPPENS, *ALL, LOST, **last) == "I-16"
    assert fits(secret, STEP, horror(1), HAPPENS, *ALL, LOST)
    assert not fits(secret, STEP, horror(1), HAPPENS, *ALL, DEAD)
    assert ruling(secret, STEP, horror(1), HAPPENS, *ALL, ("night", "complete", {})) == "L-02"


def test_lost_needs_a_death_that_was_noted_once_the_step_is_complete() -> None:
    secret = with_incident("hospital_horror", "girl_student", nurse="key_person")
    assert ruling(secret, STEP, horror(2), HAPPENS, death("doctor"), LOST) == "I-23"
    assert fits(secret, STEP, horror(2), HAPPENS, death("doctor"), LOST, complete=False)


# Partly noted -------------------------------------------------------------------------------------


def test_part_of_an_effect_may_be_noted_where_silence_does_not_count() -> None:
    secret = with_incident("increasing_unease", "girl_student")
    board = upset("girl_student")
    for told in ([], [token("nurse", "unease", 2)], [token("nurse", "intrigue")]):
        assert fits(secret, STEP, board, HAPPENS, *told, complete=False), told
        assert not fits(secret, STEP, board, HAPPENS, *told)
    assert not fits(secret, STEP, board, HAPPENS, token("city", "intrigue", 2), complete=False)
    # A later step makes this one partly noted; then its culprit's Unease is unknown too.
    later = ("night", "complete", {})
    assert fits(secret, STEP, {}, HAPPENS, token("nurse", "unease"), later, complete=False)


def test_a_murder_of_somebody_who_could_not_be_named() -> None:
    secret = with_incident("homicide", "girl_student", boy_student="key_person")
    board = upset("girl_student")
    some = {"one_of": ["boy_student", "nurse"]}
    assert fits(secret, STEP, board, HAPPENS, ("death", {"who": some}), LOST)
    assert not fits(
        secret, STEP, board, HAPPENS, ("death", {"who": {"one_of": ["nurse", "alien"]}})
    )
    there = {"somebody_at": "school"}
    assert fits(secret, STEP, board, HAPPENS, ("death", {"who": there}))
    assert not fits(secret, STEP, board, HAPPENS, ("death", {"who": {"somebody_at": "shrine"}}))


def test_a_murder_of_the_key_person_ends_the_loop() -> None:
    roles = {
        "boy_student": "key_person",
        "alien": "brain",
        "doctor": "murderer",
        "nurse": "conspiracy_theorist",
    }
    secret = script(MURDER, roles, "girl_student", incidents=((2, "homicide", "girl_student"),))
    board = upset("girl_student")
    assert fits(secret, STEP, board, HAPPENS, death("boy_student"), LOST)
    assert not fits(secret, STEP, board, HAPPENS, death("boy_student"), DEAD)
    assert fits(secret, STEP, board, HAPPENS, death("boy_student"))  # nothing tells what came then
    later = ("night", "complete", {})
    assert ruling(secret, STEP, board, HAPPENS, death("boy_student"), later) == "L-02"
    assert fits(secret, STEP, board, HAPPENS, death("girl_student"), later)
