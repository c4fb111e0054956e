"""The gauge of knowledge under what was noted: every rise has a cause that shows (WM-01, WM-04)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import records
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord
from engine.replay.matching import Item, stands_for
from engine.rules.model import (
    GoodwillAbility,
    LeaveBoard,
    ResolveIncident,
    RevealAndRaise,
    RevealRole,
    Rulebook,
    Timing,
)
from engine.steps import knowledge
from engine.steps.common import Failure, name
from engine.table.step import Step, Table
from engine.view import ScriptView
from engine.words import (
    CARDS,
    DAY_START,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
)

_STILL = (LOOP_START, DAY_START, CARDS, MASTERMIND_STEP)
"""Steps in which nothing moves the gauge."""


def broken(table: Table, step: Step) -> Failure | None:
    """Return what of the gauge and its spells no script could have shown, if anything."""
    rules = table.rules
    if not knowledge.counts_knowledge(rules) or step.gap:
        return None
    unchanged = step.name in _STILL
    if step.name == INCIDENT_STEP:
        said = [record.occurs for record in step.records if isinstance(record, records.Happens)]
        unchanged = bool(said) and not said[-1]
    if unchanged and knowledge.rise(step.before, step.after):
        return Failure("WM-01", "Nothing moves the gauge in this step.")
    if step.name == DAY_START:
        return _spell(rules, step)
    if step.name == LOOP_START:
        again = any(other.loop < step.loop for other in table.steps[: step.index])
        if again and knowledge.is_mad(rules, step.before) == YES:
            return Failure("WM-04", "After madness there is no further loop.")
    if step.name == LOOP_END:
        return _reminiscence(rules, step)
    return None


def _spell(rules: Rulebook, step: Step) -> Failure | None:
    cast = any(
        isinstance(record, records.Spell) and record.on is not None for record in step.records
    )
    known = knowledge.reached(rules, step.before.gauge, knowledge.SYMPATHY)
    if cast and (step.day != 1 or not known):
        return Failure("WM-04", "No spell was known at this moment.")
    return None


def told_subplots(step: Step) -> list[str]:
    """Return the subplots that were told in a step."""
    return [
        record.subplot
        for record in step.records
        if isinstance(record, records.Reveal) and record.subplot is not None
    ]


def _reminiscence(rules: Rulebook, step: Step) -> Failure | None:
    known = knowledge.reached(rules, step.before.gauge, knowledge.REMINISCENCE)
    told = told_subplots(step)
    if told and not known:
        return Failure("L-11", "Below gauge 2 no subplot is told.")
    if not told and known == YES and step.complete:
        return Failure("L-11", "From gauge 2 on the first subplot is told.")
    return None


def first_subplot(view: ScriptView, step: Step) -> Failure | None:
    """Judge what was told of the first subplot at a loop end (L-11)."""
    if not knowledge.counts_knowledge(view.rules):
        return None
    first = view.world.script.subplots[0]
    for plot in told_subplots(step):
        if plot != first:
            return Failure("L-11", f"{name(view.rules, plot)} is not the first subplot.")
    return None


# Rises -----------------------------------------------------------------------------------


def told_roles(rules: Rulebook) -> frozenset[str]:
    """Return the roles that are told, and raise the gauge, when their holders die."""
    return frozenset(
        role.id
        for role in rules.roles.values()
        for ability in role.abilities
        if ability.timing is Timing.OWN_DEATH and isinstance(ability.does, RevealAndRaise)
    )


def told_deaths(rules: Rulebook, step: Step) -> int:
    """Count the dead of a step whose role was told, each of which raised the gauge (WM-01)."""
    telling = told_roles(rules)
    dead = [record.who for record in step.records if isinstance(record, records.Death)]
    return sum(
        isinstance(record, records.Reveal)
        and record.role in telling
        and any(stands_for(step.before, who, record.role_of) for who in dead)
        for record in step.records
    )


def misses(rules: Rulebook, step: Step, least: int, most: int) -> Failure | None:
    """Return why the gauge cannot have moved as it did; it moved by told deaths beside.

    Args:
        rules: the set.
        step: the step; one that is not complete may hide anything.
        least, most: by how much it rose for other causes.
    """
    if not knowledge.counts_knowledge(rules) or not step.complete:
        return None
    rise = knowledge.rise(step.before, step.after)
    if rise is None:
        return None
    told = told_deaths(rules, step)
    if told + least <= rise <= told + most:
        return None
    return Failure("WM-01", f"The gauge moved by {rise}, which nothing in this script explains.")


# Goodwill abilities that tell their user's role ---------------------------------------------


def own_reveal(
    view: ScriptView,
    use: records.Use,
    who: str,
    ability: GoodwillAbility,
    bag: tuple[Item, ...],
) -> tuple[tuple[Item, ...], str | None]:
    """Take out the reveal that a used ability brings by the user's role (WM-10).

    Returns:
        The other effects, and the role that was told.
    """
    telling = {role.id for role in knowledge.telling_roles(view.rules)}
    own = [
        item
        for item in bag
        if isinstance(item.record, records.Reveal)
        and item.record.role in telling
        and item.record.role_of == who
    ]
    if not own:
        return bag, None
    told = own[0].record
    assert isinstance(told, records.Reveal)
    itself = isinstance(ability.does, RevealRole) and (
        ability.target.kind == "self" or use.target == who
    )
    keep = own[:1] if itself else []
    return tuple(item for item in bag if item not in own or item in keep), told.role


def told_by_use(
    view: ScriptView, step: Step, who: str, ability: GoodwillAbility, told: str | None
) -> Failure | None:
    """Judge whether an accepted use told the user's role as it has to, or rightly did not."""
    if told is not None:
        if view.current_role(who, told):
            return None
        return Failure("WM-10", f"{name(view.rules, who)} is no {name(view.rules, told)}.")
    left = isinstance(ability.does, LeaveBoard | ResolveIncident)
    itself = isinstance(ability.does, RevealRole) and ability.target.kind == "self"
    if left or itself or not step.complete or step.over is not None:
        return None
    role, truth = knowledge.tells_itself(view, who)
    if truth != YES:
        return None
    return Failure(
        "WM-10", f"{name(view.rules, who)} is {name(view.rules, role)}: a used ability tells it."
    )


def may_be_told(view: ScriptView, record: AnyRecord) -> int:
    """Judge "this role may have been told by a rule", whatever of its cause was noted."""
    if not isinstance(record, records.Reveal) or record.role is None:
        return NO
    by_rule = {*told_roles(view.rules), *(role.id for role in knowledge.telling_roles(view.rules))}
    if record.role not in by_rule:
        return NO
    truth = NO
    for who in view.board.cards:
        if stands_for(view.board, record.role_of, who):
            truth |= view.current_role(who, record.role)
    return truth & MAYBE


def chosen_by_leader(listed: Sequence[AnyRecord]) -> tuple[records.Who, ...]:
    """Return whom the Leader chose, in the order noted (WM-15)."""
    return tuple(record.who for record in listed if isinstance(record, records.LeaderChooses))
