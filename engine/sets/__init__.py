"""The tragedy sets, by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.model import Rulebook
from engine.sets.basic_tragedy import BASIC_TRAGEDY
from engine.sets.first_steps import FIRST_STEPS
from engine.sets.haunted_stage import HAUNTED_STAGE
from engine.sets.mystery_circle import MYSTERY_CIRCLE
from engine.sets.weird_mythology import WEIRD_MYTHOLOGY

RULEBOOKS: Final[Mapping[str, Rulebook]] = {
    rulebook.id: rulebook
    for rulebook in (FIRST_STEPS, BASIC_TRAGEDY, MYSTERY_CIRCLE, WEIRD_MYTHOLOGY, HAUNTED_STAGE)
}
"""All sets that are modelled."""
