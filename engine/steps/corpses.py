"""Tokens as bodies: what a corpse reads as, and where the restless outnumber (HS-01, HS-15).

Intrigue on a location counts as that many corpses of Persons; under a role shift that speaks of
corpses they read as its new role, like dead cards of the old roles (HS-26). The abilities of the
role whose corpses act belong to all of its bodies together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine import kleene, records
from engine.kleene import MAYBE, NO, YES, Span
from engine.rules.model import Ability, KillOneOutnumbered, MoveCorpse, Rulebook
from engine.rulings import OTHER_CORPSES_COUNT
from engine.steps.common import At, Move, present
from engine.view import Holding, ScriptView
from engine.words import INTRIGUE, PERSON, neighbours


@dataclass(frozen=True, slots=True)
class Horde:
    """The role whose corpses act, and what they do together once a night.

    Attributes:
        role: its id.
        kill: the kill where they outnumber.
        move: the step of one of them, if they have it.
    """

    role: str
    kill: Ability
    move: Ability | None


def horde_of(rules: Rulebook) -> Horde | None:
    """Return the role of the set whose corpses act, if it has one."""
    for role in rules.roles.values():
        kills = [one for one in role.abilities if isinstance(one.does, KillOneOutnumbered)]
        moves = [one for one in role.abilities if isinstance(one.does, MoveCorpse)]
        if kills:
            return Horde(role.id, kills[0], moves[0] if moves else None)
    return None


def victim_reads(view: ScriptView, role: str) -> int:
    """Judge "Intrigue on a location reads as a corpse of ``role``" (HS-01, HS-26)."""
    turned = NO
    for plot, shift in view.rules.shifts:
        if shift.corpses and PERSON in shift.old:
            if shift.new == role:
                return view.plot(plot)
            turned |= view.plot(plot)
    return kleene.negate(turned) if role == PERSON else NO


def may_be_at_work(view: ScriptView, horde: Horde) -> bool:
    """Tell whether this script can ever have a body of that role."""
    if victim_reads(view, horde.role) != NO:
        return True
    return any(horde.role in view.world.possible_roles(who) for who in view.world.role)


def bodies(view: ScriptView, role: str, place: str) -> Span:
    """Count the corpses of ``role`` at a place, victims included."""
    board = view.board
    reads = victim_reads(view, role)
    low, high = kleene.span_of(board.intrigue[place])
    low, high = (low if reads == YES else 0), (high if reads else 0)
    for who in board.cards:
        fact = board.dead(who) & board.is_at(who, place)
        if fact:
            fact &= view.current_role(who, role)
        low, high = low + (fact >> 1), high + (fact & 1)
    return low, high


def restless(view: ScriptView, role: str, place: str) -> int:
    """Count the living who may have the role at a place; whether they count is open (HS-15)."""
    return sum(
        (view.board.lives_at(who, place) & view.current_role(who, role)) != NO
        for who in view.board.cards
    )


def outnumber(view: ScriptView, role: str, place: str) -> int:
    """Judge "corpses of ``role`` outnumber the others at a place where somebody lives" (HS-15).

    They may by the weakest count: other corpses do not stand against them, and a living card of
    the role stands on their side. They must only if they outnumber the living and all other
    corpses together. The table ruling on other corpses takes away one of the two counts.
    """
    board = view.board
    living_low, living_high = board.others_living_at(None, place)
    if not living_high:
        return NO
    low, high = bodies(view, role, place)
    all_low, all_high = board.corpses_at(place)
    reading = view.rulings[OTHER_CORPSES_COUNT]
    against = max(0, all_low - high) if reading is True else 0
    if high + 2 * restless(view, role, place) <= living_low + against:
        return NO
    against = all_high - low if reading is not False else 0
    return YES if living_low and low > living_high + against else MAYBE


def struck(view: ScriptView, role: str, who: str) -> int:
    """Judge "living ``who`` is where corpses of ``role`` outnumber"."""
    truth = NO
    for place in view.board.possible_places(who):
        lives = view.board.lives_at(who, place)
        if lives:
            truth |= lives & outnumber(view, role, place)
    return truth


def holding_of(horde: Horde, ability: Ability) -> Holding:
    """Return an ability in the hands of all bodies together."""
    return Holding(ability, horde.role, None, False)


def count(view: ScriptView, role: str) -> Span:
    """Count all bodies of a role; the living ones only perhaps (HS-04)."""
    low = high = 0
    for place in view.board.intrigue:
        least, most = bodies(view, role, place)
        low, high = low + least, high + most + restless(view, role, place)
    return low, high


# Steps of a corpse ------------------------------------------------------------------------


def steps(view: ScriptView, at: At) -> Iterator[Move]:
    """Yield how one body may move to a neighbour (HS-16); beyond a red X in some readings."""
    horde = horde_of(view.rules)
    if horde is None or horde.move is None:
        return
    source, board = horde.move.id, view.board
    reads = victim_reads(view, horde.role)
    for place in board.intrigue if reads else ():
        truth = reads & present(board, INTRIGUE, place, 1)
        for near in neighbours(place) if truth else ():
            shift = records.Shifted(at=at, token="intrigue", source=place, to=near)
            yield Move(source, None, (shift,), truth, near)
    for who in board.cards:
        for place in board.possible_places(who):
            there = board.is_at(who, place)
            for move in steps_of(view, at, who, place):
                yield Move(source, None, move.shows, move.truth & there, who, open=move.open)


def steps_of(view: ScriptView, at: At, who: str, place: str | None) -> Iterator[Move]:
    """Yield how one corpse may move off a place; off any if that is not known (HS-16).

    Args:
        view: a moment at which the card lies dead.
        at: the step.
        who: the card.
        place: where it lay before.
    """
    horde = horde_of(view.rules)
    if horde is None or horde.move is None:
        return
    truth = view.board.dead(who)
    if truth:
        truth &= view.current_role(who, horde.role)
    if not truth:
        return
    for near in view.board.intrigue if place is None else neighbours(place):
        moved = records.Moved(at=at, who=who, to=near)
        barred = near in view.rules.characters[who].forbidden
        yield Move(horde.move.id, None, (moved,), truth, who, open=barred)
