"""Which ids a transcript may use: those of its set and of its own sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from assistant.transcript.errors import (
    JsonPath,
    Malformed,
    NotModelled,
    TableError,
    choices,
    did_you_mean,
    one_of,
)
from engine import special_rules
from engine.records import Start, Unsure, Who
from engine.rules.model import Rulebook
from engine.script import Sheet
from engine.words import LOCATIONS, MASTERMIND_HAND, PROTAGONIST_HAND

FACES: Final = tuple(dict.fromkeys((*MASTERMIND_HAND, *PROTAGONIST_HAND)))
"""All action cards."""


class Vocabulary:
    """The ids that records of one sheet may use.

    Attributes:
        rules: the tragedy set.
        sheet: the open sheet.
        late: late characters that could still enter, or have before a late start.
        characters: who can be named in a record: the cast, and the late ones.
        hand: the Mastermind's cards, each with its number.
        final_guess: whether a Final Guess follows.
    """

    def __init__(self, rules: Rulebook, sheet: Sheet, start: Start | None = None) -> None:
        self.rules = rules
        self.sheet = sheet
        there = start.board.get("characters") if start is not None else None
        self.late = tuple(
            who
            for who, card in rules.characters.items()
            if card.entry is not None
            and who not in sheet.cast
            and (not sheet.cast_complete or (isinstance(there, dict) and who in there))
        )
        self.characters = (*sheet.cast, *self.late)
        readable = [rule for rule in sheet.special_rules if special_rules.is_readable(rule)]
        self.hand: Mapping[str, int] = special_rules.hand_of_mastermind(readable)
        self.final_guess = special_rules.has_final_guess(rules, readable)

    def known(
        self, what: str, word: str, words: Collection[str], path: JsonPath
    ) -> Iterator[TableError]:
        """Yield an error unless ``word`` is one of ``words``; ``what`` names the kind of id."""
        if word not in words:
            yield Malformed(
                f"there is no {what} {word!r}",
                expected=one_of(word, words),
                remedy=did_you_mean(word, words),
                path=path,
            )

    def character(self, value: Who | None, path: JsonPath) -> Iterator[TableError]:
        """Yield errors unless the value names a character, or what is known of one."""
        match value:
            case str() if value in self.characters:
                pass
            case str():
                yield self._stranger(value, path)
            case Unsure(one_of=tuple() as several):
                for who in several:
                    yield from self.character(who, path)
            case Unsure(somebody_at=str() as place):
                yield from self.known("location", place, LOCATIONS, path)
            case _:
                pass

    def location(self, value: Who | None, path: JsonPath) -> Iterator[TableError]:
        """Yield errors unless the value names a location, or one of several."""
        match value:
            case str():
                yield from self.known("location", value, LOCATIONS, path)
            case Unsure(one_of=tuple() as several):
                for place in several:
                    yield from self.known("location", place, LOCATIONS, path)
            case Unsure():
                yield Malformed(
                    "somebody_at stands for a character, and a location is asked for here",
                    expected='a location or {"one_of": [locations]}',
                    path=path,
                )
            case _:
                pass

    def spot(self, value: Who | None, path: JsonPath) -> Iterator[TableError]:
        """Yield errors unless the value names a character or location, or what is known of it."""
        match value:
            case str() if value in LOCATIONS:
                pass
            case Unsure(one_of=tuple() as several):
                for one in several:
                    yield from self.spot(one, path)
            case _:
                yield from self.character(value, path)

    def _stranger(self, who: str, path: JsonPath) -> TableError:
        if who in self.rules.characters:
            could_enter = self.rules.characters[who].entry is not None
            remedy = (
                "Say cast_complete: false if it could still enter."
                if could_enter
                else "Add it to the cast, or name another card."
            )
            return Malformed(
                f"{who!r} is not on the table",
                expected=choices(self.characters),
                remedy=remedy,
                path=path,
            )
        near = did_you_mean(who, (*self.characters, *LOCATIONS))
        expected = one_of(who, self.characters)
        return Malformed(
            f"there is no character {who!r} on the table", expected=expected, remedy=near, path=path
        )


def modelled_set(rulebooks: Mapping[str, Rulebook], name: str, path: JsonPath) -> Rulebook:
    """Return the set of that id.

    Raises:
        NotModelled: when it is unknown or not modelled.
    """
    if name in rulebooks:
        return rulebooks[name]
    raise NotModelled(
        f"the tragedy set {name!r} is not modelled",
        expected=choices(rulebooks),
        remedy=did_you_mean(name, rulebooks),
        path=path,
    )
