"""Conditions of the rule text, judged over a ``View``.

A view answers two kinds of question: public facts (three-valued integers, lifted by
``fact``) and secrets (has this card that role, is this plot active). The engine's view
answers secrets from a script with three-valued integers; the assistant's answers with
formulas over all worlds. Truths combine with ``&`` and ``|``; ``negate`` belongs to the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engine import kleene
from engine.kleene import Span
from engine.rulings import GAINED_ROLE_COUNTS, SCHOOL_READING, TableRulings
from engine.words import OFF_BOARD

if TYPE_CHECKING:
    from engine.board import Board
    from engine.rules.model import Rulebook
    from engine.script import Sheet


class Truth(Protocol):
    """What a view answers with: closed under ``&`` and ``|``."""

    def __and__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...


T = TypeVar("T", bound=Truth)


class View(Protocol[T]):
    """A board together with somebody's knowledge of the script."""

    @property
    def rules(self) -> Rulebook:
        """The tragedy set in play."""

    @property
    def board(self) -> Board:
        """The public snapshot."""

    @property
    def sheet(self) -> Sheet:
        """The open sheet."""

    @property
    def rulings(self) -> TableRulings:
        """The table's readings."""

    @property
    def cast(self) -> Iterable[str]:
        """All cards that may hold a role in this view's script or scripts."""

    def fact(self, value: int) -> T:
        """Lift a three-valued public fact."""

    def negate(self, truth: T) -> T:
        """Return "not truth"."""

    def scripted(self, who: str, role: str) -> T:
        """Judge "the script gives ``who`` the role ``role``"."""

    def plot(self, plot: str) -> T:
        """Judge "the plot is active"."""

    def extra_plot(self, plot: str) -> T:
        """Judge "the plot is the script's extra main plot" (WM-05)."""

    def culprit(self, number: int, who: str) -> T:
        """Judge "``who`` is the culprit of the sheet's incident ``number`` (from 0)"."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Whom a condition speaks of, and where it is taken to stand (P-10)."""

    who: str | None
    place: str | None


class Condition(Protocol):
    """Something a rule asks."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """Return the truth of the condition for ``actor``."""


# Quantities -----------------------------------------------------------------------------


class Quantity(Protocol):
    """A public count."""

    def span(self, board: Board, actor: Actor) -> Span:
        """Return the lowest and highest value it may have."""


@dataclass(frozen=True, slots=True)
class OnSelf:
    """Tokens on the holder; whether those of a removed card count is open (BT-04)."""

    token: str

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        assert actor.who is not None
        low, high = kleene.span_of(board.tokens(self.token, actor.who))
        card = board.cards.get(actor.who)
        return (0 if card is not None and card.at == OFF_BOARD else low), high


@dataclass(frozen=True, slots=True)
class OnPlace:
    """Intrigue on a fixed location."""

    place: str

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        return kleene.span_of(board.intrigue[self.place])


@dataclass(frozen=True, slots=True)
class OnOwnStart:
    """Intrigue on the holder's starting location of this loop (L-10)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        assert actor.who is not None
        start = board.starts.get(actor.who)
        if start is None:
            counts = [kleene.span_of(count) for count in board.intrigue.values()]
            return min(low for low, _ in counts), max(high for _, high in counts)
        return kleene.span_of(board.intrigue[start])


@dataclass(frozen=True, slots=True)
class Gauge:
    """The Extra Gauge as it stands."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        return kleene.span_of(board.gauge)


@dataclass(frozen=True, slots=True)
class GaugeLastLoop:
    """The Extra Gauge when the previous loop ended (MC-02)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        return kleene.span_of(board.gauge_last_loop)


@dataclass(frozen=True, slots=True)
class LivingUnease:
    """All Unease on living characters (MC-04)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        low = high = 0
        for who in board.cards:
            least, most = kleene.span_of(board.unease(who))
            fact = board.alive(who)
            low += least if fact == kleene.YES else 0
            high += most if fact != kleene.NO else 0
        return low, high


@dataclass(frozen=True, slots=True)
class CorpsesAtOwnStart:
    """Corpses, victims included, at the holder's starting location (HS-13)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        assert actor.who is not None
        start = board.starts.get(actor.who)
        spans = [board.corpses_at(place) for place in ([start] if start else board.intrigue)]
        return min(low for low, _ in spans), max(high for _, high in spans)


@dataclass(frozen=True, slots=True)
class Corpses:
    """Dead cards on the board (WM-08)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        facts = [board.dead(who) for who in board.cards]
        return sum(fact >> 1 for fact in facts), sum(fact & 1 for fact in facts)


@dataclass(frozen=True, slots=True)
class IntrigueOnCorpses:
    """Intrigue on dead cards (HS-01)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        low = high = 0
        for who, card in board.cards.items():
            least, most = kleene.span_of(card.intrigue)
            fact = board.dead(who)
            low += least if fact == kleene.YES else 0
            high += most if fact != kleene.NO else 0
        return low, high


@dataclass(frozen=True, slots=True)
class CardsWithIntrigue:
    """Characters with Intrigue: living for certain, corpses and removed cards perhaps (WM-07)."""

    def span(self, board: Board, actor: Actor) -> Span:
        """See ``Quantity``."""
        low = high = 0
        for who, card in board.cards.items():
            has = kleene.at_least(kleene.span_of(card.intrigue), 1)
            low += (has & board.alive(who)) >> 1
            high += has & 1
        return low, high


# Conditions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Always:
    """No condition."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        return view.fact(kleene.YES)


ALWAYS = Always()


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A count is ``n`` or more."""

    what: Quantity
    n: int

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        return view.fact(kleene.at_least(self.what.span(view.board, actor), self.n))


@dataclass(frozen=True, slots=True)
class AtMost:
    """A count is ``n`` or less."""

    what: Quantity
    n: int

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        over = kleene.at_least(self.what.span(view.board, actor), self.n + 1)
        return view.fact(kleene.negate(over))


@dataclass(frozen=True, slots=True)
class OverLoopNumber:
    """Intrigue at ``place`` reaches the loop number less one; tables read it apart (MC-03).

    By the weakest reading the number itself suffices, by the strictest it must be exceeded.
    """

    place: str

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        span = kleene.span_of(view.board.intrigue[self.place])
        number = view.board.loop - 1
        reading = view.rulings[SCHOOL_READING]
        weak, strict = kleene.at_least(span, number), kleene.at_least(span, number + 1)
        if reading is None:
            return view.fact(kleene.either(weak, strict))
        return view.fact(weak if reading else strict)


@dataclass(frozen=True, slots=True)
class AtLeastGauge:
    """A count reaches the Extra Gauge; at gauge 0 it always does (WM-08)."""

    what: Quantity

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        low, high = self.what.span(view.board, actor)
        least, most = kleene.span_of(view.board.gauge)
        may, must = high >= least, low >= most
        return view.fact(kleene.YES if must else (kleene.MAYBE if may else kleene.NO))


@dataclass(frozen=True, slots=True)
class GaugeRose:
    """The Extra Gauge has risen in this loop; a later fall may undo it or not (WM-08)."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        return view.fact(view.board.gauge_rose)


@dataclass(frozen=True, slots=True)
class OccurredToday:
    """An incident of this name occurred today (HS-12)."""

    incident: str

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        fact = kleene.NO
        for scheduled in view.sheet.incidents:
            if scheduled.incident == self.incident and scheduled.day == view.board.day:
                fact |= view.board.occurred.get(scheduled.day, kleene.NO)
        return view.fact(fact)


@dataclass(frozen=True, slots=True)
class CurseWithoutCarrier:
    """A curse lies on a location without a living character (HS-07)."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        board = view.board
        fact = kleene.MAYBE if board.curses_open else kleene.NO
        for place in board.curses:
            if place in board.intrigue:
                anybody = kleene.at_least(board.others_living_at(None, place), 1)
                fact |= kleene.negate(anybody)
        return view.fact(fact)


@dataclass(frozen=True, slots=True)
class Both:
    """Two conditions at once."""

    first: Condition
    second: Condition

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        truth: T = self.first.judge(view, actor) & self.second.judge(view, actor)
        return truth


@dataclass(frozen=True, slots=True)
class IsDead:
    """The holder lies on the board as a corpse."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        assert actor.who is not None
        return view.fact(view.board.dead(actor.who))


@dataclass(frozen=True, slots=True)
class WasRevealed:
    """The holder's role has been revealed in this game (N-05)."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        assert actor.who is not None
        board = view.board
        if actor.who in board.revealed:
            return view.fact(kleene.YES)
        unsure = actor.who in board.maybe_revealed or not board.revealed_known
        return view.fact(kleene.MAYBE if unsure else kleene.NO)


@dataclass(frozen=True, slots=True)
class HadGoodwillLastLoop:
    """The holder had Goodwill when the previous loop ended (BT-10)."""

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        assert actor.who is not None
        before = view.board.goodwill_last_loop
        if before is None:
            return view.fact(kleene.MAYBE)
        return view.fact(before.get(actor.who, kleene.NO))


@dataclass(frozen=True, slots=True)
class Occurred:
    """An incident of this name occurred in this loop."""

    incident: str

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        fact = kleene.NO
        for scheduled in view.sheet.incidents:
            if scheduled.incident == self.incident:
                fact |= view.board.occurred.get(scheduled.day, kleene.NO)
        return view.fact(fact)


@dataclass(frozen=True, slots=True)
class SomeHolder:
    """Some card with ``role``, alive or not, satisfies ``condition``.

    With ``gained`` a card that only has the role's abilities may count too, unless the table
    plays otherwise (BT-03, D-10).
    """

    role: str
    condition: Condition
    gained: bool = False

    def judge(self, view: View[T], actor: Actor) -> T:
        """See ``Condition``."""
        truth = view.fact(kleene.NO)
        for who in view.cast:
            holds: T = self.condition.judge(view, Actor(who, None))
            truth = truth | (view.scripted(who, self.role) & holds)
            if self.gained and view.rulings[GAINED_ROLE_COUNTS] is not False:
                truth = truth | (self._gained(view, who) & holds & view.fact(kleene.MAYBE))
        return truth

    def _gained(self, view: View[T], who: str) -> T:
        truth = view.fact(kleene.NO)
        for other in view.rules.roles.values():
            for gain in other.gains:
                if gain.role == self.role:
                    while_holds = gain.when.judge(view, Actor(who, None))
                    truth = truth | (view.scripted(who, other.id) & while_holds)
        return truth
