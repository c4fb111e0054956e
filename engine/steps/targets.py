"""Legal targets of Goodwill abilities (G-02), for the Leader and for the Mastermind (M-10).

On unknown values, and where prints differ, a target may be legal without having to be.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import kleene
from engine.kleene import MAYBE, NO, YES
from engine.records import TargetSpec, TokenName, Unsure
from engine.rules import queries
from engine.rules.model import (
    ChangeTokens,
    Character,
    ClearUser,
    GoodwillAbility,
    MoveTarget,
    StepUser,
)
from engine.steps.common import present
from engine.view import ScriptView
from engine.words import INTRIGUE, neighbours

Target = str | TargetSpec | None
_KINDS: tuple[TokenName, ...] = ("goodwill", "unease", "intrigue")


def enough_goodwill(view: ScriptView, who: str, ability: GoodwillAbility) -> int:
    """Judge "alive, with enough Goodwill, in a place where it may be used" (G-02)."""
    board = view.board
    truth = board.alive(who)
    if truth:
        truth &= present(board, "goodwill", who, ability.goodwill)
    if truth and ability.only_at:
        at = NO
        for place in ability.only_at:
            at |= board.is_at(who, place)
        truth &= at
    return NO if board.loop < ability.from_loop else truth


def may_target(view: ScriptView, user: Character, ability: GoodwillAbility, on: str) -> int:
    """Judge "this card may be the target": where it is, what it is, what it carries."""
    target, board, who = ability.target, view.board, user.id
    corpse = target.kind == "corpse"
    if corpse and on in board.intrigue:
        return victim_at(view, user, ability, on)
    truth = board.dead(on) if corpse else board.alive(on)
    if not truth or on not in board.cards:
        return NO
    if on == who:
        truth &= kleene.negate(target.other)
    if target.character is not None and on != target.character:
        return NO
    if target.trait is not None and target.trait not in view.rules.characters[on].traits:
        return NO
    if target.where == "here":
        if on != who:
            same = NO
            for place in board.possible_places(who):
                same |= board.is_at(who, place) & board.is_at(on, place)
            truth &= same
    elif target.where == "turf":
        turf = view.sheet.turf.get(who)
        truth &= MAYBE if turf is None else board.is_at(on, turf)
    elif target.where in board.intrigue:
        truth &= board.is_at(on, target.where)
    if target.panicked:
        truth &= queries.is_panicked(view, view.rules.characters[on])
        if target.other == YES:
            truth &= present(board, "unease", on, 1)
    if target.has is not None:
        truth &= present(board, target.has, on, 1)
    return truth


def victim_at(view: ScriptView, user: Character, ability: GoodwillAbility, place: str) -> int:
    """Judge "Intrigue on this location may be the corpse that is aimed at" (HS-01, HS-02)."""
    if not view.rules.victims:
        return NO
    truth = present(view.board, INTRIGUE, place, 1)
    if truth and ability.target.where == "here":
        truth &= view.board.is_at(user.id, place)
    return truth


def targets(view: ScriptView, user: Character, ability: GoodwillAbility) -> Iterator[Target]:
    """Yield the legal targets of an ability on a known board, as a use records them."""
    target, board, who = ability.target, view.board, user.id
    if isinstance(ability.does, MoveTarget):
        for on in board.cards:
            if may_target(view, user, ability, on):
                for place in board.intrigue:
                    if not board.is_at(on, place):
                        yield TargetSpec(character=on, to=place)
        return
    match target.kind:
        case "none":
            yield None
        case "self":
            yield who
        case "character" | "corpse":
            yield from (on for on in board.cards if may_target(view, user, ability, on))
            if target.kind == "corpse":
                yield from (on for on in board.intrigue if may_target(view, user, ability, on))
        case "location":
            yield from _locations(view, user, ability)
        case "character_or_location":
            yield from (on for on in board.cards if may_target(view, user, ability, on))
            yield from board.possible_places(who)
        case "incident":
            yield from _incidents(view, ability)
        case "subplot":
            yield from (plot.id for plot in view.rules.subplots())
        case "card":
            leader = board.leader
            cards = [] if leader is None else board.spent[leader]
            yield from (TargetSpec(card=card) for card in dict.fromkeys(cards))
        case "two_characters":
            yield from _pairs(view, user, ability)


def choices(
    view: ScriptView, user: Character, ability: GoodwillAbility
) -> tuple[int | str | None, ...]:
    """Return what the Leader chooses beside the target: an amount, or where to step."""
    if isinstance(ability.does, ChangeTokens) and len(ability.does.amounts) > 1:
        return ability.does.amounts
    if isinstance(ability.does, ClearUser) and view.rules.uses_gauge:
        return (1, -1)  # which way the gauge moves (K-Scientist)
    if isinstance(ability.does, StepUser):
        return tuple(
            near for place in view.board.possible_places(user.id) for near in neighbours(place)
        )
    return (None,)


def _locations(view: ScriptView, user: Character, ability: GoodwillAbility) -> Iterator[str]:
    where = ability.target.where
    if where in view.board.intrigue:
        yield where
    elif where == "turf":
        if user.id in view.sheet.turf:
            yield view.sheet.turf[user.id]
    elif where == "here":
        yield from view.board.possible_places(user.id)
    else:
        yield from view.board.intrigue


def _incidents(view: ScriptView, ability: GoodwillAbility) -> Iterator[TargetSpec]:
    for day in dict.fromkeys(item.day for item in view.sheet.incidents):
        if ability.target.where != "occurred" or view.board.occurred.get(day, NO):
            yield TargetSpec(day=day)


def _pairs(view: ScriptView, user: Character, ability: GoodwillAbility) -> Iterator[TargetSpec]:
    board = view.board
    able = [on for on in board.cards if may_target(view, user, ability, on)]
    for source in able:
        for token in _KINDS:
            if board.tokens(token, source):
                for to in able:
                    if to != source:
                        yield TargetSpec(source=source, to=to, token=token)


# Targets that were not named ------------------------------------------------------------


def readings(
    view: ScriptView, user: Character, ability: GoodwillAbility, target: Target
) -> Iterator[Target]:
    """Yield the declared target, or all that it may stand for."""
    board = view.board
    if isinstance(target, TargetSpec):
        unsure = target.unsure
        if unsure is not None:
            yield from _candidates(view, unsure)
            return
        if target.character is not None or target.source is not None:
            yield from _spelled(view, target)
            return
    if target is None and ability.target.kind in ("character", "corpse"):
        for on in (*board.cards, *board.intrigue):
            if may_target(view, user, ability, on):
                yield on
        return
    if target is None and ability.target.kind not in ("none", "self"):
        yield from targets(view, user, ability)
        return
    yield target


def _candidates(view: ScriptView, unsure: Unsure) -> Iterator[str]:
    if unsure.one_of is not None:
        yield from unsure.one_of
    else:
        assert unsure.somebody_at is not None
        for who in view.board.cards:
            if view.board.is_at(who, unsure.somebody_at):
                yield who


def _spelled(view: ScriptView, target: TargetSpec) -> Iterator[TargetSpec]:
    def each(part: str | Unsure | None) -> list[str | None]:
        if part is None or isinstance(part, str):
            return [part]
        return list(_candidates(view, part))

    for character in each(target.character):
        for source in each(target.source):
            for to in each(target.to):
                yield TargetSpec(character=character, source=source, to=to, token=target.token)
