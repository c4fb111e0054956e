"""The form of the rule text: what a role, plot, incident and character are made of.

Every rule is written once, as data, and read in two directions: the engine plays it, the
assistant asks which worlds could have shown what was seen. The classes here hold no logic
of either; ``engine.rules.conditions`` judges conditions over a ``View``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.rules.conditions import ALWAYS, Condition
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


class On(Enum):
    """What an effect may aim at, seen from where the source stands."""

    SELF = "self"
    HERE = "here"
    CHARACTER_HERE = "character_here"
    OTHER_HERE = "other_here"
    ANY_LOCATION = "any_location"
    ANYONE = "anyone"
    ANOTHER = "another"
    """A character other than the one that the previous part chose."""


# Deeds of roles, plots and traits -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Place ``n`` tokens (negative: remove) on one of the allowed targets."""

    token: str
    n: int
    on: tuple[On, ...]


@dataclass(frozen=True, slots=True)
class PassToken:
    """Move one token of any kind from the source to another character at its place."""


@dataclass(frozen=True, slots=True)
class IgnoreForbid:
    """Ignore the Forbid of ``token``: on everything at the source's place, or on itself."""

    token: str
    on: On


@dataclass(frozen=True, slots=True)
class KillOnlyCompanion:
    """Kill the one other living character at the source's place, if there are ``others``."""

    others: int = 1


@dataclass(frozen=True, slots=True)
class KillHolder:
    """Kill a character here that acts as ``role`` with at least ``n`` of ``token``."""

    role: str
    token: str
    n: int


@dataclass(frozen=True, slots=True)
class KillProtagonists:
    """The Protagonists die and the loop ends."""


@dataclass(frozen=True, slots=True)
class Lose:
    """The Protagonists lose; with ``at_once`` the loop ends at that moment."""

    at_once: bool = False
    reveals: bool = False
    """The source's role is revealed with the loss."""


Deed = Place | PassToken | IgnoreForbid | KillOnlyCompanion | KillHolder | KillProtagonists | Lose


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a role, a plot rule, or a trait used by the Mastermind.

    Attributes:
        id: unique name, shown in courses and coverage.
        timing: the moment at which it applies.
        does: the deed.
        mandatory: it must be applied when its condition holds.
        per: how often a holder may use it.
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
    rulings: tuple[str, ...] = ()


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
    """A plot: the roles it adds and the rules it brings."""

    id: str
    name: str
    kind: PlotKind
    roles: tuple[Quota, ...] = ()
    abilities: tuple[Ability, ...] = ()
    shifts: tuple[RoleShift, ...] = ()


# Incidents ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KillOne:
    """One character dies: at the culprit's place or anywhere, with enough of a token.

    ``culprit_may_die``: three-valued, MAYBE where editions differ (I-07).
    """

    at_culprit: bool
    token: str | None = None
    n: int = 0
    culprit_may_die: int = 3


@dataclass(frozen=True, slots=True)
class KillCulprit:
    """The culprit dies."""


@dataclass(frozen=True, slots=True)
class KillEveryoneAt:
    """Everyone at ``place`` dies if at least ``n`` Intrigue lie there."""

    place: str
    n: int = 1


@dataclass(frozen=True, slots=True)
class KillProtagonistsAt:
    """The Protagonists die if at least ``n`` Intrigue lie at ``place``."""

    place: str
    n: int = 2


@dataclass(frozen=True, slots=True)
class Put:
    """Place ``n`` of one of ``tokens`` on a character or a fixed location."""

    tokens: tuple[str, ...]
    n: int
    on: On | str


@dataclass(frozen=True, slots=True)
class Transfer:
    """Take up to ``up_to`` tokens from any character and place those on another (I-14)."""

    token: str
    up_to: int


@dataclass(frozen=True, slots=True)
class MoveCulprit:
    """The culprit moves to a legal location or stays; then Intrigue is placed there (I-10)."""

    token: str
    n: int


Part = KillOne | KillCulprit | KillEveryoneAt | KillProtagonistsAt | Put | Transfer | MoveCulprit


@dataclass(frozen=True, slots=True)
class Incident:
    """An incident: how its trigger differs from the normal test, and its effect in order."""

    id: str
    name: str
    parts: tuple[Part, ...]
    limit_change: int = 0
    counts: tuple[str, ...] = (UNEASE,)
    repeatable_culprit: bool = False
    rulings: tuple[str, ...] = ()


# Characters ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    """What a Goodwill ability aims at.

    Attributes:
        kind: ``none``, ``self``, ``character``, ``corpse``, ``location``,
            ``character_or_location``, ``incident``, ``subplot``, ``card``, ``two_characters``.
        where: ``here``, ``anywhere``, ``turf``, ``occurred`` (incidents of this loop), or a
            location id.
        other: the user itself is excluded; three-valued, MAYBE where prints differ.
        trait: the target must have this trait.
        panicked: its Unease must be at or over its limit.
        has: it must carry this token.
        character: it must be this character.
    """

    kind: str
    where: str = "here"
    other: int = 0
    trait: str | None = None
    panicked: bool = False
    has: str | None = None
    character: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeTokens:
    """Place or remove tokens on the target; several amounts are the Leader's choice."""

    token: str
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConvertToken:
    """Turn one token on the target into another kind."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RevealRole:
    """The Mastermind names the current role of the target (or of the user)."""


@dataclass(frozen=True, slots=True)
class RevealCulprit:
    """The Mastermind names the culprit of the chosen incident."""


@dataclass(frozen=True, slots=True)
class RevealSubplot:
    """The Mastermind names an active subplot other than the one the Leader named (G-12)."""


@dataclass(frozen=True, slots=True)
class RevealSameRole:
    """The Mastermind names all characters with the user's current role."""


@dataclass(frozen=True, slots=True)
class TakeBackCard:
    """The Leader takes back one of his spent cards."""


@dataclass(frozen=True, slots=True)
class KillTarget:
    """The target dies."""


@dataclass(frozen=True, slots=True)
class ReviveTarget:
    """The corpse returns to life."""


@dataclass(frozen=True, slots=True)
class PlaceGuard:
    """A guard marker: the target's next death is replaced by its removal (G-17)."""


@dataclass(frozen=True, slots=True)
class LastingEffect:
    """An effect without a trace for the rest of the loop (G-18).

    ``kind`` is one of ``protagonists_cannot_die``, ``incidents_suppressed``, ``freed``.
    """

    kind: str


@dataclass(frozen=True, slots=True)
class ClearUser:
    """Remove all tokens from the user; then the gauge, where used, moves by one."""


@dataclass(frozen=True, slots=True)
class MoveTokenBetween:
    """Move one token of any kind from one character here to another."""


@dataclass(frozen=True, slots=True)
class MoveTarget:
    """Move the target to any other location."""


@dataclass(frozen=True, slots=True)
class StepUser:
    """Move the user to a neighbouring location."""


@dataclass(frozen=True, slots=True)
class LeaveBoard:
    """The user leaves the board for the rest of the loop."""


@dataclass(frozen=True, slots=True)
class ResolveIncident:
    """Resolve a scheduled incident's effect with the user as its culprit."""


GoodwillDeed = (
    ChangeTokens
    | ConvertToken
    | RevealRole
    | RevealCulprit
    | RevealSubplot
    | RevealSameRole
    | TakeBackCard
    | KillTarget
    | ReviveTarget
    | PlaceGuard
    | LastingEffect
    | ClearUser
    | MoveTokenBetween
    | MoveTarget
    | StepUser
    | LeaveBoard
    | ResolveIncident
)


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


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One tragedy set with all it uses: the rule text that engine and assistant read."""

    id: str
    name: str
    plots: Mapping[str, Plot]
    roles: Mapping[str, Role]
    incidents: Mapping[str, Incident]
    characters: Mapping[str, Character]
    subplots_per_script: int
    final_guess: bool
    uses_gauge: bool = False
    shifts: tuple[tuple[str, RoleShift], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the role shifts of all plots, with the plot each belongs to."""
        shifts = tuple((plot.id, shift) for plot in self.plots.values() for shift in plot.shifts)
        object.__setattr__(self, "shifts", shifts)

    def main_plots(self) -> tuple[Plot, ...]:
        """Return the main plots in printed order."""
        return tuple(plot for plot in self.plots.values() if plot.kind is PlotKind.MAIN)

    def subplots(self) -> tuple[Plot, ...]:
        """Return the subplots in printed order."""
        return tuple(plot for plot in self.plots.values() if plot.kind is PlotKind.SUB)
