"""Every figure in the rule text equals the figures taken from the reference."""

from __future__ import annotations

from typing import Any

import pytest

from engine import words
from engine.cast import CHARACTERS
from engine.kleene import MAYBE, NO, YES
from engine.rules import model
from engine.rules.conditions import ALWAYS
from engine.rules.model import (
    Ability,
    GoodwillAbility,
    Plot,
    PlotKind,
    Role,
    RoleRule,
    Target,
    Timing,
)
from engine.sets import RULEBOOKS
from tests.engine_scripts import reference
from tests.engine_scripts.spelling import (
    BESIDE,
    PER,
    TIMINGS,
    deed,
    effect,
    numbers,
    passive,
    plot_traits,
    role_traits,
    spelled_out,
)

FIGURES = reference.figures()
SETS = FIGURES["sets"]

# Prints differ on whether these may choose themselves: records of both are accepted.
SELF_IS_OPEN = {("police_officer", 5), ("soldier", 2)}
# What a ruling asks beyond the print: a Black Cat without Unease is no target (K-Prophet).
RULED = {("prophet", 3): ["has:unease"], ("prophet", 4): ["has:unease"]}


def test_carried_figures_are_those_of_the_reference() -> None:
    taken = reference.figures_of_reference()
    if taken is None:
        pytest.skip("the reference is not at hand (LOOPER_REFERENCE)")
    assert taken == FIGURES


# The board and the action cards ---------------------------------------------------------


@pytest.mark.parametrize("direction", FIGURES["board"])
def test_board_has_the_printed_layout(direction: str) -> None:
    pairs = {tuple(sorted((at, words.move_from(at, direction)))) for at in words.LOCATIONS}
    assert sorted(map(list, pairs)) == FIGURES["board"][direction]


@pytest.mark.parametrize("owner", ["mastermind", "protagonist_each"])
def test_hands_are_the_printed_ones(owner: str) -> None:
    mastermind = owner == "mastermind"
    hand = words.MASTERMIND_HAND if mastermind else words.PROTAGONIST_HAND
    for deck in [words.MASTERMIND] if mastermind else words.DECKS:
        once = words.ONCE_PER_LOOP[deck]
        found = {card: [number, card in once] for card, number in hand.items()}
        assert found == FIGURES["cards"][owner]


# Characters -----------------------------------------------------------------------------


def test_no_character_is_unknown_to_the_figures() -> None:
    assert CHARACTERS.keys() == FIGURES["characters"].keys()


@pytest.mark.parametrize("who", FIGURES["characters"])
def test_character_has_the_printed_figures(who: str) -> None:
    card, figures = CHARACTERS[who], FIGURES["characters"][who]
    assert card.id == who
    assert card.name == figures["name"]
    assert card.limit == figures["limit"]
    assert sorted(card.traits) == figures["traits"]
    assert sorted(card.starts) == figures["start"]
    assert sorted(card.forbidden) == figures["forbidden"]
    asks = [f"entry_{card.entry.value}"] if card.entry is not None else []
    assert asks + ["turf"] * card.has_turf == figures["asks"]
    codes = {
        RoleRule.ANY: [],
        RoleRule.OUTSIDE_PLOTS: ["role_not_from_plots"],
        RoleRule.COPIES: ["copies_role"],
        RoleRule.NOT_PERSON: ["not_person"],
    }
    assert codes[card.role_rule] == figures["script_rules"]
    assert passive(card) == figures["passive"]


@pytest.mark.parametrize("who", CHARACTERS)
def test_goodwill_abilities_have_the_printed_figures(who: str) -> None:
    abilities, figures = CHARACTERS[who].goodwill, FIGURES["characters"][who]["goodwill"]
    assert len(abilities) == len(figures)
    needed = [ability.goodwill for ability in abilities]
    for ability, figure in zip(abilities, figures, strict=True):
        assert ability.goodwill == figure["goodwill"]
        assert ability.once_per_loop == figure["once_per_loop"]
        assert ability.refusable == figure["refusable"]
        assert sorted(ability.only_at) == figure["at"]
        assert ability.from_loop == figure["from_loop"]
        assert ability.mastermind == figure["mastermind"]
        assert deed(ability) == figure["does"]
        alone = needed.count(ability.goodwill) == 1
        letter = "" if alone else "ab"[needed[: abilities.index(ability)].count(ability.goodwill)]
        assert ability.key == f"{ability.goodwill}{letter}"
        check_target(who, ability, figure)


def check_target(who: str, ability: GoodwillAbility, figure: dict[str, Any]) -> None:
    """Compare the target of an ability, as far as the two vocabularies reach."""
    what, where, whom, count = figure["target"]
    target = ability.target
    filters = [f"trait:{target.trait}"] * (target.trait is not None)
    filters += [f"has:{target.has}"] * (target.has is not None)
    filters += ["panicked"] * target.panicked
    if what == "card":  # That only a spent card comes back is part of the deed.
        assert target.kind == "card"
        return
    ruled = RULED.get((who, ability.goodwill), [])
    assert sorted(filters) == sorted([*figure["filter"], *ruled])
    if whom == "same_role":  # The answer names them; nobody is aimed at.
        return
    if whom == "self":
        assert target.kind == "self"
        return
    assert target.kind == (f"two_{what}s" if count == 2 else what)
    if what == "incident":
        assert (target.where == "occurred") == (where == "happened_this_loop")
    elif what in ("character", "corpse", "location", "character_or_location"):
        assert target.where == where
        assert target.character == (None if whom in ("any", "other") else whom)
        if whom in ("any", "other"):
            check_other(target, whom == "other", (who, ability.goodwill) in SELF_IS_OPEN)


def check_other(target: Target, other: bool, is_open: bool) -> None:
    """Compare whether the user itself is excluded."""
    if target.kind == "corpse":
        return  # A living user is none.
    assert target.other == (MAYBE if is_open else YES if other else NO)


# Sets -----------------------------------------------------------------------------------


@pytest.mark.parametrize("set_id", SETS)
def test_set_has_the_printed_figures(set_id: str) -> None:
    rules, figures = RULEBOOKS[set_id], SETS[set_id]
    assert rules.name == figures["name"]
    assert rules.subplots_per_script == figures["subplots_per_script"]
    assert rules.final_guess == figures["final_guess"]
    assert rules.uses_gauge == figures["gauge"]
    assert rules.plots.keys() == figures["plots"].keys()
    assert rules.roles.keys() == figures["roles"].keys()
    assert rules.incidents.keys() == figures["incidents"].keys()
    assert rules.characters.keys() <= FIGURES["characters"].keys()


PLOTS = [(set_id, plot) for set_id in RULEBOOKS for plot in SETS[set_id]["plots"]]
ROLES = [(set_id, role) for set_id in RULEBOOKS for role in SETS[set_id]["roles"]]
INCIDENTS = [(set_id, incident) for set_id in RULEBOOKS for incident in SETS[set_id]["incidents"]]


@pytest.mark.parametrize(("set_id", "plot_id"), PLOTS)
def test_plot_has_the_printed_figures(set_id: str, plot_id: str) -> None:
    plot, figures = RULEBOOKS[set_id].plots[plot_id], SETS[set_id]["plots"][plot_id]
    assert plot.name == figures["name"]
    assert plot.kind is PlotKind(figures["kind"])
    quotas = [
        [quota.role, quota.least, quota.most, quota.trait and f"trait:{quota.trait}"]
        for quota in plot.roles
    ]
    assert quotas == figures["roles"]
    compare_rules(plot, figures["rules"])


@pytest.mark.parametrize(("set_id", "role_id"), ROLES)
def test_role_has_the_printed_figures(set_id: str, role_id: str) -> None:
    role, figures = RULEBOOKS[set_id].roles[role_id], SETS[set_id]["roles"][role_id]
    assert role.name == figures["name"]
    assert role.limit == figures["limit"]
    # A refusal under a condition is printed as an ability.
    always = role.refusal if role.refusal_when == ALWAYS else model.Refusal.NONE
    assert always.value == figures["refusal"]
    assert (role.unkillable is not None) == figures["unkillable"]
    assert role.must_be_culprit == figures["must_be_culprit"]
    assert role.never_culprit == figures["never_culprit"]
    compare_rules(role, figures["abilities"])


def compare_rules(holder: Role | Plot, figures: list[dict[str, Any]]) -> None:
    """Compare abilities one by one in printed order, and what is no ability beside them."""
    beside = [rule for rule in figures if BESIDE & {*rule["does"]}]
    printed = [rule for rule in figures if not BESIDE & {*rule["does"]}]
    assert len(holder.abilities) == len(printed)
    for ability, figure in zip(holder.abilities, printed, strict=True):
        compare_ability(ability, figure)
    found = role_traits(holder) if isinstance(holder, Role) else plot_traits(holder)
    assert sorted(found) == sorted((op, *rule["numbers"]) for rule in beside for op in rule["does"])


def compare_ability(ability: Ability, figure: dict[str, Any]) -> None:
    """Compare timing, duty, frequency and every number of an ability."""
    assert figure["timing"] in TIMINGS[ability.timing], ability.id
    assert ability.mandatory == figure["mandatory"], ability.id
    once = None if figure["once_per"] == "day_for_all_zombies" else figure["once_per"]
    assert PER[ability.per] == once, ability.id
    own = ["self"] if ability.timing is Timing.OWN_DEATH else []
    dies = [ability.death_of] if ability.timing is Timing.OTHER_DEATH else own
    assert dies == figure["when_dies"], ability.id
    amounts = () if isinstance(ability.does, model.RaiseGauge) else numbers(ability.does)
    assert sorted((*amounts, *numbers(ability.when))) == figure["numbers"], ability.id


@pytest.mark.parametrize(("set_id", "incident_id"), INCIDENTS)
def test_incident_has_the_printed_figures(set_id: str, incident_id: str) -> None:
    incident = RULEBOOKS[set_id].incidents[incident_id]
    figures = SETS[set_id]["incidents"][incident_id]
    assert incident.name == figures["name"]
    assert incident.limit_change == figures["limit_modifier"]
    assert incident.repeatable_culprit == figures["culprit_reusable"]
    counted = {"unease": ("unease",), "intrigue_instead_of_unease": ("intrigue",)}
    assert incident.counts == counted[figures["counts"]]
    assert incident.mob == figures["mob"]
    assert effect(incident) == spelled_out(set_id, figures["does"])
