"""The Mastermind's, the incident and the night step played forward.

Each offers the moves of its machine to the players and shows what they choose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from engine import records
from engine.kleene import YES, negate
from engine.records import AnyRecord, TargetSpec
from engine.rules.model import (
    EndLoop,
    GaugeUp,
    GoodwillAbility,
    KillAllOnce,
    KillEverybody,
    KillProtagonists,
    LeaderKills,
    MoveAnyHere,
    Part,
    ResolveIncident,
    ScatterOthers,
    Timing,
)
from engine.rulings import DEATHS_FIRST
from engine.steps import culprits, haunted, incident, knowledge, magic, mastermind, night
from engine.steps.choice import Choice, choice_of
from engine.steps.common import Move
from engine.steps.deaths import kill_outcomes, reactions
from engine.steps.incident import Strike
from engine.steps.occurred import after_occurrence
from engine.steps.recurring import hunted
from engine.steps.targets import Target
from engine.steps.trigger import incident_of, trigger
from engine.view import TODAY, Flags, ScriptView
from engine.words import DEAD, DECKS, INCIDENT_STEP, LOST, MASTERMIND_STEP, NIGHT

if TYPE_CHECKING:
    from engine.play import Play


def without_today(flags: Flags) -> Flags:
    """Return the flags that outlive the day."""
    return frozenset(flag for flag in flags if flag[0] != TODAY)


def allowed(play: Play, moves: Iterable[Move]) -> list[Move]:
    """Return the moves that every table allows, or, played leniently, all that some table does."""
    if play.lenient:
        return list(moves)
    return [move for move in moves if not move.open and move.truth == YES]


# The Mastermind's step -----------------------------------------------------------------


def mastermind_step(play: Play) -> None:
    """Let the Mastermind use abilities, mandatory ones first (M-03)."""
    play.step(MASTERMIND_STEP)
    begun = len(play.records)
    start = play.view().on(play.board.copy())
    used: set[tuple[str, str | None]] = set()
    for must in (True, False):
        while True:
            view = play.view()
            moves = [
                move
                for source in mastermind.sources(play.world)
                if source.key not in used and (source.mandatory or not must)
                for move in allowed(play, mastermind.moves(view, play.at, source))
            ]
            if must and not play.lenient:
                moves = mastermind.at_once(start, moves)
            move = play.mastermind.ability(play, moves, must=must) if moves else None
            if move is None:
                break
            used.add(move.key)
            play.take(move)
    play.records[begun:] = announced(play.records[begun:], play.announces)
    play.complete()


def announced(shown: list[AnyRecord], announces: str) -> list[AnyRecord]:
    """Return the events of the step as they are told: sorted, or net changes only.

    Where tokens came to a card and left it the order is told (M-04).
    """
    if announces == "net":
        sums: dict[tuple[object, str], int] = {}
        for record in shown:
            if isinstance(record, records.Token):
                key = (record.on, record.token)
                sums[key] = sums.get(key, 0) + record.n
        kept: list[AnyRecord] = []
        for record in shown:
            if not isinstance(record, records.Token):
                kept.append(record)
            elif n := sums.pop((record.on, record.token), 0):
                kept.append(msgspec.structs.replace(record, n=n))
        return sorted(kept, key=_placed_first)
    removed = {
        (record.on, record.token)
        for record in shown
        if isinstance(record, records.Token) and record.n < 0
    }
    removed |= {
        (record.source, record.token) for record in shown if isinstance(record, records.Shifted)
    }
    if any(
        isinstance(record, records.Token) and record.n > 0 and (record.on, record.token) in removed
        for record in shown
    ):
        return [msgspec.structs.replace(record, ordered=True) for record in shown]
    return sorted(shown, key=_order)


def _order(record: AnyRecord) -> tuple[str, ...]:
    fields = (getattr(record, name, None) for name in ("on", "who", "token", "n", "source", "to"))
    return (type(record).__name__, *(str(field) for field in fields))


def _placed_first(record: AnyRecord) -> tuple[str, ...]:
    """Sort net changes so that no token leaves a card before it came there."""
    when = "1"
    if isinstance(record, records.Token):
        when = "0" if record.n > 0 else "2"
    return (when, *_order(record))


# Deaths ----------------------------------------------------------------------------------


def after_deaths(
    play: Play, before: ScriptView, dead: Sequence[str], *, by_use: bool = False
) -> None:
    """Show what follows from deaths: tokens of partners (BT-07), roles that are told (WM-03).

    None between partners who both died.
    """
    play.fatal = play.fatal or any(before.death_is_lost(who) for who in dead)
    for (who, kind), (must, may) in reactions(before, dead, play.view()).items():
        n = may if who not in dead else must
        if n and play.board.alive(who):
            shown = records.Token(at=play.at, on=who, token=kind, n=n, by_use=by_use)  # type: ignore[arg-type]
            play.show(shown)
    magic.after_deaths(play, before, dead, by_use=by_use)


def ends_by_death(view: ScriptView, dead: Sequence[str]) -> bool:
    """Tell whether one of the dead ends the loop; an open table ruling is played as yes."""
    return any(view.death_ends_loop(who) for who in dead)


# The incident step ----------------------------------------------------------------------


def incident_step(play: Play) -> None:
    """Let today's incident occur or not, and resolve its effect."""
    play.step(INCIDENT_STEP)
    view = play.view()
    numbers = play.world.sheet.incidents_on(play.board.day)
    occurring = [number for number in numbers if play.occurs(trigger(view, number))]
    if numbers:
        play.show(records.Happens(at=play.at, occurs=bool(occurring)))
    deadly = hunted(view, occurring)
    for number in occurring:
        culprit = play.world.culprits[number]
        assert culprit is not None
        if play.over is None:
            resolve_effect(play, number, culprit, incident.effect_parts(view, number, culprit))
            after_occurrence(play, number, culprit)
    if play.over is None and deadly == YES:
        play.end(DEAD)
    play.complete()


def resolve_effect(
    play: Play, number: int, culprit: str, parts: Sequence[Part], *, leader: bool = False
) -> None:
    """Resolve the parts of an effect in order; the loop may end within (I-25).

    Args:
        play: the game.
        number: the incident on the sheet.
        culprit: who acts.
        parts: what resolves.
        leader: the Leader chooses, and all of it is the effect of a use (K-A.I.).
    """
    chosen: str | None = None
    ended = killed = False
    for part in parts:
        view = play.view()
        if isinstance(part, incident.Fatal):
            killed = bool(incident.kills_protagonists(view, part, culprit))
        elif ended:
            break
        elif isinstance(part, Strike):
            chosen = None
            if incident.strikes(view, part, number, culprit):
                killed = isinstance(part, KillAllOnce) and view.shielded() != YES
                ended = _strike_all(play, view, number, culprit, part, by_use=leader) or ended
        elif isinstance(part, LeaderKills):
            ended = _leader_kills(play, view, number, part, culprit, by_use=leader) or ended
        elif isinstance(part, GaugeUp):
            play.change_gauge(part.n)
        elif isinstance(part, EndLoop):
            # Whether and when a borrowed effect ends the loop is open (MC-19).
            play.stopped = not leader
        elif isinstance(part, ScatterOthers):
            _scatter(play, view, number, culprit, by_use=leader)
        else:
            if not leader:
                haunted.note_deadly(play, view, part)
            moves = _choices(play, view, number, part, culprit, chosen, borrowed=leader)
            moves = allowed(play, moves) or [move for move in moves if not move.open] or moves
            asked = play.protagonists.effect if leader else play.mastermind.effect
            move = moves[0] if len(moves) == 1 else asked(play, moves)
            play.take(move, by_use=leader)
            if isinstance(part, MoveAnyHere) and move.on is not None:
                play.board.hold(move.on)
            chosen = move.on
            dead = [str(r.who) for r in move.shows if isinstance(r, records.Death)]
            after_deaths(play, view, dead, by_use=leader)
            ended = ends_by_death(view, dead) or ended
        if killed:
            break
    if ended and (not killed or play.world.rulings[DEATHS_FIRST] is not False):
        play.end(LOST)
    elif killed:
        play.end(DEAD)


def _choices(
    play: Play,
    view: ScriptView,
    number: int,
    part: Part,
    culprit: str,
    chosen: str | None,
    *,
    borrowed: bool,
) -> list[Move]:
    """Return what a part may show, from wherever the culprit's incidents act (MC-11)."""
    sides = culprits.sides(view, culprit, borrowed=borrowed)
    return [
        move
        for diagonal in (sides if play.lenient else sides[:1])
        for move in incident.options(
            view, play.at, number, part, culprit, chosen=chosen, diagonal=diagonal
        )
    ]


def _strike_all(
    play: Play,
    view: ScriptView,
    number: int,
    culprit: str,
    part: Strike,
    *,
    by_use: bool,
) -> bool:
    """Kill everyone concerned at once; return whether one of the deaths ends the loop."""
    dead = []
    source = play.world.sheet.incidents[number].incident
    for who, _ in list(incident.doomed(view, part, culprit)):
        blow = play.blow(
            [
                Move(source, culprit, () if one.shows is None else (one.shows,), one.truth, who)
                for one in kill_outcomes(view, play.at, who)
            ]
        )
        if blow.shows:
            play.take(blow, by_use=by_use)
            if isinstance(blow.shows[0], records.Death):
                dead.append(who)
    after_deaths(play, view, dead, by_use=by_use)
    return ends_by_death(view, dead)


def _leader_kills(
    play: Play, view: ScriptView, number: int, part: Part, culprit: str, *, by_use: bool
) -> bool:
    """Let the Leader choose who dies; return whether that death ends the loop (WM-15)."""
    moves = incident.options(view, play.at, number, part, culprit)
    moves = allowed(play, moves) or moves
    move = moves[0] if len(moves) == 1 else play.protagonists.condemns(play, moves)
    if move.on is not None and not by_use:
        play.show(records.LeaderChooses(at=play.at, who=move.on))
    play.take(move, by_use=by_use)
    dead = [str(r.who) for r in move.shows if isinstance(r, records.Death)]
    after_deaths(play, view, dead, by_use=by_use)
    return ends_by_death(view, dead)


def _scatter(play: Play, view: ScriptView, number: int, culprit: str, *, by_use: bool) -> None:
    """Send everybody else at the culprit's location elsewhere, one by one (HS-23)."""
    for who, _ in list(incident.scattered(view, culprit)):
        moves = list(incident.ways_out(view, play.at, number, culprit, who))
        moves = allowed(play, moves) or moves
        asked = play.protagonists.effect if by_use else play.mastermind.effect
        play.take(moves[0] if len(moves) == 1 else asked(play, moves), by_use=by_use)


def resolves_incident(ability: GoodwillAbility) -> bool:
    """Tell whether an ability resolves an incident's effect (K-A.I.)."""
    return isinstance(ability.does, ResolveIncident)


def resolve_for_leader(play: Play, target: Target, who: str) -> None:
    """Resolve the effect of a scheduled incident with ``who`` as its culprit (K-A.I.)."""
    day = target.day if isinstance(target, TargetSpec) else None
    for number, item in enumerate(play.world.sheet.incidents):
        if item.day == day and play.over is None:
            view = play.view()
            times = play.rules.characters[who].effect_times
            parts = incident_of(view, number).parts * times
            resolve_effect(play, number, who, parts, leader=True)


# The night -------------------------------------------------------------------------------


def switch_leader(play: Play) -> None:
    """Hand the Leader card on (step 8); with one person there is nobody to hand it to."""
    players = play.world.sheet.players
    if players > 1:
        play.leader = DECKS[(DECKS.index(play.leader) + 1) % players]
        play.show(records.Leader(at=play.at, deck=play.leader))  # type: ignore[arg-type]


def night_step(play: Play) -> None:
    """Play the night: the mandatory batch on one snapshot, then optional abilities (D-01)."""
    play.step(NIGHT)
    switch_leader(play)
    before = play.view().on(play.board.copy())
    cursed = haunted.curse_step(play)
    after_deaths(play, before, cursed)
    if ends_by_death(before, cursed):
        play.end(LOST)
    else:
        _batch(play)
    used: set[tuple[str, str | None]] = set()
    while play.over is None:
        view = play.view()
        moves = optional_moves(view, play, used)
        move = play.mastermind.night(play, moves) if moves else None
        if move is None:
            break
        used.add(move.key)
        carry_out(play, view, move)
    haunted.day_is_over(play)
    magic.madness(play)
    play.complete()


def _batch(play: Play) -> None:
    before = play.view().on(play.board.copy())
    blows: dict[str, Move] = {}
    killed = False
    for holding in night.killers(before, mandatory=True):
        moves = allowed(play, night.kill_moves(before, play.at, holding))
        if moves:
            victims = {move.on for move in moves}
            move = moves[0] if len(victims) == 1 else play.mastermind.strikes(play, moves)
            play.choices.append(choice_of(play.at, move, early=True))
            if move.flag is not None:
                play.flags |= {move.flag}
            assert move.on is not None
            if move.shows:
                blows.setdefault(move.on, move)
    for holding, truth in night.protagonist_killers(before):
        if holding.ability.mandatory and truth & negate(before.shielded()) == YES:
            killed = True
            play.choices.append(Choice(play.at, holding.ability.id, holding.holder, early=True))
    dead = []
    for who, move in blows.items():
        play.show(*move.shows)
        if isinstance(move.shows[0], records.Death):
            dead.append(who)
    after_deaths(play, before, dead)
    rise, _ = knowledge.raising_deaths(before, dead, ())
    if rise:
        play.change_gauge(rise)
    if ends_by_death(before, dead):
        play.end(LOST)
    elif killed:
        play.end(DEAD)


def optional_moves(view: ScriptView, play: Play, used: set[tuple[str, str | None]]) -> list[Move]:
    """Return the optional abilities of the night that may be used now (D-08, D-10)."""
    found = [
        move
        for holding in night.killers(view, mandatory=False)
        if holding.key not in used
        for move in allowed(play, night.kill_moves(view, play.at, holding))
    ]
    found += [
        move
        for move in night.kill_all_moves(view, play.at)
        if move.key not in used and move.truth == YES
    ]
    found += haunted.corpse_moves(play, used)
    if view.shielded() != YES:
        found += [
            Move(holding.ability.id, holding.holder)
            for holding, truth in night.protagonist_killers(view)
            if not holding.ability.mandatory and truth == YES and holding.key not in used
        ]
    return found


def kills_protagonists(play: Play, move: Move, *deeds: type) -> bool:
    """Tell whether a move of the night does one of these deeds (the Protagonists die of them)."""
    return any(
        holding.ability.id == move.source and isinstance(holding.ability.does, deeds)
        for holding in play.world.holdings(Timing.NIGHT)
    )


def carry_out(play: Play, view: ScriptView, move: Move) -> None:
    """Carry out an optional ability of the night, and end the loop if it does that."""
    play.take(move)
    if kills_protagonists(play, move, KillProtagonists):
        play.end(DEAD)
        return
    dead = [str(r.who) for r in move.shows if isinstance(r, records.Death)]
    after_deaths(play, view, dead)
    if kills_protagonists(play, move, KillEverybody) and view.shielded() != YES:
        play.end(DEAD)
    elif ends_by_death(view, dead):
        play.end(LOST)
