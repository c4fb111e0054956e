"""Say why something is impossible or certain: a smallest set of clues that settles it.

Ask for a character and a role, for a plot, for the culprit of a day's incident, or for the
loop or day on which a late character enters (a number, or never):
why FILE boy_student brain; why FILE plot a_place_to_protect; why FILE culprit 2 doctor.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from assistant.cli import read, show
from assistant.cli.clues import clue_fields, clue_text
from assistant.cli.solve import add_at, game_at
from assistant.clues import Clue, Unit
from assistant.clues.model import UnitKind
from assistant.deduction import CERTAIN, IMPOSSIBLE, POSSIBLE, Deduction
from assistant.experiments import corrections
from assistant.explain import Conflict, Explainer, Reason
from assistant.formula import CastAtom, CulpritAtom, EntryAtom, Formula, PlotAtom, RoleAtom
from assistant.transcript.errors import Malformed, at_words, choices
from engine.records import Transcript
from engine.table import Table

CONTRADICTION = "contradiction"
"""What is said of a cell when no world explains the game."""

Answer = Reason[Clue] | Conflict[Clue]
"""Why something is so; a conflict when no world explains the game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a transcript (JSON or notation); - reads it")
    parser.add_argument(
        "question",
        metavar="WORD",
        nargs="+",
        help="CHARACTER ROLE, plot PLOT, culprit DAY CHARACTER, or entry CHARACTER NUMBER",
    )
    add_at(parser)


def run(args: argparse.Namespace) -> int:
    """Print the reason; 1 if there is none because the matter is open."""
    deduction = Deduction.of(game_at(args.file, args.at))
    atom, subject, predicate = question(deduction.table, args.question)
    state, reason = answer(deduction, atom)
    text = f"{subject} {_VERBS[state]} {predicate}."
    if state == CONTRADICTION:
        text = "No world explains this."
    asked = f"Is {subject} {predicate}?"
    if args.json:
        fields = None if reason is None else reason_fields(reason)
        show.as_json({"question": asked, "answer": text, "state": state, "reason": fields})
    elif reason is not None:
        print(text)
        print_reason(reason)
    else:
        print(text)
        count, total = deduction.worlds.conjoin(atom).count(), deduction.worlds.count()
        print(f"  Nothing settles it: so it is in {count:,} of {total:,} worlds.")
    return show.FINE if state in (CERTAIN, IMPOSSIBLE) else show.NO


_VERBS = {
    CERTAIN: "is certainly",
    IMPOSSIBLE: "cannot be",
    POSSIBLE: "may be",
    CONTRADICTION: "may be",
}


def question(table: Table, words: Sequence[str]) -> tuple[Formula, str, str]:
    """Return what is asked: a formula, and its subject and predicate in words.

    Raises:
        Malformed: when it names something that is not there.
    """
    rules, sheet = table.rules, table.sheet
    match words:
        case ["plot", plot]:
            known = read.named("plot", plot, rules.plots)
            return PlotAtom(known), rules.plots[known].name, "a plot of the script"
        case ["culprit", day, who, *incident] if len(incident) < 2:
            number = _incident(table, day, incident)
            character = _character(table, who)
            name = rules.incidents[sheet.incidents[number].incident].name
            predicate = f"the culprit of {name} on day {sheet.incidents[number].day}"
            return CulpritAtom(number, character), rules.characters[character].name, predicate
        case ["entry", who, value] if value == "never" or value.isdecimal():
            character = _character(table, who)
            name = rules.characters[character].name
            if value == "never":
                return ~CastAtom(character), name, "not in the cast"
            unit = rules.characters[character].entry
            if unit is None:
                raise Malformed(f"{name} does not enter later", expected="a late character")
            atom = EntryAtom(character, int(value))
            return atom, name, f"a character that enters on {unit.value} {int(value)}"
        case [who, role]:
            character = _character(table, who)
            known = read.named("role", role, rules.roles)
            return (
                RoleAtom(character, known),
                rules.characters[character].name,
                rules.roles[known].name,
            )
        case _:
            raise Malformed(
                f"{' '.join(words)!r} is no question",
                expected="CHARACTER ROLE, plot PLOT, culprit DAY WHO or entry WHO NUMBER",
                remedy="Write names of several words with _ or in quotation marks.",
            )


def conflict_of(deduction: Deduction) -> Conflict[Clue]:
    """Return why no world explains the game."""
    found = Explainer(deduction.fresh, deduction.clues).conflict()
    assert found is not None  # the caller has seen that no world is left
    return found


def answer(deduction: Deduction, cell: Formula) -> tuple[str, Answer | None]:
    """Return how a cell stands, and a reason unless it is open."""
    if not deduction.consistent:
        return CONTRADICTION, conflict_of(deduction)
    explainer = Explainer(deduction.fresh, deduction.clues)
    if not deduction.worlds.allows(cell):
        return IMPOSSIBLE, explainer.impossible(cell)
    if deduction.worlds.entails(cell):
        return CERTAIN, explainer.certain(cell)
    return POSSIBLE, None


def reason_fields(found: Answer) -> dict[str, Any]:
    """Return a reason as plain JSON values."""
    reason = found.reason if isinstance(found, Conflict) else found
    fields: dict[str, Any] = {
        "clues": [clue_fields(clue) for clue in reason.clues],
        "evidence": _ids(reason.units),
        "rulings": list(reason.rulings),
        "text": reason.text,
        "smallest": reason.smallest,
    }
    if isinstance(found, Conflict):
        fields["repairs"] = _ids(found.repairs)
    return fields


def corrected_by(deduction: Deduction, found: Conflict[Clue]) -> tuple[int, ...]:
    """Return the numbers from 1 of the records of which one, doubted, leaves a world."""
    return tuple(number + 1 for number in corrections(deduction, found.reason.units))


def print_corrections(numbers: Iterable[int], transcript: Transcript) -> None:
    """Print the records of which one, doubted alone, would leave a world."""
    words = [f"record {n} ({at_words(transcript.records[n - 1].at)})" for n in numbers]
    if words:
        print(
            show.listed("If one of these were doubted or left out, a world would be left: ", words)
        )


def print_reason(found: Answer) -> None:
    """Print a reason, and for a contradiction what could be withdrawn."""
    reason = found.reason if isinstance(found, Conflict) else found
    for clue in reason.clues:
        print(clue_text(clue, 2))
    if not reason.clues:
        print("  No record is needed for that: no legal script with this open sheet fits.")
    else:
        print(show.listed("Evidence: ", _words(reason.units)))
    if isinstance(found, Conflict) and found.repairs:
        print(show.listed("Without one of these a world would be left: ", _words(found.repairs)))


def _words(units: Iterable[object]) -> list[str]:
    return [
        f"{_UNIT_WORDS[unit.kind]} {at_words(unit.at)}" for unit in units if isinstance(unit, Unit)
    ]


_UNIT_WORDS = {
    UnitKind.OBSERVED: "what was noted in",
    UnitKind.COMPLETE: "that nothing else was announced in",
    UnitKind.CONTINUED: "that play went on after",
}


def _ids(units: Iterable[object]) -> list[str]:
    return [unit.id for unit in units if isinstance(unit, Unit)]


def _character(table: Table, word: str) -> str:
    cast = {slot: table.rules.characters[slot] for slot in _cast(table)}
    return read.named("character", word, cast)


def _cast(table: Table) -> list[str]:
    late = [who for who, card in table.rules.characters.items() if card.entry is not None]
    return [*table.sheet.cast, *(() if table.sheet.cast_complete else late)]


def _incident(table: Table, day: str, incident: Sequence[str]) -> int:
    sheet = table.sheet
    numbers = sheet.incidents_on(int(day)) if day.isdecimal() else ()
    if not numbers:
        days = choices(str(item.day) for item in sheet.incidents)
        raise Malformed(f"there is no incident on day {day}", expected=days or "no culprit at all")
    if incident:
        there = {sheet.incidents[number].incident: number for number in numbers}
        names = {id: table.rules.incidents[id] for id in there}
        return there[read.named(f"incident on day {day}", incident[0], names)]
    if len(numbers) > 1:
        names_there = choices(sheet.incidents[number].incident for number in numbers)
        raise Malformed(
            f"there are several incidents on day {day}",
            expected=f"{names_there} behind the character",
        )
    return numbers[0]
