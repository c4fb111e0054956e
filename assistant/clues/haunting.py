"""Corpses, curses and mobs read backward (Haunted Stage)."""

from __future__ import annotations

from assistant.clues import deaths
from assistant.clues.events import Event
from assistant.clues.matching import Source, explain
from assistant.clues.model import Flags, Piece, completed, continued, observed
from assistant.clues.reach import turf_of
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of, at_least
from engine import kleene, records
from engine.board import Board
from engine.kleene import NO, YES
from engine.rules.conditions import Actor, IsDead
from engine.rules.model import (
    Ability,
    DeadlyNight,
    ForbidMastermindCards,
    KillOneOutnumbered,
    MoveCorpse,
    Place,
    PlaceCurse,
    ResolveIncident,
    Role,
    StepAway,
    Timing,
)
from engine.rules.queries import plot_abilities, role_abilities
from engine.rulings import OTHER_CORPSES_COUNT
from engine.table import Step, Table
from engine.table.apply import candidates
from engine.words import MASTERMIND, PERSON, neighbours

# Cards and loop start ------------------------------------------------------------------------


def closed_to_cards(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """On whom the Mastermind laid a card, it could lie (C-12)."""
    found = []
    for role, ability in role_abilities(view, Timing.CARDS):
        if not isinstance(ability.does, ForbidMastermindCards):
            continue
        for record in step.records:
            if not isinstance(record, records.PlayedCard) or record.by != MASTERMIND:
                continue
            who = record.on
            if isinstance(who, str) and who in view.board.cards:
                found.append(
                    Piece(
                        f"closed:{who}",
                        {flags: ~view.acts_as(who, role.id).must},
                        (observed(step),),
                        ability.rulings,
                        f"{when(step.at)}: a Mastermind card lay on {name_of(table, who)}.",
                    )
                )
    return found


def start_curses(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Each curse at a loop start needs its own source that starts there (HS-08)."""
    placed = [
        candidates(step.before, record.on)
        for record in step.records
        if isinstance(record, records.Curse)
    ]
    if not placed:
        return []
    sources = []
    for plot, ability in plot_abilities(view, Timing.LOOP_START):
        deed = ability.does
        if not isinstance(deed, PlaceCurse):
            continue
        holders: dict[str, Formula] = {}
        edges: list[set[str]] = [set() for _ in placed]
        for who in view.cast:
            term = view.active(plot).may & view.current_role(who, deed.role).may
            starts = _starts(view, step, who)
            for number, places in enumerate(placed):
                if set(places) & set(starts):
                    edges[number].add(who)
                    holders[who] = term
        sources.append(Source(ability.id, holders, [frozenset(edge) for edge in edges]))
    way = any_of(explain(len(placed), sources).values())
    return [
        Piece(
            "curses",
            {flags: way},
            (observed(step),),
            ("HS-08",),
            f"{when(step.at)}: a curse lay at {name_of(table, placed[0][0])}.",
        )
    ]


def _starts(view: FormulaView, step: Step, who: str) -> tuple[str, ...]:
    """Return where a card may start this loop; an absent one at its printed start (L-10)."""
    start = step.after.starts.get(who)
    if start is not None:
        return (start,)
    return view.rules.characters[who].starts


# The Mastermind's step -----------------------------------------------------------------------


def silence(table: Table, step: Step, flags: Flags, events: list[Event]) -> list[Piece]:
    """Mandatory uses of corpses and runaways that did not show (HS-09, HS-10)."""
    if not step.complete or step.over is not None:
        return []
    view = FormulaView(table, step.before, flags)
    found: list[Piece] = []
    for role, ability in role_abilities(view, Timing.MASTERMIND):
        if not ability.mandatory:
            continue
        if isinstance(ability.does, StepAway):
            found += _stayed(table, step, view, flags, role, ability, events)
        elif isinstance(ability.when, IsDead) and table.transcript.announces != "net":
            found += _unhaunted(table, step, view, flags, role, ability, events)
    return found


def _stayed(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    role: Role,
    ability: Ability,
    events: list[Event],
) -> list[Piece]:
    found = []
    for who in view.board.cards:
        character = table.rules.characters[who]
        place = view.board.cards[who].at
        moved = any(event.kind == "moved" and who in event.targets for event in events)
        calm = _calmed(view, who, events)
        revived = view.board.effect("revived", who) != NO
        if moved or revived or place is None or view.board.alive(who) != YES:
            continue
        if turf_of(view, who) is not None or place not in view.board.intrigue:
            continue
        barred = set(neighbours(place)) & character.forbidden
        if (barred and view.effect("freed", who) != YES) or _locked(view, who, place):
            continue
        holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))
        way = ~(holds & ability.when.judge(calm, Actor(who, place))).must
        if way is not TRUE:
            found.append(
                Piece(
                    f"stayed:{role.id}.{who}",
                    {flags: way},
                    (completed(step), observed(step)),
                    ability.rulings,
                    f"{when(step.at)}: {name_of(table, who)} stayed.",
                )
            )
    return found


def _calmed(view: FormulaView, who: str, events: list[Event]) -> FormulaView:
    """Return the moment with all that left the card in the step gone at once."""
    board = view.board.copy()
    for event in events:
        if event.kind == "token" and event.n < 0 and who in event.targets:
            assert event.token is not None
            board.add(event.token, who, event.n)
    return FormulaView(view.table, board, view.flags)


def _locked(view: FormulaView, who: str, place: str) -> bool:
    board = view.board
    closed = any(board.effect("closed", spot) != NO for spot in (place, *neighbours(place)))
    return closed or board.effect("cannot_move", who) != NO


def _unhaunted(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    role: Role,
    ability: Ability,
    events: list[Event],
) -> list[Piece]:
    deed = ability.does
    assert isinstance(deed, Place)
    found = []
    for who in view.board.cards:
        places = view.board.possible_places(who)
        start = view.board.starts.get(who)
        if view.board.dead(who) != YES or len(places) != 1 or start is None:
            continue
        haunted = {places[0], start}
        stayed = any(
            view.board.lives_at(other, place) & step.after.lives_at(other, place) == YES
            for other in view.board.cards
            for place in haunted
        )
        reached = {
            other
            for other in view.board.cards
            for place in haunted
            if (view.board.lives_at(other, place) | step.after.lives_at(other, place)) != NO
        }
        served = any(
            event.kind == "token"
            and event.token == deed.token
            and event.n > 0
            and set(event.targets) & reached
            for event in events
        )
        way = ~view.acts_as(who, role.id).must
        if stayed and not served and way is not TRUE:
            found.append(
                Piece(
                    f"unhaunted:{role.id}.{who}",
                    {flags: way},
                    (completed(step), observed(step)),
                    ability.rulings,
                    f"{when(step.at)}: nobody near {name_of(table, who)}'s corpse got a token.",
                )
            )
    return found


# The night: the restless ------------------------------------------------------------------------


def victim_reads(view: FormulaView, role: str) -> Formula:
    """Return when Intrigue on a location reads as a corpse of ``role`` (HS-01, HS-26)."""
    turned = FALSE
    for plot, shift in view.rules.shifts:
        if shift.corpses and PERSON in shift.old:
            active = view.plot(plot).may
            turned = turned | active
            if shift.new == role:
                return active
    return ~turned if role == PERSON else FALSE


def horde_role(view: FormulaView) -> str | None:
    """Return the role whose corpses outnumber and walk, if the set has one."""
    for role in view.rules.roles.values():
        if any(isinstance(ability.does, KillOneOutnumbered) for ability in role.abilities):
            return role.id
    return None


def _bodies(view: FormulaView, role: str, places: tuple[str, ...], *, may: bool) -> list[Formula]:
    """Return one formula for each body at the places that may (or must) be of the horde."""
    terms: list[Formula] = []
    for place in places:
        low, high = kleene.span_of(view.board.intrigue[place])
        count = min(high, 12) if may else low
        terms += [victim_reads(view, role)] * count
    for who in view.board.cards:
        fact = view.board.dead(who) & _somewhere(view.board, who, places)
        if fact == NO or (fact != YES and not may):
            continue
        reads = view.current_role(who, role)
        terms.append(reads.may if may else reads.must)
    return terms


def _somewhere(board: Board, who: str, places: tuple[str, ...]) -> int:
    fact = NO
    for place in places:
        fact |= board.is_at(who, place)
    return fact


def outnumbered(view: FormulaView, place: str) -> Formula:
    """Return when the horde may outnumber the living at a place, by the weakest count (HS-15)."""
    role = horde_role(view)
    if role is None:
        return FALSE
    terms = _bodies(view, role, (place,), may=True)
    against = 0
    if view.rulings[OTHER_CORPSES_COUNT] is True:
        # At this table every body counts: one of the horde takes itself off the other side too.
        against = view.board.corpses_at(place)[0]
        terms += _bodies(view, role, (place,), may=True)
    living = [who for who in view.board.cards if view.board.lives_at(who, place) != NO]
    sure = [who for who in living if view.board.lives_at(who, place) == YES]
    for who in living:
        # A living one of the horde may count on the other side (JP: the role works as a corpse).
        terms += [view.current_role(who, role).may] * 2
    return at_least(len(sure) + against + 1, terms) if living else FALSE


def nobody_struck(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Corpses that surely outnumber had to kill, unless they chose who cannot die (HS-17)."""
    role = horde_role(view)
    if role is None or not step.complete or step.over is not None:
        return []
    hit = {who for names in (*deaths.dead_of(step), *deaths.guards_of(step)) for who in names}
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    strong: list[Formula] = []
    excuses: list[Formula] = [ended]
    for place in view.board.intrigue:
        living = [who for who in view.board.cards if view.board.lives_at(who, place) != NO]
        if not living:
            continue
        weak = outnumbered(view, place)
        if any(who in hit for who in living):
            excuses.append(weak)
        excuses.append(weak & any_of(view.unkillable(who).may for who in living))
        if all(view.board.lives_at(who, place) == YES for who in living):
            strong.append(_surely_outnumbered(view, role, place, len(living)))
    way = ~any_of(strong) | any_of(excuses)
    if way is TRUE:
        return []
    return [
        Piece(
            "unstruck",
            {flags: way},
            (completed(step), observed(step)),
            ("HS-17", "HS-15"),
            f"{when(step.at)}: nobody died where the dead outnumber the living.",
        )
    ]


def _surely_outnumbered(view: FormulaView, role: str, place: str, living: int) -> Formula:
    """Return when the horde outnumbers the living and all other corpses there together.

    Where a table does not count those, only the living stand against them.
    """
    if view.rulings[OTHER_CORPSES_COUNT] is False:
        return at_least(living + 1, _bodies(view, role, (place,), may=False))
    others = sum(
        view.board.dead(who) & view.board.is_at(who, place) != NO for who in view.board.cards
    )
    tokens = kleene.span_of(view.board.intrigue[place])[0]
    cards = _bodies(view, role, (place,), may=False)[tokens:]
    victims = [victim_reads(view, role)] * tokens
    # horde > living + (corpses - its corpses), each card of it counting on both sides.
    return at_least(living + others + 1, [*victims, *cards, *cards])


def walking(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A corpse or victim that moved at night is of the horde, one a night (HS-16)."""
    role = horde_role(view)
    after = FormulaView(table, step.after, flags)
    moves: list[tuple[str, Formula]] = []
    for record in step.records:
        if isinstance(record, records.Shifted):
            ends = (record.source, record.to)
            if any(end not in view.board.intrigue for end in ends):
                continue
            near = record.to in neighbours(str(record.source))
            reads = victim_reads(view, role) if role is not None and near else FALSE
            moves.append((f"a victim at {name_of(table, record.source)}", reads))
        elif isinstance(record, records.Moved):
            names = candidates(step.after, record.who)
            reads = FALSE
            if role is not None:
                reads = any_of(
                    after.current_role(who, role).may & _neighbourly(step, who)
                    for who in names
                    if step.after.dead(who) != NO
                )
            moves.append((name_of(table, record.who), reads))
    if not moves:
        return []
    able = any(
        isinstance(ability.does, MoveCorpse) for _, ability in role_abilities(view, Timing.NIGHT)
    )
    way = all_of(reads for _, reads in moves) if able and len(moves) == 1 else FALSE
    return [
        Piece(
            "walking",
            {flags: way},
            (observed(step),),
            ("HS-16",),
            f"{when(step.at)}: {moves[0][0]} moved.",
        )
    ]


def _neighbourly(step: Step, who: str) -> Formula:
    start = step.before.cards[who].at
    end = step.after.cards[who].at
    near = start is None or end is None or end in neighbours(start)
    return TRUE if near else FALSE


# The night: the Protagonists ------------------------------------------------------------------


def deadly_incident(table: Table, step: Step, flags: Flags) -> tuple[Formula, Formula]:
    """Return when today's incident may, and when it must, kill after this night (HS-04)."""
    may: Formula = FALSE
    must: Formula = FALSE
    for number in table.sheet.incidents_on(step.day):
        fact = step.before.occurred.get(step.day, NO)
        for part in _deadly_parts(table, number) if fact != NO else ():
            view = FormulaView(table, _board_at_incident(table, step), flags)
            may, sure = _enough_bodies(view, part)
            must = sure if fact == YES else FALSE
    if _resolved_today(table, step):
        # A card may have resolved the effect today: whether that kills is for the table.
        for number, item in enumerate(table.sheet.incidents):
            for part in _deadly_parts(table, number):
                if (step.loop, item.day) in step.before.borrowed:
                    may = may | _enough_bodies(FormulaView(table, step.before, flags), part)[0]
    return may, must


def _deadly_parts(table: Table, number: int) -> list[DeadlyNight]:
    incident = table.rules.incidents[table.sheet.incidents[number].incident]
    return [part for part in incident.parts if isinstance(part, DeadlyNight)]


def _enough_bodies(view: FormulaView, part: DeadlyNight) -> tuple[Formula, Formula]:
    """Return when there may, and when there must, be enough bodies; living ones only may."""
    role = horde_role(view)
    if role is None:
        return FALSE, FALSE
    places = tuple(view.board.intrigue)
    bodies = _bodies(view, role, places, may=True)
    bodies += [
        view.current_role(who, role).may for who in view.board.cards if view.board.alive(who) != NO
    ]
    sure = _bodies(view, role, places, may=False)
    return at_least(part.n, bodies), at_least(part.n, sure)


def _resolved_today(table: Table, step: Step) -> bool:
    return any(
        ability.key == key and isinstance(ability.does, ResolveIncident)
        for who, key in step.before.used_today
        for ability in table.rules.characters[who].goodwill
    )


def _board_at_incident(table: Table, step: Step) -> Board:
    for other in reversed(table.steps[: step.index]):
        if (other.loop, other.day, other.name) == (step.loop, step.day, "incident"):
            return other.before
    return step.before


def deadly_night_spared(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """The day was over and nobody was told dead: too few bodies (HS-04)."""
    must = deadly_incident(table, step, flags)[1]
    if must is FALSE or not step.continues or step.over is not None or view.shielded() != NO:
        return []
    return [
        Piece(
            "deadly_night",
            {flags: ~must},
            (observed(step), continued(step)),
            ("HS-04",),
            f"{when(step.at)}: the Protagonists lived through the night.",
        )
    ]
