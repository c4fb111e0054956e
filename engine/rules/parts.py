"""The parts that an incident's effect is made of, resolved in order."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.deeds import On


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


@dataclass(frozen=True, slots=True)
class PutOnPlace:
    """Place tokens on the culprit's location, or (``anywhere``) on any location."""

    token: str
    n: int
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """The Mastermind chooses one of two effects."""

    first: KillOne
    second: PutOnPlace


@dataclass(frozen=True, slots=True)
class LeaderKills:
    """The Leader chooses a character, which dies."""


@dataclass(frozen=True, slots=True)
class KillEveryoneHere:
    """Everyone at the culprit's location dies, if the culprit has ``n`` Intrigue."""

    n: int = 0


@dataclass(frozen=True, slots=True)
class KillProtagonistsByCorpses:
    """The Protagonists die if at least ``n`` corpses lie at the culprit's location."""

    n: int


@dataclass(frozen=True, slots=True)
class KillAllOnce:
    """The first time in the game, all characters and the Protagonists die (WM-13)."""


@dataclass(frozen=True, slots=True)
class Scent:
    """If another incident occurs in this loop the Protagonists die after its step (WM-14)."""


@dataclass(frozen=True, slots=True)
class GaugeUp:
    """The Extra Gauge rises."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class SetExtraCard:
    """An Extra card is set on the culprit: no Protagonist may play on it this loop (MC-16)."""


@dataclass(frozen=True, slots=True)
class MoveAnyHere:
    """A character here moves anywhere; if it changed place it cannot move next day (MC-17)."""


@dataclass(frozen=True, slots=True)
class NameLocation:
    """The culprit's location is named; for 3 days nobody moves to or from it (MC-18)."""

    days: int = 3


@dataclass(frozen=True, slots=True)
class EndLoop:
    """The loop ends after this incident step (MC-19)."""


@dataclass(frozen=True, slots=True)
class ScatterOthers:
    """Everybody else at the culprit's location moves to another location (HS-23)."""


@dataclass(frozen=True, slots=True)
class AttachCurse:
    """A curse card: on the culprit, or on the culprit's location for a mob (HS-05)."""


@dataclass(frozen=True, slots=True)
class DeadlyNight:
    """With ``n`` zombies now, the Protagonists die after the day has ended (HS-04)."""

    n: int


Part = (
    KillOne
    | KillCulprit
    | KillEveryoneAt
    | KillProtagonistsAt
    | Put
    | PutOnPlace
    | Either
    | LeaderKills
    | KillEveryoneHere
    | KillProtagonistsByCorpses
    | KillAllOnce
    | Scent
    | GaugeUp
    | SetExtraCard
    | MoveAnyHere
    | NameLocation
    | EndLoop
    | ScatterOthers
    | AttachCurse
    | DeadlyNight
    | Transfer
    | MoveCulprit
)
