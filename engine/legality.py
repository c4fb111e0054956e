"""Whether a script is legal: every reason why it is not, by name.

A script may break several rules at once, and whoever writes one wants to hear of all of them,
so ``violations`` never stops at the first. What it accepts is what deduction has to reckon
with; a few things that no careful writer does are accepted too (FS-02).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine import special_rules
from engine.cast import CHARACTERS
from engine.rules.model import Character, Entry, Plot, Role, RoleRule, Rulebook
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, ScriptIncident
from engine.sets import RULEBOOKS
from engine.violation import CREATION_RULES, Rule, Violation, name_of, unknown
from engine.words import LOCATIONS, PERSON

__all__ = [
    "CREATION_RULES",
    "Rule",
    "Violation",
    "is_modelled",
    "is_ordinary",
    "role_bounds",
    "violations",
]
_MALE = frozenset({"boy", "man"})
_FEMALE = frozenset({"girl", "woman"})


def violations(
    script: Script, rulings: TableRulings = DEFAULT_RULINGS, rulebook: Rulebook | None = None
) -> list[Violation]:
    """Return every reason why a script is not legal, none if it is legal.

    Args:
        script: the script.
        rulings: the table's readings; where one is open, what either accepts is legal.
        rulebook: another text of the script's set to judge by.
    """
    known = RULEBOOKS if rulebook is None else {**RULEBOOKS, rulebook.id: rulebook}
    rules = known.get(script.set)
    found = _numbers(script)
    if rules is None:
        found.append(unknown(Rule.SET, "tragedy set", script.set, RULEBOOKS))
        found += _cast(script, CHARACTERS)
    else:
        found += _plots(script, rules)
        found += _cast(script, rules.characters)
        found += _roles(script, rules, rulings)
        found += _incidents(script, rules)
    for refusal in special_rules.refusals(script.special_rules):
        remedy = "remove it from the script: the engine does not play it"
        found.append(Violation(Rule.SPECIAL_RULE, refusal, remedy))
    if rulings["script_obeys_creation_rules"] is not True:
        found = [violation for violation in found if violation.rule not in CREATION_RULES]
    return found


def is_modelled(script: Script) -> list[str]:
    """Return the names of what the script uses and the engine does not model, none if all is.

    Set, characters and special rules; a misspelled name looks like one that is missing.
    """
    rules = RULEBOOKS.get(script.set)
    names = [] if rules is not None else [f"the tragedy set {script.set}"]
    known = CHARACTERS if rules is None else rules.characters
    names += [f"the character {who}" for who in script.cast if who not in known]
    return names + special_rules.refusals(script.special_rules)


def role_bounds(plots: Iterable[Plot], roles: Mapping[str, Role]) -> dict[str, tuple[int, int]]:
    """Return how many ordinary characters hold each role that plots add or allow.

    Returns:
        Role id to (least, most): the sums over the plots, capped by the role's limit (FS-01,
        BT-01).
    """
    bounds: dict[str, tuple[int, int]] = {}
    for quota in (quota for plot in plots for quota in plot.roles):
        least, most = bounds.get(quota.role, (0, 0))
        bounds[quota.role] = least + quota.least, most + quota.most
    for role, (least, most) in bounds.items():
        limit = roles[role].limit
        if limit is not None:
            bounds[role] = min(least, limit), min(most, limit)
    return bounds


def is_ordinary(character: Character) -> bool:
    """Return whether a character counts in the quotas of the plots (P-04)."""
    return character.role_rule not in (RoleRule.OUTSIDE_PLOTS, RoleRule.COPIES)


# Plots and numbers ----------------------------------------------------------------------


def _numbers(script: Script) -> list[Violation]:
    found = []
    if not script.loops or min(script.loops) < 1:
        text = f"{min(script.loops)} loops are too few" if script.loops else "no loops are named"
        found.append(Violation(Rule.LOOPS, text, "name the number of loops, from 1"))
    if script.days < 1:
        text = f"{script.days} days are too few"
        found.append(Violation(Rule.DAYS, text, "name the number of days, from 1"))
    return found


def _plots(script: Script, rules: Rulebook) -> Iterator[Violation]:
    mains = {plot.id: plot for plot in rules.main_plots()}
    subs = {plot.id: plot for plot in rules.subplots()}
    if script.main_plot not in mains:
        yield unknown(Rule.MAIN_PLOT, f"main plot of {rules.name}", script.main_plot, mains)
    for subplot, number in Counter(script.subplots).items():
        if subplot not in subs:
            yield unknown(Rule.SUBPLOTS, f"subplot of {rules.name}", subplot, subs)
        if number > 1:
            text = f"the subplot {name_of(subs, subplot)} is named {number} times"
            yield Violation(Rule.SUBPLOT_TWICE, text, "name different subplots")
    asked, named = rules.subplots_per_script, len(script.subplots)
    if named != asked:
        text = f"{rules.name} asks for {asked} of its subplots, the script names {named}"
        remedy = "add a subplot" if named < asked else "remove a subplot"
        yield Violation(Rule.SUBPLOTS, text, remedy)
    chosen = [plot for plot in rules.plots.values() if plot.id in script.plots()]
    bringing, extra = [plot.name for plot in chosen if plot.extra_main_plot], script.extra_main_plot
    if extra is not None and not bringing:
        text = "no chosen plot brings a second main plot"
        yield Violation(Rule.EXTRA_PLOT, text, "remove the extra main plot")
    elif bringing and (extra not in mains or extra == script.main_plot):
        text = f"{bringing[0]} asks for a second main plot, and {extra or 'none'} is no such"
        remedy = f"name one of {', '.join(main for main in mains if main != script.main_plot)}"
        yield Violation(Rule.EXTRA_PLOT, text, remedy)
    for plot in chosen:
        for who in (who for who in plot.needs if who not in script.cast):
            text = f"{plot.name} needs {name_of(rules.characters, who)} in the cast"
            yield Violation(Rule.NEEDED, text, "add the character, or choose another plot")


# Characters -----------------------------------------------------------------------------


def _cast(script: Script, characters: Mapping[str, Character]) -> Iterator[Violation]:
    """Check the characters and the choices that their cards ask of the script."""
    for who in dict.fromkeys((*script.cast, *script.cast_extras)):
        extras, character = script.cast_extras.get(who, {}), characters.get(who)
        if who not in script.cast:
            text = f"{name_of(characters, who)} has choices of its own but is not in the cast"
            yield Violation(Rule.EXTRAS, text, "remove them, or add the character")
        elif character is None:
            yield unknown(Rule.CHARACTER, "character", who, characters)
        else:
            yield from _choices(script, character, extras)


def _choices(
    script: Script, character: Character, extras: Mapping[str, object]
) -> Iterator[Violation]:
    asked = set()
    if character.entry is not None:
        key = f"entry_{character.entry.value}"
        last = max([1, *(script.loops if character.entry is Entry.LOOP else (script.days,))])
        asked.add(key)
        value = extras.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= last:
            text = f"{character.name} needs the {character.entry.value} of its entry"
            text += "" if value is None else f", and {value!r} is none of them"
            yield Violation(Rule.ENTRY, text, f"set {key} to a number from 1 to {last}")
    if character.has_turf:
        asked.add("turf")
        if extras.get("turf") not in LOCATIONS:
            text = f"{character.name} needs a turf"
            text += f", and {extras['turf']!r} is no location" if "turf" in extras else ""
            yield Violation(Rule.TURF, text, f"set turf to one of {', '.join(LOCATIONS)}")
    if character.id in _fixed_starts(script):
        asked.add("start")
        fixed = _fixed_starts(script)[character.id]
        if extras.get("start", fixed) != fixed:
            text = f"a special rule fixes the start of {character.name} at the {fixed}"
            yield Violation(Rule.EXTRAS, text, "name the same location in both places")
    for key in (key for key in extras if key not in asked):
        text = f"nothing lets a script choose {key} for {character.name}"
        yield Violation(Rule.EXTRAS, text, f"remove {key}")


def _fixed_starts(script: Script) -> dict[str, str]:
    rules = [rule for rule in script.special_rules if not special_rules.refusals((rule,))]
    return special_rules.fixed_starts(rules)


# Roles ----------------------------------------------------------------------------------


def _roles(script: Script, rules: Rulebook, rulings: TableRulings) -> Iterator[Violation]:
    cast = []
    for who, role in script.cast.items():
        if role not in rules.roles:
            yield unknown(Rule.ROLE, f"role of {rules.name}", role, rules.roles)
        elif who in rules.characters:
            cast.append((rules.characters[who], role))
    for character, role in cast:
        if character.role_rule is RoleRule.NOT_PERSON and role == PERSON:
            text = f"{character.name} may not be a Person"
            yield Violation(Rule.NOT_PERSON, text, "give it a role of a chosen plot")
        others = [held for who, held in script.cast.items() if who != character.id]
        if character.role_rule is RoleRule.COPIES and role not in others:
            text = f"{character.name} is {name_of(rules.roles, role)}, and nobody else is"
            yield Violation(Rule.COPIES, text, "give it the role of another character")
    named = {*script.plots(), script.extra_main_plot or script.main_plot}
    if not named <= rules.plots.keys() or len(cast) < len(script.cast):
        return  # How many holders a role has to have is only known when all names are.
    plots = [rules.plots[plot] for plot in dict.fromkeys(script.plots())]
    ordinary = [(character, role) for character, role in cast if is_ordinary(character)]
    outside = [item for item in cast if item[0].role_rule is RoleRule.OUTSIDE_PLOTS]
    yield from _outside(rules, plots, ordinary, outside, rulings)
    ways = [plots]
    if script.extra_main_plot is not None:  # WM-05: all of its roles are added, or none is.
        more, reading = rules.plots[script.extra_main_plot], rulings["extra_plot_roles_in_cast"]
        ways = [[*plots, more]] if reading else [plots, [*plots, more]][: 1 + (reading is None)]
    yield from min((list(_holders(script, rules, way, ordinary)) for way in ways), key=len)


def _outside(
    rules: Rulebook,
    plots: Sequence[Plot],
    ordinary: Sequence[tuple[Character, str]],
    outside: Sequence[tuple[Character, str]],
    rulings: TableRulings,
) -> Iterator[Violation]:
    """Check roles from outside the plots; whoever has one counts in no quota (P-04)."""
    bounds, held = role_bounds(plots, rules.roles), [role for _, role in ordinary]
    for character, role in outside:
        if role == PERSON:
            wrong = rulings["mystery_boy_may_be_person"] is False
        else:  # A role that a plot only allows is added once somebody holds it (FS-02).
            wrong = role in bounds and (bounds[role][0] > 0 or role in held)
        if wrong:
            text = f"{character.name} may not be {name_of(rules.roles, role)}"
            text += "" if role == PERSON else ", which a chosen plot adds"
            remedy = "give it a role that no chosen plot adds"
            yield Violation(Rule.OUTSIDE_PLOTS, text, remedy)


def _holders(
    script: Script,
    rules: Rulebook,
    plots: Sequence[Plot],
    ordinary: Sequence[tuple[Character, str]],
) -> Iterator[Violation]:
    """Check how many hold the roles of the plots, and of what kind they are."""
    readable = [rule for rule in script.special_rules if special_rules.is_readable(rule)]
    traits = {who.id: special_rules.traits_of(who, readable) for who, _ in ordinary}
    bounds = role_bounds(plots, rules.roles)
    holders: dict[str, list[Character]] = {role: [] for role in bounds}
    for character, role in ordinary:
        if role != PERSON:
            holders.setdefault(role, []).append(character)
    for role, who in holders.items():
        least, most = bounds.get(role, (0, 0))
        name, count = name_of(rules.roles, role), len(who)
        if not least <= count <= most:
            span = "none" if most == 0 else str(least) if least == most else f"{least} to {most}"
            text = f"{name}: the plots ask for {span}, the cast has {count or 'none'}"
            text += f" ({', '.join(character.name for character in who)})" if who else ""
            remedy = f"make {least - count} more {name}" if count < least else f"keep {most}"
            yield Violation(Rule.ROLE_COUNT, text, remedy)
    quotas = [quota for plot in plots for quota in plot.roles]
    for role, trait in dict.fromkeys((quota.role, quota.trait) for quota in quotas):
        if trait is None:
            continue
        of_role = [quota for quota in quotas if quota.role == role]
        asked = sum(quota.least for quota in of_role if quota.trait == trait)
        limit = rules.roles[role].limit
        if limit is not None:  # Which of the holders over the limit falls away is not said.
            asked -= max(0, sum(quota.least for quota in of_role) - limit)
        free = sum(quota.most for quota in of_role if quota.trait != trait)
        unfit = [who for who in holders[role] if trait not in traits[who.id]]
        if unfit and (len(holders[role]) - len(unfit) < asked or len(unfit) > free):
            names = " and ".join(character.name for character in unfit)
            text = f"{names} cannot be the {name_of(rules.roles, role)}, who must be a {trait}"
            yield Violation(Rule.ROLE_TRAIT, text, f"give the role to a {trait}")
    for first, second in (pair for plot in plots for pair in plot.opposite_sex):
        pairs = [(one, two) for one in holders.get(first, ()) for two in holders.get(second, ())]
        if pairs and not any(_may_be_opposite(traits[a.id], traits[b.id]) for a, b in pairs):
            one, two = name_of(rules.roles, first), name_of(rules.roles, second)
            names = f"{pairs[0][0].name} and {pairs[0][1].name}"
            text = f"{one} and {two} must be of opposite sex, and {names} are not"
            yield Violation(Rule.OPPOSITE_SEX, text, "give one of the roles to another character")


def _may_be_opposite(one: frozenset[str], two: frozenset[str]) -> bool:
    """Return whether two cards may be of opposite sex; one without a sex may be (HS-20)."""
    if not one & (_MALE | _FEMALE) or not two & (_MALE | _FEMALE):
        return True
    return bool((one & _MALE and two & _FEMALE) or (one & _FEMALE and two & _MALE))


# Incidents ------------------------------------------------------------------------------


def _incidents(script: Script, rules: Rulebook) -> Iterator[Violation]:
    guilt: dict[str, list[ScriptIncident]] = {}
    for item in script.incidents:
        name = name_of(rules.incidents, item.incident)
        if item.incident not in rules.incidents:
            yield unknown(
                Rule.INCIDENT, f"incident of {rules.name}", item.incident, rules.incidents
            )
        if not 1 <= item.day <= max(1, script.days):
            text = f"{name} lies on day {item.day}, and a loop has {script.days}"
            remedy = f"move it to a day from 1 to {script.days}"
            yield Violation(Rule.INCIDENT_DAY, text, remedy)
        incident = rules.incidents.get(item.incident)
        mob = incident is not None and incident.mob is not None
        known = item.culprit in (LOCATIONS if mob else script.cast)
        if known and item.culprit_kind == ("mob" if mob else "character"):
            guilt.setdefault(item.culprit, []).append(item)
        else:
            text = f"{name_of(rules.characters, item.culprit)} cannot be the culprit of {name}"
            text += "" if known or mob else ": it is not in the cast"
            remedy = "name a mob at one of the locations" if mob else "name a character of the cast"
            yield Violation(Rule.CULPRIT, text, remedy)
    for day, number in Counter(item.day for item in script.incidents).items():
        if number > 1:
            text = f"day {day} has {number} incidents"
            yield Violation(Rule.ONE_A_DAY, text, "leave one incident on each day")
    for culprit, items in guilt.items():
        if len(items) > 1 and not _repeatable(items, rules):
            deeds = (
                f"{name_of(rules.incidents, item.incident)} (day {item.day})" for item in items
            )
            text = f"{name_of(rules.characters, culprit)} is the culprit of {' and '.join(deeds)}"
            remedy = "give each incident a culprit of its own"
            yield Violation(Rule.CULPRIT_TWICE, text, remedy)
    for who, role in script.cast.items():
        character, held = rules.characters.get(who), rules.roles.get(role)
        if character is None or held is None or character.role_rule is RoleRule.COPIES:
            continue  # I-18 exempts copies.
        if held.must_be_culprit and who not in guilt:
            text = f"{character.name} is {held.name} and must be the culprit of an incident"
            yield Violation(Rule.MUST_BE_CULPRIT, text, "make it the culprit of one")
        if held.never_culprit and who in guilt:
            text = f"{character.name} is {held.name} and cannot be a culprit"
            yield Violation(Rule.NEVER_CULPRIT, text, "name another culprit")


def _repeatable(items: list[ScriptIncident], rules: Rulebook) -> bool:
    names = {item.incident for item in items}
    incident = rules.incidents.get(items[0].incident)
    return len(names) == 1 and incident is not None and incident.repeatable_culprit
