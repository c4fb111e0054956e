"""The character cards, by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cast import adults, students, uncanny
from engine.rules.model import Character

CHARACTERS: Final[Mapping[str, Character]] = {
    character.id: character
    for group in (students.CARDS, adults.CARDS, uncanny.CARDS)
    for character in group
}
"""All characters that are modelled."""
