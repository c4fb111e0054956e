"""The form of the rule text: what a role, plot, incident and character are made of.

Every rule is written once, as data, and read in two directions: the engine plays it, the
assistant asks which worlds could have shown what was seen. The classes here hold no logic
of either; ``engine.rules.conditions`` judges conditions over a ``View``. What abilities,
incidents and Goodwill abilities do stands in ``deeds``, ``parts`` and ``favours``, whose
names can be had from here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.rules.conditions import ALWAYS, Condition
from engine.rules.deeds import (
    Deed,
    DieAndRaise,
    ForbidMastermindCards,
    IgnoreForbid,
    KillAnyHere,
    KillEverybody,
    KillHolder,
    KillOneOutnumbered,
    KillOnlyCompanion,
    KillProtagonists,
    Lose,
    MoveCorpse,
    On,
    PassToken,
    Place,
    PlaceCurse,
    PlaceOneOf,
    RaiseGauge,
    RevealAndRaise,
    StepAway,
)
from engine.rules.favours import (
    ChangeTokens,
    ClearUser,
    ConvertToken,
    GoodwillDeed,
    KillTarget,
    LastingEffect,
    LeaveBoard,
    MoveTarget,
    MoveTokenBetween,
    PlaceGuard,
    ResolveIncident,
    RevealCulprit,
    RevealRole,
    RevealSameRole,
    RevealSubplot,
    ReviveTarget,
    StepUser,
    TakeBackCard,
    Target,
)
from engine.rules.parts import (
    AttachCurse,
    DeadlyNight,
    Either,
    EndLoop,
    GaugeUp,
    KillAllOnce,
    KillCulprit,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    LeaderKills,
    MoveAnyHere,
    MoveCulprit,
    NameLocation,
    Part,
    Put,
    PutOnPlace,
    ScatterOthers,
    Scent,
    SetExtraCard,
    Transfer,
)
from engine.rulings import TableRulings
from engine.words import UNEASE


class Timing(Enum):
    """When an ability applies."""

    LOOP_START = "loop_start"
    CARDS = "cards"
    MASTERMIND = "mastermind"
    INCIDENT = "incident"
    NIGHT = "night"
    LOOP_END = "loop_end"
    OWN_DEATH = "own_death"
    OTHER_DEATH = "other_death"


class Per(Enum):
    """How often one holder may use an ability."""

    DAY = "day"
    LOOP = "loop"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a role, a plot rule, or a trait used by the Mastermind.

    Attributes:
        id: unique name, shown in courses and coverage.
        timing: the moment at which it applies.
        does: the deed.
        mandatory: it must be applied when its condition holds.
        per: how often a holder may use it.
        loop_limit: a table ruling under which it also has a limit per loop, and that limit.
        when: condition over the view, judged for the holder at its place.
        death_of: for ``OTHER_DEATH``, the role whose death triggers it.
        untimed: the rulebook prints no timing for it, so that another moment of the
            Mastermind is accepted as an explanation (M-08).
        rulings: the rulings it follows.
    """

    id: str
    timing: Timing
    does: Deed
    mandatory: bool = False
    per: Per = Per.DAY
    when: Condition = ALWAYS
    death_of: str | None = None
    untimed: bool = False
    loop_limit: tuple[str, int] | None = None
    rulings: tuple[str, ...] = ()

    def limit_per_loop(self, readings: TableRulings) -> int | None:
        """Return how often it may be used in a loop at this table, ``None`` for daily use."""
        if self.per is Per.LOOP:
            return 1
        if self.loop_limit is not None and readings[self.loop_limit[0]]:
            return self.loop_limit[1]
        return None


class Refusal(Enum):
    """Goodwill refusal of a role."""

    NONE = "none"
    OPTIONAL = "optional"
    MANDATORY = "mandatory"


@dataclass(frozen=True, slots=True)
class Gain:
    """While ``when`` holds, the holder has the abilities of ``role`` too (P-07)."""

    role: str
    when: Condition


@dataclass(frozen=True, slots=True)
class Role:
    """A secret role.

    Attributes:
        limit: the printed maximum in a script, ``None`` for none.
        refusal, refusal_when: whether its holder may or must refuse, and while what holds.
        unkillable: condition under which the holder cannot die; ``None`` for never.
        must_be_culprit, never_culprit: script creation rules (I-18).
        always_triggers: its incidents occur while it lives (MC-13).
        triggers_from_diagonal: its incidents count as at the diagonal location (MC-11).
        triggers_others: while this holds, an incident whose culprit is here occurs (MC-10).
        clears_after_incident: its Unease goes after its own incident (MC-08).
        trigger_tokens: tokens that count as Unease for its own incidents too (WM-11).
        told_by_use: its used Goodwill abilities reveal it, and the Leader may raise the gauge.
    """

    id: str
    name: str
    limit: int | None = None
    refusal: Refusal = Refusal.NONE
    refusal_when: Condition = ALWAYS
    unkillable: Condition | None = None
    abilities: tuple[Ability, ...] = ()
    gains: tuple[Gain, ...] = ()
    must_be_culprit: bool = False
    never_culprit: bool = False
    always_triggers: bool = False
    triggers_from_diagonal: bool = False
    triggers_others: Condition | None = None
    clears_after_incident: bool = False
    trigger_tokens: tuple[str, ...] = ()
    told_by_use: bool = False


@dataclass(frozen=True, slots=True)
class Quota:
    """How many holders of a role a plot adds; ``trait`` restricts who may hold it."""

    role: str
    least: int = 1
    most: int = 1
    trait: str | None = None


@dataclass(frozen=True, slots=True)
class RoleShift:
    """A plot rule that changes current roles: ``old`` count as ``new`` while ``when`` holds."""

    old: tuple[str, ...]
    new: str
    when: Condition
    corpses: bool = False
    """The rule speaks of corpses instead of living characters."""


class PlotKind(Enum):
    """Main plot or subplot."""

    MAIN = "main"
    SUB = "sub"


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: the roles it adds and the rules it brings.

    Attributes:
        trigger_tokens: incident id to tokens that count as Unease for its trigger (MC-05).
        gains: role id to what its holders gain under this plot (WM-18).
        opposite_sex: pairs of roles whose holders must be of opposite sex (HS-20).
        needs: characters that must be in the cast (WM-06).
        extra_main_plot: the script names a second main plot (WM-05).
    """

    id: str
    name: str
    kind: PlotKind
    roles: tuple[Quota, ...] = ()
    abilities: tuple[Ability, ...] = ()
    shifts: tuple[RoleShift, ...] = ()
    trigger_tokens: tuple[tuple[str, tuple[str, ...]], ...] = ()
    gains: tuple[tuple[str, str], ...] = ()
    opposite_sex: tuple[tuple[str, str], ...] = ()
    needs: tuple[str, ...] = ()
    extra_main_plot: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """An incident: how its trigger differs from the normal test, and its effect in order.

    Attributes:
        limit_change: added to the culprit's printed limit (I-02).
        counts: the tokens that count for the trigger.
        mob: corpses needed at the hidden location that is its culprit (HS-03).
        gauge_rise: how far the gauge rises where it counts incidents (MC-01).
        repeatable_culprit: one character may be the culprit of several of these (I-17).
    """

    id: str
    name: str
    parts: tuple[Part, ...]
    limit_change: int = 0
    counts: tuple[str, ...] = (UNEASE,)
    repeatable_culprit: bool = False
    mob: int | None = None
    gauge_rise: int = 1
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoodwillAbility:
    """An ability on a character card that the Leader may use.

    Attributes:
        key: its Goodwill number, with a letter where a card has two with one number.
        goodwill: tokens needed; they are not spent (G-01).
        refusable: refusal, even mandatory, does not touch it when false (G-08).
        only_at: locations in which the user must stand; empty for anywhere.
        from_loop: first loop in which it may be used.
        mastermind: the Mastermind may use it too while the role refuses (M-10).
    """

    key: str
    goodwill: int
    target: Target
    does: GoodwillDeed
    once_per_loop: bool = False
    refusable: bool = True
    only_at: tuple[str, ...] = ()
    from_loop: int = 1
    mastermind: bool = False
    rulings: tuple[str, ...] = ()


class RoleRule(Enum):
    """Which role a script may give a character."""

    ANY = "any"
    OUTSIDE_PLOTS = "outside_plots"
    COPIES = "copies"
    NOT_PERSON = "not_person"


class Entry(Enum):
    """When a late character enters."""

    LOOP = "loop"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Character:
    """A character card.

    Attributes:
        limit: printed Unease limit.
        traits: tags such as ``student`` or ``girl``.
        starts: printed starting locations; several mean that the Mastermind chooses one
            at each loop start.
        forbidden: locations it can never enter unless freed.
        role_rule: what a script may give it.
        entry: late characters only.
        effect_times: how often the effect of its own incidents resolves.
        counts_all_tokens: all its tokens count as Unease for its own incidents.
        start_intrigue: location that gets 1 Intrigue at each loop start.
        start_token: the Mastermind places one token of any kind on it at loop start.
        echoes_location_cards: cards on its location apply to it, none may lie on it.
        has_turf: it may be regarded as standing in its turf for its role's abilities.
        passes_token: the Leader may each day move one of its tokens to another one here;
            the Mastermind must do so while its role refuses.
    """

    id: str
    name: str
    limit: int
    traits: frozenset[str]
    starts: tuple[str, ...]
    forbidden: frozenset[str] = frozenset()
    goodwill: tuple[GoodwillAbility, ...] = ()
    role_rule: RoleRule = RoleRule.ANY
    entry: Entry | None = None
    effect_times: int = 1
    counts_all_tokens: bool = False
    start_intrigue: str | None = None
    start_token: bool = False
    echoes_location_cards: bool = False
    has_turf: bool = False
    passes_token: bool = False
    rulings: tuple[str, ...] = ()


class GaugeUse(Enum):
    """What the Extra Gauge counts."""

    NONE = "none"
    INCIDENTS = "incidents"
    """Incidents of this loop; reset at each loop start (MC-01)."""
    KNOWLEDGE = "knowledge"
    """Refusals and revelations of the whole game; it never resets (WM-01)."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One tragedy set with all it uses: the rule text that engine and assistant read.

    Attributes:
        gauge: what the Extra Gauge counts in this set.
        victims: Intrigue on locations counts as corpses of Persons (HS-01).
        curses: curse cards are attached and kill before all else at Day End (HS-06).
    """

    id: str
    name: str
    plots: Mapping[str, Plot]
    roles: Mapping[str, Role]
    incidents: Mapping[str, Incident]
    characters: Mapping[str, Character]
    subplots_per_script: int
    final_guess: bool
    gauge: GaugeUse = GaugeUse.NONE
    victims: bool = False
    curses: bool = False
    shifts: tuple[tuple[str, RoleShift], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the role shifts of all plots, with the plot each belongs to."""
        shifts = tuple((plot.id, shift) for plot in self.plots.values() for shift in plot.shifts)
        object.__setattr__(self, "shifts", shifts)

    @property
    def uses_gauge(self) -> bool:
        """Tell whether the set uses the Extra Gauge."""
        return self.gauge is not GaugeUse.NONE

    def main_plots(self) -> tuple[Plot, ...]:
        """Return the main plots in printed order."""
        return tuple(plot for plot in self.plots.values() if plot.kind is PlotKind.MAIN)

    def subplots(self) -> tuple[Plot, ...]:
        """Return the subplots in printed order."""
        return tuple(plot for plot in self.plots.values() if plot.kind is PlotKind.SUB)


__all__ = [
    "Ability",
    "AttachCurse",
    "ChangeTokens",
    "Character",
    "ClearUser",
    "ConvertToken",
    "DeadlyNight",
    "Deed",
    "DieAndRaise",
    "Either",
    "EndLoop",
    "Entry",
    "ForbidMastermindCards",
    "Gain",
    "GaugeUp",
    "GaugeUse",
    "GoodwillAbility",
    "GoodwillDeed",
    "IgnoreForbid",
    "Incident",
    "KillAllOnce",
    "KillAnyHere",
    "KillCulprit",
    "KillEverybody",
    "KillEveryoneAt",
    "KillEveryoneHere",
    "KillHolder",
    "KillOne",
    "KillOneOutnumbered",
    "KillOnlyCompanion",
    "KillProtagonists",
    "KillProtagonistsAt",
    "KillProtagonistsByCorpses",
    "KillTarget",
    "LastingEffect",
    "LeaderKills",
    "LeaveBoard",
    "Lose",
    "MoveAnyHere",
    "MoveCorpse",
    "MoveCulprit",
    "MoveTarget",
    "MoveTokenBetween",
    "NameLocation",
    "On",
    "Part",
    "PassToken",
    "Per",
    "Place",
    "PlaceCurse",
    "PlaceGuard",
    "PlaceOneOf",
    "Plot",
    "PlotKind",
    "Put",
    "PutOnPlace",
    "Quota",
    "RaiseGauge",
    "Refusal",
    "ResolveIncident",
    "RevealAndRaise",
    "RevealCulprit",
    "RevealRole",
    "RevealSameRole",
    "RevealSubplot",
    "ReviveTarget",
    "Role",
    "RoleRule",
    "RoleShift",
    "Rulebook",
    "ScatterOthers",
    "Scent",
    "SetExtraCard",
    "StepAway",
    "StepUser",
    "TakeBackCard",
    "Target",
    "Timing",
    "Transfer",
]
