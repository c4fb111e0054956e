"""What a night had to show: mandatory abilities whose conditions held for certain."""

from __future__ import annotations

from assistant.clues import deaths
from assistant.clues.model import Flags, Piece, completed, observed
from assistant.clues.reach import turf_of
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of
from engine import kleene
from engine.kleene import NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import (
    Ability,
    DieAndRaise,
    KillAnyHere,
    KillOnlyCompanion,
    KillProtagonists,
    Per,
    Timing,
)
from engine.rules.queries import role_abilities
from engine.rulings import TURF_AT_NIGHT
from engine.table import Step, Table
from engine.words import NIGHT


def companions_due(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
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


def kills_due(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
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


def own_deaths_due(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
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


def protagonists_spared(
    table: Table, step: Step, view: FormulaView, after: FormulaView, flags: Flags
) -> list[Piece]:
    """A mandatory kill of the Protagonists that did not come (MC-06 a)."""
    if not step.complete or step.over is not None or view.shielded() != NO:
        return []
    if step.dead_later:
        return []  # the word was noted at the loop end
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
