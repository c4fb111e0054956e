"""Named ways of playing, for simulated games: what tests and measurements are made of."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from engine.policies.mastermind import Bluffs, Hides, Passive, Presses
from engine.policies.protagonists import Blunders, Courts, Protects, Tests

POLICIES: Final[Mapping[str, type[Passive]]] = {
    "hides": Hides,
    "presses": Presses,
    "bluffs": Bluffs,
    "passive": Passive,
}
"""The Mastermind's ways of playing, by name."""

PROTAGONISTS: Final[Mapping[str, type[Blunders]]] = {
    "tests": Tests,
    "protects": Protects,
    "blunders": Blunders,
    "courts": Courts,
}
"""The Protagonists' ways of playing, by name."""


def some_protagonists(rng: Random) -> str:
    """Return one of the Protagonists' usual ways of playing, careful ones more often."""
    return rng.choice(("tests", "tests", "protects", "protects", "blunders"))


__all__ = ["POLICIES", "PROTAGONISTS", "some_protagonists"]
