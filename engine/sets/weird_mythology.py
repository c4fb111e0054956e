"""Weird Mythology: the Extra Gauge is knowledge that costs sanity and never resets (WM-01)."""

from __future__ import annotations

from typing import Final

from engine.cast import CHARACTERS
from engine.kleene import MAYBE
from engine.rules import incidents, roles
from engine.rules.conditions import (
    ALWAYS,
    AtLeast,
    AtLeastGauge,
    AtMost,
    Both,
    CardsWithIntrigue,
    Condition,
    Corpses,
    Gauge,
    GaugeRose,
    IsDead,
    OnOwnStart,
    OnPlace,
    OnSelf,
    SomeHolder,
)
from engine.rules.model import (
    Ability,
    DieAndRaise,
    Gain,
    GaugeUp,
    GaugeUse,
    Incident,
    KillAllOnce,
    KillEverybody,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    LeaderKills,
    Lose,
    On,
    Place,
    Plot,
    PlotKind,
    Put,
    Quota,
    Refusal,
    RevealAndRaise,
    Role,
    Rulebook,
    Scent,
    Timing,
)
from engine.rulings import ONCE_PER_LOOP_RULE
from engine.words import CITY, INTRIGUE, SCHOOL, SHRINE, UNEASE

# Roles ------------------------------------------------------------------------------------

SACRIFICE: Final = Role(
    "sacrifice",
    "Sacrifice",
    unkillable=ALWAYS,
    must_be_culprit=True,
    trigger_tokens=(INTRIGUE,),
    abilities=(
        Ability(
            "sacrifice.kill_all",
            Timing.NIGHT,
            KillEverybody(),
            when=Both(AtLeast(OnSelf(INTRIGUE), 2), AtLeast(OnSelf(UNEASE), 2)),
            rulings=("WM-11", "WM-12", "D-12"),
        ),
    ),
)
DEEP_ONE: Final = Role(
    "deep_one",
    "Deep One",
    limit=1,
    refusal=Refusal.OPTIONAL,
    abilities=(
        Ability(
            "deep_one.intrigue",
            Timing.MASTERMIND,
            Place(INTRIGUE, 1, (On.HERE, On.CHARACTER_HERE)),
            rulings=("M-12", "M-06"),
        ),
        Ability(
            "deep_one.death",
            Timing.OWN_DEATH,
            RevealAndRaise(),
            mandatory=True,
            rulings=("WM-01", "WM-03"),
        ),
    ),
)
WIZARD: Final = Role(
    "wizard",
    "Wizard",
    limit=1,
    told_by_use=True,
    abilities=(
        Ability(
            "wizard.loss",
            Timing.LOOP_END,
            Lose(),
            mandatory=True,
            when=IsDead(),
            rulings=("WM-10", "L-07"),
        ),
    ),
)
WITNESS: Final = Role(
    "witness",
    "Witness",
    abilities=(
        Ability(
            "witness.death",
            Timing.NIGHT,
            DieAndRaise(),
            mandatory=True,
            when=AtLeast(OnSelf(UNEASE), 4),
            rulings=("WM-20", "WM-02"),
        ),
    ),
)
FACELESS: Final = Role(
    "faceless",
    "Faceless",
    refusal=Refusal.OPTIONAL,
    unkillable=ALWAYS,
    gains=(
        Gain("conspiracy_theorist", AtMost(Gauge(), 1)),
        Gain("deep_one", AtLeast(Gauge(), 2)),
    ),
)
IMMORTAL: Final = Role("immortal", "Immortal", unkillable=ALWAYS)

# Plots ------------------------------------------------------------------------------------


def _loss(plot: str, when: Condition, *rulings: str) -> tuple[Ability, ...]:
    return (
        Ability(
            f"{plot}.loss",
            Timing.LOOP_END,
            Lose(),
            mandatory=True,
            when=when,
            rulings=(*rulings, "L-07"),
        ),
    )


_PLOTS = (
    Plot(
        "choir_to_the_outside_god",
        "Choir to the Outside God",
        PlotKind.MAIN,
        (Quota("key_person"), Quota("sacrifice"), Quota("immortal")),
        _loss("choir_to_the_outside_god", AtLeast(CardsWithIntrigue(), 5), "WM-07"),
    ),
    Plot(
        "giant_time_bomb_again",
        "Giant Time Bomb Again",
        PlotKind.MAIN,
        (Quota("witch"), Quota("deep_one")),
        _loss(
            "giant_time_bomb_again", SomeHolder("witch", AtLeast(OnOwnStart(), 2)), "WM-28", "L-10"
        ),
    ),
    Plot(
        "the_sacred_words_of_dagon",
        "The Sacred Words of Dagon",
        PlotKind.MAIN,
        (Quota("key_person"), Quota("cultist"), Quota("deep_one")),
        _loss("the_sacred_words_of_dagon", AtLeastGauge(OnPlace(SHRINE)), "WM-08", "WM-09"),
    ),
    Plot(
        "bloody_rites",
        "Bloody Rites",
        PlotKind.MAIN,
        (Quota("witch"), Quota("immortal")),
        _loss("bloody_rites", AtLeastGauge(Corpses()), "WM-08", "WM-09"),
    ),
    Plot(
        "the_king_in_yellow",
        "The King in Yellow",
        PlotKind.MAIN,
        (Quota("sacrifice"), Quota("cultist")),
        _loss("the_king_in_yellow", GaugeRose(), "WM-08"),
    ),
    Plot(
        "an_unsettling_rumor",
        "An Unsettling Rumor",
        PlotKind.SUB,
        (Quota("conspiracy_theorist"),),
        (
            # Printed without "once per loop"; a table ruling makes it so (M-09).
            Ability(
                "an_unsettling_rumor.intrigue",
                Timing.MASTERMIND,
                Place(INTRIGUE, 1, (On.ANY_LOCATION,)),
                loop_limit=(ONCE_PER_LOOP_RULE, 1),
                rulings=("M-09",),
            ),
        ),
    ),
    Plot(
        "whispers_from_the_deep",
        "Whispers from the Deep",
        PlotKind.SUB,
        (Quota("deep_one"), Quota("paranoiac")),
        gains=(("paranoiac", "key_person"),),
    ),
    Plot(
        "the_resistance",
        "The Resistance",
        PlotKind.SUB,
        (Quota("conspiracy_theorist"), Quota("wizard"), Quota("serial_killer")),
    ),
    Plot(
        "people_who_saw",
        "People Who Saw",
        PlotKind.SUB,
        (Quota("conspiracy_theorist"), Quota("witness")),
    ),
    Plot(
        "the_profound_race",
        "The Profound Race",
        PlotKind.SUB,
        (Quota("serial_killer"), Quota("time_traveler")),
    ),
    Plot(
        "the_faceless_god",
        "The Faceless God",
        PlotKind.SUB,
        (Quota("faceless"), Quota("wizard")),
    ),
    Plot(
        "twisted_truth",
        "Twisted Truth",
        PlotKind.SUB,
        (Quota("paranoiac"),),
        needs=("informant",),
        extra_main_plot=True,
    ),
)
_ROLES = (
    roles.NOBODY,
    roles.KEY_PERSON,
    roles.CULTIST,
    roles.WITCH,
    SACRIFICE,
    roles.PARANOIAC,
    DEEP_ONE,
    WIZARD,
    WITNESS,
    roles.SERIAL_KILLER,
    FACELESS,
    IMMORTAL,
    roles.TIME_TRAVELER,
    roles.CONSPIRACY_THEORIST,
)

# Incidents --------------------------------------------------------------------------------

_INCIDENTS = (
    Incident(
        "insane_murder",
        "Insane Murder",
        (KillOne(at_culprit=True, culprit_may_die=MAYBE),),
        rulings=("WM-16", "I-07", "I-09"),
    ),
    Incident(
        "evil_contamination",
        "Evil Contamination",
        (Put((INTRIGUE,), 2, SHRINE),),
        rulings=("WM-26", "I-26"),
    ),
    Incident("mass_suicide", "Mass Suicide", (KillEveryoneHere(1),), rulings=("WM-16", "WM-12")),
    incidents.hospital("hospital_incident", "Hospital Incident"),
    incidents.INCREASING_UNEASE,
    incidents.MISSING_PERSON,
    Incident(
        "uproar",
        "Uproar",
        (KillEveryoneAt(SCHOOL, 1), KillEveryoneAt(CITY, 1)),
        rulings=("WM-17", "WM-12", "I-25"),
    ),
    Incident("fire_of_demise", "Fire of Demise", (KillAllOnce(),), rulings=("WM-13", "WM-12")),
    Incident(
        "hound_dog_scent",
        "Hound Dog Scent",
        (Scent(),),
        counts=(INTRIGUE,),
        rulings=("WM-14",),
    ),
    Incident(
        "the_executioner",
        "The Executioner",
        (LeaderKills(),),
        limit_change=-1,
        rulings=("WM-15", "I-02"),
    ),
    Incident("discovery", "Discovery", (GaugeUp(),), rulings=("WM-26", "WM-01")),
)

WEIRD_MYTHOLOGY: Final = Rulebook(
    "weird_mythology",
    "Weird Mythology",
    {plot.id: plot for plot in _PLOTS},
    {role.id: role for role in _ROLES},
    {incident.id: incident for incident in _INCIDENTS},
    CHARACTERS,
    subplots_per_script=2,
    final_guess=True,
    gauge=GaugeUse.KNOWLEDGE,
)
