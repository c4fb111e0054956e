"""The public observations, one frozen type per record kind, as the transcript fixes them.

These types are the wire form too: ``msgspec`` reads and writes them with the field names of
the public format. ``None`` stands for an omitted field wherever an omitted field and null
mean the same.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.script import Count, Id, Sheet
from engine.words import STEPS

Step = Annotated[
    str, Meta(pattern=f"^({'|'.join(STEPS)})$", description="a step: " + ", ".join(STEPS))
]
At = tuple[Count, Count, Step]
"""Loop, day and step of a record."""

Amount = Annotated[int, Meta(ge=-99, le=99)]
"""A number of tokens, or by how many it changed."""
Deck = Literal["a", "b", "c"]
TokenName = Literal["goodwill", "unease", "intrigue", "guard"]
AbilityKey = (
    Annotated[int, Meta(ge=1, le=99)]
    | Annotated[str, Meta(pattern="^[1-9][0-9]?[a-z]?$", description='a key such as "2a"')]
)
"""An ability's Goodwill number, with a letter where a card has two with one number."""


class Unsure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card or place that the table could not name: one of several, or somebody somewhere."""

    one_of: Annotated[tuple[Id, ...], Meta(min_length=1)] | None = None
    somebody_at: Id | None = None


Who = Id | Unsure
"""A character or location id, or what is known of it."""


class TargetSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A target of a Goodwill use that is more than one id.

    Exactly one of these forms: ``character`` and ``to``; ``from``, ``to`` and ``token``;
    ``day``; ``card``; ``one_of``; ``somebody_at``. The last two are an ``Unsure`` target
    (one type, because the wire form does not tell two kinds of objects apart).
    """

    character: Who | None = None
    to: Who | None = None
    source: Who | None = msgspec.field(default=None, name="from")
    token: TokenName | None = None
    day: Count | None = None
    card: Id | None = None
    one_of: Annotated[tuple[Id, ...], Meta(min_length=1)] | None = None
    somebody_at: Id | None = None

    @property
    def unsure(self) -> Unsure | None:
        """Return the target as what is known of it, ``None`` for the other forms."""
        if self.one_of is None and self.somebody_at is None:
            return None
        return Unsure(self.one_of, self.somebody_at)


class Record(
    msgspec.Struct,
    frozen=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
):
    """What every record carries.

    Attributes:
        at: loop, day and step.
        doubt: the testimony is withdrawn; its step counts as partial.
        note: free text.
        ordered: the order among such records of the step means something.
        by_use: the record is an effect of the last ``use`` before it.
    """

    at: At
    doubt: bool = False
    note: str | None = None
    ordered: bool = False
    by_use: bool = False


class Placed(Record, frozen=True, tag="placed"):
    """A start that is not printed, or differs."""

    who: Who
    where: Who


class Enters(Record, frozen=True, tag="enters"):
    """A late character appears."""

    who: Who
    where: Who


class Token(Record, frozen=True, tag="token"):
    """Tokens placed (or removed, negative ``n``); ``by`` names a public cause."""

    on: Who
    token: TokenName
    n: Amount
    by: Id | None = None


class Gauge(Record, frozen=True, tag="gauge"):
    """The Extra Gauge as it stands at the end of the step."""

    value: Annotated[int, Meta(ge=0, le=99)]


class Curse(Record, frozen=True, tag="curse"):
    """A curse card appears or moves to a location or card."""

    on: Who
    source: Who | None = msgspec.field(default=None, name="from")


class ExtraCard(Record, frozen=True, tag="extra_card"):
    """An Extra card is set on a character, or taken off."""

    on: Who
    off: bool = False


class Spell(Record, frozen=True, tag="spell"):
    """The Spell of Sympathy: where its 2 Goodwill go, or null when declined."""

    on: Who | None


class Leader(Record, frozen=True, tag="leader"):
    """Who leads from now on."""

    deck: Deck


class PlayedCard(Record, frozen=True, tag="card"):
    """One action card, face known unless ``card`` is null."""

    by: Literal["mastermind", "a", "b", "c"]
    card: Id | None
    on: Who
    human: str | int | None = None


class CardResult(Record, frozen=True, tag="card_result"):
    """What the resolution showed on one spot; left-out fields went as printed."""

    on: Who
    goodwill: Amount | None = None
    unease: Amount | None = None
    intrigue: Amount | None = None
    to: Who | None = None


class Moved(Record, frozen=True, tag="moved"):
    """A character or corpse changed place."""

    who: Who
    to: Who


class Shifted(Record, frozen=True, tag="shifted"):
    """A token moved between cards or locations."""

    token: TokenName
    source: Who = msgspec.field(name="from")
    to: Who


class Use(Record, frozen=True, tag="use"):
    """The Leader declares a Goodwill ability; effects follow with ``by_use``."""

    who: Who
    ability: AbilityKey
    outcome: Literal["resolved", "refused", "nothing"]
    target: Id | TargetSpec | None = None
    choice: int | Id | None = None

    @property
    def key(self) -> str:
        """Return the ability's key on the card."""
        return str(self.ability)


class CardBack(Record, frozen=True, tag="card_back"):
    """A spent card returns to its deck."""

    deck: Deck
    card: Id


class Reveal(Record, frozen=True, tag="reveal"):
    """The Mastermind tells a role, a culprit, a subplot or who shares a role."""

    role_of: Who | None = None
    role: Id | None = None
    culprit_of: Count | None = None
    culprit: Who | None = None
    subplot: Id | None = None
    asked: Id | None = None
    same_role_as: Who | None = None
    characters: tuple[Who, ...] | None = None


class Happens(Record, frozen=True, tag="incident"):
    """The Mastermind says "happens" or "does not happen"."""

    occurs: bool


class NoEffect(Record, frozen=True, tag="no_effect"):
    """The incident happened and nothing of it was seen."""


class LeaderChooses(Record, frozen=True, tag="leader_chooses"):
    """The Leader chose a character for an incident."""

    who: Who


class LocationNamed(Record, frozen=True, tag="location_named"):
    """An incident named a location."""

    location: Who


class Death(Record, frozen=True, tag="death"):
    """A character died."""

    who: Who


class GuardLost(Record, frozen=True, tag="guard_lost"):
    """A guard marker went instead of a life."""

    who: Who


class Revived(Record, frozen=True, tag="revived"):
    """A corpse returned to life (or a victim token was taken away)."""

    who: Who


class Removed(Record, frozen=True, tag="removed"):
    """A card left the board for the loop."""

    who: Who


class LoopOver(Record, frozen=True, tag="loop_over"):
    """The loop ended in this step, with this word."""

    word: Literal["dead", "lost", "none", "won"]
    deaths_closed: bool = False


class Recount(Record, frozen=True, tag="recount"):
    """The table was counted; these values hold now and may have been wrong before."""

    board: dict[str, object]


class Complete(Record, frozen=True, tag="complete"):
    """Everything announced in this step is noted."""


class Partial(Record, frozen=True, tag="partial"):
    """Something may be missing in this step."""


class Guess(Record, frozen=True, tag="guess"):
    """One answer of the Final Guess."""

    who: Who
    role: Id
    right: bool


AnyRecord = (
    Placed
    | Enters
    | Token
    | Gauge
    | Curse
    | ExtraCard
    | Spell
    | Leader
    | PlayedCard
    | CardResult
    | Moved
    | Shifted
    | Use
    | CardBack
    | Reveal
    | Happens
    | NoEffect
    | LeaderChooses
    | LocationNamed
    | Death
    | GuardLost
    | Revived
    | Removed
    | LoopOver
    | Recount
    | Complete
    | Partial
    | Guess
)


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A late start: the board stands at the beginning of step ``at``."""

    at: At
    board: dict[str, object]
    unknown: tuple[str, ...] = ()


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole public game.

    ``records`` stand in table order; ``rulings`` holds only the table rulings that differ
    from their defaults (``engine.rulings``).
    """

    format: Literal["looper-transcript"]
    version: Literal[1]
    title: str = ""
    sheet: Sheet
    rulings: dict[Id, bool | None] = {}
    announces: Literal["every_token", "net"] = "every_token"
    start: Start | None = None
    records: tuple[AnyRecord, ...] = ()
