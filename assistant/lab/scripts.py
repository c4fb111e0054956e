"""Write random legal scripts over all plots, roles, incidents and characters of a set.

One seed gives the same scripts everywhere, and the first scripts of a longer run are those of
a shorter one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assistant.lab.games import random_scripts
from engine.sets import RULEBOOKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--set", required=True, choices=sorted(RULEBOOKS), help="the tragedy set")
    parser.add_argument("--seed", type=int, default=1, help="source of chance (%(default)s)")
    parser.add_argument(
        "--count", type=int, default=1, metavar="K", help="how many scripts (%(default)s)"
    )
    parser.add_argument("--size", type=int, metavar="N", help="characters in each (5 to 12)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="write a file for each into this folder; else one a line on the screen",
    )


def run(args: argparse.Namespace) -> int:
    """Write the scripts."""
    import msgspec
    from msgspec import structs

    from assistant.lab.compare import script_json

    scripts = [
        (name, structs.replace(script, id=name.replace("-", "_"), title=f"Random script {name}"))
        for name, script in random_scripts(args.set, args.count, args.seed, size=args.size)
    ]
    if args.output is None:
        if args.json:
            from assistant.cli import show

            show.as_json([msgspec.to_builtins(script) for _, script in scripts])
        else:
            for _, script in scripts:
                print(msgspec.json.encode(script).decode())
        return 0
    folder = Path(args.output)
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in scripts:
        (folder / f"{name}.json").write_text(script_json(script), encoding="utf-8")
    if args.json:
        from assistant.cli import show

        show.as_json({"files": [str(folder / f"{name}.json") for name, _ in scripts]})
    else:
        print(f"{len(scripts)} scripts in {folder}")
    return 0
