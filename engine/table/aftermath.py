"""What a step changes in public without a record of its own: the gauge, and locks on movement."""

from __future__ import annotations

from collections.abc import Iterable

from engine import records
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord
from engine.rules.model import (
    ClearUser,
    GaugeUp,
    GaugeUse,
    Incident,
    MoveAnyHere,
    ResolveIncident,
    RevealAndRaise,
    Rulebook,
)
from engine.script import Sheet
from engine.table.apply import candidates
from engine.table.step import Step
from engine.words import NOTHING, REFUSED


def incident_aftermath(rules: Rulebook, sheet: Sheet, step: Step) -> None:
    """Follow the gauge and the locks through an incident step (MC-01, MC-17, MC-18)."""
    said = [record.occurs for record in step.records if isinstance(record, records.Happens)]
    numbers = sheet.incidents_on(step.day)
    if not numbers or False in said:
        return
    incident = rules.incidents[sheet.incidents[numbers[0]].incident]
    board = step.after
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if rules.gauge is GaugeUse.INCIDENTS and not noted and board.gauge is not None:
        odd = any(rules.characters[who].effect_times != 1 for who in board.cards)
        changes = any(isinstance(part, GaugeUp) for part in incident.parts)
        unsure = not said or step.over is not None
        unsure = unsure or (odd and (changes or incident.gauge_rise == 0))
        board.gauge = None if unsure else board.gauge + incident.gauge_rise
    hold_moved(step, incident, step.records)
    if step.partial and any(role.clears_after_incident for role in rules.roles.values()):
        # Whose Unease went after the incident may be missing from the notes (MC-08).
        for who, card in board.cards.items():
            if board.alive(who) != NO:
                card.unease = None


def hold_moved(step: Step, incident: Incident, shown: Iterable[AnyRecord]) -> None:
    """Keep whom an incident moved where it is on the next day (MC-17)."""
    if not any(isinstance(part, MoveAnyHere) for part in incident.parts):
        return
    for record in shown:
        if isinstance(record, records.Moved):
            names = candidates(step.before, record.who)
            for who in names:
                before = step.before.cards.get(who)
                if before is not None and before.at != record.to:
                    sure = len(names) == 1 and before.at is not None and isinstance(record.to, str)
                    step.after.hold(who, YES if sure else MAYBE)


def goodwill_aftermath(rules: Rulebook, step: Step) -> None:
    """Forget a gauge that a card may have moved though nobody noted how (K-Scientist)."""
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if rules.gauge is not GaugeUse.INCIDENTS or noted:
        return
    for record in step.records:
        if not isinstance(record, records.Use) or record.outcome == REFUSED:
            continue
        character = rules.characters.get(record.who) if isinstance(record.who, str) else None
        abilities = () if character is None else character.goodwill
        if any(
            ability.key == record.key and isinstance(ability.does, ClearUser | ResolveIncident)
            for ability in abilities
        ):
            step.after.gauge = None


def borrowed_aftermath(rules: Rulebook, sheet: Sheet, step: Step) -> None:
    """Hold whom an incident's effect moved that a card resolved itself (K-A.I., MC-17)."""
    numbers: tuple[int, ...] = ()
    for record in step.records:
        if isinstance(record, records.Use):
            numbers = ()
            character = rules.characters.get(record.who) if isinstance(record.who, str) else None
            for ability in () if character is None else character.goodwill:
                if ability.key == record.key and isinstance(ability.does, ResolveIncident):
                    target = record.target
                    day = target.day if isinstance(target, records.TargetSpec) else None
                    every = range(len(sheet.incidents))
                    numbers = tuple(every) if day is None else sheet.incidents_on(day)
        elif isinstance(record, records.Moved):
            for number in numbers:
                hold_moved(step, rules.incidents[sheet.incidents[number].incident], (record,))


def knowledge_aftermath(rules: Rulebook, step: Step) -> None:
    """Follow the gauge of knowledge: what was announced raises it though nobody noted it."""
    board = step.after
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if not noted and board.gauge is not None:
        rise = _public_rise(rules, step)
        # What an effect raises shows in the gauge alone: a step told in full has noted it.
        unsure = rise is None or step.partial or not step.complete
        board.gauge = None if unsure else board.gauge + (rise or 0)
    before, after = step.before.gauge, board.gauge
    if after is None:
        board.gauge_rose |= MAYBE
        board.gauge_max = board.gauge_max if (board.gauge_max or 0) >= 4 else None
        return
    if before is None:
        board.gauge_rose |= MAYBE
    elif after > before:
        board.gauge_rose = YES
    board.gauge_max = (
        None if board.gauge_max is None and after < 3 else max(after, board.gauge_max or 0)
    )


def _public_rise(rules: Rulebook, step: Step) -> int | None:
    """Return how far the announced events of a step raise the gauge; ``None`` if unclear."""
    telling = {
        role.id
        for role in rules.roles.values()
        for ability in role.abilities
        if isinstance(ability.does, RevealAndRaise)
    }
    rise = 0
    for record in step.records:
        if isinstance(record, records.Use):
            rise += record.outcome == REFUSED
            if record.outcome == NOTHING:
                return None
        elif isinstance(record, records.Reveal):
            died = any(
                isinstance(other, records.Death) and other.who == record.role_of
                for other in step.records
            )
            rise += died and record.role in telling
    return rise


def start_gauge(rules: Rulebook, step: Step) -> None:
    """Note the gauge with which a loop begins; unknown if the step was noted in part."""
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if rules.gauge is GaugeUse.INCIDENTS and not noted and not step.complete:
        step.after.gauge = None
    if step.day > 1 or rules.gauge is GaugeUse.NONE:
        return
    step.after.gauge_loop_start = step.after.gauge
    step.after.gauge_rose = NO
