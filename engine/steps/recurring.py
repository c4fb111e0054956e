"""Effects that look beyond their step: once in a game, or all the loop (WM-13, WM-14).

Whether a void occurrence, or an effect that a card resolved itself, counts is open.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.kleene import MAYBE, NO, YES, negate
from engine.rules.model import Scent
from engine.view import ScriptView


def is_void(view: ScriptView, number: int) -> bool:
    """Tell whether the culprit of an incident is a card whose effects do nothing (I-05)."""
    culprit = view.world.culprits[number]
    character = None if culprit is None else view.rules.characters.get(culprit)
    return character is not None and character.effect_times == 0


def still_to_come(view: ScriptView, incident: str) -> int:
    """Judge "this effect has not been resolved in the game so far" (WM-13).

    Args:
        view: the moment.
        incident: id of the incident whose effect works once in a game.
    """
    board, sheet = view.board, view.sheet
    if board.occurred_before is None:
        return MAYBE
    numbers = [n for n, item in enumerate(sheet.incidents) if item.incident == incident]
    today = sheet.incidents_on(board.day)
    facts = {n: board.occurred.get(sheet.incidents[n].day, NO) for n in numbers if n not in today}
    surely = [n for n, fact in facts.items() if fact == YES]
    before = incident in board.occurred_before
    if surely or before:
        void = all(is_void(view, n) for n in surely)
        void = void and (not before or any(is_void(view, n) for n in numbers))
        return MAYBE if void else NO
    days = {sheet.incidents[n].day for n in numbers}
    open_ = any(facts.values()) or any(day in days for _, day in board.borrowed)
    return MAYBE if open_ else YES


def hunted(view: ScriptView, numbers: Iterable[int]) -> int:
    """Judge "an earlier incident of this loop makes today's deadly", the shield apart (WM-14).

    Args:
        view: the moment before the incident step.
        numbers: the incidents that occur today.
    """
    board, sheet = view.board, view.sheet
    occurring = tuple(numbers)
    if not occurring:
        return NO
    truth = NO
    for number, item in enumerate(sheet.incidents):
        parts = view.rules.incidents[item.incident].parts
        if not any(isinstance(part, Scent) for part in parts):
            continue
        if item.day != board.day and not is_void(view, number):
            truth |= board.occurred.get(item.day, NO)
        if (board.loop, item.day) in board.borrowed:
            truth |= MAYBE
    return truth & negate(view.shielded())
