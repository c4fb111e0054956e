"""Public rules that a record can break whatever the script is (log errors).

Only what is beyond doubt stands here; anything a Mastermind could have done wrong is not a
log error: no script explains it, and the ruling is named there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import kleene, records
from engine.kleene import NO
from engine.records import AnyRecord
from engine.rules.model import GoodwillAbility, Rulebook
from engine.script import Sheet

if TYPE_CHECKING:
    from engine.table.compiled import Problem, Step


def check_record(
    rules: Rulebook, sheet: Sheet, step: Step, number: int, record: AnyRecord
) -> Problem | None:
    """Return what is wrong with a record on the board of its step, if anything."""
    from engine.table.compiled import Problem

    board = step.after
    match record:
        case records.Death(who=str(who)) | records.GuardLost(who=str(who)):
            if board.alive(who) == NO:
                return Problem(
                    number,
                    "B-06",
                    f"{who} is not alive on the board here and cannot die",
                    "remove the record, or add the record that brought the card back",
                )
        case records.Use():
            return _check_use(rules, step, number, record)
        case records.Happens():
            if not sheet.incidents_on(step.day):
                return Problem(
                    number,
                    "I-19",
                    f"no incident is scheduled for day {step.day}",
                    "remove the record or correct the schedule of the sheet",
                )
        case records.Token(on=str(on)) if on in board.cards and board.cards[on].at == "off_board":
            return Problem(
                number,
                "B-07",
                f"{on} is not on the board",
                "name another card, or add the record with which it entered",
            )
        case _:
            pass
    return None


def ability_of(rules: Rulebook, record: records.Use) -> GoodwillAbility | None:
    """Return the Goodwill ability that a use names, ``None`` if the card has no such one."""
    character = rules.characters.get(record.who)
    if character is None:
        return None
    return next((item for item in character.goodwill if item.key == record.key), None)


def _check_use(
    rules: Rulebook, step: Step, number: int, record: records.Use
) -> Problem | None:
    from engine.table.compiled import Problem

    ability = ability_of(rules, record)
    if ability is None:
        known = ", ".join(item.key for item in rules.characters[record.who].goodwill) or "none"
        return Problem(
            number,
            "G-01",
            f"{record.who} has no Goodwill ability {record.key}",
            f"its abilities are: {known}",
        )
    board = step.after
    # Tokens placed later in the same step may have come first: the order is not noted.
    gained = sum(
        other.n
        for other in step.records
        if isinstance(other, records.Token)
        and other.token == "goodwill"
        and other.n > 0
        and other.on == record.who
    )
    low, high = kleene.span_of(step.before.goodwill(record.who))
    if kleene.at_least((low + gained, high + gained), ability.goodwill) == NO:
        return Problem(
            number,
            "G-02",
            f"{record.who} has fewer than {ability.goodwill} Goodwill",
            "correct the Goodwill noted before, or remove the use",
        )
    if board.alive(record.who) == NO and step.before.alive(record.who) == NO:
        return Problem(
            number, "G-02", f"{record.who} is not alive on the board", "remove the use"
        )
    if step.loop < ability.from_loop:
        return Problem(
            number,
            ability.rulings[0],
            f"this ability may be used from loop {ability.from_loop} on",
            "correct the loop or remove the use",
        )
    spent_today = (record.who, record.key) in board.used_today
    spent_loop = ability.once_per_loop and record.key in board.used.get(record.who, ())
    if spent_today or spent_loop:
        often = "loop" if spent_loop else "day"
        return Problem(
            number,
            "G-03",
            f"{record.who} has used this ability already (once a {often})",
            "remove one of the uses, or correct its day",
        )
    if ability.only_at and all(
        board.is_at(record.who, place) == NO and step.before.is_at(record.who, place) == NO
        for place in ability.only_at
    ):
        return Problem(
            number,
            "G-02",
            f"{record.who} can use this only at {' or '.join(ability.only_at)}",
            "correct where the card stands, or remove the use",
        )
    return None


