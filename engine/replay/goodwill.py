"""The Goodwill step under what was noted (G-01 to G-20): use by use, accepted or refused."""

from __future__ import annotations

from collections.abc import Iterator

from engine import records
from engine.kleene import MAYBE, NO, YES
from engine.replay import knowledge
from engine.replay.aftermath import Leftover, text_of
from engine.replay.clearing import before_clearing
from engine.replay.effect import Effect, Trace
from engine.replay.matching import Bag, consume, consume_all, stands_for
from engine.replay.noted import Noted, NotedUse, ability_of, touched
from engine.replay.paths import Choices, Outcome, Paths, unchanged
from engine.replay.unnoted import without_unnoted
from engine.rules.model import (
    Character,
    ClearUser,
    GaugeUp,
    GoodwillAbility,
    LastingEffect,
    ResolveIncident,
)
from engine.rulings import NOTHING_IS_REFUSAL
from engine.steps import culprits, goodwill
from engine.steps.choice import ACCEPTED, REFUSED, Choice
from engine.steps.common import Failure, Move, name
from engine.steps.deaths import any_ends_loop, judge_end
from engine.steps.knowledge import counts_knowledge
from engine.steps.trigger import incident_of
from engine.view import Flags, ScriptView, World
from engine.words import LOST, NOTHING, RESOLVED
from engine.words import REFUSED as SAID_REFUSED

End = tuple[int, int]
"""Truths of "a death ended the loop" and "the Protagonists were killed"."""
_State = tuple[Flags, int, int, int, int]
"""Flags, the two truths of ``End``, and the least and most that uses have raised the gauge."""


def explain_goodwill(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge a Goodwill step in one world, the uses in the order in which they were declared."""
    if not noted.uses and not noted.bag and not noted.opened:
        failure = knowledge.misses(world.rules, noted.step, 0, 0)
        if failure is None and noted.step.over is not None:
            rulings = ("I-24", "I-24", "I-24")
            failure = judge_end(noted.step.over, False, NO, NO, rulings=rulings)
        return failure or unchanged(flags)
    failure = _strays(world, noted, flags)
    if failure is not None:
        return failure
    states: dict[_State, Choices] = {(flags, NO, NO, 0, 0): ()}
    for use in noted.uses:
        states, reason = _through(world, noted, use, states)
        if not states:
            return reason or Failure("G-07", "This use cannot have gone like this.")
    return _finish(world, noted, states)


def _through(
    world: World, noted: Noted, use: NotedUse, states: dict[_State, Choices]
) -> tuple[dict[_State, Choices], Failure | None]:
    after: dict[_State, Choices] = {}
    reason: Failure | None = None
    for (flags, ends, killed, least, most), choices in states.items():
        if YES in {ends, killed}:
            reason = reason or Failure("L-02", "The loop had ended before this use.")
            continue
        one = _Use(ScriptView(world, use.board, flags), noted, use)
        one.run()
        reason = reason or one.reason
        for (gained, ending, killing, low, high), made in one.found.items():
            key = (gained, ends | ending, killed | killing, least + low, most + high)
            after.setdefault(key, (*choices, *made))
    return after, reason


def _finish(world: World, noted: Noted, states: dict[_State, Choices]) -> Outcome:
    step = noted.step
    paths: Paths = {}
    reason: Failure | None = None
    for (flags, ends, killed, least, most), choices in states.items():
        missed = knowledge.misses(world.rules, step, least, most)
        if missed is not None:
            reason = reason or missed
            continue
        if step.over is not None and step.over.word == LOST and not ends:
            reason = Failure("L-02", "The loop was lost, and nobody who died here ends it.")
            continue
        failure = judge_end(
            step.over,
            step.continues,
            ends,
            killed,
            rulings=("L-02", "I-24", "I-26"),
            told=step.complete,
        )
        reason = reason or failure
        if failure is None:
            paths.setdefault(flags, choices)
    if not paths:
        return reason or Failure("I-24", "The loop cannot have ended here.")
    return _opened(world, noted, paths)


def _opened(world: World, noted: Noted, paths: Paths) -> Paths:
    """Add the paths on which a use that was not noted brought an effect into force."""
    for flag in noted.opened:
        for flags, choices in tuple(paths.items()):
            view = ScriptView(world, noted.step.before, flags)
            if any(
                goodwill.may_accept(view, who, ability)
                for who, ability in _bringing(view, flag[1], flag[2])
            ):
                paths.setdefault(flags | {flag}, choices)
    return paths


def _bringing(view: ScriptView, kind: str, on: str | None) -> Iterator[tuple[str, GoodwillAbility]]:
    for who in view.board.cards:
        for ability in view.rules.characters[who].goodwill:
            does = ability.does
            if (
                isinstance(does, LastingEffect)
                and does.kind == kind
                and (ability.target.character or who) == on
            ):
                yield who, ability


def _strays(world: World, noted: Noted, flags: Flags) -> Failure | None:
    """Judge records before any use, and the Leader's transfers (K-Sacred Tree)."""
    view = ScriptView(world, noted.step.before, flags)
    bag = noted.bag if noted.closed else without_unnoted(view, noted, noted.bag)
    for item in bag:
        record = item.record
        if not isinstance(record, records.Shifted):
            return Failure("G-01", text_of(world, record))
        givers = [
            who
            for who in view.board.cards
            if world.rules.characters[who].passes_token
            and stands_for(view.board, record.source, who)
        ]
        # A token that came in this step may be passed on at once (G-01).
        late = view.on(noted.step.after)
        if not any(
            any(
                consume((item,), move.shows[0], view.board)
                for move in goodwill.transfers(view, noted.at, who)
            )
            or _may_pass(late, who, record.to)
            for who in givers
        ):
            return Failure("K-Sacred Tree", text_of(world, record))
    return None


def _may_pass(late: ScriptView, giver: str, to: records.Who) -> bool:
    if not late.board.alive(giver):
        return False
    return any(
        who != giver and stands_for(late.board, to, who) and bool(late.board.alive(who))
        for who in late.board.cards
    )


class _Use:
    """One declared use in one world: every way in which it may have gone."""

    def __init__(self, view: ScriptView, noted: Noted, use: NotedUse) -> None:
        self.view = view
        self.noted = noted
        self.use = use
        self.bag = use.bag
        self.told: str | None = None
        self.found: dict[_State, Choices] = {}
        self.reason: Failure | None = None

    def run(self) -> None:
        """Find the ways."""
        board = self.use.board
        who = self.use.record.who
        users = (who,) if isinstance(who, str) else tuple(board.cards)
        for user in users:
            if stands_for(board, who, user):
                ability = ability_of(self.view.rules, user, self.use.record.key)
                if ability is None:
                    self._fail("G-01", f"{name(self.view.rules, user)} has no such ability.")
                else:
                    self._answer(user, ability)

    def _fail(self, ruling: str, why: str) -> None:
        if self.reason is None:
            self.reason = Failure(ruling, why)

    def _answer(self, who: str, ability: GoodwillAbility) -> None:
        view, outcome = self.view, self.use.record.outcome
        only_refusal = (
            outcome == NOTHING
            and ability.refusable
            and view.world.rulings[NOTHING_IS_REFUSAL] is True
        )
        user = view.rules.characters[who]
        if outcome == RESOLVED or (outcome == NOTHING and not only_refusal):
            if goodwill.may_accept(view, who, ability):
                self._accepted(user, ability)
            elif outcome == RESOLVED:
                used = goodwill.used_by_mastermind(view, who, ability)
                self._fail(
                    "M-11" if used else "G-05",
                    f"{user.name} had been used today already."
                    if used
                    else f"{user.name} has a role that has to refuse.",
                )
        if outcome in (SAID_REFUSED, NOTHING):
            self._refused(user, ability)

    def _refused(self, user: Character, ability: GoodwillAbility) -> None:
        view = self.view
        unusable = self.use.record.outcome == NOTHING and goodwill.used_by_mastermind(
            view, user.id, ability
        )
        if not goodwill.may_refuse(view, user.id, ability) and not unusable:
            ruling = "G-06" if ability.refusable else "G-08"
            self._fail(ruling, f"{user.name} has no role that could refuse this.")
        elif self.use.bag:
            self._fail("G-06", "A refused use shows nothing.")
        else:
            choice = self._choice(user, ability, None, (), REFUSED)
            self._add(view.flags, (), NO, choice, rise=(1, 1))

    def _choice(
        self,
        user: Character,
        ability: GoodwillAbility,
        on: str | None,
        shows: tuple[records.AnyRecord, ...],
        answer: str,
    ) -> Choice:
        source = f"{user.id}.{ability.key}"
        return Choice(self.noted.at, source, user.id, on, shows, answer)

    # Accepted ---------------------------------------------------------------------------

    def _accepted(self, user: Character, ability: GoodwillAbility) -> None:
        record = self.use.record
        self.bag, self.told = knowledge.own_reveal(
            self.view, record, user.id, ability, self.use.bag
        )
        failure = knowledge.told_by_use(self.view, self.noted.step, user.id, ability, self.told)
        if failure is not None:
            self._fail(failure.ruling, failure.why)
            return
        if isinstance(ability.does, ResolveIncident):
            self._incident(user, ability)
            return
        target = record.target
        moves = goodwill.acceptances(
            self.view,
            self.noted.at,
            user,
            ability,
            target,
            record.choice,
            tuple(item.record for item in self.bag),
        )
        fitted = False
        for move in moves:
            for bag in self._taken(move):
                fitted = True
                self._leftover(user, ability, move, bag)
        if not fitted:
            self._unfit(user, ability)

    def _taken(self, move: Move) -> list[Bag]:
        if self.use.record.outcome == NOTHING:
            return [] if move.shows else [self.bag]
        ended = self.noted.step.over is not None and self.use.last
        closed = self.noted.closed and (not ended or self.noted.deaths_closed)
        return consume_all(self.bag, move.shows, self.use.board, closed=closed)

    def _unfit(self, user: Character, ability: GoodwillAbility) -> None:
        """Say why acceptance cannot have shown this."""
        rulings = [ruling for ruling in ability.rulings if not ruling.startswith("K-")]
        ruling = rulings[0] if rulings else "G-20"
        if self.use.record.outcome == NOTHING or not self.bag:
            ruling = "G-08" if not ability.refusable else rulings[0] if rulings else "G-20"
            self._fail(ruling, f"Accepted, the ability of {user.name} had to show something.")
            return
        self._fail(ruling, f"Accepted, the ability of {user.name} does not show this.")

    def _leftover(self, user: Character, ability: GoodwillAbility, move: Move, bag: Bag) -> None:
        dead = tuple(str(record.who) for record in move.shows if isinstance(record, records.Death))
        if self.noted.closed and bag is self.bag:
            dead = ()  # left out where the loop ended; "lost" rests on deaths that were noted
        ends = any_ends_loop(self.view, dead)
        rest = self._rest(bag, dead, ends)
        if rest.failure is not None:
            self._fail(rest.failure.ruling, rest.failure.why)
            return
        if ends == YES and not self.use.last:
            self._fail("L-02", "This death ends the loop, and further uses were declared.")
            return
        flags = rest.flags
        if move.flag is not None and self._is_open(move.flag[1], move.flag[2]):
            flags |= {move.flag}
        choice = self._choice(user, ability, move.on, move.shows, ACCEPTED)
        self._add(flags, dead, NO, choice, *rest.choices, rise=self._rise(ability))

    def _rise(self, ability: GoodwillAbility, raised: int = 0) -> tuple[int, int]:
        """Return the least and most by which an accepted use moves the gauge (WM-10, WM-22)."""
        least = most = raised
        if isinstance(ability.does, ClearUser):
            least, most = least - 1, most + 1
        if self.told is not None:
            most += 1
        if self.use.record.outcome == NOTHING:
            least = min(least, 0)
        return least, most

    def _is_open(self, kind: str, on: str | None) -> bool:
        assert on is not None
        return self.use.after.effect(kind, on) == MAYBE

    def _rest(self, bag: Bag, dead: tuple[str, ...], ends: int) -> Leftover:
        step = self.noted.step
        ended = self.use.last and (step.over is not None or (ends != NO and not step.continues))
        rest = Leftover(self.view, self.use.after, self.noted, bag, dead, ended=ended, stray=False)
        if rest.failure is not None and not self.noted.closed:
            # An effect may belong to a use after this one that was not noted.
            bag = without_unnoted(self.view, self.noted, bag)
            rest = Leftover(
                self.view, self.use.after, self.noted, bag, dead, ended=ended, stray=False
            )
        return rest

    def _add(
        self,
        flags: Flags,
        dead: tuple[str, ...],
        killed: int,
        *made: Choice,
        rise: tuple[int, int],
    ) -> None:
        moved = rise if counts_knowledge(self.view.rules) else (0, 0)
        key = (flags, any_ends_loop(self.view, dead), killed, *moved)
        self.found.setdefault(key, made)

    # An incident that a card resolves itself (K-A.I.) -----------------------------------

    def _incident(self, user: Character, ability: GoodwillAbility) -> None:
        """Match an effect that the Leader let a card resolve, with that card as its culprit."""
        view, record = self.view, self.use.record
        target = record.target
        day = getattr(target, "day", None)
        ended = self.noted.step.over is not None and self.use.last
        quiet = record.outcome == NOTHING
        raised = 0
        if quiet and self.bag:
            self._fail("G-07", "Something was seen, so it is not true that nothing happened.")
            return

        def done(way: Trace) -> None:
            dead = way.seen if self.noted.closed else way.dead
            ends = any_ends_loop(view, dead)
            rest = self._rest(way.bag, dead, ends)
            if rest.failure is None:
                choice = self._choice(user, ability, None, (), ACCEPTED)
                rise = self._rise(ability, raised)
                self._add(rest.flags, dead, way.killed, choice, *way.choices, rise=rise)

        for number, item in enumerate(view.sheet.incidents):
            if day in (None, item.day):
                named = touched(self.bag)
                parts = incident_of(view, number).parts * user.effect_times
                raised = sum(part.n for part in parts if isinstance(part, GaugeUp))
                for diagonal in culprits.sides(view, user.id, borrowed=True):
                    effect = Effect(
                        view,
                        self.noted.at,
                        number,
                        user.id,
                        parts,
                        self.noted.closed or quiet,
                        self.noted.deaths_closed or quiet,
                        ended,
                        None if named is None else named | {user.id},
                        done,
                        diagonal,
                    )
                    for bag in before_clearing(
                        view, self.noted, number, user.id, self.bag, borrowed=True
                    ):
                        effect.run(bag, self.use.board)
        if not self.found:
            self._fail("I-26", f"Resolved by {user.name}, the incident does not show this.")
