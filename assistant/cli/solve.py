"""Say exactly which plots, roles and culprits the records of a game leave possible."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from assistant.cli import read, show
from assistant.deduction import CERTAIN, IMPOSSIBLE, Deduction, up_to_record
from assistant.experiments import followed_by, fuller, readings, supposing
from assistant.formula import CulpritAtom, Formula, PlotAtom, RoleAtom
from assistant.transcript.errors import Malformed, at_words
from assistant.transcript.validate import check
from engine.records import Transcript
from engine.rules.model import Rulebook
from engine.script import Sheet

_SIGNS: Final = {CERTAIN: "●", IMPOSSIBLE: "·"}
_POSSIBLE_SIGN: Final = "○"
_NAMES: Final = 19
_MANY: Final = 15
LEGEND: Final = "● certain   ○ possible   · impossible"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a transcript (JSON or notation); - reads it")
    add_at(parser)
    parser.add_argument(
        "--suppose",
        metavar="WORDS",
        action="append",
        default=[],
        help="what else to take as true, in the words of looper why, or not and such words",
    )
    parser.add_argument(
        "--then",
        metavar="LINE",
        action="append",
        default=[],
        help="a line of notation that might come next, such as '== 2.1 cards' or a record",
    )
    parser.add_argument(
        "--open",
        action="store_true",
        help="also say what hangs on open rulings, and which open step would tell most",
    )


def add_at(parser: argparse.ArgumentParser) -> None:
    """Add the option that goes back to an earlier moment of the game."""
    parser.add_argument(
        "--at",
        metavar="RECORD",
        type=int,
        help="the game as it stood after this record, counted from 1",
    )


def run(args: argparse.Namespace) -> int:
    """Print the answer."""
    transcript = game_at(args.file, args.at)
    if args.then:
        transcript = followed_by(transcript, args.then)
        check(transcript)
    deduction = Deduction.of(transcript)
    supposed = [supposition(deduction, words) for words in args.suppose]
    if deduction.consistent and supposed:
        deduction = supposing(deduction, *supposed)
        if not deduction.consistent:
            print("That cannot be.")
            return show.NO
    answer = deduction.answer()
    if not answer["consistent"]:
        _contradiction(deduction, answer, as_json=args.json)
        return show.NO
    more = open_matters(deduction) if args.open else None
    if args.json:
        show.as_json(answer if more is None else answer | more)
    else:
        _show(deduction.table.transcript, deduction.table.rules, answer)
        if more is not None:
            _show_open(deduction.table.rules, more)
    return show.FINE


def supposition(deduction: Deduction, text: str) -> Formula:
    """Return a supposition in the words of ``looper why``; ``not`` turns it round.

    Raises:
        Malformed: when it names something that is not there.
    """
    from assistant.cli.why import question

    words = text.split()
    denied = words[:1] == ["not"]
    formula = question(deduction.table, words[denied:])[0]
    return ~formula if denied else formula


def _contradiction(deduction: Deduction, answer: Mapping[str, Any], *, as_json: bool) -> None:
    from assistant.cli.why import (
        conflict_of,
        corrected_by,
        print_corrections,
        print_reason,
        reason_fields,
    )

    conflict = conflict_of(deduction)
    numbers = corrected_by(deduction, conflict)
    if as_json:
        fields = reason_fields(conflict) | {"corrections": list(numbers)}
        show.as_json({**answer, "conflict": fields})
    else:
        print("No world explains this.")
        print_reason(conflict)
        print_corrections(numbers, deduction.table.transcript)


def open_matters(deduction: Deduction) -> dict[str, Any]:
    """Return what hangs on open rulings and open steps as plain JSON values."""
    return {
        "rulings": [
            {
                "ruling": reading.ruling,
                "reading": reading.yes,
                "worlds": reading.worlds,
                "settles": [
                    {"cell": cell_words(cell), "state": state} for cell, state in reading.settled
                ],
            }
            for reading in readings(deduction)
        ],
        "open_steps": [{"at": list(one.at), "worlds": one.worlds} for one in fuller(deduction)],
    }


def cell_words(cell: Formula) -> list[object]:
    """Return a cell as a list: what it is about, and of whom or what."""
    match cell:
        case PlotAtom(plot):
            return ["plot", plot]
        case RoleAtom(who, role):
            return ["role", who, role]
        case CulpritAtom(number, who):
            return ["culprit", number, who]
    raise ValueError(f"{cell} is no cell")


def _show_open(rules: Rulebook, more: Mapping[str, Any]) -> None:
    for reading in more["rulings"]:
        said = "yes" if reading["reading"] else "no"
        print(f"\nIf the table plays {reading['ruling']}: {said}, {reading['worlds']:,} worlds")
        for item in reading["settles"]:
            print(f"  {item['state']}: {' '.join(map(str, item['cell']))}")
    if more["open_steps"]:
        print("\nWorlds left if nothing else happened in a step that is open or noted in part")
    for item in more["open_steps"][:_MANY]:
        print(f"  {at_words(tuple(item['at'])):<40} {item['worlds']:>15,}")


def game_at(file: str, record: int | None) -> Transcript:
    """Read a game as it stood after a record; what came later need not keep the rules.

    Raises:
        Malformed: also when there is no such record.
    """
    transcript, source = read.game_with_source(file)
    if record is not None:
        number = len(transcript.records)
        if not 0 <= record <= number:
            raise Malformed(
                f"there is no record {record}",
                expected=f"a number from 0 (before the first) to {number}",
                file=source.name,
            )
        transcript = up_to_record(transcript, record)
    read.refuse(transcript, source)
    return transcript


def _show(transcript: Transcript, rules: Rulebook, answer: Mapping[str, Any]) -> None:
    sheet = transcript.sheet
    if transcript.title:
        print(show.wrapped(transcript.title))
    print(
        f"{rules.name}, {show.plural(sheet.loops, 'loop')} of {show.plural(sheet.days, 'day')}; "
        f"{show.plural(answer['records'], 'record')}, {show.plural(answer['clues'], 'clue')}"
    )
    print()
    print(f"{answer['worlds']:>15,} worlds: plots, roles and culprits")
    print(f"{answer['plot_role_worlds']:>15,} of plots and roles")
    print(f"{answer['role_assignments']:>15,} of roles alone")
    print()
    print(f"{'Plots':<42}{LEGEND}")
    for plot in (*rules.main_plots(), *rules.subplots()):
        print(f"  {_sign(answer['plots'][plot.id])} {plot.name}")
    if len(answer["combinations"]) > 1:
        print("Together")
        _show_combinations(rules, answer["combinations"])
    print()
    _show_roles(rules, answer["roles"])
    if answer["culprits"]:
        print()
        _show_culprits(rules, sheet, answer["culprits"])
    for who, late in answer["entries"].items():
        left = [value for value, cell in late["cells"].items() if cell["state"] != IMPOSSIBLE]
        print(show.listed(f"{_name(rules, who)} enters on {late['counts']}: ", left))


def _show_combinations(rules: Rulebook, combinations: Sequence[Mapping[str, Any]]) -> None:
    """Print the plot combinations with their worlds; of many only the largest."""
    listed = combinations
    if len(combinations) > _MANY:
        by_size = sorted(combinations, key=lambda item: -int(item["worlds"]))
        listed = by_size[: _MANY - 1]
    for combination in listed:
        names = " + ".join(rules.plots[plot].name for plot in combination["plots"])
        print(f"  {names:<58} {combination['worlds']:>17,}")
    if len(combinations) > len(listed):
        print(f"  and {len(combinations) - len(listed)} more (--json lists all)")


def _sign(cell: Mapping[str, Any]) -> str:
    return _SIGNS.get(cell["state"], _POSSIBLE_SIGN)


def _show_roles(rules: Rulebook, cells: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a row a character and a column a role, then what the columns stand for."""
    roles = [role for role in rules.roles if any(role in row for row in cells.values())]
    columns = short_names({role: rules.roles[role].name for role in roles})
    width = min(4, (show.WIDTH - _NAMES) // max(1, len(roles)))
    print(f"{'Roles':<{_NAMES}}" + "".join(f"{columns[role]:>{width}}" for role in roles))
    for who, row in cells.items():
        signs = "".join(f"{_sign(row[role]) if role in row else ' ':>{width}}" for role in roles)
        print(f"  {_name(rules, who):<{_NAMES - 2}.{_NAMES - 2}}{signs}")
    print(show.listed("  ", (f"{columns[role]} {rules.roles[role].name}" for role in roles), 0))


def _show_culprits(rules: Rulebook, sheet: Sheet, culprits: Iterable[Mapping[str, Any]]) -> None:
    print("Culprits")
    for number, item in enumerate(culprits):
        incident = rules.incidents[sheet.incidents[number].incident].name
        left = {
            who: cell for who, cell in item["candidates"].items() if cell["state"] != IMPOSSIBLE
        }
        certain = any(cell["state"] == CERTAIN for cell in left.values())
        names = [_name(rules, who) for who in left]
        said = "certainly " if certain else f"one of {len(left)} of {len(item['candidates'])}: "
        print(show.listed(f"day {item['day']}, {incident}: {said}", names))


def _name(rules: Rulebook, who: str) -> str:
    return rules.characters[who].name


def short_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return a short form of each name, all different: initials, or the first letters."""
    short: dict[str, str] = {}
    for id, name in names.items():
        words = name.replace("-", " ").split()
        initials = "".join(word[0] for word in words).upper()
        letters = "".join(words)
        forms = [initials] if len(words) > 1 else []
        forms += [letters[0].upper() + letter for letter in letters[1:]]
        forms += [letters[:3], *(f"{letters[:1].upper()}{digit}" for digit in range(2, 100))]
        short[id] = next(form for form in forms if form not in short.values())
    return short
