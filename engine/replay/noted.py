"""What was noted in a step, prepared once for all worlds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from engine import records
from engine.board import Board
from engine.kleene import MAYBE, NO
from engine.records import AnyRecord, Unsure
from engine.replay import counted, knowledge
from engine.replay.matching import Bag, Item, stands_for
from engine.rules.model import ForbidMastermindCards, GoodwillAbility, Rulebook
from engine.steps.common import Failure
from engine.steps.goodwill import find
from engine.table.apply import apply_record
from engine.table.step import Spot, Step, Table
from engine.view import Flag
from engine.words import (
    CARDS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_START,
    MASTERMIND,
    MASTERMIND_STEP,
    NIGHT,
    TIME_SPIRAL,
)


@dataclass(slots=True)
class NotedUse:
    """A declared use with its noted effects and the board it was declared on.

    Attributes:
        record: the use; its effects in ``bag``.
        board: the public board at that moment; ``after``: with its effects.
        last: no use was declared after it.
    """

    record: records.Use
    board: Board
    bag: Bag
    last: bool
    after: Board


@dataclass(slots=True)
class Noted:
    """A step as ``engine.replay`` reads it.

    Attributes:
        step: the compiled step.
        bag: what needs an explanation, apart from uses.
        closed: silence counts.
        deaths_closed: the list of deaths is complete (D-06).
        touched: cards and locations that the bag names, ``None`` when some are not named.
        uses: in the Goodwill step, the uses.
        hidden: in the card step, the spots whose result depends on the world.
        fault: in the card step, a result that no world could show: ruling and spot.
        curses: at a loop start and at night, the records of curses.
        incident_board: at night, the board at which today's incident was judged (HS-04).
        marked: in the card step, the cards on which the Mastermind laid one (C-12).
        numbers: in the incident step, the incidents of the day.
        said: in the incident step, "happens" or "does not", ``None`` if not noted.
        opened: effects of which a partly noted step leaves open whether they began in it.
        quiet: no world has anything to explain in it.
        broken: what no world could show of the gauge and its spells.
        nights: the nights of this loop before it, where it is one; ``late``: the game began
            within this loop, so that more of them may have been.
        chosen: whom the Leader chose in an incident's effect, in the order noted.
    """

    step: Step
    bag: Bag = ()
    closed: bool = False
    deaths_closed: bool = False
    touched: frozenset[str] | None = frozenset()
    uses: list[NotedUse] = field(default_factory=list)
    hidden: tuple[Spot, ...] = ()
    fault: tuple[str, str] | None = None
    marked: tuple[str, ...] = ()
    curses: Bag = ()
    incident_board: Board | None = None
    numbers: tuple[int, ...] = ()
    said: bool | None = None
    opened: tuple[Flag, ...] = ()
    quiet: bool = False
    broken: Failure | None = None
    nights: tuple[Step, ...] = ()
    late: bool = False
    chosen: tuple[records.Who, ...] = ()

    @property
    def at(self) -> tuple[int, int, str]:
        """Return loop, day and step name."""
        return self.step.at


_QUIET = (
    records.Complete,
    records.Partial,
    records.Recount,
    records.LoopOver,
    records.Leader,
    records.Gauge,
    records.PlayedCard,
    records.CardResult,
    records.Happens,
    records.NoEffect,
    records.Placed,
    records.Enters,
    records.Use,
    records.Guess,
    records.Spell,
    records.LeaderChooses,
)
"""Kinds that are read by themselves, or say nothing that a world has to explain."""


def plain(record: AnyRecord) -> AnyRecord:
    """Return a record without notes and marks, so that it compares with a shown one."""
    if record.note is None and not (record.doubt or record.ordered or record.by_use):
        return record
    return msgspec.structs.replace(record, note=None, doubt=False, ordered=False, by_use=False)


def is_vague(record: AnyRecord) -> bool:
    """Tell whether a record names a card or place only as one of several."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Unsure):
            return True
        if name == "characters" and value is not None:
            return any(isinstance(item, Unsure) for item in value)
    return False


# Preparing -----------------------------------------------------------------------------


def prepare(table: Table, step: Step, previous: Step | None) -> Noted:
    """Prepare one step for all worlds."""
    noted = _prepare(table, step, previous)
    noted.broken = counted.broken(table.rules, table.sheet, step) or knowledge.broken(table, step)
    noted.quiet = _is_quiet(table, noted)
    return noted


def _is_quiet(table: Table, noted: Noted) -> bool:
    step = noted.step
    if step.gap:
        return True
    if step.over is not None or noted.bag or noted.broken is not None:
        return False
    match step.name:
        case "cards":
            return noted.fault is None and not noted.hidden and not noted.marked
        case "incident":
            return not noted.numbers
        case "goodwill":
            moved = knowledge.misses(table.rules, step, 0, 0) is not None
            return not noted.uses and not noted.opened and not moved
        case "day_start":
            return table.sheet.cast_complete and not step.of(records.Enters)
        case _:
            return step.name == TIME_SPIRAL


def _prepare(table: Table, step: Step, previous: Step | None) -> Noted:
    noted = Noted(step)
    noted.closed = step.complete and not step.partial
    noted.deaths_closed = noted.closed and (step.over is None or step.over.deaths_closed)
    if step.name == CARDS:
        from engine.replay.cards import prepare_cards

        prepare_cards(noted)
        noted.marked = _marked(table.rules, step)
        return noted
    if step.name == GOODWILL_STEP:
        _prepare_uses(table.rules, noted)
        if step.partial and not step.gap:
            noted.opened = _opened(step, previous)
        return noted
    listed: list[AnyRecord] = [r for r in step.records if not isinstance(r, _QUIET)]
    if step.name == MASTERMIND_STEP:
        noted.bag = tuple(_units(listed))
    else:
        noted.bag = tuple(_merged(listed))
    if step.name == LOOP_START:
        noted.bag = tuple(item for item in noted.bag if getattr(item.record, "by", None) is None)
    if step.name in (LOOP_START, NIGHT):
        noted.curses = tuple(item for item in noted.bag if isinstance(item.record, records.Curse))
        noted.bag = tuple(item for item in noted.bag if not isinstance(item.record, records.Curse))
    if step.name == NIGHT and previous is not None and previous.name == INCIDENT_STEP:
        noted.incident_board = previous.before
    noted.touched = touched(noted.bag)
    if step.name == NIGHT:
        start = table.transcript.start
        noted.late = start is not None and start.at[0] == step.loop and start.at[1] > 1
        noted.nights = tuple(
            other
            for other in table.steps[: step.index]
            if other.loop == step.loop and other.name == NIGHT
        )
    if step.name == INCIDENT_STEP:
        noted.chosen = knowledge.chosen_by_leader(step.records)
        noted.numbers = table.sheet.incidents_on(step.day)
        said = [record.occurs for record in step.records if isinstance(record, records.Happens)]
        if any(isinstance(record, records.NoEffect) for record in step.records):
            said.append(True)
            if not noted.bag:
                noted.closed = True
        if said:
            noted.said = said[-1]
    return noted


def _marked(rules: Rulebook, step: Step) -> tuple[str, ...]:
    """Return the cards on which the Mastermind laid one, if some role of the set forbids that."""
    if not any(
        isinstance(ability.does, ForbidMastermindCards)
        for role in rules.roles.values()
        for ability in role.abilities
    ):
        return ()
    return tuple(
        record.on
        for record in step.records
        if isinstance(record, records.PlayedCard)
        and record.by == MASTERMIND
        and isinstance(record.on, str)
        and record.on in step.before.cards
    )


def _units(listed: list[AnyRecord]) -> Iterator[Item]:
    """Yield token records token by token: each needs a use of its own (M-12)."""
    rank = 0
    for record in listed:
        order = None
        if record.ordered:
            order, rank = rank, rank + 1
        vague = is_vague(record)
        bare = plain(record)
        if isinstance(bare, records.Token) and abs(bare.n) > 1:
            one = msgspec.structs.replace(bare, n=1 if bare.n > 0 else -1)
            for _ in range(abs(bare.n)):
                yield Item(one, vague, order)
        else:
            yield Item(bare, vague, order)


def _merged(listed: list[AnyRecord]) -> list[Item]:
    """Return the items with tokens of one kind, card and direction added up."""
    items: list[Item] = []
    sums: dict[tuple[object, str, bool, str | None], int] = {}
    for record in listed:
        bare = plain(record)
        if isinstance(bare, records.Token) and isinstance(bare.on, str):
            key = (bare.on, bare.token, bare.n > 0, bare.by)
            if key in sums:
                old = items[sums[key]].record
                assert isinstance(old, records.Token)
                items[sums[key]] = Item(msgspec.structs.replace(old, n=old.n + bare.n), False)
                continue
            sums[key] = len(items)
        items.append(Item(bare, is_vague(record)))
    return items


def touched(bag: Bag) -> frozenset[str] | None:
    """Return the cards and locations that a bag names, ``None`` when some are not named."""
    names: set[str] = set()
    for item in bag:
        if item.vague:
            return None
        for field_name in ("on", "who", "to", "source", "role_of"):
            value = getattr(item.record, field_name, None)
            if isinstance(value, str):
                names.add(value)
    return frozenset(names)


def _prepare_uses(rules: Rulebook, noted: Noted) -> None:
    """Split the Goodwill step into uses, each with its effects and the board before it."""
    step = noted.step
    board = step.before.copy()
    groups: list[tuple[records.Use | None, Board, list[AnyRecord]]] = [(None, board, [])]
    transfers: list[Item] = []
    for record in step.records:
        if isinstance(record, records.Use):
            groups.append((record, board.copy(), []))
        elif _is_transfer(rules, board, record):
            transfers.append(Item(plain(record), is_vague(record)))
        elif not isinstance(record, _QUIET):
            groups[-1][2].append(record)
        apply_record(rules, board, record)
    noted.bag = (*_merged(groups[0][2]), *transfers)
    for position, (use, before, effects) in enumerate(groups[1:], start=1):
        assert use is not None
        last = position == len(groups) - 1
        after = step.after if last else groups[position + 1][1]
        noted.uses.append(NotedUse(use, before, tuple(_merged(effects)), last, after))


def _is_transfer(rules: Rulebook, board: Board, record: AnyRecord) -> bool:
    """Tell whether a shift is the Leader's off a card, or may be (K-Sacred Tree)."""
    if not isinstance(record, records.Shifted) or record.by_use:
        return False
    return any(
        stands_for(board, record.source, who)
        for who, character in rules.characters.items()
        if character.passes_token
    )


def _opened(step: Step, previous: Step | None) -> tuple[Flag, ...]:
    """Return the effects that may have come into force in a partly noted Goodwill step."""
    found = []
    for kind, on in step.before.effects:
        if step.before.effect(kind, on) == MAYBE and (
            previous is None or previous.after.effect(kind, on) == NO
        ):
            found.append(("on", kind, on))
    return tuple(found)


def ability_of(rules: Rulebook, who: str, key: str) -> GoodwillAbility | None:
    """Return the ability that a use names, ``None`` if the card has no such one."""
    character = rules.characters.get(who)
    return None if character is None else find(character, key)
