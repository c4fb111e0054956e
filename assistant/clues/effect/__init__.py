"""Incident effects read backward."""

from assistant.clues.effect.noted import Noted
from assistant.clues.effect.whole import effect_formula

__all__ = ["Noted", "effect_formula"]
