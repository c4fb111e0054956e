"""Checks of the open sheet, the table rulings and the board of a late start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assistant.transcript.errors import (
    AgainstTheRules,
    JsonPath,
    Malformed,
    NotModelled,
    TableError,
    choices,
    did_you_mean,
)
from assistant.transcript.vocabulary import FACES, Vocabulary
from engine import special_rules
from engine.records import Start, Transcript
from engine.rules.model import LastingEffect
from engine.rulings import RULINGS
from engine.script import Sheet
from engine.words import LOCATIONS, OFF_BOARD, ONCE_PER_LOOP, STEP_ORDER

MOVEMENT_LOCKS: Final = ("cannot_move", "closed")
"""Effects of incidents on a card or on a location: nobody moves it, nobody moves there or away."""


def header_problems(transcript: Transcript, words: Vocabulary) -> Iterator[TableError]:
    """Yield what is wrong with everything but the records."""
    yield from _cast_problems(words)
    yield from _schedule_problems(words)
    yield from special_rule_problems(transcript.sheet)
    for ruling in transcript.rulings:
        yield from words.known("table ruling", ruling, RULINGS, ("rulings", ruling))
    if transcript.start is not None:
        yield from _start_problems(transcript.start, words)


def special_rule_problems(sheet: Sheet) -> Iterator[TableError]:
    """Yield an error for each special rule that is not modelled or cannot be read."""
    for index, rule in enumerate(sheet.special_rules):
        path: JsonPath = ("sheet", "special_rules", index)
        kind = str(rule.get("kind"))
        refused = special_rules.refusals([rule])
        if kind not in special_rules.MODELLED_SPECIAL_RULES:
            modelled = sorted(special_rules.MODELLED_SPECIAL_RULES)
            yield NotModelled(
                refused[0],
                expected=choices(modelled) or "no special rules",
                remedy=did_you_mean(kind, modelled) or "This game cannot be judged with it.",
                path=path,
            )
        elif refused and special_rules.is_readable(rule):
            yield NotModelled(refused[0], path=path)
        elif refused:
            yield Malformed(refused[0], path=path)


def _cast_problems(words: Vocabulary) -> Iterator[TableError]:
    rules, sheet = words.rules, words.sheet
    if not sheet.cast:
        yield Malformed("the cast is empty", expected="character ids", path=("sheet", "cast"))
    for index, who in enumerate(sheet.cast):
        path: JsonPath = ("sheet", "cast", index)
        if who in sheet.cast[:index]:
            yield Malformed(
                f"{who!r} stands twice in the cast", remedy="Delete one of the two.", path=path
            )
        if who not in rules.characters:
            yield NotModelled(
                f"the character {who!r} is not modelled",
                remedy=did_you_mean(who, rules.characters)
                or f"Modelled are {choices(rules.characters)}.",
                path=path,
            )
    if not sheet.cast_complete and not words.late:
        yield NotModelled(
            "cast_complete is false, and no character that could enter late is modelled",
            expected="true",
            rule="P-05",
            path=("sheet", "cast_complete"),
        )
    for who, place in sheet.turf.items():
        path = ("sheet", "turf", who)
        yield from words.known("location", place, LOCATIONS, path)
        yield from words.character(who, path)
        if who in rules.characters and not rules.characters[who].has_turf:
            yield AgainstTheRules(f"{who!r} has no turf", remedy="Delete it.", path=path)
    for who in sheet.cast:
        if who in rules.characters and rules.characters[who].has_turf and who not in sheet.turf:
            yield Malformed(
                f"the turf of {who!r} is missing",
                expected=choices(LOCATIONS),
                remedy=f'Add it: "turf": {{"{who}": location}}.',
                path=("sheet", "turf"),
            )


def _schedule_problems(words: Vocabulary) -> Iterator[TableError]:
    sheet = words.sheet
    for index, item in enumerate(sheet.incidents):
        path: JsonPath = ("sheet", "incidents", index)
        incidents = words.rules.incidents
        yield from words.known("incident", item.incident, incidents, (*path, "incident"))
        if item.day > sheet.days:
            yield Malformed(
                f"an incident is scheduled for day {item.day} of {sheet.days}",
                remedy="Correct the day, or the number of days.",
                path=(*path, "day"),
            )
        if item in sheet.incidents[:index]:
            # Several incidents on a day are unusual but allowed (I-19); the same twice is a slip.
            yield Malformed(
                f"{item.incident!r} stands twice on day {item.day}",
                remedy="Delete one of the two.",
                rule="I-19",
                path=path,
            )


def _start_problems(start: Start, words: Vocabulary) -> Iterator[TableError]:
    yield from moment_problems(start.at, words.sheet, ("start", "at"))
    yield from board_problems(start.board, words, ("start", "board"))
    occurred = start.board.get("occurred")
    if isinstance(occurred, list):
        for day in occurred:
            # A later incident step of this very day has not been reached either.
            if (day, STEP_ORDER["incident"]) >= (start.at[1], STEP_ORDER[start.at[2]]):
                yield AgainstTheRules(
                    f"the incident of day {day} occurred before the start on day {start.at[1]}",
                    remedy="Delete the day, or correct the start.",
                    path=("start", "board", "occurred"),
                )
    for index, unknown in enumerate(start.unknown):
        path: JsonPath = ("start", "unknown", index)
        match unknown.split("."):
            case ["characters" | "revealed" | "used" | "starts", who, *_]:
                yield from words.character(who, path)
            case ["locations", place, *_]:
                yield from words.known("location", place, LOCATIONS, path)
            case _:
                pass


def moment_problems(at: tuple[int, int, str], sheet: Sheet, path: JsonPath) -> Iterator[TableError]:
    """Yield an error unless loop and day are on the sheet."""
    loop, day, step = at
    if loop > sheet.loops:
        yield Malformed(
            f"this is loop {loop} of {sheet.loops}",
            remedy="Correct the loop, or the number of loops on the sheet.",
            path=path,
        )
    if day > sheet.days:
        yield Malformed(
            f"this is day {day} of {sheet.days}",
            remedy="Correct the day, or the number of days on the sheet.",
            path=path,
        )
    if step == "loop_start" and day != 1:
        yield Malformed(
            f"loop_start stands on day {day}", expected="day 1", remedy="Write 1.", path=path
        )


def board_problems(
    board: Mapping[str, Any], words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    """Yield unknown ids in a board, and what no board can show."""
    for who, values in (board.get("characters") or {}).items():
        here = (*path, "characters", who)
        yield from words.character(who, here)
        place = (values or {}).get("at")
        if place is not None:
            yield from words.known("place", place, (*LOCATIONS, OFF_BOARD), (*here, "at"))
    for place in board.get("locations") or {}:
        yield from words.known("location", place, LOCATIONS, (*path, "locations", place))
    for name in ("goodwill_last_loop", "extra_cards"):
        for who in board.get(name) or ():
            yield from words.character(who, (*path, name))
    for spot in board.get("curses") or ():
        yield from words.spot(spot, (*path, "curses"))
    for index, effect in enumerate(board.get("effects") or ()):
        here = (*path, "effects", index)
        yield from words.spot(effect["on"], here)
        yield from words.known("lasting effect", effect["kind"], _effect_kinds(words), here)
    for day in board.get("occurred") or ():
        if not words.sheet.incidents_on(day):
            yield no_incident(day, (*path, "occurred"))
    scheduled = {item.incident for item in words.sheet.incidents}
    for incident in board.get("occurred_before") or ():
        here = (*path, "occurred_before")
        yield from words.known("incident on the sheet", incident, scheduled, here)
    for who, role in (board.get("revealed") or {}).items():
        here = (*path, "revealed", who)
        yield from words.character(who, here)
        if role is not None:
            yield from words.known("role", role, words.rules.roles, here)
    for who, place in (board.get("starts") or {}).items():
        here = (*path, "starts", who)
        yield from words.character(who, here)
        if place is not None:
            yield from words.known("location", place, LOCATIONS, here)
    yield from _spent_problems(board, words, path)
    for who, keys in (board.get("used") or {}).items():
        here = (*path, "used", who)
        yield from words.character(who, here)
        if who in words.rules.characters:
            known = [ability.key for ability in words.rules.characters[who].goodwill]
            for key in keys or ():
                yield from words.known(f"ability of {who}", str(key), known, here)


def _effect_kinds(words: Vocabulary) -> list[str]:
    """Return the lasting effects that the set knows: those of abilities, and locks."""
    deeds = (ability.does for card in words.rules.characters.values() for ability in card.goodwill)
    kinds = {deed.kind for deed in deeds if isinstance(deed, LastingEffect)}
    return sorted({*kinds, *MOVEMENT_LOCKS})


def _spent_problems(
    board: Mapping[str, Any], words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    for deck, cards in (board.get("spent") or {}).items():
        here = (*path, "spent", deck)
        for index, card in enumerate(cards or ()):
            yield from words.known("action card", card, FACES, here)
            if card in FACES and (card not in ONCE_PER_LOOP[deck] or card in cards[:index]):
                yield AgainstTheRules(
                    f"{card!r} cannot lie spent for {deck!r}, or not twice",
                    expected=choices(sorted(ONCE_PER_LOOP[deck])),
                    remedy="Only cards that may be played once per loop stay out.",
                    rule="C-10",
                    path=here,
                )


def no_incident(day: int, path: JsonPath) -> TableError:
    """Return the error for an incident on a day without one."""
    return AgainstTheRules(
        f"no incident is scheduled for day {day}",
        remedy="Correct the day, or the incidents on the sheet.",
        path=path,
    )
