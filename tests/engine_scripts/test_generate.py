"""Random scripts are legal and reach everything; near misses and sheets look as they should."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.cast import CHARACTERS
from engine.generate import (
    near_miss,
    plot_combinations,
    random_script,
    sheet_of,
)
from engine.legality import violations
from engine.rules.model import Entry, RoleRule
from engine.script import Script, ScriptIncident
from engine.sets import RULEBOOKS
from engine.words import LOCATIONS, PERSON
from tests.engine_scripts import reference
from tests.engine_scripts.bare import ALL_SETS

SETS = list(ALL_SETS)


@cache
def many(set_id: str) -> tuple[Script, ...]:
    """Return 2,000 scripts of a set that is modelled, fewer of the others."""
    rng = Random(set_id)
    number = 2000 if set_id in RULEBOOKS else 1500
    return tuple(random_script(ALL_SETS[set_id], rng) for _ in range(number))


# Random scripts -------------------------------------------------------------------------


@pytest.mark.parametrize("set_id", SETS)
def test_random_scripts_obey_the_printed_rules(set_id: str) -> None:
    for script in many(set_id):
        check_plots_and_roles(script)
        check_incidents(script)


def check_plots_and_roles(script: Script) -> None:
    """Compare a script with the figures of its set, which the generator does not read."""
    figures = reference.figures()["sets"][script.set]
    plots = [figures["plots"][plot] for plot in script.plots()]
    assert [plot["kind"] for plot in plots] == ["main", *["sub"] * figures["subplots_per_script"]]
    assert len({*script.plots()}) == len(plots)
    cast = dict(script.cast)
    copied = cast.pop("copycat", None)
    assert copied is None or copied in cast.values()
    quotas = [quota for plot in plots for quota in plot["roles"]]
    outside = cast.pop("mystery_boy", None)
    assert outside not in (PERSON, *(role for role, _, _, _ in quotas))
    assert (script.extra_main_plot is not None) == ("twisted_truth" in script.subplots)
    if script.extra_main_plot is not None:
        assert script.extra_main_plot != script.main_plot
        assert "informant" in script.cast
        more = figures["plots"][script.extra_main_plot]["roles"]
        held = Counter(role for role in cast.values() if role != PERSON)
        assert held in (capped(figures, quotas), capped(figures, [*quotas, *more]))
        return
    assert cast.get("ai") != PERSON
    held = Counter(role for role in cast.values() if role != PERSON)
    assert held.keys() <= {role for role, _, _, _ in quotas}
    for role in {role for role, _, _, _ in quotas}:
        limit = figures["roles"][role]["limit"] or 99
        least = sum(low for name, low, _, _ in quotas if name == role)
        most = sum(high for name, _, high, _ in quotas if name == role)
        assert min(least, limit) <= held[role] <= min(most, limit)
        girls = sum(kind == "trait:girl" for name, _, _, kind in quotas if name == role)
        holders = [who for who in cast if cast[who] == role]
        assert sum("girl" in CHARACTERS[who].traits for who in holders) >= girls


def capped(figures: dict[str, Any], quotas: list[Any]) -> Counter[str]:
    """Return how many hold each role where no plot leaves a choice."""
    numbers: Counter[str] = Counter()
    for role, least, most, _ in quotas:
        assert least == most
        numbers[role] = min(numbers[role] + least, figures["roles"][role]["limit"] or 99)
    return numbers


def check_incidents(script: Script) -> None:
    """Compare the schedule of a script with the figures of its set."""
    figures = reference.figures()["sets"][script.set]
    days = [item.day for item in script.incidents]
    assert days == sorted({*days})
    assert {*days} <= {*range(1, script.days + 1)}
    deeds: dict[str, list[str]] = {}
    for item in script.incidents:
        deeds.setdefault(item.culprit, []).append(item.incident)
    mobs = [item for item in script.incidents if item.culprit_kind == "mob"]
    assert all(figures["incidents"][item.incident]["mob"] is not None for item in mobs)
    assert deeds.keys() <= script.cast.keys() | {item.culprit for item in mobs}
    assert {item.culprit for item in mobs} <= {*LOCATIONS}
    for names in deeds.values():
        reusable = figures["incidents"][names[0]]["culprit_reusable"]
        assert len(names) == 1 or ({*names} == {names[0]} and reusable)
    for who, role in script.cast.items():
        if who != "copycat":
            assert who in deeds or not figures["roles"][role]["must_be_culprit"]
            assert who not in deeds or not figures["roles"][role]["never_culprit"]


@pytest.mark.parametrize("set_id", SETS)
def test_random_scripts_reach_every_plot_combination_evenly(set_id: str) -> None:
    combinations = plot_combinations(ALL_SETS[set_id])
    assert len(combinations) == (9 if set_id == "first_steps" else 105)
    found = Counter(frozenset(script.plots()) for script in many(set_id))
    assert found.keys() == {frozenset(plot.id for plot in plots) for plots in combinations}
    fair = len(many(set_id)) / len(combinations)
    assert min(found.values()) > fair / 8
    assert max(found.values()) < fair * 3


@pytest.mark.parametrize("set_id", SETS)
def test_random_scripts_reach_every_role_incident_and_character(set_id: str) -> None:
    rules, scripts = ALL_SETS[set_id], many(set_id)
    added = {quota.role for plot in rules.plots.values() for quota in plot.roles} | {PERSON}
    held: dict[RoleRule, set[str]] = {rule: set() for rule in RoleRule}
    for script in scripts:
        for who, role in script.cast.items():
            held[rules.characters[who].role_rule].add(role)
    assert held[RoleRule.ANY] == added
    assert held[RoleRule.NOT_PERSON] == added - {PERSON}
    combinations = plot_combinations(rules)
    everywhere = {
        role
        for role in rules.roles
        if all(any(role == q.role for p in plots for q in p.roles) for plots in combinations)
    }
    assert held[RoleRule.OUTSIDE_PLOTS] == rules.roles.keys() - {PERSON} - everywhere
    assert held[RoleRule.COPIES] >= added
    assert {item.incident for script in scripts for item in script.incidents} == {*rules.incidents}
    seen = Counter(who for script in scripts for who in script.cast)
    assert seen.keys() == rules.characters.keys()
    assert min(seen.values()) > max(seen.values()) / 2
    culprits = {
        kind: {i.culprit for s in scripts for i in s.incidents if i.culprit_kind == kind}
        for kind in ("character", "mob")
    }
    assert culprits["character"] == {*seen}
    assert culprits["mob"] == ({*LOCATIONS} if set_id == "haunted_stage" else set())
    extra = {script.extra_main_plot for script in scripts} - {None}
    mains = {plot.id for plot in rules.main_plots()}
    assert extra == (mains if set_id == "weird_mythology" else set())


@pytest.mark.parametrize("set_id", SETS)
def test_random_scripts_have_all_sizes(set_id: str) -> None:
    scripts = many(set_id)
    assert {len(script.cast) for script in scripts} == set(range(5, 13))
    assert {script.days for script in scripts} == {3, 4, 5, 6}
    assert {script.loops for script in scripts} == {(2,), (3,), (4,)}
    assert {len(script.incidents) for script in scripts} >= set(range(1, 7))


@pytest.mark.parametrize("set_id", SETS)
def test_random_choices_of_the_cards_are_all_made(set_id: str) -> None:
    scripts = many(set_id)
    extras = {
        (who, key, value)
        for script in scripts
        for who, choices in script.cast_extras.items()
        for key, value in choices.items()
    }
    assert not any(key.startswith("entry") and value == 1 for _, key, value in extras)
    for card in CHARACTERS.values():
        if card.entry is Entry.LOOP:
            assert {(card.id, "entry_loop", n) for n in (2, 3, 4)} <= extras
        elif card.entry is Entry.DAY:
            assert {(card.id, "entry_day", n) for n in range(2, 7)} <= extras
        elif card.has_turf:
            places = ("hospital", "shrine", "city", "school")
            assert {(card.id, "turf", place) for place in places} <= extras


def test_random_curmudgeons_are_none_one_or_two() -> None:
    found: Counter[int] = Counter()
    for script in many("first_steps"):
        ordinary = [
            role
            for who, role in script.cast.items()
            if CHARACTERS[who].role_rule in (RoleRule.ANY, RoleRule.NOT_PERSON)
        ]
        if "a_hideous_script" in script.subplots:
            found[ordinary.count("curmudgeon")] += 1
            assert script.cast.get("mystery_boy") != "curmudgeon"
    assert found.keys() == {0, 1, 2}
    assert min(found.values()) > 100


def test_random_serial_murders_may_share_a_culprit() -> None:
    culprits = [
        Counter(item.culprit for item in script.incidents) for script in many("mystery_circle")
    ]
    assert any(max(count.values(), default=0) > 1 for count in culprits)


def test_one_seed_gives_one_script() -> None:
    for set_id, rules in ALL_SETS.items():
        first, again = (random_script(rules, Random(f"{set_id} 1")) for _ in range(2))
        assert first == again
        assert list(first.cast) == list(again.cast)
        near, near_again = (near_miss(first, Random(3), rules) for _ in range(2))
        assert near == near_again


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_what_is_asked_for_is_given(set_id: str) -> None:
    rules, rng = RULEBOOKS[set_id], Random(8)
    plots = [plot.id for plot in plot_combinations(rules)[-1]]
    rule: dict[str, object] = {"kind": "final_guess", "value": False}
    for _ in range(50):
        script = random_script(
            rules,
            rng,
            size=8,
            days=4,
            loops=2,
            plots=plots,
            include=("copycat", "ai"),
            exclude=("mystery_boy", "godly_being", "transfer_student"),
            special_rules=(rule,),
        )
        assert {*script.plots()} == {*plots}
        assert (len(script.cast), script.days, script.loops) == (8, 4, (2,))
        assert {"copycat", "ai"} <= script.cast.keys()
        assert not {"mystery_boy", "godly_being", "transfer_student"} & script.cast.keys()
        assert script.special_rules == (rule,)
        assert not script.plain
        assert sheet_of(script).cast_complete


def test_what_cannot_be_given_is_refused() -> None:
    rules = RULEBOOKS["first_steps"]
    asked: list[dict[str, Any]] = [
        {"plots": ("a_place_to_protect",)},
        {"include": ("servant",)},
        {"size": 2, "plots": ("premeditated_murder", "shadow_of_the_ripper")},
        {"size": 3, "exclude": tuple(CHARACTERS)[:-2]},
    ]
    for wrong in asked:
        with pytest.raises(ValueError, match="no legal script"):
            random_script(rules, Random(1), **wrong)


# Near misses ----------------------------------------------------------------------------


@pytest.mark.parametrize("set_id", SETS)
def test_near_misses_are_legal_and_look_the_same(set_id: str) -> None:
    rules, rng = ALL_SETS[set_id], Random(4)
    kinds: Counter[tuple[str, int, int]] = Counter()
    for script in many(set_id)[:200]:
        near = near_miss(script, rng, rules)
        assert near != script
        assert violations(near, rulebook=rules) == []
        assert sheet_of(near) == sheet_of(script)
        assert list(near.cast) == list(script.cast)
        assert near.cast_extras == script.cast_extras
        plots = len({*near.plots()} - {*script.plots()})
        plots += near.extra_main_plot != script.extra_main_plot and not plots
        roles = sum(near.cast[who] != role for who, role in script.cast.items())
        culprits = sum(
            one.culprit != two.culprit
            for one, two in zip(near.incidents, script.incidents, strict=True)
        )
        assert plots in (0, 1)
        if plots:
            assert culprits == 0
        else:
            assert {roles, culprits} in ({0, 1}, {0, 2})
        kinds["plot" if plots else "role" if roles else "culprit", roles, culprits] += 1
    assert {kind for kind, _, _ in kinds} == {"plot", "role", "culprit"}
    assert {roles for kind, roles, _ in kinds if kind == "role"} == {1, 2}
    assert {culprits for kind, _, culprits in kinds if kind == "culprit"} == {1, 2}


def test_lonely_script_has_no_near_miss() -> None:
    rules = RULEBOOKS["first_steps"]
    alone = Script(
        set="first_steps",
        main_plot="fire_of_the_avenger",
        subplots=("an_unsettling_rumor",),
        days=1,
        loops=(1,),
        cast={"nurse": "brain", "ai": "conspiracy_theorist"},
    )
    swapped = near_miss(alone, Random(1), rules)
    assert swapped.cast == {"nurse": "conspiracy_theorist", "ai": "brain"}
    with pytest.raises(ValueError, match="single secret"):
        near_miss(replace(alone, cast={}), Random(1), rules)


# Open sheets ----------------------------------------------------------------------------


def late(**extras: dict[str, object]) -> Script:
    """Return a script with a Boss and the late characters named."""
    cast = {"nurse": "brain", "boss": "conspiracy_theorist", "boy_student": "person"}
    return Script(
        set="first_steps",
        main_plot="fire_of_the_avenger",
        subplots=("an_unsettling_rumor",),
        days=3,
        loops=(3, 4),
        cast={**cast, **dict.fromkeys(extras, "person")},
        cast_extras={"boss": {"turf": "shrine"}, **extras},
        incidents=(ScriptIncident(day=2, incident="suicide", culprit="nurse"),),
    )


def test_sheet_shows_what_is_public_and_no_more() -> None:
    sheet = sheet_of(late(), players=2)
    assert {*sheet.cast} == {"boy_student", "boss", "nurse"}
    assert (sheet.loops, sheet.days, sheet.players) == (3, 3, 2)
    assert sheet.turf == {"boss": "shrine"}
    assert [(item.day, item.incident) for item in sheet.incidents] == [(2, "suicide")]
    assert sheet.cast_complete


def test_order_of_a_sheet_tells_nothing() -> None:
    script = late()
    turned = replace(script, cast=dict(reversed(script.cast.items())))
    assert sheet_of(turned) == sheet_of(script)
    for other in many("basic_tragedy")[:50]:
        assert list(sheet_of(other).cast) == [
            who for who in CHARACTERS if who in sheet_of(other).cast
        ]


def test_late_characters_are_not_on_the_sheet() -> None:
    script = late(godly_being={"entry_loop": 2}, transfer_student={"entry_day": 3})
    assert violations(script) == []
    assert sheet_of(script) == replace(sheet_of(late()), cast_complete=False)


def test_who_enters_at_once_is_on_the_sheet() -> None:
    sheet = sheet_of(late(godly_being={"entry_loop": 1}, transfer_student={"entry_day": 1}))
    assert {"godly_being", "transfer_student"} <= {*sheet.cast}
    assert sheet.cast_complete


def test_number_of_loops_is_one_of_the_script() -> None:
    assert sheet_of(late(), 4).loops == 4
    with pytest.raises(ValueError, match="5"):
        sheet_of(late(), 5)
    talk: dict[str, object] = {"kind": "table_talk", "value": "optional", "loops_if_off": 1}
    assert sheet_of(replace(late(), special_rules=(talk,)), 5).loops == 5


def test_secret_rules_are_not_on_the_sheet() -> None:
    rules: tuple[dict[str, object], ...] = (
        {"kind": "final_guess", "value": True},
        {"kind": "secret_rule", "public": False},
    )
    assert sheet_of(replace(late(), special_rules=rules)).special_rules == rules[:1]
