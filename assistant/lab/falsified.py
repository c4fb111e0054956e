"""Games with one thing changed that a table could have noted wrongly, or been told wrongly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import msgspec

from engine import records
from engine.records import AnyRecord, Transcript
from engine.sets import RULEBOOKS
from engine.words import (
    DEAD,
    GOODWILL_STEP,
    INCIDENT_STEP,
    INTRIGUE,
    LOCATIONS,
    LOOP_END,
    LOST,
    MASTERMIND_STEP,
    REFUSED,
    WON,
)

Records = list[AnyRecord]
Falsify = Callable[[Transcript, Random], Records | None]


def falsified(told: Transcript, how: str, rng: Random) -> Transcript | None:
    """Return a game with one thing changed.

    Args:
        told: a game, noted completely.
        how: a name of ``FALSIFIED``.
        rng: which of the records, and what it says instead.

    Returns:
        The changed game, ``None`` where it holds nothing that could be changed so.
    """
    changed = FALSIFIED[how](told, rng)
    if changed is None or changed == list(told.records):
        return None
    return msgspec.structs.replace(told, records=tuple(changed))


def _replaced(listed: Records, old: AnyRecord, *new: AnyRecord) -> Records:
    return [item for record in listed for item in (new if record is old else (record,))]


def _some(told: Transcript, rng: Random, *kinds: type, steps: tuple[str, ...] = ()) -> AnyRecord:
    found = [
        record
        for record in told.records
        if isinstance(record, kinds) and (not steps or record.at[2] in steps)
    ]
    if not found:
        raise LookupError
    return rng.choice(found)


def _death_moved(told: Transcript, rng: Random) -> Records:
    death = _some(told, rng, records.Death)
    assert isinstance(death, records.Death)
    others = [who for who in told.sheet.cast if who != death.who]
    other = msgspec.structs.replace(death, who=rng.choice(others))
    return _replaced(list(told.records), death, other)


def _death_dropped(told: Transcript, rng: Random) -> Records:
    return _replaced(list(told.records), _some(told, rng, records.Death))


def _death_invented(told: Transcript, rng: Random) -> Records:
    done = _some(told, rng, records.Complete, steps=("night", INCIDENT_STEP))
    death = records.Death(at=done.at, who=rng.choice(told.sheet.cast))
    return _replaced(list(told.records), done, death, done)


def _token_added(told: Transcript, rng: Random) -> Records:
    done = _some(told, rng, records.Complete, steps=(MASTERMIND_STEP,))
    on = rng.choice((*told.sheet.cast, *LOCATIONS))
    token = records.Token(at=done.at, on=on, token=INTRIGUE, n=1)
    return _replaced(list(told.records), done, token, done)


def _token_dropped(told: Transcript, rng: Random) -> Records:
    return _replaced(list(told.records), _some(told, rng, records.Token))


def _token_moved(told: Transcript, rng: Random) -> Records:
    steps = (MASTERMIND_STEP, GOODWILL_STEP, INCIDENT_STEP)
    token = _some(told, rng, records.Token, steps=steps)
    assert isinstance(token, records.Token)
    places = LOCATIONS if token.on in LOCATIONS else told.sheet.cast
    other = msgspec.structs.replace(token, on=rng.choice([on for on in places if on != token.on]))
    return _replaced(list(told.records), token, other)


def _incident_flipped(told: Transcript, rng: Random) -> Records:
    said = _some(told, rng, records.Happens)
    assert isinstance(said, records.Happens)
    other = msgspec.structs.replace(said, occurs=not said.occurs)
    kept: Records = [
        record
        for record in told.records
        if record.at != said.at or isinstance(record, records.Happens | records.Complete)
    ]
    return _replaced(kept, said, other)


def _refusal_invented(told: Transcript, rng: Random) -> Records:
    use = _some(told, rng, records.Use)
    assert isinstance(use, records.Use)
    listed: Records = list(told.records)
    where = listed.index(use)
    rest = listed[where + 1 :]
    effects = 0
    while effects < len(rest) and rest[effects].by_use:
        effects += 1
    return [
        *listed[:where],
        msgspec.structs.replace(use, outcome=REFUSED),
        *rest[effects:],
    ]


def _word_changed(told: Transcript, rng: Random) -> Records:
    over = _some(told, rng, records.LoopOver)
    assert isinstance(over, records.LoopOver)
    words = [word for word in (DEAD, LOST, WON) if word != over.word]
    if over.at[2] != LOOP_END:
        words.remove(WON)
    other = msgspec.structs.replace(over, word=rng.choice(words))
    return _replaced(list(told.records), over, other)


def _role_changed(told: Transcript, rng: Random) -> Records:
    reveals = [r for r in told.records if isinstance(r, records.Reveal) and r.role is not None]
    if not reveals:
        raise LookupError
    reveal = rng.choice(reveals)
    roles = [role for role in RULEBOOKS[told.sheet.set].roles if role != reveal.role]
    other = msgspec.structs.replace(reveal, role=rng.choice(roles))
    return _replaced(list(told.records), reveal, other)


def _or_none(falsify: Callable[[Transcript, Random], Records]) -> Falsify:
    def changed(told: Transcript, rng: Random) -> Records | None:
        try:
            return falsify(told, rng)
        except LookupError:
            return None

    return changed


FALSIFIED: Final[Mapping[str, Falsify]] = {
    "a death of somebody else": _or_none(_death_moved),
    "a death left out": _or_none(_death_dropped),
    "a death invented": _or_none(_death_invented),
    "a token added": _or_none(_token_added),
    "a token left out": _or_none(_token_dropped),
    "a token elsewhere": _or_none(_token_moved),
    "an incident turned round": _or_none(_incident_flipped),
    "a refusal invented": _or_none(_refusal_invented),
    "another word": _or_none(_word_changed),
    "another role told": _or_none(_role_changed),
}
"""Ways to change one thing in a game, by name."""
