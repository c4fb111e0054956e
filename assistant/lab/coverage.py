"""Count how often everything in the rule text occurs in simulated games.

Abilities, plot rules, incidents with and without effect, traits, Goodwill abilities, ends of
loops and kinds of records are looked for. What never occurs is listed, with the reason where
it cannot.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from importlib import resources
from typing import Any, Final

from assistant.lab import pool
from assistant.lab.agree import add_script_arguments, games_of, jobs_of
from assistant.lab.games import GameSpec
from assistant.lab.occurrences import occurrences
from assistant.lab.progress import Progress
from assistant.lab.reach import Name, Reach
from assistant.lab.seeking import seek
from engine.sets import RULEBOOKS
from engine.table import compile_table

_CHUNK: Final = 50
_IMPOSSIBLE: Final = "impossible.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_script_arguments(parser, games=20)
    parser.add_argument(
        "--all",
        action="store_true",
        help="ask for everything in the sets, not only for what the scripts hold",
    )
    parser.add_argument(
        "--seek",
        type=int,
        default=400,
        metavar="N",
        help="with --all: play up to N more games for each thing that did not occur, of scripts "
        "that hold it (%(default)s)",
    )
    parser.add_argument("--zeros", action="store_true", help="list only what never occurred")


def run(args: argparse.Namespace) -> int:
    """Play, count, list; 1 if something never occurred that could."""
    games = games_of(args)
    counts = count(games, workers=args.jobs)
    zeros = [name for name in wanted(games, whole=args.all) if not counts[name]]
    reasons = {name: reason for name in zeros if (reason := impossible(name))}
    missing = [name for name in zeros if name not in reasons]
    more = 0
    if args.all and args.seek and missing:
        sets = (spec.script.set for spec in games)
        found, more = seek(missing, sets, args.seek, args.seed, partial(count, workers=args.jobs))
        counts.update(found)
        missing = [name for name in missing if not counts[name]]
    if args.json:
        from assistant.cli import show

        show.as_json(_fields(len(games) + more, counts, games, args.all, reasons))
        return 1 if missing else 0
    print(f"{len(games):,} games" + (f", {more:,} more for what was missing" if more else ""))
    if not args.zeros:
        for name in wanted(games, whole=args.all):
            if counts[name]:
                print(f"{counts[name]:10,}  {_words(name)}")
    for name, reason in reasons.items():
        print(f"         0  {_words(name)}: {reason}")
    for name in missing:
        print(f"      ZERO  {_words(name)}")
    print(f"{len(missing):,} of {len(list(wanted(games, whole=args.all))):,} never occurred.")
    return 1 if missing else 0


def _words(name: Name) -> str:
    return f"{name[0]}: {name[1]} {name[2]}"


def count(
    games: Sequence[GameSpec], *, workers: int | None = None, quiet: bool = False
) -> Counter[Name]:
    """Return how often everything occurred, over all games."""
    counts: Counter[Name] = Counter()
    jobs = jobs_of(games, _CHUNK)
    progress = Progress("games", len(games), quiet=quiet)
    for job, found in zip(jobs, pool.each(count_games, jobs, workers), strict=True):
        counts.update(found)
        progress.advance(len(job))
    progress.close()
    return counts


def count_games(games: Iterable[GameSpec]) -> Counter[Name]:
    """Play games one after the other and count."""
    counts: Counter[Name] = Counter()
    for spec in games:
        game = spec.play()
        counts.update(occurrences(game, compile_table(game.transcript)))
    return counts


def wanted(games: Iterable[GameSpec], *, whole: bool = False) -> list[Name]:
    """Return everything that can occur in games of these scripts, or in their whole sets."""
    scripts = {spec.name: spec.script for spec in games}.values()
    found: dict[Name, None] = {}
    for rules in RULEBOOKS.values():
        own = [script for script in scripts if script.set == rules.id]
        if own:
            reach = Reach.whole(rules) if whole else Reach.of(rules, own)
            found.update(dict.fromkeys(reach.names()))
    return list(found)


def impossible(name: Name) -> str:
    """Return why something cannot occur in simulated games, nothing if it can."""
    for entry in _reasons():
        pattern = entry["name"].replace("[", "[[]")
        if fnmatchcase(_words(name), pattern):
            return entry["reason"]
    return ""


def _reasons() -> list[Mapping[str, str]]:
    text = (resources.files("assistant.lab") / _IMPOSSIBLE).read_text(encoding="utf-8")
    found: list[Mapping[str, str]] = tomllib.loads(text).get("impossible", [])
    return found


def _fields(
    games: int,
    counts: Mapping[Name, int],
    specs: Sequence[GameSpec],
    whole: bool,
    reasons: Mapping[Name, str],
) -> dict[str, Any]:
    return {
        "games": games,
        "occurrences": [
            {
                "group": name[0],
                "thing": name[1],
                "way": name[2],
                "number": counts[name],
                **({"impossible": reasons[name]} if name in reasons else {}),
            }
            for name in wanted(specs, whole=whole)
        ],
    }
