"""What Goodwill abilities aim at and do."""

from __future__ import annotations

from dataclasses import dataclass


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
