"""Count the worlds of simulated games in several ways that must agree.

Small casts: the diagram, the constraint model and constraint propagation list the same worlds,
and replay accepts exactly those (of casts of up to --replay characters, where there are not too
many legal scripts). Large casts: the diagram and a counter that goes character by character come
to the same numbers, cell by cell, for the clues that speak of one character.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from random import Random
from typing import Final

from assistant.deduction import Deduction, up_to_record
from assistant.formula import (
    CastAtom,
    CulpritAtom,
    EntryAtom,
    Formula,
    RoleAtom,
    atoms,
    evaluate,
)
from assistant.lab import pool
from assistant.lab.games import GameSpec, specs
from assistant.lab.progress import Progress
from assistant.lab.sides import Books, Sides
from assistant.solver import Solver
from assistant.worlds import Composition, State, Worlds
from assistant.worlds.twins import CulpritTest, StateTest, enumerate_worlds, frontier_count
from engine.generate import random_script
from engine.records import Transcript
from engine.script import Script
from engine.sets import RULEBOOKS

LISTED: Final = 3_000
"""Most worlds that all ways list."""
_CHOICES: Final = 200_000
"""Most choices of plots and roles that propagation has to go through."""
_CELLS: Final = 4
"""So many cells of a large game are counted the other way."""


@dataclass(slots=True)
class Result:
    """What came of some games.

    Attributes:
        numbers: by what was done, how often.
        findings: what differs, in words.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Take over what came of other games."""
        self.numbers.update(other.numbers)
        self.findings += other.findings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--set", required=True, choices=sorted(RULEBOOKS), help="the tragedy set")
    parser.add_argument("--size", type=int, default=5, help="characters (%(default)s)")
    parser.add_argument("--games", type=int, default=100, help="how many games (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="what all chance comes from")
    parser.add_argument(
        "--replay",
        type=int,
        default=5,
        metavar="N",
        help="replay all legal scripts of casts of up to N characters (%(default)s)",
    )
    parser.add_argument(
        "--most", type=int, default=4_000, help="most legal scripts to replay (%(default)s)"
    )
    parser.add_argument("--jobs", type=int, help="processes, 0 for none (one a core)")
    parser.add_argument("--json", action="store_true", help="answer as JSON")


def run(args: argparse.Namespace) -> int:
    """Count, report, and return 1 if anything differs."""
    games = small_games(args.set, args.size, args.games, args.seed)
    most = args.most if args.size <= args.replay else 0
    result = Result()
    progress = Progress("games", len(games))
    for part in pool.each(partial(check_game, most=most), games, args.jobs):
        result.add(part)
        progress.advance(1, f"{len(result.findings)} findings")
    progress.close()
    if args.json:
        from assistant.cli import show

        show.as_json({"numbers": dict(result.numbers), "findings": result.findings})
    else:
        for name, number in result.numbers.items():
            print(f"{number:12,} {name}")
        for finding in result.findings:
            print(finding)
    return 1 if result.findings else 0


def small_games(set_id: str, size: int, games: int, seed: int) -> list[GameSpec]:
    """Return games of different scripts with up to two incidents, more in larger casts."""
    scripts: list[tuple[str, Script]] = []
    rng = Random(f"{seed}/{set_id}/{size}")
    while len(scripts) < games:
        script = random_script(RULEBOOKS[set_id], rng, size=size, days=3, loops=2)
        if len(script.incidents) <= 2 or size > 8:
            scripts.append((f"{set_id}-{size}-{len(scripts)}", script))
    return specs(scripts, 1, seed)


def check_game(spec: GameSpec, *, most: int) -> Result:
    """Play a game, stop at a record by chance, and count in all ways.

    Args:
        spec: the game.
        most: most legal scripts to replay.
    """
    result = Result()
    rng = spec.rng("counters")
    whole = spec.play().transcript
    transcript = up_to_record(whole, rng.randint(1, len(whole.records)))
    deduction = Deduction.of(transcript)
    where = f"{spec.name}, seed {spec.seed}, record {len(transcript.records)}"
    result.numbers["games"] += 1
    formulas = [clue.formula for clue in deduction.clues]
    if len(spec.script.cast) <= 8:
        _compare_lists(result, where, deduction, formulas)
        legal = deduction.fresh.count()
        if legal <= most:
            _compare_replay(result, where, deduction, transcript)
        elif most:
            result.numbers["games with too many legal scripts to replay"] += 1
    _compare_counts(result, where, deduction.fresh, formulas, rng)
    return result


def _compare_lists(
    result: Result, where: str, deduction: Deduction, formulas: Sequence[Formula]
) -> None:
    """Compare the lists of worlds; of too many, of those of one world's roles and plots."""
    worlds, composition = deduction.worlds, deduction.fresh.composition
    roles = _given(worlds)
    if roles:
        given = [RoleAtom(who, role) for who, role in roles.items()]
        worlds, formulas = worlds.conjoin(*given), [*formulas, *given]
        result.numbers["games of which only a part is listed"] += 1
    by_diagram = {world.secrets() for world in worlds}
    by_solver = {w.secrets() for w in Solver(composition, formulas).worlds(10 * LISTED)}
    by_constraint = {world.secrets() for world in enumerate_worlds(composition, formulas, roles)}
    result.numbers["worlds listed by diagram, constraint model and propagation"] += len(by_diagram)
    if len(by_diagram) != worlds.count():
        result.findings.append(f"{where}: {worlds.count()} counted, {len(by_diagram)} listed")
    if by_solver != by_diagram:
        result.findings.append(f"{where}: the constraint model lists {len(by_solver ^ by_diagram)}")
    if by_constraint != by_diagram:
        number = len(by_constraint ^ by_diagram)
        result.findings.append(f"{where}: propagation differs in {number} worlds")


def _given(worlds: Worlds) -> dict[str, str]:
    """Return roles from one of the worlds, so many that few worlds have all of them."""
    given: dict[str, str] = {}
    world = worlds.sample(Random("given"), 1)[0]
    composition = worlds.composition
    choices = len(composition.combinations) * prod(map(len, composition.states))
    for who, role in world.roles.items():
        if worlds.count() <= LISTED and choices <= _CHOICES:
            break
        given[who] = role
        states = composition.by_id[who].states()
        choices = choices // len(states) * sum(state.role == role for state in states)
        worlds = worlds.conjoin(RoleAtom(who, role))
    return given


def _compare_replay(
    result: Result, where: str, deduction: Deduction, transcript: Transcript
) -> None:
    """Replay every legal script, whatever the clues say of it."""
    sides = Sides(transcript, Books.of(transcript.sheet.set))
    left = {world.secrets() for world in deduction.worlds}
    for world in enumerate_worlds(deduction.fresh.composition):
        result.numbers["scripts replayed"] += 1
        possible = sides.by_replay(sides.script(world)).possible
        if possible is not (world.secrets() in left):
            says = "accepts" if possible else "refuses"
            result.findings.append(f"{where}: replay {says} {world}")
            return
    result.numbers["games of which every legal script was replayed"] += 1


# Large casts ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _About:
    """A clue that speaks of one character and at most one incident."""

    formula: Formula
    who: str
    number: int | None

    def holds(self, state: State, culprit: bool) -> bool:
        return evaluate(self.formula, _Fixed(state, culprit))


@dataclass(frozen=True, slots=True)
class _Fixed:
    """One character's secrets, as the world that a formula about it is evaluated in."""

    state: State
    culprit: bool

    def holds(self, atom: Formula, /) -> bool:
        match atom:
            case RoleAtom(_, role):
                return self.state.role == role
            case EntryAtom(_, value):
                return self.state.entry == value
            case CastAtom():
                return self.state.role is not None
        return self.culprit


def _compare_counts(
    result: Result, where: str, fresh: Worlds, formulas: Sequence[Formula], rng: Random
) -> None:
    composition = fresh.composition
    about = [said for formula in formulas if (said := _about(formula, composition)) is not None]
    worlds = fresh.conjoin(*(said.formula for said in about))
    may_be, may_be_culprit = _tests(about)
    if frontier_count(composition, may_be, may_be_culprit) != worlds.count():
        result.findings.append(f"{where}: the frontier counts other worlds")
    result.numbers["clues about one character, counted both ways"] += len(about)
    roles = rng.sample(sorted(worlds.roles().items()), _CELLS // 2)
    for (who, role), count in roles:
        other = frontier_count(
            composition,
            lambda one, state, who=who, role=role: (  # type: ignore[misc]
                may_be(one, state) and (one != who or state.role == role)
            ),
            may_be_culprit,
        )
        if other != count:
            result.findings.append(f"{where}: {who} is {role} in {count} or {other} worlds")
    cells = sorted(worlds.culprits().items())
    for (number, who), count in rng.sample(cells, min(_CELLS // 2, len(cells))):
        other = frontier_count(
            composition,
            may_be,
            lambda incident, one, state, number=number, who=who: (  # type: ignore[misc]
                may_be_culprit(incident, one, state) and (incident != number or one == who)
            ),
        )
        if other != count:
            result.findings.append(f"{where}: {who} did {number} in {count} or {other} worlds")
    result.numbers["cells counted both ways"] += len(roles) + min(_CELLS // 2, len(cells))


def _about(formula: Formula, composition: Composition) -> _About | None:
    """Return a clue that the other counter can take, ``None`` for others."""
    whos: set[str] = set()
    numbers: set[int] = set()
    for atom in atoms(formula):
        match atom:
            case RoleAtom(who, _) | CastAtom(who) | EntryAtom(who, _):
                whos.add(who)
            case CulpritAtom(number, who):
                whos.add(who)
                numbers.add(number)
            case _:
                return None
    if len(whos) != 1 or len(numbers) > 1 or not whos <= composition.by_id.keys():
        return None
    said = _About(formula, whos.pop(), numbers.pop() if numbers else None)
    if said.number is None or said.number >= len(composition.incidents):
        return said if said.number is None else None
    for state in composition.by_id[said.who].states():
        if said.holds(state, culprit=True) and not said.holds(state, culprit=False):
            return None  # it asks for a culprit, and the other counter can only clear one
    return said


def _tests(about: Sequence[_About]) -> tuple[StateTest, CulpritTest]:
    states: dict[str, list[_About]] = {}
    culprits: dict[tuple[int, str], list[_About]] = {}
    for said in about:
        states.setdefault(said.who, []).append(said)
        if said.number is not None:
            culprits.setdefault((said.number, said.who), []).append(said)

    def may_be(who: str, state: State) -> bool:
        return all(
            said.holds(state, culprit=False) or said.holds(state, culprit=True)
            for said in states.get(who, ())
        )

    def may_be_culprit(number: int, who: str, state: State) -> bool:
        return all(said.holds(state, culprit=True) for said in culprits.get((number, who), ()))

    return may_be, may_be_culprit
