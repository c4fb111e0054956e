"""The gauge of knowledge played forward: what raises it, and what its spells do (WM-01, WM-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine import records
from engine.kleene import YES
from engine.players import Declared
from engine.steps import knowledge
from engine.view import ScriptView
from engine.words import DEAD

if TYPE_CHECKING:
    from engine.play import Play


def spell(play: Play) -> None:
    """Let the Leader place the Goodwill of the first spell, on the first day of a loop."""
    if play.board.day == 1 and knowledge.reached(play.rules, play.board.gauge, knowledge.SYMPATHY):
        play.show(records.Spell(at=play.at, on=play.protagonists.spell(play)))


def after_refusal(play: Play) -> None:
    """Raise the gauge: a refusal touches madness (WM-22)."""
    if knowledge.counts_knowledge(play.rules):
        play.change_gauge(1)


def after_use(play: Play, before: ScriptView, use: Declared, told: Sequence[object]) -> None:
    """Do what follows a use that was not refused (WM-10).

    Args:
        play: the game.
        before: the moment at which it was declared.
        use: the use.
        told: the records that it has shown already.
    """
    if play.over is not None or not knowledge.counts_knowledge(play.rules):
        return
    role, truth = knowledge.tells_itself(before, use.who)
    if role is None or truth != YES or not play.board.alive(use.who):
        return
    if not any(
        isinstance(record, records.Reveal) and (record.role_of, record.role) == (use.who, role)
        for record in told
    ):
        play.show(records.Reveal(at=play.at, role_of=use.who, role=role, by_use=True))
    play.change_gauge(int(play.protagonists.raises_gauge(play)))


def after_deaths(play: Play, before: ScriptView, dead: Sequence[str], *, by_use: bool) -> None:
    """Tell the roles that their holders' deaths tell; not where one of them ends the loop."""
    if any(before.death_ends_loop(who) for who in dead):
        return
    for who, role, truth in knowledge.told_by_death(before, dead):
        if truth == YES:
            play.show(records.Reveal(at=play.at, role_of=who, role=role, by_use=by_use))
            play.change_gauge(1)


def madness(play: Play) -> None:
    """Kill the Protagonists when everything else of a day is over, once they know too much."""
    mad = knowledge.is_mad(play.rules, play.board)
    if play.over is None and mad and play.view().shielded() != YES:
        play.end(DEAD)


def reminiscence(play: Play) -> None:
    """Tell the first subplot at a loop end (L-11)."""
    if knowledge.reached(play.rules, play.board.gauge, knowledge.REMINISCENCE):
        first = play.world.script.subplots[0]
        play.show(records.Reveal(at=play.at, subplot=first))
