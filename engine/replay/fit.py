"""Whether a script fits an open sheet: the public parts have to agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from engine import special_rules
from engine.legality import violations
from engine.rules.model import Entry, Rulebook
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, Sheet
from engine.steps.common import Failure, name

_NOT_PUBLIC = ("text", "from_source", "doubt", "public")
"""Parts of a special rule that do not change what it says."""


def misfit(
    rules: Rulebook,
    sheet: Sheet,
    script: Script,
    rulings: TableRulings = DEFAULT_RULINGS,
    *,
    legal: bool = False,
) -> Failure | None:
    """Return why a script cannot be the one behind an open sheet, ``None`` if it can be.

    Args:
        rules: the tragedy set of the sheet.
        sheet: the open sheet.
        script: the script.
        rulings: the table's readings; they say whether scripts obey the creation rules.
        legal: whether to ask for a legal script too (P-09).
    """
    if script.set != sheet.set:
        return Failure("P-09", f"The script is for another tragedy set, {script.set}.")
    return (
        _unknown(rules, script)
        or _cast(rules, sheet, script)
        or _numbers(sheet, script)
        or _incidents(rules, sheet, script)
        or _extras(rules, sheet, script)
        or (_illegal(rules, script, rulings) if legal else None)
    )


def _illegal(rules: Rulebook, script: Script, rulings: TableRulings) -> Failure | None:
    for violation in violations(script, rulings, rules):
        ruling = violation.rulings[0] if violation.rulings else "P-09"
        text = violation.text[:1].upper() + violation.text[1:]
        return Failure(ruling, f"{text}.")
    return None


def _unknown(rules: Rulebook, script: Script) -> Failure | None:
    for who, role in script.cast.items():
        if who not in rules.characters:
            return Failure("P-09", f"The character {who} is not modelled.")
        if role not in rules.roles:
            return Failure("P-09", f"{name(rules, who)} has an unknown role, {role}.")
    for plot in script.plots():
        if plot not in rules.plots:
            return Failure("P-09", f"The plot {plot} is not one of {rules.name}.")
    refused = special_rules.refusals(script.special_rules)
    return Failure("P-09", f"Not modelled: {refused[0]}.") if refused else None


def _cast(rules: Rulebook, sheet: Sheet, script: Script) -> Failure | None:
    missing = [who for who in sheet.cast if who not in script.cast]
    if missing:
        who = name(rules, missing[0])
        return Failure("P-05", f"{who} lies on the table, the script has no such card.")
    for who in script.cast:
        if who in sheet.cast:
            if script.entry(who) not in (None, (1, 1)):
                return Failure("P-05", f"{name(rules, who)} lies on the table too early.")
            continue
        if rules.characters[who].entry is None or sheet.cast_complete:
            return Failure("P-05", f"{name(rules, who)} is in the script, but not on the table.")
        if script.entry(who) is None:
            return Failure("P-05", f"The script does not say when {name(rules, who)} enters.")
    return None


def _numbers(sheet: Sheet, script: Script) -> Failure | None:
    if script.days != sheet.days:
        return Failure("P-09", f"The script has {script.days} days, the sheet {sheet.days}.")
    loops = special_rules.loop_numbers(script.loops, script.special_rules)
    if sheet.loops not in loops:
        listed = " or ".join(str(number) for number in loops)
        return Failure("P-09", f"The script has {listed} loops, the sheet {sheet.loops}.")
    return None


def _incidents(rules: Rulebook, sheet: Sheet, script: Script) -> Failure | None:
    shown = Counter((item.day, item.incident) for item in sheet.incidents)
    hidden = Counter((item.day, item.incident) for item in script.incidents)
    if shown != hidden:
        day, incident = min((shown - hidden) + (hidden - shown))
        return Failure(
            "P-09", f"Script and sheet differ about {name(rules, incident)} on day {day}."
        )
    for item in script.incidents:
        if item.incident not in rules.incidents:
            return Failure("P-09", f"The incident {item.incident} is not one of {rules.name}.")
    return None


def _extras(rules: Rulebook, sheet: Sheet, script: Script) -> Failure | None:
    for who, extras in script.cast_extras.items():
        turf = extras.get("turf")
        if turf is not None and sheet.turf.get(who, turf) != turf:
            return Failure("K-Boss", f"The turf of {name(rules, who)} is {sheet.turf[who]}.")
        entry = rules.characters[who].entry if who in rules.characters else None
        loop = extras.get("entry_loop")
        if entry is Entry.LOOP and isinstance(loop, int) and loop > sheet.loops:
            return Failure("P-05", f"{name(rules, who)} enters after the last loop.")
    if _said(sheet.special_rules) != _said(script.special_rules):
        return Failure("P-09", "Script and sheet differ in their special rules.")
    return None


def _said(rules: Iterable[Mapping[str, object]]) -> list[str]:
    """Return what special rules say, without texts for people, in a comparable form."""
    return sorted(
        json.dumps(
            {key: value for key, value in rule.items() if key not in _NOT_PUBLIC},
            sort_keys=True,
            default=str,
        )
        for rule in rules
        if rule.get("public", True)
    )
