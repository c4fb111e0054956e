"""The night read backward: who had to die, and what explains who did."""

from __future__ import annotations

from collections import Counter

from assistant.clues import deaths, knowledge
from assistant.clues.loop_end import losses
from assistant.clues.mastermind import next_use
from assistant.clues.model import Flags, Piece, add_way, completed, observed
from assistant.clues.reach import reach, turf_of
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of
from engine import kleene, records
from engine.kleene import NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import (
    Ability,
    DieAndRaise,
    GaugeUse,
    KillAnyHere,
    KillEverybody,
    KillHolder,
    KillOnlyCompanion,
    KillProtagonists,
    On,
    Per,
    Place,
    Role,
    Timing,
)
from engine.rules.queries import plot_abilities, role_abilities
from engine.rulings import GAINED_ROLE_COUNTS, TURF_AT_NIGHT
from engine.table import Step, Table
from engine.table.apply import candidates
from engine.words import DEAD, LOST, NIGHT, NO_WORD


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a night under given flags (D-01 to D-17)."""
    view = FormulaView(table, step.before, flags)
    after = FormulaView(table, step.after, flags)
    tokens = Counter[tuple[str, str]]()
    for record in step.records:
        if isinstance(record, records.Token) and record.on not in view.board.intrigue:
            names = candidates(step.before, record.on)
            tokens[names[0] if len(names) == 1 else "somebody", record.token] += record.n
    return [
        *_demands(table, step, view, flags),
        *_due_kills(table, step, view, flags),
        *_protagonists_spared(table, step, view, after, flags),
        *_explained(table, step, view, flags),
        *_stray_tokens(table, step, view, flags),
        *deaths.killable(table, step, view, flags),
        *deaths.play_went_on(table, step, view, flags),
        *deaths.reactions(table, step, view, flags, tokens),
        *deaths.reveals(table, step, view, flags),
        *knowledge.night_gauge(table, step, view, flags),
        *_own_deaths_due(table, step, view, flags),
        *_word(table, step, view, after, flags),
    ]


# What had to show ---------------------------------------------------------------------


def _demands(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A mandatory kill with its condition met shows, unless the victim cannot die (D-05)."""
    if not step.complete or step.over is not None:
        return []
    hit = {who for names in (*deaths.dead_of(step), *deaths.guards_of(step)) for who in names}
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    found: list[Piece] = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not ability.mandatory or not isinstance(ability.does, KillOnlyCompanion):
            continue
        for who in view.board.cards:
            victims = _forced_victims(view, who, ability.does)
            if not victims or any(victim in hit for victim in victims):
                continue
            place = view.board.cards[who].at
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))
            way = ~holds.must | any_of(view.unkillable(v).may for v in victims) | ended
            if way is TRUE:
                continue
            names = " and ".join(name_of(table, victim) for victim in victims)
            found.append(
                Piece(
                    f"silent:{role.id}.{who}",
                    {flags: way},
                    (completed(step), observed(step)),
                    ("D-05", *ability.rulings),
                    f"{when(step.at)}: {name_of(table, who)} was alone with {names}, who lived on.",
                )
            )
    return found


def _due_kills(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A once-a-loop kill that was due for the first time and did not show (MC-06 b)."""
    if not step.complete or step.over is not None:
        return []
    found: list[Piece] = []
    hit = {who for names in (*deaths.dead_of(step), *deaths.guards_of(step)) for who in names}
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not (ability.mandatory and isinstance(ability.does, KillAnyHere)):
            continue
        for who in view.board.cards:
            places = _sure_places(view, who)
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            if not places or holds.must is FALSE or not _first_due(view, step, ability, who):
                continue
            targets = [
                other
                for other in view.board.cards
                if any(view.board.lives_at(other, place) != NO for place in places)
            ]
            alone = any(
                kleene.at_least(view.board.others_living_at(who, place), 1) != YES
                for place in places
            )
            if alone or any(target in hit for target in targets):
                continue
            way = ~holds.must | any_of(view.unkillable(target).may for target in targets) | ended
            if way is not TRUE:
                found.append(
                    Piece(
                        f"due:{role.id}.{who}",
                        {flags: way},
                        (completed(step), observed(step)),
                        ability.rulings,
                        f"{when(step.at)}: nobody died where {name_of(table, who)} stood.",
                    )
                )
    return found


def _own_deaths_due(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A card whose own death was due and that lives on lacks the role (WM-20)."""
    if not step.complete or step.over is not None:
        return []
    hit = {who for names in (*deaths.dead_of(step), *deaths.guards_of(step)) for who in names}
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    found = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not (ability.mandatory and isinstance(ability.does, DieAndRaise)):
            continue
        for who in view.board.cards:
            if who in hit or view.board.alive(who) != YES:
                continue
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            way = ~holds.must | view.unkillable(who).may | ended
            if way is not TRUE:
                found.append(
                    Piece(
                        f"lived:{role.id}.{who}",
                        {flags: way},
                        (completed(step), observed(step)),
                        ability.rulings,
                        f"{when(step.at)}: {name_of(table, who)} lived on.",
                    )
                )
    return found


def _sure_places(view: FormulaView, who: str) -> tuple[str, ...]:
    """Return the places of a card that is alive for certain: where it stands, and its turf."""
    places = view.board.possible_places(who)
    if view.board.alive(who) != YES or len(places) != 1:
        return ()
    turf = turf_of(view, who)
    if turf is None or turf in places or view.rulings[TURF_AT_NIGHT] is False:
        return places
    return (*places, turf)


def _earlier_nights(view: FormulaView, step: Step) -> list[Step]:
    return [
        other
        for other in view.table.steps[: step.index]
        if other.loop == step.loop and other.name == NIGHT
    ]


def _first_due(view: FormulaView, step: Step, ability: Ability, who: str) -> bool:
    """Tell whether the ability was surely not due at an earlier Day End of this loop."""
    start = view.table.transcript.start
    if start is not None and start.at[0] == step.loop and start.at[1] > 1:
        return False  # what was due before a late start is not known
    for other in _earlier_nights(view, step):
        before = FormulaView(view.table, other.before, view.flags)
        due = ability.when.judge(before, Actor(who, None))
        if due.may is not FALSE and before.board.alive(who) != NO:
            return False
    return True


def still_unused(view: FormulaView, step: Step, ability: Ability, who: str) -> Formula:
    """Return when a once-a-loop mandatory kill may still be open tonight (MC-06 c)."""
    if ability.per is not Per.LOOP:
        return TRUE
    terms = []
    for other in _earlier_nights(view, step):
        before = FormulaView(view.table, other.before, view.flags)
        due = ability.when.judge(before, Actor(who, None))
        places = before.board.possible_places(who)
        if due.must is FALSE or before.board.alive(who) != YES or len(places) != 1:
            continue
        if turf_of(before, who) is not None or not other.continues:
            continue
        company = before.board.others_living_at(who, places[0])
        if kleene.at_least(company, 1) != YES:
            continue
        terms.append(
            any_of(
                before.unkillable(mate).may
                for mate in before.board.cards
                if before.board.lives_at(mate, places[0]) != NO
            )
        )
    return all_of(terms)


def _protagonists_spared(
    table: Table, step: Step, view: FormulaView, after: FormulaView, flags: Flags
) -> list[Piece]:
    """A mandatory kill of the Protagonists that did not come (MC-06 a)."""
    if not step.complete or step.over is not None or view.shielded() != NO:
        return []
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    found = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not (ability.mandatory and isinstance(ability.does, KillProtagonists)):
            continue
        for who in view.board.cards:
            if view.board.alive(who) != YES or after.board.alive(who) != YES:
                continue
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            way = ~holds.must | ended
            if way is not TRUE:
                found.append(
                    Piece(
                        f"spared:{role.id}.{who}",
                        {flags: way},
                        (completed(step), observed(step)),
                        ability.rulings,
                        f"{when(step.at)}: the Protagonists lived.",
                    )
                )
    return found


def _forced_victims(view: FormulaView, who: str, deed: KillOnlyCompanion) -> tuple[str, ...]:
    """Return the only companions, one for each place that forces the kill; empty if none.

    A card with a turf elsewhere may have been counted there: it is only forced if that place
    forces a kill too (D-05).
    """
    board = view.board
    if board.alive(who) != YES:
        return ()
    places = board.possible_places(who)
    if len(places) != 1:
        return ()
    turf = turf_of(view, who)
    if turf is not None and turf != places[0] and view.rulings[TURF_AT_NIGHT] is not False:
        places = (*places, turf)
    victims = []
    for place in places:
        if kleene.exactly(board.others_living_at(who, place), deed.others) != YES:
            return ()
        victims.append(
            next(other for other in board.cards if other != who and board.lives_at(other, place))
        )
    return tuple(victims)


def _stray_tokens(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A token on a location now: a plot rule without a printed timing may explain it (M-08)."""
    events = [
        (record.on, record.token, record.n)
        for record in step.records
        if isinstance(record, records.Token) and record.on in view.board.intrigue
    ]
    found = []
    for number, (on, token, n) in enumerate(events):
        ways: dict[Flags, Formula] = {}
        for plot, ability in plot_abilities(view, Timing.MASTERMIND):
            flag = next_use(view, ability, flags)
            deed = ability.does
            if (
                isinstance(deed, Place)
                and flag
                and (deed.token, deed.n) == (token, n)
                and On.ANY_LOCATION in deed.on
            ):
                add_way(ways, flags | {flag}, view.active(plot).may)
        found.append(
            Piece(
                f"stray:{number}",
                ways,
                (observed(step),),
                ("M-08",),
                f"{when(step.at)}: a token came on {name_of(table, on)}.",
            )
        )
    return found


# What explains it ---------------------------------------------------------------------


def _explained(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
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
    closed = step.complete and (step.over is None or step.over.deaths_closed)
    ways = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not isinstance(ability.does, KillEverybody):
            continue
        for who in view.board.cards:
            if who in gone or view.board.alive(who) == NO:
                continue
            term = (view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))).may
            hit = {name for names, _ in events for name in names}
            if closed:
                spared = [
                    view.unkillable(other).may
                    for other in view.board.cards
                    if other not in hit and view.board.alive(other) == YES
                ]
                term = term & all_of(spared)
            ways.append(term)
    return any_of(ways)


class _Explanation:
    """Search over the orders in which the night's kills could have come (D-03)."""

    def __init__(self, view: FormulaView, step: Step) -> None:
        self.view = view
        self.step = step
        self.abilities = [
            (role, ability)
            for role, ability in role_abilities(view, Timing.NIGHT)
            if isinstance(ability.does, KillOnlyCompanion | KillHolder | KillAnyHere | DieAndRaise)
        ]

    def of(self, events: list[tuple[tuple[str, ...], bool]]) -> Formula:
        """Return when distinct uses explain every event (card may be, "it died")."""
        return self._batch(tuple(events), frozenset())

    def _batch(
        self, events: tuple[tuple[tuple[str, ...], bool], ...], used: frozenset[tuple[str, str]]
    ) -> Formula:
        """Explain events by the first batch on the snapshot, the others one by one after it."""
        ways: list[Formula] = []
        for chosen in range(2 ** len(events)):
            batch = [event for n, event in enumerate(events) if chosen >> n & 1]
            rest = tuple(event for n, event in enumerate(events) if not chosen >> n & 1)
            ways.append(self._first(batch, rest, used, frozenset()))
        return any_of(ways)

    def _first(
        self,
        batch: list[tuple[tuple[str, ...], bool]],
        rest: tuple[tuple[tuple[str, ...], bool], ...],
        used: frozenset[tuple[str, str]],
        dead: frozenset[str],
    ) -> Formula:
        if not batch:
            return self._later(rest, used, dead)
        (names, died), *others = batch
        ways = []
        for victim in names:
            for key, term in self._kills(victim, frozenset(), mandatory=True):
                if key not in used:
                    gone = dead | {victim} if died else dead
                    ways.append(term & self._first(others, rest, used | {key}, gone))
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
        return found

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


# The word at the end ------------------------------------------------------------------


def _word(
    table: Table, step: Step, view: FormulaView, after: FormulaView, flags: Flags
) -> list[Piece]:
    if step.over is None:
        return []
    word = step.over.word
    ways: dict[Flags, Formula] = {}
    if word in (DEAD, NO_WORD) and view.shielded() != YES:
        add_way(ways, flags, protagonists_killed(view, after, step))
        if table.rules.gauge is GaugeUse.KNOWLEDGE and step.after.gauge_max in (None, 4, 5, 6, 7):
            add_way(ways, flags, TRUE)  # madness: a public cause (WM-04)
    if word in (LOST, NO_WORD):
        add_way(ways, flags, deaths.some_death_ended_it(view, step))
        if step.last_night:
            add_way(ways, flags, losses(after, step, revealed_now=frozenset()).may)
    if word not in (DEAD, LOST, NO_WORD):
        return []
    rulings = ("D-12", "G-15") if word == DEAD else ("D-13", "L-06")
    said = "the Protagonists were dead" if word == DEAD else "the loop was lost"
    return [Piece("word", ways, (observed(step),), rulings, f"{when(step.at)}: {said} at Day End.")]


def protagonists_killed(view: FormulaView, after: FormulaView, step: Step) -> Formula:
    """Return when somebody still alive could kill the Protagonists tonight (D-12, D-08)."""
    gone = {who for names in deaths.dead_of(step) for who in names if len(names) == 1}
    terms = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not isinstance(ability.does, KillProtagonists | KillEverybody):
            continue
        for who in view.board.cards:
            # In the mandatory batch a source may fall in the same instant (D-17).
            fallen = who in gone and not ability.mandatory
            if fallen or view.board.alive(who) == NO:
                continue
            actor = Actor(who, None)
            # Counts may rise tonight (a partner's death): the condition may hold at any moment.
            holds = ability.when.judge(view, actor) | ability.when.judge(after, actor)
            terms.append((view.acts_as(who, role.id) & holds).may)
    return any_of(terms)
