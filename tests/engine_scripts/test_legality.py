"""Published scripts are legal, damaged ones are not, and every reason is named."""

import itertools
from random import Random

import pytest
from msgspec.structs import replace

from engine.generate import random_script
from engine.legality import CREATION_RULES, Rule, is_modelled, violations
from engine.rulings import TableRulings
from engine.script import ScriptIncident
from engine.sets import RULEBOOKS
from engine.special_rules import MODELLED_SPECIAL_RULES
from tests.engine_scripts.bare import ALL_SETS, PUBLISHED
from tests.engine_scripts.damage import DAMAGES
from tests.engine_scripts.examples import FIRST_STEPS, PLAIN, broken, with_others

# Published scripts ----------------------------------------------------------------------


def test_published_scripts_are_at_hand() -> None:
    if not PUBLISHED:
        pytest.skip("the published scripts are not at hand (LOOPER_REFERENCE)")
    for set_id in {script.set for script in PUBLISHED.values()} - RULEBOOKS.keys():
        assert set_id in ALL_SETS


@pytest.mark.parametrize("script_id", PUBLISHED)
def test_published_script_is_legal_or_refused_by_name(script_id: str) -> None:
    script = PUBLISHED[script_id]
    kinds = [str(rule["kind"]) for rule in script.special_rules]
    refused = [kind for kind in kinds if kind not in MODELLED_SPECIAL_RULES]
    found = violations(script, rulebook=ALL_SETS[script.set])
    texts = [violation.text for violation in found if violation.rule is Rule.SPECIAL_RULE]
    assert len(texts) == len(refused)
    assert all(kind in text for kind, text in zip(refused, texts, strict=True))
    assert len(found) == len(refused)


@pytest.mark.parametrize("script_id", PUBLISHED)
def test_what_is_not_modelled_is_named(script_id: str) -> None:
    script = PUBLISHED[script_id]
    names = is_modelled(script)
    assert (f"the tragedy set {script.set}" in names) == (script.set not in RULEBOOKS)
    for rule in script.special_rules:
        kind = rule["kind"]
        assert any(f"{kind} " in name for name in names) == (kind not in MODELLED_SPECIAL_RULES)


def test_missing_parts_are_named() -> None:
    script = replace(
        with_others(PLAIN, metaworld_denizen="person"),
        special_rules=({"kind": "secret_rule", "text": "nobody knows"},),
    )
    assert is_modelled(script) == [
        "the character metaworld_denizen",
        "the special rule secret_rule (nobody knows) is not modelled",
    ]
    assert is_modelled(PLAIN) == []


# Damaged scripts ------------------------------------------------------------------------


def test_a_thousand_damaged_scripts_are_caught_with_the_right_rule() -> None:
    rng = Random(2024)
    legal = [script for script in PUBLISHED.values() if not broken(script)]
    legal += [random_script(rules, rng) for rules in ALL_SETS.values() for _ in range(80)]
    caught = dict.fromkeys(Rule, 0)
    for rule, damage in itertools.cycle(DAMAGES):
        if sum(caught.values()) == 1000:
            break
        rng.shuffle(legal)
        tried = (damage(script, rng, ALL_SETS[script.set]) for script in legal)
        damaged = next(script for script in tried if script is not None)
        assert rule in broken(damaged), (damage.__name__, damaged)
        caught[rule] += 1
    assert min(caught.values()) > 20


def test_a_violation_reads_well() -> None:
    rng = Random(7)
    for _, damage in DAMAGES:
        script = random_script(FIRST_STEPS, rng, include=("boss", "godly_being", "ai"))
        damaged = damage(script, rng, FIRST_STEPS)
        for found in violations(damaged) if damaged is not None else ():
            assert found.text
            assert found.remedy
            assert not {"\n", "  "} & {*found.text, *found.remedy}
            assert found.text.endswith("A.I.") or found.text[-1] not in " .,:;"
            assert all(ruling[0].isupper() for ruling in found.rulings)


def test_every_reason_is_named_at_once() -> None:
    script = replace(
        with_others(
            PLAIN, boss="brain", ai="person", copycat="friend", mystery_boy="brain", nurce="vilain"
        ),
        main_plot="shadow_of_the_ripper",
        loops=(),
        cast_extras={"godly_being": {"entry_loop": 1}},
        incidents=(
            ScriptIncident(day=4, incident="picnic", culprit="nurse"),
            ScriptIncident(day=4, incident="homicide", culprit="nurse"),
            ScriptIncident(day=1, incident="suicide", culprit="alien"),
        ),
        special_rules=({"kind": "secret_rule"},),
    )
    assert broken(script) == {
        Rule.MAIN_PLOT,
        Rule.LOOPS,
        Rule.CHARACTER,
        Rule.ROLE,
        Rule.TURF,
        Rule.EXTRAS,
        Rule.NOT_PERSON,
        Rule.COPIES,
        Rule.INCIDENT,
        Rule.INCIDENT_DAY,
        Rule.ONE_A_DAY,
        Rule.CULPRIT,
        Rule.CULPRIT_TWICE,
        Rule.SPECIAL_RULE,
    }


def test_near_names_are_proposed() -> None:
    script = replace(
        with_others(PLAIN, nurce="brian"),
        incidents=(ScriptIncident(day=1, incident="suicid", culprit="nurse"),),
        main_plot="fire_of_avenger",
        set="first_steps",
    )
    remedies = {found.rule: found.remedy for found in violations(script)}
    assert "nurse" in remedies[Rule.CHARACTER]
    assert "brain" in remedies[Rule.ROLE]
    assert "suicide" in remedies[Rule.INCIDENT]
    assert "fire_of_the_avenger" in remedies[Rule.MAIN_PLOT]
    (unknown,) = violations(replace(PLAIN, set="frist_steps"))
    assert unknown.rule is Rule.SET
    assert "first_steps" in unknown.remedy
    (far,) = violations(with_others(PLAIN, qqqqqqqq="person"))
    assert "nurse" in far.remedy


@pytest.mark.parametrize("reading", [False, None])
def test_scripts_need_not_obey_the_creation_rules_where_the_table_says_so(
    reading: bool | None,
) -> None:
    rng = Random(5)
    rulings = TableRulings({"script_obeys_creation_rules": reading})
    for rule, damage in DAMAGES * 5:
        script = random_script(rng.choice(list(ALL_SETS.values())), rng)
        damaged = damage(script, rng, ALL_SETS[script.set])
        if damaged is not None:
            found = broken(damaged, rulings)
            assert found == broken(damaged) - CREATION_RULES
            assert (rule in found) == (rule not in CREATION_RULES)
