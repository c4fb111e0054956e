"""Mystery Circle: the Extra Gauge counts incidents; culprits are tied to roles (MC-01)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cast import CHARACTERS
from engine.kleene import NO
from engine.rules import incidents, roles
from engine.rules.conditions import (
    ALWAYS,
    AtLeast,
    AtMost,
    Condition,
    Gauge,
    GaugeLastLoop,
    LivingUnease,
    OverLoopNumber,
)
from engine.rules.model import (
    Ability,
    EndLoop,
    GaugeUp,
    GaugeUse,
    Incident,
    KillAnyHere,
    KillCulprit,
    KillEveryoneAt,
    KillOne,
    KillProtagonists,
    KillProtagonistsAt,
    Lose,
    MoveAnyHere,
    NameLocation,
    On,
    Per,
    Place,
    Plot,
    PlotKind,
    Put,
    Quota,
    RaiseGauge,
    Refusal,
    Role,
    Rulebook,
    SetExtraCard,
    Timing,
)
from engine.words import CITY, INTRIGUE, SCHOOL, UNEASE

# Roles ------------------------------------------------------------------------------------

POISONER: Final = Role(
    "poisoner",
    "Poisoner",
    refusal=Refusal.OPTIONAL,
    abilities=(
        Ability(
            "poisoner.kill",
            Timing.NIGHT,
            KillAnyHere(),
            mandatory=True,
            per=Per.LOOP,
            when=AtLeast(Gauge(), 2),
            rulings=("MC-06", "MC-07"),
        ),
        Ability(
            "poisoner.protagonists",
            Timing.NIGHT,
            KillProtagonists(),
            mandatory=True,
            when=AtLeast(Gauge(), 4),
            rulings=("MC-06", "D-12"),
        ),
    ),
)
KILLER: Final = roles.murderer("killer", "Killer")
FOOL: Final = Role("fool", "Fool", limit=1, must_be_culprit=True, clears_after_incident=True)
PRIVATE_INVESTIGATOR: Final = Role(
    "private_investigator",
    "Private Investigator",
    unkillable=ALWAYS,
    never_culprit=True,
    triggers_others=AtMost(Gauge(), 0),
)
FRIEND: Final = replace(roles.FRIEND, limit=2)


TWIN: Final = Role("twin", "Twin", must_be_culprit=True, triggers_from_diagonal=True)
OBSTINATE: Final = Role(
    "obstinate",
    "Obstinate",
    refusal=Refusal.MANDATORY,
    must_be_culprit=True,
    always_triggers=True,
)
THERAPIST: Final = Role(
    "therapist",
    "Therapist",
    abilities=(
        Ability(
            "therapist.unease",
            Timing.MASTERMIND,
            Place(UNEASE, -1, (On.OTHER_HERE,)),
            mandatory=True,
            when=AtLeast(Gauge(), 1),
            rulings=("MC-14",),
        ),
    ),
)

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
        "murder_plan",
        "Murder Plan",
        PlotKind.MAIN,
        (Quota("key_person"), Quota("brain"), Quota("killer")),
    ),
    Plot(
        "tightrope_plan",
        "Tightrope Plan",
        PlotKind.MAIN,
        (Quota("brain"), Quota("killer")),
        _loss("tightrope_plan", AtMost(Gauge(), 1), "MC-24"),
    ),
    Plot(
        "a_drop_of_strychnine",
        "A Drop of Strychnine",
        PlotKind.MAIN,
        (Quota("key_person"), Quota("poisoner"), Quota("fool")),
        trigger_tokens=(("serial_murder", (INTRIGUE,)), ("suicide", (INTRIGUE,))),
    ),
    Plot(
        "a_quilt_of_incidents",
        "A Quilt of Incidents",
        PlotKind.MAIN,
        (Quota("conspiracy_theorist"), Quota("fool")),
        _loss("a_quilt_of_incidents", AtLeast(Gauge(), 3), "MC-24"),
    ),
    Plot(
        "the_black_school",
        "The Black School",
        PlotKind.MAIN,
        (Quota("brain"),),
        _loss("the_black_school", OverLoopNumber(SCHOOL), "MC-03"),
    ),
    Plot(
        "the_hidden_freak",
        "The Hidden Freak",
        PlotKind.SUB,
        (Quota("friend"), Quota("serial_killer")),
    ),
    Plot("dance_of_fools", "Dance of Fools", PlotKind.SUB, (Quota("fool"), Quota("friend"))),
    Plot(
        "isolated_institution_psycho",
        "Isolated Institution Psycho",
        PlotKind.SUB,
        (Quota("paranoiac"), Quota("therapist"), Quota("conspiracy_theorist")),
        (
            Ability(
                "isolated_institution_psycho.gauge",
                Timing.LOOP_START,
                RaiseGauge(),
                mandatory=True,
                when=AtMost(GaugeLastLoop(), 2),
                rulings=("MC-02",),
            ),
        ),
    ),
    Plot("an_absolute_will", "An Absolute Will", PlotKind.SUB, (Quota("obstinate"),)),
    Plot("tricky_twins", "Tricky Twins", PlotKind.SUB, (Quota("twin"), Quota("paranoiac"))),
    Plot(
        "a_smell_of_gunpowder",
        "A Smell of Gunpowder",
        PlotKind.SUB,
        (Quota("serial_killer"),),
        _loss("a_smell_of_gunpowder", AtLeast(LivingUnease(), 12), "MC-04"),
    ),
    Plot(
        "i_am_a_master_detective",
        "I Am a Master Detective",
        PlotKind.SUB,
        (Quota("private_investigator"), Quota("conspiracy_theorist"), Quota("friend")),
    ),
)
_ROLES = (
    roles.NOBODY,
    POISONER,
    KILLER,
    FOOL,
    PRIVATE_INVESTIGATOR,
    roles.CONSPIRACY_THEORIST,
    roles.SERIAL_KILLER,
    FRIEND,
    roles.BRAIN,
    roles.KEY_PERSON,
    roles.PARANOIAC,
    TWIN,
    OBSTINATE,
    THERAPIST,
)

# Incidents --------------------------------------------------------------------------------

_SERIAL_MURDER = KillOne(at_culprit=True, culprit_may_die=NO)
_INCREASING_UNEASE = (Put((UNEASE,), 2, On.ANYONE), Put((INTRIGUE,), 1, On.ANOTHER))

_INCIDENTS = (
    Incident(
        "serial_murder",
        "Serial Murder",
        (_SERIAL_MURDER,),
        repeatable_culprit=True,
        rulings=("MC-25", "MC-12", "I-09"),
    ),
    incidents.hospital("hospital_incident", "Hospital Incident"),
    Incident(
        "portent",
        "Portent",
        (Put((UNEASE,), 1, On.CHARACTER_HERE),),
        limit_change=-1,
        rulings=("MC-26", "I-09", "I-02"),
    ),
    incidents.INCREASING_UNEASE,
    Incident(
        "terrorism",
        "Terrorism",
        (KillEveryoneAt(CITY, 1), KillProtagonistsAt(CITY, 2)),
        rulings=("MC-21", "I-16", "I-26"),
    ),
    Incident(
        "bestial_murder",
        "Bestial Murder",
        (_SERIAL_MURDER, *_INCREASING_UNEASE, GaugeUp()),
        limit_change=1,
        gauge_rise=2,
        rulings=("MC-25", "MC-05", "I-25"),
    ),
    Incident("suicide", "Suicide", (KillCulprit(),), rulings=("I-11", "MC-26")),
    Incident("faked_suicide", "Faked Suicide", (SetExtraCard(),), rulings=("MC-16", "MC-26")),
    Incident(
        "a_suspicious_letter", "A Suspicious Letter", (MoveAnyHere(),), rulings=("MC-17", "I-09")
    ),
    Incident("closed_circle", "Closed Circle", (NameLocation(3),), rulings=("MC-18", "MC-26")),
    Incident(
        "the_silver_bullet",
        "The Silver Bullet",
        (EndLoop(),),
        gauge_rise=0,
        rulings=("MC-19", "MC-26"),
    ),
)

MYSTERY_CIRCLE: Final = Rulebook(
    "mystery_circle",
    "Mystery Circle",
    {plot.id: plot for plot in _PLOTS},
    {role.id: role for role in _ROLES},
    {incident.id: incident for incident in _INCIDENTS},
    CHARACTERS,
    subplots_per_script=2,
    final_guess=True,
    gauge=GaugeUse.INCIDENTS,
)
