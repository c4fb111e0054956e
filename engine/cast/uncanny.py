"""Cards that are not quite people."""

from __future__ import annotations

from typing import Final

from engine.kleene import YES
from engine.rules.model import (
    ChangeTokens,
    Character,
    Entry,
    GoodwillAbility,
    KillTarget,
    LeaveBoard,
    MoveTarget,
    ResolveIncident,
    RevealCulprit,
    ReviveTarget,
    RoleRule,
    Target,
)
from engine.words import CITY, HOSPITAL, INTRIGUE, SCHOOL, SHRINE

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

GODLY_BEING: Final = Character(
    "godly_being",
    "Godly Being",
    3,
    frozenset({"man", "woman"}),
    (SHRINE,),
    entry=Entry.LOOP,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("incident", "script"),
            RevealCulprit(),
            once_per_loop=True,
            rulings=("K-Godly Being", "G-11", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("character_or_location"),
            ChangeTokens(INTRIGUE, (-1,)),
            rulings=("K-Godly Being", "G-20"),
        ),
    ),
    rulings=("K-Godly Being", "P-05"),
)
ILLUSION: Final = Character(
    "illusion",
    "Illusion",
    3,
    frozenset({"fabrication", "woman"}),
    (SHRINE,),
    echoes_location_cards=True,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("character"),
            MoveTarget(),
            once_per_loop=True,
            rulings=("K-Illusion", "B-05", "G-20"),
        ),
        GoodwillAbility(
            "4",
            4,
            Target("self"),
            LeaveBoard(),
            once_per_loop=True,
            rulings=("K-Illusion", "B-07", "G-20"),
        ),
    ),
    rulings=("K-Illusion",),
)
AI: Final = Character(
    "ai",
    "A.I.",
    4,
    frozenset({"construct"}),
    (CITY,),
    frozenset({HOSPITAL, SHRINE, SCHOOL}),
    role_rule=RoleRule.NOT_PERSON,
    counts_all_tokens=True,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("incident", "script"),
            ResolveIncident(),
            once_per_loop=True,
            rulings=("K-A.I.", "I-26", "G-20"),
        ),
    ),
    rulings=("K-A.I.", "I-02", "I-03"),
)
SACRED_TREE: Final = Character(
    "sacred_tree",
    "Sacred Tree",
    4,
    frozenset({"tree"}),
    (SHRINE,),
    frozenset({HOSPITAL, CITY, SCHOOL}),
    passes_token=True,
    rulings=("K-Sacred Tree",),
)

CARDS: Final = (ALIEN, BLACK_CAT, GODLY_BEING, ILLUSION, AI, SACRED_TREE)
