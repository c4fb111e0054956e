"""The Mastermind's step (M-01 to M-13): results without a source, each use once a day.

Sources are abilities of roles and plots, Goodwill abilities that a refusing role puts into the
Mastermind's hands (M-10), and the card that has to pass on a token while its role refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine import records
from engine.kleene import MAYBE, NO, YES, negate
from engine.rules.model import (
    Ability,
    ChangeTokens,
    GoodwillAbility,
    Place,
    PlaceOneOf,
    StepAway,
    Timing,
)
from engine.steps import haunting
from engine.steps.common import (
    At,
    Move,
    can_act,
    may_place,
    present,
    spots,
    together,
    token,
    works_dead,
)
from engine.steps.targets import enough_goodwill, may_target
from engine.view import TODAY, USED, Flag, Holding, ScriptView, World
from engine.words import MASTERMIND_STEP, TOKENS

PASSES = "passes_token"
"""Source of the move with which a refusing card passes on a token."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something the Mastermind may use once in this step.

    Attributes:
        id: name of the ability, shown in courses.
        holder: the card that uses it.
        holding: a role's or plot's ability.
        goodwill: a Goodwill ability of the holder in the Mastermind's hands.
        mandatory: it has to be used when its condition holds.
        flag: what its (first) use is remembered by, where that outlives the step.
        limit: how often it may be used in a loop, where that is limited.
        rulings: the rulings it follows.
    """

    id: str
    holder: str | None
    holding: Holding | None
    goodwill: GoodwillAbility | None
    mandatory: bool
    flag: Flag | None
    rulings: tuple[str, ...]
    limit: int = 1

    @property
    def key(self) -> tuple[str, str | None]:
        """Return what a use is known by (P-03)."""
        return self.id, self.holder


def sources(world: World) -> tuple[Source, ...]:
    """Return everything that the Mastermind could ever use in this step in this script."""
    if world.sources is None:
        world.sources = tuple(_sources(world))
    found: tuple[Source, ...] = world.sources  # type: ignore[assignment]
    return found


def _sources(world: World) -> Iterator[Source]:
    for holding in world.holdings(Timing.MASTERMIND):
        ability = holding.ability
        limit = ability.limit_per_loop(world.rulings)
        yield Source(
            ability.id,
            holding.holder,
            holding,
            None,
            ability.mandatory,
            None if limit is None else holding.flag,
            ability.rulings,
            limit or 1,
        )
    for who in world.role:
        character = world.rules.characters[who]
        if world.may_refuse(who) == NO:
            continue
        for goodwill in character.goodwill:
            if goodwill.mastermind and isinstance(goodwill.does, ChangeTokens):
                flag = (TODAY, who, goodwill.key)
                name = f"{who}.{goodwill.key}"
                yield Source(name, who, None, goodwill, False, flag, ("M-10",))
        if character.passes_token:
            yield Source(f"{who}.{PASSES}", who, None, None, True, None, character.rulings)


def ready(view: ScriptView, source: Source) -> int:
    """Judge "it may be used now": its holder lives, its condition holds, it is not used up."""
    holder, board = source.holder, view.board
    if source.holding is not None:
        if source.flag is not None and next_flag(view, source) is None:
            return NO
        truth = can_act(view, source.holding.ability, holder)
        return truth & view.holds(source.holding) if truth else NO
    assert holder is not None
    if source.goodwill is None:
        return board.alive(holder) & view.may_refuse(holder)
    ability = source.goodwill
    spent = ability.once_per_loop and ability.key in board.used.get(holder, ())
    if spent or (source.flag is not None and source.flag in view.flags):
        return NO
    truth = enough_goodwill(view, holder, ability)
    return truth & view.may_refuse(holder) if truth else NO


def next_flag(view: ScriptView, source: Source) -> Flag | None:
    """Return the flag that one more use sets, ``None`` where it sets none or none is left."""
    if source.flag is None:
        return None
    kind, ability, holder = source.flag
    for number in range(source.limit):
        flag = source.flag if number == 0 else (kind, ability, f"{holder or ''}/{number + 1}")
        if flag not in view.flags:
            return flag
    return None


def moves(
    view: ScriptView, at: At, source: Source, only: Iterable[str] | None = None
) -> Iterator[Move]:
    """Yield what one use may show now; a use without a visible effect shows nothing.

    Args:
        view: the moment within the step.
        at: the step.
        source: what is used.
        only: the cards and locations to aim at; all by default.
    """
    truth = ready(view, source)
    if not truth:
        return
    if source.holding is not None:
        deed = source.holding.ability.does
        if isinstance(deed, Place):
            yield from _place(view, at, source, deed, truth, only)
        elif isinstance(deed, PlaceOneOf):
            for kind in deed.tokens:
                yield from _place(view, at, source, Place(kind, deed.n, deed.on), truth, only)
        elif isinstance(deed, StepAway) and source.holder is not None:
            yield from haunting.steps_away(view, at, source.id, source.holder, truth)
    elif source.goodwill is not None:
        yield from _goodwill(view, at, source, truth, only)
    else:
        yield from _pass_token(view, at, source, truth, only)


def _place(
    view: ScriptView,
    at: At,
    source: Source,
    deed: Place,
    truth: int,
    only: Iterable[str] | None,
) -> Iterator[Move]:
    assert source.holding is not None
    dead = works_dead(source.holding.ability.when)
    for on in spots(view.board, deed.on, deed.token) if only is None else only:
        legal = truth & may_place(view, source.holder, deed.on, on, haunting=dead)
        if legal:
            yield from _change(view, at, source, deed.token, deed.n, on, legal)


def _goodwill(
    view: ScriptView, at: At, source: Source, truth: int, only: Iterable[str] | None
) -> Iterator[Move]:
    assert source.goodwill is not None
    assert source.holder is not None
    does = source.goodwill.does
    assert isinstance(does, ChangeTokens)
    user = view.rules.characters[source.holder]
    for on in view.board.cards if only is None else only:
        if on not in view.board.cards:
            continue
        legal = truth & may_target(view, user, source.goodwill, on)
        if legal:
            for amount in does.amounts:
                yield from _change(view, at, source, does.token, amount, on, legal)


def _change(
    view: ScriptView, at: At, source: Source, kind: str, n: int, on: str, legal: int
) -> Iterator[Move]:
    """Yield placing tokens, or removing them with what shows when none lies there."""
    flag = next_flag(view, source)
    if n > 0:
        yield Move(source.id, source.holder, (token(at, on, kind, n),), legal, on, flag)
        return
    there = present(view.board, kind, on, 1)
    if there:
        shows = (token(at, on, kind, n),)
        yield Move(source.id, source.holder, shows, legal & there, on, flag)
    if there != YES:
        yield Move(source.id, source.holder, (), legal & negate(there), on, flag)


def _pass_token(
    view: ScriptView, at: At, source: Source, truth: int, only: Iterable[str] | None
) -> Iterator[Move]:
    holder = source.holder
    assert holder is not None
    for kind in TOKENS:
        there = truth & present(view.board, kind, holder, 1)
        if not there:
            continue
        for on in view.board.cards if only is None else only:
            if on == holder or on not in view.board.cards:
                continue
            legal = there & together(view, holder, on)
            if legal:
                shown = records.Shifted(at=at, token=kind, source=holder, to=on)
                yield Move(source.id, holder, (shown,), legal, on)


def at_once(start: ScriptView, moves: list[Move]) -> list[Move]:
    """Drop removals that show nothing only because another mandatory use came first (MC-14).

    Mandatory uses resolve at one moment, so what lay there at its beginning is there for each;
    a use that has no other way keeps this one.

    Args:
        start: the moment at the beginning of the step.
        moves: what may be chosen now.
    """
    kinds = {
        source.key: source.holding.ability.does.token
        for source in sources(start.world)
        if source.holding is not None and isinstance(source.holding.ability.does, Place)
    }
    kept = [
        move
        for move in moves
        if move.shows
        or move.on is None
        or move.key not in kinds
        or start.board.tokens(kinds[move.key], move.on) == 0
    ]
    left = {move.key for move in kept}
    return kept + [move for move in moves if move.key not in left]


# What has to happen --------------------------------------------------------------------


def due(before: ScriptView, after: ScriptView, source: Source) -> int:
    """Judge "this mandatory use had to show something" (M-13, P-02).

    It has to where the condition held for certain at the start, and every way of using it,
    then and at the end, shows something for certain.
    """
    apart = _removes(source) or _is_haunting(source)
    if not source.mandatory or apart or ready(before, source) != YES:
        return NO
    if source.holder is not None and before.turf(source.holder) is not None:
        return MAYBE
    at = (before.board.loop, before.board.day, MASTERMIND_STEP)
    for view in (before, after):
        legal = NO
        for move in moves(view, at, source):
            if not move.shows:
                return MAYBE
            legal |= move.truth
        if legal != YES:
            return MAYBE
    return YES


def _removes(source: Source) -> bool:
    deed = None if source.holding is None else source.holding.ability.does
    return isinstance(deed, Place) and deed.n < 0


def removals_due(view: ScriptView) -> Iterator[tuple[Source, str, str]]:
    """Yield the mandatory removals that had to show: source, token and where (MC-14).

    The holder stands at a known place with somebody else, and everybody else who may be there
    has such a token; a holder with a turf elsewhere is bound only if its turf binds it too.

    Args:
        view: the moment at the beginning of the step.
    """
    for source in sources(view.world):
        holding, holder = source.holding, source.holder
        if holding is None or holder is None or not source.mandatory:
            continue
        deed = holding.ability.does
        if not (isinstance(deed, Place) and deed.n < 0) or ready(view, source) != YES:
            continue
        place = view.board.cards[holder].at
        bound = view.places(holder)
        if place is not None and all(_binds(view, holder, at, deed.token) for at in bound):
            yield source, deed.token, place


def _binds(view: ScriptView, holder: str, place: str, kind: str) -> bool:
    board = view.board
    others = [who for who in board.cards if who != holder and board.lives_at(who, place)]
    return any(board.lives_at(who, place) == YES for who in others) and all(
        present(board, kind, who, 1) == YES for who in others
    )


def _is_haunting(source: Source) -> bool:
    """Tell whether ``engine.steps.haunting`` says when a mandatory use had to show."""
    if source.holding is None:
        return False
    ability = source.holding.ability
    return isinstance(ability.does, StepAway) or works_dead(ability.when)


def untimed(world: World) -> Iterator[Ability]:
    """Yield plot abilities for which the rulebook prints no timing (M-08)."""
    for holding in world.holdings(Timing.MASTERMIND):
        if holding.ability.untimed and holding.holder is None:
            yield holding.ability


def stray_moves(view: ScriptView, at: At, on: str) -> Iterator[Move]:
    """Yield uses of untimed plot abilities at another moment of the Mastermind (M-08)."""
    for ability in untimed(view.world):
        flag = (USED, ability.id, None)
        if isinstance(ability.does, Place) and flag not in view.flags:
            legal = may_place(view, None, ability.does.on, on)
            if legal:
                shows = (token(at, on, ability.does.token, ability.does.n),)
                yield Move(ability.id, None, shows, legal, on, flag, open=True)
