"""What explains the deaths of a night: distinct kills in some order (D-03, D-11)."""

from __future__ import annotations

from assistant.clues import curses, deaths, haunting
from assistant.clues.model import Flags, Piece, observed
from assistant.clues.night_demands import still_unused
from assistant.clues.reach import reach
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of
from engine import kleene
from engine.kleene import NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import (
    Ability,
    DieAndRaise,
    KillAnyHere,
    KillEverybody,
    KillHolder,
    KillOnlyCompanion,
    Role,
    Timing,
)
from engine.rules.queries import role_abilities
from engine.rulings import DEATH_ENDS_LOOP, GAINED_ROLE_COUNTS
from engine.table import Step, Table


def explained(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Return when distinct kills explain every death and lost guard of the night."""
    events = [(names, True) for names in deaths.dead_of(step)]
    events += [(names, False) for names in deaths.guards_of(step)]
    if not events:
        return []
    explanation = _Explanation(view, step)
    way = explanation.of(events) | _killed_all(view, step, explanation, events)
    who = " and ".join(" or ".join(name_of(table, name) for name in names) for names, _ in events)
    return [
        Piece(
            "explained",
            {flags: way},
            (observed(step),),
            ("D-11", "D-03"),
            f"{when(step.at)}: something killed {who}.",
        )
    ]


def everybody_hit(view: FormulaView, step: Step) -> Formula:
    """Return when all who were left alive could not die, where the list is closed (WM-12)."""
    if not step.complete or (step.over is not None and not step.over.deaths_closed):
        return TRUE
    hit = {who for names in (*deaths.dead_of(step), *deaths.guards_of(step)) for who in names}
    return all_of(
        view.unkillable(who).may
        for who in view.board.cards
        if who not in hit and view.board.alive(who) == YES
    )


def _killed_all(
    view: FormulaView,
    step: Step,
    explanation: _Explanation,
    events: list[tuple[tuple[str, ...], bool]],
) -> Formula:
    """Return when somebody alive killed everybody after the mandatory batch (WM-11, WM-12).

    The survivors then could not die, where the list of deaths is closed.
    """
    gone = {who for names, died in events for who in names if died and len(names) == 1}
    # The Protagonists die with them, unless they cannot (WM-11).
    told = step.over is not None or not (step.complete or step.continues)
    spared = TRUE
    if not told and view.shielded() == NO:
        spared = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    ways = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not isinstance(ability.does, KillEverybody):
            continue
        for who in view.board.cards:
            if who not in gone and view.board.alive(who) != NO:
                holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
                ways.append(holds.may & spared & everybody_hit(view, step))
    return any_of(ways)


class _Explanation:
    """Search over the orders in which the night's kills could have come (D-03)."""

    def __init__(self, view: FormulaView, step: Step) -> None:
        self.view = view
        self.step = step
        self._later_views: dict[frozenset[str], FormulaView] = {}
        self.abilities = [
            (role, ability)
            for role, ability in role_abilities(view, Timing.NIGHT)
            if isinstance(ability.does, KillOnlyCompanion | KillHolder | KillAnyHere | DieAndRaise)
        ]

    def of(self, events: list[tuple[tuple[str, ...], bool]]) -> Formula:
        """Return when distinct uses explain every event (card may be, "it died").

        Curses need no source; they come before all else, and a loop that ended with them knows
        no further kill (HS-06, D-15).
        """
        ways = []
        for cursed, rest in curses.shares(self.step, events):
            ended = FALSE
            if self.view.rulings[DEATH_ENDS_LOOP] is True:
                ended = any_of(self.view.death_ends_loop(who).must for who in cursed)
            way = self._batch(tuple(rest), frozenset(), cursed)
            ways.append(way & ~ended if rest else way)
        return any_of(ways)

    def _batch(
        self,
        events: tuple[tuple[tuple[str, ...], bool], ...],
        used: frozenset[tuple[str, str]],
        cursed: frozenset[str],
    ) -> Formula:
        """Explain events by the first batch on the snapshot, the others one by one after it."""
        ways: list[Formula] = []
        for chosen in range(2 ** len(events)):
            batch = [event for n, event in enumerate(events) if chosen >> n & 1]
            rest = tuple(event for n, event in enumerate(events) if not chosen >> n & 1)
            ways.append(self._first(batch, rest, used, cursed, cursed))
        return any_of(ways)

    def _first(
        self,
        batch: list[tuple[tuple[str, ...], bool]],
        rest: tuple[tuple[tuple[str, ...], bool], ...],
        used: frozenset[tuple[str, str]],
        dead: frozenset[str],
        cursed: frozenset[str],
    ) -> Formula:
        if not batch:
            return self._later(rest, used, dead)
        (names, died), *others = batch
        ways = []
        for victim in names:
            if victim in cursed:
                continue
            for key, term in self._kills(victim, cursed, mandatory=True):
                if key not in used:
                    gone = dead | {victim} if died else dead
                    ways.append(term & self._first(others, rest, used | {key}, gone, cursed))
        return any_of(ways)

    def _later(
        self,
        rest: tuple[tuple[tuple[str, ...], bool], ...],
        used: frozenset[tuple[str, str]],
        dead: frozenset[str],
    ) -> Formula:
        if not rest:
            return TRUE
        ways = []
        for number, (names, died) in enumerate(rest):
            others = rest[:number] + rest[number + 1 :]
            for victim in names:
                if victim in dead:
                    continue
                for key, term in self._kills(victim, dead, mandatory=None):
                    if key not in used and key[1] not in dead:
                        gone = dead | {victim} if died else dead
                        ways.append(term & self._later(others, used | {key}, gone))
        return any_of(ways)

    def _kills(
        self, victim: str, dead: frozenset[str], *, mandatory: bool | None
    ) -> list[tuple[tuple[str, str], Formula]]:
        """Return ((ability, holder), when) for every kill that may hit ``victim`` now."""
        found = []
        for role, ability in self.abilities:
            if mandatory and not ability.mandatory:
                continue
            for who in self.view.board.cards:
                may_hit_itself = isinstance(ability.does, KillAnyHere | DieAndRaise)
                if who in dead or (who == victim and not may_hit_itself):
                    continue
                term = any_of(
                    self._kill(role, ability, who, place, victim, dead)
                    for place in reach(self.view, who, night=True)
                )
                if term is not FALSE:
                    found.append(((ability.id, who), term))
        return found + self._by_the_horde(victim, dead)

    def _by_the_horde(
        self, victim: str, dead: frozenset[str]
    ) -> list[tuple[tuple[str, str], Formula]]:
        """Return the one kill a day of the horde together, tonight's dead among them (HS-15)."""
        view = self._later_views.get(dead)
        if view is None:
            board = self.view.board
            if dead:
                board = board.copy()
                for who in dead:
                    board.cards[who].alive = NO
            view = self._later_views[dead] = FormulaView(self.view.table, board, self.view.flags)
        terms = [
            haunting.outnumbered(view, place) for place in self.view.board.possible_places(victim)
        ]
        term = any_of(terms)
        return [] if term is FALSE else [(("outnumbered", "everybody"), term)]

    def _kill(
        self,
        role: Role,
        ability: Ability,
        who: str,
        place: str,
        victim: str,
        dead: frozenset[str],
    ) -> Formula:
        view = self.view
        if view.board.lives_at(victim, place) == NO:
            return FALSE
        holds = (view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))).may
        deed = ability.does
        if isinstance(deed, DieAndRaise):
            return holds if who == victim else FALSE
        if isinstance(deed, KillAnyHere):
            return holds & still_unused(view, self.step, ability, who)
        if isinstance(deed, KillOnlyCompanion):
            return holds if self._alone(who, place, victim, dead, deed.others) else FALSE
        assert isinstance(deed, KillHolder)
        span = kleene.span_of(view.board.tokens(deed.token, victim))
        if kleene.at_least(span, deed.n) == NO:
            return FALSE
        return holds & counts_as(view, victim, deed.role)

    def _alone(self, who: str, place: str, victim: str, dead: frozenset[str], others: int) -> bool:
        """Tell whether ``victim`` may be the only other living card at ``place`` now."""
        low = high = 0
        for other in self.view.board.cards:
            if other not in (who, victim) and other not in dead:
                fact = self.view.board.lives_at(other, place)
                low, high = low + (fact >> 1), high + (fact & 1)
        return kleene.exactly((low + 1, high + 1), others) != NO


def counts_as(view: FormulaView, who: str, role: str) -> Formula:
    """Return when a rule that speaks of ``role`` may mean ``who``: gained roles too (D-10)."""
    if view.rulings[GAINED_ROLE_COUNTS] is False:
        return view.current_role(who, role).may
    return view.acts_as(who, role).may
