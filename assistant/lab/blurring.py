"""Taking knowledge away from a game, as careless tables do.

Each way keeps everything that is still noted true, so the truth must survive, and no world
that the whole record leaves may be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec import structs

from assistant.lab.boards import start_at
from engine import records
from engine.records import AnyRecord, Start, Transcript, Unsure
from engine.table import Step, Table
from engine.words import (
    ALL_TOKENS,
    GOODWILL_STEP,
    LOCATIONS,
    MASTERMIND_STEP,
    NOTHING,
    OFF_BOARD,
)

_NAMES: Final = ("who", "on", "source", "to", "where", "role_of", "culprit")
"""Fields that name a card or a location."""
_MARKS: Final = (records.Complete, records.Partial)


@dataclass(slots=True)
class _Draft:
    """A transcript in the making.

    Attributes:
        table: the whole game, compiled.
        rng: source of chance.
        records: what is noted by now.
        start: where the notes begin.
        announces: how the Mastermind tells of tokens.
    """

    table: Table
    rng: Random
    records: list[AnyRecord]
    start: Start | None = None
    announces: str = "every_token"
    done: list[str] = field(default_factory=list)

    def some(self, kinds: type | tuple[type, ...], chance: float) -> list[AnyRecord]:
        """Return some of the records of these kinds, at least one if there are any."""
        all_of_them = [record for record in self.records if isinstance(record, kinds)]
        chosen = [record for record in all_of_them if self.rng.random() < chance]
        return chosen or self.rng.sample(all_of_them, min(1, len(all_of_them)))

    def step(self, at: tuple[int, int, str]) -> Step | None:
        """Return the step of the whole game in which something was noted."""
        return next((step for step in self.table.steps if step.at == at and not step.gap), None)

    def rewrite(self, change: Callable[[AnyRecord], AnyRecord | None]) -> None:
        """Replace every record by what ``change`` makes of it; ``None`` drops it."""
        self.records = [new for record in self.records if (new := change(record)) is not None]

    def without(self, dropped: Iterable[AnyRecord]) -> None:
        """Drop records, and with each of them what says that its step is complete."""
        gone = {id(record) for record in dropped}
        steps = {record.at for record in self.records if id(record) in gone}
        self.rewrite(
            lambda record: (
                None
                if id(record) in gone
                or (isinstance(record, records.Complete) and record.at in steps)
                else record
            )
        )


def some_ways(rng: Random) -> list[str]:
    """Return the names of one to three ways of blurring, mostly one."""
    number = rng.choice((1, 1, 1, 2, 3))
    return sorted(rng.sample(sorted(WAYS), number))


def blurred(table: Table, rng: Random, ways: Iterable[str]) -> Transcript:
    """Return the game as a careless table would have noted it.

    Args:
        table: the whole game, compiled, with every step complete.
        rng: source of chance.
        ways: names of ``WAYS``; they stand in the title of the result.
    """
    chosen = list(ways)
    draft = _Draft(table, rng, list(table.transcript.records))
    for way in (way for way in WAYS if way in chosen):  # in an order that makes sense
        WAYS[way](draft)
    transcript = table.transcript
    return structs.replace(
        transcript,
        title=f"{transcript.title} ({', '.join(chosen)})".strip(),
        records=tuple(draft.records),
        start=draft.start,
        announces=draft.announces,
    )


# The ways -------------------------------------------------------------------------------


def _late(draft: _Draft) -> None:
    """Begin in the middle, with the board that lay there; some of it may be unknown."""
    steps = [step for step in draft.table.steps[1:] if not step.gap and step.numbers]
    draft.rng.shuffle(steps)
    for step in steps:
        start = start_at(step.before, step.at, draft.table.sheet)
        if start is None or step.name in ("loop_end", "time_spiral", "final_guess"):
            continue
        paths = [f"characters.{who}.{name}" for who in step.before.cards for name in ALL_TOKENS]
        paths += [f"locations.{place}" for place in LOCATIONS] + ["revealed", "occurred_before"]
        unknown = draft.rng.sample(paths, draft.rng.choice([0, 0, 1, 3]))
        draft.start = structs.replace(start, unknown=(*start.unknown, *unknown))
        first = step.numbers[0]
        draft.records = list(draft.table.transcript.records[first:])
        return


def _net(draft: _Draft) -> None:
    """Tell only what has changed in the end in the Mastermind's steps."""
    draft.announces = "net"
    totals: dict[tuple[Any, ...], int] = {}
    for record in draft.records:
        if isinstance(record, records.Token) and record.at[2] == MASTERMIND_STEP:
            key = (record.at, record.on, record.token)
            totals[key] = totals.get(key, 0) + record.n

    def change(record: AnyRecord) -> AnyRecord | None:
        if not isinstance(record, records.Token) or record.at[2] != MASTERMIND_STEP:
            return record
        n = totals.pop((record.at, record.on, record.token), 0)
        return structs.replace(record, n=n) if n else None

    draft.rewrite(change)


def _shuffle(draft: _Draft) -> None:
    """Note the records of steps in another order, where order says nothing."""
    groups: dict[tuple[int, int, str], list[AnyRecord]] = {}
    for record in draft.records:
        groups.setdefault(record.at, []).append(record)
    for at, group in groups.items():
        ordered = any(record.ordered for record in group)
        if at[2] != GOODWILL_STEP and not ordered:
            marks = [record for record in group if isinstance(record, _MARKS)]
            others = [record for record in group if not isinstance(record, _MARKS)]
            draft.rng.shuffle(others)
            groups[at] = [*others, *marks]
    draft.records = [record for group in groups.values() for record in group]


def _recount(draft: _Draft) -> None:
    """Count parts of the board at the end of some steps."""
    recounted = {record.at for record in draft.some(records.Complete, 0.05)}
    done: list[AnyRecord] = []
    for record in draft.records:
        step = draft.step(record.at)
        if isinstance(record, records.Complete) and record.at in recounted and step is not None:
            board = _some_values(draft, step)
            if board:
                done.append(records.Recount(at=record.at, board=board))
        done.append(record)
    draft.records = done


def _some_values(draft: _Draft, step: Step) -> dict[str, object]:
    rng, board = draft.rng, step.after
    cards = {
        who: {name: value for name in rng.sample(ALL_TOKENS, 2) if (value := card.tokens(name))}
        for who, card in board.cards.items()
        if rng.random() < 0.4 and card.at != OFF_BOARD
    }
    places = {
        place: {"intrigue": n}
        for place, n in board.intrigue.items()
        if n is not None and rng.random() < 0.4
    }
    given: dict[str, object] = {}
    if any(cards.values()):
        given["characters"] = {who: values for who, values in cards.items() if values}
    if places:
        given["locations"] = places
    return given


def _partial(draft: _Draft) -> None:
    """Say of some steps that something may be missing."""
    marked = {record.at for record in draft.some(records.Complete, 0.08)}

    def change(record: AnyRecord) -> AnyRecord:
        if isinstance(record, records.Complete) and record.at in marked:
            return records.Partial(at=record.at)
        return record

    draft.rewrite(change)


def _incomplete(draft: _Draft) -> None:
    """Do not say of some steps that they are complete."""
    draft.without(draft.some(records.Complete, 0.15))


def _forgotten(draft: _Draft) -> None:
    """Forget some records; with a use what it showed is forgotten too."""
    kinds = (
        records.Token,
        records.PlayedCard,
        records.CardResult,
        records.Use,
        records.Happens,
        records.Death,
        records.Moved,
        records.Reveal,
        records.GuardLost,
        records.Shifted,
        records.LoopOver,
        records.Placed,
        records.Leader,
    )
    chosen = draft.some(kinds, 0.02)
    draft.without([*chosen, *_shown_by(draft, chosen)])


def _shown_by(draft: _Draft, uses: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Return the records that are effects of these uses."""
    wanted = {id(record) for record in uses if isinstance(record, records.Use)}
    found: list[AnyRecord] = []
    showing = False
    for record in draft.records:
        if isinstance(record, records.Use) or record.at[2] != GOODWILL_STEP:
            showing = id(record) in wanted
        elif showing and (record.by_use or not isinstance(record, _MARKS)):
            found.append(record)
    return found


def _doubt(draft: _Draft) -> None:
    """Withdraw some testimony; with a use what it showed is withdrawn too."""
    kinds = (
        records.Token,
        records.CardResult,
        records.Use,
        records.Happens,
        records.Death,
        records.Moved,
        records.Reveal,
        records.Complete,
        records.LoopOver,
    )
    chosen = draft.some(kinds, 0.02)
    doubted = {id(record) for record in (*chosen, *_shown_by(draft, chosen))}
    draft.rewrite(
        lambda record: structs.replace(record, doubt=True) if id(record) in doubted else record
    )


def _vague(draft: _Draft) -> None:
    """Name several cards, or somebody at a place, instead of the one that was meant."""
    _unname(
        draft,
        (
            records.Token,
            records.Death,
            records.GuardLost,
            records.Moved,
            records.Shifted,
            records.Placed,
        ),
    )


def _vague_cards(draft: _Draft) -> None:
    """Do the same to action cards and what they showed."""
    _unname(draft, (records.CardResult, records.PlayedCard))


def _unname(draft: _Draft, kinds: tuple[type, ...]) -> None:
    chosen = {id(record) for record in draft.some(kinds, 0.03)}

    def change(record: AnyRecord) -> AnyRecord:
        return _without_name(draft, record) if id(record) in chosen else record

    draft.rewrite(change)


def _without_name(draft: _Draft, record: AnyRecord) -> AnyRecord:
    names = [name for name in _NAMES if isinstance(getattr(record, name, None), str)]
    step = draft.step(record.at)
    if not names or step is None:
        return record
    name = draft.rng.choice(names)
    meant = getattr(record, name)
    card = step.before.cards.get(meant)
    if card is not None and card.at in LOCATIONS and draft.rng.random() < 0.5:
        return structs.replace(record, **{name: Unsure(somebody_at=card.at)})
    pool = list(LOCATIONS) if meant in LOCATIONS else list(step.before.cards)
    others = draft.rng.sample(pool, min(len(pool), draft.rng.randint(1, 3)))
    return structs.replace(record, **{name: Unsure(one_of=tuple(dict.fromkeys((meant, *others))))})


def _unnamed_faces(draft: _Draft) -> None:
    """Do not note the faces of some cards."""
    chosen = {id(record) for record in draft.some(records.PlayedCard, 0.03)}
    draft.rewrite(
        lambda record: structs.replace(record, card=None) if id(record) in chosen else record
    )


def _mumbled(draft: _Draft) -> None:
    """Hear "nothing happens" where nothing was seen, resolved or refused as it may be."""
    chosen = {id(record) for record in draft.some(records.Use, 0.3)}
    showing = {
        id(use) for use in draft.records if isinstance(use, records.Use) and _shown_by(draft, [use])
    }

    def change(record: AnyRecord) -> AnyRecord:
        if not isinstance(record, records.Use) or id(record) not in chosen - showing:
            return record
        return structs.replace(record, outcome=NOTHING)

    draft.rewrite(change)


WAYS: Final[dict[str, Callable[[_Draft], None]]] = {
    "late start": _late,
    "net": _net,
    "recounts": _recount,
    "mumbled": _mumbled,
    "partial": _partial,
    "incomplete": _incomplete,
    "forgotten": _forgotten,
    "unnamed_faces": _unnamed_faces,
    "vague": _vague,
    "vague cards": _vague_cards,
    "doubt": _doubt,
    "shuffled": _shuffle,
}
"""Ways of blurring, in the order in which they are applied."""

__all__ = ["WAYS", "blurred"]
