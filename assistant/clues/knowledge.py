"""The gauge of knowledge read backward: every rise has a cause that shows (WM-01, WM-02)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.clues import deaths
from assistant.clues.model import Flags, Piece, completed, observed
from assistant.clues.view import FormulaView, cast_of, when
from assistant.formula import (
    FALSE,
    TRUE,
    CulpritAtom,
    FirstSubplotAtom,
    Formula,
    all_of,
    any_of,
    at_least,
    truth,
)
from engine import kleene, records
from engine.board import Board
from engine.kleene import YES
from engine.records import AnyRecord
from engine.rules.conditions import Actor
from engine.rules.model import (
    ClearUser,
    DieAndRaise,
    GaugeUp,
    GaugeUse,
    GoodwillAbility,
    Incident,
    LeaveBoard,
    ResolveIncident,
    RevealAndRaise,
    RevealRole,
    Scent,
    Timing,
)
from engine.rules.queries import role_abilities
from engine.table import Step, Table
from engine.table.checks import ability_of
from engine.words import NOTHING, REFUSED, RESOLVED

MADNESS = 4
"""Knowledge at which the Protagonists die when the day is over (WM-04)."""


def without_own_reveal(
    table: Table,
    board: Board,
    use: records.Use,
    ability: GoodwillAbility,
    effects: Sequence[AnyRecord],
) -> tuple[list[AnyRecord], bool]:
    """Take out the reveal that a used ability brings by the user's role (WM-10).

    Returns:
        The other effects, and whether that role was told.
    """
    telling = {role.id for role in table.rules.roles.values() if role.told_by_use}
    own = [
        record
        for record in effects
        if isinstance(record, records.Reveal)
        and record.role_of == use.who
        and record.role in telling
    ]
    if not own:
        return list(effects), False
    names_itself = isinstance(ability.does, RevealRole) and (
        ability.target.kind == "self" or use.target == use.who
    )
    keep = own[:1] if names_itself else []
    return [record for record in effects if record not in own or record in keep], True


def revealed_by_use(
    table: Table,
    step: Step,
    view: FormulaView,
    use: records.Use,
    ability: GoodwillAbility,
    *,
    told: bool,
) -> Formula:
    """Return when an accepted use by this card tells its role, or does not (WM-10)."""
    telling = [role for role in table.rules.roles.values() if role.told_by_use]
    if not telling or not isinstance(use.who, str):
        return TRUE
    if told:
        return any_of(view.current_role(use.who, role.id).may for role in telling)
    left = isinstance(ability.does, LeaveBoard | ResolveIncident)
    if not step.complete or step.over is not None or left:
        return TRUE
    if isinstance(ability.does, RevealRole) and ability.target.kind == "self":
        return TRUE  # its own answer tells it
    return ~any_of(view.current_role(use.who, role.id).must for role in telling)


def rise_of(step: Step) -> int | None:
    """Return how far the gauge moved in a step, ``None`` if not known."""
    before, after = step.before.gauge, step.after.gauge
    return None if before is None or after is None else after - before


def goodwill_gauge(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """In the Goodwill step a refusal raises the gauge, and hardly anything else does (WM-22)."""
    rise = rise_of(step)
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or rise is None or not step.complete:
        return []
    uses = [record for record in step.records if isinstance(record, records.Use)]
    certain = sum(use.outcome == REFUSED for use in uses)
    certain += _told(table, step, RevealAndRaise)
    maybe_up = _told_by_uses(table, step)
    maybe_down = 0
    for use in uses:
        ability = ability_of(table.rules, use)
        if ability is None or use.outcome == REFUSED:
            continue
        if isinstance(ability.does, ClearUser):
            maybe_up += 1
            maybe_down += 1
        elif isinstance(ability.does, ResolveIncident):
            raised = _borrowed_rise(table, use)
            if use.outcome == RESOLVED:
                certain += raised
            else:
                maybe_up += raised
    silent = [use for use in uses if use.outcome == NOTHING]
    ways = []
    for refused in range(2 ** len(silent)):
        chosen = [use for n, use in enumerate(silent) if refused >> n & 1]
        accepted = [use for use in silent if use not in chosen]
        total = certain + len(chosen)
        if not total - maybe_down <= rise <= total + maybe_up:
            continue
        terms = [_may_refuse(view, use) for use in chosen]
        terms += [_may_accept(view, use) for use in accepted]
        way = TRUE
        for term in terms:
            way = way & term
        ways.append(way)
    way = any_of(ways)
    if way is TRUE:
        return []
    return [
        Piece(
            "gauge",
            {flags: way},
            (observed(step), completed(step)),
            ("WM-22", "WM-01"),
            f"{when(step.at)}: the gauge moved by {rise}.",
        )
    ]


def _borrowed_rise(table: Table, use: records.Use) -> int:
    """Return how far the effect of a borrowed incident raises the gauge."""
    day = use.target.day if isinstance(use.target, records.TargetSpec) else None
    numbers = () if day is None else table.sheet.incidents_on(day)
    return sum(
        part.n
        for number in numbers
        for part in table.rules.incidents[table.sheet.incidents[number].incident].parts
        if isinstance(part, GaugeUp)
    )


def _may_refuse(view: FormulaView, use: records.Use) -> Formula:
    return view.may_refuse(use.who).may if isinstance(use.who, str) else TRUE


def _may_accept(view: FormulaView, use: records.Use) -> Formula:
    ability = ability_of(view.rules, use)
    if ability is None or not ability.refusable or not isinstance(use.who, str):
        return TRUE
    return ~view.must_refuse(use.who).must


def _told_by_uses(table: Table, step: Step) -> int:
    telling = {role.id for role in table.rules.roles.values() if role.told_by_use}
    return sum(
        isinstance(record, records.Reveal) and record.role in telling for record in step.records
    )


def _told(table: Table, step: Step, deed: type) -> int:
    """Count the dead of a step whose role was told by a rule with this deed."""
    telling = {
        role.id
        for role in table.rules.roles.values()
        for ability in role.abilities
        if isinstance(ability.does, deed)
    }
    dead = {who for names in deaths.dead_of(step) for who in names}
    return sum(
        isinstance(record, records.Reveal) and record.role in telling and record.role_of in dead
        for record in step.records
    )


def night_gauge(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """At night the gauge rises once for each told death and each Witness-like death (WM-02)."""
    rise = rise_of(step)
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or rise is None:
        return []
    if not step.complete or step.over is not None:
        return []
    guards = deaths.guards_of(step)
    extra = rise - _told(table, step, RevealAndRaise)
    may: list[Formula] = []
    must: list[Formula] = []
    for role, ability in role_abilities(view, Timing.NIGHT):
        if not isinstance(ability.does, DieAndRaise):
            continue
        for names in (*deaths.dead_of(step), *guards):
            for who in names:
                holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
                may.append(holds.may)
                if names not in guards:  # whether a saved one raises it is open (WM-20)
                    must.append(holds.must)
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    way = truth(extra >= 0) & at_least(extra, may) & ~at_least(max(extra, 0) + 1, must) | ended
    if way is TRUE:
        return []
    return [
        Piece(
            "gauge",
            {flags: way},
            (observed(step), completed(step)),
            ("WM-02", "WM-20"),
            f"{when(step.at)}: the gauge moved by {rise}.",
        )
    ]


def incident_gauge(
    table: Table, step: Step, view: FormulaView, flags: Flags, incident: Incident, number: int
) -> list[Piece]:
    """In the incident step only told deaths and the effect itself raise the gauge (WM-01)."""
    rise = rise_of(step)
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or rise is None or not step.complete:
        return []
    told = _told(table, step, RevealAndRaise)
    ups = sum(part.n for part in incident.parts if isinstance(part, GaugeUp))
    ended: Formula = TRUE if step.over is not None else FALSE
    if not step.continues:
        ended = ended | deaths.some_death_ended_it(view, step)
    ways: list[Formula] = []
    for who in cast_of(table):
        full = told + ups * table.rules.characters[who].effect_times
        if rise != full:
            ways.append(~CulpritAtom(number, who) | (ended if 0 <= rise < full else FALSE))
    way = all_of(ways)
    if way is TRUE:
        return []
    return [
        Piece(
            "gauge",
            {flags: way},
            (observed(step), completed(step)),
            ("WM-01", "WM-26"),
            f"{when(step.at)}: the gauge moved by {rise}.",
        )
    ]


def still_gauge(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """In other steps the gauge of knowledge does not move (WM-01)."""
    rise = rise_of(step)
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or not rise:
        return []
    text = f"{when(step.at)}: the gauge moved by {rise} and nothing raises it here."
    return [Piece("gauge", {}, (observed(step),), ("WM-01", "N-02"), text)]


def spells(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """The Spell of Sympathy needs the gauge at 1 and the first day (WM-04)."""
    found = []
    for record in step.records:
        if not isinstance(record, records.Spell) or record.on is None:
            continue
        gauge = kleene.at_least(kleene.span_of(step.before.gauge), 1)
        if gauge == kleene.NO or step.day != 1:
            text = f"{when(step.at)}: no spell was known."
            found.append(Piece("spell", {}, (observed(step),), ("WM-04",), text))
    return found


def no_loop_after_madness(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Once the gauge was at 4 there is no further loop (WM-04, F-03)."""
    mad = step.before.gauge_max is not None and step.before.gauge_max >= MADNESS
    played = any(other.loop < step.loop for other in table.steps[: step.index])
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or not mad or not played:
        return []
    text = f"{when(step.at)}: a further loop after madness."
    return [Piece("after_madness", {}, (observed(step),), ("WM-04", "F-03"), text)]


def madness(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """At 4 the Protagonists die when the day is over, unless they cannot (WM-04)."""
    reached = step.after.gauge_max is not None and step.after.gauge_max >= MADNESS
    if table.rules.gauge is not GaugeUse.KNOWLEDGE or not reached or step.over is not None:
        return []
    if not (step.complete or step.continues) or view.shielded() != kleene.NO:
        return []
    way = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    text = f"{when(step.at)}: the gauge was at 4 and the day went by."
    ways = {} if way is FALSE else {flags: way}
    return [Piece("madness", ways, (observed(step), completed(step)), ("WM-04", "D-01"), text)]


def reminiscence(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """At a loop end from gauge 2 on the first subplot is told, below it nothing (L-11)."""
    told = [
        record.subplot
        for record in step.records
        if isinstance(record, records.Reveal) and record.subplot is not None
    ]
    if table.rules.gauge is not GaugeUse.KNOWLEDGE:
        return []
    known = kleene.at_least(kleene.span_of(step.before.gauge), 2)
    fits = (known & 1 if told else not (known == YES and step.complete)) and len(set(told)) < 2
    way = all_of(FirstSubplotAtom(plot) for plot in told) if fits else FALSE
    if way is TRUE:
        return []
    for other in table.steps[: step.index]:
        for record in other.records:
            if not isinstance(record, records.Reveal) or other.name != step.name:
                continue
            if told and record.subplot not in (None, told[0]):
                way = FALSE
    text = f"{when(step.at)}: what was told of the first subplot."
    ways = {} if way is FALSE else {flags: way}
    return [Piece("reminiscence", ways, (observed(step), completed(step)), ("L-11", "WM-04"), text)]


def scent_of(table: Table, step: Step) -> list[int]:
    """Return the numbers of incidents of this loop after which a further one is deadly."""
    found = []
    for number, scheduled in enumerate(table.sheet.incidents):
        parts = table.rules.incidents[scheduled.incident].parts
        fact = step.before.occurred.get(scheduled.day, kleene.NO)
        scents = any(isinstance(part, Scent) for part in parts)
        if scents and fact & 1 and scheduled.day != step.day:
            found.append(number)
    return found


def scent_borrowed(table: Table, step: Step) -> bool:
    """Tell whether a card resolved such an incident itself in this loop; open if it counts."""
    return any(
        loop == step.loop and isinstance(part, Scent)
        for loop, day in step.before.borrowed
        for number in table.sheet.incidents_on(day)
        for part in table.rules.incidents[table.sheet.incidents[number].incident].parts
    )


def surely_occurred(table: Table, step: Step, number: int) -> bool:
    """Tell whether an earlier incident of this loop occurred for certain."""
    day = table.sheet.incidents[number].day
    return step.before.occurred.get(day, kleene.NO) == YES


def roles_with(table: Table, deed: type) -> Iterable[str]:
    """Yield the roles that have an ability with this deed."""
    for role in table.rules.roles.values():
        if any(isinstance(ability.does, deed) for ability in role.abilities):
            yield role.id
