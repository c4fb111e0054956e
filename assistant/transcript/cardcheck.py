"""Checks of the cards that were laid: how many, where, and how often in a loop (C-01, C-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from assistant.transcript.errors import AgainstTheRules, JsonPath, TableError
from assistant.transcript.vocabulary import Vocabulary
from engine import records
from engine.records import AnyRecord, PlayedCard, Transcript
from engine.rules.model import TakeBackCard
from engine.words import (
    CARDS,
    DECKS,
    GOODWILL_STEP,
    MASTERMIND,
    MASTERMIND_HAND,
    ONCE_PER_LOOP,
    PROTAGONIST_HAND,
    STEP_ORDER,
)

Numbered = tuple[int, AnyRecord]
"""A record with its number in the transcript, from 0."""


def card_problems(transcript: Transcript, words: Vocabulary) -> Iterator[TableError]:
    """Yield what is wrong with the cards of the whole game; doubtful records do not count."""
    steps: dict[tuple[int, int, str], list[Numbered]] = {}
    for number, record in enumerate(transcript.records):
        steps.setdefault(record.at, []).append((number, record))
    for at, numbered in steps.items():
        if at[2] == CARDS:
            yield from _day_problems(numbered)
    yield from _loop_problems(transcript, words, steps)


def _day_problems(numbered: Sequence[Numbered]) -> Iterator[TableError]:
    """Yield breaches of C-01 in one card step."""
    played = Counter[str]()
    faces = Counter[tuple[str, str]]()
    # Protagonists share the rule "one card a spot" among them, the Mastermind has his own.
    spots: dict[tuple[bool, str], str] = {}
    results: set[str] = set()
    for number, record in numbered:
        path: JsonPath = ("records", number)
        if record.doubt:
            continue
        if isinstance(record, records.CardResult) and isinstance(record.on, str):
            if record.on in results:
                yield _twice(f"a second card result for {record.on!r}", path)
            results.add(record.on)
        if not isinstance(record, PlayedCard):
            continue
        by, on = record.by, record.on
        played[by] += 1
        most = 3 if by == MASTERMIND else 1
        if played[by] == most + 1:
            yield AgainstTheRules(
                f"{by!r} lays card number {most + 1} of the day",
                expected=f"at most {most}",
                remedy="Delete a card, or correct whose it is.",
                rule="C-01",
                path=(*path, "by"),
            )
        if isinstance(on, str):
            side = (by == MASTERMIND, on)
            if side in spots:
                yield AgainstTheRules(
                    f"{by!r} lays a card on {on!r}, where {spots[side]!r} has laid one",
                    expected="one card of a side on each spot",
                    remedy="Correct one of the two spots.",
                    rule="C-01",
                    path=(*path, "on"),
                )
            spots.setdefault(side, by)
        if record.card is not None:
            faces[by, record.card] += 1
            hand = MASTERMIND_HAND if by == MASTERMIND else PROTAGONIST_HAND
            if faces[by, record.card] == hand.get(record.card, 99) + 1 and most > 1:
                yield AgainstTheRules(
                    f"{by!r} has only {hand[record.card]} of {record.card!r}",
                    remedy="Correct one of the faces.",
                    rule="C-01",
                    path=(*path, "card"),
                )


def _loop_problems(
    transcript: Transcript,
    words: Vocabulary,
    steps: dict[tuple[int, int, str], list[Numbered]],
) -> Iterator[TableError]:
    """Yield once-per-loop cards that come again (C-10)."""
    can_come_back = any(
        isinstance(ability.does, TakeBackCard)
        for who in words.characters
        if who in words.rules.characters
        for ability in words.rules.characters[who].goodwill
    )
    spent: dict[str, set[str]] = {deck: set() for deck in (MASTERMIND, *DECKS)}
    loop, unwatched = 0, 1
    if transcript.start is not None:
        loop, unwatched, step = transcript.start.at
        unwatched += STEP_ORDER[step] > STEP_ORDER[GOODWILL_STEP]
        _count(spent, transcript.start.board)
        for path in transcript.start.unknown:
            section, _, deck = path.partition(".")
            if section == "spent":
                for name in (deck,) if deck else tuple(spent):
                    spent[name].clear()
    for at, numbered in steps.items():
        if at[0] != loop:
            loop, unwatched = at[0], 1
            for faces in spent.values():
                faces.clear()
        if at[2] == CARDS:
            # A return may have gone unnoted in a goodwill step that is not closed.
            goodwill = (
                steps.get((loop, day, GOODWILL_STEP), ()) for day in range(unwatched, at[1])
            )
            if can_come_back and not all(map(_closed, goodwill)):
                for deck in DECKS:
                    spent[deck].clear()
            unwatched = at[1]
        for number, record in numbered:
            match record:
                case PlayedCard(doubt=False, card=str(card)) if card in ONCE_PER_LOOP[record.by]:
                    if card in spent[record.by]:
                        yield AgainstTheRules(
                            f"{record.by!r} lays {card!r} a second time in loop {loop}",
                            expected="it to stay out for the loop",
                            remedy="Correct the card, or note before it how it came back.",
                            rule="C-10",
                            path=("records", number, "card"),
                        )
                    spent[record.by].add(card)
                case records.CardBack():
                    spent[record.deck].discard(record.card)
                case records.Recount():
                    _count(spent, record.board)
                case _:
                    pass


def _count(spent: dict[str, set[str]], board: dict[str, object]) -> None:
    """Take over the spent cards of a board that was set or counted."""
    given = board.get("spent", {})
    for deck, faces in spent.items():
        if not isinstance(given, dict):
            faces.clear()  # null: unknown
        elif deck in given:
            faces.clear()
            faces.update(given[deck] or ())


def _closed(numbered: Sequence[Numbered]) -> bool:
    """Tell whether the step is noted completely."""
    everything = [record for _, record in numbered]
    return (
        any(isinstance(record, records.Complete) for record in everything)
        and not any(record.doubt for record in everything)
        and not any(isinstance(record, records.Partial) for record in everything)
    )


def _twice(what: str, path: JsonPath) -> TableError:
    return AgainstTheRules(
        f"this is {what} in the step", remedy="Delete one of the two.", path=path
    )
