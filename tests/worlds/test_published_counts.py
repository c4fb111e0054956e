"""Known numbers of worlds, each from every counter that can give it."""

from dataclasses import replace

import pytest

from assistant.formula import PlotAtom, RoleAtom, any_of
from assistant.solver import Solver
from assistant.worlds import Composition, State, Worlds
from assistant.worlds.twins import count_by_arrangement, enumerate_worlds, frontier_count
from engine.rules.model import RoleRule, Rulebook
from engine.rulings import DEFAULT_RULINGS
from engine.script import ScheduledIncident, Sheet
from engine.sets import RULEBOOKS
from engine.sets.first_steps import FIRST_STEPS
from tests.worlds import books
from tests.worlds.books import BT_GIRL, BT_LIKE

FS_WORLDS = {9: 248_040, 10: 657_450, 11: 1_559_360}
WORLDS = {
    "first_steps": FS_WORLDS,
    "basic_tragedy": {11: 13_979_680},
    "mystery_circle": {9: 8_897_112, 10: 33_433_560, 11: 104_663_790},
    "weird_mythology": {9: 7_242_480, 10: 22_627_080, 11: 61_237_440},
    "haunted_stage": {9: 4_543_200, 10: 14_810_940, 11: 41_873_260},
}
"""Plots and roles of so many ordinary characters, before any rule for culprits and the like."""


def first_steps(size: int, *incidents: str) -> Sheet:
    cards = FIRST_STEPS.characters.values()
    ordinary = [c.id for c in cards if c.role_rule is RoleRule.ANY and c.entry is None]
    return Sheet(
        set="first_steps",
        loops=3,
        days=4,
        cast=tuple(ordinary[:size]),
        cast_complete=True,
        incidents=tuple(ScheduledIncident(n + 1, name) for n, name in enumerate(incidents)),
    )


def bare(rules: Rulebook) -> Rulebook:
    """Return a set without rules for culprits, traits, sexes, needed cards and extra plots."""
    roles = {
        role.id: replace(role, must_be_culprit=False, never_culprit=False)
        for role in rules.roles.values()
    }
    plots = {
        plot.id: replace(
            plot,
            roles=tuple(replace(quota, trait=None) for quota in plot.roles),
            opposite_sex=(),
            needs=(),
            extra_main_plot=False,
        )
        for plot in rules.plots.values()
    }
    return replace(rules, roles=roles, plots=plots)


@pytest.mark.parametrize(
    ("set_id", "size", "count"),
    [(set_id, size, n) for set_id, counts in WORLDS.items() for size, n in counts.items()],
)
def test_plots_and_roles_without_records(set_id: str, size: int, count: int) -> None:
    rules = bare(RULEBOOKS[set_id])
    cards = rules.characters.values()
    ordinary = [c.id for c in cards if c.role_rule is RoleRule.ANY and c.entry is None]
    sheet = Sheet(set=set_id, loops=3, days=4, cast=tuple(ordinary[:size]), cast_complete=True)
    composition = Composition.of(sheet, rules, DEFAULT_RULINGS)
    worlds = Worlds(sheet, rules, DEFAULT_RULINGS)
    assert len(worlds.combinations()) == (9 if set_id == "first_steps" else 105)
    assert all(worlds.combinations().values())
    assert worlds.count() == worlds.plot_role_count() == count
    assert frontier_count(composition) == count
    assert count_by_arrangement(composition) == count


def test_every_set_has_a_known_number() -> None:
    assert WORLDS.keys() == RULEBOOKS.keys()


def test_culprits_multiply_where_nothing_ties_them_to_roles() -> None:
    sheet = first_steps(9, "homicide", "suicide", "faraway_murder")
    worlds = Worlds(sheet, FIRST_STEPS, DEFAULT_RULINGS)
    assert worlds.count() == 248_040 * 9 * 8 * 7
    assert worlds.plot_role_count() == 248_040


def test_first_steps_enumerated_for_a_small_cast() -> None:
    sheet = first_steps(5)
    composition = Composition.of(sheet, FIRST_STEPS, DEFAULT_RULINGS)
    worlds = Worlds(sheet, FIRST_STEPS, DEFAULT_RULINGS)
    listed = {world.secrets() for world in worlds}
    assert len(listed) == worlds.count()
    assert {world.secrets() for world in enumerate_worlds(composition)} == listed
    assert {world.secrets() for world in Solver(composition).worlds(10_000)} == listed


@pytest.mark.slow
def test_first_steps_enumerated_by_the_constraint_model() -> None:
    sheet = first_steps(9)
    solver = Solver(Composition.of(sheet, FIRST_STEPS, DEFAULT_RULINGS))
    assert len(solver.worlds(300_000)) == FS_WORLDS[9]


def test_basic_tragedy_like_numbers() -> None:
    sheet = books.sheet(BT_LIKE, 11)
    composition = Composition.of(sheet, BT_LIKE, DEFAULT_RULINGS)
    worlds = Worlds(sheet, BT_LIKE, DEFAULT_RULINGS)
    assert len(worlds.combinations()) == 105
    assert all(worlds.combinations().values())
    assert worlds.count() == 13_979_680
    assert count_by_arrangement(composition) == 13_979_680
    assert frontier_count(composition) == 13_979_680


def test_the_girl_rule_takes_away_what_the_frontier_says() -> None:
    sheet = books.sheet(BT_GIRL, 11)
    composition = Composition.of(sheet, BT_GIRL, DEFAULT_RULINGS)
    worlds = Worlds(sheet, BT_GIRL, DEFAULT_RULINGS)
    assert worlds.count() == frontier_count(composition) < 13_979_680


@pytest.mark.slow
def test_a_full_cast_with_clues_and_culprits() -> None:
    cast = ("outsider", "copier", *(card.id for card in books.ORDINARY[:8]))
    sheet = books.sheet(BT_GIRL, cast, ("incident_0",), cast_complete=False, loops=2, days=2)
    composition = Composition.of(sheet, BT_GIRL, DEFAULT_RULINGS)
    brains = any_of(RoleAtom(f"card_{n}", "brain") for n in range(5))
    worlds = Worlds(sheet, BT_GIRL, DEFAULT_RULINGS).conjoin(
        *(~RoleAtom(f"card_{n}", "brain") for n in range(5, 8)), ~RoleAtom("outsider", "brain")
    )
    silent = {"outsider", "card_5", "card_6", "card_7"}

    def may_be(who: str, state: State) -> bool:
        return state.role != "brain" or who not in silent

    def by_nobody(who: str, state: State) -> bool:
        return state.role != "brain"

    assert worlds.count() == frontier_count(composition, may_be)
    late = ("loop_card", "day_card", "copier")
    without = worlds.conjoin(~brains, *(~RoleAtom(who, "brain") for who in late))
    assert without.count() == frontier_count(composition, by_nobody)


def test_a_character_outside_the_plots_may_be_what_they_only_allow() -> None:
    """FS-02: without a Curmudgeon of its own, A Hideous Script leaves that role to him."""
    cast = ("mystery_boy", *first_steps(4).cast)
    sheet = Sheet(set="first_steps", loops=3, days=4, cast=cast, cast_complete=True)
    worlds = Worlds(sheet, FIRST_STEPS, DEFAULT_RULINGS)
    both = RoleAtom("mystery_boy", "curmudgeon")
    another = any_of(RoleAtom(who, "curmudgeon") for who in cast[1:])
    script = PlotAtom("a_hideous_script")
    assert worlds.allows(both & script)
    assert not worlds.allows(both & script & another)
    assert not worlds.allows(RoleAtom("mystery_boy", "person"))
    composition = Composition.of(sheet, FIRST_STEPS, DEFAULT_RULINGS)
    assert worlds.count() == frontier_count(composition)
