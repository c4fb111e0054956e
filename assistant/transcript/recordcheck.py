"""Checks of single records: their ids, and what a record of its kind can say at all."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.transcript.errors import (
    AgainstTheRules,
    JsonPath,
    Malformed,
    TableError,
    choices,
    did_you_mean,
)
from assistant.transcript.sheetcheck import board_problems, no_incident
from assistant.transcript.vocabulary import FACES, Vocabulary
from engine import records
from engine.records import AnyRecord, TargetSpec
from engine.words import (
    ALL_TOKENS,
    DECKS,
    INTRIGUE,
    LOCATIONS,
    LOOP_END,
    MASTERMIND,
    MASTERMIND_HAND,
    ONCE_PER_LOOP,
    PROTAGONIST_HAND,
    WON,
)


def record_problems(record: AnyRecord, words: Vocabulary, path: JsonPath) -> Iterator[TableError]:
    """Yield what is wrong with one record by itself."""
    yield from _id_problems(record, words, path)
    yield from _sense_problems(record, words, path)


def _id_problems(record: AnyRecord, words: Vocabulary, path: JsonPath) -> Iterator[TableError]:
    """Yield ids that nobody knows, or that are of the wrong sort."""
    match record:
        case records.Placed() | records.Enters():
            yield from words.character(record.who, (*path, "who"))
            yield from words.location(record.where, (*path, "where"))
        case records.Token():
            yield from words.spot(record.on, (*path, "on"))
            yield from words.character(record.by, (*path, "by"))
        case records.Curse():
            yield from words.spot(record.on, (*path, "on"))
            yield from words.spot(record.source, (*path, "from"))
        case records.ExtraCard() | records.Spell():
            yield from words.character(record.on, (*path, "on"))
        case records.PlayedCard():
            yield from words.spot(record.on, (*path, "on"))
        case records.CardResult():
            yield from words.spot(record.on, (*path, "on"))
            yield from words.location(record.to, (*path, "to"))
        case records.Moved():
            yield from words.character(record.who, (*path, "who"))
            yield from words.location(record.to, (*path, "to"))
        case records.Shifted():
            yield from words.spot(record.source, (*path, "from"))
            yield from words.spot(record.to, (*path, "to"))
        case records.Use():
            yield from words.character(record.who, (*path, "who"))
            yield from _target_problems(record, words, (*path, "target"))
            yield from _choice_problems(record.choice, words, (*path, "choice"))
        case records.Reveal():
            yield from _reveal_problems(record, words, path)
        case records.LocationNamed():
            yield from words.location(record.location, (*path, "location"))
        case records.Revived():
            yield from words.spot(record.who, (*path, "who"))
        case records.LeaderChooses() | records.Death() | records.GuardLost() | records.Removed():
            yield from words.character(record.who, (*path, "who"))
        case records.Recount():
            yield from board_problems(record.board, words, (*path, "board"))
        case records.Guess():
            yield from words.character(record.who, (*path, "who"))
            yield from words.known("role", record.role, words.rules.roles, (*path, "role"))
        case _:
            pass


def _sense_problems(record: AnyRecord, words: Vocabulary, path: JsonPath) -> Iterator[TableError]:
    """Yield what no record of this kind can say in this set."""
    match record:
        case records.Enters(who=str(who)) if who in words.sheet.cast:
            yield AgainstTheRules(
                f"{who!r} is in the cast and does not enter later",
                remedy="Take it out of the cast, or delete the record.",
                rule="P-05",
                path=(*path, "who"),
            )
        case records.Token():
            yield from _location_token(record.on, record.token, path)
        case records.Gauge() if not words.rules.uses_gauge:
            yield AgainstTheRules(
                f"{words.rules.name} has no Extra Gauge",
                remedy="Delete the record, or correct the set.",
                path=path,
            )
        case records.PlayedCard():
            yield from _face_problems(record.by, record.card, words, (*path, "card"))
        case records.CardResult() if record.on in LOCATIONS:
            for name in ("goodwill", "unease", "to"):
                if getattr(record, name):
                    yield AgainstTheRules(
                        f"a card result on a location says {name!r}",
                        expected=f"only {INTRIGUE!r}",
                        rule="C-11",
                        path=(*path, name),
                    )
        case records.CardBack():
            yield from _face_problems(record.deck, record.card, words, (*path, "card"))
            if record.card in PROTAGONIST_HAND and record.card not in ONCE_PER_LOOP[record.deck]:
                yield AgainstTheRules(
                    f"{record.card!r} never stays out, so it cannot come back",
                    expected=choices(sorted(ONCE_PER_LOOP[record.deck])),
                    remedy="Correct the card, or delete the record.",
                    rule="C-10",
                    path=(*path, "card"),
                )
        case records.Shifted():
            for end in (record.source, record.to):
                yield from _location_token(end, record.token, path)
        case records.Happens() if not words.sheet.incidents_on(record.at[1]):
            yield no_incident(record.at[1], path)
        case records.LoopOver() if record.word == WON and record.at[2] != LOOP_END:
            yield AgainstTheRules(
                f"a loop cannot be {WON} in the step {record.at[2]!r}",
                expected=f"{WON!r} in {LOOP_END}, after the last day was played out",
                remedy="Move the record to loop_end, or correct its word.",
                rule="L-08",
                path=(*path, "word"),
            )
        case records.Guess() if not words.final_guess:
            yield AgainstTheRules(
                f"{words.rules.name} has no Final Guess",
                remedy="Delete the record, or correct the set.",
                rule="F-03",
                path=path,
            )
        case _:
            pass


def _location_token(on: records.Who, token: str, path: JsonPath) -> Iterator[TableError]:
    if on in LOCATIONS and token != INTRIGUE:
        yield AgainstTheRules(
            f"{token!r} cannot lie on a location",
            expected=f"{INTRIGUE!r} there, or a character",
            path=(*path, "token"),
        )


def _face_problems(
    deck: str, card: str | None, words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    if card is None:
        return
    yield from words.known("action card", card, FACES, path)
    hand = words.hand if deck == MASTERMIND else PROTAGONIST_HAND
    if card in FACES and card not in hand:
        yield AgainstTheRules(
            f"{deck!r} has no card {card!r}",
            expected=choices(hand),
            remedy=did_you_mean(card, hand),
            rule="C-13" if card in MASTERMIND_HAND and deck == MASTERMIND else "C-01",
            path=path,
        )


def _target_problems(
    record: records.Use, words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    match record.target:
        case str() as target:
            if target not in words.rules.plots:
                near = (*words.characters, *LOCATIONS, *words.rules.plots)
                if target not in near:
                    yield Malformed(
                        f"there is no target {target!r}",
                        expected="a character on the table, a location or a subplot",
                        remedy=did_you_mean(target, near),
                        path=path,
                    )
        case TargetSpec() as target:
            yield from words.character(target.character, path)
            if target.source is not None:
                yield from words.spot(target.source, path)
                yield from words.spot(target.to, path)
            else:
                yield from words.location(target.to, path)
            yield from words.spot(target.unsure or None, path)
            if target.day is not None and not words.sheet.incidents_on(target.day):
                yield no_incident(target.day, path)
            if target.card is not None:
                yield from words.known("action card", target.card, FACES, path)
        case _:
            pass


def _choice_problems(
    choice: int | str | None, words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    if isinstance(choice, str):
        rules = words.rules
        known = (*words.characters, *LOCATIONS, *ALL_TOKENS, *FACES, *DECKS)
        known = (*known, *rules.roles, *rules.plots, *rules.incidents)
        yield from words.known("choice", choice, known, path)
    elif choice is not None and abs(choice) != 1:
        yield Malformed(
            f"the choice is {choice}", expected="1, -1 or an id", remedy="Correct it.", path=path
        )


def _reveal_problems(
    record: records.Reveal, words: Vocabulary, path: JsonPath
) -> Iterator[TableError]:
    # A victim on a location is a corpse with a role, too.
    corpse = words.spot if words.rules.victims else words.character
    yield from corpse(record.role_of, (*path, "role_of"))
    if record.role is not None:
        yield from words.known("role", record.role, words.rules.roles, (*path, "role"))
    if record.culprit_of is not None and not words.sheet.incidents_on(record.culprit_of):
        yield no_incident(record.culprit_of, (*path, "culprit_of"))
    yield from words.spot(record.culprit, (*path, "culprit"))
    subplots = [plot.id for plot in words.rules.subplots()]
    for name in ("subplot", "asked"):
        plot = getattr(record, name)
        if plot is not None:
            yield from words.known("subplot", plot, subplots, (*path, name))
    yield from words.character(record.same_role_as, (*path, "same_role_as"))
    for index, who in enumerate(record.characters or ()):
        yield from words.character(who, (*path, "characters", index))
