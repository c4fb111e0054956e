"""What unnoted corpses, curses and mobs could have changed (see ``engine.table.blur``)."""

from __future__ import annotations

from engine.board import Board
from engine.kleene import MAYBE, NO
from engine.rules.model import (
    Ability,
    AttachCurse,
    Either,
    KillAllOnce,
    KillEveryoneHere,
    KillOne,
    LeaderKills,
    MoveCorpse,
    On,
    Part,
    Place,
    PlaceCurse,
    PutOnPlace,
    Rulebook,
    ScatterOthers,
    StepAway,
)


def _abilities(rules: Rulebook) -> list[Ability]:
    listed = [role.abilities for role in rules.roles.values()]
    listed += [plot.abilities for plot in rules.plots.values()]
    return [ability for several in listed for ability in several]


def _does(rules: Rulebook, *deeds: type) -> bool:
    return any(isinstance(ability.does, deeds) for ability in _abilities(rules))


def loop_start(rules: Rulebook, board: Board) -> None:
    """Doubt where curses lie that may have been placed at a loop start."""
    board.curses_open = board.curses_open or _does(rules, PlaceCurse)


def mastermind(rules: Rulebook, board: Board) -> None:
    """Doubt where runaways stand, and the victims of a plot."""
    if _does(rules, StepAway):
        for who in board.cards:
            if board.alive(who) != NO:
                board.cards[who].at = None
    for ability in _abilities(rules):
        if isinstance(ability.does, Place) and On.REFUSER_LOCATION in ability.does.on:
            forget_victims(board)


def part(board: Board, one: Part) -> None:
    """Doubt what one part of an effect could have changed."""
    match one:
        case KillEveryoneHere() | LeaderKills() | KillAllOnce() | KillOne():
            for who in board.cards:
                if board.alive(who) != NO:
                    board.cards[who].alive = MAYBE
        case PutOnPlace():
            forget_victims(board)
        case Either(first=first, second=second):
            part(board, first)
            part(board, second)
        case AttachCurse():
            board.curses_open = True
        case ScatterOthers():
            for who in board.cards:
                if board.alive(who) != NO:
                    board.cards[who].at = None
        case _:
            pass


def night(rules: Rulebook, board: Board) -> None:
    """Doubt where corpses and curses lie after a night."""
    if rules.curses and board.curses:
        board.curses_open = True
    if _does(rules, MoveCorpse):
        forget_victims(board)
        for who in board.cards:
            if board.dead(who) != NO:
                board.cards[who].at = None


def revival(rules: Rulebook, board: Board) -> None:
    """Doubt who was brought back to life, and which victims were taken away (HS-02, HS-18)."""
    if rules.victims:
        forget_victims(board)
    for who in board.cards:
        if board.dead(who) != NO and board.effect("revived", who) == NO:
            board.effects["revived", who] = (MAYBE, None)


def forget_victims(board: Board) -> None:
    """Doubt the Intrigue on every location."""
    for place in board.intrigue:
        board.intrigue[place] = None


def stretch(rules: Rulebook, board: Board) -> None:
    """Doubt all of it after an unnoted stretch."""
    board.curses_open = board.curses_open or rules.curses
    if rules.victims:
        revival(rules, board)
        for card in board.cards.values():
            card.at = None
