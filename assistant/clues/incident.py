"""The incident step read backward: who may be the culprit, given what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assistant.clues import counting, deaths, knowledge
from assistant.clues.effect import Noted, effect_formula
from assistant.clues.effect.noted import take_tokens
from assistant.clues.model import Flags, Piece, Unit, add_way, completed, continued, observed
from assistant.clues.stray import untimed
from assistant.clues.trigger import triggers
from assistant.clues.view import FormulaView, cast_of, when
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, all_of, any_of
from engine import kleene, records
from engine.rules.model import Incident
from engine.table import Step, Table
from engine.words import LOCATIONS


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of an incident step under given flags (I-01 to I-26)."""
    numbers = table.sheet.incidents_on(step.day)
    if not numbers:
        return _stray_effects(FormulaView(table, step.before, flags), step, flags)
    number = numbers[0]
    incident = table.rules.incidents[table.sheet.incidents[number].incident]
    view = FormulaView(table, step.before, flags)
    occurs = occurred(step)
    if occurs is None:
        return []
    if not occurs:
        return [
            _did_not_occur(table, step, view, flags, number, incident),
            *counting.quiet_gauge(step, table, flags),
            *knowledge.still_gauge(table, step, flags),
            *_nothing_ended_it(step, flags),
            *_stray_effects(view, step, flags),
        ]
    noted = Noted.of(view, step.records)
    found = [
        _occurred(table, step, view, flags, number, incident),
        _effect(table, step, view, flags, number, incident, noted),
        *deaths.killable(table, step, view, flags),
        *deaths.play_went_on(table, step, view, flags),
        *deaths.reactions(table, step, view, flags, Counter(dict(noted.reactions))),
        *deaths.reveals(table, step, view, flags),
        *_scent(table, step, view, flags),
        *counting.incident_gauge(table, step, view, flags, incident, number),
        *knowledge.incident_gauge(table, step, view, flags, incident, number),
    ]
    return [piece for piece in found if piece.ways != {flags: TRUE}]


def occurred(step: Step) -> bool | None:
    """Return whether the incident happened: as said, or because effects were noted."""
    for record in step.records:
        if isinstance(record, records.Happens):
            return record.occurs
    effects = (
        records.Death,
        records.Token,
        records.Moved,
        records.NoEffect,
        records.GuardLost,
        records.LocationNamed,
        records.ExtraCard,
        records.Curse,
    )
    return True if any(isinstance(record, effects) for record in step.records) else None


def culprits_of(table: Table, incident: Incident) -> tuple[str, ...]:
    """Return who may be the culprit: the cast, or for a mob the locations (HS-03)."""
    return cast_of(table) if incident.mob is None else LOCATIONS


def _implied(view: FormulaView, number: int, ways: dict[str, Formula]) -> Formula:
    """Return "whoever is the culprit, its condition holds"."""
    return all_of(~CulpritAtom(number, who) | way for who, way in ways.items() if way is not TRUE)


def _did_not_occur(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    number: int,
    incident: Incident,
) -> Piece:
    ways = {who: ~triggers(view, who, incident).must for who in culprits_of(table, incident)}
    return Piece(
        "quiet",
        {flags: _implied(view, number, ways)},
        (observed(step),),
        ("I-01", "G-16"),
        f"{when(step.at)}: {incident.name} did not happen.",
    )


def _occurred(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    number: int,
    incident: Incident,
) -> Piece:
    ways = {who: triggers(view, who, incident).may for who in culprits_of(table, incident)}
    return Piece(
        "occurred",
        _ways(flags, _implied(view, number, ways)),
        (observed(step),),
        ("I-01", "I-02"),
        f"{when(step.at)}: {incident.name} happened.",
    )


def _effect(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    number: int,
    incident: Incident,
    noted: Noted,
) -> Piece:
    ways: dict[Flags, Formula] = {}
    for others, target, extra in (
        (noted, flags, TRUE),
        *_without_stray(view, flags, noted),
    ):
        by_culprit = {
            who: effect_formula(table, step, view, incident, who, others)
            for who in culprits_of(table, incident)
        }
        add_way(ways, target, extra & _implied(view, number, by_culprit))
    units: tuple[Unit, ...] = (observed(step),)
    if step.complete:
        units = (*units, completed(step))
    if step.continues:
        units = (*units, continued(step))
    shown = noted.story(table)
    return Piece(
        "effect",
        ways,
        units,
        incident.rulings,
        f"{when(step.at)}: {incident.name} showed {shown}.",
    )


def _without_stray(
    view: FormulaView, flags: Flags, noted: Noted
) -> Iterator[tuple[Noted, Flags, Formula]]:
    """Yield the effect without a location token that an untimed plot rule may explain (M-08)."""
    for names, token, n in noted.tokens:
        if len(names) != 1:
            continue
        for target, way in untimed(view, flags, names[0], token, 1).items():
            left = take_tokens(noted, names[0], token, 1)
            if left is not None and n >= 1:
                yield left, target, way


def _stray_effects(view: FormulaView, step: Step, flags: Flags) -> list[Piece]:
    """Effects without an occurrence: nothing explains them but an untimed plot rule."""
    noted = Noted.of(view, step.records)
    if noted.empty():
        return []
    ways: dict[Flags, Formula] = {}
    for left, target, way in _without_stray(view, flags, noted):
        if left.empty():
            add_way(ways, target, way)
    text = f"{when(step.at)}: something changed although nothing happened."
    return [Piece("stray", ways, (observed(step),), ("I-01", "M-08"), text)]


def _nothing_ended_it(step: Step, flags: Flags) -> list[Piece]:
    """Without an occurrence nothing in this step ends the loop (I-22, I-23)."""
    if step.over is None:
        return []
    text = f"{when(step.at)}: the loop was over without an incident."
    return [Piece("word", {}, (observed(step),), ("I-22", "I-23"), text)]


def _scent(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """After a scent a further incident is deadly, unless its own effect was void (WM-14)."""
    told = step.complete and step.over is None
    if not (step.continues or told) or view.shielded() != kleene.NO:
        return []
    ended = FALSE if step.continues else deaths.some_death_ended_it(view, step)
    found = []
    for number in knowledge.scent_of(table, step):
        if not knowledge.surely_occurred(table, step, number):
            continue
        void = [who for who in cast_of(table) if table.rules.characters[who].effect_times == 0]
        way = any_of(CulpritAtom(number, who) for who in void) | ended
        found.append(
            Piece(
                f"scent:{number}",
                _ways(flags, way),
                (observed(step), continued(step) if step.continues else completed(step)),
                ("WM-14",),
                f"{when(step.at)}: a further incident, and nobody was killed.",
            )
        )
    return found


def _ways(flags: Flags, formula: Formula) -> dict[Flags, Formula]:
    return {} if formula is FALSE else {flags: formula}
