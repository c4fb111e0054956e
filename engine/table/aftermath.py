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
    GoodwillAbility,
    Incident,
    MoveAnyHere,
    ResolveIncident,
    RevealAndRaise,
    Rulebook,
)
from engine.script import Sheet
from engine.steps.knowledge import MADNESS, SEAL
from engine.table.apply import candidates
from engine.table.step import Step
from engine.words import GOODWILL_STEP, INCIDENT_STEP, NIGHT, NOTHING, REFUSED


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


def knowledge_aftermath(rules: Rulebook, sheet: Sheet, step: Step) -> None:
    """Follow the gauge of knowledge: what was announced raises it though nobody noted it."""
    board = step.after
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if not noted and board.gauge is not None:
        rise = _public_rise(rules, step)
        # What an effect raises shows in the gauge alone: a step told in full has noted it.
        told_in_full = step.complete and not step.partial
        unsure = rise is None or (step.name in _MOVING and not told_in_full)
        board.gauge = None if unsure else board.gauge + (rise or 0)
    before, after = step.before.gauge, board.gauge
    if before is None or after is None:
        board.gauge_rose |= MAYBE
        surely_mad = max(board.gauge_max or 0, after or 0) >= MADNESS
        if after is None or step.before.gauge_max is None or before is None:
            board.gauge_max = (board.gauge_max or after) if surely_mad else None
        return
    low, high = _peak(rules, sheet, step)
    if low > before:
        board.gauge_rose = YES
    elif high > before:
        board.gauge_rose |= MAYBE
    known = step.before.gauge_max
    if known is None:
        board.gauge_max = low if low >= MADNESS else None
        return
    low, high = max(known, low), max(known, high)
    # Where it is not known whether a spell was learnt the highest value is not known.
    board.gauge_max = None if any(low < spell <= high for spell in (SEAL, MADNESS)) else low


def _peak(rules: Rulebook, sheet: Sheet, step: Step) -> tuple[int, int]:
    """Return the least and most that the gauge may have shown within a step.

    Within a step it only rises, unless a card clears itself and lowers it (K-Scientist).
    """
    before, after = step.before.gauge, step.after.gauge
    assert before is not None
    assert after is not None
    if not any(_clears(rules, record) for record in step.records):
        return max(before, after), max(before, after)
    ways = {(before, before)}  # the gauge now, and the highest so far
    for record in step.records:
        match record:
            case records.Use(outcome="refused"):
                moves = {1}
            case records.Use():
                moves = {0, 1} if record.outcome == NOTHING else {0}
                if _clears(rules, record):
                    moves = {-1, 0, 1}
                moves |= set(range(_borrowed_rise(rules, sheet, record) + 1))
            case records.Reveal():
                moves = {0, 1}
            case _:
                continue
        ways = {(now + n, max(top, now + n)) for now, top in ways for n in moves}
    tops = [top for now, top in ways if now == after] or [max(before, after)]
    return min(tops), max(tops)


def _abilities(rules: Rulebook, use: records.Use) -> list[GoodwillAbility]:
    character = rules.characters.get(use.who) if isinstance(use.who, str) else None
    abilities = () if character is None else character.goodwill
    return [ability for ability in abilities if ability.key == use.key]


def _clears(rules: Rulebook, record: AnyRecord) -> bool:
    """Tell whether a record is a use that may have moved the gauge either way."""
    if not isinstance(record, records.Use) or record.outcome == REFUSED:
        return False
    return any(isinstance(ability.does, ClearUser) for ability in _abilities(rules, record))


def _borrowed_rise(rules: Rulebook, sheet: Sheet, use: records.Use) -> int:
    """Return how far the effect of an incident that a card resolves may raise the gauge."""
    if not any(isinstance(one.does, ResolveIncident) for one in _abilities(rules, use)):
        return 0
    return sum(
        part.n
        for item in sheet.incidents
        for part in rules.incidents[item.incident].parts
        if isinstance(part, GaugeUp)
    )


_MOVING = (GOODWILL_STEP, INCIDENT_STEP, NIGHT)
"""Steps in which something can move the gauge of knowledge (WM-01)."""


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
    # A card that cleared itself may have taken the gauge back, so that nobody noted it.
    return None if rise and any(_clears(rules, record) for record in step.records) else rise


def start_gauge(rules: Rulebook, step: Step) -> None:
    """Note the gauge with which a loop begins; unknown if the step was noted in part."""
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    if rules.gauge is GaugeUse.INCIDENTS and not noted and not step.complete:
        step.after.gauge = None
    if step.day > 1 or rules.gauge is GaugeUse.NONE:
        return
    step.after.gauge_loop_start = step.after.gauge
    step.after.gauge_rose = NO
