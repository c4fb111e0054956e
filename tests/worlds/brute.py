"""All worlds of a small sheet, straight from the rulebook, with no help from the product."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

from assistant.formula import FirstSubplotAtom, Formula, RulingAtom, atoms, evaluate
from assistant.worlds import World
from engine.rules.model import Entry, RoleRule, Rulebook
from engine.rulings import TableRulings
from engine.script import Sheet
from engine.words import LOCATIONS

_KNOWN: dict[str, list[World]] = {}


def legal_worlds(sheet: Sheet, rulebook: Rulebook, rulings: TableRulings) -> list[World]:
    """Return all legal worlds; kept, because hypothesis asks for the same sheets again."""
    key = repr((sheet, rulebook.id, rulings))
    if key not in _KNOWN:
        if len(_KNOWN) > 200:
            _KNOWN.clear()
        _KNOWN[key] = list(_legal_worlds(sheet, rulebook, rulings))
    return _KNOWN[key]


def _legal_worlds(sheet: Sheet, rulebook: Rulebook, rulings: TableRulings) -> Iterator[World]:
    obeys = rulings["script_obeys_creation_rules"] is True
    cards = [rulebook.characters[who] for who in sheet.cast]
    if not sheet.cast_complete:
        cards += [c for c in rulebook.characters.values() if c.entry and c.id not in sheet.cast]
    for main in rulebook.main_plots():
        for subs in combinations(rulebook.subplots(), rulebook.subplots_per_script):
            plots = (main.id, *(sub.id for sub in subs))
            added = {q.role for plot in rulebook.plots.values() for q in plot.roles}
            extras: list[str | None] = [None]
            if any(sub.extra_main_plot for sub in subs):
                extras = [other.id for other in rulebook.main_plots() if other is not main]
            else:
                added = {q.role for plot in plots for q in rulebook.plots[plot].roles}
            options: list[list[str | None]] = []
            for card in cards:
                bound = obeys and card.role_rule in (RoleRule.ANY, RoleRule.NOT_PERSON)
                options.append(["person", *added] if bound else [*rulebook.roles])
                if card.id not in sheet.cast:
                    options[-1].append(None)
            for chosen in product(*options):
                roles = {c.id: r for c, r in zip(cards, chosen, strict=True) if r is not None}
                for extra in extras:
                    if not legal_roles(rulebook, rulings, plots, extra, roles, obeys):
                        continue
                    for culprits in all_culprits(sheet, rulebook, roles, obeys):
                        for entries in all_entries(sheet, rulebook, roles):
                            yield World(plots, roles, culprits, entries, extra_plot=extra)


def all_culprits(
    sheet: Sheet, rulebook: Rulebook, roles: dict[str, str], obeys: bool
) -> list[tuple[str, ...]]:
    mobs = [rulebook.incidents[item.incident].mob is not None for item in sheet.incidents]
    return [
        culprits
        for culprits in product(*(LOCATIONS if mob else roles for mob in mobs))
        if not obeys or legal_culprits(sheet, rulebook, roles, culprits)
    ]


def all_entries(sheet: Sheet, rulebook: Rulebook, roles: dict[str, str]) -> list[dict[str, int]]:
    ends = {Entry.LOOP: sheet.loops, Entry.DAY: sheet.days}
    times = {}
    for who in roles:
        entry = rulebook.characters[who].entry
        if entry is not None:
            # A card that lies on the table at the start of the game entered at its beginning.
            times[who] = range(1, 2) if who in sheet.cast else range(1, ends[entry] + 1)
    return [dict(zip(times, values, strict=True)) for values in product(*times.values())]


def legal_roles(
    rulebook: Rulebook,
    rulings: TableRulings,
    plots: tuple[str, ...],
    extra: str | None,
    roles: dict[str, str],
    obeys: bool,
) -> bool:
    rule = {who: rulebook.characters[who].role_rule for who in roles}
    ordinary = (RoleRule.ANY, RoleRule.NOT_PERSON)
    counted = {who: r for who, r in roles.items() if rule[who] in ordinary}
    if any(who not in roles for plot in plots for who in rulebook.plots[plot].needs):
        return False
    reading = rulings["extra_plot_roles_in_cast"]
    adding = [plots] if extra is None or reading is not True else []
    if extra is not None and reading is not False:
        adding.append((*plots, extra))
    if obeys:
        if not any(right_numbers(rulebook, adds, counted) for adds in adding):
            return False
        for pair in (pair for plot in plots for pair in rulebook.plots[plot].opposite_sex):
            if not any(
                (counted[a], counted[b]) == pair and opposite(rulebook, a, b)
                for a in counted
                for b in counted
            ):
                return False
    for who, r in roles.items():
        quotas = [q for plot in plots for q in rulebook.plots[plot].roles if q.role == r]
        if rule[who] is RoleRule.OUTSIDE_PLOTS:
            if any(q.least for q in quotas) or (quotas and r in counted.values()):
                return False
            if r == "person" and rulings["mystery_boy_may_be_person"] is False:
                return False
        if rule[who] is RoleRule.NOT_PERSON and r == "person":
            return False
        models = [r2 for w2, r2 in roles.items() if w2 != who and rule[w2] is not RoleRule.COPIES]
        if rule[who] is RoleRule.COPIES and r not in models:
            return False
    return True


def opposite(rulebook: Rulebook, one: str, other: str) -> bool:
    traits = [rulebook.characters[who].traits for who in (one, other)]
    male, female = ([bool(t & sex) for t in traits] for sex in ({"boy", "man"}, {"girl", "woman"}))
    sexless = any(not m and not f for m, f in zip(male, female, strict=True))
    return sexless or (male[0] and female[1]) or (female[0] and male[1])


def right_numbers(rulebook: Rulebook, plots: tuple[str, ...], counted: dict[str, str]) -> bool:
    for role in rulebook.roles.values():
        if role.id == "person":
            continue
        quotas = [q for plot in plots for q in rulebook.plots[plot].roles if q.role == role.id]
        holders = [who for who, r in counted.items() if r == role.id]
        limit = 99 if role.limit is None else role.limit
        if not min(limit, sum(q.least for q in quotas)) <= len(holders):
            return False
        if not len(holders) <= min(limit, sum(q.most for q in quotas)):
            return False
        for trait in {q.trait for q in quotas if q.trait}:
            # Some way to give each quota holders of its own.
            without = [w for w in holders if trait not in rulebook.characters[w].traits]
            room = sum(q.most for q in quotas if q.trait is None)
            asked = sum(q.least for q in quotas if q.trait)
            if len(without) > room or len(holders) - len(without) < asked:
                return False
    return True


def legal_culprits(
    sheet: Sheet, rulebook: Rulebook, roles: dict[str, str], culprits: tuple[str, ...]
) -> bool:
    if any(culprits.count(place) > 1 for place in LOCATIONS):
        return False
    for who, role in roles.items():
        names = [i.incident for i, c in zip(sheet.incidents, culprits, strict=True) if c == who]
        if len(names) > 1 and len(set(names)) > 1:
            return False
        if len(names) > 1 and not rulebook.incidents[names[0]].repeatable_culprit:
            return False
        if rulebook.characters[who].role_rule is RoleRule.COPIES:
            continue
        if rulebook.roles[role].must_be_culprit and not names:
            return False
        if rulebook.roles[role].never_culprit and names:
            return False
    return True


def readings(formulas: Sequence[Formula], rulings: TableRulings) -> list[dict[str, bool]]:
    names = sorted({a.id for a in atoms(*formulas) if isinstance(a, RulingAtom)})
    options = [(True, False) if rulings[n] is None else (bool(rulings[n]),) for n in names]
    return [dict(zip(names, values, strict=True)) for values in product(*options)]


def orders(world: World, formulas: Sequence[Formula]) -> list[World]:
    """Return the world with its subplots in every order, if a formula speaks of it."""
    if not any(isinstance(atom, FirstSubplotAtom) for atom in atoms(*formulas)):
        return [world]
    main, *subs = world.plots
    return [replace(world, plots=(main, *order)) for order in permutations(subs)]


def holding(
    worlds: Sequence[World], formulas: Sequence[Formula], rulings: TableRulings
) -> list[World]:
    """Return the worlds in which all formulas hold under one reading of the rulings."""
    options = readings(formulas, rulings)
    return [
        world
        for world in worlds
        if any(
            all(evaluate(formula, replace(ordered, rulings=r)) for formula in formulas)
            for r in options
            for ordered in orders(world, formulas)
        )
    ]
