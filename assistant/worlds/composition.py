"""The legal scripts of an open sheet, as structure.

A ``Composition`` holds the numbers that every way of counting worlds starts from: which plots
go together, how many holders of each role they add, what each character may be, who may be
whose culprit. It counts nothing itself. The diagram, the solver and the naive twins read it
and reason on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Self

from assistant.worlds.slots import Slot, State
from engine import special_rules
from engine.rules.model import Character, Entry, Plot, Role, RoleRule, Rulebook
from engine.rulings import RULINGS, TableRulings
from engine.script import Sheet
from engine.words import LOCATIONS, PERSON

# By their numbers in section 18: the assistant's code names no character.
_RULING = {ruling.number: ruling.id for ruling in RULINGS.values()}
OBEYS_RULES = _RULING[3]
OUTSIDER_MAY_BE_PERSON = _RULING[4]
EXTRA_ROLES = _RULING[11]

__all__ = ["EXTRA_ROLES", "Combination", "Composition", "Need", "Slot", "State"]


@dataclass(frozen=True, slots=True)
class Need:
    """How many counted characters hold a role under some plots.

    Attributes:
        role: the role.
        least, most: bounds of their number.
        added: the plots add the role whatever else the script says; false where they allow
            it without asking for it.
        trait: what some of the holders must be, ``None`` for no such rule.
        traited: at least so many holders have the trait.
        untraited: at most so many holders are without it.
    """

    role: str
    least: int
    most: int
    added: bool
    trait: str | None = None
    traited: int = 0
    untraited: int = 0


@dataclass(frozen=True, slots=True)
class Combination:
    """Plots that may make up a script, and what they ask of its roles.

    Attributes:
        plots: the active plots, main plot first.
        extra: the extra main plot, ``None`` for none (WM-05).
        own: what the active plots add, by role.
        demands: what the counted characters must hold, by role: one of these ways. There are
            two where tables differ on the roles of the extra main plot.
        opposite: pairs of roles; some holders of each pair must be of opposite sex (HS-20).
        cast: characters that must not be missing, of those that may be (WM-06).
    """

    plots: tuple[str, ...]
    extra: str | None
    own: Mapping[str, Need]
    demands: tuple[Mapping[str, Need], ...]
    opposite: tuple[tuple[str, str], ...] = ()
    cast: tuple[str, ...] = ()


def _needs(plots: Iterable[Plot], roles: Mapping[str, Role]) -> dict[str, Need]:
    plots = tuple(plots)
    needs = {}
    for role in roles.values():
        quotas = [quota for plot in plots for quota in plot.roles if quota.role == role.id]
        if not quotas:
            continue
        traits = {quota.trait for quota in quotas if quota.trait is not None}
        if len(traits) > 1:
            raise ValueError(f"plots ask for a {role.name} of two kinds: {sorted(traits)}")
        least = sum(quota.least for quota in quotas)
        most = sum(quota.most for quota in quotas)
        limit = most if role.limit is None else role.limit
        # Which of the holders over the limit falls away is not said: it may be one with a trait.
        spared = max(0, least - limit)
        traited = sum(quota.least for quota in quotas if quota.trait is not None)
        needs[role.id] = Need(
            role.id,
            min(least, limit),
            min(most, limit),
            added=least > 0,
            trait=next(iter(traits), None),
            traited=max(0, traited - spared),
            untraited=sum(quota.most for quota in quotas if quota.trait is None),
        )
    return needs


def _combinations(
    rulebook: Rulebook, rulings: TableRulings, slots: Mapping[str, bool]
) -> Iterator[Combination]:
    """Yield the plot combinations.

    Args:
        rulebook: the tragedy set.
        rulings: the table's readings.
        slots: for each character that may be in the cast whether it may be missing.
    """
    for main in rulebook.main_plots():
        for subs in combinations(rulebook.subplots(), rulebook.subplots_per_script):
            plots = (main, *subs)
            needed = [who for plot in plots for who in plot.needs]
            if any(who not in slots for who in needed):
                continue
            own = _needs(plots, rulebook.roles)
            extras: list[Plot | None] = [None]
            if any(plot.extra_main_plot for plot in plots):
                extras = [plot for plot in rulebook.main_plots() if plot is not main]
            for extra in extras:
                demands = [own]
                if extra is not None and rulings[EXTRA_ROLES] is not False:
                    more = _needs((*plots, extra), rulebook.roles)
                    without = rulings[EXTRA_ROLES] is None and more != own
                    demands = [own, more] if without else [more]
                yield Combination(
                    tuple(plot.id for plot in plots),
                    None if extra is None else extra.id,
                    own,
                    tuple(demands),
                    tuple(pair for plot in plots for pair in plot.opposite_sex),
                    tuple(who for who in needed if slots[who]),
                )


@dataclass(frozen=True)
class Composition:
    """Everything about an open sheet that limits its scripts.

    Attributes:
        sheet, rulebook, rulings: what it was made from.
        slots: the characters, those outside the plots first, then copying ones, then late ones.
        combinations: the plot combinations in printed order.
        obeys: quotas, traits, sexes and culprit rules bind the script.
        places: the locations, if a mob at one of them may be a culprit (HS-03).
    """

    sheet: Sheet
    rulebook: Rulebook
    rulings: TableRulings
    slots: tuple[Slot, ...]
    combinations: tuple[Combination, ...]
    obeys: bool
    places: tuple[str, ...]

    @classmethod
    def of(cls, sheet: Sheet, rulebook: Rulebook, rulings: TableRulings) -> Self:
        """Read the sheet.

        Args:
            sheet: the open sheet.
            rulebook: its tragedy set.
            rulings: the table's readings.

        Raises:
            ValueError: If the sheet names an unknown character or incident, or one twice.
        """
        _check(sheet, rulebook)
        # Where either reading is accepted, every script of the lenient one is possible.
        obeys = rulings[OBEYS_RULES] is True
        hidden = [] if sheet.cast_complete else _late_cards(sheet, rulebook)
        names = {who: who in hidden for who in (*sheet.cast, *hidden)}
        combined = tuple(_combinations(rulebook, rulings, names))
        roles = _roles(rulebook, combined, obeys, rulings[OUTSIDER_MAY_BE_PERSON] is not False)
        cards = [rulebook.characters[who] for who in names]
        slots = [_slot(card, sheet, roles[card.role_rule], names[card.id]) for card in cards]
        order = {RoleRule.OUTSIDE_PLOTS: 0, RoleRule.COPIES: 1}
        slots.sort(key=lambda slot: order.get(slot.rule, 2 if slot.entries else 3))
        mob = any(rulebook.incidents[item.incident].mob is not None for item in sheet.incidents)
        places = LOCATIONS if mob else ()
        return cls(sheet, rulebook, rulings, tuple(slots), combined, obeys, places)

    @cached_property
    def by_id(self) -> Mapping[str, Slot]:
        """The slots by character."""
        return {slot.who: slot for slot in self.slots}

    @cached_property
    def states(self) -> tuple[tuple[State, ...], ...]:
        """What a script may say of each character."""
        return tuple(slot.states() for slot in self.slots)

    @cached_property
    def counted(self) -> tuple[Slot, ...]:
        """The characters that hold the roles which the plots add."""
        return tuple(slot for slot in self.slots if slot.counted)

    @cached_property
    def incidents(self) -> tuple[str, ...]:
        """The incident names by number."""
        return tuple(item.incident for item in self.sheet.incidents)

    @cached_property
    def every_incident(self) -> int:
        """The set of all incident numbers, as bits."""
        return (1 << len(self.incidents)) - 1

    @cached_property
    def mobs(self) -> int:
        """The set of the incidents whose culprit is a mob at a location, as bits."""
        incidents = enumerate(self.incidents)
        mobs = (n for n, name in incidents if self.rulebook.incidents[name].mob is not None)
        return sum(1 << number for number in mobs)

    @cached_property
    def suspects(self) -> tuple[str, ...]:
        """Everybody who may be a culprit: the characters in order, then the locations."""
        return (*(slot.who for slot in self.slots), *self.places)

    def candidates(self, number: int) -> tuple[str, ...]:
        """Return who may be the culprit of an incident."""
        slots = self.suspects[: len(self.slots)]
        return self.places if self.mobs >> number & 1 else slots

    @cached_property
    def shared(self) -> tuple[int, ...]:
        """Sets of incidents, as bits, of which one character may be the culprit together."""
        groups: dict[str, int] = {}
        for number, name in enumerate(self.incidents):
            if self.rulebook.incidents[name].repeatable_culprit:
                groups[name] = groups.get(name, 0) | 1 << number
        return tuple(groups.values())

    def must_be_culprit(self, slot: Slot, role: str | None) -> bool:
        """Return whether a holder must be some incident's culprit (I-18 exempts copies)."""
        if not self.obeys or role is None or slot.rule is RoleRule.COPIES:
            return False
        return self.rulebook.roles[role].must_be_culprit

    def never_culprit(self, slot: Slot, role: str | None) -> bool:
        """Return whether a holder can be no culprit; absent characters never are (I-18)."""
        if role is None:
            return True
        if not self.obeys or slot.rule is RoleRule.COPIES:
            return False
        return self.rulebook.roles[role].never_culprit

    @cached_property
    def bound(self) -> tuple[tuple[tuple[bool, bool], ...], ...]:
        """For each slot and state whether it must be a culprit, and whether it cannot."""
        return tuple(
            tuple(
                (self.must_be_culprit(slot, state.role), self.never_culprit(slot, state.role))
                for state in states
            )
            for slot, states in zip(self.slots, self.states, strict=True)
        )

    def culprit_sets(self, must: bool, never: bool, allowed: int) -> tuple[int, ...]:
        """Return the sets of incidents of which a character may be the culprit.

        Args:
            must: it has to be some incident's culprit.
            never: it can be none's.
            allowed: the incidents, as bits, for which nothing else clears it.

        Returns:
            The sets as bits, the empty one first where it is among them (I-17, I-18).
        """
        sets = () if never else self._culprit_sets(allowed & ~self.mobs)
        return sets if must else (0, *sets)

    def place_sets(self, allowed: int) -> tuple[int, ...]:
        """Return the sets of incidents of which the mob at one location may be the culprit."""
        return (0, *self._culprit_sets(allowed & self.mobs))

    def _culprit_sets(self, allowed: int) -> tuple[int, ...]:
        known = self._known_sets.get(allowed)
        if known is not None:
            return known
        if not self.obeys:
            sets = set(_subsets(allowed))
        else:
            sets = {1 << number for number in range(len(self.incidents)) if allowed >> number & 1}
            for group in self.shared:
                sets.update(_subsets(group & allowed))
        self._known_sets[allowed] = found = tuple(sorted(sets - {0}))
        return found

    @cached_property
    def _known_sets(self) -> dict[int, tuple[int, ...]]:
        return {}


def _subsets(mask: int) -> list[int]:
    found = [0]
    part = mask
    while part:
        found.append(part)
        part = (part - 1) & mask
    return found


def _check(sheet: Sheet, rulebook: Rulebook) -> None:
    for who in sheet.cast:
        if who not in rulebook.characters:
            raise ValueError(f"the cast has {who!r}, which {rulebook.name} does not know")
    if len(set(sheet.cast)) < len(sheet.cast):
        raise ValueError("the cast has a character twice")
    for item in sheet.incidents:
        if item.incident not in rulebook.incidents:
            raise ValueError(f"{rulebook.name} has no incident {item.incident!r}")


def _roles(
    rulebook: Rulebook,
    combined: tuple[Combination, ...],
    obeys: bool,
    outsider_may_be_person: bool,
) -> dict[RoleRule, tuple[str, ...]]:
    """Return what each kind of card may be in some script."""
    everything = tuple(rulebook.roles)
    added = {role for item in combined for needs in item.demands for role in needs}
    counted = tuple(role for role in everything if not obeys or role in added or role == PERSON)
    somebody = tuple(role for role in everything if role != PERSON)
    return {
        RoleRule.ANY: counted,
        RoleRule.NOT_PERSON: tuple(role for role in counted if role != PERSON),
        RoleRule.OUTSIDE_PLOTS: everything if outsider_may_be_person else somebody,
        RoleRule.COPIES: everything,
    }


def _late_cards(sheet: Sheet, rulebook: Rulebook) -> list[str]:
    return [
        card.id
        for card in rulebook.characters.values()
        if card.entry is not None and card.id not in sheet.cast
    ]


def _slot(card: Character, sheet: Sheet, roles: tuple[str, ...], hidden: bool) -> Slot:
    entries = {
        None: (),
        Entry.LOOP: tuple(range(1, sheet.loops + 1)),
        Entry.DAY: tuple(range(1, sheet.days + 1)),
    }[card.entry]
    if card.entry is not None and not hidden:
        entries = (1,)  # it lies on the table from the first moment on
    readable = [rule for rule in sheet.special_rules if special_rules.is_readable(rule)]
    traits = special_rules.traits_of(card, readable)
    return Slot(card.id, card.role_rule, roles, entries, hidden, traits)
