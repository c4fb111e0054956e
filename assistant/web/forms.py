"""Which form is used when: by its name, for a record, and those that a step offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assistant.transcript.kinds import KINDS
from assistant.web.abilities import ability_form, ability_form_id
from assistant.web.form import Form, Scene
from assistant.web.recordforms import FORMS, record_form
from engine.records import LoopOver
from engine.rules.model import GaugeUse, LeaveBoard, Rulebook
from engine.rules.parts import LeaderKills, NameLocation, SetExtraCard
from engine.words import (
    CARDS,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
)

_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    LOOP_START: ("placed", "token"),
    "day_start": ("enters", "leader", "token"),
    CARDS: ("card", "card_result"),
    MASTERMIND_STEP: ("token", "moved"),
    GOODWILL_STEP: ("token", "reveal_role", "reveal_culprit", "reveal_subplot", "death"),
    INCIDENT_STEP: ("death", "token", "moved", "loop_over"),
    NIGHT: ("death", "guard_lost", "loop_over"),
    LOOP_END: ("loop_over", "reveal_role"),
    FINAL_GUESS: ("guess",),
}
"""The forms that a step shows first; everything else it allows stands below them."""
_NO_BUTTON: Final = frozenset({"complete", "partial", "incident", "no_effect"})
"""Forms that the page shows by other means."""
_AT_AN_EARLY_END: Final = frozenset({"reveal_role", "reveal_culprit", "reveal_same", "count"})


def form_named(name: str, scene: Scene) -> Form | None:
    """Return the form of that name for a step, ``None`` when there is none."""
    return record_form(name, scene) if name in FORMS else ability_form(name, scene)


def form_for(fields: Mapping[str, Any], scene: Scene) -> tuple[Form, dict[str, list[str]]] | None:
    """Return the form that can show a record, and what its inputs hold.

    Returns:
        ``None`` when no form can hold all that the record says: it is edited as a line.
    """
    fields = _plain(fields)
    names = [name for name, entry in FORMS.items() if entry.kind == fields["kind"]]
    if fields["kind"] == "use":
        names.append(ability_form_id(fields.get("who"), fields["ability"]))
    for name in names:
        form = form_named(name, scene)
        data = None if form is None else form.show(fields)
        if form is not None and data is not None:
            return form, data
    return None


def _plain(value: Any) -> Any:
    """Return a JSON value with lists where Python has tuples, as a browser sends them."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def offered(scene: Scene, ended: LoopOver | None) -> tuple[list[str], list[str]]:
    """Return the names of the forms that a step offers: the usual ones, and the others.

    Args:
        scene: the step.
        ended: the record that ended its loop, if it is noted.
    """
    step = scene.at[2]
    allowed = [
        name
        for name, entry in FORMS.items()
        if step in KINDS[entry.kind].steps and name not in _NO_BUTTON and _exists(name, scene)
    ]
    if step == LOOP_END and ended is not None and ended.at[2] != LOOP_END:
        allowed = [name for name in allowed if name in _AT_AN_EARLY_END]
    if ended is not None and "loop_over" in allowed:
        allowed.remove("loop_over")
    usual = [name for name in _USUAL.get(step, ()) if name in allowed]
    return usual, [name for name in allowed if name not in usual]


def _some_part(rules: Rulebook, kind: type) -> bool:
    """Tell whether some incident of the set has an effect of that kind."""
    incidents = rules.incidents.values()
    return any(isinstance(part, kind) for incident in incidents for part in incident.parts)


def _exists(name: str, scene: Scene) -> bool:
    """Tell whether the set and the sheet know such a thing at all."""
    rules, words = scene.names.rules, scene.words
    match name:
        case "gauge":
            return rules.uses_gauge
        case "guess":
            return words.final_guess
        case "enters":
            return bool(words.late)
        case "reveal_culprit":
            return bool(words.sheet.incidents)
        case "removed":
            return any(
                isinstance(ability.does, LeaveBoard)
                for who in words.characters
                if who in rules.characters
                for ability in rules.characters[who].goodwill
            )
        case "curse":
            return rules.curses
        case "spell":
            return rules.gauge is GaugeUse.KNOWLEDGE
        case "extra_card":
            return _some_part(rules, SetExtraCard)
        case "leader_chooses":
            return _some_part(rules, LeaderKills)
        case "location_named":
            return _some_part(rules, NameLocation)
        case _:
            return True
