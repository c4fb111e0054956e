"""Small scripts to start from, and what a script breaks."""

from msgspec.structs import replace

from engine.legality import Rule, violations
from engine.rulings import TableRulings
from engine.script import Script, ScriptIncident
from engine.sets import RULEBOOKS
from tests.engine_scripts.bare import ALL_SETS

FIRST_STEPS = RULEBOOKS["first_steps"]


def broken(script: Script, rulings: TableRulings | None = None) -> set[Rule]:
    """Return the rules that a script breaks, its own set taken from the figures if need be."""
    rulings = rulings or TableRulings({})
    return {found.rule for found in violations(script, rulings, ALL_SETS.get(script.set))}


def first_steps(cast: dict[str, str], subplot: str = "an_unsettling_rumor") -> Script:
    """Return a script with the main plot Fire of the Avenger."""
    return Script(
        set="first_steps",
        main_plot="fire_of_the_avenger",
        subplots=(subplot,),
        days=3,
        loops=(3,),
        cast=cast,
        incidents=(ScriptIncident(day=2, incident="suicide", culprit=next(iter(cast))),),
    )


PLAIN = first_steps({"nurse": "brain", "doctor": "conspiracy_theorist", "patient": "person"})


def with_others(script: Script, **roles: str) -> Script:
    return replace(script, cast={**script.cast, **roles})
