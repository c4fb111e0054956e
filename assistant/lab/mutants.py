"""Change the rule text in every small way and see whether somebody notices.

Each ability, condition, count and field is taken away, turned round or moved by one: once as
the engine alone sees it, which the comparison with the clues has to notice, and once in the
text that both sides read, which a ruling case or a printed figure has to notice.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any, Final

from assistant.lab import noticing, pool
from assistant.lab.mutations import Mutant, mutants
from assistant.lab.progress import Progress
from assistant.transcript.jsonform import Case
from engine.sets import RULEBOOKS

ENGINE: Final = "engine"
BOTH: Final = "both"
_CHUNK: Final = 6
_SURVIVORS: Final = "survivors.toml"


@dataclass(frozen=True, slots=True)
class Job:
    """Some mutants of one plot, role, incident or character.

    Attributes:
        side: who has them, ``engine`` or ``both``.
        set_id: the set to which the run is restricted.
        names: their names.
        cases: folders with cases.
    """

    side: str
    set_id: str | None
    names: tuple[str, ...]
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one mutant.

    Attributes:
        side, name: which mutant.
        noticed: who noticed it, empty for a survivor.
        reason: why it may survive, as far as it is explained; such mutants are tried on demand.
    """

    side: str
    name: str
    noticed: str
    reason: str = ""

    @property
    def unexplained(self) -> bool:
        """Tell whether it survived without a reason."""
        return not self.noticed and not self.reason


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--set", choices=sorted(RULEBOOKS), help="only the text of this set")
    parser.add_argument("--side", choices=(ENGINE, BOTH), help="who has the mutants; else each")
    parser.add_argument("--only", metavar="PATTERN", help="names of mutants, such as 'role *'")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants by chance")
    parser.add_argument("--seed", type=int, default=1, help="source of that chance (%(default)s)")
    parser.add_argument(
        "--cases", metavar="DIR", nargs="+", default=[str(noticing.CASES)], help="ruling cases"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (one a core)")
    parser.add_argument(
        "--explained", action="store_true", help="try those too that survive with a reason"
    )
    parser.add_argument("--no-cache", action="store_true", help="try again what was tried before")
    parser.add_argument("--verbose", action="store_true", help="say who noticed each mutant")


def run(args: argparse.Namespace) -> int:
    """Try the mutants, list the survivors, and return 1 if one is unexplained."""
    sides = (ENGINE, BOTH) if args.side is None else (args.side,)
    chosen = select(args.set, args.only, args.sample, args.seed)
    outcomes: list[Outcome] = []
    for side in sides:
        outcomes += hunt(
            side,
            chosen,
            set_id=args.set,
            cases=args.cases,
            explained=args.explained,
            workers=args.jobs,
            cache=None if args.no_cache else cache_file(side, args.set, args.cases),
        )
    if args.json:
        from assistant.cli import show

        show.as_json([asdict(outcome) for outcome in outcomes])
    else:
        for line in report(outcomes, verbose=args.verbose):
            print(line)
    return 1 if any(outcome.unexplained for outcome in outcomes) else 0


def select(
    set_id: str | None, pattern: str | None = None, sample: int | None = None, seed: int = 1
) -> list[Mutant]:
    """Return the mutants to try, those of one thing together."""
    chosen = [m for m in _all(set_id) if pattern is None or fnmatchcase(m.name, pattern)]
    if sample is not None and sample < len(chosen):
        kept = set(Random(seed).sample(range(len(chosen)), sample))
        chosen = [mutant for number, mutant in enumerate(chosen) if number in kept]
    return chosen


@lru_cache(maxsize=4)
def _all(set_id: str | None) -> tuple[Mutant, ...]:
    return tuple(mutants(RULEBOOKS, set_id))


def hunt(
    side: str,
    chosen: Sequence[Mutant],
    *,
    set_id: str | None = None,
    cases: Iterable[str] = (str(noticing.CASES),),
    explained: bool = False,
    workers: int | None = None,
    cache: Path | None = None,
    quiet: bool = False,
) -> list[Outcome]:
    """Try mutants on all cores.

    Args:
        side: who has them.
        chosen: the mutants.
        set_id: the set to which the run is restricted.
        cases: folders with cases.
        explained: try those too of which a reason says why they survive.
        workers: number of processes.
        cache: file of what was found before.
        quiet: show no progress.
    """
    known = _read(cache)
    reasons = {m.name: reason for m in chosen if (reason := _reason(side, m.name))}
    left = [m for m in chosen if m.name not in known and (explained or m.name not in reasons)]
    by_thing: dict[tuple[str, str], list[str]] = {}
    for mutant in left:
        by_thing.setdefault((mutant.kind, mutant.id), []).append(mutant.name)
    jobs = [
        Job(side, set_id, names, tuple(cases))
        for group in by_thing.values()
        for names in pool.chunks(group, _CHUNK)
    ]
    progress = Progress(f"mutants ({side})", len(left), quiet=quiet)
    survived = 0
    for job, found in zip(jobs, pool.each(try_mutants, jobs, workers), strict=True):
        known.update(zip(job.names, found, strict=True))
        survived += sum(not who for who in found)
        progress.advance(len(job.names), f"{survived} survive")
        _write(cache, known)
    progress.close()
    return [Outcome(side, m.name, known.get(m.name, ""), reasons.get(m.name, "")) for m in chosen]


def try_mutants(job: Job) -> list[str]:
    """Return for each mutant of a job who noticed it, nothing for a survivor."""
    by_name = {mutant.name: mutant for mutant in _all(job.set_id)}
    cases = noticing.cases_in(job.cases)
    example = _by_engine if job.side == ENGINE else _by_text
    return [example(by_name[name], job.set_id, cases) for name in job.names]


def _by_engine(mutant: Mutant, set_id: str | None, cases: Iterable[tuple[str, Case]]) -> str:
    """Return who notices a mutant that only the engine has; the cheap ones are asked first."""
    sets = mutant.sets if set_id is None else (set_id,)
    if found := noticing.by_legality(mutant, sets, noticing.FEW):
        return found
    if found := noticing.by_cases(mutant, cases, alone=True):
        return f"case {found}"
    return noticing.by_comparison(mutant, set_id)


def _by_text(mutant: Mutant, set_id: str | None, cases: Iterable[tuple[str, Case]]) -> str:
    """Return who notices a mutant in the text that both sides read."""
    if found := noticing.by_cases(mutant, cases):
        return f"case {found}"
    figures = noticing.by_figures(mutant)
    return f"figures: {figures}" if figures else ""


# Survivors ------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def explanations() -> list[Mapping[str, str]]:
    """Return the explained survivors: side, pattern of names, reason."""
    text = (resources.files("assistant.lab") / _SURVIVORS).read_text(encoding="utf-8")
    found: list[Mapping[str, str]] = tomllib.loads(text).get("survivor", [])
    return found


def _reason(side: str, name: str) -> str:
    for reason in explanations():
        if reason.get("side", side) == side and _matches(name, reason["name"]):
            return reason["reason"]
    return ""


def _matches(name: str, pattern: str) -> bool:
    """Tell whether a name fits a pattern in which only ``*`` is special."""
    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def report(outcomes: Sequence[Outcome], *, verbose: bool = False) -> Iterable[str]:
    """Yield the lines of the report."""
    for side in dict.fromkeys(outcome.side for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.side == side]
        noticed = sum(bool(outcome.noticed) for outcome in mine)
        explained = sum(bool(outcome.reason and not outcome.noticed) for outcome in mine)
        who = "the engine alone" if side == ENGINE else "the shared text"
        yield (
            f"{who}: {len(mine)} mutants, {noticed} noticed, {explained} survive with a reason, "
            f"{len(mine) - noticed - explained} without"
        )
        for outcome in mine:
            if outcome.noticed and not outcome.reason and verbose:
                yield f"  noticed   {outcome.name}  <- {outcome.noticed}"
            elif outcome.noticed and outcome.reason:
                yield f"  NOTICED   {outcome.name}, so the reason is wrong  <- {outcome.noticed}"
            elif outcome.reason:
                yield f"  explained {outcome.name}  ({outcome.reason})"
            elif outcome.unexplained:
                yield f"  SURVIVES  {outcome.name}"


# The cache ------------------------------------------------------------------------------


def cache_file(side: str, set_id: str | None, cases: Iterable[str]) -> Path:
    """Return where outcomes are kept for this very state of code, cases and question."""
    digest = hashlib.sha256(f"{side}/{set_id}".encode())
    package = Path(__file__).resolve().parents[1]
    files = [*package.rglob("*.py"), *(package.parent / "engine").rglob("*.py")]
    files += [file for folder in cases for file in Path(folder).rglob("*.json")]
    files.append(noticing.FIGURES)
    for file in sorted(files):
        if file.is_file():
            digest.update(str(file.name).encode())
            digest.update(file.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "tragedy-looper-assistant" / f"mutants-{digest.hexdigest()[:16]}.json"


def _read(cache: Path | None) -> dict[str, str]:
    if cache is None or not cache.is_file():
        return {}
    try:
        found: Any = json.loads(cache.read_text(encoding="utf-8"))
    except ValueError:
        return {}  # a run was stopped while it wrote
    return dict(found)


def _write(cache: Path | None, known: Mapping[str, str]) -> None:
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        part = cache.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(known, indent=0), encoding="utf-8")
        part.replace(cache)
