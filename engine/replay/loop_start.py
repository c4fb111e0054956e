"""Loop start and day start under what was noted (N-04, N-05, P-05)."""

from __future__ import annotations

from engine import records
from engine.kleene import NO, YES
from engine.replay import curses
from engine.replay.matching import Bag, stands_for
from engine.replay.noted import Noted
from engine.replay.paths import Choices, Outcome, Paths
from engine.rules.model import GaugeUse, Place, RaiseGauge, Timing
from engine.steps import loop_start
from engine.steps.choice import Choice, choice_of
from engine.steps.common import Failure, name, tokens_text
from engine.steps.loop_start import Due
from engine.steps.mastermind import stray_moves
from engine.view import Flags, ScriptView, World
from engine.words import INTRIGUE, LOOP_START, TOKENS


def explain_entries(world: World, noted: Noted) -> Failure | None:
    """Judge which late characters appear in a loop start or day start (P-05)."""
    step = noted.step
    day = 0 if step.name == LOOP_START else step.day
    entered = [record for record in step.records if isinstance(record, records.Enters)]
    if not world.late and not entered:
        return None
    due = {who for who in world.late if world.enters(who, step.loop, day)}
    for record in entered:
        fitting = [who for who in due if stands_for(step.before, record.who, who)]
        if not fitting:
            return Failure("P-05", "The script lets nobody enter at this moment.")
        due.discard(fitting[0])
    if noted.closed:
        for who in due:
            if step.before.cards.get(who) is None:
                return Failure("P-05", f"{name(world.rules, who)} had to enter here.")
    return None


def explain_loop_start(world: World, noted: Noted, flags: Flags) -> Outcome:
    """Judge the tokens of a loop start: in a complete step exactly those that are due."""
    failure = explain_entries(world, noted) or _public_causes(world, noted)
    failure = failure or _gauge(world, noted)
    if failure is not None:
        return failure
    view = ScriptView(world, noted.step.after, flags)
    placed = curses.start_choices(view, noted.at, noted.curses)
    if isinstance(placed, Failure):
        return placed
    if not noted.bag and not _may_be_due(world, noted):
        return {flags: placed}
    free = _free_tokens(view, noted)
    due = loop_start.due_tokens(view)
    search = _Search(view, noted, due, free)
    search.go(noted.bag, {}, placed)
    if search.paths:
        return search.paths
    return search.why_not()


def _public_causes(world: World, noted: Noted) -> Failure | None:
    """Judge tokens with a public cause: each card brings its one token (N-04)."""
    seen: set[str] = set()
    for record in noted.step.records:
        if not isinstance(record, records.Token) or record.by is None:
            continue
        cause = world.rules.characters.get(record.by)
        if cause is None or record.by not in noted.step.after.cards:
            return Failure("N-04", f"{record.by} is not here and brings no token.")
        board, on = noted.step.after, record.on
        own = cause.start_token and stands_for(board, on, cause.id)
        place = record.token == INTRIGUE and stands_for(board, on, cause.start_intrigue)
        if record.n != 1 or record.by in seen or not (own or place):
            return Failure(f"K-{cause.name}", f"{cause.name} brings no such tokens here.")
        seen.add(record.by)
    return None


def _gauge(world: World, noted: Noted) -> Failure | None:
    """Judge the gauge at a loop start: it stands at 0 unless a rule raises it (MC-02)."""
    value = noted.step.after.gauge
    if world.rules.gauge is not GaugeUse.INCIDENTS or value is None:
        return None
    view = ScriptView(world, noted.step.before)
    raised = NO
    for holding in world.holdings(Timing.LOOP_START):
        if isinstance(holding.ability.does, RaiseGauge):
            raised |= view.holds(holding)
    if (value == 0 and raised != YES) or (value == 1 and raised):
        return None
    return Failure("MC-02", f"In this script the gauge is not at {value} at this loop start.")


def _may_be_due(world: World, noted: Noted) -> bool:
    if not noted.closed:
        return False
    if world.holdings(Timing.LOOP_START):
        return True
    characters = world.rules.characters
    return any(characters[who].start_token for who in noted.step.after.cards)


def _free_tokens(view: ScriptView, noted: Noted) -> frozenset[str]:
    """Return the cards whose one token of any kind has not been noted with its cause."""
    named = {
        record.by
        for record in noted.step.records
        if isinstance(record, records.Token) and record.by is not None
    }
    return frozenset(who for who in loop_start.with_start_token(view) if who not in named)


class _Search:
    """Assigns tokens on cards that could not be named; then compares the sums."""

    def __init__(self, view: ScriptView, noted: Noted, due: Due, free: frozenset[str]) -> None:
        self.view = view
        self.noted = noted
        self.due = due
        self.free = free
        self.paths: Paths = {}
        self.reason: Failure | None = None

    def go(self, bag: Bag, sums: dict[tuple[str, str], int], choices: Choices) -> None:
        if not bag:
            self.compare(sums, choices)
            return
        item, rest = bag[0], bag[1:]
        record = item.record
        if not isinstance(record, records.Token):
            self.reason = Failure("N-04", "Nothing shows this at a loop start.")
            return
        board = self.view.board
        spots = (*board.cards, *board.intrigue)
        if isinstance(record.on, str):
            spots = (record.on,)
        for on in spots:
            if stands_for(board, record.on, on):
                key = (on, record.token)
                self.go(rest, {**sums, key: sums.get(key, 0) + record.n}, choices)

    def compare(self, sums: dict[tuple[str, str], int], choices: Choices) -> None:
        """Compare the sums with what is due; the free tokens make up for one each."""
        board, flags = self.view.board, self.view.flags
        for (on, kind), n in sums.items():
            on_card = on in board.cards and kind in TOKENS
            if not on_card and not (on in board.intrigue and kind == INTRIGUE):
                self.reason = self._no_source(on, kind, n)
                return
        for place in board.intrigue:
            left = sums.get((place, INTRIGUE), 0) - self._public(place)
            if left <= 0:
                continue
            moves = list(stray_moves(self.view.on(board), self.noted.at, place))
            flag = moves[0].flag if moves else None
            if left > 1 or flag is None or flag in flags:
                self.reason = self._no_source(place, INTRIGUE, left)
                return
            flags |= {flag}
            choices = (*choices, choice_of(self.noted.at, moves[0]))
        for on in board.cards:
            extra = self._free_token(sums, on) if on in self.free else None
            for kind in TOKENS:
                n = sums.get((on, kind), 0) - (kind == extra)
                least, most = self.due.get((on, kind), (0, 0))
                if n < 0 or n > most:
                    self.reason = self._no_source(on, kind, n)
                    return
                if self.noted.closed and n < least:
                    self.reason = self._missing(on, kind, least)
                    return
            if extra is not None:
                choices = (*choices, self._start_token(on, extra))
            elif on in self.free and self.noted.closed:
                who = name(self.view.rules, on)
                self.reason = Failure("N-04", f"{who} gets a token of some kind at a loop start.")
                return
        self.paths.setdefault(flags, choices)

    def _free_token(self, sums: dict[tuple[str, str], int], on: str) -> str | None:
        """Return the kind of the one free token on a card: rather one that nothing else brings."""
        best = None
        for kind in TOKENS:
            n = sums.get((on, kind), 0)
            least, most = self.due.get((on, kind), (0, 0))
            if n > most:
                return kind
            if n - 1 >= (least if self.noted.closed else 0):
                best = kind
        return best

    def _public(self, on: str) -> int:
        """Return the Intrigue that cards bring to this location for all to see."""
        return sum(1 for place in loop_start.public_intrigue(self.view).values() if place == on)

    def _start_token(self, on: str, kind: str) -> Choice:
        shown = records.Token(at=self.noted.at, on=on, token=kind, n=1)  # type: ignore[arg-type]
        return Choice(self.noted.at, "start_token", on, on, (shown,))

    def _no_source(self, on: str, kind: str, n: int) -> Failure:
        ruling = self._ruling(kind)
        where = name(self.view.rules, on)
        return Failure(
            ruling, f"Nothing in this script places {tokens_text(kind, n)} on {where} here."
        )

    def _missing(self, on: str, kind: str, n: int) -> Failure:
        where = name(self.view.rules, on)
        return Failure(self._ruling(kind), f"{where} had to get {tokens_text(kind, n)} here.")

    def _ruling(self, kind: str) -> str:
        """Return the ruling of an ability that places such tokens, N-04 if there is none."""
        rules = self.view.rules
        abilities = [role.abilities for role in rules.roles.values()]
        abilities += [plot.abilities for plot in rules.plots.values()]
        for ability in (one for several in abilities for one in several):
            deed = ability.does
            fits = isinstance(deed, Place) and deed.token == kind
            if fits and ability.timing is Timing.LOOP_START and ability.rulings:
                return ability.rulings[0]
        return "N-04"

    def why_not(self) -> Failure:
        return self.reason or Failure("N-04", "The tokens of this loop start do not add up.")
