"""Students, the Patient and the Young Girl's schoolmates."""

from __future__ import annotations

from typing import Final

from engine.kleene import YES
from engine.rules.model import (
    ChangeTokens,
    Character,
    ConvertToken,
    Entry,
    GoodwillAbility,
    LastingEffect,
    RevealRole,
    RevealSameRole,
    RoleRule,
    StepUser,
    TakeBackCard,
    Target,
)
from engine.words import CITY, GOODWILL, HOSPITAL, INTRIGUE, SCHOOL, SHRINE, UNEASE

_CALM_A_STUDENT = GoodwillAbility(
    "2",
    2,
    Target("character", other=YES, trait="student"),
    ChangeTokens(UNEASE, (-1,)),
    rulings=("K-Boy/Girl Student", "G-20"),
)

BOY_STUDENT: Final = Character(
    "boy_student",
    "Boy Student",
    2,
    frozenset({"student", "boy"}),
    (SCHOOL,),
    goodwill=(_CALM_A_STUDENT,),
)
GIRL_STUDENT: Final = Character(
    "girl_student",
    "Girl Student",
    3,
    frozenset({"student", "girl"}),
    (SCHOOL,),
    goodwill=(_CALM_A_STUDENT,),
)
RICH_STUDENT: Final = Character(
    "rich_student",
    "Rich Student",
    1,
    frozenset({"student", "girl"}),
    (SCHOOL,),
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("character"),
            ChangeTokens(GOODWILL, (1,)),
            only_at=(SCHOOL, CITY),
            rulings=("K-Rich Student", "G-20"),
        ),
    ),
)
CLASS_REP: Final = Character(
    "class_rep",
    "Class Rep",
    2,
    frozenset({"student", "girl"}),
    (SCHOOL,),
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("card"),
            TakeBackCard(),
            once_per_loop=True,
            rulings=("K-Class Rep", "G-20"),
        ),
    ),
)
MYSTERY_BOY: Final = Character(
    "mystery_boy",
    "Mystery Boy",
    3,
    frozenset({"student", "boy"}),
    (SCHOOL,),
    role_rule=RoleRule.OUTSIDE_PLOTS,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("self"),
            RevealRole(),
            refusable=False,
            from_loop=2,
            rulings=("K-Mystery Boy", "G-08"),
        ),
    ),
    rulings=("P-04", "K-Mystery Boy"),
)
SHRINE_MAIDEN: Final = Character(
    "shrine_maiden",
    "Shrine Maiden",
    2,
    frozenset({"student", "girl"}),
    (SHRINE,),
    frozenset({CITY}),
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("location", SHRINE),
            ChangeTokens(INTRIGUE, (-1,)),
            only_at=(SHRINE,),
            rulings=("K-Shrine Maiden", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("character"),
            RevealRole(),
            once_per_loop=True,
            rulings=("K-Shrine Maiden", "G-10", "G-20"),
        ),
    ),
)
POP_IDOL: Final = Character(
    "pop_idol",
    "Pop Idol",
    2,
    frozenset({"student", "girl"}),
    (CITY,),
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("character", other=YES),
            ChangeTokens(UNEASE, (-1,)),
            rulings=("K-Pop Idol", "G-20"),
        ),
        GoodwillAbility(
            "4",
            4,
            Target("character", other=YES),
            ChangeTokens(GOODWILL, (1,)),
            rulings=("K-Pop Idol", "G-20"),
        ),
    ),
)
PATIENT: Final = Character(
    "patient",
    "Patient",
    2,
    frozenset({"boy"}),
    (HOSPITAL,),
    frozenset({SHRINE, CITY, SCHOOL}),
    rulings=("K-Patient",),
)

TRANSFER_STUDENT: Final = Character(
    "transfer_student",
    "Transfer Student",
    2,
    frozenset({"student", "girl"}),
    (SCHOOL,),
    entry=Entry.DAY,
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("character", other=YES, has=INTRIGUE),
            ConvertToken(INTRIGUE, GOODWILL),
            rulings=("K-Transfer Student", "G-20"),
        ),
    ),
    rulings=("K-Transfer Student", "P-05"),
)
YOUNG_GIRL: Final = Character(
    "young_girl",
    "Young Girl",
    1,
    frozenset({"student", "girl"}),
    (SCHOOL,),
    frozenset({HOSPITAL, SHRINE, CITY}),
    goodwill=(
        GoodwillAbility(
            "1", 1, Target("self"), LastingEffect("freed"), rulings=("K-Young Girl", "G-18")
        ),
        GoodwillAbility(
            "3",
            3,
            Target("self"),
            StepUser(),
            once_per_loop=True,
            rulings=("K-Young Girl", "B-02", "G-20"),
        ),
    ),
    rulings=("K-Young Girl", "B-05"),
)
COPYCAT: Final = Character(
    "copycat",
    "Copycat",
    2,
    frozenset({"student", "boy"}),
    (CITY,),
    role_rule=RoleRule.COPIES,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("none"),
            RevealSameRole(),
            refusable=False,
            from_loop=2,
            rulings=("K-Copycat", "G-08"),
        ),
    ),
    rulings=("K-Copycat",),
)

CARDS: Final = (
    BOY_STUDENT,
    GIRL_STUDENT,
    RICH_STUDENT,
    CLASS_REP,
    MYSTERY_BOY,
    SHRINE_MAIDEN,
    POP_IDOL,
    PATIENT,
    TRANSFER_STUDENT,
    YOUNG_GIRL,
    COPYCAT,
)
