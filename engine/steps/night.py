"""The night (D-01 to D-17): one mandatory batch on one snapshot, then optional abilities.

``kill_moves`` gives what one ability may do on a board; which board it is asked about, the
snapshot or a later one, is up to the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from engine import kleene
from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.rules.model import (
    DeadlyNight,
    DieAndRaise,
    KillAnyHere,
    KillEverybody,
    KillHolder,
    KillOneOutnumbered,
    KillOnlyCompanion,
    KillProtagonists,
    Per,
    ResolveIncident,
    Timing,
)
from engine.rulings import GAINED_ROLE_COUNTS
from engine.steps import corpses, once_a_loop
from engine.steps.common import At, Move, can_act, present
from engine.steps.deaths import can_die, kill_outcomes
from engine.table.step import Step
from engine.view import Holding, ScriptView


def killers(view: ScriptView, *, mandatory: bool | None = None) -> Iterator[Holding]:
    """Yield the abilities of the night that kill characters.

    What all corpses of a role do together comes once, without a holder (HS-15).
    """
    for holding in view.world.holdings(Timing.NIGHT):
        if isinstance(holding.ability.does, _KILLS) and (
            mandatory is None or holding.ability.mandatory is mandatory
        ):
            yield holding
    horde = corpses.horde_of(view.rules)
    if (
        horde is not None
        and mandatory in (None, horde.kill.mandatory)
        and corpses.may_be_at_work(view, horde)
    ):
        yield corpses.holding_of(horde, horde.kill)


_KILLS = KillOnlyCompanion | KillHolder | DieAndRaise | KillAnyHere


def able(view: ScriptView, holding: Holding) -> int:
    """Judge "it may be used now": its holder lives and its condition holds."""
    if holding.ability.per is not Per.DAY and holding.flag in view.flags:
        return NO
    truth = can_act(view, holding.ability, holding.holder)
    return truth & view.holds(holding) if truth else NO


def victims(
    view: ScriptView, holding: Holding, only: Iterable[str] | None = None
) -> Iterator[tuple[str, int]]:
    """Yield whom one use may kill on this board, with its truth.

    Args:
        view: the moment.
        holding: the ability; its holder acts from its place or, at night, its turf.
        only: the cards to look at; all by default.
    """
    holder = holding.holder
    if isinstance(holding.ability.does, KillOneOutnumbered):
        yield from _outnumbered(view, holding, only)
        return
    ready = able(view, holding)
    if not ready or holder is None:
        return
    deed = holding.ability.does
    if isinstance(deed, DieAndRaise):
        if only is None or holder in only:
            yield holder, ready
        return
    for who in view.board.cards if only is None else only:
        itself_too = isinstance(deed, KillAnyHere)
        if (who == holder and not itself_too) or not view.board.alive(who):
            continue
        truth = NO
        if isinstance(deed, KillAnyHere):
            truth = view.board.alive(who) if who == holder else _beside(view, holder, who)
        elif isinstance(deed, KillOnlyCompanion):
            truth = _companion(view, holder, who, deed.others)
        elif isinstance(deed, KillHolder):
            truth = _target_role(view, who, deed.role)
            if truth:
                truth &= present(view.board, deed.token, who, deed.n)
            if truth:
                truth &= _beside(view, holder, who)
        if ready & truth:
            yield who, ready & truth


def _outnumbered(
    view: ScriptView, holding: Holding, only: Iterable[str] | None
) -> Iterator[tuple[str, int]]:
    """Yield whom the corpses of a role may kill together (HS-15)."""
    assert holding.role is not None
    for who in view.board.cards if only is None else only:
        truth = corpses.struck(view, holding.role, who) if view.board.alive(who) else NO
        if truth:
            yield who, truth


def _companion(view: ScriptView, holder: str, who: str, others: int) -> int:
    truth = NO
    for place in view.places(holder, night=True):
        lives = view.board.lives_at(who, place)
        if lives:
            alone = kleene.exactly(view.board.others_living_at(holder, place), others)
            truth |= lives & alone & view.reaches(holder, place, night=True)
    return truth


def _beside(view: ScriptView, holder: str, who: str) -> int:
    truth = NO
    for place in view.places(holder, night=True):
        truth |= view.board.lives_at(who, place) & view.reaches(holder, place, night=True)
    return truth


def _target_role(view: ScriptView, who: str, role: str) -> int:
    """Judge "counts as a card with ``role``": abilities gained may count (D-10)."""
    counts = view.world.rulings[GAINED_ROLE_COUNTS]
    if counts is True:
        return view.acts_as(who, role)
    plain = view.current_role(who, role)
    return plain if counts is False else plain | (view.acts_as(who, role) & MAYBE)


def kill_moves(
    view: ScriptView, at: At, holding: Holding, only: Iterable[str] | None = None
) -> Iterator[Move]:
    """Yield what one use may show on this board: a death, a guard marker, or nothing."""
    flag = holding.flag if holding.ability.per is not Per.DAY else None
    for who, truth in victims(view, holding, only):
        for outcome in kill_outcomes(view, at, who):
            shows = () if outcome.shows is None else (outcome.shows,)
            yield Move(holding.ability.id, holding.holder, shows, truth & outcome.truth, who, flag)


# What has to happen --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Demand:
    """A mandatory kill that is certain: one of ``victims`` had to be hit (D-05)."""

    holding: Holding
    victims: tuple[str, ...]


def demands(
    view: ScriptView, nights: Iterable[Step] = (), *, known: bool = True
) -> Iterator[Demand]:
    """Yield the mandatory kills that the snapshot makes certain (D-05, P-02).

    A victim that may be unkillable proves nothing. A holder with a turf elsewhere had to
    kill only if each of its two places forces a kill of its own. A kill that is due once in a
    loop is certain on the first night on which it is due (MC-06).

    Args:
        view: the snapshot.
        nights: the earlier nights of the loop.
        known: all earlier nights of the loop are among them.
    """
    for holding in killers(view, mandatory=True):
        holder = holding.holder
        deed = holding.ability.does
        if isinstance(deed, KillOneOutnumbered):
            yield from _outnumbering(view, holding)
            continue
        if holder is None or able(view, holding) != YES:
            continue
        if isinstance(deed, KillHolder):
            hit = list(victims(view, holding))
            if YES in (truth for _, truth in hit) and all(can_die(view, w) == YES for w, _ in hit):
                yield Demand(holding, tuple(who for who, _ in hit))
            continue
        if isinstance(deed, DieAndRaise):
            if can_die(view, holder) == YES:
                yield Demand(holding, (holder,))
            continue
        if view.board.cards[holder].at is None:
            continue
        if once_a_loop.is_due_once(holding):
            if once_a_loop.due_for_the_first_time(view, holding, nights, late=not known):
                places = view.places(holder, night=True)
                one_of = once_a_loop.had_to_hit(view, holder, places)
                if one_of:
                    yield Demand(holding, one_of)
            continue
        if not isinstance(deed, KillOnlyCompanion):
            continue
        found: list[str] = []
        for place in view.places(holder, night=True):
            forced = _forced(view, holder, place, deed.others)
            if forced is None:
                break
            found += forced
        else:
            if found:
                yield Demand(holding, tuple(found))


def _outnumbering(view: ScriptView, holding: Holding) -> Iterator[Demand]:
    """Yield that somebody had to die where corpses surely outnumber, or may (HS-17)."""
    assert holding.role is not None
    board = view.board
    sure = False
    there: list[str] = []
    for place in board.intrigue:
        truth = corpses.outnumber(view, holding.role, place)
        sure = sure or truth == YES
        if truth:
            there += [who for who in board.cards if board.lives_at(who, place)]
    if sure and all(can_die(view, who) == YES for who in there):
        yield Demand(holding, tuple(there))


def _forced(view: ScriptView, holder: str, place: str, others: int) -> list[str] | None:
    """Return who had to die if the holder acted from ``place``, ``None`` if nobody."""
    board = view.board
    if kleene.exactly(board.others_living_at(holder, place), others) != YES:
        return None
    there = [who for who in board.cards if who != holder and board.lives_at(who, place) == YES]
    if not there or any(can_die(view, who) != YES for who in there):
        return None
    return there


# Everybody at once -----------------------------------------------------------------------


def killers_of_all(view: ScriptView) -> Iterator[tuple[Holding, int]]:
    """Yield the abilities that may kill all characters and the Protagonists now (WM-11)."""
    for holding in view.world.holdings(Timing.NIGHT):
        if isinstance(holding.ability.does, KillEverybody):
            truth = able(view, holding)
            if truth:
                yield holding, truth


def may_kill_all(
    before: ScriptView, after: ScriptView, dead: Iterable[str], hit: Iterable[str], *, closed: bool
) -> Holding | None:
    """Return an ability that may have killed everybody in a night, ``None`` if there is none.

    Args:
        before, after: the moments around the night.
        dead: who died in it; none of them did it.
        hit: who died or lost a guard marker.
        closed: everybody else who lived before was left alive, so cannot die (WM-12).
    """
    fallen, struck = set(dead), set(hit)
    board = before.board
    if closed and not all(
        bool(before.unkillable(who))
        for who in board.cards
        if who not in struck and board.alive(who) == YES
    ):
        return None
    for view in (before, after):
        for holding, _ in killers_of_all(view):
            if view.shielded() != YES and holding.holder not in fallen:
                return holding
    return None


def kill_all_moves(view: ScriptView, at: At) -> Iterator[Move]:
    """Yield what killing everybody shows on a known board: one blow on each who lives."""
    for holding, truth in killers_of_all(view):
        shows = []
        for who in view.board.cards:
            if view.board.alive(who):
                outcomes = kill_outcomes(view, at, who)
                outcome = next((one for one in outcomes if one.truth == YES), outcomes[0])
                if outcome.shows is not None:
                    shows.append(outcome.shows)
        yield Move(holding.ability.id, holding.holder, tuple(shows), truth)


# The Protagonists ----------------------------------------------------------------------


def kills_protagonists(before: ScriptView, after: ScriptView, gone: Collection[str] = ()) -> int:
    """Judge "the Protagonists may be, or had to be, killed in this night" (D-12, G-15).

    Optional abilities only ever may, and only of those who have not died tonight (D-08); a
    mandatory one has to where its holder lives before and after the night (MC-06). The
    condition may hold at any moment of the night (D-09).
    """
    truth = NO
    for holding in before.world.holdings(Timing.NIGHT):
        fallen = holding.holder in gone and not holding.ability.mandatory
        if isinstance(holding.ability.does, KillProtagonists) and not fallen:
            early, late = able(before, holding), able(after, holding)
            must = holding.ability.mandatory and early == YES and late == YES
            truth |= YES if must else (early | late) & MAYBE
    return truth & kleene.negate(before.shielded()) if truth else NO


def deadly_night(view: ScriptView, at_incident: Board) -> int:
    """Judge "today's incident kills the Protagonists when the day is over" (HS-04).

    Args:
        view: the moment of the night.
        at_incident: the board on which the incident occurred.
    """
    truth = NO
    for number in view.sheet.incidents_on(view.board.day):
        incident = view.rules.incidents[view.sheet.incidents[number].incident]
        for part in incident.parts:
            if isinstance(part, DeadlyNight):
                occurred = view.board.occurred.get(view.board.day, NO)
                truth |= occurred & enough_bodies(view.on(at_incident), part)
    for part in _borrowed_today(view):
        truth |= enough_bodies(view, part) & MAYBE
    return truth & kleene.negate(view.shielded()) if truth else NO


def _borrowed_today(view: ScriptView) -> Iterator[DeadlyNight]:
    """Yield such effects that a card may have resolved today itself (K-A.I.)."""
    board = view.board
    today = any(
        ability.key == key and isinstance(ability.does, ResolveIncident)
        for who, key in board.used_today
        for ability in view.rules.characters[who].goodwill
    )
    for item in view.sheet.incidents if today else ():
        if (board.loop, item.day) in board.borrowed:
            for part in view.rules.incidents[item.incident].parts:
                if isinstance(part, DeadlyNight):
                    yield part


def enough_bodies(view: ScriptView, part: DeadlyNight) -> int:
    """Judge "there are enough bodies of the role whose corpses act" (HS-04)."""
    horde = corpses.horde_of(view.rules)
    return NO if horde is None else kleene.at_least(corpses.count(view, horde.role), part.n)


def protagonist_killers(view: ScriptView) -> Iterator[tuple[Holding, int]]:
    """Yield the abilities that may kill the Protagonists now, shield or not."""
    for holding in view.world.holdings(Timing.NIGHT):
        if isinstance(holding.ability.does, KillProtagonists):
            truth = able(view, holding)
            if truth:
                yield holding, truth
