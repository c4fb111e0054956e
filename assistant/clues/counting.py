"""The gauge that counts incidents, read backward: each step moves it as the rules say (MC-01)."""

from __future__ import annotations

from assistant.clues import deaths
from assistant.clues.knowledge import rise_of
from assistant.clues.model import Flags, Piece, observed
from assistant.clues.view import FormulaView, cast_of, when
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, all_of
from engine import records
from engine.rules.model import ClearUser, GaugeUp, GaugeUse, Incident, ResolveIncident
from engine.table import Step, Table
from engine.table.checks import ability_of
from engine.words import REFUSED


def _noted_rise(table: Table, step: Step) -> int | None:
    """Return how far the gauge moved, where a record says so and nothing may be missing."""
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if table.rules.gauge is not GaugeUse.INCIDENTS or not noted or step.partial:
        return None
    return rise_of(step)


def incident_gauge(
    table: Table, step: Step, view: FormulaView, flags: Flags, incident: Incident, number: int
) -> list[Piece]:
    """An occurrence raises the gauge by its steps; the rest depends on the culprit (MC-20)."""
    rise = _noted_rise(table, step)
    if rise is None:
        return []
    ended: Formula = TRUE if step.over is not None or step.ends_loop else FALSE
    if not step.continues:
        ended = ended | deaths.some_death_ended_it(view, step)
    ways: list[Formula] = []
    for who in cast_of(table):
        allowed = allowed_rises(table, incident, who)
        if rise in allowed:
            continue
        # Where the effect ended the loop the gauge may stand before its last steps (I-21).
        short = ended if 0 <= rise < max(allowed) else FALSE
        ways.append(~CulpritAtom(number, who) | short)
    return _piece(step, flags, all_of(ways), rise)


def allowed_rises(table: Table, incident: Incident, culprit: str) -> set[int]:
    """Return how far a whole occurrence with this culprit may move the gauge."""
    times = table.rules.characters[culprit].effect_times
    ups = sum(part.n for part in incident.parts if isinstance(part, GaugeUp))
    base = incident.gauge_rise - ups
    rises = {base + ups}
    if times == 0:
        # Whether what an effect says of the gauge is void with it is open (MC-19, MC-20).
        rises.add(1)
    elif times > 1:
        rises.add(base + ups * times)
    return rises


def quiet_gauge(step: Step, table: Table, flags: Flags) -> list[Piece]:
    """Without an occurrence the gauge stands."""
    rise = _noted_rise(table, step)
    return [] if rise in (None, 0) else _piece(step, flags, FALSE, rise or 0)


def goodwill_gauge(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Only a card that says so moves the gauge by a Goodwill ability (K-Scientist, MC-01)."""
    rise = _noted_rise(table, step)
    if rise is None:
        return []
    low = high = 0
    for record in step.records:
        if not isinstance(record, records.Use) or record.outcome == REFUSED:
            continue
        ability = ability_of(table.rules, record)
        if ability is None or isinstance(ability.does, ClearUser):
            low, high = low - 1, high + 1
        elif isinstance(ability.does, ResolveIncident):
            high += _borrowed_rise(table, record)
    return [] if low <= rise <= high else _piece(step, flags, FALSE, rise)


def _borrowed_rise(table: Table, use: records.Use) -> int:
    """Return how far the effect itself of a borrowed incident may move the gauge."""
    day = use.target.day if isinstance(use.target, records.TargetSpec) else None
    numbers = range(len(table.sheet.incidents)) if day is None else table.sheet.incidents_on(day)
    rises = [
        sum(part.n for part in incident.parts if isinstance(part, GaugeUp))
        for incident in (
            table.rules.incidents[table.sheet.incidents[number].incident] for number in numbers
        )
    ]
    return max(rises, default=0)


def _piece(step: Step, flags: Flags, way: Formula, rise: int) -> list[Piece]:
    if way is TRUE:
        return []
    return [
        Piece(
            "counted",
            {} if way is FALSE else {flags: way},
            (observed(step),),
            ("MC-01", "MC-20", "MC-19"),
            f"{when(step.at)}: the gauge moved by {rise}.",
        )
    ]
