"""Two slow and simple counters of the same worlds, to test the fast one against.

They share the numbers of ``Composition`` with the diagram and nothing else: no diagram, no
table of culprits, no reading of clues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import factorial, prod
from typing import Any, TypeAlias

from constraint import ExactSumConstraint, Problem

from assistant.formula import Formula, RulingAtom, atoms, evaluate
from assistant.worlds.composition import Combination, Composition, Need, Slot, State
from assistant.worlds.world import World
from engine.rules.model import RoleRule
from engine.words import PERSON

StateTest: TypeAlias = Callable[[str, State], bool]
CulpritTest: TypeAlias = Callable[[int, str, State], bool]
Counts: TypeAlias = tuple[tuple[str, int], ...]


# Character by character ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frontier:
    """What the characters so far have used up.

    Attributes:
        held: counted holders by role.
        odd: counted holders by role that lack the trait their role asks for.
        outside: roles of characters outside the plots.
        sexes: for roles whose holders' sexes matter, the sexes of each kind of holder.
        left: incidents without a culprit.
    """

    held: Counts
    odd: Counts
    outside: frozenset[str]
    sexes: frozenset[tuple[str, frozenset[str]]]
    left: frozenset[int]


def frontier_count(
    composition: Composition,
    may_be: StateTest = lambda who, state: True,
    may_be_culprit: CulpritTest = lambda number, who, state: True,
) -> int:
    """Count worlds by what the characters so far have used up, one plot combination a time.

    Args:
        composition: the legal scripts.
        may_be: whether a character may be in a state.
        may_be_culprit: whether it may then be the culprit of an incident of this number.

    Returns:
        The number of worlds, culprits told apart.
    """
    total = 0
    for combination in composition.combinations:
        # Of demands that can be met at once none may be counted twice.
        for size in range(1, len(combination.demands) + 1):
            for demands in combinations(combination.demands, size):
                part = _Part(composition, combination, demands)
                total += (-1) ** (size + 1) * part.count(may_be, may_be_culprit)
    return total


@dataclass(frozen=True, slots=True)
class _Part:
    """The scripts of one plot combination that meet all of some demands."""

    composition: Composition
    combination: Combination
    demands: tuple[Mapping[str, Need], ...]

    def count(self, may_be: StateTest, may_be_culprit: CulpritTest) -> int:
        # What there is to copy, and what is added, must be settled before it is asked for.
        order = {RoleRule.OUTSIDE_PLOTS: 1, RoleRule.COPIES: 2}
        slots = sorted(self.composition.slots, key=lambda slot: order.get(slot.rule, 0))
        every = frozenset(range(len(self.composition.incidents)))
        frontiers = {_Frontier((), (), frozenset(), frozenset(), every): 1}
        for slot in slots:
            following: dict[_Frontier, int] = {}
            for frontier, ways in frontiers.items():
                for state in slot.states():
                    held = self._with_holder(slot, state.role, frontier)
                    if held is None or not may_be(slot.who, state):
                        continue
                    for taken in _culprit_sets(self.composition, slot, state, frontier.left):
                        if all(may_be_culprit(number, slot.who, state) for number in taken):
                            new = replace(held, left=frontier.left - taken)
                            following[new] = following.get(new, 0) + ways
            frontiers = following
        return sum(
            ways * self._mobs(frontier.left, may_be_culprit)
            for frontier, ways in frontiers.items()
            if self._filled(frontier)
        )

    def _with_holder(self, slot: Slot, role: str | None, frontier: _Frontier) -> _Frontier | None:
        """Return what is used up if the slot gets this role, ``None`` if it cannot."""
        if role is None:
            return None if slot.who in self.combination.cast else frontier
        held, odd = dict(frontier.held), dict(frontier.odd)
        if slot.rule is RoleRule.COPIES:
            return frontier if role in held or role in frontier.outside else None
        if slot.rule is RoleRule.OUTSIDE_PLOTS:
            own = self.combination.own.get(role)
            if own is not None and (own.added or role in held):
                return None
            return replace(frontier, outside=frontier.outside | {role})
        if not self.composition.obeys or role == PERSON:
            held[role] = 1  # Only whether there is one matters.
            return replace(frontier, held=tuple(sorted(held.items())))
        held[role] = held.get(role, 0) + 1
        needs = [demand.get(role) for demand in self.demands]
        if any(need is None or held[role] > need.most for need in needs):
            return None
        if any(need and need.trait and need.trait not in slot.traits for need in needs):
            odd[role] = odd.get(role, 0) + 1
        sexes = frontier.sexes
        if any(role in pair for pair in self.combination.opposite):
            sexes |= {(role, slot.traits & {"boy", "man", "girl", "woman"})}
        return replace(
            frontier,
            held=tuple(sorted(held.items())),
            odd=tuple(sorted(odd.items())),
            sexes=sexes,
        )

    def _filled(self, frontier: _Frontier) -> bool:
        """Return whether every role has its holders."""
        if not self.composition.obeys:
            return True
        held, odd = dict(frontier.held), dict(frontier.odd)
        for demand in self.demands:
            for role, need in demand.items():
                number, lacking = held.get(role, 0), odd.get(role, 0)
                if number < need.least or number - lacking < need.traited:
                    return False
                if need.trait is not None and lacking > need.untraited:
                    return False
        return all(
            any(
                _opposite(one, other)
                for role, one in frontier.sexes
                if role == first
                for partner, other in frontier.sexes
                if partner == second
            )
            for first, second in self.combination.opposite
        )

    def _mobs(self, left: frozenset[int], may_be_culprit: CulpritTest) -> int:
        """Return in how many ways the locations take on the incidents that are left."""
        if any(not self.composition.mobs >> number & 1 for number in left):
            return 0
        numbers = sorted(left)
        return sum(
            all(
                may_be_culprit(number, place, State(None))
                for number, place in zip(numbers, places, strict=True)
            )
            and (not self.composition.obeys or len(set(places)) == len(places))
            for places in product(self.composition.places, repeat=len(numbers))
        )


def _opposite(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two cards may be of opposite sex; those without a sex may be."""
    male, female = {"boy", "man"}, {"girl", "woman"}
    if not one or not other:
        return True
    return bool((one & male and other & female) or (one & female and other & male))


def _culprit_sets(
    composition: Composition, slot: Slot, state: State, left: frozenset[int]
) -> Iterator[frozenset[int]]:
    """Yield the sets of incidents of which a character may be the culprit."""
    for size in range(len(left) + 1):
        for taken in combinations(sorted(left), size):
            if _may_take(composition, slot, state, taken):
                yield frozenset(taken)


def _may_take(composition: Composition, slot: Slot, state: State, taken: Sequence[int]) -> bool:
    if state.role is None or any(composition.mobs >> number & 1 for number in taken):
        return not taken
    if not composition.obeys:
        return True
    role = composition.rulebook.roles[state.role]
    names = {composition.incidents[number] for number in taken}
    if len(taken) > 1:
        name, *others = names
        if others or not composition.rulebook.incidents[name].repeatable_culprit:
            return False
    if slot.rule is RoleRule.COPIES:
        return True
    return not (role.must_be_culprit and not taken) and not (role.never_culprit and taken)


# Enumeration by python-constraint2 ----------------------------------------------------


def legal_compositions(composition: Composition) -> Iterator[tuple[Combination, dict[str, int]]]:
    """Yield each plot combination with each number of holders by role that fits the cast.

    Only for casts in which everybody may be anything, and plots that ask for numbers only.

    Raises:
        ValueError: For other casts and combinations.
    """
    if any(slot.rule is not RoleRule.ANY or slot.hidden for slot in composition.slots):
        raise ValueError("somebody in the cast is no ordinary character")
    size = len(composition.slots)
    for combination in composition.combinations:
        needs = combination.own.values()
        if combination.extra or combination.opposite or any(need.trait for need in needs):
            raise ValueError("some plot asks for more than numbers")
        problem = Problem()
        problem.addVariable(PERSON, range(size + 1))
        for need in needs:
            problem.addVariable(need.role, range(need.least, need.most + 1))
        problem.addConstraint(ExactSumConstraint(size))
        for counts in problem.getSolutionIter():
            yield combination, counts


def count_by_arrangement(composition: Composition) -> int:
    """Return the number of plots and roles: legal compositions times their arrangements.

    Raises:
        ValueError: See ``legal_compositions``.
    """
    size = factorial(len(composition.slots))
    return sum(
        size // prod(factorial(number) for number in counts.values())
        for _, counts in legal_compositions(composition)
    )


def enumerate_worlds(
    composition: Composition,
    formulas: Sequence[Formula] = (),
    roles: Mapping[str, str] | None = None,
) -> set[World]:
    """Return all worlds in which the formulas hold, without their readings of rulings.

    Only for small casts: every legal script is made and judged.

    Args:
        composition: the legal scripts.
        formulas: what must hold.
        roles: scripts are only made with these roles; that makes larger casts small.
    """
    rulings = {atom.id for atom in atoms(*formulas) if isinstance(atom, RulingAtom)}
    open_rulings = sorted(id for id in rulings if composition.rulings[id] is None)
    decided = {id: bool(composition.rulings[id]) for id in rulings if id not in open_rulings}
    readings = [
        {**decided, **dict(zip(open_rulings, values, strict=True))}
        for values in product((True, False), repeat=len(open_rulings))
    ]
    return {
        world
        for world in _legal_worlds(composition, roles or {})
        if any(
            all(evaluate(formula, replace(ordered, rulings=reading)) for formula in formulas)
            for reading in readings
            for ordered in _orders(world)
        )
    }


def _orders(world: World) -> Iterator[World]:
    """Yield the world with each of its subplots first."""
    main, *subs = world.plots
    yield world
    for first in subs[1:]:
        yield replace(world, plots=(main, first, *(plot for plot in subs if plot != first)))


def _legal_worlds(composition: Composition, given: Mapping[str, str]) -> Iterator[World]:
    for combination in composition.combinations:
        for states in _role_problem(composition, combination, given).getSolutionIter():
            roles = {who: state.role for who, state in states.items() if state.role is not None}
            entries = {who: state.entry for who, state in states.items() if state.entry is not None}
            for culprits in _culprits(composition, roles):
                yield World(
                    combination.plots, roles, culprits, entries, extra_plot=combination.extra
                )


def _role_problem(
    composition: Composition, combination: Combination, given: Mapping[str, str]
) -> Any:
    problem = Problem()
    for slot in composition.slots:
        role = given.get(slot.who)
        problem.addVariable(slot.who, [s for s in slot.states() if role in (None, s.role)])
    counted = [slot.who for slot in composition.counted]
    outside = [slot for slot in composition.slots if slot.rule is RoleRule.OUTSIDE_PLOTS]
    copying = [slot for slot in composition.slots if slot.rule is RoleRule.COPIES]
    for who in combination.cast:
        problem.addConstraint(lambda state: state.role is not None, [who])
    if composition.obeys and counted:
        problem.addConstraint(_quotas(composition, combination), counted)
    for slot in outside:
        problem.addConstraint(_no_plot_adds(combination), [slot.who, *counted])
    models = [slot.who for slot in composition.slots if slot not in copying]
    for slot in copying:
        problem.addConstraint(_somebody_else_is, [slot.who, *models])
    return problem


def _quotas(composition: Composition, combination: Combination) -> Callable[..., bool]:
    def met(*states: State) -> bool:
        held: dict[str, list[Slot]] = {}
        for slot, state in zip(composition.counted, states, strict=True):
            if state.role is not None and state.role != PERSON:
                held.setdefault(state.role, []).append(slot)
        return any(_meets(held, demand) for demand in combination.demands) and all(
            any(
                one.may_be_opposite(other)
                for one in held.get(first, ())
                for other in held.get(second, ())
            )
            for first, second in combination.opposite
        )

    return met


def _meets(held: Mapping[str, Sequence[Slot]], demand: Mapping[str, Need]) -> bool:
    if held.keys() - demand.keys():
        return False
    for role, need in demand.items():
        holders = held.get(role, ())
        having = sum(need.trait in slot.traits for slot in holders)
        if not need.least <= len(holders) <= need.most:
            return False
        odd = having < need.traited or len(holders) - having > need.untraited
        if need.trait is not None and odd:
            return False
    return True


def _no_plot_adds(combination: Combination) -> Callable[..., bool]:
    def met(state: State, *counted: State) -> bool:
        own = combination.own.get(str(state.role))
        if own is None:
            return True
        return not own.added and all(other.role != state.role for other in counted)

    return met


def _somebody_else_is(state: State, *others: State) -> bool:
    return any(other.role == state.role for other in others)


def _culprits(composition: Composition, roles: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    numbers = range(len(composition.incidents))
    if not numbers:
        yield from () if _must(composition, roles) else ((),)
        return
    if not roles:
        return
    problem = Problem()
    for number in numbers:
        mob = composition.mobs >> number & 1
        problem.addVariable(number, list(composition.places if mob else roles))
    if composition.obeys:
        problem.addConstraint(lambda *chosen: _obey(composition, roles, chosen), numbers)
    for solution in problem.getSolutionIter():
        yield tuple(solution[number] for number in numbers)


def _must(composition: Composition, roles: Mapping[str, str]) -> set[str]:
    """Return who must be some incident's culprit."""
    return {
        who
        for who, role in roles.items()
        if composition.obeys
        and composition.by_id[who].rule is not RoleRule.COPIES
        and composition.rulebook.roles[role].must_be_culprit
    }


def _obey(composition: Composition, roles: Mapping[str, str], chosen: tuple[str, ...]) -> bool:
    book = composition.rulebook
    for first, second in combinations(range(len(chosen)), 2):
        if chosen[first] == chosen[second]:
            name = composition.incidents[first]
            if name != composition.incidents[second] or not book.incidents[name].repeatable_culprit:
                return False
    bound = [who for who in chosen if who in roles]
    bound = [who for who in bound if composition.by_id[who].rule is not RoleRule.COPIES]
    if any(book.roles[roles[who]].never_culprit for who in bound):
        return False
    return _must(composition, roles) <= set(chosen)
