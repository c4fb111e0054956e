"""Golden games: a readable full game of each sample script, with what could be deduced.

``python -m assistant.lab.golden`` writes them to ``tests/golden`` again; a test compares.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assistant import samples
from assistant.deduction import CERTAIN, IMPOSSIBLE, Deduction, up_to_record
from assistant.transcript import notation
from engine.records import Complete, Transcript
from engine.simulate import simulate
from engine.words import LOOP_END, NIGHT

FOLDER = Path("tests") / "golden"

SEEDS = {
    "a_letter_for_nobody": 11,
    "promise_under_the_tree": 12,
    "the_harvest_lanterns": 13,
    "the_night_ward": 14,
    "two_of_a_kind": 15,
    "what_the_clock_saw": 16,
    "supper_for_eleven": 17,
    "the_night_train_stops": 18,
    "a_clock_under_water": 50,
    "the_tide_at_the_door": 44,
    "the_moon_over_platform_nine": 46,
    "bread_for_the_buried": 42,
}
"""The sample scripts with a golden game, each with a fixed seed of its own."""


def golden(name: str) -> str:
    """Return the golden game of a sample script.

    Args:
        name: id of the sample (``assistant.samples``).
    """
    script = samples.load(name)
    game = simulate(script, SEEDS[name], title=script.title)
    lines = [
        notation.write(game.transcript).rstrip(),
        "",
        "What the Protagonists could know",
        "--------------------------------",
        *knowledge(game.transcript),
    ]
    return "\n".join(lines) + "\n"


def knowledge(transcript: Transcript) -> list[str]:
    """Return, for each night and loop end, the count of worlds and what became certain."""
    lines: list[str] = []
    before: Deduction | None = None
    known: set[str] = set()
    for number, record in enumerate(transcript.records, start=1):
        if not isinstance(record, Complete) or record.at[2] not in (NIGHT, LOOP_END):
            continue
        before = Deduction.of(up_to_record(transcript, number), before)
        answer = before.answer()
        loop, day, step = record.at
        when = f"loop {loop}, day {day}" if step == NIGHT else f"end of loop {loop}"
        lines.append(f"{when}: {answer['worlds']:,} worlds, {answer['role_assignments']:,} casts")
        for fact in _facts(answer):
            if fact not in known:
                known.add(fact)
                lines.append(f"    {fact}")
    return lines


def _facts(answer: dict[str, object]) -> list[str]:
    facts = []
    plots = answer["plots"]
    roles = answer["roles"]
    culprits = answer["culprits"]
    assert isinstance(plots, dict)
    assert isinstance(roles, dict)
    assert isinstance(culprits, list)
    for plot, cell in plots.items():
        if cell["state"] in (CERTAIN, IMPOSSIBLE):
            facts.append(f"{plot}: {cell['state']}")
    for who, cells in roles.items():
        facts += [f"{who} = {role}" for role, cell in cells.items() if cell["state"] == CERTAIN]
    for item in culprits:
        for who, cell in item["candidates"].items():
            if cell["state"] == CERTAIN:
                facts.append(f"{item['incident']} of day {item['day']}: {who}")
    return facts


def main() -> None:
    """Write all golden games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in SEEDS:
        (folder / f"{name}.txt").write_text(golden(name), encoding="utf-8")


if __name__ == "__main__":
    main()
