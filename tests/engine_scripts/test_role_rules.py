"""Who may hold which role, and who may be whose culprit, rule by rule."""

import dataclasses
from typing import Literal

import pytest
from msgspec.structs import replace

from engine.legality import Rule, violations
from engine.rules.model import Plot, PlotKind, Quota
from engine.rulings import TableRulings
from engine.script import Script, ScriptIncident
from tests.engine_scripts.bare import ALL_SETS
from tests.engine_scripts.examples import FIRST_STEPS, PLAIN, broken, with_others

# Numbers of roles -----------------------------------------------------------------------


def test_plain_script_is_legal() -> None:
    assert violations(PLAIN) == []


@pytest.mark.parametrize("curmudgeons", range(4))
def test_a_range_of_holders_is_a_range(curmudgeons: int) -> None:
    who = ["boy_student", "girl_student", "teacher"]
    cast = {"alien": "friend", **dict.fromkeys(who[:curmudgeons], "curmudgeon")}
    script = with_others(replace(PLAIN, subplots=("a_hideous_script",)), **cast)
    assert broken(script) == ({Rule.ROLE_COUNT} if curmudgeons > 2 else set())


def basic_tragedy(main: str, subs: tuple[str, str], cast: dict[str, str]) -> Script:
    return Script(set="basic_tragedy", main_plot=main, subplots=subs, days=3, loops=(3,), cast=cast)


@pytest.mark.parametrize(("friends", "legal"), [(1, False), (2, True), (3, False)])
def test_limits_cap_the_sum_of_the_plots(friends: int, legal: bool) -> None:
    cast = {"doctor": "witch", "nurse": "conspiracy_theorist", "teacher": "serial_killer"}
    cast |= dict.fromkeys(["alien", "patient", "informant"][:friends], "friend")
    script = basic_tragedy("giant_time_bomb", ("circle_of_friends", "lurking_psychopath"), cast)
    assert (broken(script) == set()) is legal


def test_two_plots_add_one_holder_where_the_limit_is_one() -> None:
    subs = ("paranoia_virus", "an_unsettling_rumor")
    cast = {"doctor": "witch", "nurse": "conspiracy_theorist", "teacher": "person"}
    assert broken(basic_tragedy("giant_time_bomb", subs, cast)) == set()
    cast["teacher"] = "conspiracy_theorist"
    assert broken(basic_tragedy("giant_time_bomb", subs, cast)) == {Rule.ROLE_COUNT}


def test_the_girl_of_the_contract_is_a_girl() -> None:
    subs = ("paranoia_virus", "thread_of_fate")
    cast = {"alien": "key_person", "nurse": "conspiracy_theorist", "teacher": "person"}
    assert broken(basic_tragedy("sign_with_me", subs, cast)) == set()
    woman = cast | {"alien": "person", "teacher": "key_person"}
    assert broken(basic_tragedy("sign_with_me", subs, woman)) == {Rule.ROLE_TRAIT}
    copied = cast | {"copycat": "key_person"}
    assert broken(basic_tragedy("sign_with_me", subs, copied)) == set()
    by_copy_alone = cast | {"alien": "person", "copycat": "key_person"}
    assert Rule.ROLE_COUNT in broken(basic_tragedy("sign_with_me", subs, by_copy_alone))
    girl: dict[str, object] = {"kind": "trait_override", "character": "teacher", "add": ["girl"]}
    counted = replace(basic_tragedy("sign_with_me", subs, woman), special_rules=(girl,))
    assert broken(counted) == {Rule.SPECIAL_RULE}


def test_one_of_two_key_persons_has_to_be_the_girl() -> None:
    script = Script(
        set="haunted_stage",
        main_plot="the_noble_bloodline",
        subplots=("the_key_girl", "monster_intrigue"),
        days=3,
        loops=(3,),
        cast={
            "alien": "key_person",
            "nurse": "key_person",
            "doctor": "vampire",
            "teacher": "conspiracy_theorist",
        },
    )
    assert broken(script) == set()
    girls = {"alien": "person", "boy_student": "key_person"}
    assert broken(replace(script, cast=script.cast | girls)) == {Rule.ROLE_TRAIT}


@pytest.mark.parametrize(
    ("girls", "others", "holders", "legal"),
    [
        (Quota("lover", 1, 1, "girl"), Quota("lover", 0, 2), ("nurse",), False),
        (Quota("lover", 1, 1, "girl"), Quota("lover", 0, 2), ("nurse", "alien"), True),
        (Quota("lover", 0, 2, "girl"), Quota("lover", 1, 1), ("nurse", "doctor"), False),
        (Quota("lover", 0, 2, "girl"), Quota("lover", 1, 1), ("nurse",), True),
    ],
)
def test_ranges_of_two_kinds(
    girls: Quota, others: Quota, holders: tuple[str, ...], legal: bool
) -> None:
    rules = ALL_SETS["basic_tragedy"]
    odd = Plot("thread_of_fate", "Thread of Fate", PlotKind.SUB, (girls, others))
    changed = dataclasses.replace(rules, plots={**rules.plots, "thread_of_fate": odd})
    cast = {"teacher": "witch", "informant": "factor", **dict.fromkeys(holders, "lover")}
    script = basic_tragedy("giant_time_bomb", ("thread_of_fate", "unknown_factor"), cast)
    found = [violation.rule for violation in violations(script, rulebook=changed)]
    assert found == ([] if legal else [Rule.ROLE_TRAIT])


# Characters with rules of their own -----------------------------------------------------


@pytest.mark.parametrize("role", FIRST_STEPS.roles)
def test_mystery_boy_takes_no_role_of_the_plots(role: str) -> None:
    legal = role not in ("person", "brain", "conspiracy_theorist")
    assert broken(with_others(PLAIN, mystery_boy=role)) == (
        set() if legal else {Rule.OUTSIDE_PLOTS}
    )


def test_mystery_boy_may_be_a_curmudgeon_while_nobody_else_is() -> None:
    script = with_others(replace(PLAIN, subplots=("a_hideous_script",)), alien="friend")
    script = with_others(script, mystery_boy="curmudgeon")
    assert broken(script) == set()
    assert broken(with_others(script, copycat="curmudgeon")) == set()
    assert broken(with_others(script, teacher="curmudgeon")) == {Rule.OUTSIDE_PLOTS}


@pytest.mark.parametrize("reading", [True, None])
def test_mystery_boy_may_be_a_person_where_the_table_says_so(reading: bool | None) -> None:
    script = with_others(PLAIN, mystery_boy="person")
    assert broken(script, TableRulings({"mystery_boy_may_be_person": reading})) == set()


def test_copycat_needs_a_model_and_is_in_no_quota() -> None:
    for role in ("brain", "conspiracy_theorist", "person"):
        assert broken(with_others(PLAIN, copycat=role)) == set()
    assert broken(with_others(PLAIN, copycat="friend")) == {Rule.COPIES}
    assert broken(with_others(PLAIN, copycat="friend", mystery_boy="friend")) == set()


def test_model_of_the_copycat_may_enter_late() -> None:
    script = with_others(PLAIN, nurse="person", godly_being="brain", copycat="brain")
    assert broken(script) == {Rule.ENTRY}
    assert broken(replace(script, cast_extras={"godly_being": {"entry_loop": 3}})) == set()


def test_entry_may_lie_in_the_longest_game() -> None:
    script = with_others(PLAIN, godly_being="person")
    script = replace(script, cast_extras={"godly_being": {"entry_loop": 4}})
    assert broken(script) == {Rule.ENTRY}
    assert broken(replace(script, loops=(3, 4))) == set()


def test_start_may_be_named_where_a_special_rule_fixes_it() -> None:
    script = replace(
        with_others(PLAIN, henchman="person"), cast_extras={"henchman": {"start": "city"}}
    )
    assert broken(script) == {Rule.EXTRAS}
    rule: dict[str, object] = {"kind": "start_fixed", "character": "henchman", "location": "city"}
    assert broken(replace(script, special_rules=(rule,))) == set()
    elsewhere = replace(script, special_rules=({**rule, "location": "school"},))
    assert broken(elsewhere) == {Rule.EXTRAS}


# Second main plots and pairs ------------------------------------------------------------


def twisted(extra: str | None, **roles: str) -> Script:
    """Return a script of Weird Mythology with the plot Twisted Truth."""
    cast = {"informant": "witch", "doctor": "immortal", "nurse": "paranoiac"}
    cast["patient"] = "conspiracy_theorist"
    return Script(
        set="weird_mythology",
        main_plot="bloody_rites",
        subplots=("twisted_truth", "an_unsettling_rumor"),
        extra_main_plot=extra,
        days=3,
        loops=(3,),
        cast=cast | roles,
    )


def test_twisted_truth_brings_another_main_plot_and_the_informant() -> None:
    assert broken(twisted("giant_time_bomb_again")) == set()
    for wrong in (None, "bloody_rites", "twisted_truth", "the_end"):
        assert broken(twisted(wrong)) == {Rule.EXTRA_PLOT}
    script = twisted("giant_time_bomb_again")
    cast = {"alien": "witch", **{who: r for who, r in script.cast.items() if who != "informant"}}
    assert broken(replace(script, cast=cast)) == {Rule.NEEDED}


@pytest.mark.parametrize(
    ("reading", "none_added", "all_added"),
    [(None, True, True), (False, True, False), (True, False, True)],
)
def test_roles_of_the_second_main_plot_are_all_in_or_none_is(
    reading: bool | None, none_added: bool, all_added: bool
) -> None:
    rulings = TableRulings({"extra_plot_roles_in_cast": reading})
    none = twisted("the_king_in_yellow")
    one = twisted("the_king_in_yellow", teacher="cultist")
    both = twisted("the_king_in_yellow", teacher="cultist", alien="sacrifice")
    both = replace(both, incidents=(ScriptIncident(day=1, incident="uproar", culprit="alien"),))
    assert (broken(none, rulings) == set()) is none_added
    assert broken(one, rulings) == {Rule.ROLE_COUNT}
    assert (broken(both, rulings) == set()) is all_added
    boy = with_others(none, mystery_boy="cultist")
    assert (broken(boy, rulings) == set()) is none_added


@pytest.mark.parametrize(
    ("key_person", "vampire", "legal"),
    [
        ("nurse", "doctor", True),
        ("doctor", "alien", True),
        ("nurse", "alien", False),
        ("doctor", "patient", False),
        ("godly_being", "nurse", True),
        ("black_cat", "nurse", True),
    ],
)
def test_key_person_and_vampire_are_of_opposite_sex(
    key_person: str, vampire: str, legal: bool
) -> None:
    script = Script(
        set="haunted_stage",
        main_plot="the_noble_bloodline",
        subplots=("monster_intrigue", "a_love_affair"),
        days=3,
        loops=(3,),
        cast={
            "teacher": "conspiracy_theorist",
            "informant": "lover",
            "soldier": "loved_one",
            key_person: "key_person",
            vampire: "vampire",
        },
        cast_extras={"godly_being": {"entry_loop": 2}} if key_person == "godly_being" else {},
    )
    assert broken(script) == (set() if legal else {Rule.OPPOSITE_SEX})


def test_mobs_have_locations_for_culprits_each_once() -> None:
    def night(*culprits: str, kind: Literal["mob", "character"] = "mob") -> set[Rule]:
        names = ("night_of_madness", "awakened_curse")
        return broken(
            Script(
                set="haunted_stage",
                main_plot="moonlight_beast",
                subplots=("monster_intrigue", "a_love_affair"),
                days=3,
                loops=(3,),
                cast={
                    "teacher": "conspiracy_theorist",
                    "informant": "lover",
                    "soldier": "loved_one",
                    "nurse": "werewolf",
                },
                incidents=tuple(
                    ScriptIncident(day=day, incident=name, culprit=who, culprit_kind=kind)
                    for day, (name, who) in enumerate(zip(names, culprits, strict=True), 1)
                ),
            )
        )

    assert night("school", "city") == set()
    assert night("school", "school") == {Rule.CULPRIT_TWICE}
    assert night("school", "nurse") == {Rule.CULPRIT}
    assert night("school", "city", kind="character") == {Rule.CULPRIT}


# Culprits -------------------------------------------------------------------------------


def mystery_circle(*incidents: tuple[str, str]) -> Script:
    """Return a script with a Twin, a Paranoiac, and a Copycat of the Twin."""
    return Script(
        set="mystery_circle",
        main_plot="the_black_school",
        subplots=("tricky_twins", "i_am_a_master_detective"),
        days=5,
        loops=(3,),
        cast={
            "alien": "twin",
            "nurse": "paranoiac",
            "doctor": "private_investigator",
            "teacher": "conspiracy_theorist",
            "patient": "friend",
            "informant": "brain",
            "copycat": "twin",
        },
        incidents=tuple(
            ScriptIncident(day=day, incident=incident, culprit=culprit)
            for day, (incident, culprit) in enumerate(incidents, 1)
        ),
    )


def test_one_culprit_of_several_serial_murders() -> None:
    murder, suicide = ("serial_murder", "alien"), ("suicide", "alien")
    assert broken(mystery_circle(murder, murder, murder)) == set()
    assert broken(mystery_circle(murder, suicide)) == {Rule.CULPRIT_TWICE}
    assert broken(mystery_circle(suicide, suicide)) == {Rule.CULPRIT_TWICE}


def test_roles_that_must_and_must_not_be_culprits() -> None:
    twin, nurse = ("suicide", "alien"), ("portent", "nurse")
    assert broken(mystery_circle(nurse)) == {Rule.MUST_BE_CULPRIT}
    assert broken(mystery_circle(twin, ("portent", "doctor"))) == {Rule.NEVER_CULPRIT}
    outsider = replace(mystery_circle(twin), cast=mystery_circle().cast | {"mystery_boy": "fool"})
    assert broken(outsider) == {Rule.MUST_BE_CULPRIT}


def test_copies_are_exempt_from_what_culprits_must_be() -> None:
    twin, copy = ("suicide", "alien"), ("portent", "copycat")
    assert broken(mystery_circle(twin)) == set()
    investigator = mystery_circle().cast | {"copycat": "private_investigator"}
    assert broken(replace(mystery_circle(twin, copy), cast=investigator)) == set()
