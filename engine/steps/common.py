"""What the machines of all steps share: moves, targets of placed tokens, and why not.

A machine offers moves: hidden choices that are legal now, each with the public records that it
shows. ``engine.play`` lets players choose among them; ``engine.replay`` takes those that show
what was noted. Truths are three-valued (``engine.kleene``): on a board with unknown values a
move may be legal without having to be.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine import kleene, records
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord
from engine.rules.conditions import Both, Condition, IsDead
from engine.rules.model import Ability, On, Rulebook
from engine.view import Flag, ScriptView
from engine.words import INTRIGUE

At = tuple[int, int, str]
"""Loop, day and step name."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a world could not have shown something.

    Attributes:
        ruling: id of the ruling that forbids it.
        why: a sentence in the game's words.
    """

    ruling: str
    why: str


@dataclass(frozen=True, slots=True)
class Move:
    """One hidden choice.

    Attributes:
        source: id of the ability, incident or trait behind it.
        by: the card that acts, ``None`` for a plot.
        on: the card or place it is aimed at, where that does not show.
        shows: the public records it shows.
        truth: whether it is legal: MAYBE on what is unknown, or where tables differ.
        flag: the flag that it sets.
        open: legal only in a reading that some tables play; simulated games avoid it.
    """

    source: str
    by: str | None
    shows: tuple[AnyRecord, ...] = ()
    truth: int = YES
    on: str | None = None
    flag: Flag | None = None
    open: bool = False

    @property
    def key(self) -> tuple[str, str | None]:
        """Return what the use is known by: each works once (P-03)."""
        return self.source, self.by


def token(at: At, on: str, kind: str, n: int) -> records.Token:
    """Return the record of ``n`` tokens placed (or removed) on a card or location."""
    return records.Token(at=at, on=on, token=kind, n=n)  # type: ignore[arg-type]


def works_dead(condition: Condition) -> bool:
    """Tell whether a condition asks for a corpse, so that its holder need not live."""
    if isinstance(condition, Both):
        return works_dead(condition.first) or works_dead(condition.second)
    return isinstance(condition, IsDead)


def can_act(view: ScriptView, ability: Ability, holder: str | None) -> int:
    """Judge "the holder is in a state to use it": alive, unless it speaks of a corpse."""
    if holder is None:
        return YES
    return YES if works_dead(ability.when) else view.board.alive(holder)


def may_place(
    view: ScriptView,
    holder: str | None,
    kinds: tuple[On, ...],
    on: str,
    *,
    night: bool = False,
    haunting: bool = False,
) -> int:
    """Judge "a source held by ``holder`` may put a token on ``on``" (M-06, M-07, P-10).

    Args:
        view: the moment.
        holder: whose ability it is; ``None`` for a plot.
        kinds: what the ability may aim at.
        on: a card or a location.
        night: the Boss's turf counts only if the table says so.
        haunting: the holder is a corpse that acts from its place and its start (HS-09).
    """
    board = view.board
    is_place = on in board.intrigue
    truth = NO
    for kind in kinds:
        if kind is On.ANY_LOCATION:
            truth |= kleene.certain(is_place)
        elif kind is On.REFUSER_LOCATION:
            truth |= refuser_at(view, on) if is_place else NO
        elif is_place:
            if kind is On.HERE and holder is not None:
                truth |= view.reaches(holder, on, night=night)
        elif kind is On.SELF:
            truth |= YES if on == holder else NO
        elif kind is On.ANYONE:
            truth |= board.alive(on)
        elif kind in (On.CHARACTER_HERE, On.OTHER_HERE) and holder is not None:
            if on == holder:
                truth |= board.alive(on) if kind is On.CHARACTER_HERE else NO
            elif haunting:
                truth |= near_corpse(view, holder, on)
            else:
                truth |= together(view, holder, on, night=night)
    return truth


def together(view: ScriptView, holder: str, on: str, *, night: bool = False) -> int:
    """Judge "living ``on`` is within reach of ``holder``" (P-10)."""
    board = view.board
    if not board.alive(on):
        return NO
    truth = NO
    for place in view.places(holder, night=night):
        truth |= view.reaches(holder, place, night=night) & view.targeted_at(on, place)
    return truth


def near_corpse(view: ScriptView, holder: str, on: str) -> int:
    """Judge "``on`` lives where the corpse of ``holder`` lies, or where it started" (HS-09)."""
    board = view.board
    start = board.starts.get(holder)
    truth = NO
    for place in board.intrigue:
        near = board.is_at(holder, place)
        near |= YES if place == start else MAYBE if start is None else NO
        truth |= near & board.lives_at(on, place) if near else NO
    return truth


def refuser_at(view: ScriptView, place: str) -> int:
    """Judge "somebody alive whose role may refuse now stands at ``place``" (HS-19, P-10)."""
    truth = NO
    for who in view.board.cards:
        here = view.reaches(who, place) & view.board.alive(who)
        if here:
            # Counted from a turf it is open whether he stands there.
            here &= YES if view.board.is_at(who, place) == YES else MAYBE
            truth |= here & view.may_refuse(who)
    return truth


def present(board: Board, token_kind: str, on: str, n: int) -> int:
    """Judge "at least ``n`` of the token lie on it"."""
    return kleene.at_least(kleene.span_of(board.tokens(token_kind, on)), n)


def spots(board: Board, kinds: tuple[On, ...], token_kind: str) -> list[str]:
    """Return every card and location that an effect could be aimed at at all."""
    found: list[str] = []
    if token_kind == INTRIGUE and {On.HERE, On.ANY_LOCATION, On.REFUSER_LOCATION} & set(kinds):
        found += board.intrigue
    if {On.SELF, On.CHARACTER_HERE, On.OTHER_HERE, On.ANYONE} & set(kinds):
        found += board.cards
    return found


def name(rules: Rulebook, what: str | None) -> str:
    """Return how the game calls a card, role, incident or location."""
    if what is None:
        return "somebody"
    for table in (rules.characters, rules.roles, rules.incidents, rules.plots):
        if what in table:
            return table[what].name
    return "the " + what.replace("_", " ").title()


def tokens_text(kind: str, n: int) -> str:
    """Return "1 Intrigue" and the like."""
    return f"{abs(n)} {kind.title()}"


__all__ = [
    "MAYBE",
    "NO",
    "YES",
    "At",
    "Failure",
    "Move",
    "can_act",
    "may_place",
    "name",
    "near_corpse",
    "present",
    "refuser_at",
    "spots",
    "together",
    "token",
    "tokens_text",
    "works_dead",
]
