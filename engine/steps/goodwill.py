"""Goodwill abilities (G-01 to G-20): may it be refused, must it be, and what acceptance shows.

Legality of a use is public (``engine.steps.targets``); hidden is only whether the Mastermind
refuses, and what he may choose to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord, TargetSpec
from engine.rules.model import (
    ChangeTokens,
    Character,
    ClearUser,
    ConvertToken,
    GoodwillAbility,
    KillTarget,
    LastingEffect,
    LeaveBoard,
    MoveTarget,
    MoveTokenBetween,
    PlaceGuard,
    RevealCulprit,
    RevealRole,
    RevealSameRole,
    RevealSubplot,
    ReviveTarget,
    StepUser,
    TakeBackCard,
)
from engine.steps import corpses
from engine.steps.common import At, Move, present, together, token
from engine.steps.deaths import kill_outcomes
from engine.steps.targets import Target, readings
from engine.view import ON, TODAY, ScriptView
from engine.words import GUARD, TOKENS, neighbours

Choice = int | str | None


def ability_key(key: str) -> int | str:
    """Return the key of an ability as a use records it: a number where it is one."""
    return int(key) if key.isdigit() else key


def find(character: Character, key: str) -> GoodwillAbility | None:
    """Return the ability with this key, ``None`` if the card has no such one."""
    return next((ability for ability in character.goodwill if ability.key == key), None)


def may_accept(view: ScriptView, who: str, ability: GoodwillAbility) -> int:
    """Judge "the Mastermind may let it happen" (G-05, M-11)."""
    if not ability.refusable:
        return YES
    if used_by_mastermind(view, who, ability):
        return NO
    return kleene.negate(view.must_refuse(who))


def may_refuse(view: ScriptView, who: str, ability: GoodwillAbility) -> int:
    """Judge "the Mastermind may refuse it" (G-06, G-08)."""
    return view.may_refuse(who) if ability.refusable else NO


def used_by_mastermind(view: ScriptView, who: str, ability: GoodwillAbility) -> bool:
    """Tell whether the Mastermind used it himself today (M-11)."""
    return (TODAY, who, ability.key) in view.flags


# What an accepted use shows ------------------------------------------------------------


def acceptances(
    view: ScriptView,
    at: At,
    user: Character,
    ability: GoodwillAbility,
    target: Target,
    choice: Choice,
    noted: Iterable[AnyRecord] = (),
) -> list[Move]:
    """Return what an accepted use may show: several where values are open or told freely.

    A target or choice that was not noted, or could not be named, is any legal one. Incidents
    that a card resolves itself (K-A.I.) are for ``engine.steps.incident``.

    Args:
        view: the moment.
        at: the step.
        user: the card.
        ability: what it uses.
        target, choice: as declared.
        noted: what was noted of its effects; only looked at for amounts that are unknown.
    """
    found: list[Move] = []
    for single in readings(view, user, ability, target):
        found += _accept(view, at, user, ability, single, choice, noted)
    return found


def _accept(
    view: ScriptView,
    at: At,
    user: Character,
    ability: GoodwillAbility,
    target: Target,
    choice: Choice,
    noted: Iterable[AnyRecord],
) -> list[Move]:
    who = user.id
    source = f"{who}.{ability.key}"
    on = target if isinstance(target, str) else None

    def shown(*shows: AnyRecord, truth: int = YES) -> Move:
        return Move(source, who, shows, truth, on)

    match ability.does:
        case ChangeTokens(token=kind, amounts=amounts):
            if on is None:
                return []
            wanted = (choice,) if isinstance(choice, int) and choice in amounts else amounts
            return [move for n in wanted for move in _change(view, at, source, who, kind, n, on)]
        case ConvertToken(old=old, new=new):
            return _convert(view, at, source, who, old, new, on)
        case RevealRole():
            return _roles(view, at, source, who, on or who)
        case RevealCulprit():
            day = target.day if isinstance(target, TargetSpec) else None
            return _culprits(view, at, source, who, day)
        case RevealSubplot():
            told = [plot for plot in view.world.script.subplots if plot != on]
            if not told:
                return [shown()]
            return [shown(records.Reveal(at=at, subplot=plot, asked=on)) for plot in told]
        case RevealSameRole():
            return _same_role(view, at, source, who)
        case TakeBackCard():
            return _card_back(view, at, source, who, target)
        case KillTarget():
            if on is None:
                return []
            return [
                shown(*(() if o.shows is None else (o.shows,)), truth=o.truth)
                for o in kill_outcomes(view, at, on)
            ]
        case ReviveTarget():
            return [] if on is None else [shown(records.Revived(at=at, who=on))]
        case PlaceGuard():
            return [] if on is None else [shown(token(at, on, GUARD, 1))]
        case LastingEffect(kind=kind):
            holder = ability.target.character or who
            return [Move(source, who, (), YES, on, (ON, kind, holder))]
        case LeaveBoard():
            return [shown(records.Removed(at=at, who=who))]
        case ClearUser():
            return _clear(view, at, source, who, noted)
        case MoveTokenBetween():
            return _between(view, at, source, who, target)
        case MoveTarget():
            return _move_target(view, at, source, who, target)
        case StepUser():
            place = on if on in view.board.intrigue else choice
            return _step(view, at, source, user, place if isinstance(place, str) else None)
    return []


def _change(
    view: ScriptView, at: At, source: str, who: str, kind: str, n: int, on: str
) -> list[Move]:
    if n > 0:
        return [Move(source, who, (token(at, on, kind, n),), YES, on)]
    there = present(view.board, kind, on, 1)
    found = []
    if there:
        found.append(Move(source, who, (token(at, on, kind, n),), there, on))
    if there != YES:
        found.append(Move(source, who, (), kleene.negate(there), on))
    return found


def _convert(
    view: ScriptView, at: At, source: str, who: str, old: str, new: str, on: str | None
) -> list[Move]:
    if on is None:
        return []
    there = present(view.board, old, on, 1)
    found = []
    if there:
        shows = (token(at, on, old, -1), token(at, on, new, 1))
        found.append(Move(source, who, shows, there, on))
    if there != YES:
        found.append(Move(source, who, (), kleene.negate(there), on))
    return found


def _roles(view: ScriptView, at: At, source: str, who: str, on: str) -> list[Move]:
    found = []
    victim = on in view.board.intrigue
    for role in view.rules.roles if victim else view.world.possible_roles(on):
        truth = corpses.victim_reads(view, role) if victim else view.current_role(on, role)
        if truth:
            shows = (records.Reveal(at=at, role_of=on, role=role),)
            found.append(Move(source, who, shows, truth, on))
    return found


def _culprits(view: ScriptView, at: At, source: str, who: str, day: int | None) -> list[Move]:
    found = []
    for number, item in enumerate(view.sheet.incidents):
        culprit = view.world.culprits[number]
        if culprit is not None and day in (None, item.day):
            shows = (records.Reveal(at=at, culprit_of=item.day, culprit=culprit),)
            found.append(Move(source, who, shows, YES, culprit))
    return found


def _same_role(view: ScriptView, at: At, source: str, who: str) -> list[Move]:
    """Return the answers "these have my role": living and present (K-Copycat).

    Where a shift of roles is at work the whole answer goes by current or by scripted roles.
    """
    answers: dict[tuple[str, ...], None] = {}
    for shares in (shares_current_role, shares_scripted_role):
        sure, perhaps = [], []
        for other in view.board.cards:
            truth = view.board.alive(other) if other != who else NO
            if truth:
                truth &= shares(view, who, other)
            if truth == YES:
                sure.append(other)
            elif truth:
                perhaps.append(other)
        for mask in range(1 << len(perhaps)):
            named = sure + [other for bit, other in enumerate(perhaps) if mask >> bit & 1]
            answers[tuple(sorted(named))] = None
    truth = YES if len(answers) == 1 else MAYBE
    return [
        Move(source, who, (records.Reveal(at=at, same_role_as=who, characters=named),), truth)
        for named in answers
    ]


def shares_current_role(view: ScriptView, who: str, other: str) -> int:
    """Judge "both have the same current role" (P-06)."""
    same = NO
    for role in view.world.possible_roles(other):
        same |= view.current_role(who, role) & view.current_role(other, role)
    return same


def shares_scripted_role(view: ScriptView, who: str, other: str) -> int:
    """Judge "both have the same role in the script"."""
    return kleene.certain(view.world.role.get(who) == view.world.role.get(other))


def _card_back(view: ScriptView, at: At, source: str, who: str, target: Target) -> list[Move]:
    board = view.board
    wanted = target.card if isinstance(target, TargetSpec) else None
    decks = [board.leader] if board.leader is not None and view.sheet.players == 3 else "abc"
    found = []
    for deck in decks:
        spent = dict.fromkeys(board.spent[deck])
        unknown = board.leader is None or deck in board.spent_open
        for card in spent if wanted is None else (wanted,):
            if unknown or card in spent:
                back = records.CardBack(at=at, deck=deck, card=card)  # type: ignore[arg-type]
                # A deck that the Leader only holds for today may count as his or not.
                shared = board.leader not in (None, deck)
                found.append(Move(source, who, (back,), YES, open=shared))
    return found


def _clear(
    view: ScriptView, at: At, source: str, who: str, noted: Iterable[AnyRecord]
) -> list[Move]:
    shows = []
    truth = YES
    for kind in TOKENS:
        count = view.board.tokens(kind, who)
        if count is None:
            truth = MAYBE
            count = -sum(
                record.n
                for record in noted
                if isinstance(record, records.Token)
                and (record.on, record.token) == (who, kind)
                and record.n < 0
            )
        if count:
            shows.append(token(at, who, kind, -count))
    return [Move(source, who, tuple(shows), truth)]


def _between(view: ScriptView, at: At, source: str, who: str, target: Target) -> list[Move]:
    if not isinstance(target, TargetSpec):
        return []
    giver, to = target.source, target.to
    if not isinstance(giver, str) or not isinstance(to, str):
        return []
    found = []
    kinds = TOKENS if target.token is None else (target.token,)
    for kind in kinds:
        there = present(view.board, kind, giver, 1)
        if there:
            shift = records.Shifted(at=at, token=kind, source=giver, to=to)  # type: ignore[arg-type]
            found.append(Move(source, who, (shift,), there, to))
        if there != YES:
            found.append(Move(source, who, (), kleene.negate(there), to))
    return found


def _move_target(view: ScriptView, at: At, source: str, who: str, target: Target) -> list[Move]:
    """Return a move to a named place: beyond a red X it may or may not happen (B-05)."""
    if not isinstance(target, TargetSpec):
        return []
    moved, to = target.character, target.to
    if not isinstance(moved, str) or not isinstance(to, str):
        return []
    stays = view.board.is_at(moved, to)
    legal = _may_enter(view, moved, to)
    found = []
    if stays != YES:
        truth = kleene.negate(stays) & (legal | MAYBE)
        shows = (records.Moved(at=at, who=moved, to=to),)
        found.append(Move(source, who, shows, truth, moved, open=legal != YES))
    if stays or legal != YES:
        found.append(Move(source, who, (), stays | kleene.negate(legal), moved))
    return found


def _may_enter(view: ScriptView, who: str, place: str) -> int:
    if place not in view.rules.characters[who].forbidden:
        return YES
    return view.effect("freed", who)


def _step(view: ScriptView, at: At, source: str, user: Character, place: str | None) -> list[Move]:
    near = dict.fromkeys(
        to for at_now in view.board.possible_places(user.id) for to in neighbours(at_now)
    )
    found = []
    for to in near if place is None else (place,):
        if to in near:
            step = TargetSpec(character=user.id, to=to)
            found += _move_target(view, at, source, user.id, step)
    return found


# The Leader's transfer -----------------------------------------------------------------


def transfers(view: ScriptView, at: At, who: str) -> Iterator[Move]:
    """Yield how the Leader may pass on a token of this card (K-Sacred Tree, G-08)."""
    for kind in TOKENS:
        there = present(view.board, kind, who, 1) & view.board.alive(who)
        if not there:
            continue
        for on in view.board.cards:
            if on != who:
                truth = there & together(view, who, on)
                if truth:
                    shown = records.Shifted(at=at, token=kind, source=who, to=on)
                    yield Move(f"{who}.transfer", who, (shown,), truth, on)
