"""Loop starts, loop ends and the Final Guess."""

from typing import Any

import pytest

from tests.engine.tools import FIRST, HIDEOUS, MURDER, PROTECT, fits, people, ruling, script

START = (2, 1, "loop_start")
END = (1, 4, "loop_end")
FRIEND = script(
    HIDEOUS,
    {"nurse": "friend", "doctor": "brain", "informant": "conspiracy_theorist"},
    *("alien", "black_cat", "henchman"),
)
CAT = ("token", {"on": "shrine", "token": "intrigue", "n": 1, "by": "black_cat"})
PLACED = ("placed", {"who": "henchman", "where": "city"})


def token(on: str, kind: str, n: int = 1, **more: Any) -> tuple[str, dict[str, Any]]:
    return "token", {"on": on, "token": kind, "n": n, **more}


LOST = ("loop_over", {"word": "lost"})
WON = ("loop_over", {"word": "won"})
DEAD = ("loop_over", {"word": "dead"})


# Loop start -----------------------------------------------------------------------------------


def test_a_friend_known_before_gets_goodwill_and_nobody_else() -> None:
    known = {"revealed": {"nurse": "friend"}}
    assert fits(FRIEND, START, known, CAT, PLACED, token("nurse", "goodwill"))
    assert ruling(FRIEND, START, known, CAT, PLACED) == "N-05"
    assert fits(FRIEND, START, known, CAT, PLACED, complete=False)
    assert not fits(FRIEND, START, known, CAT, PLACED, token("nurse", "goodwill", 2))
    assert not fits(FRIEND, START, {"revealed": {}}, CAT, PLACED, token("nurse", "goodwill"))
    other = {"revealed": {"alien": "person"}}
    assert not fits(FRIEND, START, other, CAT, PLACED, token("alien", "goodwill"))
    # After a late start nobody knows who was revealed.
    for told in ([], [token("nurse", "goodwill")]):
        assert fits(FRIEND, START, {}, CAT, PLACED, *told)


def test_the_black_cat_brings_one_intrigue_with_or_without_its_name() -> None:
    none = {"revealed": {}}
    assert fits(FRIEND, START, none, PLACED)
    assert fits(FRIEND, START, none, CAT, PLACED)
    assert fits(FRIEND, START, none, token("shrine", "intrigue"), PLACED)
    assert not fits(FRIEND, START, none, token("shrine", "intrigue", 2), PLACED)
    assert not fits(FRIEND, START, none, token("city", "intrigue", by="black_cat"), PLACED)


def test_nothing_else_comes_at_a_loop_start() -> None:
    none = {"revealed": {}}
    assert ruling(FRIEND, START, none, PLACED, token("alien", "unease")) == "N-04"
    assert not fits(FRIEND, START, none, PLACED, token("doctor", "intrigue"))


# Loop end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plots", "roles", "board", "lost", "won"),
    [
        (PROTECT, {"nurse": "key_person", "alien": "cultist"}, {"school": 2}, True, False),
        (PROTECT, {"nurse": "key_person", "alien": "cultist"}, {"school": 1}, False, True),
        (PROTECT, {"nurse": "key_person", "alien": "cultist"}, {"school": None}, True, True),
        (FIRST, {"nurse": "brain"}, {"hospital": 2}, True, False),
        (FIRST, {"nurse": "brain"}, {"school": 2}, False, True),
        (
            MURDER,
            {"nurse": "brain", "alien": "key_person", "teacher": "murderer"},
            {"hospital": 3},
            False,
            True,
        ),
    ],
)
def test_the_losses_of_the_main_plots(
    plots: Any, roles: dict[str, str], board: dict[str, int], lost: bool, won: bool
) -> None:
    secret = script(plots, {**roles, "informant": "conspiracy_theorist"})
    state = {"locations": {place: {"intrigue": n} for place, n in board.items()}}
    assert fits(secret, END, state, LOST) is lost
    assert fits(secret, END, state, WON) is won
    assert ruling(secret, END, state, DEAD) == "L-03"


def test_the_start_counts_not_where_he_stands() -> None:
    secret = script(FIRST, {"henchman": "brain", "informant": "conspiracy_theorist"})
    board = {
        **people(henchman={"at": "city"}),
        "starts": {"henchman": "shrine"},
        "locations": {"shrine": {"intrigue": 2}, "city": {"intrigue": 0}},
    }
    assert fits(secret, END, board, LOST)
    assert not fits(secret, END, {**board, "starts": {"henchman": "city"}}, LOST)


def test_a_dead_friend_is_told_and_the_loop_is_lost() -> None:
    board = people(nurse={"alive": False}, henchman={"at": "city"})
    told = ("reveal", {"role_of": "nurse", "role": "friend"})
    assert fits(FRIEND, END, board, told, LOST)
    assert ruling(FRIEND, END, board, LOST) == "L-05"
    assert not fits(FRIEND, END, board, told, WON)
    known = {**board, "revealed": {"nurse": "friend"}}
    assert fits(FRIEND, END, known, LOST)
    assert fits(FRIEND, END, known, told, LOST)
    lie = ("reveal", {"role_of": "nurse", "role": "person"})
    assert ruling(FRIEND, END, board, lie, LOST) == "L-05"
    alive = people(henchman={"at": "city"})
    assert not fits(FRIEND, END, alive, told, LOST)


def test_after_an_early_end_dead_friends_are_told_as_well() -> None:
    secret = script(
        ("first_steps", "premeditated_murder", ("a_hideous_script",)),
        {
            "nurse": "friend",
            "doctor": "murderer",
            "patient": "key_person",
            "alien": "brain",
            "informant": "conspiracy_theorist",
        },
    )
    board = people(nurse={"alive": False}, doctor={"intrigue": 4})
    night = (1, 2, "night")
    told = ((1, 2, "loop_end"), "reveal", {"role_of": "nurse", "role": "friend"})
    assert fits(secret, night, board, DEAD, told)
    silent = ((1, 2, "loop_end"), "complete", {})
    assert ruling(secret, night, board, DEAD, silent) == "L-05"


def test_a_loop_that_another_one_follows_was_lost() -> None:
    secret = script(FIRST, {"nurse": "brain", "informant": "conspiracy_theorist"})
    start = ((2, 1, "loop_start"), "complete", {})
    lost = {"locations": {"hospital": {"intrigue": 2}}}
    assert fits(secret, END, lost, start)
    assert ruling(secret, END, {}, start) == "L-07"


def test_a_death_of_the_last_night_explains_the_loss() -> None:
    secret = script(
        MURDER,
        {
            "doctor": "murderer",
            "nurse": "key_person",
            "alien": "brain",
            "informant": "conspiracy_theorist",
        },
    )
    board = people(nurse={"intrigue": 2}, doctor={"intrigue": 4})
    night = (1, 4, "night")
    dies = ("death", {"who": "nurse"})
    assert fits(secret, night, board, dies, ("loop_end", *LOST))
    assert not fits(secret, night, board, dies, ("loop_end", *WON))
    assert not fits(secret, night, board, ("loop_end", *LOST))
    assert fits(secret, night, board, ("loop_end", *DEAD))


def test_where_no_death_ends_a_loop_it_is_lost_at_its_end() -> None:
    secret = script(
        PROTECT,
        {"nurse": "key_person", "alien": "cultist", "informant": "conspiracy_theorist"},
        "doctor",
        incidents=((3, "suicide", "nurse"),),
    )
    at = (1, 3, "incident")
    told = (
        ("incident", {"occurs": True}),
        ("death", {"who": "nurse"}),
        ((1, 4, "night"), "complete", {}),
        ((1, 4, "loop_end"), *LOST),
    )
    board = people(nurse={"unease": 3})
    assert ruling(secret, at, board, *told) == "L-02"
    assert fits(secret, at, board, *told, rulings={"key_person_death_ends_loop": False})


# The Final Guess ---------------------------------------------------------------------------------


def test_answers_are_about_scripted_roles() -> None:
    secret = script(
        ("basic_tragedy", "giant_time_bomb", ("paranoia_virus", "thread_of_fate")),
        {"nurse": "witch", "doctor": "conspiracy_theorist"},
        "alien",
    )
    at = (3, 4, "final_guess")
    board = people(alien={"unease": 5})
    for who, role, right, possible in (
        ("nurse", "witch", True, True),
        ("nurse", "witch", False, False),
        ("alien", "person", True, True),
        ("alien", "serial_killer", False, True),
        ("alien", "serial_killer", True, False),
    ):
        guess = ("guess", {"who": who, "role": role, "right": right})
        assert fits(secret, at, board, guess) is possible, (who, role, right)


def test_first_steps_has_no_final_guess_unless_a_rule_adds_one() -> None:
    secret = script(FIRST, {"nurse": "brain", "informant": "conspiracy_theorist"})
    guess = ("guess", {"who": "nurse", "role": "brain", "right": True})
    assert ruling(secret, (3, 4, "final_guess"), {}, guess) == "F-03"
