"""The Mastermind's step: who may place what, how often, and the Doctor in his hands."""

import pytest

from engine.steps import mastermind
from tests.engine.tools import (
    FIRST,
    HIDEOUS,
    PROTECT,
    RIPPER,
    fits,
    people,
    ruling,
    script,
    transcript,
    view_of,
)

BRAIN = script(FIRST, {"boy_student": "brain", "office_worker": "conspiracy_theorist"}, "nurse")
NO_BRAIN = script(
    PROTECT, {"nurse": "key_person", "alien": "cultist", "doctor": "conspiracy_theorist"}
)
STEP = (1, 2, "mastermind")


def token(on: str, kind: str, n: int = 1, **more: object) -> tuple[str, dict[str, object]]:
    return "token", {"on": on, "token": kind, "n": n, **more}


@pytest.mark.parametrize(
    ("told", "possible"),
    [
        (token("school", "intrigue"), True),
        (token("boy_student", "intrigue"), True),
        (token("nurse", "intrigue"), False),
        (token("hospital", "intrigue"), True),
        (token("office_worker", "unease"), True),
        (token("nurse", "unease"), False),
        (token("nurse", "goodwill"), False),
        (token("boy_student", "intrigue", -1), False),
    ],
)
def test_what_a_brain_a_theorist_and_the_rumor_reach(told: tuple, possible: bool) -> None:
    board = people(boy_student={"intrigue": 1})
    assert fits(BRAIN, STEP, board, told) is possible


def test_a_brain_acts_where_he_stands_now() -> None:
    board = people(boy_student={"at": "hospital"})
    assert fits(BRAIN, STEP, board, token("nurse", "intrigue"))
    assert ruling(BRAIN, STEP, board, token("office_worker", "intrigue")) == "M-12"


@pytest.mark.parametrize("card", ["boy_student", "office_worker"])
def test_the_dead_do_nothing_and_are_not_chosen(card: str) -> None:
    board = people(**{card: {"alive": False}})
    kind = "intrigue" if card == "boy_student" else "unease"
    assert not fits(BRAIN, STEP, board, token(card, kind))


def test_each_use_works_once_a_day() -> None:
    ripper = script(RIPPER, {"boy_student": "brain", "nurse": "conspiracy_theorist"}, "alien")
    two = (token("school", "intrigue"), token("boy_student", "intrigue"))
    assert ruling(ripper, STEP, {}, *two) == "P-03"
    assert ruling(ripper, STEP, {}, token("school", "intrigue", 2)) == "P-03"
    # With the Rumor there are two uses for locations, but only one for characters.
    assert fits(BRAIN, STEP, {}, *two)
    assert fits(BRAIN, STEP, {}, token("school", "intrigue", 2))
    assert ruling(BRAIN, STEP, {}, token("boy_student", "intrigue", 2)) == "P-03"


def test_the_rumor_works_once_a_loop() -> None:
    first = token("city", "intrigue")
    days = [("goodwill", "complete", {}), ("night", "complete", {})]
    later = ((1, 3, "mastermind"), *token("shrine", "intrigue"))
    assert fits(NO_BRAIN, STEP, {}, first, complete=False)
    told = (first, *days, ((1, 3, "cards"), "complete", {}), later)
    assert ruling(NO_BRAIN, STEP, {}, *told, complete=False) == "M-08"


def test_the_rumor_is_accepted_at_another_moment_of_the_mastermind() -> None:
    assert fits(NO_BRAIN, (1, 2, "night"), {}, token("city", "intrigue"))
    assert not fits(NO_BRAIN, (1, 2, "goodwill"), {}, token("city", "intrigue"))
    assert not fits(NO_BRAIN, (1, 2, "night"), {}, token("nurse", "intrigue"))


def test_silence_deletes_nothing() -> None:
    assert fits(BRAIN, STEP, {})


# The Doctor in the Mastermind's hands (M-10, M-11) -----------------------------------------

REFUSER = script(
    HIDEOUS,
    {
        "doctor": "curmudgeon",
        "boy_student": "brain",
        "girl_student": "friend",
        "nurse": "conspiracy_theorist",
    },
    "patient",
)
PERSON = script(
    HIDEOUS,
    {"boy_student": "brain", "girl_student": "friend", "nurse": "conspiracy_theorist"},
    "doctor",
    "patient",
)
WARD = people(doctor={"goodwill": 2}, patient={"unease": 1})


def test_a_refusing_doctor_with_goodwill_removes_unease() -> None:
    assert fits(REFUSER, STEP, WARD, token("patient", "unease", -1))
    assert ruling(PERSON, STEP, WARD, token("patient", "unease", -1)) == "M-10"
    poor = people(doctor={"goodwill": 1}, patient={"unease": 1})
    assert ruling(REFUSER, STEP, poor, token("patient", "unease", -1)) == "M-10"


def test_the_doctor_never_touches_himself_nor_another_place() -> None:
    board = people(doctor={"goodwill": 2, "unease": 1}, girl_student={"unease": 1})
    assert not fits(REFUSER, STEP, board, token("doctor", "unease", -1))
    assert not fits(REFUSER, STEP, board, token("girl_student", "unease", -1))


def test_theorist_and_doctor_are_two_uses() -> None:
    two = (token("patient", "unease"), token("nurse", "unease"))
    assert fits(REFUSER, STEP, WARD, *two)
    assert ruling(PERSON, STEP, WARD, *two) == "P-03"
    assert ruling(REFUSER, STEP, WARD, *two, token("doctor", "unease")) == "P-03"


def test_an_order_that_was_noted_counts() -> None:
    board = people(doctor={"goodwill": 2})
    up = token("patient", "unease", 1, ordered=True)
    down = token("patient", "unease", -1, ordered=True)
    assert fits(REFUSER, STEP, board, up, down)
    assert not fits(REFUSER, STEP, board, down, up)
    assert fits(REFUSER, STEP, board, token("patient", "unease", -1), token("patient", "unease"))


USE = ("use", {"who": "doctor", "ability": 2, "target": "patient", "choice": -1})


def use(outcome: str) -> tuple[str, str, dict[str, object]]:
    return "goodwill", "use", {**USE[1], "outcome": outcome}


def test_the_leader_cannot_use_what_the_mastermind_used_today() -> None:
    gone = token("patient", "unease", -1)
    board = people(doctor={"goodwill": 2}, patient={"unease": 2})
    taken = ("goodwill", "token", {"on": "patient", "token": "unease", "n": -1, "by_use": True})
    assert ruling(REFUSER, STEP, board, gone, use("resolved"), taken) == "M-11"
    assert fits(REFUSER, STEP, board, gone, use("nothing"))
    assert fits(REFUSER, STEP, board, gone, use("refused"))
    assert fits(REFUSER, STEP, board, use("resolved"), taken)


def test_a_quiet_use_by_the_mastermind_changes_nothing_that_can_be_seen() -> None:
    """On a target without Unease his use shows nothing; the Leader's may then be refused."""
    board = people(doctor={"goodwill": 2})
    assert fits(REFUSER, STEP, board, use("nothing"))
    assert fits(REFUSER, STEP, board, use("resolved"))


def test_the_machine_offers_exactly_what_may_be_done() -> None:
    view = view_of(REFUSER, WARD)
    offered = {
        (move.source, getattr(move.shows[0], "on", None), getattr(move.shows[0], "n", None))
        for source in mastermind.sources(view.world)
        for move in mastermind.moves(view, STEP, source)
        if move.shows
    }
    assert offered == {
        ("brain.intrigue", "school", 1),
        ("brain.intrigue", "boy_student", 1),
        ("brain.intrigue", "girl_student", 1),
        ("conspiracy_theorist.unease", "nurse", 1),
        ("conspiracy_theorist.unease", "doctor", 1),
        ("conspiracy_theorist.unease", "patient", 1),
        ("doctor.2", "nurse", 1),
        ("doctor.2", "patient", 1),
        ("doctor.2", "patient", -1),
    }


def test_net_changes_only() -> None:
    told = transcript(REFUSER, STEP, WARD, token("nurse", "unease"), announces="net")
    assert told.announces == "net"
    assert fits(REFUSER, STEP, WARD, token("nurse", "unease"), announces="net")
    assert not fits(REFUSER, STEP, WARD, token("nurse", "unease", 3), announces="net")
