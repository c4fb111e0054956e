"""Haunted Stage: corpses, curses and mobs (HS-01 to HS-06)."""

from __future__ import annotations

from typing import Final

from engine.cast import CHARACTERS
from engine.kleene import NO
from engine.rules import incidents, roles
from engine.rules.conditions import (
    ALWAYS,
    AtLeast,
    AtMost,
    CorpsesAtOwnStart,
    CurseWithoutCarrier,
    IntrigueOnCorpses,
    IsDead,
    OccurredToday,
    OnSelf,
)
from engine.rules.model import (
    Ability,
    AttachCurse,
    DeadlyNight,
    Either,
    ForbidMastermindCards,
    Incident,
    KillAnyHere,
    KillEveryoneHere,
    KillHolder,
    KillOne,
    KillOneOutnumbered,
    KillProtagonists,
    KillProtagonistsByCorpses,
    LeaderKills,
    MoveCorpse,
    On,
    Place,
    PlaceCurse,
    Plot,
    PlotKind,
    Put,
    PutOnPlace,
    Quota,
    Refusal,
    Role,
    RoleShift,
    Rulebook,
    ScatterOthers,
    StepAway,
    Timing,
)
from engine.rulings import TWICE_PER_LOOP_RULE
from engine.words import INTRIGUE, PERSON, SHRINE, UNEASE

# Roles ------------------------------------------------------------------------------------

WEREWOLF: Final = Role(
    "werewolf",
    "Werewolf",
    refusal=Refusal.OPTIONAL,
    abilities=(
        Ability(
            "werewolf.protagonists",
            Timing.NIGHT,
            KillProtagonists(),
            when=OccurredToday("night_of_madness"),
            rulings=("HS-12", "D-12"),
        ),
        Ability(
            "werewolf.no_cards",
            Timing.CARDS,
            ForbidMastermindCards(),
            mandatory=True,
            rulings=("C-12", "HS-12"),
        ),
    ),
)
VAMPIRE: Final = Role(
    "vampire",
    "Vampire",
    refusal=Refusal.OPTIONAL,
    unkillable=ALWAYS,
    abilities=(
        Ability(
            "vampire.key_person",
            Timing.NIGHT,
            KillHolder("key_person", INTRIGUE, 2),
            rulings=("HS-13", "D-11"),
        ),
        Ability(
            "vampire.protagonists",
            Timing.NIGHT,
            KillProtagonists(),
            when=AtLeast(CorpsesAtOwnStart(), 2),
            rulings=("HS-13", "HS-29", "D-12"),
        ),
    ),
)
NIGHTMARE: Final = Role(
    "nightmare",
    "Nightmare",
    refusal=Refusal.OPTIONAL,
    unkillable=ALWAYS,
    abilities=(
        Ability("nightmare.kill", Timing.NIGHT, KillAnyHere(), rulings=("HS-14", "D-11")),
        Ability(
            "nightmare.protagonists",
            Timing.NIGHT,
            KillProtagonists(),
            when=AtLeast(IntrigueOnCorpses(), 3),
            rulings=("HS-29", "D-12"),
        ),
    ),
)
GHOST: Final = Role(
    "ghost",
    "Ghost",
    limit=1,
    abilities=(
        Ability(
            "ghost.unease",
            Timing.MASTERMIND,
            Place(UNEASE, 1, (On.CHARACTER_HERE,)),
            mandatory=True,
            when=IsDead(),
            rulings=("HS-09",),
        ),
    ),
)
SHOW_OFF: Final = Role(
    "show_off",
    "Show-Off",
    unkillable=AtMost(OnSelf(UNEASE), 1),
    refusal=Refusal.MANDATORY,
    refusal_when=AtLeast(OnSelf(UNEASE), 2),
)
COWARD: Final = Role(
    "coward",
    "Coward",
    abilities=(
        Ability(
            "coward.step",
            Timing.MASTERMIND,
            StepAway(),
            mandatory=True,
            when=AtLeast(OnSelf(UNEASE), 2),
            rulings=("HS-10", "M-05"),
        ),
    ),
)
ZOMBIE: Final = Role(
    "zombie",
    "Zombie",
    abilities=(
        Ability(
            "zombie.kill",
            Timing.NIGHT,
            KillOneOutnumbered(),
            mandatory=True,
            rulings=("HS-15", "HS-17"),
        ),
        Ability("zombie.move", Timing.NIGHT, MoveCorpse(), rulings=("HS-16",)),
    ),
)


def _curse(plot: str, role: str) -> Ability:
    return Ability(f"{plot}.curse", Timing.LOOP_START, PlaceCurse(role), rulings=("HS-08",))


_PLOTS = (
    Plot(
        "the_noble_bloodline",
        "The Noble Bloodline",
        PlotKind.MAIN,
        (Quota("key_person"), Quota("vampire")),
        opposite_sex=(("key_person", "vampire"),),
    ),
    Plot(
        "the_ones_from_the_grave",
        "The Ones from the Grave",
        PlotKind.MAIN,
        shifts=(RoleShift((PERSON, "coward", "show_off"), "zombie", ALWAYS, corpses=True),),
    ),
    Plot("moonlight_beast", "Moonlight Beast", PlotKind.MAIN, (Quota("werewolf"),)),
    Plot(
        "the_cursed_land",
        "The Cursed Land",
        PlotKind.MAIN,
        (Quota("ghost"), Quota("show_off")),
        (
            _curse("the_cursed_land", "ghost"),
            Ability(
                "the_cursed_land.protagonists",
                Timing.NIGHT,
                KillProtagonists(),
                when=CurseWithoutCarrier(),
                rulings=("HS-07", "D-12"),
            ),
        ),
    ),
    Plot("night_mist_nightmare", "Night Mist Nightmare", PlotKind.MAIN, (Quota("nightmare"),)),
    Plot(
        "those_with_habits",
        "Those with Habits",
        PlotKind.SUB,
        (Quota("ghost"), Quota("serial_killer"), Quota("loved_one")),
    ),
    Plot("a_love_affair", "A Love Affair", PlotKind.SUB, (Quota("lover"), Quota("loved_one"))),
    Plot(
        "witchs_curse",
        "Witch's Curse",
        PlotKind.SUB,
        (Quota("conspiracy_theorist"), Quota("witch")),
        (_curse("witchs_curse", "witch"),),
    ),
    Plot("the_key_girl", "The Key Girl", PlotKind.SUB, (Quota("key_person", trait="girl"),)),
    Plot(
        "monster_intrigue",
        "Monster Intrigue",
        PlotKind.SUB,
        (Quota("conspiracy_theorist"),),
        (
            Ability(
                "monster_intrigue.intrigue",
                Timing.MASTERMIND,
                Place(INTRIGUE, 1, (On.REFUSER_LOCATION,)),
                loop_limit=(TWICE_PER_LOOP_RULE, 2),
                rulings=("HS-19",),
            ),
        ),
    ),
    Plot(
        "panic_and_obsession",
        "Panic and Obsession",
        PlotKind.SUB,
        (Quota("serial_killer"), Quota("coward"), Quota("witch")),
    ),
    Plot(
        "people_who_dont_listen",
        "People Who Don't Listen",
        PlotKind.SUB,
        (Quota("show_off"), Quota("conspiracy_theorist"), Quota("coward")),
    ),
)
_ROLES = (
    roles.NOBODY,
    roles.KEY_PERSON,
    WEREWOLF,
    VAMPIRE,
    NIGHTMARE,
    GHOST,
    roles.CONSPIRACY_THEORIST,
    SHOW_OFF,
    roles.SERIAL_KILLER,
    COWARD,
    roles.LOVED_ONE,
    roles.LOVER,
    ZOMBIE,
    roles.WITCH,
)

# Incidents --------------------------------------------------------------------------------

_INCIDENTS = (
    Incident(
        "sacrilegious_murder",
        "Sacrilegious Murder",
        (Either(KillOne(at_culprit=True, culprit_may_die=NO), PutOnPlace(INTRIGUE, 1)),),
        rulings=("HS-23", "I-09"),
    ),
    Incident(
        "the_executioner",
        "The Executioner",
        (LeaderKills(),),
        limit_change=-1,
        rulings=("HS-27", "WM-15", "I-02"),
    ),
    incidents.INCREASING_UNEASE,
    Incident("dark_rumor", "Dark Rumor", (AttachCurse(),), rulings=("HS-05", "HS-27")),
    incidents.MISSING_PERSON,
    Incident("barricade", "Barricade", (ScatterOthers(),), rulings=("HS-23", "I-09")),
    Incident(
        "evil_contamination",
        "Evil Contamination",
        (Put((INTRIGUE,), 2, SHRINE),),
        rulings=("HS-27", "I-26"),
    ),
    Incident("night_of_madness", "Night of Madness", (DeadlyNight(6),), mob=0, rulings=("HS-04",)),
    Incident(
        "evangelium_of_the_dead",
        "Evangelium of the Dead",
        (KillEveryoneHere(), KillProtagonistsByCorpses(5)),
        mob=2,
        rulings=("HS-05", "HS-03"),
    ),
    Incident(
        "awakened_curse", "Awakened Curse", (AttachCurse(),), mob=1, rulings=("HS-05", "HS-03")
    ),
    Incident(
        "fountain_of_filth",
        "Fountain of Filth",
        (Put((UNEASE,), 2, On.ANYONE), PutOnPlace(INTRIGUE, 1, anywhere=True)),
        mob=2,
        rulings=("HS-03", "HS-27"),
    ),
)

HAUNTED_STAGE: Final = Rulebook(
    "haunted_stage",
    "Haunted Stage",
    {plot.id: plot for plot in _PLOTS},
    {role.id: role for role in _ROLES},
    {incident.id: incident for incident in _INCIDENTS},
    CHARACTERS,
    subplots_per_script=2,
    final_guess=True,
    victims=True,
    curses=True,
)
