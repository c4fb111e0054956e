"""The Mastermind's step under what was noted: every event needs a use of its own (P-03)."""

from __future__ import annotations

from collections.abc import Iterator

from engine import records
from engine.board import Board
from engine.kleene import YES
from engine.records import AnyRecord
from engine.replay.matching import Bag, Item, consume_all, stands_for
from engine.replay.noted import Noted
from engine.replay.paths import Choices, Outcome, Paths, unchanged
from engine.rules.conditions import ALWAYS
from engine.rules.model import On, Place, StepAway
from engine.steps import haunting, mastermind
from engine.steps.choice import choice_of
from engine.steps.common import Failure, Move, name, tokens_text
from engine.steps.mastermind import Source
from engine.table.apply import apply_record, candidates
from engine.view import NO_FLAGS, TODAY, Flag, Flags, ScriptView, World

Key = tuple[str, str | None]


def explain_mastermind(world: World, noted: Noted, flags: Flags, *, net: bool) -> Outcome:
    """Match the events of the step with uses (M-12); silence with what had to come (M-13).

    Args:
        world: the script.
        noted: the step.
        flags: the hidden choices so far.
        net: only net changes are announced, so that nothing is demanded of tokens.
    """
    sources = mastermind.sources(world)
    demanding = noted.closed and any(
        source.mandatory and not (net and shows_tokens(source)) for source in sources
    )
    changing = [source for source in sources if _may_lapse(world, source)]
    if not noted.bag and not demanding and not changing:
        return unchanged(flags)
    failure = _unremoved(world, noted, flags) if demanding and not net else None
    if failure is not None:
        return failure
    search = _Search(world, noted, flags, sources, demanding, net=net)
    search.go(noted.bag, noted.step.ground, frozenset(), frozenset(), ())
    for source in changing:
        search.add_unseen(source)
    if search.paths:
        return search.paths
    return search.missed or _why_not(world, noted, flags, sources)


def shows_tokens(source: Source) -> bool:
    """Tell whether a use shows in tokens, of which net announcements demand nothing."""
    return source.holding is None or not isinstance(source.holding.ability.does, StepAway)


def _unremoved(world: World, noted: Noted, flags: Flags) -> Failure | None:
    """Judge the mandatory removals: each holder needs one of its own, on somebody else (MC-14)."""
    board = noted.step.before
    by_place: dict[tuple[str, str], list[Source]] = {}
    for source, kind, place in mastermind.removals_due(ScriptView(world, board, flags)):
        by_place.setdefault((kind, place), []).append(source)
    for (kind, place), due in by_place.items():
        seen = []
        for item in noted.bag:
            record = item.record
            if isinstance(record, records.Token) and record.token == kind and record.n < 0:
                names = candidates(board, record.on)
                if any(board.is_at(who, place) for who in names):
                    seen.append(names)
        for source in due:
            if len(seen) < len(due) or all(set(names) == {source.holder} for names in seen):
                return _not_done(world, source)
    return None


def _may_lapse(world: World, source: Source) -> bool:
    """Tell whether the Mastermind's own use must be remembered although unseen (M-11).

    Where the role's refusal never changes, a use that shows nothing never allows anything.
    """
    return (
        source.goodwill is not None
        and source.holder is not None
        and world.may_refuse(source.holder) is None
    )


class _Search:
    """Depth first over the uses of a step; each state is looked at once."""

    def __init__(
        self,
        world: World,
        noted: Noted,
        flags: Flags,
        sources: tuple[Source, ...],
        demanding: bool,
        *,
        net: bool,
    ) -> None:
        self.world = world
        self.noted = noted
        self.flags = flags
        self.sources = sources
        self.demanding = demanding
        self.net = net
        self.paths: Paths = {}
        self.missed: Failure | None = None
        self.seen: set[tuple[Bag, frozenset[Key], frozenset[Flag]]] = set()
        # When nothing within the step can enable a use, events may be taken as they stand.
        self.in_any_order = not any(_depends_on_board(world, one) for one in sources) and all(
            isinstance(item.record, records.Token) and item.record.n > 0 and item.rank is None
            for item in noted.bag
        )

    def go(
        self,
        bag: Bag,
        board: Board,
        used: frozenset[Key],
        gained: frozenset[Flag],
        choices: Choices,
    ) -> None:
        state = (bag, used, gained)
        if state in self.seen:
            return
        self.seen.add(state)
        if not bag:
            self.finish(board, used, gained, choices)
            return
        view = ScriptView(self.world, board, self.flags | gained)
        for item in self._next(bag):
            only = _targets(item, board)
            for source in self.sources:
                if source.key in used:
                    continue
                for move in mastermind.moves(view, self.noted.at, source, only):
                    if not move.shows:
                        continue
                    for rest in consume_all(bag, _units(move), board, closed=True):
                        self.go(
                            rest,
                            board if self.in_any_order else _after(self.world, board, move),
                            used | {source.key},
                            gained if move.flag is None else gained | {move.flag},
                            (*choices, choice_of(self.noted.at, move)),
                        )

    def _next(self, bag: Bag) -> Iterator[Item]:
        """Yield the items that may come next: noted orders are kept."""
        if self.in_any_order:
            yield bag[0]
            return
        ranks = [item.rank for item in bag if item.rank is not None]
        first = min(ranks, default=None)
        listed: set[AnyRecord] = set()
        for item in bag:
            if item.rank is not None and item.rank != first:
                continue
            if item.record not in listed:
                listed.add(item.record)
                yield item

    def finish(
        self, board: Board, used: frozenset[Key], gained: frozenset[Flag], choices: Choices
    ) -> None:
        if self.demanding:
            before = ScriptView(self.world, self.noted.step.before, self.flags)
            moments = (before.on(board), before.on(_without_removed(self.noted)))
            for source in self.sources:
                left = source.mandatory and source.key not in used
                left = left and not (self.net and shows_tokens(source))
                if left and self._is_due(before, moments, source):
                    self.missed = _not_done(self.world, source)
                    return
        self.paths.setdefault(self.flags | gained, choices)

    def _is_due(
        self, before: ScriptView, moments: tuple[ScriptView, ScriptView], source: Source
    ) -> bool:
        if source.holding is not None and haunting.had_to_show(
            before, moments[0], source.holding, self._placed, self._removed
        ):
            return True
        return all(mastermind.due(before, one, source) == YES for one in moments)

    def _placed(self, who: str, kind: str) -> bool:
        """Tell whether a token of this kind may have come on a card."""
        return any(
            isinstance(record := item.record, records.Token)
            and record.token == kind
            and record.n > 0
            and stands_for(self.noted.step.before, record.on, who)
            for item in self.noted.bag
        )

    def _removed(self, who: str, kind: str) -> int:
        """Count the tokens of this kind that may have left a card."""
        return sum(
            isinstance(record := item.record, records.Token)
            and record.token == kind
            and record.n < 0
            and stands_for(self.noted.step.before, record.on, who)
            for item in self.noted.bag
        )

    def add_unseen(self, source: Source) -> None:
        """Add the paths on which a use was made as well of which nothing was noted."""
        assert source.flag is not None
        view = ScriptView(self.world, self.noted.step.after, self.flags)
        for start in (view, view.on(self.noted.step.ground)):
            for move in mastermind.moves(start, self.noted.at, source):
                if move.shows and self.noted.closed:
                    continue
                for flags, choices in tuple(self.paths.items()):
                    if source.flag not in flags:
                        more = (*choices, choice_of(self.noted.at, move))
                        self.paths.setdefault(flags | {source.flag}, more)
                return


def _without_removed(noted: Noted) -> Board:
    """Return the board of the beginning without the tokens that the step took away.

    A removal may have come before a use that needs what it took.
    """
    board = noted.step.before.copy()
    for item in noted.bag:
        record = item.record
        if isinstance(record, records.Token) and record.n < 0:
            for who in candidates(board, record.on):
                board.add(record.token, who, record.n)
    return board


def _depends_on_board(world: World, source: Source) -> bool:
    """Tell whether events of the step may change that the source is usable."""
    if source.holding is None:
        return source.goodwill is None or _may_lapse(world, source)
    ability = source.holding.ability
    near_refusers = isinstance(ability.does, Place) and On.REFUSER_LOCATION in ability.does.on
    return not source.holding.sure or ability.when is not ALWAYS or near_refusers


def _units(move: Move) -> tuple[AnyRecord, ...]:
    """Return what a move shows, token by token."""
    shown: list[AnyRecord] = []
    for record in move.shows:
        if isinstance(record, records.Token) and abs(record.n) > 1:
            one = records.Token(
                at=record.at, on=record.on, token=record.token, n=1 if record.n > 0 else -1
            )
            shown += [one] * abs(record.n)
        else:
            shown.append(record)
    return tuple(shown)


def _targets(item: Item, board: Board) -> tuple[str, ...] | None:
    """Return the cards and locations that an event may be about, ``None`` for any."""
    record = item.record
    if item.vague:
        return None
    if isinstance(record, records.Token) and isinstance(record.on, str):
        return (record.on,)
    if isinstance(record, records.Shifted) and isinstance(record.to, str):
        return (record.to,)
    return tuple(board.cards)


def _after(world: World, board: Board, move: Move) -> Board:
    changed = board.copy()
    for record in move.shows:
        apply_record(world.rules, changed, record)
    return changed


# Why not -------------------------------------------------------------------------------


def _not_done(world: World, source: Source) -> Failure:
    ruling = source.rulings[0] if source.rulings else "M-13"
    who = name(world.rules, source.holder)
    return Failure(ruling, f"{who} had to act in this step, and nothing of it was seen.")


def _why_not(world: World, noted: Noted, flags: Flags, sources: tuple[Source, ...]) -> Failure:
    """Name the first event without a source, or say that the sources are too few."""
    for item in noted.bag:
        ways = _ways(world, noted, item, NO_FLAGS, sources)
        if not ways:
            return Failure(_ruling(item.record), _event_text(world, item.record))
        if not _ways(world, noted, item, flags, sources):
            source = ways[0]
            often = "today" if source.flag is not None and source.flag[0] == TODAY else "this loop"
            return Failure(
                source.rulings[0] if source.rulings else "M-02",
                f"{_event_text(world, item.record)[:-1]}: what could was used already {often}.",
            )
    return Failure(
        "P-03", f"{len(noted.bag)} events were seen, and the uses at hand do not cover them all."
    )


def _ways(
    world: World, noted: Noted, item: Item, flags: Flags, sources: tuple[Source, ...]
) -> list[Source]:
    found = []
    for source in sources:
        for board in (noted.step.ground, noted.step.after):
            view = ScriptView(world, board, flags)
            moves = mastermind.moves(view, noted.at, source, _targets(item, board))
            # On the board after the step a token taken away no longer lies there.
            if any(
                consume_all((item,), _units(move), board, closed=True)
                for move in moves
                if move.shows
            ):
                found.append(source)
                break
    return found


def _ruling(record: AnyRecord) -> str:
    if isinstance(record, records.Token) and record.token == "unease" and record.n < 0:
        return "M-10"
    return "M-12"


def _event_text(world: World, record: AnyRecord) -> str:
    match record:
        case records.Token(on=on, token=kind, n=n):
            where = name(world.rules, on) if isinstance(on, str) else "somebody"
            verb = "place" if n > 0 else "remove"
            return f"Nothing in this script could {verb} {tokens_text(kind, n)} on {where} here."
        case records.Moved(who=who):
            moved = name(world.rules, who) if isinstance(who, str) else "somebody"
            return f"Nothing in this script could move {moved} here."
        case records.Shifted(source=giver):
            giver_name = name(world.rules, giver) if isinstance(giver, str) else "somebody"
            return f"Nothing in this script could take a token off {giver_name} here."
        case _:
            return "Nothing in this script could show this here."
