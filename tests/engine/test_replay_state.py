"""Replay step by step: resumed games, late starts, withdrawn testimony, scripts that do not fit."""

from typing import Any

import msgspec
import pytest

from engine.records import Complete, Transcript
from engine.replay import Replayer, ReplayState, misfit, replay
from engine.rulings import TableRulings
from engine.sets import RULEBOOKS
from engine.table import compile_table
from tests.engine.tools import (
    FIRST,
    OWN,
    fits,
    people,
    played,
    record,
    ruling,
    script,
    sheet,
    transcript,
)


def prefix(told: Transcript, count: int) -> Transcript:
    return msgspec.structs.replace(told, records=told.records[:count])


def test_advancing_step_by_step_is_the_same_as_replaying_the_whole() -> None:
    game = played(0, 2)
    table = compile_table(game.transcript)
    replayer = Replayer(table)
    for secret in OWN:
        state = replayer.begin(secret)
        for step in table.steps:
            before = state.possible
            assert state.advance(step) is (before and state.possible)
        whole = replay(table, secret)
        verdict = state.verdict()
        assert (verdict.possible, verdict.at, verdict.ruling) == (
            whole.possible,
            whole.at,
            whole.ruling,
        )


def test_a_missing_step_is_an_error() -> None:
    table = compile_table(played(0, 2).transcript)
    state = Replayer(table).begin(OWN[0])
    state.advance(table.steps[0])
    with pytest.raises(ValueError, match="does not follow"):
        state.advance(table.steps[2])


def test_a_game_is_resumed_record_by_record() -> None:
    """As records come in, a state carried on says what a fresh replay says."""
    game = played(1, 4)
    told = game.transcript
    states: dict[int, ReplayState] = {}
    scripts = {0: OWN[1], 1: script_with_roles_swapped()}
    for count in range(1, len(told.records), 7):
        replayer = Replayer(compile_table(prefix(told, count)))
        for number, secret in scripts.items():
            if number in states:
                states[number] = states[number].resume(replayer)
            else:
                states[number] = replayer.begin(secret).resume(replayer)
            fresh = replayer.run(secret)
            carried = states[number].verdict()
            assert (carried.possible, carried.at, carried.ruling) == (
                fresh.possible,
                fresh.at,
                fresh.ruling,
            ), count
    assert states[0].possible


def script_with_roles_swapped() -> Any:
    roles = dict(OWN[1].cast)
    roles["henchman"], roles["boy_student"] = roles["boy_student"], roles["henchman"]
    return msgspec.structs.replace(OWN[1], cast=roles)


def test_an_earlier_change_starts_the_replay_anew() -> None:
    told = played(1, 4).transcript
    whole = Replayer(compile_table(told))
    state = whole.begin(OWN[1]).resume(whole)
    changed = msgspec.structs.replace(
        told, records=tuple(r for n, r in enumerate(told.records) if n != 4)
    )
    again = Replayer(compile_table(changed))
    assert state.resume(again).verdict() == again.run(OWN[1])


def test_prefixes_of_a_true_game_stay_possible() -> None:
    for number, seed in ((0, 1), (2, 3)):
        told = played(number, seed).transcript
        for count in range(1, len(told.records) + 1, 11):
            table = compile_table(prefix(told, count))
            assert replay(table, OWN[number]).possible, count


def test_knowledge_withdrawn_loses_nothing() -> None:
    """A doubtful record, an incomplete step: the truth is never lost by knowing less."""
    for number, seed in ((0, 3), (1, 1), (3, 2)):
        told = played(number, seed).transcript
        for place in range(0, len(told.records), 9):
            one = told.records[place]
            doubted = list(told.records)
            doubted[place] = msgspec.structs.replace(one, doubt=True)
            unclosed = [r for r in told.records if not (isinstance(r, Complete) and r.at == one.at)]
            for changed in (doubted, unclosed):
                if isinstance(one, Complete) or not changed:
                    continue
                less = msgspec.structs.replace(told, records=tuple(changed))
                verdict = replay(compile_table(less), OWN[number])
                assert verdict.possible, (number, seed, place, one, verdict)


# Late starts ------------------------------------------------------------------------------------


def test_a_game_may_start_at_any_step() -> None:
    told = played(2, 1).transcript
    table = compile_table(told)
    for step in table.steps[::13]:
        board = {
            "characters": {
                who: {
                    "at": card.at,
                    "alive": bool(card.alive),
                    "goodwill": card.goodwill,
                    "unease": card.unease,
                    "intrigue": card.intrigue,
                    "guard": card.guard,
                }
                for who, card in step.before.cards.items()
            },
            "locations": {on: {"intrigue": n} for on, n in step.before.intrigue.items()},
            "starts": dict(step.before.starts),
            "leader": step.before.leader,
            "spent": step.before.spent,
            "occurred": [day for day, fact in step.before.occurred.items() if fact],
            "revealed": dict(step.before.revealed),
            "used": {who: sorted(keys) for who, keys in step.before.used.items()},
            "effects": [
                {"kind": kind, "on": on}
                for (kind, on) in step.before.effects
                if step.before.effect(kind, on)
            ],
        }
        if any(step.before.effect(kind, on) == 1 for kind, on in step.before.effects):
            continue  # a late start tells only of effects that are known
        later = [other for other in table.steps if other.index >= step.index]
        late = transcript(OWN[2], step.at, board, *(), complete=False, announces=told.announces)
        late = msgspec.structs.replace(
            late, sheet=told.sheet, records=tuple(r for other in later for r in other.records)
        )
        assert replay(compile_table(late), OWN[2]).possible, step.at


def test_uses_before_a_late_start_may_or_may_not_have_happened() -> None:
    secret = script(
        ("first_steps", "a_place_to_protect", ("an_unsettling_rumor",)),
        {"nurse": "key_person", "alien": "cultist", "doctor": "conspiracy_theorist"},
    )
    token = ("token", {"on": "city", "token": "intrigue", "n": 1})
    assert fits(secret, (1, 3, "mastermind"), {}, token)


# Scripts that do not fit ---------------------------------------------------------------------


BASE = script(
    FIRST,
    {"nurse": "brain", "doctor": "conspiracy_theorist"},
    "alien",
    incidents=((2, "suicide", "alien"),),
)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"set": "basic_tragedy"}, "another tragedy set"),
        ({"days": 5}, "5 days"),
        ({"loops": (4,)}, "4 loops"),
        ({"cast": {**BASE.cast, "teacher": "person"}}, "not on the table"),
        ({"cast": {"nurse": "brain", "doctor": "conspiracy_theorist"}}, "has no such card"),
        ({"cast": {**BASE.cast, "alien": "witch"}}, "unknown role"),
        ({"incidents": ()}, "day 2"),
        ({"cast": {**BASE.cast, "godly_being": "person"}}, "not on the table"),
        ({"special_rules": ({"kind": "final_guess", "value": True},)}, "special rules"),
        ({"special_rules": ({"kind": "the_moon_falls"},)}, "Not modelled"),
    ],
)
def test_a_script_that_does_not_fit_the_sheet_is_not_possible(change: Any, why: str) -> None:
    table = compile_table(transcript(BASE, (1, 2, "mastermind"), {}))
    assert replay(table, BASE).possible
    verdict = replay(table, msgspec.structs.replace(BASE, **change))
    assert not verdict.possible
    assert verdict.at is None
    assert verdict.why is not None
    assert why in verdict.why


def test_a_turf_has_to_agree() -> None:
    rules = RULEBOOKS["basic_tragedy"]
    secret = script(
        ("basic_tragedy", "giant_time_bomb", ("paranoia_virus", "thread_of_fate")),
        {"boss": "witch", "doctor": "conspiracy_theorist"},
        extras={"boss": {"turf": "city"}},
    )
    assert misfit(rules, sheet(secret, turf={"boss": "city"}), secret) is None
    failure = misfit(rules, sheet(secret, turf={"boss": "school"}), secret)
    assert failure is not None
    assert failure.ruling == "K-Boss"


def test_legality_is_asked_for_on_demand() -> None:
    twice = msgspec.structs.replace(BASE, cast={**BASE.cast, "alien": "brain"})
    table = compile_table(transcript(twice, (1, 2, "mastermind"), {}))
    assert replay(table, twice).possible
    verdict = Replayer(table, legal=True).run(twice)
    assert not verdict.possible
    assert verdict.ruling == "P-09"
    rulings = TableRulings({"script_obeys_creation_rules": False})
    open_table = compile_table(transcript(twice, (1, 2, "mastermind"), {}), rulings=rulings)
    assert Replayer(open_table, legal=True).run(twice).possible


def test_a_record_that_breaks_a_public_rule_is_no_scripts_doing() -> None:
    use = ("use", {"who": "nurse", "ability": 2, "target": "doctor", "outcome": "resolved"})
    assert ruling(BASE, (1, 2, "goodwill"), {}, use) == "G-02"
    early = people(nurse={"alive": False})
    assert ruling(BASE, (1, 2, "night"), early, ("death", {"who": "nurse"})) == "B-06"


# Late characters (Basic Tragedy's cards in First Steps) ------------------------------------


def test_late_characters_enter_when_the_script_says() -> None:
    secret = script(
        FIRST,
        {"nurse": "brain", "doctor": "conspiracy_theorist"},
        *("godly_being", "transfer_student"),
        extras={"godly_being": {"entry_loop": 2}, "transfer_student": {"entry_day": 3}},
    )
    open_sheet = msgspec.structs.replace(
        sheet(secret), cast=("nurse", "doctor"), cast_complete=False
    )

    def possible(at: tuple[int, int, str], *told: Any, complete: bool = True) -> bool:
        listed = [record(at, kind, **fields) for kind, fields in told]
        if complete:
            listed.append(record(at, "complete"))
        late = transcript(secret, at, {})
        late = msgspec.structs.replace(late, sheet=open_sheet, records=tuple(listed))
        return replay(compile_table(late), secret).possible

    godly = ("enters", {"who": "godly_being", "where": "shrine"})
    student = ("enters", {"who": "transfer_student", "where": "school"})
    assert possible((2, 1, "loop_start"), godly)
    assert not possible((2, 1, "loop_start"))
    assert possible((2, 1, "loop_start"), complete=False)
    assert not possible((1, 1, "loop_start"), godly)
    assert possible((1, 3, "day_start"), student)
    assert not possible((1, 3, "day_start"))
    assert not possible((1, 2, "day_start"), student)
    assert possible((2, 3, "day_start"), student)
