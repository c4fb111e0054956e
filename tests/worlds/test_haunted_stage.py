"""Haunted Stage: known numbers of worlds, and what single observations leave of its plots."""

import json
from typing import Any

from assistant.deduction import Deduction
from assistant.transcript.jsonform import load
from assistant.worlds import Composition, Worlds
from assistant.worlds.twins import frontier_count
from engine.rules.model import RoleRule
from engine.rulings import DEFAULT_RULINGS
from engine.script import Sheet
from engine.sets.haunted_stage import HAUNTED_STAGE


def cast(size: int) -> tuple[str, ...]:
    cards = HAUNTED_STAGE.characters.values()
    return tuple(c.id for c in cards if c.role_rule is RoleRule.ANY and c.entry is None)[:size]


def test_girls_and_sexes_take_worlds_away() -> None:
    sheet = Sheet(set="haunted_stage", loops=3, days=4, cast=cast(9), cast_complete=True)
    composition = Composition.of(sheet, HAUNTED_STAGE, DEFAULT_RULINGS)
    worlds = Worlds(sheet, HAUNTED_STAGE, DEFAULT_RULINGS)
    assert worlds.count() == frontier_count(composition) < 4_543_200


# What one observation leaves of the 105 combinations (HS-30) -------------------------------

PEOPLE = ("boy_student", "girl_student", "teacher", "alien", "office_worker", "nurse", "patient")
COMPLETE = {"kind": "complete"}


def left(at: list[Any], board: dict[str, Any], *noted: dict[str, Any], then: Any = None) -> int:
    """Return how many combinations of plots a few records leave.

    Args:
        at: the step.
        board: what differs from the beginning of a loop.
        noted: the records of the step; it is complete.
        then: a step in which play went on.
    """
    listed = [{"at": at, **record} for record in (*noted, COMPLETE)]
    if then is not None:
        listed.append({"at": then, **COMPLETE})
    raw = {
        "format": "looper-transcript",
        "version": 1,
        "title": "",
        "sheet": {
            "set": "haunted_stage",
            "loops": 3,
            "days": 4,
            "players": 3,
            "cast": [*PEOPLE, "police_officer", "pop_idol", "journalist"],
            "cast_complete": True,
            "turf": {},
            "incidents": [],
            "special_rules": [],
        },
        "rulings": {},
        "announces": "every_token",
        "start": {"at": at, "board": board, "unknown": []},
        "records": listed,
    }
    combinations = Deduction.of(load(json.dumps(raw))).worlds.combinations()
    return sum(bool(number) for number in combinations.values())


GOODWILL, MASTERMIND, NIGHT = [1, 2, "goodwill"], [1, 2, "mastermind"], [1, 2, "night"]
NEXT_DAY = [1, 3, "day_start"]
REFUSED = {"kind": "use", "who": "office_worker", "ability": 3, "outcome": "refused"}


def unease(n: int) -> dict[str, Any]:
    return {"characters": {"office_worker": {"goodwill": 3, "unease": n}}}


def intrigue(place: str, n: int, **more: Any) -> dict[str, Any]:
    return {"locations": {place: {"intrigue": n}}, **more}


def token(on: str, token: str, n: int = 1) -> dict[str, Any]:
    return {"kind": "token", "on": on, "token": token, "n": n}


def test_refusals() -> None:
    assert left(GOODWILL, unease(0), REFUSED) == 85
    assert left(GOODWILL, unease(2), REFUSED) == 99


def test_intrigue_on_a_location_in_the_masterminds_step() -> None:
    """Of 30 combinations with Monster Intrigue 27 have a refuser; five of them only a Show-Off."""
    assert left(MASTERMIND, unease(2), token("city", "intrigue")) == 27
    assert left(MASTERMIND, unease(0), token("city", "intrigue")) == 22


def test_unease_in_the_masterminds_step() -> None:
    """Beside a corpse it may have come from that, otherwise only from a Theorist."""
    on = token("office_worker", "unease")
    assert left(MASTERMIND, {}, on) == 75
    dead = {"characters": {"journalist": {"at": "city", "alive": False}}}
    assert left(MASTERMIND, dead, on) == 93


def test_somebody_moved_in_the_masterminds_step() -> None:
    moved = {"kind": "moved", "who": "office_worker", "to": "hospital"}
    assert left(MASTERMIND, unease(2), moved) == 55


def test_a_curse_at_a_loop_start() -> None:
    assert left([1, 1, "loop_start"], {}, {"kind": "curse", "on": "city"}) == 45


def test_lost_by_a_death() -> None:
    dead = {"kind": "death", "who": "girl_student"}
    drop = {"kind": "curse", "on": "school", "from": "girl_student"}
    over = {"kind": "loop_over", "word": "lost"}
    assert left(NIGHT, {"curses": ["girl_student"]}, dead, drop, over) == 45


def test_six_unease_after_a_death() -> None:
    shared = {"curses": ["office_worker"]}
    dead = {"kind": "death", "who": "office_worker"}
    drop = {"kind": "curse", "on": "city", "from": "office_worker"}
    assert left(NIGHT, shared, dead, drop, token("nurse", "unease", 6), then=NEXT_DAY) == 30


def test_a_victim_that_walks_or_reads_as_a_zombie() -> None:
    walk = {"kind": "shifted", "token": "intrigue", "from": "shrine", "to": "school"}
    assert left(NIGHT, intrigue("shrine", 1), walk, then=NEXT_DAY) == 21


def test_a_death_at_night_after_which_play_goes_on() -> None:
    """Zombies are one source more where they may outnumber the living."""
    pair = {"characters": {"nurse": {"at": "shrine"}, "police_officer": {"at": "shrine"}}}
    alone = {**pair, "characters": {**pair["characters"], "alien": {"at": "city"}}}
    dead = {"kind": "death", "who": "nurse"}
    assert left(NIGHT, alone, dead, then=NEXT_DAY) == 65
    assert left(NIGHT, {**alone, **intrigue("shrine", 3)}, dead, then=NEXT_DAY) == 75


def test_who_survives_a_curse_cannot_die() -> None:
    for n, number in ((0, 75), (2, 42)):
        board = {**unease(n), "curses": ["office_worker"]}
        assert left(NIGHT, board, then=NEXT_DAY) == number
