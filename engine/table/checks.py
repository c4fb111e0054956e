"""Public rules that a record can break whatever the script is (log errors).

Only what is beyond doubt stands here; anything a Mastermind could have done wrong is not a
log error: no script explains it, and the ruling is named there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import kleene, records
from engine.board import Board
from engine.kleene import NO, YES
from engine.records import AnyRecord, TargetSpec
from engine.rules.model import GoodwillAbility, Rulebook
from engine.script import Sheet
from engine.words import GOODWILL_STEP, MASTERMIND, MASTERMIND_STEP

if TYPE_CHECKING:
    from engine.table.step import Problem, Step


def check_record(
    rules: Rulebook, sheet: Sheet, step: Step, number: int, record: AnyRecord
) -> Problem | None:
    """Return what is wrong with a record on the board of its step, if anything."""
    from engine.table.step import Problem

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
            return _check_use(rules, sheet, step, number, record)
        case records.Happens():
            if not sheet.incidents_on(step.day):
                return Problem(
                    number,
                    "I-19",
                    f"no incident is scheduled for day {step.day}",
                    "remove the record or correct the schedule of the sheet",
                )
        case records.PlayedCard(on=str(on)) if on in rules.characters and board.alive(on) == NO:
            return Problem(
                number,
                "C-01",
                f"{on} is not alive on the board and takes no card",
                "name the spot on which the card lay",
            )
        case records.PlayedCard(on=str(on)) if (
            on in rules.characters and rules.characters[on].echoes_location_cards
        ):
            return Problem(
                number,
                f"K-{rules.characters[on].name}",
                f"no card can lie on {on}",
                "name the location on which the card lay",
            )
        case records.PlayedCard(on=str(on), by=by) if (
            by != MASTERMIND and on in step.before.extra_cards
        ):
            return Problem(
                number,
                "MC-16",
                f"{on} carries an Extra card and takes no Protagonist card in this loop",
                "name the spot on which the card lay",
            )
        case records.Curse(source=str(source)) if (
            source not in board.curses and not board.curses_open
        ):
            return Problem(
                number,
                "HS-06",
                f"no curse lies on {source} here",
                "correct where the curse came from, or note how it came there",
            )
        case records.CardBack():
            return _check_card_back(step, number, record)
        case records.Token(on=str(), n=n) if n < 0:
            return _check_removal(step, number, record)
        case records.Shifted(source=str(source), token=token) if (
            source in board.intrigue and board.tokens(token, source) == 0
        ):
            return Problem(
                number,
                "M-04",
                f"{source} has no {token} here, so none can leave it",
                "correct the tokens noted before, or the order of the records",
            )
        case records.Shifted(source=str(source)) if step.name == GOODWILL_STEP:
            return _check_transfer(rules, sheet, step, number, record, source)
        case records.Shifted(source=str(source), token=token) if (
            step.name == MASTERMIND_STEP and step.complete and board.tokens(token, source) == 0
        ):
            return Problem(
                number,
                "M-04",
                f"{source} has no {token} in this step to pass on",
                "correct the token, or note the one that was placed",
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


def _check_removal(step: Step, number: int, record: records.Token) -> Problem | None:
    """Refuse to remove tokens that cannot be there; an order counts where it was noted."""
    from engine.table.step import Problem

    assert isinstance(record.on, str)
    count = step.after.tokens(record.token, record.on)
    if count is None:
        return None
    if not record.ordered and step.name != MASTERMIND_STEP:  # there what was placed counts first
        later = False
        for other in step.records:
            later = later or other is record
            if (
                later
                and isinstance(other, records.Token)
                and (other.on, other.token) == (record.on, record.token)
                and other.n > 0
            ):
                count += other.n
    if count >= -record.n:
        return None
    return Problem(
        number,
        "M-04",
        f"{record.on} has {count} {record.token} here, so {-record.n} cannot be removed",
        "correct the tokens noted before, or the order of the records",
    )


def _check_transfer(
    rules: Rulebook,
    sheet: Sheet,
    step: Step,
    number: int,
    record: records.Shifted,
    source: str,
) -> Problem | None:
    """Allow the Leader's transfer off a card that passes tokens once a day."""
    from engine.table.step import Problem

    character = rules.characters.get(source)
    if character is None or not character.passes_token or record.by_use:
        return None
    earlier = [
        other
        for other in step.records
        if isinstance(other, records.Shifted) and other.source == source and not other.by_use
    ]
    if earlier and earlier[0] is not record:
        text = f"only one token a day may be moved off {source}"
    elif isinstance(record.to, str) and not _near(sheet, step, record.to, source):
        text = f"{record.to} is not where {source} stands"
    elif step.before.tokens(record.token, source) == 0 and not _gains(step, record.token, source):
        text = f"{source} has no {record.token} to move"
    else:
        return None
    return Problem(
        number, f"K-{character.name}", text, "correct the transfer, or remove the record"
    )


def _gains(step: Step, token: str, on: str) -> bool:
    """Tell whether a card may get such a token within the step, in whatever order."""
    return any(
        (
            isinstance(other, records.Token)
            and other.token == token
            and other.n > 0
            and (not isinstance(other.on, str) or other.on == on)
        )
        or (
            isinstance(other, records.Shifted)
            and other.token == token
            and (not isinstance(other.to, str) or other.to == on)
        )
        for other in step.records
    )


def _near(sheet: Sheet, step: Step, who: str, other: str) -> bool:
    """Tell whether two cards may be together; a turf may be read as a place too (P-10)."""
    places = {*step.after.possible_places(who), sheet.turf.get(who)}
    return bool(places & set(step.after.possible_places(other)))


def _check_card_back(step: Step, number: int, record: records.CardBack) -> Problem | None:
    from engine.table.step import Problem

    board = step.after
    if board.leader is not None and record.deck != board.leader:
        text = f"deck {record.deck} is not the Leader's (deck {board.leader})"
    elif record.card not in board.spent.get(record.deck, ()) and (
        record.deck not in board.spent_open
    ):
        text = f"{record.card} of deck {record.deck} was not spent in this loop"
    else:
        return None
    return Problem(number, "C-10", text, "name a spent card of the Leader, or correct the Leader")


def target_fault(
    rules: Rulebook,
    sheet: Sheet,
    board: Board,
    record: records.Use,
    ability: GoodwillAbility,
) -> str | None:
    """Return why the declared target cannot be chosen on this board, if so (G-02).

    Unknown values and points on which prints differ speak for the use.
    """
    target = ability.target
    match target.kind:
        case "character" | "character_or_location" | "corpse":
            name: object = record.target
            if isinstance(name, TargetSpec):
                name = name.character
            if not isinstance(name, str) or not isinstance(record.who, str):
                return None
            if name in board.intrigue:
                return _place_fault(rules, board, record.who, name, ability)
            if name not in rules.characters:
                return f"{name} is not a character"
            return _card_fault(rules, sheet, board, record.who, name, ability)
        case "two_characters":
            return _pair_fault(board, record, ability)
        case "incident":
            day = record.target.day if isinstance(record.target, TargetSpec) else None
            if day is None:
                return None
            if not sheet.incidents_on(day):
                return f"no incident is scheduled for day {day}"
            if target.where == "occurred" and board.occurred.get(day, NO) == NO:
                return f"the incident of day {day} has not occurred in this loop"
        case "subplot":
            if isinstance(record.target, str) and record.target not in {
                plot.id for plot in rules.subplots()
            }:
                return f"{record.target} is no subplot of this set"
        case "card":
            if (
                board.leader is not None
                and board.leader not in board.spent_open
                and not board.spent.get(board.leader)
            ):
                return f"the Leader (deck {board.leader}) has no spent card"
        case _:
            pass
    return None


def _pair_fault(board: Board, record: records.Use, ability: GoodwillAbility) -> str | None:
    """Return why a token cannot go from one card to the other: both are others here."""
    target = record.target
    if not isinstance(target, TargetSpec) or not isinstance(record.who, str):
        return None
    for name in (target.source, target.to):
        if not isinstance(name, str):
            continue
        if name == record.who and ability.target.other == YES:
            return f"{record.who} cannot choose itself"
        if board.alive(name) == NO:
            return f"{name} is not alive on the board"
        if not set(board.possible_places(name)) & set(board.possible_places(record.who)):
            return f"{name} is not where {record.who} stands"
    return None


def _place_fault(
    rules: Rulebook, board: Board, who: str, place: str, ability: GoodwillAbility
) -> str | None:
    if ability.target.kind == "corpse":
        if not rules.victims or board.intrigue[place] == 0:
            return f"no corpse lies at {place} but cards"
        if ability.target.where == "here" and board.is_at(who, place) == NO:
            return f"{who} does not stand at {place}"
    if ability.target.kind == "character_or_location" and board.is_at(who, place) == NO:
        return f"{who} does not stand at {place}"
    return None


def _card_fault(
    rules: Rulebook,
    sheet: Sheet,
    board: Board,
    who: str,
    name: str,
    ability: GoodwillAbility,
) -> str | None:
    target = ability.target
    if target.kind == "corpse":
        if board.dead(name) == NO:
            return f"{name} is no corpse"
    elif board.alive(name) == NO:
        return f"{name} is not alive on the board"
    if name == who and target.other == YES:
        return f"{who} cannot choose itself"
    if target.character is not None and name != target.character:
        return f"only {target.character} can be chosen"
    if target.trait is not None and target.trait not in rules.characters[name].traits:
        return f"{name} is no {target.trait}"
    place = sheet.turf.get(who) if target.where == "turf" else None
    if place is not None and board.is_at(name, place) == NO:
        return f"{name} is not at {place}"
    if target.where == "here" and not set(board.possible_places(name)) & set(
        board.possible_places(who)
    ):
        return f"{name} is not where {who} stands"
    if target.panicked:
        span = kleene.span_of(board.unease(name))
        if kleene.at_least(span, rules.characters[name].limit) == NO:
            return f"{name} is below its Unease limit"
    if target.has is not None and board.tokens(target.has, name) == 0:
        return f"{name} has no {target.has}"
    return None


def ability_of(rules: Rulebook, record: records.Use) -> GoodwillAbility | None:
    """Return the Goodwill ability that a use names, ``None`` if the card has no such one."""
    character = rules.characters.get(record.who) if isinstance(record.who, str) else None
    if character is None:
        return None
    return next((item for item in character.goodwill if item.key == record.key), None)


def _check_use(
    rules: Rulebook, sheet: Sheet, step: Step, number: int, record: records.Use
) -> Problem | None:
    from engine.table.step import Problem

    who = record.who
    if not isinstance(who, str):
        return None
    ability = ability_of(rules, record)
    if ability is None:
        known = ", ".join(item.key for item in rules.characters[who].goodwill) or "none"
        return Problem(
            number,
            "G-01",
            f"{who} has no Goodwill ability {record.key}",
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
    ) + sum(
        1
        for other in step.records
        if isinstance(other, records.Shifted) and other.token == "goodwill" and other.to == who
    )
    low, high = kleene.span_of(step.before.goodwill(who))
    if kleene.at_least((low + gained, high + gained), ability.goodwill) == NO:
        return Problem(
            number,
            "G-02",
            f"{who} has fewer than {ability.goodwill} Goodwill",
            "correct the Goodwill noted before, or remove the use",
        )
    if board.alive(who) == NO and step.before.alive(who) == NO:
        return Problem(number, "G-02", f"{who} is not alive on the board", "remove the use")
    if step.loop < ability.from_loop:
        return Problem(
            number,
            ability.rulings[0],
            f"this ability may be used from loop {ability.from_loop} on",
            "correct the loop or remove the use",
        )
    spent_today = (who, record.key) in board.used_today
    spent_loop = ability.once_per_loop and record.key in board.used.get(who, ())
    if spent_today or spent_loop:
        often = "loop" if spent_loop else "day"
        return Problem(
            number,
            "G-03",
            f"{who} has used this ability already (once a {often})",
            "remove one of the uses, or correct its day",
        )
    if ability.only_at and all(
        board.is_at(who, place) == NO and step.before.is_at(who, place) == NO
        for place in ability.only_at
    ):
        return Problem(
            number,
            "G-02",
            f"{who} can use this only at {' or '.join(ability.only_at)}",
            "correct where the card stands, or remove the use",
        )
    wrong = target_fault(rules, sheet, board, record, ability)
    if wrong is None or target_fault(rules, sheet, step.before, record, ability) is None:
        return None
    return Problem(number, "G-02", wrong, "correct the target or the board, or remove the use")
