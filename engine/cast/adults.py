"""Adults."""

from __future__ import annotations

from typing import Final

from engine.kleene import MAYBE, YES
from engine.rules.model import (
    ChangeTokens,
    Character,
    ClearUser,
    GoodwillAbility,
    LastingEffect,
    MoveTokenBetween,
    PlaceGuard,
    RevealCulprit,
    RevealRole,
    RevealSubplot,
    Target,
)
from engine.words import CITY, GOODWILL, HOSPITAL, INTRIGUE, LOCATIONS, SCHOOL, SHRINE, UNEASE

POLICE_OFFICER: Final = Character(
    "police_officer",
    "Police Officer",
    3,
    frozenset({"adult", "man"}),
    (CITY,),
    goodwill=(
        GoodwillAbility(
            "4",
            4,
            Target("incident", "occurred"),
            RevealCulprit(),
            once_per_loop=True,
            rulings=("K-Police", "G-11", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("character", other=MAYBE),
            PlaceGuard(),
            once_per_loop=True,
            rulings=("K-Police", "G-17", "G-20"),
        ),
    ),
)
OFFICE_WORKER: Final = Character(
    "office_worker",
    "Office Worker",
    2,
    frozenset({"adult", "man"}),
    (CITY,),
    frozenset({SCHOOL}),
    goodwill=(
        GoodwillAbility(
            "3", 3, Target("self"), RevealRole(), rulings=("K-Office Worker", "G-10", "G-20")
        ),
    ),
)
INFORMANT: Final = Character(
    "informant",
    "Informant",
    3,
    frozenset({"adult", "woman"}),
    (CITY,),
    goodwill=(
        GoodwillAbility(
            "5",
            5,
            Target("subplot"),
            RevealSubplot(),
            once_per_loop=True,
            rulings=("K-Informer", "G-12"),
        ),
    ),
)
JOURNALIST: Final = Character(
    "journalist",
    "Journalist",
    2,
    frozenset({"adult", "man"}),
    (CITY,),
    goodwill=(
        GoodwillAbility(
            "2a",
            2,
            Target("character", "anywhere", other=YES),
            ChangeTokens(UNEASE, (1,)),
            rulings=("K-Pop Idol", "G-20"),
        ),
        GoodwillAbility(
            "2b",
            2,
            Target("character_or_location"),
            ChangeTokens(INTRIGUE, (1,)),
            rulings=("K-Pop Idol", "G-20"),
        ),
    ),
)
DOCTOR: Final = Character(
    "doctor",
    "Doctor",
    2,
    frozenset({"adult", "man"}),
    (HOSPITAL,),
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("character", other=YES),
            ChangeTokens(UNEASE, (1, -1)),
            mastermind=True,
            rulings=("K-Doctor", "M-10", "M-11", "G-20"),
        ),
        GoodwillAbility(
            "3",
            3,
            Target("character", "anywhere", character="patient"),
            LastingEffect("freed"),
            rulings=("K-Doctor", "G-18"),
        ),
    ),
)
NURSE: Final = Character(
    "nurse",
    "Nurse",
    3,
    frozenset({"adult", "woman"}),
    (HOSPITAL,),
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("character", other=YES, panicked=True),
            ChangeTokens(UNEASE, (-1,)),
            refusable=False,
            rulings=("K-Nurse", "G-08"),
        ),
    ),
)
HENCHMAN: Final = Character(
    "henchman",
    "Henchman",
    1,
    frozenset({"adult", "man"}),
    LOCATIONS,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("self"),
            LastingEffect("incidents_suppressed"),
            rulings=("K-Henchman", "G-16", "G-18"),
        ),
    ),
    rulings=("K-Henchman", "L-10"),
)
TEACHER: Final = Character(
    "teacher",
    "Teacher",
    2,
    frozenset({"adult", "woman"}),
    (SCHOOL,),
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("character", trait="student"),
            ChangeTokens(UNEASE, (1, -1)),
            rulings=("K-Teacher", "G-20"),
        ),
        GoodwillAbility(
            "4",
            4,
            Target("character", trait="student"),
            RevealRole(),
            once_per_loop=True,
            rulings=("K-Teacher", "G-10", "G-20"),
        ),
    ),
)
SOLDIER: Final = Character(
    "soldier",
    "Soldier",
    3,
    frozenset({"adult", "man"}),
    (HOSPITAL,),
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("character", other=MAYBE),
            ChangeTokens(UNEASE, (2,)),
            once_per_loop=True,
            rulings=("G-15", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("none"),
            LastingEffect("protagonists_cannot_die"),
            once_per_loop=True,
            rulings=("G-15", "G-18"),
        ),
    ),
)

BOSS: Final = Character(
    "boss",
    "Boss",
    4,
    frozenset({"adult", "man"}),
    (CITY,),
    has_turf=True,
    goodwill=(
        GoodwillAbility(
            "5",
            5,
            Target("character", "turf", other=YES),
            RevealRole(),
            once_per_loop=True,
            rulings=("K-Boss", "G-10", "G-20"),
        ),
    ),
    rulings=("K-Boss", "P-10"),
)
SCIENTIST: Final = Character(
    "scientist",
    "Scientist",
    2,
    frozenset({"adult", "man"}),
    (HOSPITAL,),
    start_token=True,
    goodwill=(
        GoodwillAbility("3", 3, Target("self"), ClearUser(), rulings=("K-Scientist", "G-20")),
    ),
    rulings=("K-Scientist", "N-04"),
)
FORENSIC_SPECIALIST: Final = Character(
    "forensic_specialist",
    "Forensic Specialist",
    3,
    frozenset({"adult", "man"}),
    (CITY,),
    goodwill=(
        GoodwillAbility(
            "2",
            2,
            Target("two_characters", other=YES),
            MoveTokenBetween(),
            once_per_loop=True,
            rulings=("K-Forensic", "G-20"),
        ),
        GoodwillAbility(
            "5",
            5,
            Target("corpse", "anywhere"),
            RevealRole(),
            once_per_loop=True,
            rulings=("K-Forensic", "G-10", "G-20"),
        ),
    ),
)
PROPHET: Final = Character(
    "prophet",
    "Prophet",
    3,
    frozenset({"adult", "woman"}),
    (SHRINE,),
    effect_times=2,
    goodwill=(
        GoodwillAbility(
            "3",
            3,
            Target("character", "anywhere", other=YES, panicked=True, has=UNEASE),
            ChangeTokens(GOODWILL, (1,)),
            rulings=("K-Prophet", "G-20"),
        ),
        GoodwillAbility(
            "4",
            4,
            Target("character", other=YES, panicked=True, has=UNEASE),
            RevealRole(),
            once_per_loop=True,
            rulings=("K-Prophet", "G-10", "G-20"),
        ),
    ),
    rulings=("K-Prophet",),
)

CARDS: Final = (
    POLICE_OFFICER,
    OFFICE_WORKER,
    INFORMANT,
    JOURNALIST,
    DOCTOR,
    NURSE,
    HENCHMAN,
    TEACHER,
    SOLDIER,
    BOSS,
    SCIENTIST,
    FORENSIC_SPECIALIST,
    PROPHET,
)
