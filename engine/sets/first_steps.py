"""First Steps: three main plots, one of three subplots, no Final Guess (FS-01)."""

from __future__ import annotations

from typing import Final

from engine.cast import CHARACTERS
from engine.rules import incidents, plots, roles
from engine.rules.conditions import AtLeast, OnOwnStart, OnPlace, SomeHolder
from engine.rules.model import Ability, Lose, Plot, PlotKind, Quota, Rulebook, Timing
from engine.words import SCHOOL

A_PLACE_TO_PROTECT: Final = Plot(
    "a_place_to_protect",
    "A Place to Protect",
    PlotKind.MAIN,
    (Quota("key_person"), Quota("cultist")),
    (
        Ability(
            "a_place_to_protect.loss",
            Timing.LOOP_END,
            Lose(),
            mandatory=True,
            when=AtLeast(OnPlace(SCHOOL), 2),
            rulings=("L-07",),
        ),
    ),
)

FIRE_OF_THE_AVENGER: Final = Plot(
    "fire_of_the_avenger",
    "Fire of the Avenger",
    PlotKind.MAIN,
    (Quota("brain"),),
    (
        Ability(
            "fire_of_the_avenger.loss",
            Timing.LOOP_END,
            Lose(),
            mandatory=True,
            when=SomeHolder("brain", AtLeast(OnOwnStart(), 2)),
            rulings=("L-07", "L-10", "FS-06"),
        ),
    ),
)

A_HIDEOUS_SCRIPT: Final = Plot(
    "a_hideous_script",
    "A Hideous Script",
    PlotKind.SUB,
    (Quota("conspiracy_theorist"), Quota("friend"), Quota("curmudgeon", 0, 2)),
)

SHADOW_OF_THE_RIPPER: Final = Plot(
    "shadow_of_the_ripper",
    "Shadow of the Ripper",
    PlotKind.SUB,
    (Quota("conspiracy_theorist"), Quota("serial_killer")),
)

_PLOTS = (
    A_PLACE_TO_PROTECT,
    FIRE_OF_THE_AVENGER,
    plots.PREMEDITATED_MURDER,
    A_HIDEOUS_SCRIPT,
    plots.UNSETTLING_RUMOR,
    SHADOW_OF_THE_RIPPER,
)
_ROLES = (
    roles.NOBODY,
    roles.KEY_PERSON,
    roles.BRAIN,
    roles.CULTIST,
    roles.FRIEND,
    roles.MURDERER,
    roles.CURMUDGEON,
    roles.CONSPIRACY_THEORIST,
    roles.SERIAL_KILLER,
)
_INCIDENTS = (
    incidents.HOMICIDE,
    incidents.SUICIDE,
    incidents.FARAWAY_MURDER,
    incidents.TRANSFER_FRIENDSHIP,
    incidents.INCREASING_UNEASE,
    incidents.HOSPITAL_HORROR,
    incidents.MISSING_PERSON,
)

FIRST_STEPS: Final = Rulebook(
    "first_steps",
    "First Steps",
    {plot.id: plot for plot in _PLOTS},
    {role.id: role for role in _ROLES},
    {incident.id: incident for incident in _INCIDENTS},
    CHARACTERS,
    subplots_per_script=1,
    final_guess=False,
)
