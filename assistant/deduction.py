"""One game's deduction: from a transcript to what remains possible.

This is the service that the command line, the page and the lab stand on. It keeps the worlds
after every clue, so that a further record costs one more conjunction and an edited record
only what comes after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from assistant.clues import Clue, derive
from assistant.transcript.errors import AgainstTheRules
from assistant.worlds import Worlds
from engine.records import Transcript
from engine.rules.model import Rulebook
from engine.rulings import TableRulings
from engine.table import Table, compile_table

IMPOSSIBLE = "impossible"
POSSIBLE = "possible"
CERTAIN = "certain"


def cell_state(count: int, total: int) -> str:
    """Return what a cell's count says, given the count of all worlds."""
    if count == 0:
        return IMPOSSIBLE
    return CERTAIN if count == total else POSSIBLE


def up_to_record(transcript: Transcript, number: int) -> Transcript:
    """Return the game as it stood after record ``number``, counted from 1."""
    return structs.replace(transcript, records=transcript.records[:number])


def refuse_problems(table: Table, file: str = "") -> None:
    """Raise if a record breaks a public rule.

    Raises:
        AgainstTheRules: with the record, the ruling and the remedy of the first problem.
    """
    for problem in table.problems:
        record = table.transcript.records[problem.record]
        raise AgainstTheRules(
            problem.text,
            remedy=problem.remedy,
            rule=problem.ruling,
            at=record.at,
            path=("records", problem.record),
            file=file,
        )


@dataclass(frozen=True, slots=True)
class Deduction:
    """What the records of a game leave possible.

    Attributes:
        table: the compiled game.
        clues: what each step says.
        worlds: the worlds that satisfy all clues.
        chain: the worlds after each clue.
    """

    table: Table
    clues: tuple[Clue, ...]
    worlds: Worlds
    chain: tuple[Worlds, ...]
    fresh: Worlds

    @classmethod
    def of(
        cls,
        transcript: Transcript,
        before: Deduction | None = None,
        rules: Rulebook | None = None,
    ) -> Deduction:
        """Deduce from a well-formed transcript.

        Args:
            transcript: the game.
            before: an earlier deduction of the same game, whose work is reused as far as its
                clues are the same.
            rules: another reading of the set (the lab's mutants).

        Raises:
            AgainstTheRules: a record breaks a public rule.
        """
        table = compile_table(transcript, rules)
        refuse_problems(table)
        rulings = TableRulings(transcript.rulings)
        same_game = (
            before is not None
            and before.table.sheet == transcript.sheet
            and before.table.transcript.rulings == transcript.rulings
            and before.table.transcript.announces == transcript.announces
            and before.table.transcript.start == transcript.start
            and before.table.rules is table.rules
        )
        if before is not None and same_game:
            table.scratch = before.table.scratch
        clues = tuple(derive(table))
        fresh = (
            before.fresh
            if before is not None and same_game
            else Worlds(transcript.sheet, table.rules, rulings)
        )
        chain: list[Worlds] = []
        if before is not None and same_game:
            for clue, old, worlds in zip(clues, before.clues, before.chain, strict=False):
                if clue.formula is not old.formula:
                    break
                chain.append(worlds)
        worlds = chain[-1] if chain else fresh
        for clue in clues[len(chain) :]:
            worlds = worlds.conjoin(clue.formula)
            chain.append(worlds)
        return cls(table, clues, worlds, tuple(chain), fresh)

    @property
    def consistent(self) -> bool:
        """Tell whether some world explains everything."""
        return self.worlds.any()

    def answer(self) -> dict[str, Any]:
        """Return the answer in the documented JSON form (docs/answer.md)."""
        worlds = self.worlds
        total = worlds.count()
        sheet, rules = self.table.sheet, self.table.rules
        return {
            "format": "looper-answer",
            "version": 1,
            "records": len(self.table.transcript.records),
            "clues": len(self.clues),
            "consistent": total > 0,
            "worlds": total,
            "plot_role_worlds": worlds.plot_role_count(),
            "role_assignments": worlds.role_assignments(),
            "combinations": [
                {"plots": list(plots), "worlds": count}
                for plots, count in worlds.combinations().items()
                if count
            ],
            "plots": {plot: _cell(worlds.plots().get(plot, 0), total) for plot in rules.plots},
            "roles": _roles(worlds.roles(), total),
            "entries": _entries(self.table, worlds.entries(), total),
            "culprits": [
                {
                    "day": scheduled.day,
                    "incident": scheduled.incident,
                    "candidates": {
                        who: _cell(count, total)
                        for (n, who), count in worlds.culprits().items()
                        if n == number
                    },
                }
                for number, scheduled in enumerate(sheet.incidents)
            ],
        }


def _cell(count: int, total: int) -> dict[str, Any]:
    return {"state": cell_state(count, total), "worlds": count}


def _roles(counts: Mapping[tuple[str, str], int], total: int) -> dict[str, dict[str, Any]]:
    roles: dict[str, dict[str, Any]] = {}
    for (who, role), count in counts.items():
        roles.setdefault(who, {})[role] = _cell(count, total)
    return roles


def _entries(
    table: Table, counts: Mapping[tuple[str, int | None], int], total: int
) -> dict[str, dict[str, Any]]:
    """Return by late character its cells, by the loop or day on which it enters."""
    found: dict[str, dict[str, Any]] = {}
    for (who, value), count in counts.items():
        entry = table.rules.characters[who].entry
        assert entry is not None  # only late characters have such cells
        cells = found.setdefault(who, {"counts": entry.value, "cells": {}})["cells"]
        cells["never" if value is None else str(value)] = _cell(count, total)
    return found


def solve(transcript: Transcript) -> Deduction:
    """Deduce from a transcript (see ``Deduction.of``)."""
    return Deduction.of(transcript)
