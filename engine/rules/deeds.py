"""What abilities of roles, plots and traits do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class On(Enum):
    """What an effect may aim at, seen from where the source stands."""

    SELF = "self"
    HERE = "here"
    CHARACTER_HERE = "character_here"
    OTHER_HERE = "other_here"
    ANY_LOCATION = "any_location"
    REFUSER_LOCATION = "refuser_location"
    """A location where a living character with Goodwill refusal stands (HS-19)."""
    ANYONE = "anyone"
    ANOTHER = "another"
    """A character other than the one that the previous part chose."""


@dataclass(frozen=True, slots=True)
class Place:
    """Place ``n`` tokens (negative: remove) on one of the allowed targets."""

    token: str
    n: int
    on: tuple[On, ...]


@dataclass(frozen=True, slots=True)
class PlaceOneOf:
    """Place ``n`` of one of ``tokens`` on one of the allowed targets."""

    tokens: tuple[str, ...]
    n: int
    on: tuple[On, ...]


@dataclass(frozen=True, slots=True)
class RaiseGauge:
    """Move the Extra Gauge up."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class PlaceCurse:
    """Place a curse card on the starting location of a holder of ``role`` (HS-08)."""

    role: str


@dataclass(frozen=True, slots=True)
class StepAway:
    """The holder moves to a neighbouring location (HS-10)."""


@dataclass(frozen=True, slots=True)
class MoveCorpse:
    """One corpse with the role (a card or a victim token) moves to a neighbour (HS-16)."""


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
class KillAnyHere:
    """Kill any one character at the source's place, itself allowed."""


@dataclass(frozen=True, slots=True)
class KillOneOutnumbered:
    """At a location with more zombies than others one character dies (HS-15)."""


@dataclass(frozen=True, slots=True)
class DieAndRaise:
    """The holder dies and the Extra Gauge rises by one (WM-20)."""


@dataclass(frozen=True, slots=True)
class KillEverybody:
    """All characters and the Protagonists die."""


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


@dataclass(frozen=True, slots=True)
class RevealAndRaise:
    """The holder's role is revealed and the Extra Gauge rises by one (WM-01)."""


@dataclass(frozen=True, slots=True)
class ForbidMastermindCards:
    """The Mastermind cannot place cards on the holder (C-12)."""


Deed = (
    Place
    | PlaceOneOf
    | RaiseGauge
    | PlaceCurse
    | StepAway
    | MoveCorpse
    | KillAnyHere
    | KillOneOutnumbered
    | DieAndRaise
    | KillEverybody
    | RevealAndRaise
    | ForbidMastermindCards
    | PassToken
    | IgnoreForbid
    | KillOnlyCompanion
    | KillHolder
    | KillProtagonists
    | Lose
)
