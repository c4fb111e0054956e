"""All legal scripts of a small sheet, by plain trial: the naive twin for tests."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Literal

from engine import special_rules
from engine.rules.model import Character, Entry, Plot, RoleRule, Rulebook
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, ScriptIncident, Sheet
from engine.words import LOCATIONS, PERSON

_ORDINARY = (RoleRule.ANY, RoleRule.NOT_PERSON)

Plots = Sequence[Plot]
Roles = dict[str, str]
Extras = dict[str, dict[str, object]]
Incidents = tuple[ScriptIncident, ...]


def plot_combinations(rulebook: Rulebook) -> list[tuple[Plot, ...]]:
    """Return the combinations of a main plot with different subplots, in printed order."""
    return [
        (main, *subs)
        for main in rulebook.main_plots()
        for subs in itertools.combinations(rulebook.subplots(), rulebook.subplots_per_script)
    ]


def legal_scripts(
    sheet: Sheet, rulebook: Rulebook, rulings: TableRulings = DEFAULT_RULINGS
) -> Iterator[Script]:
    """Yield all legal scripts with this open sheet, each once, by plain trial.

    The twin for tests: it shares neither ``violations`` nor any cleverness, and is meant for
    up to six characters and two incidents. Subplots stand in printed order. Late characters
    on the sheet enter at once, others at any time, if at all: a sheet may be older than loop 1.

    Args:
        sheet, rulebook: the open sheet and its set.
        rulings: the table's readings; where one is open both are tried.

    Raises:
        ValueError: when scripts need not obey the creation rules: they are too many to list.
    """
    if rulings["script_obeys_creation_rules"] is not True:
        raise ValueError("scripts that obey no creation rules are too many to list")
    for extras, plots in itertools.product(
        _all_extras(sheet, rulebook), plot_combinations(rulebook)
    ):
        cards = [rulebook.characters[who] for who in dict.fromkeys((*sheet.cast, *extras))]
        for extra, cast in _all_casts(cards, plots, rulebook, rulings):
            if not _cast_is_legal(cast, plots, rulebook, rulings, sheet):
                continue
            for incidents in _all_culprits(cast, sheet, rulebook):
                if _guilt_is_legal(cast, incidents, rulebook):
                    yield Script(
                        set=sheet.set,
                        main_plot=plots[0].id,
                        subplots=tuple(plot.id for plot in plots[1:]),
                        extra_main_plot=None if extra is None else extra.id,
                        days=sheet.days,
                        loops=(sheet.loops,),
                        cast=cast,
                        cast_extras=extras,
                        incidents=incidents,
                        special_rules=sheet.special_rules,
                        plain=not sheet.special_rules,
                    )


def _all_extras(sheet: Sheet, rulebook: Rulebook) -> Iterator[Extras]:
    """Yield the choices of the cards, with every way of hiding late characters (P-05)."""
    options: list[list[Extras]] = [[{who: {"turf": place}}] for who, place in sheet.turf.items()]
    for card in rulebook.characters.values():
        if card.entry is not None and (card.id in sheet.cast or not sheet.cast_complete):
            last = sheet.loops if card.entry is Entry.LOOP else sheet.days
            when = (1,) if card.id in sheet.cast else range(1, last + 1)
            entries: list[Extras] = [{card.id: {f"entry_{card.entry.value}": n}} for n in when]
            options.append(entries if card.id in sheet.cast else [{}, *entries])
    for chosen in itertools.product(*options):
        yield {who: extra for part in chosen for who, extra in part.items()}


def _all_casts(
    cards: list[Character], plots: Plots, rulebook: Rulebook, rulings: TableRulings
) -> Iterator[tuple[Plot | None, Roles]]:
    """Yield all ways to give the roles of the plots, and any role to who is beside them.

    With a second main plot (WM-05) its roles are added, or not, as the table reads it.
    """
    extras: list[Plot | None] = [None]
    if any(plot.extra_main_plot for plot in plots):
        extras = [plot for plot in rulebook.main_plots() if plot is not plots[0]]
    ordinary = [c.id for c in cards if c.role_rule in _ORDINARY]
    beside = [card.id for card in cards if card.id not in ordinary]
    for extra in extras:
        reading = rulings["extra_plot_roles_in_cast"]
        chosen = set(_all_numbers(plots, rulebook)) if extra is None or not reading else set()
        if extra is not None and reading is not False:
            chosen |= set(_all_numbers((*plots, extra), rulebook))
        for numbers in sorted(chosen):
            held = [role for role, n in zip(rulebook.roles, numbers, strict=True) for _ in range(n)]
            held += [PERSON] * (len(ordinary) - len(held))
            fits = len(held) == len(ordinary)
            for roles in sorted(set(itertools.permutations(held))) if fits else ():
                for others in itertools.product(rulebook.roles, repeat=len(beside)):
                    given = dict(zip((*ordinary, *beside), (*roles, *others), strict=True))
                    yield extra, {card.id: given[card.id] for card in cards}


def _all_numbers(plots: Plots, rulebook: Rulebook) -> Iterator[tuple[int, ...]]:
    """Yield how many may hold each role: the sums of the plots, up to the limits (FS-01)."""
    ranges = []
    for role in rulebook.roles.values():
        quotas = [quota for plot in plots for quota in plot.roles if quota.role == role.id]
        least, most = sum(q.least for q in quotas), sum(q.most for q in quotas)
        limit = most if role.limit is None else role.limit
        ranges.append(range(min(least, limit), min(most, limit) + 1))
    return itertools.product(*ranges)


def _all_culprits(cast: Roles, sheet: Sheet, rulebook: Rulebook) -> Iterator[Incidents]:
    """Yield all ways to name culprits, locations for the incidents of mobs (HS-03)."""
    options: list[list[ScriptIncident]] = []
    for item in sheet.incidents:
        mob = rulebook.incidents[item.incident].mob is not None
        kind: Literal["mob", "character"] = "mob" if mob else "character"
        made = functools.partial(ScriptIncident, day=item.day, incident=item.incident)
        suspects = LOCATIONS if mob else tuple(cast)
        options.append([made(culprit=who, culprit_kind=kind) for who in suspects])
    return itertools.product(*options)


def _cast_is_legal(
    cast: Roles, plots: Plots, rulebook: Rulebook, rulings: TableRulings, sheet: Sheet
) -> bool:
    """Judge the rules on the cards and who must be of a kind (FS-02, BT-02)."""
    quotas = [quota for plot in plots for quota in plot.roles]
    ordinary = {
        who: role for who, role in cast.items() if rulebook.characters[who].role_rule in _ORDINARY
    }
    for who, role in cast.items():
        rule = rulebook.characters[who].role_rule
        others = [cast[other] for other in cast if other != who]
        in_use = role in ordinary.values()
        added = any(quota.role == role and (quota.least > 0 or in_use) for quota in quotas)
        person_is_wrong = rulings["mystery_boy_may_be_person"] is False
        wrong = {
            RoleRule.ANY: False,
            RoleRule.COPIES: role not in others,
            RoleRule.NOT_PERSON: role == PERSON,
            RoleRule.OUTSIDE_PLOTS: person_is_wrong if role == PERSON else added,
        }
        if wrong[rule]:
            return False
    if any(who not in cast for plot in plots for who in plot.needs):
        return False
    sexes = {who: _sexes(rulebook.characters[who], sheet) for who in ordinary}
    for first, second in (pair for plot in plots for pair in plot.opposite_sex):
        ones = [sexes[who] for who, role in ordinary.items() if role == first]
        twos = [sexes[who] for who, role in ordinary.items() if role == second]
        if not any((m1 and f2) or (f1 and m2) for m1, f1 in ones for m2, f2 in twos):
            return False
    for role in {quota.role for quota in quotas if quota.trait is not None}:
        kinds = [q.trait for q in quotas if q.role == role for _ in range(q.most)]
        cards = [rulebook.characters[who] for who, held in ordinary.items() if held == role]
        traits = [special_rules.traits_of(card, sheet.special_rules) for card in cards]
        if not any(
            all(kind is None or kind in has for kind, has in zip(part, traits, strict=True))
            for part in itertools.permutations(kinds, len(cards))
        ):
            return False
    return True


def _sexes(card: Character, sheet: Sheet) -> tuple[bool, bool]:
    """Return whether a card may count as male, and as female; one without a sex as both."""
    traits = special_rules.traits_of(card, sheet.special_rules)
    male, female = bool(traits & {"boy", "man"}), bool(traits & {"girl", "woman"})
    return (male, female) if male or female else (True, True)


def _guilt_is_legal(cast: Roles, incidents: Incidents, rulebook: Rulebook) -> bool:
    """Judge who is culprit of what (I-17, I-18)."""
    for one, two in itertools.combinations(incidents, 2):
        repeatable = rulebook.incidents[one.incident].repeatable_culprit
        if one.culprit == two.culprit and (one.incident != two.incident or not repeatable):
            return False
    culprits = {item.culprit for item in incidents}
    for who in (who for who in cast if rulebook.characters[who].role_rule is not RoleRule.COPIES):
        role = rulebook.roles[cast[who]]
        if role.never_culprit if who in culprits else role.must_be_culprit:
            return False
    return True
