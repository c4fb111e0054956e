"""Random legal scripts, legal scripts near to one, and the open sheet of a script."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

import msgspec

from engine import special_rules as specials
from engine.cast import CHARACTERS
from engine.every_script import Extras, Incidents, Plots, Roles, legal_scripts, plot_combinations
from engine.legality import is_ordinary, role_bounds, violations
from engine.rules.model import Character, Entry, Plot, RoleRule, Rulebook
from engine.script import ScheduledIncident, Script, ScriptIncident, Sheet
from engine.words import LOCATIONS, PERSON

__all__ = ["legal_scripts", "near_miss", "plot_combinations", "random_script", "sheet_of"]


def random_script(
    rulebook: Rulebook,
    rng: Random,
    *,
    size: int | None = None,
    days: int | None = None,
    loops: int | None = None,
    plots: Collection[str] | None = None,
    include: Collection[str] = (),
    exclude: Collection[str] = (),
    special_rules: tuple[dict[str, object], ...] = (),
) -> Script:
    """Return a random legal script of a set.

    Every plot combination is equally likely, and so is every character as far as the plots
    allow, the Mystery Boy, the Copycat and late ones among them; late characters enter after
    the beginning. A role from outside the plots is one that they do not even allow (FS-02).

    Args:
        rulebook, rng: the set and the source of chance, of which one state gives one script.
        size: number of characters, late ones included; 5 to 12 by default.
        days, loops: their numbers; 3 to 6 and 2 to 4 by default.
        plots: the main plot and all subplots, where they are not left to chance.
        include, exclude: characters that must be in the cast, and that may not.
        special_rules: taken over as they are.

    Raises:
        ValueError: when nothing legal was found with what was asked for.
    """
    pool = [who for who in rulebook.characters if who not in exclude and who not in include]
    combinations = [
        combination
        for combination in plot_combinations(rulebook)
        if plots is None or {plot.id for plot in combination} == set(plots)
        if size is None or _needed(rulebook, combination) <= size
    ]
    for attempt in range(2000 if combinations else 0):
        if attempt % 100 == 0:  # Only where nothing fits do other plots get a chance,
            main, *subs = rng.choice(combinations)
            rng.shuffle(subs)  # Where their order matters (L-11), either may come first.
            chosen: Plots = (main, *subs)
            needed = {*include, *(who for plot in chosen for who in plot.needs)}
        if attempt % 10 == 0:  # and only then another cast.
            cast = _some_cast(rulebook, rng, chosen, size, needed, pool)
        extra = _some_extra(rulebook, rng, chosen)
        roles = _some_roles(rulebook, rng, chosen, extra, cast)
        of_days, of_loops = days or rng.randint(3, 6), loops or rng.randint(2, 4)
        incidents = _some_incidents(rulebook, rng, roles, of_days)
        script = Script(
            set=rulebook.id,
            main_plot=main.id,
            subplots=tuple(plot.id for plot in subs),
            extra_main_plot=None if extra is None else extra.id,
            days=of_days,
            loops=(of_loops,),
            cast=roles,
            cast_extras=_some_extras(cast, rng, of_loops, of_days),
            incidents=incidents,
            special_rules=special_rules,
            plain=not special_rules,
        )
        as_asked = size in (None, len(roles)) and roles.keys() >= set(include)
        if as_asked and not violations(script, rulebook=rulebook):
            return script
    raise ValueError(f"found no legal script of {rulebook.name} with what was asked for")


def _needed(rulebook: Rulebook, plots: Plots) -> int:
    """Return how many ordinary characters the plots need."""
    return sum(least for least, _ in role_bounds(plots, rulebook.roles).values())


def _some_cast(
    rulebook: Rulebook,
    rng: Random,
    plots: Plots,
    size: int | None,
    include: set[str],
    pool: Sequence[str],
) -> list[Character]:
    """Return characters in the order of the cards."""
    pool = [who for who in pool if who not in include]
    least = max(5, _needed(rulebook, plots), len(include))
    wanted = (size or rng.randint(least, max(12, least))) - len(include)
    chosen = {*include, *rng.sample(pool, max(0, min(wanted, len(pool))))}
    return [card for card in rulebook.characters.values() if card.id in chosen]


def _some_extra(rulebook: Rulebook, rng: Random, plots: Plots) -> Plot | None:
    """Return the second main plot that one of the plots asks for (WM-05)."""
    others = [plot for plot in rulebook.main_plots() if plot is not plots[0]]
    return rng.choice(others) if any(plot.extra_main_plot for plot in plots) else None


def _some_roles(
    rulebook: Rulebook, rng: Random, plots: Plots, extra: Plot | None, cast: list[Character]
) -> Roles:
    """Return a role for every character; whether they fit is left to be checked."""
    own = role_bounds(plots, rulebook.roles)
    added = extra is not None and rng.random() < 0.5  # WM-05: all of its roles, or none.
    bounds = role_bounds((*plots, extra), rulebook.roles) if extra and added else own
    held = [role for role, (least, most) in bounds.items() for _ in range(rng.randint(least, most))]
    ordinary = [card.id for card in cast if is_ordinary(card)]
    held += [PERSON] * (len(ordinary) - len(held))
    roles = dict(zip(ordinary, rng.sample(held, len(ordinary)), strict=True))
    outside = [role for role in rulebook.roles if role != PERSON and role not in own]
    roles |= {c.id: rng.choice(outside) for c in cast if c.role_rule is RoleRule.OUTSIDE_PLOTS}
    models = sorted(roles) or [PERSON]
    for card in cast:
        if card.role_rule is RoleRule.COPIES:
            roles[card.id] = roles.get(rng.choice(models), PERSON)
    return {card.id: roles[card.id] for card in cast}


def _some_extras(cast: list[Character], rng: Random, loops: int, days: int) -> Extras:
    extras: Extras = {}
    for card in cast:
        if card.entry is not None:
            last = loops if card.entry is Entry.LOOP else days
            extras[card.id] = {f"entry_{card.entry.value}": rng.randint(min(2, last), last)}
        elif card.has_turf:
            extras[card.id] = {"turf": rng.choice(LOCATIONS)}
    return extras


def _some_incidents(rulebook: Rulebook, rng: Random, roles: Roles, days: int) -> Incidents:
    """Return incidents on different days, with the culprits that must be as far as days go."""
    must, may = [], []
    for who, role in roles.items():
        copies = rulebook.characters[who].role_rule is RoleRule.COPIES
        if rulebook.roles[role].must_be_culprit and not copies:
            must.append(who)
        elif copies or not rulebook.roles[role].never_culprit:
            may.append(who)
    rng.shuffle(may)
    most = min(days, len(must) + len(may))
    culprits = [*must, *may][: rng.randint(min(max(1, len(must)), most), most)]
    rng.shuffle(culprits)
    incidents: list[ScriptIncident] = []
    places = rng.sample(LOCATIONS, len(LOCATIONS))
    on_days = sorted(rng.sample(range(1, days + 1), len(culprits)))
    for day, who in zip(on_days, culprits, strict=True):
        personal = [name for name, item in rulebook.incidents.items() if item.mob is None]
        name = rng.choice(personal if who in must or not places else list(rulebook.incidents))
        if rulebook.incidents[name].mob is not None:  # Its culprit is a location (HS-03).
            mob = ScriptIncident(day=day, incident=name, culprit=places.pop(), culprit_kind="mob")
            incidents.append(mob)
            continue
        earlier = [item.culprit for item in incidents if item.incident == name]
        again = rulebook.incidents[name].repeatable_culprit and who in may and rng.random() < 0.5
        culprit = rng.choice(earlier) if again and earlier else who  # I-17
        incidents.append(ScriptIncident(day=day, incident=name, culprit=culprit))
    return tuple(incidents)


# Near misses ----------------------------------------------------------------------------


def near_miss(script: Script, rng: Random, rulebook: Rulebook) -> Script:
    """Return a legal script with the same open sheet that differs in one secret.

    One role, plot or culprit is another, or two roles or culprits are swapped; with another
    plot only those roles change that have to.

    Raises:
        ValueError: when no legal script is so near.
    """
    kinds = list(_near(script, rng, rulebook))
    rng.shuffle(kinds)
    for near in kinds:
        rng.shuffle(near)
        for other in near:
            if other != script and not violations(other, rulebook=rulebook):
                return other
    raise ValueError("no legal script differs from this one in a single secret")


def _near(script: Script, rng: Random, rulebook: Rulebook) -> Iterator[list[Script]]:
    """Yield the scripts with other roles, other culprits and another plot, legal or not."""
    replace, cast, numbers = msgspec.structs.replace, script.cast, range(len(script.incidents))

    def accusing(culprits: Mapping[int, str]) -> Script:
        pairs = [(item, culprits.get(n, item.culprit)) for n, item in enumerate(script.incidents)]
        return replace(script, incidents=tuple(replace(item, culprit=who) for item, who in pairs))

    swaps = ({one: cast[two], two: cast[one]} for one, two in itertools.combinations(cast, 2))
    changes = ({who: role} for who, role in itertools.product(cast, rulebook.roles))
    yield [replace(script, cast=cast | change) for change in (*swaps, *changes)]
    guilt = [item.culprit for item in script.incidents]
    swapped = (
        {one: guilt[two], two: guilt[one]} for one, two in itertools.combinations(numbers, 2)
    )
    suspects = (*cast, *LOCATIONS)
    accusations = ({number: who} for number, who in itertools.product(numbers, suspects))
    yield [accusing(change) for change in (*swapped, *accusations)]
    replotted = []
    for number, new in itertools.product(range(len(script.plots())), rulebook.plots.values()):
        plots = [rulebook.plots[plot] for plot in script.plots()]
        if new not in plots and new.kind is plots[number].kind:
            plots[number] = new
            extra = _some_extra(rulebook, rng, plots)
            main, *subs = (plot.id for plot in plots)
            other = replace(script, main_plot=main, subplots=tuple(subs))
            if extra is None or script.extra_main_plot in (None, main):
                other = replace(other, extra_main_plot=None if extra is None else extra.id)
            replotted.append(replace(other, cast=_refitted(cast, plots, rng, rulebook)))
    for plot in rulebook.main_plots() if script.extra_main_plot is not None else ():
        replotted.append(replace(script, extra_main_plot=plot.id))
    yield replotted


def _refitted(before: Roles, plots: Plots, rng: Random, rulebook: Rulebook) -> Roles:
    """Return a cast with as few other roles as the plots need; it may still be illegal."""
    cast = dict(before)
    bounds = role_bounds(plots, rulebook.roles)
    ordinary = [who for who in cast if is_ordinary(rulebook.characters[who])]
    rng.shuffle(ordinary)
    for role in (role for role in rulebook.roles if role != PERSON):
        most = bounds.get(role, (0, 0))[1]
        for who in [who for who in ordinary if cast[who] == role][most:]:
            cast[who] = PERSON
    for role, (least, _) in bounds.items():
        missing = max(0, least - [cast[who] for who in ordinary].count(role))
        for who in [who for who in ordinary if cast[who] == PERSON][:missing]:
            cast[who] = role
    outside = [role for role in rulebook.roles if role != PERSON and role not in bounds]
    for who in sorted(cast, key=lambda who: rulebook.characters[who].role_rule is RoleRule.COPIES):
        rule = rulebook.characters[who].role_rule
        others = [role for other, role in cast.items() if other != who]
        if rule is RoleRule.OUTSIDE_PLOTS and cast[who] in bounds:
            cast[who] = rng.choice(outside)
        elif rule is RoleRule.COPIES and cast[who] not in others:
            cast[who] = rng.choice(others)
    return cast


# Open sheets ----------------------------------------------------------------------------


def sheet_of(script: Script, loops: int | None = None, players: int = 3) -> Sheet:
    """Return the open sheet of a script.

    The cast is in the order of the cards, which tells nothing. A late character lies on the
    table only if it enters at once; while one is still to come the cast is incomplete (P-05).

    Args:
        script: the script.
        loops: one of the numbers of loops it may be played with; its first by default.
        players: how many people play the Protagonists.

    Raises:
        ValueError: when the script is not played with that number of loops.
    """
    allowed = specials.loop_numbers(script.loops, script.special_rules)
    loops = script.loops[0] if loops is None else loops
    if loops not in allowed:
        raise ValueError(f"the script is played with {allowed} loops, not with {loops}")
    printed = {who: number for number, who in enumerate(CHARACTERS)}
    present = [who for who in script.cast if script.entry(who) in (None, (1, 1))]
    turfs = {who: script.cast_extras.get(who, {}).get("turf") for who in present}
    schedule = [(item.day, item.incident) for item in script.incidents]
    return Sheet(
        set=script.set,
        loops=loops,
        days=script.days,
        players=players,
        cast=tuple(sorted(present, key=lambda who: (printed.get(who, len(printed)), who))),
        cast_complete=len(present) == len(script.cast),
        turf={who: turf for who, turf in turfs.items() if isinstance(turf, str)},
        incidents=tuple(ScheduledIncident(day=day, incident=name) for day, name in schedule),
        special_rules=tuple(rule for rule in script.special_rules if rule.get("public", True)),
    )
