"""Secret roles that several sets share, each whole rule in one place."""

from __future__ import annotations

from typing import Final

from engine.rules.conditions import (
    ALWAYS,
    AtLeast,
    AtMost,
    Both,
    IsDead,
    OnSelf,
    WasRevealed,
)
from engine.rules.model import (
    Ability,
    IgnoreForbid,
    KillHolder,
    KillOnlyCompanion,
    KillProtagonists,
    Lose,
    On,
    Place,
    PlaceOneOf,
    Refusal,
    Role,
    Timing,
)
from engine.words import GOODWILL, INTRIGUE, PERSON, UNEASE

NOBODY: Final = Role(PERSON, "Person")
"""No secret role."""

KEY_PERSON: Final = Role(
    "key_person",
    "Key Person",
    abilities=(
        Ability(
            "key_person.death",
            Timing.OWN_DEATH,
            Lose(at_once=True),
            mandatory=True,
            rulings=("L-02", "P-11"),
        ),
    ),
)

BRAIN: Final = Role(
    "brain",
    "Brain",
    refusal=Refusal.OPTIONAL,
    abilities=(
        Ability(
            "brain.intrigue",
            Timing.MASTERMIND,
            Place(INTRIGUE, 1, (On.HERE, On.CHARACTER_HERE)),
            rulings=("M-06", "M-02"),
        ),
    ),
)

CULTIST: Final = Role(
    "cultist",
    "Cultist",
    refusal=Refusal.MANDATORY,
    abilities=(
        Ability(
            "cultist.ignore_forbid",
            Timing.CARDS,
            IgnoreForbid(INTRIGUE, On.HERE),
            rulings=("C-07", "C-09"),
        ),
    ),
)

FRIEND: Final = Role(
    "friend",
    "Friend",
    abilities=(
        Ability(
            "friend.loss",
            Timing.LOOP_END,
            Lose(reveals=True),
            mandatory=True,
            when=IsDead(),
            rulings=("L-05", "L-07"),
        ),
        Ability(
            "friend.goodwill",
            Timing.LOOP_START,
            Place(GOODWILL, 1, (On.SELF,)),
            mandatory=True,
            when=WasRevealed(),
            rulings=("N-05", "N-04"),
        ),
    ),
)


def murderer(role: str, name: str) -> Role:
    """Return the Murderer, whom later sets call Killer."""
    return Role(
        role,
        name,
        refusal=Refusal.OPTIONAL,
        abilities=(
            Ability(
                f"{role}.key_person",
                Timing.NIGHT,
                KillHolder(KEY_PERSON.id, INTRIGUE, 2),
                rulings=("D-10", "D-11"),
            ),
            Ability(
                f"{role}.protagonists",
                Timing.NIGHT,
                KillProtagonists(),
                when=AtLeast(OnSelf(INTRIGUE), 4),
                rulings=("D-10", "D-12"),
            ),
        ),
    )


MURDERER: Final = murderer("murderer", "Murderer")

CURMUDGEON: Final = Role("curmudgeon", "Curmudgeon", refusal=Refusal.OPTIONAL)

CONSPIRACY_THEORIST: Final = Role(
    "conspiracy_theorist",
    "Conspiracy Theorist",
    limit=1,
    abilities=(
        Ability(
            "conspiracy_theorist.unease",
            Timing.MASTERMIND,
            Place(UNEASE, 1, (On.CHARACTER_HERE,)),
            rulings=("M-07", "M-02"),
        ),
    ),
)

SERIAL_KILLER: Final = Role(
    "serial_killer",
    "Serial Killer",
    abilities=(
        Ability(
            "serial_killer.kill",
            Timing.NIGHT,
            KillOnlyCompanion(),
            mandatory=True,
            rulings=("D-04", "D-05"),
        ),
    ),
)

TIME_TRAVELER: Final = Role(
    "time_traveler",
    "Time Traveler",
    unkillable=ALWAYS,
    abilities=(
        Ability(
            "time_traveler.ignore_forbid",
            Timing.CARDS,
            IgnoreForbid(GOODWILL, On.SELF),
            mandatory=True,
            rulings=("C-04",),
        ),
        Ability(
            "time_traveler.loss",
            Timing.LOOP_END,
            Lose(),
            when=AtMost(OnSelf(GOODWILL), 2),
            rulings=("BT-04", "L-07"),
        ),
    ),
)

LOVER: Final = Role(
    "lover",
    "Lover",
    abilities=(
        Ability(
            "lover.unease",
            Timing.OTHER_DEATH,
            Place(UNEASE, 6, (On.SELF,)),
            mandatory=True,
            death_of="loved_one",
            rulings=("BT-07", "D-14"),
        ),
    ),
)

LOVED_ONE: Final = Role(
    "loved_one",
    "Loved One",
    abilities=(
        Ability(
            "loved_one.unease",
            Timing.OTHER_DEATH,
            Place(UNEASE, 6, (On.SELF,)),
            mandatory=True,
            death_of="lover",
            rulings=("BT-07", "D-14"),
        ),
        Ability(
            "loved_one.protagonists",
            Timing.NIGHT,
            KillProtagonists(),
            when=Both(AtLeast(OnSelf(UNEASE), 3), AtLeast(OnSelf(INTRIGUE), 1)),
            rulings=("BT-07", "D-12", "D-09"),
        ),
    ),
)

WITCH: Final = Role("witch", "Witch", refusal=Refusal.MANDATORY)

PARANOIAC: Final = Role(
    "paranoiac",
    "Paranoiac",
    refusal=Refusal.MANDATORY,
    abilities=(
        Ability(
            "paranoiac.token",
            Timing.MASTERMIND,
            PlaceOneOf((INTRIGUE, UNEASE), 1, (On.SELF,)),
            rulings=("MC-15", "M-02"),
        ),
    ),
)
