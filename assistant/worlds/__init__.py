"""Which scripts are still possible, counted exactly."""

from assistant.worlds.cells import Cells
from assistant.worlds.composition import Combination, Composition, Need, Slot, State
from assistant.worlds.space import Worlds
from assistant.worlds.world import World, script_of, world_of

__all__ = [
    "Cells",
    "Combination",
    "Composition",
    "Need",
    "Slot",
    "State",
    "World",
    "Worlds",
    "script_of",
    "world_of",
]
