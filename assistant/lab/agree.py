"""Simulate games and check that the clues and replay say the same of many scripts.

The truth has to satisfy every clue, replay has to accept it, and no record that adds knowledge
may leave more worlds. Worlds are drawn in equal parts: left by all clues, left by all but one,
next to the truth, and any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from assistant.lab import noticing, pairs, pool
from assistant.lab.compare import Options, compare_cases, compare_games
from assistant.lab.drawing import PARTS
from assistant.lab.games import GameSpec, load_scripts, policy_names, random_scripts, specs
from assistant.lab.progress import Progress
from assistant.lab.sides import CLUES, REPLAY
from assistant.lab.tally import ACCEPTED, DIFFER, REJECTED, Tally
from assistant.transcript.errors import Malformed, choices
from assistant.transcript.jsonform import Case
from engine.script import Script
from engine.sets import RULEBOOKS

CHUNK = 4
"""So many games of a script are one job, with one set of worlds to begin from."""


def add_script_arguments(parser: argparse.ArgumentParser, games: int) -> None:
    """Add what says which games to play."""
    parser.add_argument(
        "scripts",
        nargs="*",
        metavar="SCRIPT",
        help="a script, or a folder of which the plain, legal scripts are played",
    )
    parser.add_argument(
        "--random", type=int, default=0, metavar="K", help="play K random scripts of the set too"
    )
    parser.add_argument(
        "--set", choices=sorted(RULEBOOKS), help="the set; of folders take only its scripts"
    )
    parser.add_argument(
        "--games", type=int, default=games, metavar="N", help="games a script (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="source of chance (%(default)s)")
    parser.add_argument("--policy", help="let the Mastermind play by this policy only")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="processes (one a core); 0 works in this one"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_script_arguments(parser, games=4)
    parser.add_argument(
        "--worlds",
        type=int,
        default=80,
        metavar="M",
        help="worlds a game to judge by both sides; 0 checks the truth alone (%(default)s)",
    )
    parser.add_argument(
        "--blur", action="store_true", help="take knowledge away too; nothing may be lost by it"
    )
    parser.add_argument(
        "--isolate-all",
        action="store_true",
        help="look for an isolated world for every clue, not only for M/4 of them a game",
    )
    parser.add_argument(
        "--cases", nargs="+", default=[], metavar="DIR", help="compare on the games of cases too"
    )
    parser.add_argument("--out", metavar="DIR", help="write what is found into this folder")


def scripts_of(args: argparse.Namespace) -> list[tuple[str, Script]]:
    """Return the scripts that the arguments name.

    Raises:
        TableError: when there are none, or a file cannot be played.
    """
    if args.random and not args.set:
        raise Malformed("random scripts need a set", expected=f"--set {sorted(RULEBOOKS)[0]}")
    scripts, passed = load_scripts(args.scripts, args.set)
    for line in passed:
        print(f"passed over: {line}", file=sys.stderr)
    if args.random:
        scripts += random_scripts(
            args.set, args.random, args.seed, size=getattr(args, "size", None)
        )
    if not scripts and not getattr(args, "cases", None):
        raise Malformed("no script to play", remedy="Name script files, or use --random.")
    return scripts


def games_of(args: argparse.Namespace) -> list[GameSpec]:
    """Return the games that the arguments ask for."""
    names = policy_names()
    if args.policy is not None and args.policy not in names:
        raise Malformed(f"there is no policy {args.policy!r}", expected=choices(names))
    policies = None if args.policy is None else [args.policy]
    return specs(scripts_of(args), args.games, args.seed, policies)


def jobs_of(games: Sequence[GameSpec], size: int = CHUNK) -> list[tuple[GameSpec, ...]]:
    """Return the games in groups of one script each."""
    by_script: dict[str, list[GameSpec]] = {}
    for game in games:
        by_script.setdefault(game.name, []).append(game)
    return [chunk for group in by_script.values() for chunk in pool.chunks(group, size)]


def agree(
    games: Sequence[GameSpec],
    options: Options,
    cases: Sequence[tuple[str, Case]] = (),
    *,
    workers: int | None = None,
    quiet: bool = False,
) -> Tally:
    """Compare the sides on all games, simulated and of cases, on all cores."""
    tally = Tally()
    for work, jobs in (
        (partial(compare_games, options=options), jobs_of(games)),
        (partial(compare_cases, options=options), pool.chunks(cases, CHUNK)),
    ):
        progress = Progress("games", sum(map(len, jobs)), quiet=quiet)
        for job, part in zip(jobs, pool.each(work, jobs, workers), strict=True):
            tally.add(part)
            progress.advance(len(job), _note(tally))
        progress.close()
    return tally


def _note(tally: Tally) -> str:
    return f"{sum(tally.pairs.values()):,} pairs, {tally.number_found:,} findings"


def run(args: argparse.Namespace) -> int:
    """Compare, report, and return 1 if anything was found."""
    options = Options(args.worlds, args.blur, args.isolate_all)
    cases = noticing.cases_in(tuple(args.cases)) if args.cases else ()
    tally = agree(games_of(args), options, cases, workers=args.jobs)
    files = [] if args.out is None else pairs.write(tally.findings, Path(args.out))
    if args.json:
        from assistant.cli import show

        show.as_json({**tally.as_json(), "files": [str(file) for file in files]})
    else:
        for line in report(tally):
            print(line)
        for file in files:
            print(f"  {file}")
    return 1 if tally.number_found else 0


# The report -----------------------------------------------------------------------------


def report(tally: Tally) -> Iterable[str]:
    """Yield the lines of the report."""
    yield f"{sum(tally.games.values()):,} games, {sum(tally.pairs.values()):,} pairs"
    if tally.pairs:
        yield from _table("by part", [(part, tally.of_part(part)) for part in PARTS])
    policies = sorted(tally.games)
    yield from _table("by policy", [(name, tally.of_policy(name)) for name in policies], tally)
    if tally.kinds:
        yield from _kinds(tally)
    for name, number in sorted(tally.checks.items()):
        yield f"{number:,} {_CHECKS.get(name, name)} checked"
    yield ""
    yield f"disagreements: {tally.of_kind('disagreement'):,}"
    yield f"lost truths: {tally.of_kind('lost truth'):,}"
    others = tally.number_found - tally.of_kind("disagreement") - tally.of_kind("lost truth")
    yield f"other findings: {others:,}"
    for (kind, cause), number in tally.causes.most_common():
        yield f"  {number:6,}  {kind}: {cause}"


_CHECKS = {
    "truths": "judgements of the truth",
    "counts": "counts of worlds",
    "deductions": "deductions that reuse earlier work",
    "worlds": "drawn worlds",
    "blurred": "blurred games",
    "kept": "worlds after a loss of knowledge",
}


def _table(
    head: str, rows: Sequence[tuple[str, Counter[str]]], lost: Tally | None = None
) -> Iterable[str]:
    columns = ["pairs", ACCEPTED, REJECTED, DIFFER]
    if lost is not None:
        columns = ["games", *columns, "lost"]
    yield ""
    yield f"{head:14}" + "".join(f"{name:>10}" for name in columns)
    for name, outcomes in rows:
        numbers = [sum(outcomes.values()), *(outcomes[k] for k in (ACCEPTED, REJECTED, DIFFER))]
        if lost is not None:
            sides = sum(lost.lost[side, name] for side in (CLUES, REPLAY))
            numbers = [lost.games[name], *numbers, sides]
        yield f"{name:14}" + "".join(f"{number:>10,}" for number in numbers)


def _kinds(tally: Tally) -> Iterable[str]:
    kinds = sorted({kind for kind, _ in tally.kinds})
    yield ""
    yield f"{'clues by kind':28}{'seen':>10}{'isolated':>10}{'implied':>10}"
    for kind in kinds:
        numbers = [tally.kinds[kind, name] for name in ("seen", "tested", "implied")]
        yield f"{kind:28}" + "".join(f"{number:>10,}" for number in numbers)
    never = [kind for kind in kinds if not tally.kinds[kind, "tested"]]
    implied = [kind for kind in never if tally.kinds[kind, "implied"]]
    if never:
        yield f"never tested in isolation: {', '.join(never)}"
    if implied:
        yield f"  of these always implied by other clues: {', '.join(implied)}"
    yield ""
