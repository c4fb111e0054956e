"""The naive list of all legal scripts of a small sheet is right and complete."""

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from engine.every_script import Plots, legal_scripts, plot_combinations
from engine.generate import random_script, sheet_of
from engine.legality import violations
from engine.rules.model import RoleRule, Rulebook
from engine.rulings import TableRulings
from engine.script import Script, ScriptIncident, Sheet
from engine.sets import RULEBOOKS
from engine.words import LOCATIONS, PERSON
from tests.engine_scripts.bare import ALL_SETS

EXTRAS: dict[str, dict[str, object]] = {
    "boss": {"turf": "city"},
    "godly_being": {"entry_loop": 1},
}


def small(set_id: str, *cast: str, incidents: tuple[str, ...] = ()) -> Sheet:
    """Return the sheet of a short game with these characters and incidents."""
    script = Script(
        set=set_id,
        main_plot="",
        subplots=(),
        days=2,
        loops=(2,),
        cast=dict.fromkeys(cast, PERSON),
        cast_extras={who: extra for who, extra in EXTRAS.items() if who in cast},
        incidents=tuple(
            ScriptIncident(day=day, incident=name, culprit=cast[0])
            for day, name in enumerate(incidents, 1)
        ),
    )
    return sheet_of(script)


def test_number_of_scripts_is_the_one_counted_by_hand() -> None:
    # Roles for four characters under the nine pairs of plots of First Steps:
    # Place to Protect adds 2 roles, the Avenger 1, Murder 3; Hideous Script 2 to 4 with up
    # to two Curmudgeons, Rumor 1, Ripper 2.
    place = 24 + 24 + 24
    avenger = (24 + 24) + 12 + 24
    murder = 0 + 24 + 0
    cast = ("nurse", "doctor", "teacher", "alien")
    rules = RULEBOOKS["first_steps"]
    scripts = list(legal_scripts(small("first_steps", *cast), rules))
    assert len(scripts) == place + avenger + murder
    sheet = small("first_steps", *cast, incidents=("suicide", "homicide"))
    assert sum(1 for _ in legal_scripts(sheet, rules)) == len(scripts) * 4 * 3


def test_number_of_scripts_with_mystery_boy_is_the_one_counted_by_hand() -> None:
    # Two ordinary characters: only the Avenger with Rumor fits (2 ways), and eight roles but
    # Brain and Conspiracy Theorist are left for the Mystery Boy.
    rules = RULEBOOKS["first_steps"]
    sheet = small("first_steps", "nurse", "doctor", "mystery_boy")
    assert sum(1 for _ in legal_scripts(sheet, rules)) == 2 * 6
    person = TableRulings({"mystery_boy_may_be_person": None})
    assert sum(1 for _ in legal_scripts(sheet, rules, person)) == 2 * 7


def every_script(
    sheet: Sheet, plots: Plots, rules: Rulebook, extras: dict[str, dict[str, object]]
) -> Iterator[Script]:
    """Yield the scripts with this sheet and these plots, whatever the rules say of them.

    Of the roles that neither plot adds the ordinary characters get one alone.
    """
    cast = list(dict.fromkeys((*sheet.cast, *extras)))
    mains = [plot.id for plot in rules.main_plots()]
    twisted = any(plot.extra_main_plot for plot in plots)
    near = [rules.plots[main] for main in mains if twisted] + list(plots)
    added = {PERSON, *(quota.role for plot in near for quota in plot.roles)}
    roles = sorted(added | {next((role for role in rules.roles if role not in added), PERSON)})
    anything = (RoleRule.OUTSIDE_PLOTS, RoleRule.COPIES)
    options = [
        list(rules.roles) if rules.characters[who].role_rule in anything else roles for who in cast
    ]
    everybody = (*cast, *LOCATIONS) if sheet.incidents else ()
    for second, held, culprits in itertools.product(
        (None, *mains) if twisted else (None,),
        itertools.product(*options),
        list(itertools.product(everybody, repeat=len(sheet.incidents))),
    ):
        yield Script(
            set=sheet.set,
            main_plot=plots[0].id,
            subplots=tuple(plot.id for plot in plots[1:]),
            extra_main_plot=second,
            days=sheet.days,
            loops=(sheet.loops,),
            cast=dict(zip(cast, held, strict=True)),
            cast_extras=extras,
            incidents=tuple(
                ScriptIncident(
                    day=item.day,
                    incident=item.incident,
                    culprit=who,
                    culprit_kind="mob" if who in LOCATIONS else "character",
                )
                for item, who in zip(sheet.incidents, culprits, strict=True)
            ),
            plain=True,
        )


def as_set(scripts: Iterator[Script]) -> set[str]:
    """Return scripts in a form that does not depend on the order of the cast."""
    found = [
        repr(
            (
                script.plots(),
                sorted(script.cast.items()),
                sorted(script.cast_extras.items()),
                replace(script, cast={}, cast_extras={}),
            )
        )
        for script in scripts
    ]
    assert len(found) == len(set(found))
    return set(found)


CASES = [
    ("first_steps", "nurse doctor teacher", "suicide", 3),
    ("first_steps", "nurse doctor mystery_boy", "suicide", 1),
    ("first_steps", "nurse doctor copycat mystery_boy", "", 1),
    ("first_steps", "ai boss copycat", "", 1),
    ("basic_tragedy", "alien nurse mystery_boy", "", 3),
    ("basic_tragedy", "ai pop_idol copycat", "", 3),
    ("basic_tragedy", "alien nurse doctor teacher", "", 9),
    ("mystery_circle", "alien nurse doctor", "serial_murder serial_murder", 1),
    ("mystery_circle", "alien nurse doctor", "serial_murder suicide", 1),
    ("haunted_stage", "alien nurse doctor", "", 3),
    ("haunted_stage", "alien nurse doctor", "night_of_madness awakened_curse", 1),
    ("haunted_stage", "alien nurse doctor", "night_of_madness missing_person", 1),
]


@pytest.mark.parametrize(("set_id", "cast", "incidents", "number"), CASES)
def test_listed_scripts_are_those_without_violations(
    set_id: str, cast: str, incidents: str, number: int
) -> None:
    rules = ALL_SETS[set_id]
    sheet = small(set_id, *cast.split(), incidents=tuple(incidents.split()))
    ordinary = [who for who in sheet.cast if who not in ("mystery_boy", "copycat")]
    fitting = [
        plots
        for plots in plot_combinations(rules)
        if sum(quota.least for plot in plots for quota in plot.roles) <= len(ordinary)
    ]
    compare(sheet, rules, fitting[:: len(fitting) // number][:number])


@pytest.mark.parametrize(
    ("cast", "plots"),
    [
        ("informant nurse doctor alien", "bloody_rites an_unsettling_rumor twisted_truth"),
        ("doctor nurse soldier alien", "bloody_rites an_unsettling_rumor twisted_truth"),
        ("boy_student nurse doctor alien", "the_noble_bloodline the_key_girl monster_intrigue"),
        ("ai nurse godly_being alien", "the_noble_bloodline the_key_girl monster_intrigue"),
    ],
)
def test_listed_scripts_of_certain_plots_are_those_without_violations(
    cast: str, plots: str
) -> None:
    set_id = "weird_mythology" if "twisted_truth" in plots else "haunted_stage"
    rules = ALL_SETS[set_id]
    # As second main plot the King in Yellow is enough.
    kept = {*plots.split(), "the_king_in_yellow"}
    few = {plot_id: plot for plot_id, plot in rules.plots.items() if plot_id in kept}
    rules = dataclasses.replace(rules, plots=few)
    chosen = next(
        combination
        for combination in plot_combinations(rules)
        if {plot.id for plot in combination} == {*plots.split()}
    )
    compare(small(set_id, *cast.split()), rules, [chosen], anything="doctor nurse soldier" in cast)


def compare(sheet: Sheet, rules: Rulebook, few: Sequence[Plots], anything: bool = False) -> None:
    """Compare the listed scripts with those that break no rule; with few plots, for time."""
    extras: dict[str, dict[str, object]] = {w: {"turf": at} for w, at in sheet.turf.items()}
    if "godly_being" in sheet.cast:
        extras["godly_being"] = {"entry_loop": 1}
    legal = as_set(
        script
        for plots in few
        for script in every_script(sheet, plots, rules, extras)
        if not violations(script, rulebook=rules)
    )
    tried = {tuple(plot.id for plot in plots) for plots in few}
    listed = (script for script in legal_scripts(sheet, rules) if script.plots() in tried)
    assert as_set(listed) == legal
    assert legal or anything


def test_listed_scripts_hide_late_characters_everywhere() -> None:
    rules = RULEBOOKS["first_steps"]
    sheet = replace(small("first_steps", "nurse", "doctor"), cast_complete=False)
    loops: list[dict[str, object]] = [{"entry_loop": loop} for loop in (1, 2)]
    days: list[dict[str, object]] = [{"entry_day": day} for day in (1, 2)]
    gods = [{}, *({"godly_being": entry} for entry in loops)]
    students = [{}, *({"transfer_student": entry} for entry in days)]
    plots = next(pair for pair in plot_combinations(rules) if pair[0].id == "fire_of_the_avenger")
    legal = as_set(
        script
        for god, student in itertools.product(gods, students)
        for script in every_script(sheet, plots, rules, {**god, **student})
        if not violations(script)
    )
    ids = tuple(plot.id for plot in plots)
    listed = (script for script in legal_scripts(sheet, rules) if script.plots() == ids)
    assert as_set(listed) == legal


LATE = ("copycat", "godly_being", "transfer_student")
"""Left out where they would make the list long."""


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_random_scripts_are_among_the_listed(set_id: str) -> None:
    rules, rng = RULEBOOKS[set_id], Random(12)
    looked_up = 0
    while looked_up < 4:
        script = random_script(rules, rng, size=5, days=2, loops=2, exclude=LATE)
        subs = sorted(script.subplots, key=list(rules.plots).index)
        cast = dict(sorted(script.cast.items()))
        mine = replace(script, subplots=tuple(subs), cast=cast, incidents=script.incidents[:1])
        if violations(mine):
            continue  # without its second incident somebody is no culprit who has to be one
        looked_up += 1
        listed = legal_scripts(sheet_of(mine), rules)
        assert any(
            replace(other, cast=dict(sorted(other.cast.items()))) == mine for other in listed
        )


def test_scripts_without_creation_rules_are_not_listed() -> None:
    lawless = TableRulings({"script_obeys_creation_rules": None})
    with pytest.raises(ValueError, match="too many"):
        next(legal_scripts(small("first_steps", "nurse"), RULEBOOKS["first_steps"], lawless))
