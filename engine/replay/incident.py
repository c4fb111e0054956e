"""The incident step under what was noted (I-01 to I-26)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine import records
from engine.kleene import NO, YES
from engine.replay import knowledge
from engine.replay.aftermath import Leftover, text_of
from engine.replay.clearing import before_clearing
from engine.replay.counted import incident_counted
from engine.replay.effect import Effect, Trace
from engine.replay.matching import Bag
from engine.replay.noted import Noted
from engine.replay.paths import Choices, Outcome, Paths, unchanged
from engine.rules.model import EndLoop, GaugeUp, Part
from engine.rulings import DEATHS_FIRST
from engine.steps import culprits, incident
from engine.steps.common import Failure, name
from engine.steps.deaths import any_ends_loop, judge_end, with_unnoted
from engine.steps.knowledge import rise as knowledge_rise
from engine.steps.recurring import hunted
from engine.steps.trigger import incident_of, is_upset, trigger
from engine.view import SUPPRESSED, Flags, ScriptView, World
from engine.words import DEAD, LOST


def explain_incident(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge an incident step in one world."""
    view = ScriptView(world, noted.step.before, flags)
    step = noted.step
    if not noted.numbers or noted.said is False:
        for number in noted.numbers:
            if trigger(view, number) == YES:
                return Failure("I-01", f"The {incident.sentence(view, number)} had to occur.")
        return _nothing_happened(view, noted)
    unsaid = noted.said is None and not noted.bag and step.over is None
    # Nothing was said: it may not have happened, or happened without being noted.
    if unsaid and not (
        noted.closed and all(trigger(view, number) == YES for number in noted.numbers)
    ):
        return unchanged(flags)
    search = _Search(view, noted)
    for numbers in _occurring(view, noted.numbers):
        search.run(numbers)
    if search.paths:
        return search.paths
    return search.reason or _not_triggered(view, noted)


def _nothing_happened(view: ScriptView, noted: Noted) -> Outcome:
    """Judge a step without an incident: only a stray Rumor could show (M-08)."""
    rest = Leftover(view, noted.step.after, noted, noted.bag, (), ended=False)
    if rest.failure is not None:
        return rest.failure
    failure = judge_end(
        noted.step.over, noted.step.continues, NO, NO, rulings=("I-24", "I-22", "I-22")
    )
    return failure or {rest.flags: rest.choices}


def _occurring(view: ScriptView, numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield which incidents of the day may be the ones that occurred."""
    for size in range(len(numbers), 0, -1):
        for chosen in combinations(numbers, size):
            if all(trigger(view, n) if n in chosen else trigger(view, n) != YES for n in numbers):
                yield chosen


def _not_triggered(view: ScriptView, noted: Noted) -> Failure:
    """Say why today's incident could not occur."""
    number = noted.numbers[0]
    culprit = view.world.culprits[number]
    who = name(view.rules, culprit)
    if culprit in view.board.intrigue:
        return Failure("HS-03", f"Too few corpses lie at {who}, where the mob is.")
    if culprit is None or not view.board.alive(culprit):
        here = culprit is not None and view.board.dead(culprit)
        return Failure("I-01" if here else "B-07", f"{who}, the culprit, is not alive here.")
    if view.effect(SUPPRESSED, culprit) == YES and is_upset(view, number, culprit):
        return Failure("G-16", f"The incidents of {who} are off in this loop.")
    return Failure("I-01", f"{who}, the culprit, has too little Unease.")


def _ends_loop(parts: tuple[Part, ...]) -> bool:
    return any(isinstance(part, EndLoop) for part in parts)


class _Search:
    """Goes through the effects of the incidents that occurred, one after the other."""

    def __init__(self, view: ScriptView, noted: Noted) -> None:
        self.view = view
        self.noted = noted
        self.paths: Paths = {}
        self.reason: Failure | None = None
        self.numbers: tuple[int, ...] = ()
        self.hunted = NO

    def run(self, numbers: tuple[int, ...]) -> None:
        """Search with these incidents having occurred."""
        self.numbers = numbers
        self.hunted = hunted(self.view, numbers)
        self._next(numbers, Trace(self.noted.step.before, self.noted.bag))

    def _next(self, numbers: tuple[int, ...], trace: Trace) -> None:
        if not numbers:
            self._finish(trace)
            return
        number, rest = numbers[0], numbers[1:]
        culprit = self.view.world.culprits[number]
        assert culprit is not None
        noted = self.noted

        def done(way: Trace) -> None:
            joined = Trace(
                way.board,
                way.bag,
                (*trace.dead, *way.dead),
                (*trace.seen, *way.seen),
                way.killed,
                (*trace.choices, *way.choices),
            )
            self._next(rest, joined)

        touched = None if noted.touched is None else noted.touched | {culprit}
        for diagonal in culprits.sides(self.view, culprit):
            effect = Effect(
                self.view,
                noted.at,
                number,
                culprit,
                incident.effect_parts(self.view, number, culprit),
                noted.closed,
                noted.deaths_closed,
                noted.step.over is not None,
                touched,
                done,
                diagonal,
                noted.chosen,
            )
            for bag in before_clearing(
                self.view, noted, number, culprit, trace.bag, borrowed=False
            ):
                effect.run(bag, trace.board, trace.killed)
        if not self.paths and self.reason is None:
            self.reason = self._empty(number, trace.bag)

    def _empty(self, number: int, bag: Bag) -> Failure:
        sentence = incident.sentence(self.view, number)
        if bag:
            return Failure("I-09", f"The {sentence} cannot have shown this.")
        return Failure("I-26", f"The {sentence} had to show something.")

    def _finish(self, trace: Trace) -> None:
        noted, step = self.noted, self.noted.step
        # In a complete step "lost" rests on a death that was noted (I-23).
        ends = any_ends_loop(self.view, trace.seen if noted.closed else trace.dead)
        ends = with_unnoted(ends, step)
        ended = step.over is not None or (ends != NO and not step.continues)
        rest = Leftover(self.view, step.after, noted, trace.bag, trace.dead, ended=ended)
        failure = rest.failure or self._stopped()
        if failure is None:
            within = step.over is not None or step.ends_loop
            within = within or (not step.continues and ends != NO)
            failure = incident_counted(self.view, step, self.numbers, ended=within)
        if failure is None:
            failure = self._gauge(ended=ended)
        killed = trace.killed | self.hunted
        if failure is None:
            failure = judge_end(
                step.over,
                step.continues,
                ends,
                killed,
                rulings=("I-23", "I-22", "I-26"),
                told=step.complete,
            )
        if failure is None and ends == YES and self._killed_at_once(trace):
            failure = self._order()
        if failure is None:
            choices: Choices = (*trace.choices, *rest.choices)
            self.paths.setdefault(rest.flags, choices)
        elif self.reason is None or rest.failure is None:
            self.reason = self._ruling(failure, trace)

    def _stopped(self) -> Failure | None:
        """Judge "the loop ended after this step", or went on, by an effect that says so (MC-19)."""
        step = self.noted.step
        ending = stopped = False
        for number in self.numbers:
            culprit = self.view.world.culprits[number]
            assert culprit is not None
            ending = ending or _ends_loop(incident_of(self.view, number).parts)
            stopped = stopped or _ends_loop(incident.effect_parts(self.view, number, culprit))
        if stopped and step.continues:
            return Failure("MC-19", "The loop had to end after this step, and play went on.")
        if ending and not stopped and step.ends_loop:
            return Failure("MC-19", "The effect was void, and the loop ended after this step.")
        return None

    def _gauge(self, *, ended: bool) -> Failure | None:
        """Judge how far the gauge moved: by told deaths and by the effect itself (WM-01)."""
        full = 0
        for number in self.numbers:
            culprit = self.view.world.culprits[number]
            assert culprit is not None
            parts = incident.effect_parts(self.view, number, culprit)
            full += sum(part.n for part in parts if isinstance(part, GaugeUp))
        failure = knowledge.misses(self.view.rules, self.noted.step, full, full)
        if failure is None or not ended:
            return failure
        # The loop may have ended before the gauge was moved (I-25).
        step = self.noted.step
        rise = knowledge_rise(step.before, step.after) or 0
        told = knowledge.told_deaths(self.view.rules, step)
        return None if 0 <= rise < told + full else failure

    def _killed_at_once(self, trace: Trace) -> bool:
        """Tell whether a part for which the table ruling speaks killed the Protagonists."""
        by_place = any(
            isinstance(part, incident.Fatal)
            for number in self.numbers
            for part in incident_of(self.view, number).parts
        )
        return trace.killed == YES and by_place and self.hunted == NO

    def _order(self) -> Failure | None:
        """Judge the word where deaths end the loop and the Protagonists die (I-16, L-04).

        While the table ruling is open either word is accepted.
        """
        over, deaths_first = self.noted.step.over, self.view.world.rulings[DEATHS_FIRST]
        if over is None or deaths_first is None:
            return None
        if deaths_first and over.word == DEAD:
            return Failure("I-16", "The deaths come first at this table, and one ends it.")
        if not deaths_first and over.word == LOST:
            return Failure("I-16", "At this table the Protagonists die all the same.")
        return None

    def _ruling(self, failure: Failure, trace: Trace) -> Failure:
        """Name the incident's own ruling where a record has no place in its effect."""
        if failure.ruling != "I-09" or not trace.bag:
            return failure
        record = trace.bag[0].record
        who = getattr(record, "who", None)
        if isinstance(record, records.Death) and isinstance(who, str):
            unkillable = self.view.unkillable(who) == YES
            if unkillable:
                return Failure("B-09", f"{name(self.view.rules, who)} cannot die.")
        rulings = [
            ruling
            for number in self.noted.numbers
            for ruling in incident_of(self.view, number).rulings
        ]
        return Failure(rulings[0] if rulings else "I-09", text_of(self.view.world, record))
