"""Basic Tragedy: five main plots, two of seven subplots, a Final Guess (BT-01)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cast import CHARACTERS
from engine.rules import incidents, plots, roles
from engine.rules.conditions import (
    AtLeast,
    Condition,
    HadGoodwillLastLoop,
    Occurred,
    OnOwnStart,
    OnPlace,
    OnSelf,
    SomeHolder,
)
from engine.rules.model import (
    Ability,
    Gain,
    Incident,
    Lose,
    On,
    Place,
    Plot,
    PlotKind,
    Put,
    Quota,
    Refusal,
    Role,
    RoleShift,
    Rulebook,
    Timing,
)
from engine.words import CITY, INTRIGUE, PERSON, SCHOOL, SHRINE, TOKENS, UNEASE

# Roles that this set has of its own -----------------------------------------------------

FACTOR: Final = Role(
    "factor",
    "Factor",
    refusal=Refusal.OPTIONAL,
    gains=(
        Gain("conspiracy_theorist", AtLeast(OnPlace(SCHOOL), 2)),
        Gain("key_person", AtLeast(OnPlace(CITY), 2)),
    ),
)

FRIEND: Final = replace(roles.FRIEND, limit=2)

# Plots ----------------------------------------------------------------------------------


def _loss(plot: str, when: Condition, *rulings: str) -> Ability:
    return Ability(
        f"{plot}.loss",
        Timing.LOOP_END,
        Lose(),
        mandatory=True,
        when=when,
        rulings=("L-07", *rulings),
    )


THE_SEALED_ITEM: Final = Plot(
    "the_sealed_item",
    "The Sealed Item",
    PlotKind.MAIN,
    (Quota("brain"), Quota("cultist")),
    (_loss("the_sealed_item", AtLeast(OnPlace(SHRINE), 2), "BT-14"),),
)
SIGN_WITH_ME: Final = Plot(
    "sign_with_me",
    "Sign With Me!",
    PlotKind.MAIN,
    (Quota("key_person", trait="girl"),),
    (
        _loss(
            "sign_with_me",
            SomeHolder("key_person", AtLeast(OnSelf(INTRIGUE), 2), gained=True),
            "BT-03",
        ),
    ),
)
CHANGING_THE_FUTURE: Final = Plot(
    "changing_the_future",
    "Changing the Future",
    PlotKind.MAIN,
    (Quota("cultist"), Quota("time_traveler")),
    (_loss("changing_the_future", Occurred("butterfly_effect"), "BT-12"),),
)
GIANT_TIME_BOMB: Final = Plot(
    "giant_time_bomb",
    "Giant Time Bomb",
    PlotKind.MAIN,
    (Quota("witch"),),
    (_loss("giant_time_bomb", SomeHolder("witch", AtLeast(OnOwnStart(), 2)), "BT-13", "L-10"),),
)

CIRCLE_OF_FRIENDS: Final = Plot(
    "circle_of_friends",
    "Circle of Friends",
    PlotKind.SUB,
    (Quota("friend", 2, 2), Quota("conspiracy_theorist")),
)
A_LOVE_AFFAIR: Final = Plot(
    "a_love_affair", "A Love Affair", PlotKind.SUB, (Quota("lover"), Quota("loved_one"))
)
LURKING_PSYCHOPATH: Final = Plot(
    "lurking_psychopath",
    "Lurking Psychopath",
    PlotKind.SUB,
    (Quota("friend"), Quota("serial_killer")),
)
UNKNOWN_FACTOR: Final = Plot("unknown_factor", "Unknown Factor", PlotKind.SUB, (Quota("factor"),))
PARANOIA_VIRUS: Final = Plot(
    "paranoia_virus",
    "Paranoia Virus",
    PlotKind.SUB,
    (Quota("conspiracy_theorist"),),
    shifts=(RoleShift((PERSON,), "serial_killer", AtLeast(OnSelf(UNEASE), 3)),),
)
THREAD_OF_FATE: Final = Plot(
    "thread_of_fate",
    "Thread of Fate",
    PlotKind.SUB,
    abilities=(
        Ability(
            "thread_of_fate.unease",
            Timing.LOOP_START,
            Place(UNEASE, 2, (On.SELF,)),
            mandatory=True,
            when=HadGoodwillLastLoop(),
            rulings=("BT-10",),
        ),
    ),
)

# Incidents ------------------------------------------------------------------------------

FOUL_EVIL: Final = Incident(
    "foul_evil", "Foul Evil", (Put((INTRIGUE,), 2, SHRINE),), rulings=("I-26",)
)
BUTTERFLY_EFFECT: Final = Incident(
    "butterfly_effect",
    "Butterfly Effect",
    (Put(TOKENS, 1, On.CHARACTER_HERE),),
    rulings=("I-15", "I-09", "I-26"),
)

_PLOTS = (
    THE_SEALED_ITEM,
    SIGN_WITH_ME,
    CHANGING_THE_FUTURE,
    GIANT_TIME_BOMB,
    plots.PREMEDITATED_MURDER,
    CIRCLE_OF_FRIENDS,
    A_LOVE_AFFAIR,
    LURKING_PSYCHOPATH,
    UNKNOWN_FACTOR,
    plots.UNSETTLING_RUMOR,
    PARANOIA_VIRUS,
    THREAD_OF_FATE,
)
_ROLES = (
    roles.NOBODY,
    roles.KEY_PERSON,
    roles.BRAIN,
    roles.TIME_TRAVELER,
    roles.LOVER,
    roles.MURDERER,
    roles.CULTIST,
    roles.SERIAL_KILLER,
    roles.WITCH,
    FRIEND,
    roles.LOVED_ONE,
    roles.CONSPIRACY_THEORIST,
    FACTOR,
)
_INCIDENTS = (
    incidents.HOMICIDE,
    FOUL_EVIL,
    BUTTERFLY_EFFECT,
    incidents.INCREASING_UNEASE,
    incidents.FARAWAY_MURDER,
    incidents.HOSPITAL_HORROR,
    incidents.SUICIDE,
    incidents.MISSING_PERSON,
    incidents.TRANSFER_FRIENDSHIP,
)

BASIC_TRAGEDY: Final = Rulebook(
    "basic_tragedy",
    "Basic Tragedy",
    {plot.id: plot for plot in _PLOTS},
    {role.id: role for role in _ROLES},
    {incident.id: incident for incident in _INCIDENTS},
    CHARACTERS,
    subplots_per_script=2,
    final_guess=True,
)
