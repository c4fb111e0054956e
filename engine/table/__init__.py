"""A transcript compiled once: the steps of the game with the public board around each.

Cards and public effects resolve the same in every world, so this is done before any world
is looked at; ``engine.replay`` and ``assistant.clues`` both read the result.
"""

from engine.table.compiled import compile_table
from engine.table.step import Problem, Step, Table

__all__ = ["Problem", "Step", "Table", "compile_table"]
