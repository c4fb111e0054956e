"""The memory of a serving process, measured in a process of its own.

``python -m assistant.lab.bench_memory FOLDER STEP`` serves the games of a folder as phones
would have it: every answer, some reasons, and tells its memory as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from assistant.lab import bench_deduction
from assistant.lab.timing import memory
from assistant.transcript import dump, load
from engine.rules.model import Rulebook

_REASONS = 12


def measured(rules: Rulebook, sizes: Sequence[int], step: int) -> dict[str, float]:
    """Return the memory of a serving process in MiB, by what is open in it.

    Args:
        rules: the set.
        sizes: the number of characters of each game.
        step: so many records are noted at once.
    """
    with tempfile.TemporaryDirectory() as folder:
        for number, size in enumerate(sizes):
            game = bench_deduction.full_game(rules, size, number)
            Path(folder, f"{number}.json").write_text(dump(game), encoding="utf-8")
        command = [sys.executable, "-m", "assistant.lab.bench_memory", folder, str(step)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _served(folder: str, step: int) -> Iterator[tuple[str, float]]:
    import assistant.web.app  # noqa: F401
    from assistant.deduction import up_to_record
    from assistant.formula import RoleAtom
    from assistant.store import Store
    from assistant.web.games import Games

    yield "the server alone", memory()
    files = sorted(Path(folder).glob("*.json"))
    games = Games(Store(Path(folder, "games.sqlite")))
    for number, file in enumerate(files, 1):
        whole = load(file.read_text(encoding="utf-8"), name=file.name)
        game = games.add(up_to_record(whole, 0))
        for records in (*range(0, len(whole.records), step), len(whole.records)):
            cut = up_to_record(whole, records)
            game = games.change(game.id, game.revision, lambda _, cut=cut: cut)  # type: ignore[misc]
            games.deduction(game).answer()
        yield f"{number} games open, without reasons", memory()
        cells = games.deduction(game).worlds.roles()
        for cell in [cell for cell, count in cells.items() if not count][:_REASONS]:
            games.reason(game, RoleAtom(*cell))
        yield f"{number} games open, ortools loaded", memory()


if __name__ == "__main__":
    json.dump(dict(_served(sys.argv[1], int(sys.argv[2]))), sys.stdout)
