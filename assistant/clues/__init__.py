"""Clues: what each step says about the worlds, as formulas with their evidence.

One generic builder per step reads the rule text backward; no rule lives here.
"""

from assistant.clues.derive import derive
from assistant.clues.model import Clue, Unit

__all__ = ["Clue", "Unit", "derive"]
