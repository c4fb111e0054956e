"""Smallest reasons: which evidence of this very game rules something out.

A clue rests on evidence units (what was noted in a step, that it was complete, that play went
on). A reason is a set of units from which none can be left out: the clues that rest on them
alone settle the matter, and without any one of them it would be open. Sets of up to three
units are all tried as far as that can be done; larger reasons are put together and shrunk.
Every reason is checked once more, by the constraint model, before it is returned.
"""

from assistant.explain.explainer import Explainer
from assistant.explain.reason import Conflict, Evidence, Reason

__all__ = ["Conflict", "Evidence", "Explainer", "Reason"]
