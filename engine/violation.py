"""What can be wrong with a script: the rules by name, and how a violation reads."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Rule(StrEnum):
    """The rules that a script can break."""

    SET = "set"
    MAIN_PLOT = "main_plot"
    SUBPLOTS = "subplots"
    SUBPLOT_TWICE = "subplot_twice"
    EXTRA_PLOT = "extra_plot"
    NEEDED = "needed"
    LOOPS = "loops"
    DAYS = "days"
    CHARACTER = "character"
    ENTRY = "entry"
    TURF = "turf"
    EXTRAS = "extras"
    ROLE = "role"
    ROLE_COUNT = "role_count"
    ROLE_TRAIT = "role_trait"
    OPPOSITE_SEX = "opposite_sex"
    OUTSIDE_PLOTS = "outside_plots"
    COPIES = "copies"
    NOT_PERSON = "not_person"
    INCIDENT = "incident"
    INCIDENT_DAY = "incident_day"
    ONE_A_DAY = "one_a_day"
    CULPRIT = "culprit"
    CULPRIT_TWICE = "culprit_twice"
    MUST_BE_CULPRIT = "must_be_culprit"
    NEVER_CULPRIT = "never_culprit"
    SPECIAL_RULE = "special_rule"


CREATION_RULES: Final = frozenset(
    {
        Rule.ROLE_COUNT,
        Rule.ROLE_TRAIT,
        Rule.OPPOSITE_SEX,
        Rule.ONE_A_DAY,
        Rule.CULPRIT_TWICE,
        Rule.MUST_BE_CULPRIT,
        Rule.NEVER_CULPRIT,
    }
)
"""Rules that only bind while the table takes it that scripts obey the creation rules (P-09)."""

_RULINGS: Final[Mapping[Rule, tuple[str, ...]]] = {
    Rule.ROLE_COUNT: ("P-09",),
    Rule.ROLE_TRAIT: ("P-09", "BT-02"),
    Rule.OPPOSITE_SEX: ("HS-20",),
    Rule.EXTRA_PLOT: ("WM-05",),
    Rule.NEEDED: ("WM-06",),
    Rule.OUTSIDE_PLOTS: ("K-Mystery Boy", "P-04", "FS-02"),
    Rule.COPIES: ("K-Copycat",),
    Rule.NOT_PERSON: ("K-A.I.",),
    Rule.ENTRY: ("P-05",),
    Rule.TURF: ("K-Boss",),
    Rule.ONE_A_DAY: ("I-19",),
    Rule.CULPRIT_TWICE: ("I-17",),
    Rule.MUST_BE_CULPRIT: ("I-18",),
    Rule.NEVER_CULPRIT: ("I-18",),
    Rule.SPECIAL_RULE: ("P-09",),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why a script is not legal.

    Attributes:
        rule: the rule that it breaks.
        text: what is wrong, as a clause.
        remedy: how to put it right, as a clause.
    """

    rule: Rule
    text: str
    remedy: str

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings that the rule follows; none where the rulebooks say it plainly."""
        return _RULINGS.get(self.rule, ())


def name_of(known: Mapping[str, object], key: str) -> str:
    """Return the printed name of something that has one, else its id."""
    return str(getattr(known.get(key), "name", key))


def unknown(rule: Rule, what: str, found: str, known: Mapping[str, object]) -> Violation:
    """Return "there is no such thing", with the known names that are nearest."""
    names = {key.lower(): key for key in known}
    names |= {name_of(known, key).lower(): key for key in known}
    near = difflib.get_close_matches(found.lower(), names, n=3, cutoff=0.6)
    keys = list(dict.fromkeys(names[name] for name in near)) or list(known)
    remedy = f"did you mean {' or '.join(keys)}?" if near else f"known are {', '.join(keys)}"
    return Violation(rule, f"there is no {what} {found!r}", remedy)
