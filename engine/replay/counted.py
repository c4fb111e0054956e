"""The gauge that counts incidents, where a record says how far it moved (MC-01, MC-20)."""

from __future__ import annotations

from itertools import product

from engine import records
from engine.rules.model import ClearUser, GaugeUse, ResolveIncident, Rulebook
from engine.script import Sheet
from engine.steps.common import Failure
from engine.steps.occurred import raised_by, rises
from engine.table.checks import ability_of
from engine.table.step import Step
from engine.view import ScriptView
from engine.words import GOODWILL_STEP, INCIDENT_STEP, REFUSED


def noted_rise(rules: Rulebook, step: Step) -> int | None:
    """Return how far the gauge moved, where a record says so and nothing may be missing."""
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    before, after = step.before.gauge, step.after.gauge
    if rules.gauge is not GaugeUse.INCIDENTS or not noted or step.partial:
        return None
    return None if before is None or after is None else after - before


def broken(rules: Rulebook, sheet: Sheet, step: Step) -> Failure | None:
    """Return why no world could show how the gauge moved in a step, if none could."""
    rise = noted_rise(rules, step)
    if rise is None:
        return None
    if step.name == INCIDENT_STEP:
        said = [record.occurs for record in step.records if isinstance(record, records.Happens)]
        still = bool(said) and not said[-1]
        return _wrong(rise) if still and rise else None
    if step.name != GOODWILL_STEP:
        return None
    low = high = 0
    for record in step.records:
        if not isinstance(record, records.Use) or record.outcome == REFUSED:
            continue
        ability = ability_of(rules, record)
        if ability is None or isinstance(ability.does, ClearUser):
            low, high = low - 1, high + 1
        elif isinstance(ability.does, ResolveIncident):
            high += _borrowed(rules, sheet, record)
    return None if low <= rise <= high else _wrong(rise)


def _borrowed(rules: Rulebook, sheet: Sheet, use: records.Use) -> int:
    """Return how far the effect of an incident that a card resolved may move the gauge."""
    day = use.target.day if isinstance(use.target, records.TargetSpec) else None
    numbers = range(len(sheet.incidents)) if day is None else sheet.incidents_on(day)
    raised = [raised_by(rules.incidents[sheet.incidents[n].incident].parts) for n in numbers]
    return max(raised, default=0)


def incident_counted(
    view: ScriptView, step: Step, numbers: tuple[int, ...], *, ended: bool
) -> Failure | None:
    """Judge how far the gauge moved with these incidents.

    Where an effect ended the loop, the gauge may stand before its last steps (I-21).

    Args:
        view: the moment before the step.
        step: the step.
        numbers: the incidents that occurred.
        ended: the loop may have ended within the effect.
    """
    rise = noted_rise(view.rules, step)
    if rise is None:
        return None
    each = [rises(view, number, str(view.world.culprits[number])) for number in numbers]
    allowed = {sum(chosen) for chosen in product(*each)}
    if rise in allowed or (ended and 0 <= rise < max(allowed)):
        return None
    return _wrong(rise)


def _wrong(rise: int) -> Failure:
    return Failure("MC-01", f"The gauge cannot have moved by {rise} here.")
