"""The ids that notation lines know: short forms, and unambiguous beginnings of ids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from assistant.transcript.errors import Ambiguous, Malformed, choices, did_you_mean, one_of
from assistant.transcript.lexer import Token
from engine.rules.model import Rulebook
from engine.words import (
    ALL_TOKENS,
    CARD_DIRECTION,
    CARD_TOKENS,
    DECKS,
    LOCATIONS,
    MASTERMIND,
    MASTERMIND_HAND,
    PROTAGONIST_HAND,
    STEPS,
)

RESERVED: Final = frozenset(
    {
        *("someone", "one", "of", "none", "nobody", "declined"),
        *("from", "off", "by", "asked", "choose", "card", "day", "then", "until"),
        *("deaths", "chooses", "culprit", "subplot", "same_role", "alive", "dead"),
        *("unknown", "character", "location", "characters", "locations"),
        *("mm", *DECKS, *ALL_TOKENS),
    }
)
"""Words with a meaning of their own: an id that reads the same is written in quotation marks."""

MASTERMIND_SHORT: Final = "mm"
_ARTICLE: Final = re.compile(r"^(a|an|the) ")
_ID: Final = re.compile(r"[a-z][a-z0-9_]*")


def _short_faces() -> Mapping[str, str]:
    faces = {face: face for face in (*MASTERMIND_HAND, *PROTAGONIST_HAND)}
    faces |= {face: f"{token}{n:+d}" for face, (token, n) in CARD_TOKENS.items()}
    return faces | dict(CARD_DIRECTION)


SHORT_FACES: Final[Mapping[str, str]] = _short_faces()
"""Action cards and how they are written: ``intrigue+2``, ``vertical``."""

Pool = Mapping[str, str]
"""Words that may be written, and the id each stands for."""

NO_WORDS: Final[Pool] = {}


def pool(*words: Iterable[str]) -> Pool:
    """Return a pool in which each word stands for itself."""
    return {word: word for group in words for word in group}


STEP_POOL: Final = pool(STEPS)
TOKEN_POOL: Final = pool(ALL_TOKENS)
PLACE_POOL: Final = pool(LOCATIONS)
DECK_POOL: Final[Pool] = {MASTERMIND_SHORT: MASTERMIND, **pool((MASTERMIND,), DECKS)}
FACE_POOL: Final[Pool] = {
    **pool(SHORT_FACES),
    **{short: face for face, short in SHORT_FACES.items()},
}


class Pools:
    """The words that the lines of one game know.

    Attributes:
        cast: words for the cast line: all modelled characters.
        characters: who may be named in a record.
        spots: characters and locations.
        roles, incidents, plots: those of the set.
        anything: all of these, for targets and choices.
    """

    def __init__(self, rules: Rulebook | None, cast: Iterable[str]) -> None:
        self.cast = pool(rules.characters if rules else ())
        late = [who for who, card in rules.characters.items() if card.entry] if rules else []
        self.characters = pool(cast, late)
        self.spots = {**self.characters, **PLACE_POOL}
        self.roles = pool(rules.roles if rules else ())
        self.incidents = pool(rules.incidents if rules else ())
        self.plots = pool(rules.plots if rules else ())
        self.targets = {**self.spots, **self.plots}
        self.anything = {**self.targets, **TOKEN_POOL, **FACE_POOL, **self.roles, **self.incidents}


def resolve(token: Token, words: Pool, what: str) -> str:
    """Return the id that a word stands for: itself, or the only one that begins so.

    A word that nothing begins with is returned as it is; whether it is known is checked
    with the rest of the transcript.

    Args:
        token: the word.
        words: what is known there.
        what: what an id of that sort is called, with or without its article.

    Raises:
        Ambiguous: when several begin so.
        Malformed: when it cannot be an id at all.
    """
    if token.quoted:
        return token.text
    if token.text in words:
        return words[token.text]
    found = sorted({full for word, full in words.items() if word.startswith(token.text)})
    if len(found) > 1:
        raise Ambiguous(
            f"{token.text!r} could be {choices(found)}",
            expected=f"one {_noun(what)}",
            remedy="Write more letters of it.",
            line=token.line,
            column=token.column,
        )
    if not found and _ID.fullmatch(token.text) is None:
        raise Malformed(
            f"there is no {_noun(what)} {token.text!r}",
            expected=one_of(token.text, words) if words else "an id",
            remedy=did_you_mean(token.text, words),
            line=token.line,
            column=token.column,
        )
    return found[0] if found else token.text


def _noun(what: str) -> str:
    return _ARTICLE.sub("", what)


def write_id(name: str, words: Pool = NO_WORDS, *, reserved: bool = True) -> str:
    """Return how an id is written so that it is read as itself.

    Args:
        name: the id.
        words: the words that the reader knows there; none of them may complete the id.
        reserved: words of the notation itself could stand there too.
    """
    plain = _ID.fullmatch(name) is not None and not (reserved and name in RESERVED)
    if name in words:
        plain = plain and words[name] == name
    else:
        plain = plain and not any(word.startswith(name) for word in words)
    return name if plain else json.dumps(name, ensure_ascii=False)


def write_face(face: str) -> str:
    """Return how an action card is written."""
    return SHORT_FACES.get(face) or write_id(face, FACE_POOL)


def write_deck(deck: str) -> str:
    """Return how a deck is written."""
    return MASTERMIND_SHORT if deck == MASTERMIND else deck
