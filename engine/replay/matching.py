"""Matching noted records with shown ones.

A bag holds the records that need an explanation. A machine shows records; ``consume`` takes
what is shown out of the bag. Records of cards that could not be named (``Unsure``) match any
card they may stand for.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from engine import records
from engine.board import Board
from engine.records import AnyRecord, Unsure
from engine.words import INCIDENT_STEP

Bag = tuple["Item", ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A noted record in its plain form.

    Attributes:
        record: without notes and marks.
        vague: it names somebody only as one of several.
        rank: its place among the records whose order was noted, ``None`` without one.
    """

    record: AnyRecord
    vague: bool
    rank: int | None = None


def stands_for(board: Board, who: object, name: object) -> bool:
    """Tell whether ``who``, as noted, may be ``name``."""
    if not isinstance(who, Unsure):
        return who == name
    if who.one_of is not None:
        return name in who.one_of
    place = who.somebody_at
    assert place is not None
    return isinstance(name, str) and bool(board.is_at(name, place))


def fits(board: Board, noted: AnyRecord, shown: AnyRecord) -> bool:
    """Tell whether a noted record may be the shown one."""
    if type(noted) is not type(shown):
        return False
    if isinstance(noted, records.Reveal) and isinstance(shown, records.Reveal):
        return _reveal_fits(board, noted, shown)
    for name in noted.__struct_fields__:
        value, other = getattr(noted, name), getattr(shown, name)
        if value != other and not (isinstance(value, Unsure) and stands_for(board, value, other)):
            return False
    return True


def _reveal_fits(board: Board, noted: records.Reveal, shown: records.Reveal) -> bool:
    for name in ("role_of", "culprit", "same_role_as"):
        if not stands_for(board, getattr(noted, name), getattr(shown, name)):
            return False
    if noted.role != shown.role or noted.culprit_of != shown.culprit_of:
        return False
    if noted.subplot != shown.subplot:
        return False
    if noted.asked is not None and shown.asked is not None and noted.asked != shown.asked:
        return False
    return _same_names(board, noted.characters, shown.characters)


def _same_names(
    board: Board, noted: tuple[object, ...] | None, shown: tuple[object, ...] | None
) -> bool:
    if noted is None or shown is None:
        return (noted or ()) == (shown or ())
    left = list(shown)
    for who in noted:
        if isinstance(who, Unsure):
            continue
        if who not in left:
            return False
        left.remove(who)
    unsure = [who for who in noted if isinstance(who, Unsure)]
    return len(unsure) == len(left) and all(
        any(stands_for(board, who, name) for who in unsure) for name in left
    )


def consume(bag: Bag, shown: AnyRecord, board: Board, *, loose: bool = False) -> list[Bag]:
    """Return the bags that remain when one shown record is taken out; none if it was not noted.

    Args:
        bag: what is left to explain.
        shown: a record as a machine shows it.
        board: the moment, for cards that were not named.
        loose: a part of a number of tokens may have been noted.
    """
    for index, item in enumerate(bag):
        if item.vague:
            continue
        if item.record == shown:
            if _moved_on(bag[:index], shown):
                return []
            return [bag[:index] + bag[index + 1 :]]
        rest = _rest(board, item, shown, loose)
        if rest is not None:
            return [bag[:index] + rest + bag[index + 1 :]]
    found = []
    for index, item in enumerate(bag):
        if item.vague:
            rest = () if fits(board, item.record, shown) else _rest(board, item, shown, loose)
            if rest is not None:
                found.append(bag[:index] + rest + bag[index + 1 :])
    return found


def _moved_on(earlier: Bag, shown: AnyRecord) -> bool:
    """Tell whether a card had moved elsewhere before, by the order of an incident's records.

    Where it stands in the end, and what it meets there, hangs on that order.
    """
    return (
        isinstance(shown, records.Moved)
        and shown.at[2] == INCIDENT_STEP
        and any(
            isinstance(item.record, records.Moved) and item.record.who == shown.who
            for item in earlier
        )
    )


def _rest(board: Board, item: Item, shown: AnyRecord, loose: bool) -> Bag | None:
    """Return what is left of an item when a shown record is part of it, ``None`` if it is not."""
    noted = item.record
    if isinstance(noted, records.Reveal):
        return () if fits(board, noted, shown) else None
    if not isinstance(noted, records.Token) or not isinstance(shown, records.Token):
        return None
    if noted.token != shown.token or not stands_for(board, noted.on, shown.on):
        return None
    if (noted.n > 0) != (shown.n > 0):
        return None
    left = noted.n - shown.n
    if left == 0:
        return ()
    if (left > 0) != (noted.n > 0):
        return () if loose else None
    return (Item(msgspec.structs.replace(noted, n=left), item.vague, item.rank),)


def consume_all(bag: Bag, shows: tuple[AnyRecord, ...], board: Board, *, closed: bool) -> list[Bag]:
    """Take several shown records out of a bag; where silence does not count some may be missing.

    Returns:
        The bags that remain.
    """
    bags = [bag]
    for shown in shows:
        left: list[Bag] = []
        for one in bags:
            left += consume(one, shown, board, loose=not closed)
            if not closed:
                left.append(one)
        bags = left
    return bags
