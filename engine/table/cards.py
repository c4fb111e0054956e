"""The card step of a table: what is printed on each spot, and what the results showed."""

from __future__ import annotations

from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.records import CardResult, PlayedCard
from engine.rules.model import GaugeUse
from engine.rulings import ECHO_AFTER_MOVEMENT
from engine.steps import cards as cards_step
from engine.steps.knowledge import is_sealed
from engine.table.apply import candidates
from engine.table.step import Spot, Step, Table
from engine.words import FORBID_INTRIGUE, GOODWILL, INTRIGUE, ONCE_PER_LOOP, UNEASE


def resolve_cards(table: Table, step: Step) -> None:
    """Resolve the cards as printed, overridden by what the results showed.

    Args:
        table: the compiled table so far.
        step: its card step, whose board and spots are set.
    """
    board = step.after
    played = [
        cards_step.Played(record.by, record.card, record.on, record.human)
        for record in step.records
        if isinstance(record, PlayedCard) and isinstance(record.on, str)
    ]
    unclear = [
        record
        for record in step.records
        if isinstance(record, PlayedCard) and not isinstance(record.on, str)
    ]
    void = cards_step.forbid_intrigue_void(played, table.sheet, table.rulings)
    if table.rules.gauge is GaugeUse.KNOWLEDGE:
        sealed = is_sealed(table.rules, step.before)
        void = void if sealed == NO else (NO if sealed == YES else void & MAYBE)
    if any(card.face is None and card.by != "mastermind" for card in played):
        hidden = [card for card in played if card.face == FORBID_INTRIGUE]
        if len(hidden) == 1:
            void = MAYBE
    results = {
        record.on: record
        for record in step.records
        if isinstance(record, CardResult) and isinstance(record.on, str)
    }
    spots = cards_step.by_spot(played)
    done: list[Spot] = []
    echo = [
        who
        for who in step.before.cards
        if table.rules.characters[who].echoes_location_cards and step.before.alive(who) != NO
    ]
    possible = [name for record in unclear for name in candidates(step.before, record.on)]
    for on in dict.fromkeys((*spots, *results, *echo, *possible)):
        printed = cards_step.printed(
            step.before, table.rules.characters, on, spots.get(on, ()), void
        )
        if unclear or (step.partial and on not in spots):
            printed = cards_step.Printed(None, None, None, None, noted=False)
        cards_here = spots.get(on, [])
        if on in echo:
            cards_here, printed = cards_step.echoed(
                step.before,
                table.rules.characters,
                on,
                spots,
                void,
                table.rulings[ECHO_AFTER_MOVEMENT],
            )
        noted = results.get(on)
        result = _shown(printed, noted, sure=step.complete)
        done.append(Spot(on, tuple(cards_here), printed, result, noted))
    for spot in done:
        _put(board, spot)
    _spend(board, step)
    step.spots = tuple(done)


def _put(board: Board, spot: Spot) -> None:
    result = spot.result
    if spot.on in board.intrigue:
        count = board.intrigue[spot.on]
        if count is None or result.intrigue is None:
            board.intrigue[spot.on] = None
        else:
            board.intrigue[spot.on] = max(0, count + result.intrigue)
        return
    card = board.cards.get(spot.on)
    if card is None:
        return
    card.at = result.to
    for token, delta in (
        (UNEASE, result.unease),
        (GOODWILL, result.goodwill),
        (INTRIGUE, result.intrigue),
    ):
        if delta is None:
            setattr(card, token, None)
        else:
            card.add(token, delta)


def _spend(board: Board, step: Step) -> None:
    """Take the played cards out of the hands for this loop, as far as they were noted (C-10)."""
    for card in step.of(PlayedCard):
        assert isinstance(card, PlayedCard)
        if card.card is None:
            board.spent_open.add(card.by)
        elif card.card in ONCE_PER_LOOP[card.by]:
            board.spent[card.by].append(card.card)
    if not step.complete:
        board.spent_open.update(board.spent)


def _shown(
    printed: cards_step.Printed, noted: CardResult | None, *, sure: bool
) -> cards_step.Printed:
    """Return the result of a spot: what was noted, elsewhere what is printed.

    In a step that is not complete (not ``sure``) an ignored Forbid may be missing from the
    notes: what a Forbid holds back is unknown then.
    """
    goodwill, intrigue, to = printed.goodwill, printed.intrigue, printed.to
    if not sure:
        goodwill = None if printed.forbidden_goodwill else goodwill
        intrigue = None if printed.forbidden_intrigue else intrigue
        to = None if printed.beyond_red_x is not None else to
    if noted is not None:
        to = noted.to if isinstance(noted.to, str) else to
        goodwill = goodwill if noted.goodwill is None else noted.goodwill
        intrigue = intrigue if noted.intrigue is None else noted.intrigue
    return cards_step.Printed(
        to,
        printed.unease if noted is None or noted.unease is None else noted.unease,
        goodwill,
        intrigue,
        printed.forbidden_goodwill,
        printed.forbidden_intrigue,
        printed.beyond_red_x,
        printed.void,
        printed.noted,
    )
