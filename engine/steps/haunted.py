"""Curses, corpses that walk and nights that kill, played forward (HS-04, HS-06, HS-08, HS-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import records
from engine.board import Board
from engine.kleene import NO, YES
from engine.rules.model import DeadlyNight, Part
from engine.steps import corpses, curses, night
from engine.steps.common import Move
from engine.steps.curses import CURSE
from engine.steps.deaths import kill_outcomes
from engine.view import ScriptView
from engine.words import DEAD

if TYPE_CHECKING:
    from engine.play import Play


def start_curses(play: Play) -> None:
    """Let the Mastermind place curses at a loop start, each plot one (HS-08)."""
    used: set[tuple[str, str | None]] = set()
    while True:
        plots = {ability for ability, _ in used}
        moves = [
            move
            for move in curses.start_moves(play.view(), play.at)
            if move.key not in used and (play.lenient or move.source not in plots)
        ]
        move = play.mastermind.ability(play, moves, must=False) if moves else None
        if move is None:
            return
        used.add(move.key)
        play.take(move)


def curse_step(play: Play) -> list[str]:
    """Let the curses do what they do before all else; return who died of them (HS-06)."""
    before = play.view().on(play.board.copy())
    for place, number in curses.on_places(before.board).items():
        for _ in range(number):
            moves = list(curses.attachments(before, play.at, place))
            if moves:
                play.take(moves[0] if len(moves) == 1 else play.mastermind.strikes(play, moves))
    dead = []
    for who in curses.carried(before.board):
        if before.board.alive(who) == YES:
            outcomes = kill_outcomes(before, play.at, who)
            outcome = next((one for one in outcomes if one.truth == YES), outcomes[0])
            if outcome.shows is not None:
                play.take(Move(CURSE, None, (outcome.shows,), YES, who))
                if isinstance(outcome.shows, records.Death):
                    dead.append(who)
    if not any(before.death_ends_loop(who) for who in dead):
        for move in list(curses.drops(play.view(), play.at, before.board)):
            play.take(move)
    return dead


def corpse_moves(play: Play, used: set[tuple[str, str | None]]) -> list[Move]:
    """Return how one corpse may still walk tonight."""
    return [
        move
        for move in corpses.steps(play.view(), play.at)
        if move.key not in used and (play.lenient or (move.truth == YES and not move.open))
    ]


def note_deadly(play: Play, view: ScriptView, part: Part) -> None:
    """Remember an incident that kills the Protagonists when the day is over."""
    if isinstance(part, DeadlyNight) and night.enough_bodies(view, part) == YES:
        play.deadly_night = True


def day_is_over(play: Play) -> None:
    """Kill the Protagonists if today's incident said so, and nothing shields them."""
    if play.over is None and play.deadly_night and play.view().shielded() != YES:
        play.end(DEAD)
    play.deadly_night = False


# A course run again ------------------------------------------------------------------------


def is_legal(play: Play, before: Board, move: Move) -> bool:
    """Tell whether a move of a curse, told by a course, is one that some table allows."""
    shown = move.shows[0]
    if not isinstance(shown, records.Curse):
        who = str(getattr(shown, "who", ""))
        cursed = who in curses.carried(play.board)
        outcomes = kill_outcomes(play.view(), play.at, who)
        return cursed and any(outcome.shows == shown for outcome in outcomes)
    source, on = str(shown.source), str(shown.on)
    if source not in play.board.curses:
        return False
    if source in before.intrigue:
        return before.lives_at(on, source) != NO
    fell = play.board.alive(source) != YES or bool(play.view().unkillable(source))
    guarded = (before.tokens("guard", source) or 0) > (play.board.tokens("guard", source) or 0)
    return play.board.is_at(source, on) != NO and (fell or guarded)
