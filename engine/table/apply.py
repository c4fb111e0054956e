"""What a record does to the public board."""

from __future__ import annotations

from collections.abc import Iterable

from engine import kleene, records
from engine.board import Board, Card
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord, Who
from engine.rules.model import LastingEffect, NameLocation, ResolveIncident, Rulebook
from engine.table.start import overlay
from engine.words import NIGHT, NOTHING, OFF_BOARD, REFUSED, RESOLVED


def candidates(board: Board, who: Who) -> tuple[str, ...]:
    """Return the cards or places that ``who`` may stand for on this board.

    ``somebody_at`` means a card that may lie there, alive or dead.
    """
    if isinstance(who, str):
        return (who,)
    if who.one_of is not None:
        return who.one_of
    place = who.somebody_at
    assert place is not None
    return tuple(name for name in board.cards if board.is_at(name, place) != NO)


def apply_record(rules: Rulebook, board: Board, record: AnyRecord) -> None:
    """Change ``board`` as ``record`` says; an unnamed card makes all candidates unknown."""
    match record:
        case records.Placed(who=str(who), where=str(where)):
            board.cards[who].at = where
            board.starts[who] = where
        case records.Placed(who=who):
            for name in candidates(board, who):
                board.cards[name].at = board.starts[name] = None
        case records.Enters(who=str(who), where=where):
            place = where if isinstance(where, str) else None
            board.cards[who] = Card(place)
            board.starts[who] = place
        case records.Token():
            _tokens(board, record.on, record.token, record.n)
        case records.Spell(on=on) if on is not None:
            _tokens(board, on, "goodwill", 2)
        case records.Gauge(value=value):
            board.gauge = value
            if board.gauge_max is not None:
                board.gauge_max = max(board.gauge_max, value)
        case records.Moved():
            _move(board, record.who, record.to)
        case records.Shifted():
            _tokens(board, record.source, record.token, -1)
            _tokens(board, record.to, record.token, 1)
        case records.Use():
            _use(rules, board, record)
        case records.CardBack(deck=deck, card=card):
            if card in board.spent.get(deck, ()):
                board.spent[deck].remove(card)
        case records.Reveal(role_of=str(who), role=str(role)):
            board.revealed[who] = role
        case records.Reveal(same_role_as=str(who), characters=named):
            # Open whether being named among equals counts as a reveal (N-05).
            board.maybe_revealed |= {who, *(name for name in named or () if isinstance(name, str))}
        case records.Happens(occurs=occurs):
            board.occurred[board.day] = kleene.certain(occurs)
        case records.Death(who=who):
            _life(board, candidates_alive(board, who), NO)
        case records.GuardLost(who=who):
            _tokens(board, who, "guard", -1)
        case records.Curse():
            _curse(board, record)
        case records.Revived(who=str(who)) if who in board.intrigue:
            board.add("intrigue", who, -1)
        case records.Revived(who=who):
            for name in candidates(board, who):
                board.effects["revived", name] = (YES if isinstance(who, str) else MAYBE, None)
            _life(board, tuple(n for n in candidates(board, who) if n in board.cards), YES)
        case records.Removed(who=who):
            for name in candidates(board, who):
                board.cards[name].at = OFF_BOARD if isinstance(who, str) else None
        case records.Leader(deck=deck):
            board.leader = deck
        case records.ExtraCard(on=str(on), off=off):
            (board.extra_cards.discard if off else board.extra_cards.add)(on)
        case records.LocationNamed(location=location):
            _close(rules, board, location)
        case records.Recount(board=given):
            overlay(board, given)
        case _:
            pass


def _close(rules: Rulebook, board: Board, location: Who) -> None:
    """Close a named location to movement for its days (MC-18)."""
    days = [
        part.days
        for incident in rules.incidents.values()
        for part in incident.parts
        if isinstance(part, NameLocation)
    ]
    places = candidates(board, location)
    for place in places if days else ():
        fact = YES if len(places) == 1 else board.effect("closed", place) | MAYBE
        board.effects["closed", place] = (fact, board.day + days[0] - 1)


def candidates_alive(board: Board, who: Who) -> tuple[str, ...]:
    """Return the cards that may be alive among the candidates of ``who``."""
    names = candidates(board, who)
    if isinstance(who, str):
        return names
    return tuple(name for name in names if board.alive(name) != NO)


def _curse(board: Board, record: records.Curse) -> None:
    """Move or add a curse card; one whose place is unclear stays where it was noted last."""
    known = isinstance(record.on, str) and not isinstance(record.source, records.Unsure)
    if not known or (record.source is None and record.at[2] == NIGHT):
        board.curses_open = True
    if isinstance(record.source, str) and record.source in board.curses:
        board.curses.remove(record.source)
    if isinstance(record.on, str):
        board.curses.append(record.on)


def _life(board: Board, names: tuple[str, ...], fact: int) -> None:
    for name in names:
        board.cards[name].alive = fact if len(names) == 1 else MAYBE


def _tokens(board: Board, on: Who, token: str, n: int) -> None:
    names = candidates(board, on)
    if len(names) == 1:
        board.add(token, names[0], n)
        return
    for name in names:
        if name in board.cards:
            setattr(board.cards[name], token, None)
        elif name in board.intrigue and token == "intrigue":
            board.intrigue[name] = None


def _move(board: Board, who: Who, to: Who) -> None:
    names = candidates(board, who)
    for name in names:
        if name in board.cards:
            sure = len(names) == 1 and isinstance(to, str)
            board.cards[name].at = to if sure and isinstance(to, str) else None


def _use(rules: Rulebook, board: Board, record: records.Use) -> None:
    who = record.who
    if not isinstance(who, str):
        return
    board.used_today.add((who, record.key))
    board.used.setdefault(who, set()).add(record.key)
    character = rules.characters.get(who)
    if character is None:
        return
    for ability in character.goodwill:
        if ability.key == record.key and isinstance(ability.does, ResolveIncident):
            _borrow(board, record)
        if ability.key != record.key or not isinstance(ability.does, LastingEffect):
            continue
        on = ability.target.character or who
        before, _ = board.effects.get((ability.does.kind, on), (NO, None))
        if record.outcome == RESOLVED or not ability.refusable:
            board.effects[ability.does.kind, on] = (YES, None)
        elif record.outcome == NOTHING and before == NO:
            board.effects[ability.does.kind, on] = (MAYBE, None)


def _borrow(board: Board, record: records.Use) -> None:
    """Remember that a card may have resolved the effect of an incident itself (K-A.I.)."""
    day = record.target.day if isinstance(record.target, records.TargetSpec) else None
    if day is not None and record.outcome != REFUSED:
        board.borrowed |= {(board.loop, day)}


def noted_places(step_records: Iterable[AnyRecord]) -> frozenset[str]:
    """Return the locations whose Intrigue the loop-start records speak of."""
    return frozenset(
        record.on
        for record in step_records
        if isinstance(record, records.Token)
        and record.token == "intrigue"
        and isinstance(record.on, str)
    )
