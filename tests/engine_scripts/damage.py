"""Ways to break a legal script, each with the rule that it then breaks.

A function returns ``None`` where a script gives it nothing to break.
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from engine.legality import Rule
from engine.rules.model import Entry, Quota, RoleRule, Rulebook
from engine.script import Script
from engine.words import PERSON

Damage = Callable[[Script, Random, Rulebook], Script | None]
DAMAGES: list[tuple[Rule, Damage]] = []


def breaks(rule: Rule) -> Callable[[Damage], Damage]:
    """Register a way to break a rule."""

    def register(damage: Damage) -> Damage:
        DAMAGES.append((rule, damage))
        return damage

    return register


def ordinary(script: Script, rules: Rulebook) -> list[str]:
    """Return the characters that count for the plots."""
    special = (RoleRule.OUTSIDE_PLOTS, RoleRule.COPIES)
    return [who for who in script.cast if rules.characters[who].role_rule not in special]


def quotas_of(script: Script, rules: Rulebook) -> list[Quota]:
    """Return what the plots add, a second main plot included."""
    plots = [*script.plots(), script.extra_main_plot]
    return [quota for plot in plots if plot is not None for quota in rules.plots[plot].roles]


def with_role(script: Script, who: str, role: str) -> Script:
    return replace(script, cast={**script.cast, who: role})


def with_rule(script: Script, role_rule: RoleRule, rules: Rulebook) -> str | None:
    """Return the character in the cast with this rule for its role."""
    fitting = (who for who in script.cast if rules.characters[who].role_rule is role_rule)
    return next(fitting, None)


def with_incident(script: Script, rng: Random, **changes: object) -> Script | None:
    if not script.incidents:
        return None
    number = rng.randrange(len(script.incidents))
    incidents = list(script.incidents)
    incidents[number] = replace(incidents[number], **changes)
    return replace(script, incidents=tuple(incidents))


# Set, plots, numbers --------------------------------------------------------------------


@breaks(Rule.SET)
def unknown_set(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, set="last_liar")


@breaks(Rule.MAIN_PLOT)
def subplot_as_main_plot(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, main_plot=rng.choice(rules.subplots()).id)


@breaks(Rule.MAIN_PLOT)
def misspelled_main_plot(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, main_plot=script.main_plot[:-1])


@breaks(Rule.SUBPLOTS)
def missing_subplot(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, subplots=script.subplots[1:])


@breaks(Rule.SUBPLOTS)
def one_subplot_more(script: Script, rng: Random, rules: Rulebook) -> Script:
    more = [plot.id for plot in rules.subplots() if plot.id not in script.subplots]
    return replace(script, subplots=(*script.subplots, rng.choice(more)))


@breaks(Rule.SUBPLOTS)
def main_plot_as_subplot(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, subplots=(rng.choice(rules.main_plots()).id, *script.subplots[1:]))


@breaks(Rule.SUBPLOT_TWICE)
def subplot_twice(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, subplots=(script.subplots[-1], *script.subplots[-1:]))


@breaks(Rule.EXTRA_PLOT)
def wrong_second_main_plot(script: Script, rng: Random, rules: Rulebook) -> Script:
    if script.extra_main_plot is None:
        return replace(script, extra_main_plot=rng.choice(rules.main_plots()).id)
    wrong = [None, script.main_plot, script.subplots[0], "the_end"]
    return replace(script, extra_main_plot=rng.choice(wrong))


@breaks(Rule.NEEDED)
def missing_character(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    needed = [who for plot in script.plots() for who in rules.plots[plot].needs]
    cast = {who: role for who, role in script.cast.items() if who not in needed}
    return replace(script, cast=cast) if needed else None


@breaks(Rule.LOOPS)
def no_loops(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, loops=rng.choice([(), (0,), (3, -1)]))


@breaks(Rule.DAYS)
def no_days(script: Script, rng: Random, rules: Rulebook) -> Script:
    return replace(script, days=rng.choice([0, -2]))


# Characters and roles -------------------------------------------------------------------


@breaks(Rule.CHARACTER)
def misspelled_character(script: Script, rng: Random, rules: Rulebook) -> Script:
    gone = rng.choice(list(script.cast))
    cast = {f"{who}s" if who == gone else who: role for who, role in script.cast.items()}
    return replace(script, cast=cast)


@breaks(Rule.ENTRY)
def entry_out_of_the_game(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    late = [who for who in script.cast if rules.characters[who].entry is not None]
    if not late:
        return None
    entry = rules.characters[late[0]].entry
    assert entry is not None
    last = max(script.loops) if entry is Entry.LOOP else script.days
    wrong = rng.choice([{}, *({f"entry_{entry.value}": n} for n in (0, last + 1, True, "2"))])
    return replace(script, cast_extras={**script.cast_extras, late[0]: wrong})


@breaks(Rule.TURF)
def no_turf(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    boss = next((who for who in script.cast if rules.characters[who].has_turf), None)
    wrong = rng.choice([{}, {"turf": "harbour"}, {"turf": None}])
    return replace(script, cast_extras={**script.cast_extras, boss: wrong}) if boss else None


@breaks(Rule.EXTRAS)
def choice_that_nobody_has(script: Script, rng: Random, rules: Rulebook) -> Script:
    who = rng.choice(list(script.cast))
    extras = {**script.cast_extras.get(who, {}), rng.choice(["start", "colour"]): "harbour"}
    return replace(script, cast_extras={**script.cast_extras, who: extras})


@breaks(Rule.EXTRAS)
def choice_of_somebody_absent(script: Script, rng: Random, rules: Rulebook) -> Script:
    absent = [who for who in rules.characters if who not in script.cast]
    return replace(script, cast_extras={**script.cast_extras, rng.choice(absent): {}})


@breaks(Rule.ROLE)
def role_of_no_set(script: Script, rng: Random, rules: Rulebook) -> Script:
    return with_role(script, rng.choice(list(script.cast)), "villain")


@breaks(Rule.ROLE_COUNT)
def role_that_no_plot_adds(script: Script, rng: Random, rules: Rulebook) -> Script:
    added = {quota.role for quota in quotas_of(script, rules)}
    others = [role for role in rules.roles if role not in added and role != PERSON]
    return with_role(script, rng.choice(ordinary(script, rules)), rng.choice(others))


@breaks(Rule.ROLE_COUNT)
def missing_role(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    if script.extra_main_plot is not None:
        return None  # One role fewer may be the way without the second main plot's roles.
    quotas = quotas_of(script, rules)
    needed = {quota.role for quota in quotas if quota.least == quota.most}
    holders = [who for who in ordinary(script, rules) if script.cast[who] in needed]
    return with_role(script, rng.choice(holders), PERSON) if holders else None


@breaks(Rule.ROLE_COUNT)
def role_too_often(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    quotas = quotas_of(script, rules)
    most = {quota.role: sum(q.most for q in quotas if q.role == quota.role) for quota in quotas}
    for role, number in most.items():
        persons = [who for who in ordinary(script, rules) if script.cast[who] == PERSON]
        holders = [who for who in ordinary(script, rules) if script.cast[who] == role]
        missing = number + 1 - len(holders)
        if len(persons) >= missing:
            return replace(script, cast={**script.cast, **dict.fromkeys(persons[:missing], role)})
    return None


@breaks(Rule.ROLE_TRAIT)
def wrong_kind_of_holder(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    quotas = [quota for plot in script.plots() for quota in rules.plots[plot].roles]
    for quota in quotas:
        if quota.trait is None or [other.role for other in quotas].count(quota.role) > 1:
            continue
        others = [
            who
            for who in ordinary(script, rules)
            if quota.trait not in rules.characters[who].traits
        ]
        holder = next(who for who in ordinary(script, rules) if script.cast[who] == quota.role)
        if others:
            other = rng.choice(others)
            return with_role(with_role(script, holder, script.cast[other]), other, quota.role)
    return None


@breaks(Rule.OPPOSITE_SEX)
def pair_of_one_sex(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    sexes = ({"boy", "man"}, {"girl", "woman"})
    for first, second in (
        pair for plot in script.plots() for pair in rules.plots[plot].opposite_sex
    ):
        cast = {
            who: PERSON if script.cast[who] in (first, second) else script.cast[who]
            for who in script.cast
        }
        for sex, other in (sexes, sexes[::-1]):
            free = [
                who
                for who in ordinary(script, rules)
                if cast[who] == PERSON
                and rules.characters[who].traits & sex
                and not rules.characters[who].traits & other
            ]
            if len(free) > 1:
                return replace(script, cast={**cast, free[0]: first, free[1]: second})
    return None


@breaks(Rule.OUTSIDE_PLOTS)
def outsider_with_a_role_of_the_plots(
    script: Script, rng: Random, rules: Rulebook
) -> Script | None:
    who = with_rule(script, RoleRule.OUTSIDE_PLOTS, rules)
    quotas = [quota for plot in script.plots() for quota in rules.plots[plot].roles]
    added = [PERSON, *(quota.role for quota in quotas if quota.least)]
    return with_role(script, who, rng.choice(added)) if who else None


@breaks(Rule.COPIES)
def copy_without_a_model(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    who = with_rule(script, RoleRule.COPIES, rules)
    others = [role for other, role in script.cast.items() if other != who]
    alone = [role for role in rules.roles if role not in others]
    return with_role(script, who, rng.choice(alone)) if who else None


@breaks(Rule.NOT_PERSON)
def person_who_may_be_none(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    who = with_rule(script, RoleRule.NOT_PERSON, rules)
    return with_role(script, who, PERSON) if who else None


# Incidents and special rules ------------------------------------------------------------


@breaks(Rule.INCIDENT)
def incident_of_no_set(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    return with_incident(script, rng, incident="picnic")


@breaks(Rule.INCIDENT_DAY)
def incident_on_no_day(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    return with_incident(script, rng, day=rng.choice([0, script.days + 1]))


@breaks(Rule.ONE_A_DAY)
def two_incidents_on_a_day(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    if len(script.incidents) < 2:
        return None
    first, second, *others = script.incidents
    return replace(script, incidents=(first, replace(second, day=first.day), *others))


@breaks(Rule.CULPRIT)
def culprit_who_is_absent(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    absent = [who for who in rules.characters if who not in script.cast]
    return with_incident(script, rng, culprit=rng.choice([*absent, "butler"]))


@breaks(Rule.CULPRIT)
def culprit_of_the_wrong_kind(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    incidents = []
    for item in script.incidents:
        if rules.incidents[item.incident].mob is None:
            incidents.append(replace(item, culprit="school", culprit_kind="mob"))
        else:
            who = rng.choice(list(script.cast))
            incidents.append(replace(item, culprit=who, culprit_kind="character"))
    return replace(script, incidents=tuple(incidents)) if incidents else None


@breaks(Rule.CULPRIT_TWICE)
def culprit_twice(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    incidents = rng.sample(script.incidents, len(script.incidents))
    for one in incidents:
        for two in incidents:
            free = one.incident == two.incident and rules.incidents[one.incident].repeatable_culprit
            if one is not two and not free and one.culprit_kind == two.culprit_kind:
                changed = [replace(i, culprit=one.culprit) if i is two else i for i in incidents]
                return replace(script, incidents=tuple(changed))
    return None


@breaks(Rule.MUST_BE_CULPRIT)
def innocent_who_must_not_be(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    must = [
        who
        for who, role in script.cast.items()
        if rules.roles[role].must_be_culprit
        and rules.characters[who].role_rule is not RoleRule.COPIES
    ]
    if not must:
        return None
    gone = rng.choice(must)
    return replace(script, incidents=tuple(i for i in script.incidents if i.culprit != gone))


@breaks(Rule.NEVER_CULPRIT)
def guilty_who_must_not_be(script: Script, rng: Random, rules: Rulebook) -> Script | None:
    never = [
        who
        for who, role in script.cast.items()
        if rules.roles[role].never_culprit
        and rules.characters[who].role_rule is not RoleRule.COPIES
    ]
    return with_incident(script, rng, culprit=rng.choice(never)) if never else None


@breaks(Rule.SPECIAL_RULE)
def special_rule_that_nobody_plays(script: Script, rng: Random, rules: Rulebook) -> Script:
    wrong: list[dict[str, object]] = [
        {"kind": "role_override", "text": "the Brain is blind"},
        {"text": "everything is different"},
        {"kind": "final_guess"},
        {"kind": "start_fixed", "character": "henchman", "location": "harbour"},
        {"kind": "mastermind_cards_removed", "cards": ["forbid_movement"]},
        {"kind": "final_guess", "value": True, "public": False},
    ]
    return replace(script, special_rules=(*script.special_rules, rng.choice(wrong)))
