"""Speed of the deduction: warm updates, cold solves, reasons, shares, and rivals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

import numpy as np

from assistant.deduction import Deduction, up_to_record
from assistant.explain import Explainer
from assistant.formula import ATOMS, Formula, RoleAtom, nodes
from assistant.lab.evaluation import truths
from assistant.lab.timing import Times, timed, watched
from assistant.worlds import World, Worlds
from engine.generate import random_script
from engine.records import Transcript
from engine.rules.model import RoleRule, Rulebook
from engine.rulings import DEFAULT_RULINGS
from engine.script import Script
from engine.simulate import simulate

DAYS: Final = 6
LOOPS: Final = 4
_SOLVER: Final = ("conjoin", "count", "combinations", "plots", "roles", "culprits", "entries")
_ALSO_SOLVER: Final = ("plot_role_count", "role_assignments", "any")


@dataclass(slots=True)
class Figures:
    """What was measured on full games.

    Attributes:
        solver: an update after a record that changes a clue: worlds and all numbers.
        whole: the same with the board followed and the clues derived.
        cold: a finished game solved from nothing.
        reason: a reason for an impossible role, after the first of its game.
        first_reason: the first reason of a game, which makes the model ready.
        shares: the shares of all cells.
        by_size, by_loop: whole updates by number of characters and by loop.
    """

    solver: Times = field(default_factory=lambda: Times("warm update, solver part"))
    whole: Times = field(default_factory=lambda: Times("warm update with board and clues"))
    cold: Times = field(default_factory=lambda: Times("cold solve of a finished game"))
    reason: Times = field(default_factory=lambda: Times("reason"))
    first_reason: Times = field(default_factory=lambda: Times("first reason of a game"))
    shares: Times = field(default_factory=lambda: Times("shares"))
    by_size: dict[int, Times] = field(default_factory=dict)
    by_loop: dict[int, Times] = field(default_factory=dict)

    def all(self) -> Iterator[Times]:
        """Yield all times."""
        yield from (self.solver, self.whole, self.cold, self.first_reason, self.reason)
        yield self.shares
        yield from (times for _, times in sorted(self.by_size.items()))
        yield from (times for _, times in sorted(self.by_loop.items()))


def full_game(rules: Rulebook, size: int, seed: int, loops: int = LOOPS) -> Transcript:
    """Return a long game of a script that holds the cards with roles from outside the plots."""
    odd = [
        card.id
        for card in rules.characters.values()
        if card.role_rule in (RoleRule.OUTSIDE_PLOTS, RoleRule.COPIES)
    ]
    return _longest(_some_script(rules, size, seed, loops, odd, least=3))


def _some_script(
    rules: Rulebook, size: int, seed: int, loops: int, include: Sequence[str], least: int
) -> Script:
    """Return a random script with at least so many incidents."""
    rng = Random(f"bench/{size}/{seed}")
    while True:
        script = random_script(rules, rng, size=size, days=DAYS, loops=loops, include=include)
        if len(script.incidents) >= least:
            return script


def _longest(script: Script) -> Transcript:
    games = [simulate(script, seed).transcript for seed in range(12)]
    return max(games, key=lambda game: (game.records[-1].at[0], len(game.records)))


def measure(transcript: Transcript, size: int, figures: Figures, every: int, rng: Random) -> None:
    """Follow a game record by record and measure.

    Args:
        transcript: a full game.
        size: the number of its characters.
        figures: takes the times.
        every: so many records are new each time.
        rng: which cells are explained.
    """
    sizes = figures.by_size.setdefault(size, Times(f"  {size} characters"))
    before = None
    for number in range(every, len(transcript.records) + 1, every):
        cut = up_to_record(transcript, number)
        with watched(Worlds, (*_SOLVER, *_ALSO_SOLVER)) as told:
            deduction, spent = timed(partial(_update, cut, before))
            solver = told()
        if before is not None and not _same(deduction, before):
            figures.solver.add(solver)
            figures.whole.add(spent)
            sizes.add(spent)
            loop = transcript.records[number - 1].at[0]
            figures.by_loop.setdefault(loop, Times(f"  in loop {loop}")).add(spent)
        before = deduction
    last, spent = timed(lambda: _update(transcript, None))
    figures.cold.add(spent)
    _reasons(last, figures, rng)
    first_loop = [r for r in transcript.records if r.at[0] == 1]
    early = Deduction.of(up_to_record(transcript, len(first_loop)))
    figures.shares.add(timed(early.worlds.shares)[1])


def _update(transcript: Transcript, before: Deduction | None) -> Deduction:
    deduction = Deduction.of(transcript, before)
    deduction.answer()
    return deduction


def _same(one: Deduction, other: Deduction) -> bool:
    return [c.formula for c in one.clues] == [c.formula for c in other.clues]


def _reasons(deduction: Deduction, figures: Figures, rng: Random) -> None:
    """Explain some impossible roles of the finished game."""
    cells = [RoleAtom(*cell) for cell, count in deduction.worlds.roles().items() if not count]
    explainer = Explainer(deduction.fresh, deduction.clues)
    chosen = rng.sample(cells, min(12, len(cells)))
    for number, cell in enumerate(chosen):
        spent = timed(partial(explainer.impossible, cell))[1]
        (figures.reason if number else figures.first_reason).add(spent)


# Rivals ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rival:
    """Another way to the same numbers.

    Attributes:
        name: what it is.
        seconds: the time of the process for the worlds of one game.
        ratio: how many times as long it took as the diagram.
        note: how much it did.
    """

    name: str
    seconds: float
    ratio: float
    note: str


def rivals(rules: Rulebook, size: int, incidents: int) -> tuple[str, list[Rival]]:
    """Compare the diagram with other ways on a game that is small enough for them.

    Args:
        rules: the set.
        size: number of characters.
        incidents: number of incidents.

    Returns:
        What was compared, and the rivals: CP-SAT that lists the worlds, python-constraint2
        that does, and a numpy table of all legal worlds that is filtered by one clue.
    """
    transcript = _small_game(rules, size, incidents)
    deduction = Deduction.of(transcript)
    clues = [clue.formula for clue in deduction.clues]
    times = Times("one clue")
    worlds = deduction.fresh
    for clue in clues:
        worlds, spent = timed(partial(_with_clue, worlds, clue))
        times.add(spent)
    last, diagram = clues[-1], times.middle
    cold = timed(lambda: _numbers(Worlds(transcript.sheet, rules, DEFAULT_RULINGS)))[1].cpu
    legal = deduction.fresh.count()
    left = deduction.worlds.count()
    table = list(deduction.fresh)
    about = (
        f"{size} characters, {incidents} incidents: {legal:,} legal worlds, {left:,} left by "
        f"{len(clues)} clues; diagram {1000 * diagram:.1f} ms a clue, {1000 * cold:.0f} ms to begin"
    )
    found = [
        _rival("CP-SAT lists the worlds", diagram, _by_cp_sat(deduction, clues), f"{left:,}"),
        _rival("python-constraint2 lists them", diagram, _by_constraint(deduction, clues), ""),
        _rival("numpy filters a full table", diagram, _by_numpy(table, last), f"{legal:,} rows"),
    ]
    return about, found


def _rival(name: str, diagram: float, work: Callable[[], object], note: str) -> Rival:
    seconds = timed(work)[1].cpu
    return Rival(name, seconds, seconds / diagram, note)


def _small_game(rules: Rulebook, size: int, incidents: int) -> Transcript:
    """Return a game with few incidents, cut where some worlds are still left."""
    for seed in range(1000):
        script = _some_script(rules, size, seed, 2, (), least=1)
        late = any(rules.characters[who].entry for who in script.cast)
        if len(script.incidents) != incidents or late:
            continue
        transcript = _longest(script)
        for number in range(len(transcript.records), 0, -10):
            cut = up_to_record(transcript, number)
            deduction = Deduction.of(cut)
            if deduction.clues and 500 <= deduction.worlds.count() <= 50_000:
                return cut
    raise ValueError("found no game of that size")


def _with_clue(worlds: Worlds, clue: Formula) -> Worlds:
    smaller = worlds.conjoin(clue)
    _numbers(smaller)
    return smaller


def _numbers(worlds: Worlds) -> Any:
    return worlds.count(), worlds.plots(), worlds.roles(), worlds.culprits()


def _by_cp_sat(deduction: Deduction, clues: Sequence[Formula]) -> Callable[[], object]:
    from assistant.solver import Solver

    limit = deduction.worlds.count() + 1
    return lambda: Solver(deduction.worlds.composition, clues).worlds(limit)


def _by_constraint(deduction: Deduction, clues: Sequence[Formula]) -> Callable[[], object]:
    from assistant.worlds.twins import enumerate_worlds

    return lambda: enumerate_worlds(deduction.worlds.composition, clues)


def _by_numpy(table: Sequence[World], clue: Formula) -> Callable[[], object]:
    """Filter a table whose columns are made beforehand, and count its cells anew."""
    roles = sorted({cell for world in table for cell in world.roles.items()})
    plots = sorted({plot for world in table for plot in world.plots})
    numbers = range(len(table[0].culprits))
    columns: dict[Any, Any] = {
        **{cell: np.array([w.roles[cell[0]] == cell[1] for w in table]) for cell in roles},
        **{plot: np.array([plot in w.plots for w in table]) for plot in plots},
        **{
            (number, who): np.array([w.culprits[number] == who for w in table])
            for number in numbers
            for who in sorted({w.culprits[number] for w in table})
        },
    }
    atoms: dict[Formula, Any] = {
        node: np.array([world.holds(node) for world in table])
        for node in nodes(clue)
        if isinstance(node, ATOMS)
    }

    def work() -> object:
        keep = truths([clue], table, DEFAULT_RULINGS, atoms)[0]
        return {name: int(np.count_nonzero(column & keep)) for name, column in columns.items()}

    return work
