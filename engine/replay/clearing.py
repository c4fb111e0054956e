"""The Unease that goes from a culprit after its incident, under what was noted (MC-08)."""

from __future__ import annotations

from collections.abc import Iterator

from engine import records
from engine.kleene import NO, YES
from engine.replay.matching import Bag, Item, stands_for
from engine.replay.noted import Noted
from engine.rules.model import EndLoop
from engine.steps import culprits
from engine.steps.deaths import any_ends_loop
from engine.steps.trigger import incident_of
from engine.view import ScriptView
from engine.words import UNEASE

OWN_PUT = 2
"""The most Unease that an incident puts on one card."""


def before_clearing(
    view: ScriptView, noted: Noted, number: int, culprit: str, bag: Bag, *, borrowed: bool
) -> Iterator[Bag]:
    """Yield what the effect itself has to explain: what was noted, less the Unease that went.

    What the incident put on its own culprit may have gone with the rest or stayed, as tables
    clear after the effect or before it. The clearing may never have come where the loop ended,
    and nothing follows from it where silence does not count, where the culprit died, or where
    a card only resolved the effect.

    Args:
        view: the moment before the effect.
        noted: the step.
        number: the incident's number on the sheet.
        culprit: the culprit, or who stands for it.
        bag: what is to be explained.
        borrowed: a card resolves the effect itself (K-A.I.).
    """
    clears = culprits.clears(view, culprit)
    if not clears:
        yield bag
        return
    if clears != YES or borrowed or _may_stay(view, noted, number, culprit):
        yield bag
    for net, rest in _readings(view, culprit, bag):
        for put in range(OWN_PUT + 1):
            if _fits(view.board.unease(culprit), net, put, exact=noted.closed):
                own = records.Token(at=noted.at, on=culprit, token=UNEASE, n=put) if put else None
                yield rest if own is None else (*rest, Item(own, False))


def _may_stay(view: ScriptView, noted: Noted, number: int, culprit: str) -> bool:
    step = noted.step
    if step.over is not None or not noted.closed:
        return True
    died = [
        who
        for record in step.records
        if isinstance(record, records.Death)
        for who in view.board.cards
        if stands_for(view.board, record.who, who)
    ]
    if culprit in died:
        return True
    parts = incident_of(view, number).parts
    stopped = any(isinstance(part, EndLoop) for part in parts)
    return not step.continues and (stopped or any_ends_loop(view, died) != NO)


def _readings(view: ScriptView, culprit: str, bag: Bag) -> Iterator[tuple[int, Bag]]:
    """Yield how much Unease the culprit got in all, and what else was noted."""
    own = [item for item in bag if _is_own(item, culprit)]
    rest = tuple(item for item in bag if item not in own)
    net = sum(item.record.n for item in own if isinstance(item.record, records.Token))
    yield net, rest
    for index, item in enumerate(rest):
        record = item.record
        if (
            item.vague
            and isinstance(record, records.Token)
            and record.token == UNEASE
            and record.n < 0
            and stands_for(view.board, record.on, culprit)
        ):
            yield net + record.n, rest[:index] + rest[index + 1 :]


def _is_own(item: Item, culprit: str) -> bool:
    record = item.record
    return isinstance(record, records.Token) and (record.on, record.token) == (culprit, UNEASE)


def _fits(had: int | None, net: int, put: int, *, exact: bool) -> bool:
    if had is None:
        return net <= put
    return net in (-had, put - had) or (not exact and net == -had - put)
