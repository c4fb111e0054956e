"""Check reasons: take random impossible cells of simulated games and judge each reason anew.

The reason's evidence alone must rule the cell out, and without any one unit of it the cell must
be possible. A constraint model of its own says the first, and finds a world for the second in
which the cell and every clue that is left are evaluated.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from assistant.clues import Clue
from assistant.deduction import Deduction, up_to_record
from assistant.explain import Explainer, Reason
from assistant.formula import CulpritAtom, Formula, PlotAtom, RoleAtom, evaluate
from assistant.lab import pool
from assistant.lab.agree import add_script_arguments, games_of, jobs_of
from assistant.lab.games import GameSpec
from assistant.lab.progress import Progress
from assistant.solver import Solver
from assistant.worlds import Worlds

_TRIES: Final = 5
"""So often a moment is chosen at which something is impossible."""


@dataclass(slots=True)
class Result:
    """What came of some games.

    Attributes:
        games: how many were played.
        cells: how many cells were explained.
        units: how many units their reasons had.
        smallest: how many reasons are said to be smallest.
        findings: what should not be, in words.
    """

    games: int = 0
    cells: int = 0
    units: Counter[int] = field(default_factory=Counter)
    smallest: int = 0
    findings: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Take over what came of other games."""
        self.games += other.games
        self.cells += other.cells
        self.units.update(other.units)
        self.smallest += other.smallest
        self.findings += other.findings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_script_arguments(parser, games=1)
    parser.add_argument(
        "--cells", type=int, default=10, metavar="N", help="cells a game (%(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Play, report, and return 1 if anything was found."""
    games = games_of(args)
    result = Result()
    jobs = jobs_of(games)
    progress = Progress("games", len(games))
    work = partial(check_games, cells=args.cells)
    for job, part in zip(jobs, pool.each(work, jobs, args.jobs), strict=True):
        result.add(part)
        progress.advance(len(job), f"{result.cells} cells, {len(result.findings)} findings")
    progress.close()
    units = dict(sorted(result.units.items()))
    if args.json:
        from assistant.cli import show

        show.as_json(
            {
                "games": result.games,
                "cells": result.cells,
                "units": {str(number): times for number, times in units.items()},
                "smallest": result.smallest,
                "findings": result.findings,
            }
        )
    else:
        print(f"{result.games:,} games, {result.cells:,} impossible cells explained and checked")
        for number, times in units.items():
            print(f"  {times:6,} reasons of {number} evidence units")
        print(f"  {result.smallest:6,} of them proved to be smallest")
        for finding in result.findings:
            print(finding)
    return 1 if result.findings else 0


def check_games(games: Sequence[GameSpec], *, cells: int) -> Result:
    """Play some games and check reasons in each."""
    result = Result()
    for spec in games:
        rng = spec.rng("reasons")
        transcript = spec.play().transcript
        result.games += 1
        for _ in range(_TRIES):
            number = rng.randint(1, len(transcript.records))
            deduction = Deduction.of(up_to_record(transcript, number))
            chosen = impossible_cells(deduction.fresh, deduction.worlds, rng, cells)
            if chosen:
                break
        explainer = Explainer(deduction.fresh, deduction.clues)
        for cell in chosen:
            where = f"{spec.name}, game {spec.number}, seed {spec.seed}, record {number}, {cell}"
            reason = explainer.impossible(cell)
            if reason is None:
                result.findings.append(f"{where}: no reason is given")
                continue
            result.cells += 1
            result.units[len(reason.units)] += 1
            result.smallest += reason.smallest
            problem = wrong_with(reason, deduction.clues, deduction.fresh, cell)
            if problem:
                result.findings.append(f"{where}: {problem}")
    return result


def impossible_cells(fresh: Worlds, worlds: Worlds, rng: Random, wanted: int) -> list[Formula]:
    """Return cells that clues made impossible: roles, plots and culprits, by chance."""
    cells: list[Formula] = [
        *(RoleAtom(*cell) for cell, n in worlds.roles().items() if not n and fresh.roles()[cell]),
        *(PlotAtom(cell) for cell, n in worlds.plots().items() if not n and fresh.plots()[cell]),
        *(
            CulpritAtom(*cell)
            for cell, n in worlds.culprits().items()
            if not n and fresh.culprits()[cell]
        ),
    ]
    return rng.sample(cells, min(wanted, len(cells)))


def wrong_with(
    reason: Reason[Clue], clues: Sequence[Clue], fresh: Worlds, cell: Formula
) -> str | None:
    """Return what is wrong with a reason, ``None`` if nothing is.

    Args:
        reason: the reason.
        clues: all clues of the game.
        fresh: all legal worlds.
        cell: what the reason says to be impossible.
    """
    if Solver(fresh.composition, [c.formula for c in reason.clues]).possible(cell):
        return "its clues leave a world"
    if {unit for clue in reason.clues for unit in clue.units} != set(reason.units):
        return "its clues rest on other units than it names"
    for unit in reason.units:
        rest = set(reason.units) - {unit}
        kept = [cell, *(clue.formula for clue in clues if set(clue.units) <= rest)]
        world = Solver(fresh.composition, kept).find()
        if world is None:
            return f"{unit.id if hasattr(unit, 'id') else unit} can be left out"
        if not all(evaluate(formula, world) for formula in kept):
            return "the constraint model names a world that breaks a clue"
    return None
