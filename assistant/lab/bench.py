"""Measure the engine and the deduction: ``python -m assistant.lab.bench``.

Nothing is asserted about time. A fixed loop is measured beside everything else, so that
figures of different machines can be compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

from assistant.lab import bench_deduction, bench_engine, bench_memory
from assistant.lab.progress import Progress
from assistant.lab.timing import reference_loop
from engine.rules.model import Rulebook
from engine.sets import RULEBOOKS

_SIZES: Final = (9, 10, 11, 12)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m assistant.lab.bench", description=__doc__)
    parser.add_argument("--set", choices=sorted(RULEBOOKS), help="the set to measure with")
    parser.add_argument("--games", type=int, default=2, help="full games a size (%(default)s)")
    parser.add_argument(
        "--every", type=int, default=1, help="so many new records each time (%(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="for each speed of the engine (%(default)s)"
    )
    parser.add_argument("--quick", action="store_true", help="one small game, to see that it runs")
    parser.add_argument(
        "--only", choices=("engine", "deduction", "rivals", "memory"), help="one part"
    )
    parser.add_argument("--json", action="store_true", help="answer as JSON")
    args = parser.parse_args(argv)
    if args.quick:
        args.games, args.every, args.seconds = 1, 80, 0.05
    rules = RULEBOOKS[args.set or _largest_played()]
    result: dict[str, Any] = {"set": rules.id, **_reference("reference_loop")}
    measured = {
        "engine": _engine,
        "deduction": _deduction,
        "rivals": _rivals,
        "memory": _memory,
    }
    for name, part in measured.items():
        if args.only in (None, name):
            result[name] = part(rules, args)
    result.update(_reference("reference_loop_again"))
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        for line in _lines(result):
            print(line)
    return 0


def _reference(name: str) -> dict[str, float]:
    spent = reference_loop()
    return {f"{name}_ms": 1000 * spent.cpu, f"{name}_wall_ms": 1000 * spent.wall}


def _largest_played() -> str:
    """Return the set in which most is going on of those without a gauge."""
    plain = [rules for rules in RULEBOOKS.values() if not rules.uses_gauge]
    return max(plain, key=lambda rules: (rules.final_guess, len(rules.plots)), default=None).id  # type: ignore[union-attr]


def _engine(rules: Rulebook, args: argparse.Namespace) -> dict[str, Any]:
    script = bench_engine.script_of(rules, bench_engine.SIZE, bench_engine.DAYS, bench_engine.LOOPS)
    found: dict[str, Any] = {"measured": bench_engine.speeds(script, args.seconds)}
    if not args.quick:
        found["growth"] = dict(bench_engine.growth(rules, args.seconds / 4))
    return found


def _deduction(rules: Rulebook, args: argparse.Namespace) -> dict[str, Any]:
    figures = bench_deduction.Figures()
    rng = Random("bench")
    sizes = _SIZES[:1] if args.quick else _SIZES
    progress = Progress("full games", len(sizes) * args.games)
    for size in sizes:
        for seed in range(args.games):
            loops = 2 if args.quick else bench_deduction.LOOPS
            transcript = bench_deduction.full_game(rules, size, seed, loops)
            bench_deduction.measure(transcript, size, figures, args.every, rng)
            progress.advance()
    progress.close()
    return {
        "times": [times.fields() for times in figures.all()],
        "lines": [str(times) for times in figures.all()],
    }


def _memory(rules: Rulebook, args: argparse.Namespace) -> dict[str, Any]:
    sizes = _SIZES[:1] if args.quick else _SIZES
    return dict(bench_memory.measured(rules, sizes, args.every if args.quick else 4))


def _rivals(rules: Rulebook, args: argparse.Namespace) -> dict[str, Any]:
    # The rivals make every script: only the smallest set leaves them a chance.
    small = min(RULEBOOKS.values(), key=lambda book: len(book.plots))
    size, incidents = (5, 1) if args.quick else (6, 2)
    about, found = bench_deduction.rivals(small, size, incidents)
    return {
        "set": small.id,
        "about": about,
        "rivals": [
            {"name": r.name, "ms": 1000 * r.seconds, "ratio": r.ratio, "note": r.note}
            for r in found
        ],
    }


def _lines(result: dict[str, Any]) -> Iterable[str]:
    yield (
        f"{result['set']}; reference loop {result['reference_loop_ms']:.0f} ms "
        f"({result['reference_loop_wall_ms']:.0f} by the clock), at the end "
        f"{result['reference_loop_again_ms']:.0f} ms "
        f"({result['reference_loop_again_wall_ms']:.0f})"
    )
    if "engine" in result:
        yield ""
        yield (
            f"Engine, {bench_engine.SIZE} characters, {bench_engine.LOOPS} loops, "
            f"{bench_engine.DAYS} days, one core"
        )
        yield _speeds("  measured", result["engine"]["measured"])
        for name, speeds in result["engine"].get("growth", {}).items():
            yield _speeds(f"  {name}", speeds)
    if "deduction" in result:
        yield ""
        yield (
            f"Deduction, full games of {bench_deduction.LOOPS} loops and {bench_deduction.DAYS} "
            "days, records that change a clue"
        )
        yield "ms of the process: median, 95 %, worst (the same by the clock), number of times"
        yield from result["deduction"]["lines"]
    if "rivals" in result:
        yield ""
        yield f"Rivals, {result['rivals']['set']}, {result['rivals']['about']}"
        for rival in result["rivals"]["rivals"]:
            yield (
                f"  {rival['name']:32} {rival['ms']:10.1f} ms  {rival['ratio']:8.0f} times as long"
                f"  {rival['note']}"
            )
    if "memory" in result:
        yield ""
        yield "Memory of a serving process, MiB"
        for name, mib in result["memory"].items():
            yield f"  {name:44} {mib:8.0f}"


def _speeds(name: str, speeds: dict[str, float]) -> str:
    return f"{name:18}" + "   ".join(f"{key} {value:,.0f}" for key, value in speeds.items())


if __name__ == "__main__":
    sys.exit(main())
