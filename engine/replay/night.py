"""The night under what was noted (D-01 to D-17).

Every death and every lost guard needs a kill of its own: on the snapshot, or on the board after
some of the other deaths (D-03). Every certain mandatory kill needs to show (D-05).
"""

from __future__ import annotations

from engine import records
from engine.board import Board
from engine.kleene import MAYBE, NO, YES, negate
from engine.records import AnyRecord
from engine.replay import curses, knowledge
from engine.replay.aftermath import Leftover, text_of, with_records
from engine.replay.matching import Bag, Item, consume, fits, stands_for
from engine.replay.noted import Noted
from engine.replay.paths import Choices, Outcome, Paths, unchanged
from engine.rules.model import Timing
from engine.steps import corpses, loop_end, night, once_a_loop
from engine.steps.choice import Choice, choice_of
from engine.steps.common import Failure, Move, name
from engine.steps.deaths import any_ends_loop, judge_end, kill_outcomes, with_unnoted
from engine.steps.knowledge import is_mad, raising_deaths
from engine.view import Flag, Flags, Holding, ScriptView, World
from engine.words import LOST

Key = tuple[str, str | None]


def explain_night(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge a night in one world."""
    step = noted.step
    view = ScriptView(world, step.before, flags)
    if curses.is_asked(view, noted.curses):
        return _cursed(view, noted)
    if not noted.bag and step.over is None:
        return _quiet(world, noted, flags)
    search = _Search(world, noted, flags)
    struck = tuple(item for item in noted.bag if _is_blow(item.record))
    rest = tuple(item for item in noted.bag if not _is_blow(item.record))
    search.rest = rest
    search.go(struck, step.before, frozenset(), (), (), (), frozenset())
    if search.paths:
        return search.paths
    return search.reason or Failure("D-11", "This night cannot be explained.")


def _cursed(view: ScriptView, noted: Noted) -> Outcome:
    """Judge a night that begins with curses (HS-06): the batch comes after them (D-15)."""
    struck = tuple(item for item in noted.bag if _is_blow(item.record))
    ways = curses.ways(view, noted.at, struck, noted.curses)
    if isinstance(ways, Failure):
        return ways
    search = _Search(view.world, noted, view.flags)
    search.rest = tuple(item for item in noted.bag if not _is_blow(item.record))
    for way in ways:
        if way.struck and any_ends_loop(view, way.dead) == YES:
            text = "The loop had ended with a curse, and somebody was killed after it."
            search.reason = search.reason or Failure("D-15", text)
            continue
        search.batch = view.on(way.board)
        search.snapshot = view.on(way.sure)
        search.lapse = way.lapse
        search.seen.clear()
        search.go(way.struck, way.board, frozenset(), way.dead, way.shown, way.choices, frozenset())
    if search.paths:
        return search.paths
    return search.reason or Failure("D-11", "This night cannot be explained.")


def _is_blow(record: AnyRecord) -> bool:
    return isinstance(record, records.Death | records.GuardLost)


def _quiet(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge a night in which nobody died: only what had to come can speak against it."""
    view = ScriptView(world, noted.step.before, flags)
    failure = knowledge.misses(world.rules, noted.step, 0, 0) or _not_mad(view, noted)
    if failure is not None:
        return failure
    if noted.closed and any(h.ability.mandatory for h in world.holdings(Timing.NIGHT)):
        failure = _demanded(view, noted, frozenset())
        after = view.on(noted.step.after)
        spared = failure is None and not noted.step.dead_later
        if spared and night.kills_protagonists(view, after) == YES:
            failure = Failure("G-15", "The Protagonists had to die here, and were not told so.")
        if failure is not None:
            return failure
    if noted.step.continues and _deadly(view, noted) == YES:
        return Failure("HS-04", "The Protagonists had to die when the day was over.")
    return unchanged(flags)


def _deadly(view: ScriptView, noted: Noted) -> int:
    """Judge "today's incident kills when the day is over" (HS-04)."""
    return night.deadly_night(view, noted.incident_board or noted.step.before)


def _madness(view: ScriptView, noted: Noted) -> int:
    """Judge "the Protagonists know too much and die when the day is over" (WM-04)."""
    return is_mad(view.rules, noted.step.after) & negate(view.shielded())


def _not_mad(view: ScriptView, noted: Noted) -> Failure | None:
    step = noted.step
    if _madness(view, noted) == YES and (step.continues or step.complete):
        return Failure("WM-04", "The gauge was at 4, and the day went by.")
    return None


def _demanded(view: ScriptView, noted: Noted, struck: frozenset[str]) -> Failure | None:
    """Return the certain mandatory kill that did not show, if any (D-05)."""
    for demand in night.demands(view, noted.nights, known=not noted.late):
        if not struck.intersection(demand.victims):
            return _not_killed(view, demand.holding, demand.victims)
    return None


def _not_killed(view: ScriptView, holding: Holding, victims: tuple[str, ...]) -> Failure:
    role = name(view.rules, holding.role)
    holder = name(view.rules, holding.holder)
    if holding.holder is None:
        ruling = holding.ability.rulings[-1]
        return Failure(ruling, f"The corpses that are {role} had to kill somebody, and all lived.")
    spared = " and ".join(name(view.rules, who) for who in victims)
    return Failure("D-05", f"{holder} is {role} and had to kill {spared}, who lived.")


class _Search:
    """Depth first over the blows of a night, each with a use of its own."""

    def __init__(self, world: World, noted: Noted, flags: Flags) -> None:
        self.world = world
        self.noted = noted
        self.flags = flags
        self.before = ScriptView(world, noted.step.before, flags)
        self.batch = self.before
        self.snapshot = self.before
        self.lapse: Failure | None = None
        self.killers = tuple(
            holding
            for holding in night.killers(self.before)
            if not once_a_loop.spent(self.before, holding, noted.nights)
        )
        self.rest: Bag = ()
        self.paths: Paths = {}
        self.reason: Failure | None = None
        self.seen: set[tuple[Bag, frozenset[Key], tuple[str, ...]]] = set()

    def go(
        self,
        struck: Bag,
        board: Board,
        used: frozenset[Key],
        dead: tuple[str, ...],
        shown: tuple[AnyRecord, ...],
        choices: Choices,
        gained: frozenset[Flag],
    ) -> None:
        state = (struck, used, dead)
        if state in self.seen:
            return
        self.seen.add(state)
        if not struck:
            self.finish(board, dead, shown, choices, gained)
            return
        later = self.before.on(board)
        found = self._all_at_once(struck, later, dead, shown, choices, gained)
        for item in struck:
            victims = _victims(item.record, board)
            for holding in self.killers:
                if holding.key in used:
                    continue
                for early in (True, False):
                    if not early and board is self.batch.board:
                        continue
                    view = self.batch if early else later
                    for move in night.kill_moves(view, self.noted.at, holding, victims):
                        if not move.shows:
                            continue
                        for left in consume(struck, move.shows[0], board):
                            found = True
                            self._after(
                                left, board, used, dead, shown, choices, gained, move, early
                            )
        if not found:
            self._why_not(struck, board, dead)

    def _all_at_once(
        self,
        struck: Bag,
        view: ScriptView,
        dead: tuple[str, ...],
        shown: tuple[AnyRecord, ...],
        choices: Choices,
        gained: frozenset[Flag],
    ) -> bool:
        """Explain all that is left by one ability that kills everybody (WM-11, WM-12)."""
        found = False
        for holding, _ in night.killers_of_all(view):
            for blows in self._blows_on_all(struck, view):
                found = True
                fallen = tuple(str(r.who) for r in blows if isinstance(r, records.Death))
                choice = Choice(self.noted.at, holding.ability.id, holding.holder, shows=blows)
                self.finish(
                    with_records(self.world, view.board, blows),
                    (*dead, *fallen),
                    (*shown, *blows),
                    (*choices, choice),
                    gained,
                    by_all=True,
                )
        return found

    def _blows_on_all(self, struck: Bag, view: ScriptView) -> list[tuple[AnyRecord, ...]]:
        """Return how one blow on each living card shows all that is left, and nothing more."""
        ways: dict[tuple[Bag, tuple[AnyRecord, ...]], None] = {(struck, ()): None}
        for who in view.board.cards:
            alive = view.board.alive(who)
            if not alive:
                continue
            unseen = alive != YES or not self.noted.deaths_closed
            after: dict[tuple[Bag, tuple[AnyRecord, ...]], None] = {}
            for left, blows in ways:
                for outcome in kill_outcomes(view, self.noted.at, who):
                    if outcome.shows is None:
                        after[left, blows] = None
                        continue
                    for rest in consume(left, outcome.shows, view.board):
                        after[rest, (*blows, outcome.shows)] = None
                if unseen:
                    after[left, blows] = None
            ways = after
        return [blows for left, blows in ways if not left]

    def _after(
        self,
        left: Bag,
        board: Board,
        used: frozenset[Key],
        dead: tuple[str, ...],
        shown: tuple[AnyRecord, ...],
        choices: Choices,
        gained: frozenset[Flag],
        move: Move,
        early: bool,
    ) -> None:
        record = move.shows[0]
        died = isinstance(record, records.Death)
        assert move.on is not None
        self.go(
            left,
            with_records(self.world, board, move.shows),
            used | {move.key},
            (*dead, move.on) if died else dead,
            (*shown, record),
            (*choices, choice_of(self.noted.at, move, early=early)),
            gained if move.flag is None or self._by_history(move) else gained | {move.flag},
        )

    def _by_history(self, move: Move) -> bool:
        """Tell whether earlier nights say if an ability is used up, not a flag (MC-06)."""
        return any(
            holding.key == move.key and once_a_loop.is_due_once(holding) for holding in self.killers
        )

    def finish(
        self,
        board: Board,
        dead: tuple[str, ...],
        shown: tuple[AnyRecord, ...],
        choices: Choices,
        gained: frozenset[Flag],
        *,
        by_all: bool = False,
    ) -> None:
        step, noted, before = self.noted.step, self.noted, self.before
        ends = with_unnoted(any_ends_loop(before, dead), step)
        killed, killer = self._killed(board, dead, shown)
        mad = _madness(before, noted)
        deadly = _deadly(before, noted)
        if not step.continues:
            deadly &= MAYBE  # whether it was told, only the loop end says
        killed |= deadly
        killed |= mad | (negate(before.shielded()) if by_all else NO)
        if step.over is not None and step.over.word == LOST and not ends:
            ends = self._unseen_end(board) or self._loop_end(board)
        failure = judge_end(
            step.over,
            step.continues,
            ends,
            killed,
            rulings=("D-13", "D-12", "WM-04" if mad == YES else "G-15"),
            told=noted.closed and not step.dead_later,
        )
        ended = step.over is not None or (ends != NO and not step.continues)
        if failure is None and noted.closed and not ended:
            struck = frozenset(str(getattr(record, "who", "")) for record in shown)
            failure = self.lapse or _demanded(self.snapshot, noted, struck)
        if failure is None and not ended:
            saved = [str(r.who) for r in shown if isinstance(r, records.GuardLost)]
            rises = raising_deaths(before, dead, saved)
            failure = knowledge.misses(self.world.rules, step, *rises)
        if failure is None:
            after = step.after if dead else board
            bag, walk, failure = self._walk()
        if failure is None:
            rest = Leftover(before, after, noted, bag, dead, ended=ended)
            failure = rest.failure
            if failure is None:
                needed = killer is not None and not by_all and mad == NO and deadly == NO
                choices = (*choices, *walk)
                if needed and step.over is not None and step.over.word != LOST:
                    assert killer is not None
                    choices = (*choices, killer)
                self.paths.setdefault(rest.flags | gained, (*choices, *rest.choices))
                return
        self.reason = self.reason or failure

    def _walk(self) -> tuple[Bag, Choices, Failure | None]:
        """Take out the one step of a corpse (HS-16); more than one has no source."""
        bag: list[Item] = []
        choices: list[Choice] = []
        after = self.before.on(self.noted.step.after)
        for item in self.rest:
            record = item.record
            if not isinstance(record, records.Moved | records.Shifted):
                bag.append(item)
                continue
            move = next(iter(self._walks(after, record)), None)
            if move is None or choices:
                return (), (), Failure("HS-16", text_of(self.world, record))
            choices.append(choice_of(self.noted.at, move))
        return tuple(bag), tuple(choices), None

    def _walks(self, after: ScriptView, record: records.Moved | records.Shifted) -> list[Move]:
        """Return the steps of a corpse that a record may tell of."""
        board = self.before.board
        if isinstance(record, records.Shifted):
            moves = corpses.steps(self.before, self.noted.at)
            return [move for move in moves if fits(board, record, move.shows[0])]
        return [
            move
            for who in board.cards
            if stands_for(after.board, record.who, who)
            for move in corpses.steps_of(after, self.noted.at, who, board.cards[who].at)
            if stands_for(after.board, record.to, getattr(move.shows[0], "to", None))
        ]

    def _killed(
        self, board: Board, dead: tuple[str, ...], shown: tuple[AnyRecord, ...]
    ) -> tuple[int, Choice | None]:
        """Judge whether the Protagonists could die at some moment, and by whom (D-12, M-03)."""
        killer = None
        late = self._late_view(board)
        truth = night.kills_protagonists(self.batch, late, dead)
        # Tokens that follow from tonight's deaths may let somebody act (D-09).
        for early, moment in ((True, self.batch), (False, late)):
            if killer is None and moment.shielded() != YES:
                for holding, _ in night.protagonist_killers(moment):
                    if holding.holder in dead and not holding.ability.mandatory:
                        continue
                    ability = holding.ability.id
                    killer = Choice(self.noted.at, ability, holding.holder, early=early)
                    break
        hit = {str(getattr(record, "who", "")) for record in shown}
        everybody = night.may_kill_all(
            self.before, self._late_view(board), dead, hit, closed=self.noted.deaths_closed
        )
        if everybody is not None:
            truth |= MAYBE
            killer = killer or Choice(self.noted.at, everybody.ability.id, everybody.holder)
        return truth, killer

    def _late_view(self, board: Board) -> ScriptView:
        after = self.noted.step.after
        return self.before.on(after if after is not board else board)

    def _unseen_end(self, board: Board) -> int:
        """Judge "a death that was not noted ended the loop", in a step that is not complete."""
        if self.noted.closed:
            return NO
        truth = NO
        for view in (self.before, self.before.on(board)):
            for holding in self.killers:
                for who, may in night.victims(view, holding):
                    if view.unkillable(who) != YES:
                        truth |= may & view.death_ends_loop(who)
        return truth

    def _loop_end(self, board: Board) -> int:
        """Judge "a loss condition held": on the last day it may be told at night (D-13, BT-04)."""
        if not self.noted.step.last_night:
            return NO
        return loop_end.is_lost(self.before.on(board))

    def _why_not(self, struck: Bag, board: Board, dead: tuple[str, ...]) -> None:
        if self.reason is not None:
            return
        record = struck[0].record
        for item in struck:
            victims = _victims(item.record, board)
            if not any(
                True
                for holding in self.killers
                for view in (self.before, self.before.on(board))
                for _ in night.victims(view, holding, victims)
            ):
                record = item.record
                break
        ruling = "D-11"
        who = getattr(record, "who", None)
        if isinstance(who, str) and isinstance(record, records.Death):
            if self.before.unkillable(who) == YES:
                ruling = "B-09"
            elif self.before.board.tokens("guard", who):
                ruling = "G-17"
        elif isinstance(record, records.GuardLost):
            ruling = "G-17"
        self.reason = Failure(ruling, text_of(self.world, record))


def _victims(record: AnyRecord, board: Board) -> tuple[str, ...] | None:
    who = getattr(record, "who", None)
    return (who,) if isinstance(who, str) and who in board.cards else None
