"""Replaying a compiled transcript with one script, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import records
from engine.board import Board
from engine.replay.cards import explain_cards
from engine.replay.fit import misfit
from engine.replay.goodwill import explain_goodwill
from engine.replay.incident import explain_incident
from engine.replay.loop_end import explain_guess, explain_loop_end
from engine.replay.loop_start import explain_entries, explain_loop_start
from engine.replay.mastermind import explain_mastermind
from engine.replay.night import explain_night
from engine.replay.noted import Noted, prepare
from engine.replay.paths import (
    Choices,
    Node,
    Outcome,
    next_day,
    prune,
    unchanged,
)
from engine.rules.model import Per, Timing
from engine.script import Script
from engine.steps.common import At, Failure
from engine.steps.mastermind import sources
from engine.steps.once_a_loop import is_due_once
from engine.table.apply import candidates
from engine.table.step import Step, Table
from engine.view import NO_FLAGS, Flag, Flags, World
from engine.words import LOOP_START, MASTERMIND_STEP, NIGHT, STEP_ORDER


@dataclass(frozen=True, slots=True)
class Replay:
    """The verdict about one script.

    Attributes:
        possible: some legal course shows exactly what was noted.
        at: the first step that cannot be.
        ruling: the ruling that forbids it.
        why: a sentence in the game's words.
        course: the hidden choices of one legal course, if possible.
    """

    possible: bool
    at: At | None
    ruling: str | None
    why: str | None
    course: Choices


class Replayer:
    """A compiled table made ready to be replayed with many scripts.

    Args:
        table: the compiled transcript; steps added to it later are prepared when reached.
        legal: whether a script has to be legal as well as fitting.
    """

    def __init__(self, table: Table, *, legal: bool = False) -> None:
        self.table = table
        self.legal = legal
        self._noted: dict[int, Noted] = {}
        self._problems: dict[int, Failure] | None = None
        self._problem_count = -1

    def noted(self, step: Step) -> Noted:
        """Return a step as replay reads it, prepared once."""
        found = self._noted.get(step.index)
        if found is None or found.step is not step:
            previous = self.table.steps[step.index - 1] if step.index else None
            found = self._noted[step.index] = prepare(self.table, step, previous)
        return found

    def problem(self, step: Step) -> Failure | None:
        """Return the public rule that a record of the step breaks, if any."""
        problems = self.table.problems
        if self._problems is None or self._problem_count != len(problems):
            self._problems, self._problem_count = {}, len(problems)
            where = {number: one.index for one in self.table.steps for number in one.numbers}
            for problem in problems:
                if problem.record in where:
                    failure = Failure(problem.ruling, f"{problem.text}.")
                    self._problems.setdefault(where[problem.record], failure)
        return self._problems.get(step.index)

    def begin(self, script: Script) -> ReplayState:
        """Return a script before the first step."""
        return ReplayState(self, script)

    def run(self, script: Script) -> Replay:
        """Replay the whole table with a script."""
        state = self.begin(script)
        for step in self.table.steps:
            if not state.advance(step):
                break
        return state.verdict()

    def deaths(self, steps: Sequence[Step]) -> list[tuple[str, Board]]:
        """Return who died in some steps, each with the board before that step."""
        return [
            (who, step.before)
            for step in steps
            for record in step.records
            if isinstance(record, records.Death)
            for who in candidates(step.before, record.who)
            if who in step.before.cards
        ]


class ReplayState:
    """One script after some steps; it can be advanced by further ones.

    The last step may be judged again when what is known about it has changed (it was noted
    further, or play went on): hand it, or its successor in a newly compiled table of the same
    game, to ``advance`` once more.
    """

    __slots__ = (
        "_earlier",
        "_last",
        "_nodes",
        "failure",
        "failure_at",
        "replayer",
        "world",
    )

    def __init__(self, replayer: Replayer, script: Script) -> None:
        table = replayer.table
        self.replayer = replayer
        self.world = World(table.rules, table.sheet, script, table.rulings)
        self.failure: Failure | None = misfit(
            table.rules, table.sheet, script, table.rulings, legal=replayer.legal
        )
        self.failure_at: At | None = None
        self._last: Step | None = None
        self._nodes: dict[Flags, Node] = {}
        self._earlier: dict[Flags, Node] = {}
        if self.failure is None:
            self._nodes = self._start()

    def copy(self, replayer: Replayer | None = None) -> ReplayState:
        """Return an independent copy, on another compilation of the same game if given."""
        other = ReplayState.__new__(ReplayState)
        other.replayer = replayer or self.replayer
        other.world = self.world
        other.failure, other.failure_at = self.failure, self.failure_at
        other._last, other._nodes, other._earlier = self._last, self._nodes, self._earlier
        return other

    @property
    def possible(self) -> bool:
        """Tell whether the script could have shown everything so far."""
        return self.failure is None

    @property
    def flags(self) -> frozenset[Flags]:
        """Return the reachable sets of hidden flags."""
        return frozenset(self._nodes)

    def verdict(self) -> Replay:
        """Return the verdict so far."""
        if self.failure is not None:
            failure = self.failure
            return Replay(False, self.failure_at, failure.ruling, failure.why, ())
        node = next(iter(self._nodes.values()))
        return Replay(True, None, None, None, node.course())

    # Going on ---------------------------------------------------------------------------

    def advance(self, step: Step) -> bool:
        """Judge one more step, or the last one again; return whether it is possible.

        Raises:
            ValueError: when a step in between is missing.
        """
        last = self._last
        if last is not None and step.index == last.index:
            self._nodes, self._last = self._earlier, self._before(step)
            self.failure = self.failure_at = None
        elif last is not None and step.index != last.index + 1:
            raise ValueError(f"step {step.index} does not follow step {last.index}")
        if self.failure is not None:
            return False
        self._earlier = self._nodes
        nodes = self._expired(step)
        self._last = step
        problem = self.replayer.problem(step)
        if problem is not None:
            return self._fail(step, problem)
        noted = self.replayer.noted(step)
        if noted.broken is not None:
            return self._fail(step, noted.broken)
        if noted.quiet:
            self._nodes = nodes
            return True
        after: dict[Flags, Node] = {}
        reason: Failure | None = None
        for flags, node in nodes.items():
            outcome = self._explain(noted, flags)
            if isinstance(outcome, Failure):
                reason = reason or outcome
                continue
            for gained, choices in outcome.items():
                if gained not in after:
                    same = gained == flags and not choices
                    after[gained] = node if same else Node(gained, node, choices)
        if not after:
            assert reason is not None
            return self._fail(step, reason)
        self._nodes = prune(self.world, after)
        return True

    def resume(self, replayer: Replayer) -> ReplayState:
        """Return this script after all steps of a later compilation of the same game.

        What was worked out is kept where the steps before the last one are unchanged;
        otherwise the script is replayed from the beginning.

        Args:
            replayer: the later compilation, made ready.
        """
        steps, known = replayer.table.steps, self.replayer.table.steps
        first = 0 if self._last is None else self._last.index
        unchanged_so_far = (
            first < len(steps)
            and replayer.table.transcript.sheet == self.replayer.table.transcript.sheet
            and all(map(_is_same, known[:first], steps[:first]))
        )
        state = self.copy(replayer) if unchanged_so_far else replayer.begin(self.world.script)
        for step in steps[first if unchanged_so_far else 0 :]:
            if not state.advance(step):
                break
        return state

    def _before(self, step: Step) -> Step | None:
        return self.replayer.table.steps[step.index - 1] if step.index else None

    def _fail(self, step: Step, failure: Failure) -> bool:
        self.failure, self.failure_at = failure, step.at
        return False

    def _expired(self, step: Step) -> dict[Flags, Node]:
        """Return the nodes with the flags that outlive the end of a day or loop."""
        last = self._last
        if last is None or (last.loop, last.day) == (step.loop, step.day):
            return self._nodes
        nodes: dict[Flags, Node] = {}
        for flags, node in self._nodes.items():
            kept = NO_FLAGS if last.loop != step.loop else next_day(flags)
            if kept not in nodes:
                nodes[kept] = node if kept == flags else Node(kept, node, ())
        return nodes

    def _explain(self, noted: Noted, flags: Flags) -> Outcome:
        world = self.world
        match noted.step.name:
            case "cards":
                return explain_cards(world, noted, flags)
            case "mastermind":
                net = self.replayer.table.transcript.announces == "net"
                return explain_mastermind(world, noted, flags, net=net)
            case "goodwill":
                return explain_goodwill(world, noted, flags)
            case "incident":
                return explain_incident(world, noted, flags)
            case "night":
                return explain_night(world, noted, flags)
            case "loop_start":
                return explain_loop_start(world, noted, flags)
            case "day_start":
                return explain_entries(world, noted) or unchanged(flags)
            case "loop_end":
                return self._loop_end(noted, flags)
            case "final_guess":
                return explain_guess(world, noted, flags)
        return unchanged(flags)

    def _loop_end(self, noted: Noted, flags: Flags) -> Outcome:
        steps = self.replayer.table.steps[: noted.step.index]
        last_night = next(
            (step for step in steps[-1:] if step.name == NIGHT and step.last_night), None
        )
        replayer, loop = self.replayer, noted.step.loop

        def in_loop() -> list[tuple[str, Board]]:
            return replayer.deaths([step for step in steps if step.loop == loop])

        in_night = replayer.deaths([last_night] if last_night is not None else ())
        return explain_loop_end(self.world, noted, flags, last_night, in_night, in_loop)

    # The beginning ----------------------------------------------------------------------

    def _start(self) -> dict[Flags, Node]:
        """Return what may have been used before the first step (late starts)."""
        nodes = {NO_FLAGS: Node(NO_FLAGS, None, ())}
        start = self.replayer.table.transcript.start
        if start is None or start.at[1:] == (1, LOOP_START):
            return nodes
        for flag in self._open_flags(start.at):
            nodes |= {flags | {flag}: Node(flags | {flag}, None, ()) for flags in nodes}
        return nodes

    def _open_flags(self, at: At) -> list[Flag]:
        """Return the flags of which a late start leaves open whether they are set.

        Uses that only ever forbid something need not be looked at: without them everything
        is possible that is possible with them.
        """
        found: list[Flag] = [
            holding.flag
            for timing in (Timing.MASTERMIND, Timing.NIGHT)
            for holding in self.world.holdings(timing)
            if holding.ability.mandatory
            and holding.ability.per is not Per.DAY
            and not is_due_once(holding)
        ]
        if STEP_ORDER[at[2]] > STEP_ORDER[MASTERMIND_STEP]:
            found += [
                source.flag
                for source in sources(self.world)
                if source.goodwill is not None
                and source.flag is not None
                and source.holder is not None
                and self.world.may_refuse(source.holder) is None
            ]
        return found


def _is_same(one: Step, other: Step) -> bool:
    """Tell whether two compilations say the same of a step."""
    return (
        one.at == other.at
        and one.records == other.records
        and (one.complete, one.partial, one.continues, one.gap)
        == (other.complete, other.partial, other.continues, other.gap)
        and (one.ends_loop, one.dead_later) == (other.ends_loop, other.dead_later)
        and one.before == other.before
    )


def replay(table: Table, script: Script) -> Replay:
    """Judge whether some legal course of hidden choices shows exactly what was noted.

    Args:
        table: a compiled transcript.
        script: a script; one that does not fit the open sheet is not possible.

    Returns:
        The verdict, with a course or with the first step that cannot be, and why.
    """
    return Replayer(table).run(script)
