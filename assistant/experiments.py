"""What would be if: suppositions, readings of open rulings, fuller notes, withdrawn records.

Nothing here changes a game. Every question is asked of a deduction and dropped again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from assistant.clues.model import Unit
from assistant.deduction import Deduction, cell_state
from assistant.formula import CulpritAtom, Formula, PlotAtom, RoleAtom, RulingAtom, atoms
from assistant.transcript.errors import AgainstTheRules
from assistant.transcript.notation import parse, write
from assistant.transcript.validate import problems
from assistant.worlds import Worlds
from engine.records import At, Complete, Partial, Transcript


def supposing(deduction: Deduction, *formulas: Formula) -> Deduction:
    """Return what would be left if the formulas held too; the game stays as it is."""
    return replace(deduction, worlds=deduction.worlds.conjoin(*formulas))


def consequences(deduction: Deduction, *formulas: Formula) -> tuple[tuple[Formula, str], ...]:
    """Return the cells that stand otherwise if the formulas hold too, with their states then.

    There are none where the formulas cannot hold.
    """
    supposed = supposing(deduction, *formulas)
    if not supposed.consistent:
        return ()
    now = dict(_states(deduction.worlds))
    return tuple((cell, state) for cell, state in _states(supposed.worlds) if state != now[cell])


def followed_by(transcript: Transcript, lines: Sequence[str]) -> Transcript:
    """Return the game with records that might come next.

    Args:
        transcript: the game.
        lines: records in line notation, with lines such as ``== 2.1 cards`` before each step.

    Raises:
        TableError: when they are no records, or do not fit the game.
    """
    return parse("\n".join((write(transcript), *lines, "")), name="what might come next")


# Open rulings ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reading of an open ruling makes of a game.

    Attributes:
        ruling: the ruling.
        yes: the reading.
        worlds: how many worlds fit it.
        settled: the cells that it settles and the other reading, or both together, do not,
            with their states.
    """

    ruling: str
    yes: bool
    worlds: int
    settled: tuple[tuple[Formula, str], ...]


def readings(deduction: Deduction) -> tuple[Reading, ...]:
    """Return what hangs on each ruling that the table left open, two readings a ruling.

    Rulings of which no clue speaks are left out: nothing hangs on them.
    """
    spoken = atoms(*(clue.formula for clue in deduction.clues))
    rulings = deduction.worlds.composition.rulings
    open_ones = sorted(
        atom.id for atom in spoken if isinstance(atom, RulingAtom) and rulings[atom.id] is None
    )
    found = []
    for id in open_ones:
        for yes in (True, False):
            reading = RulingAtom(id) if yes else ~RulingAtom(id)
            worlds = deduction.worlds.conjoin(reading).count()
            found.append(Reading(id, yes, worlds, consequences(deduction, reading)))
    return tuple(found)


def _states(worlds: Worlds) -> Iterator[tuple[Formula, str]]:
    total = worlds.count()
    for plot, count in worlds.plots().items():
        yield PlotAtom(plot), cell_state(count, total)
    for role, count in worlds.roles().items():
        yield RoleAtom(*role), cell_state(count, total)
    for culprit, count in worlds.culprits().items():
        yield CulpritAtom(*culprit), cell_state(count, total)


# Fuller notes ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fuller:
    """What a step would tell if nothing but what is noted had happened in it.

    Attributes:
        at: the step.
        worlds: how many worlds would be left then.
    """

    at: At
    worlds: int


def fuller(deduction: Deduction) -> tuple[Fuller, ...]:
    """Return the steps that are open or noted in part, those that would tell most first.

    Of each it is supposed that all of it is noted. That may turn out otherwise at the table:
    the number is what silence would be worth. Steps in which that cannot be are left out.
    """
    transcript = deduction.table.transcript
    order = {step.at: step.index for step in deduction.table.steps if not step.gap}
    found = []
    for step in deduction.table.steps:
        if step.complete or step.gap:
            continue
        sure = [
            record
            for record in transcript.records
            if record.at != step.at or not (record.doubt or isinstance(record, Partial))
        ]
        place = sum(order.get(record.at, -1) <= step.index for record in sure)
        sure.insert(place, Complete(at=step.at))
        then = _deduced(structs.replace(transcript, records=tuple(sure)), deduction)
        if then is not None and then.consistent:
            found.append(Fuller(step.at, then.worlds.count()))
    return tuple(sorted(found, key=lambda one: one.worlds))


# Contradictions -------------------------------------------------------------------------


def corrections(deduction: Deduction, units: Iterable[Hashable]) -> tuple[int, ...]:
    """Return the records of which each, doubted alone, would leave a world.

    Args:
        deduction: a game that no world explains.
        units: the evidence units of a conflict; whoever repairs it must touch one of them.

    Returns:
        Numbers of records from 0. That a step is complete is not doubted but left out.
    """
    transcript = deduction.table.transcript
    steps = {unit.step for unit in units if isinstance(unit, Unit)}
    found = []
    for step in sorted(steps):
        for number in deduction.table.steps[step].numbers:
            record = transcript.records[number]
            before, after = transcript.records[:number], transcript.records[number + 1 :]
            changed = () if isinstance(record, Complete) else (structs.replace(record, doubt=True),)
            records = (*before, *changed, *after)
            then = _deduced(structs.replace(transcript, records=records), deduction)
            if then is not None and then.consistent:
                found.append(number)
    return tuple(found)


def _deduced(transcript: Transcript, before: Deduction) -> Deduction | None:
    """Return what a changed game says, ``None`` if it breaks a public rule."""
    if problems(transcript):
        return None
    try:
        return Deduction.of(transcript, before)
    except AgainstTheRules:
        return None
