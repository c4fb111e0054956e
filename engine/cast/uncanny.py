"""Cards that are not quite people."""

from __future__ import annotations

from typing import Final

from engine.kleene import YES
from engine.rules.model import Character, GoodwillAbility, KillTarget, ReviveTarget, Target
from engine.words import HOSPITAL, SHRINE

ALIEN: Final = Character(
    "alien",
    "Alien",
    2,
    frozenset({"girl"}),
    (SHRINE,),
    frozenset({HOSPITAL}),
    goodwill=(
        GoodwillAbility(
            "4",
            4,
            Target("character", other=YES),
            KillTarget(),
            once_per_loop=True,
            rulings=("K-Alien", "G-14", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("corpse"),
            ReviveTarget(),
            once_per_loop=True,
            rulings=("K-Alien", "G-20"),
        ),
    ),
)
BLACK_CAT: Final = Character(
    "black_cat",
    "Black Cat",
    0,
    frozenset({"animal"}),
    (SHRINE,),
    effect_times=0,
    start_intrigue=SHRINE,
    rulings=("K-Black Cat", "I-05"),
)

CARDS: Final = (ALIEN, BLACK_CAT)
