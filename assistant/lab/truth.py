"""Simulate games: is each possible for its script, and does its course show it again?

With ``--falsify`` each game is changed in one thing too, in every way that ``falsified`` knows:
such a game is refused, or its course, played forward, really shows it. Where the cast is small
every refusal is held against all courses there are (``engine.exhaust``).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import msgspec

from assistant.lab import pool
from assistant.lab.agree import add_script_arguments, games_of, jobs_of
from assistant.lab.falsified import FALSIFIED, falsified
from assistant.lab.games import GameSpec
from assistant.lab.progress import Progress
from assistant.transcript.validate import problems
from engine import records
from engine.course import IllegalCourse, decisions_of, run_course
from engine.exhaust import shown_by_some_course
from engine.records import AnyRecord, At, Transcript
from engine.replay import Replay, Replayer
from engine.script import Script
from engine.table import compile_table

SMALL: Final = 5
"""A cast of so many characters is small enough to try all courses."""
KEPT: Final = 20

BROKEN: Final = "against public rules"
ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"
EXHAUSTED: Final = "refusals confirmed by all courses"
GAVE_UP: Final = "refusals with too many courses"


@dataclass(slots=True)
class Result:
    """What came of some games.

    Attributes:
        games: how many were played.
        numbers: for each way to change a game, how often it was accepted, refused, and so on.
        findings: what should not be, in words.
    """

    games: int = 0
    numbers: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Take over what came of other games."""
        self.games += other.games
        self.numbers.update(other.numbers)
        self.findings += other.findings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_script_arguments(parser, games=4)
    parser.add_argument(
        "--falsify", action="store_true", help="look at copies with one thing changed too"
    )
    parser.add_argument(
        "--size", type=int, metavar="N", help="characters in each random script (5 to 12)"
    )


def run(args: argparse.Namespace) -> int:
    """Play, report, and return 1 if anything was found."""
    games = games_of(args)
    result = Result()
    jobs = jobs_of(games)
    progress = Progress("games", len(games))
    work = partial(judge_games, falsify=args.falsify)
    for job, part in zip(jobs, pool.each(work, jobs, args.jobs), strict=True):
        result.add(part)
        progress.advance(len(job), f"{len(result.findings)} findings")
    progress.close()
    if args.json:
        from assistant.cli import show

        numbers: dict[str, dict[str, int]] = {}
        for (how, what), number in sorted(result.numbers.items()):
            numbers.setdefault(how, {})[what] = number
        show.as_json({"games": result.games, "copies": numbers, "findings": result.findings})
    else:
        for line in report(result):
            print(line)
    return 1 if result.findings else 0


def judge_games(games: Sequence[GameSpec], *, falsify: bool) -> Result:
    """Play some games, and judge them and their changed copies."""
    result = Result()
    for spec in games:
        game = spec.play()
        result.games += 1
        where = f"{spec.name}, game {spec.number}, seed {spec.seed}"
        verdict = _replay(game.transcript, game.script)
        if not verdict.possible:
            result.findings.append(f"{where}: a true game is refused: {verdict.why}")
            continue
        if problem := not_shown(game.transcript, game.script, verdict):
            result.findings.append(f"{where}: {problem}")
        if falsify:
            for how in FALSIFIED:
                told = falsified(game.transcript, how, spec.rng(how))
                if told is not None:
                    _judge_copy(result, f"{where}, {how}", how, told, game.script)
    return result


def _judge_copy(result: Result, where: str, how: str, told: Transcript, script: Script) -> None:
    if problems(told):
        result.numbers[how, BROKEN] += 1
        return
    verdict = _replay(told, script)
    result.numbers[how, ACCEPTED if verdict.possible else REFUSED] += 1
    if verdict.possible:
        if problem := not_shown(told, script, verdict):
            result.findings.append(f"{where}: {problem}")
    elif not (verdict.ruling and verdict.why and verdict.at):
        result.findings.append(f"{where}: the refusal gives no reason")
    elif len(script.cast) <= SMALL:
        shown = shown_by_some_course(told, script)
        if shown is None:
            result.numbers[how, GAVE_UP] += 1
        else:
            result.numbers[how, EXHAUSTED] += 1
        if shown:
            result.findings.append(
                f"{where}: refused at {verdict.at} [{verdict.ruling}], but a course shows it"
            )


def _replay(told: Transcript, script: Script) -> Replay:
    return Replayer(compile_table(told)).run(script)


def not_shown(told: Transcript, script: Script, verdict: Replay) -> str:
    """Return how a game differs from what its course shows, nothing if it does not."""
    try:
        shown = run_course(
            told.sheet,
            script,
            verdict.course,
            decisions_of(told),
            announces=told.announces,
            title=told.title,
        )
    except IllegalCourse as error:
        return f"the course of replay is not legal: {error}"
    mine, noted = by_step(shown, told), by_step(told, told)
    for at in sorted(mine.keys() | noted.keys()):
        if mine.get(at) != noted.get(at):
            return f"the course of replay shows something else at {at}"
    return ""


def by_step(shown: Transcript, told: Transcript) -> dict[At, Counter[AnyRecord]]:
    """Return what each step showed, in any order.

    Deaths and lost guards that a table may leave out where the loop ended (D-06) are left out,
    and so are tokens with a public cause and the gauge, which need not be noted.

    Args:
        shown: what happened.
        told: what was noted.
    """
    ended = {record.at for record in told.records if isinstance(record, records.LoopOver)}
    noted = set(told.records)
    found: dict[At, Counter[AnyRecord]] = {}
    for record in shown.records:
        if (
            isinstance(record, records.Death | records.GuardLost)
            and record.at in ended
            and record not in noted
        ):
            continue
        public = isinstance(record, records.Token) and record.by is not None
        if (public or isinstance(record, records.Gauge)) and record not in noted:
            continue
        seen = found.setdefault(record.at, Counter())
        plain = msgspec.structs.replace(record, ordered=False)
        if isinstance(plain, records.Token):  # two tokens are two ones at once or in turn
            one = 1 if plain.n > 0 else -1
            seen[msgspec.structs.replace(plain, n=one)] += abs(plain.n)
        else:
            seen[plain] += 1
    return found


def report(result: Result) -> Iterable[str]:
    """Yield the lines of the report."""
    yield f"{result.games:,} games, each with its own script"
    hows = [how for how in FALSIFIED if any(name == how for name, _ in result.numbers)]
    if hows:
        columns = (BROKEN, ACCEPTED, REFUSED, EXHAUSTED, GAVE_UP)
        yield f"copies with one thing changed: {', '.join(columns)}"
        for how in hows:
            numbers = " ".join(f"{result.numbers[how, what]:>8,}" for what in columns)
            yield f"  {how:26}{numbers}"
    yield f"findings: {len(result.findings):,}"
    for line in result.findings[:KEPT]:
        yield f"  {line}"
