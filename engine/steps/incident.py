"""The effect of an incident, part by part (I-05 to I-26); its trigger is ``engine.steps.trigger``.

The Mastermind chooses whatever the parts leave open; ``options`` gives what one part may do now.
A part that may do nothing visible has an option that shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.rules import queries
from engine.rules.model import (
    AttachCurse,
    DeadlyNight,
    Either,
    EndLoop,
    GaugeUp,
    KillAllOnce,
    KillCulprit,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    LeaderKills,
    MoveAnyHere,
    MoveCulprit,
    NameLocation,
    On,
    Part,
    Put,
    PutOnPlace,
    Scent,
    SetExtraCard,
    Transfer,
)
from engine.rulings import CULPRIT_MAY_DIE
from engine.steps.common import At, Move, name, present, token
from engine.steps.culprits import (
    acts_at,
    is_with,
)
from engine.steps.deaths import kill_outcomes
from engine.steps.displays import extra_card, move_any, name_location
from engine.steps.haunting import is_barred, is_locked
from engine.steps.recurring import still_to_come
from engine.steps.trigger import incident_of
from engine.view import ScriptView
from engine.words import INTRIGUE

Strike = KillEveryoneAt | KillEveryoneHere | KillAllOnce
"""Parts that kill several at one instant."""
Fatal = KillProtagonistsAt | KillProtagonistsByCorpses
"""Parts that kill the Protagonists by what lies somewhere."""


def effect_parts(view: ScriptView, number: int, culprit: str) -> tuple[Part, ...]:
    """Return the parts that resolve when ``culprit`` triggers, in order (I-05, K-Prophet)."""
    if culprit not in view.rules.characters:
        return incident_of(view, number).parts
    times = view.rules.characters[culprit].effect_times
    return incident_of(view, number).parts * times


# One part ------------------------------------------------------------------------------


def options(
    view: ScriptView,
    at: At,
    number: int,
    part: Part,
    culprit: str,
    *,
    chosen: str | None = None,
    only: Iterable[str] | None = None,
    diagonal: bool = False,
) -> list[Move]:
    """Return what one part of an effect may show now.

    Parts that concern many (``Strike``, ``ScatterOthers``) and those that kill the Protagonists
    are not for this function: see ``doomed``, ``scattered`` and ``kills_protagonists``.

    Args:
        view: the moment.
        at: the step.
        number: the incident's number on the sheet.
        part: the part.
        culprit: the culprit, or who stands for it.
        chosen: whom the part before this one chose.
        only: cards and locations to look at, all by default; a move that shows nothing is
            found all the same.
        diagonal: the culprit's incidents act at the diagonal location (MC-11).
    """
    source = view.sheet.incidents[number].incident
    match part:
        case KillOne():
            return _kill_one(view, at, source, part, culprit, only, diagonal=diagonal)
        case KillCulprit():
            return _kill_culprit(view, at, source, culprit)
        case Put():
            return _put(view, at, source, part, culprit, chosen, only, diagonal=diagonal)
        case Transfer():
            return _transfer(view, at, source, part, culprit, only)
        case MoveCulprit():
            return _move_culprit(view, at, source, part, culprit)
        case MoveAnyHere():
            return move_any(view, at, source, culprit, diagonal=diagonal)
        case NameLocation():
            return name_location(view, at, source, culprit, diagonal=diagonal)
        case SetExtraCard():
            return extra_card(view, at, source, culprit)
        case LeaderKills():
            return _leader_kills(view, at, source, culprit)
        case PutOnPlace():
            return _put_on_place(view, at, source, part, culprit)
        case Either():
            return [
                *_kill_one(view, at, source, part.first, culprit, only, diagonal=diagonal),
                *_put_on_place(view, at, source, part.second, culprit),
            ]
        case AttachCurse():
            return _attach_curse(view, at, source, number, culprit)
        case DeadlyNight():
            return [Move(source, culprit)]  # it shows when the day is over
        case Scent() | EndLoop() | GaugeUp():
            # What they do shows in the gauge, in the end of the loop, or in later incidents.
            return [Move(source, culprit)]
    raise TypeError(f"no options for {part}")


def _kill(
    view: ScriptView,
    at: At,
    source: str,
    culprit: str,
    who: str,
    truth: int,
    *,
    open_: bool = False,
) -> list[Move]:
    found = []
    for outcome in kill_outcomes(view, at, who):
        shows = () if outcome.shows is None else (outcome.shows,)
        legal = truth & outcome.truth
        if legal:
            found.append(Move(source, culprit, shows, legal, who, open=open_))
    return found


def _kill_culprit(view: ScriptView, at: At, source: str, culprit: str) -> list[Move]:
    """Return the culprit's own death; a second time there is nobody left to die (K-Prophet)."""
    alive = view.board.alive(culprit)
    found = _kill(view, at, source, culprit, culprit, alive)
    if alive != YES:
        found.append(Move(source, culprit, (), kleene.negate(alive)))
    return found


def candidates(
    view: ScriptView, part: KillOne, culprit: str, *, diagonal: bool = False
) -> Iterator[tuple[str, int]]:
    """Yield whom a killing part may choose (I-07, I-12)."""
    board = view.board
    may_die = part.culprit_may_die
    if may_die == MAYBE and view.world.rulings[CULPRIT_MAY_DIE] is False:
        may_die = NO
    for who in board.cards:
        truth = board.alive(who)
        if truth and who == culprit:
            truth &= may_die
        elif truth and part.at_culprit:
            truth &= is_with(view, culprit, who, diagonal=diagonal)
        if truth and part.token is not None:
            truth &= present(board, part.token, who, part.n)
        if truth:
            yield who, truth


def places_of(view: ScriptView, culprit: str) -> tuple[str, ...]:
    """Return where a culprit may stand; a mob stands where it is (HS-03)."""
    return (culprit,) if culprit in view.board.intrigue else view.board.possible_places(culprit)


def _kill_one(
    view: ScriptView,
    at: At,
    source: str,
    part: KillOne,
    culprit: str,
    only: Iterable[str] | None,
    *,
    diagonal: bool,
) -> list[Move]:
    found: list[Move] = []
    anybody = NO
    wanted = None if only is None else set(only)
    for who, truth in candidates(view, part, culprit, diagonal=diagonal):
        anybody |= truth
        self_chosen = who == culprit and part.culprit_may_die == MAYBE
        for move in _kill(view, at, source, culprit, who, truth, open_=self_chosen):
            if wanted is None or who in wanted or not move.shows:
                found.append(move)
    if anybody != YES:
        found.append(Move(source, culprit, (), kleene.negate(anybody)))
    return found


def _leader_kills(view: ScriptView, at: At, source: str, culprit: str) -> list[Move]:
    """Return what the Leader's choice may show, whoever is chosen (WM-15)."""
    found: list[Move] = []
    anybody = NO
    for who in view.board.cards:
        alive = view.board.alive(who)
        anybody |= alive
        found += _kill(view, at, source, culprit, who, alive)
    if anybody != YES:
        found.append(Move(source, culprit, (), kleene.negate(anybody)))
    return found


def _put(
    view: ScriptView,
    at: At,
    source: str,
    part: Put,
    culprit: str,
    chosen: str | None,
    only: Iterable[str] | None,
    *,
    diagonal: bool,
) -> list[Move]:
    board = view.board
    found = []
    anybody = NO
    for on in _put_targets(view, part.on, only):
        if isinstance(part.on, str):
            truth = YES
        else:
            truth = board.alive(on)
            if part.on is On.CHARACTER_HERE:
                truth &= is_with(view, culprit, on, diagonal=diagonal)
            elif (part.on is On.SELF and on != culprit) or (part.on is On.ANOTHER and on == chosen):
                truth = NO
        if truth:
            anybody |= truth
            found += [
                Move(source, culprit, (token(at, on, kind, part.n),), truth, on)
                for kind in part.tokens
            ]
    if only is not None and anybody != YES:
        everybody = _put(view, at, source, part, culprit, chosen, None, diagonal=diagonal)
        return found + [move for move in everybody if not move.shows]
    if anybody != YES:
        found.append(Move(source, culprit, (), kleene.negate(anybody)))
    return found


def _put_on_place(
    view: ScriptView, at: At, source: str, part: PutOnPlace, culprit: str
) -> list[Move]:
    """Return tokens on the culprit's location, or on any (HS-23, HS-27)."""
    found = []
    for place in view.board.intrigue:
        truth = YES if part.anywhere else acts_at(view, culprit, place, diagonal=False)
        if truth:
            shown = token(at, place, part.token, part.n)
            found.append(Move(source, culprit, (shown,), truth, place))
    return found


def _attach_curse(view: ScriptView, at: At, source: str, number: int, culprit: str) -> list[Move]:
    """Return the curse on the culprit, or for a mob's incident on its location (HS-05)."""
    if incident_of(view, number).mob is None:
        return [Move(source, culprit, (records.Curse(at=at, on=culprit),), YES, culprit)]
    return [
        Move(source, culprit, (records.Curse(at=at, on=place),), truth, place)
        for place in places_of(view, culprit)
        if (truth := acts_at(view, culprit, place, diagonal=False))
    ]


def scattered(view: ScriptView, culprit: str) -> Iterator[tuple[str, int]]:
    """Yield who has to leave the culprit's location (HS-23)."""
    for who in view.board.cards:
        truth = view.board.alive(who) if who != culprit else NO
        if truth:
            truth &= is_with(view, culprit, who, diagonal=False)
        if truth:
            yield who, truth


def ways_out(view: ScriptView, at: At, number: int, culprit: str, who: str) -> Iterator[Move]:
    """Yield where one of those may be sent; to a place that is barred it does not go (HS-23)."""
    source, board = view.sheet.incidents[number].incident, view.board
    stays = NO
    for place in board.intrigue:
        away = kleene.negate(board.is_at(who, place))
        barred = is_barred(view, who, place) | (MAYBE & is_locked(view, who, place))
        stays |= barred & away
        if away:
            moved = records.Moved(at=at, who=who, to=place)
            yield Move(source, culprit, (moved,), away, who, open=barred != NO)
    if stays | is_locked(view, who):
        yield Move(source, culprit, (), MAYBE, who, open=True)


def _put_targets(view: ScriptView, on: On | str, only: Iterable[str] | None) -> Iterable[str]:
    if isinstance(on, str):
        return (on,)
    if only is None:
        return view.board.cards
    return [who for who in only if who in view.board.cards]


def _transfer(
    view: ScriptView,
    at: At,
    source: str,
    part: Transfer,
    culprit: str,
    only: Iterable[str] | None,
) -> list[Move]:
    """Return the transfers (I-14): up to so many from one to another; none is one of them.

    Other editions place the full number whatever was there to remove; that is accepted.
    """
    board, kind = view.board, part.token
    cards = [who for who in (board.cards if only is None else only) if who in board.cards]
    living = [who for who in cards if board.alive(who)]
    found = [Move(source, culprit, (), YES)]
    # A giver with nothing to give shows nothing itself, so it need not be among `only`.
    for giver in living:
        low, high = kleene.span_of(board.tokens(kind, giver))
        for to in living:
            if to == giver:
                continue
            alive = board.alive(giver) & board.alive(to)
            for n in range(1, min(part.up_to, high) + 1):
                shows = (token(at, giver, kind, -n), token(at, to, kind, n))
                truth = alive & (YES if low >= n else MAYBE)
                found.append(Move(source, culprit, shows, truth, to))
                if n < part.up_to and low <= n:
                    full = (shows[0], token(at, to, kind, part.up_to))
                    found.append(Move(source, culprit, full, alive & MAYBE, to, open=True))
    for to in living:
        empty = [
            who
            for who in board.cards
            if who != to and board.alive(who) and kleene.span_of(board.tokens(kind, who))[0] == 0
        ]
        if empty:
            shows_full = (token(at, to, kind, part.up_to),)
            found.append(Move(source, culprit, shows_full, MAYBE, to, open=True))
    return found


def _move_culprit(
    view: ScriptView, at: At, source: str, part: MoveCulprit, culprit: str
) -> list[Move]:
    """Return where the culprit may go, with the token on the place (I-10, B-05).

    A move beyond a red X is public and accepted; so is a culprit that cannot move showing
    nothing at all (I-26).
    """
    board = view.board
    legal = queries.legal_places(view, view.rules.characters[culprit])
    found = []
    stuck = any(not legal - {place} for place in board.possible_places(culprit))
    for place in board.intrigue:
        put = token(at, place, part.token, part.n)
        stays = board.is_at(culprit, place)
        if stays:
            found.append(Move(source, culprit, (put,), stays, place))
        if stays != YES:
            moved = records.Moved(at=at, who=culprit, to=place)
            truth = kleene.negate(stays)
            found.append(Move(source, culprit, (moved, put), truth, place, open=place not in legal))
    if stuck:
        found.append(Move(source, culprit, (), MAYBE, open=True))
    return found


# Parts that strike many, and the Protagonists ------------------------------------------


def strikes(view: ScriptView, part: Strike, number: int, culprit: str) -> int:
    """Judge "the condition of a part that strikes many holds" (WM-13, WM-16, WM-17).

    Args:
        view: the moment.
        part: the part.
        number: the incident's number on the sheet.
        culprit: the culprit, or who stands for it.
    """
    match part:
        case KillEveryoneAt():
            return kleene.at_least(kleene.span_of(view.board.intrigue[part.place]), part.n)
        case KillEveryoneHere():
            return present(view.board, INTRIGUE, culprit, part.n) if part.n else YES
        case KillAllOnce():
            return still_to_come(view, view.sheet.incidents[number].incident)


def doomed(view: ScriptView, part: Strike, culprit: str) -> Iterator[tuple[str, int]]:
    """Yield who dies of a part that strikes many at once, if its condition holds."""
    for who in view.board.cards:
        truth = view.board.alive(who)
        if truth and isinstance(part, KillEveryoneAt):
            truth &= view.board.is_at(who, part.place)
        elif truth and isinstance(part, KillEveryoneHere) and who != culprit:
            truth &= is_with(view, culprit, who, diagonal=False)
        if truth:
            yield who, truth


def kills_protagonists(view: ScriptView, part: Fatal, culprit: str) -> int:
    """Judge "the Protagonists die of this part" (I-16, I-22), the Soldier considered (G-15)."""
    if isinstance(part, KillProtagonistsAt):
        enough = kleene.at_least(kleene.span_of(view.board.intrigue[part.place]), part.n)
    else:
        enough = NO
        for place in places_of(view, culprit):
            corpses = kleene.at_least(view.board.corpses_at(place), part.n)
            enough |= acts_at(view, culprit, place, diagonal=False) & corpses
    return enough & kleene.negate(view.shielded()) if enough else NO


def sentence(view: ScriptView, number: int) -> str:
    """Return what to call an incident and its culprit in a sentence."""
    incident = incident_of(view, number)
    culprit = view.world.culprits[number]
    return f"{incident.name} of {name(view.rules, culprit)}"
