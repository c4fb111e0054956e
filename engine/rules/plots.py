"""Plots that several sets share."""

from __future__ import annotations

from typing import Final

from engine.rules.model import Ability, On, Per, Place, Plot, PlotKind, Quota, Timing
from engine.words import INTRIGUE

PREMEDITATED_MURDER: Final = Plot(
    "premeditated_murder",
    "Premeditated Murder",
    PlotKind.MAIN,
    (Quota("key_person"), Quota("brain"), Quota("murderer")),
)

UNSETTLING_RUMOR: Final = Plot(
    "an_unsettling_rumor",
    "An Unsettling Rumor",
    PlotKind.SUB,
    (Quota("conspiracy_theorist"),),
    (
        Ability(
            "an_unsettling_rumor.intrigue",
            Timing.MASTERMIND,
            Place(INTRIGUE, 1, (On.ANY_LOCATION,)),
            per=Per.LOOP,
            untimed=True,
            rulings=("M-08",),
        ),
    ),
)
