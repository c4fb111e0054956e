"""Rulebooks without abilities, made from the figures: enough to judge scripts.

They stand in for the sets that are not modelled yet, so that what holds for all sets (who
must be a culprit, who may be one twice) is tested before they come.
"""

from typing import Any

import msgspec

from engine.cast import CHARACTERS
from engine.rules.model import Incident, Plot, PlotKind, Quota, Role, Rulebook
from engine.script import Script
from engine.sets import RULEBOOKS
from tests.engine_scripts import reference


def rulebook_of(set_id: str) -> Rulebook:
    """Return the rule text of a set; where it is not modelled, its figures alone."""
    if set_id in RULEBOOKS:
        return RULEBOOKS[set_id]
    figures = reference.figures()["sets"][set_id]
    plots = [
        Plot(
            plot,
            values["name"],
            PlotKind(values["kind"]),
            tuple(
                Quota(role, least, most, trait and trait.removeprefix("trait:"))
                for role, least, most, trait in values["roles"]
            ),
            opposite_sex=(("key_person", "vampire"),) * (plot == "the_noble_bloodline"),
            needs=("informant",) * (plot == "twisted_truth"),
            extra_main_plot=plot == "twisted_truth",
        )
        for plot, values in figures["plots"].items()
    ]
    roles = [
        Role(
            role,
            values["name"],
            values["limit"],
            must_be_culprit=values["must_be_culprit"],
            never_culprit=values["never_culprit"],
        )
        for role, values in figures["roles"].items()
    ]
    incidents = [
        Incident(
            incident,
            values["name"],
            (),
            repeatable_culprit=values["culprit_reusable"],
            mob=values["mob"],
        )
        for incident, values in figures["incidents"].items()
    ]
    return Rulebook(
        set_id,
        figures["name"],
        {plot.id: plot for plot in plots},
        {role.id: role for role in roles},
        {incident.id: incident for incident in incidents},
        CHARACTERS,
        figures["subplots_per_script"],
        figures["final_guess"],
    )


ALL_SETS = {set_id: rulebook_of(set_id) for set_id in reference.figures()["sets"]}
"""All five sets, modelled or not."""


def script_of(raw: dict[str, Any]) -> Script:
    """Return a published script; what only its collection says of it is left out."""
    known = {key: value for key, value in raw.items() if key in Script.__struct_fields__}
    return msgspec.convert(known, Script)


PUBLISHED = {script_id: script_of(raw) for script_id, raw in reference.scripts().items()}
"""The published scripts, none where the reference is not at hand."""
