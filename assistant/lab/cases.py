"""Judge case files with replay and with the clues, and print each mismatch with its ruling.

A case is a small transcript with scripts, each possible or not. Folders are searched for
*.json; files of another kind in them are passed over, and cases of sets that are not
modelled are counted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.cli import show
from assistant.judge import SIDES, ScriptVerdict, Verdicts, judge_case
from assistant.transcript.errors import Malformed, NotModelled, TableError
from assistant.transcript.jsonform import Case, load_case
from engine.sets import RULEBOOKS


@dataclass(slots=True)
class Tally:
    """What was found, over all cases.

    Attributes:
        judged: the verdicts with the file of each.
        other_sets: number of cases by set that is not modelled or not asked for.
        not_modelled: cases of a modelled set with something that is not.
        broken: files that cannot be read.
        passed_over: number of files that are no cases.
    """

    judged: list[tuple[Path, Verdicts]] = field(default_factory=list)
    other_sets: Counter[str] = field(default_factory=Counter)
    not_modelled: list[TableError] = field(default_factory=list)
    broken: list[TableError] = field(default_factory=list)
    passed_over: int = 0

    def mismatches(self) -> Iterator[tuple[Path, Verdicts, ScriptVerdict]]:
        """Yield what does not come out as its case says."""
        for path, verdicts in self.judged:
            for verdict in verdicts.mismatches:
                yield path, verdicts, verdict

    def by_ruling(self) -> dict[str, Counter[str]]:
        """Return numbers of cases, scripts and mismatches by ruling."""
        found: dict[str, Counter[str]] = {}
        for _, verdicts in self.judged:
            for ruling in dict.fromkeys(verdicts.rulings):
                found.setdefault(ruling, Counter()).update(
                    cases=1, scripts=len(verdicts.scripts), mismatches=len(verdicts.mismatches)
                )
        return dict(sorted(found.items()))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "paths", metavar="DIR", nargs="+", type=Path, help="folders with cases, or single cases"
    )
    parser.add_argument("--set", metavar="SET", help="only cases of this tragedy set")
    parser.add_argument("--side", choices=SIDES, help="ask only one of the two sides")


def run(args: argparse.Namespace) -> int:
    """Judge cases; 1 on any mismatch, 2 when a file cannot be read."""
    if args.set is not None and args.set not in RULEBOOKS:
        raise NotModelled(
            f"the tragedy set {args.set!r} is not modelled", expected=" or ".join(RULEBOOKS)
        )
    sides = SIDES if args.side is None else (args.side,)
    tally = Tally()
    for path in case_files(args.paths):
        judge_file(path, tally, sides, args.set)
    if args.json:
        show.as_json(_fields(tally))
    else:
        _show(tally)
    if tally.broken:
        return show.BAD_INPUT
    return show.NO if any(tally.mismatches()) else show.FINE


def case_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that are named, and those in folders that are.

    Raises:
        FileNotFoundError: when a path does not exist.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.json"))
        else:
            path.stat()
            yield path


def judge_file(
    path: Path, tally: Tally, sides: Iterable[str] = SIDES, only: str | None = None
) -> None:
    """Judge one file and enter it in the tally."""
    try:
        case = read_case(path)
        if case is None:
            tally.passed_over += 1
            return
        name = case.transcript.sheet.set
        if name not in RULEBOOKS or only not in (None, name):
            tally.other_sets[name] += 1
            return
        tally.judged.append((path, judge_case(case, tuple(sides))))
    except NotModelled as error:
        tally.not_modelled.append(error.placed(file=str(path)))
    except TableError as error:
        tally.broken.append(error.placed(file=str(path)))


def read_case(path: Path) -> Case | None:
    """Read a case, or return ``None`` if the file is of another kind.

    Raises:
        TableError: when it is no JSON, or a case that is malformed.
    """
    content = path.read_bytes()
    try:
        raw = json.loads(content)
    except RecursionError:
        raise Malformed("the file is nested too deeply", file=str(path)) from None
    except ValueError:
        return load_case(path)  # which says what is wrong, and where
    if not isinstance(raw, dict) or "case" not in raw or "transcript" not in raw:
        return None
    return load_case(path)


def _fields(tally: Tally) -> dict[str, Any]:
    return {
        "cases": len(tally.judged),
        "scripts": sum(len(verdicts.scripts) for _, verdicts in tally.judged),
        "mismatches": [
            {
                "case": verdicts.case,
                "file": str(path),
                "script": verdict.number,
                "rulings": list(verdicts.rulings),
                "expected": verdict.possible,
                "why": verdict.why,
                "wrong": list(verdict.wrong),
                "sides": {
                    side: {
                        "possible": said.possible,
                        "reasons": [reason.fields() for reason in said.reasons],
                    }
                    for side, said in verdict.sides.items()
                },
            }
            for path, verdicts, verdict in tally.mismatches()
        ],
        "by_ruling": {ruling: dict(numbers) for ruling, numbers in tally.by_ruling().items()},
        "other_sets": dict(sorted(tally.other_sets.items())),
        "not_modelled": [show.error_fields(error) for error in tally.not_modelled],
        "broken": [show.error_fields(error) for error in tally.broken],
        "passed_over": tally.passed_over,
    }


def _show(tally: Tally) -> None:
    for error in tally.broken:
        print(error)
    for error in tally.not_modelled:
        print(f"not judged: {error}")
    for path, verdicts, verdict in tally.mismatches():
        print(mismatch_text(path, verdicts, verdict))
    rulings = tally.by_ruling()
    if rulings:
        width = max(map(len, rulings))
        print(f"{'ruling':<{width}}  cases  scripts  mismatches")
        for ruling, numbers in rulings.items():
            print(
                f"{ruling:<{width}}  {numbers['cases']:>5}  {numbers['scripts']:>7}  "
                f"{numbers['mismatches']:>10}"
            )
    scripts = sum(len(verdicts.scripts) for _, verdicts in tally.judged)
    print(
        f"{show.plural(len(tally.judged), 'case')}, {show.plural(scripts, 'script')}, "
        f"{show.plural(len(list(tally.mismatches())), 'mismatch', 'mismatches')}."
    )
    if tally.other_sets:
        counts = ", ".join(f"{name} {number}" for name, number in sorted(tally.other_sets.items()))
        print(
            f"Left out, of other sets: {show.plural(tally.other_sets.total(), 'case')} ({counts})"
        )
    if tally.not_modelled:
        print(f"Left out, not modelled: {show.plural(len(tally.not_modelled), 'case')}.")
    if tally.broken:
        print(f"Cannot be read: {show.plural(len(tally.broken), 'file')}.")


def mismatch_text(path: Path, verdicts: Verdicts, verdict: ScriptVerdict) -> str:
    """Return a mismatch as a few lines: the case, what it expects, what each side says."""
    rulings = ", ".join(verdicts.rulings)
    lines = [
        f"MISMATCH {verdicts.case} [{rulings}] script {verdict.number}: "
        f"{' and '.join(verdict.wrong)} wrong",
        f"  {path}",
        f"  expected: {_word(verdict.possible)} ({verdict.why})",
    ]
    for side, said in verdict.sides.items():
        lines.append(f"  {side}: {_word(said.possible)}")
        lines += [f"    {reason}" for reason in said.reasons]
    return "\n".join(lines)


def _word(possible: bool) -> str:
    return "possible" if possible else "not possible"
