"""What is known about plots, roles and culprits together, as cases that can be counted.

Culprits are no variables of the diagram. Per incident, character and role there is one bit,
"may be the culprit". A clue that looks further (at other roles, or at another incident's
culprit) splits what is known into cases, each with a diagram and a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from assistant.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    Formula,
    RoleAtom,
    atoms,
    substitute,
    truth,
)
from assistant.worlds.composition import State
from assistant.worlds.diagram import Diagram, Store
from assistant.worlds.tally import Masks

_KEPT: Final = 20_000

Cell: TypeAlias = tuple[int, int]
"""A suspect and its state."""


@dataclass(frozen=True, slots=True)
class Case:
    """Worlds given by a diagram and a table: every legal choice of culprits in it is one."""

    diagram: Diagram
    masks: Masks


Cases: TypeAlias = tuple[Case, ...]
"""Disjoint cases, no two with equal tables. Some may hold no world for want of culprits."""


@dataclass(frozen=True, slots=True)
class _Demand:
    """What a clue about one incident asks of the rest.

    Attributes:
        cleared: cells that cannot be the culprit.
        conditions: what must hold for the other cells that it speaks of.
    """

    cleared: tuple[Cell, ...]
    conditions: tuple[tuple[Diagram, tuple[Cell, ...]], ...]


def everything(store: Store) -> Cases:
    """Return what is known before any clue."""
    composition = store.composition
    rows = range(len(composition.suspects))
    widest = max((len(store.states(row)) for row in rows), default=0)
    masks = np.zeros((len(rows), widest), np.int64)
    for row, bound in enumerate(composition.bound):
        for number, (_, never) in enumerate(bound):
            masks[row, number] = 0 if never else composition.every_incident & ~composition.mobs
    masks[len(composition.slots) :, 0] = composition.mobs
    return (Case(store.base, masks),)


class Reader:
    """Reads clues into cases; what it works out about a formula is kept.

    Attributes:
        store: the diagrams.
    """

    def __init__(self, store: Store) -> None:
        self.store: Final = store
        self._composition: Final = store.composition
        self._rows: Final = {who: row for row, who in enumerate(store.composition.suspects)}
        self._answers: dict[tuple[Formula, int], tuple[dict[str, Formula], Formula]] = {}
        self._demands: dict[Formula, _Demand] = {}

    def add(self, cases: Cases, formula: Formula) -> Cases:
        """Return the cases with one more clue.

        Args:
            cases: what is known already.
            formula: the clue, without open rulings.
        """
        if len(self._answers) > _KEPT:
            self._answers.clear()
            self._demands.clear()
        formula = self._without_strangers(formula)
        for part in formula.args if isinstance(formula, And) else (formula,):
            cases = self._merged(new for case in cases for new in self._add_part(case, part))
        return cases

    def _add_part(self, case: Case, formula: Formula) -> Iterable[Case]:
        numbers = _numbers(formula)
        if not numbers:
            return (Case(case.diagram & self.store.diagram(formula), case.masks),)
        if len(numbers) == 1:
            return self._split_by_demand(case, numbers[0], self._demand(formula, numbers[0]))
        return self._split_by_culprit(case, numbers, formula)

    def _merged(self, cases: Iterable[Case]) -> Cases:
        """Return the cases that may hold worlds, those with equal tables as one."""
        found: dict[bytes, Case] = {}
        for case in cases:
            reached = int(np.bitwise_or.reduce(case.masks, axis=None, initial=0))
            if case.diagram == self.store.false or reached != self._composition.every_incident:
                continue
            key = case.masks.tobytes()
            same = found.get(key)
            # Cases that do not differ in their tables differ in their diagrams: none is lost.
            found[key] = case if same is None else Case(same.diagram | case.diagram, case.masks)
        return tuple(found.values())

    # Reading one formula --------------------------------------------------------------

    def _without_strangers(self, formula: Formula) -> Formula:
        """Return the formula without culprits that no script can have."""
        strangers = [
            atom
            for atom in atoms(formula)
            if isinstance(atom, CulpritAtom)
            and not (0 <= atom.number < len(self._composition.incidents) and atom.who in self._rows)
        ]
        return substitute(formula, dict.fromkeys(strangers, FALSE)) if strangers else formula

    def _by_culprit(self, formula: Formula, number: int) -> tuple[dict[str, Formula], Formula]:
        """Return what the formula asks by culprit of an incident, and for all it leaves out."""
        key = (formula, number)
        known = self._answers.get(key)
        if known is None:
            named = [
                atom
                for atom in atoms(formula)
                if isinstance(atom, CulpritAtom) and atom.number == number
            ]
            nobody: dict[Formula, Formula] = dict.fromkeys(named, FALSE)
            answers = {atom.who: substitute(formula, {**nobody, atom: TRUE}) for atom in named}
            known = self._answers[key] = (answers, substitute(formula, nobody))
        return known

    def _demand(self, formula: Formula, number: int) -> _Demand:
        """Return what a formula about one incident asks, cell by cell."""
        known = self._demands.get(formula)
        if known is not None:
            return known
        found: dict[Formula, list[Cell]] = {}
        answers, otherwise = self._by_culprit(formula, number)
        for row, who in enumerate(self._composition.suspects):
            asked = answers.get(who, otherwise)
            if asked is TRUE:
                continue
            own = [atom for atom in atoms(asked) if _speaks_of(atom, who)]
            for index, state in enumerate(self.store.states(row)):
                if row < len(self._composition.slots) and self._composition.bound[row][index][1]:
                    continue
                rest = asked
                if own:
                    rest = substitute(asked, {atom: truth(_true_in(atom, state)) for atom in own})
                if rest is not TRUE:
                    found.setdefault(rest, []).append((row, index))
        cleared = found.pop(FALSE, [])
        conditions = [(self.store.diagram(rest), cells) for rest, cells in found.items()]
        known = self._demands[formula] = _Demand(tuple(cleared), self._simplified(conditions))
        return known

    def _simplified(
        self, conditions: Sequence[tuple[Diagram, list[Cell]]]
    ) -> tuple[tuple[Diagram, tuple[Cell, ...]], ...]:
        """Return fewer conditions that say the same of their cells.

        "Nobody else here has the role" is another condition for each culprit, but the same as
        "nobody here has it" for culprits that cannot have the role themselves.
        """
        none = self.store.false
        groups: list[tuple[Diagram, Diagram, list[Cell]]] = []
        for condition, cells in conditions:
            where = self.store.any_of(self.store.state(*cell) for cell in cells)
            for place, (other, elsewhere, others) in enumerate(groups):
                both = condition & other
                if condition & where & ~both == none and other & elsewhere & ~both == none:
                    groups[place] = (both, where | elsewhere, others + cells)
                    break
            else:
                groups.append((condition, where, list(cells)))
        return tuple((condition, tuple(cells)) for condition, _, cells in groups)

    # Splitting ------------------------------------------------------------------------

    def _split_by_demand(self, case: Case, number: int, demand: _Demand) -> Iterable[Case]:
        """Return the parts of a case that a clue about one incident leaves."""
        masks = _without(case.masks, number, demand.cleared)
        conditions = [
            (condition, [cell for cell in cells if masks[cell] >> number & 1])
            for condition, cells in demand.conditions
        ]
        conditions = [(condition, left) for condition, left in conditions if left]
        by_truth: Cases = (Case(case.diagram, masks),)
        for condition, left in conditions:
            by_truth = self._merged(
                part
                for before in by_truth
                for part in self._split_by_truth(before, number, condition, left)
            )
            if len(by_truth) > len(conditions) + 1:
                # Independent conditions: fewer cases arise from asking who the culprit is.
                return self._split_by_condition(Case(case.diagram, masks), number, conditions)
        return by_truth

    def _split_by_truth(
        self, case: Case, number: int, condition: Diagram, cells: Iterable[Cell]
    ) -> Iterator[Case]:
        """Yield where the condition holds, and where not and its cells are not the culprit."""
        yield Case(case.diagram & condition, case.masks)
        yield Case(case.diagram & ~condition, _without(case.masks, number, cells))

    def _split_by_condition(
        self, case: Case, number: int, conditions: Sequence[tuple[Diagram, list[Cell]]]
    ) -> Iterator[Case]:
        """Yield where the culprit is in no cell with a condition, and where with each one."""
        conditional = [cell for _, cells in conditions for cell in cells]
        yield Case(case.diagram, _without(case.masks, number, conditional))
        for condition, cells in conditions:
            masks = case.masks & ~(1 << number)
            for cell in cells:
                masks[cell] |= 1 << number
            yield Case(case.diagram & condition, masks)

    def _split_by_culprit(
        self, case: Case, numbers: Iterable[int], formula: Formula
    ) -> Iterator[Case]:
        """Yield what remains of a clue about several incidents, by the culprit of one."""
        splits = []
        for number in numbers:
            answers, otherwise = self._by_culprit(formula, number)
            groups: dict[Formula, list[int]] = {}
            for row, who in enumerate(self._composition.suspects):
                groups.setdefault(answers.get(who, otherwise), []).append(row)
            splits.append((number, groups))
        number, groups = min(splits, key=lambda split: len(split[1]))
        for rest, rows in groups.items():
            masks = case.masks & ~(1 << number)
            masks[rows] = case.masks[rows]
            if rest is not FALSE and (masks >> number & 1).any():
                yield from self.add((Case(case.diagram, masks),), rest)


def _numbers(formula: Formula) -> list[int]:
    return sorted({atom.number for atom in atoms(formula) if isinstance(atom, CulpritAtom)})


def _without(masks: Masks, number: int, cells: Iterable[Cell]) -> Masks:
    masks = masks.copy()
    for cell in cells:
        masks[cell] &= ~(1 << number)
    return masks


def _speaks_of(atom: Atom, who: str) -> bool:
    return isinstance(atom, RoleAtom | CastAtom | EntryAtom) and atom.who == who


def _true_in(atom: Atom, state: State) -> bool:
    """Return whether an atom about a character holds in a state of that character."""
    match atom:
        case RoleAtom(_, role):
            return state.role == role
        case EntryAtom(_, value):
            return state.entry == value
    return state.role is not None


class Possible:
    """Where a table of culprits leaves a choice, as a diagram over roles."""

    def __init__(self, store: Store, masks: Masks) -> None:
        self._store = store
        self._masks = masks
        self._known: dict[tuple[int, frozenset[int]], Diagram] = {}
        rows = range(len(store.composition.suspects))
        self._classes = [self._classify(row) for row in rows]
        self.diagram: Final = self._below(0, frozenset({0}))

    def _classify(self, row: int) -> dict[tuple[int, ...], Diagram]:
        """Return the sets of incidents that a suspect may take on, with when it may."""
        composition = self._store.composition
        if row >= len(composition.slots):
            sets = composition.place_sets(int(self._masks[row, 0]))
            return {sets: self._store.true}
        numbers: dict[tuple[int, ...], list[int]] = {}
        for number, bound in enumerate(composition.bound[row]):
            sets = composition.culprit_sets(*bound, int(self._masks[row, number]))
            numbers.setdefault(sets, []).append(number)
        if len(numbers) == 1:
            return dict.fromkeys(numbers, self._store.true)
        return {
            sets: self._store.any_of(self._store.state(row, number) for number in found)
            for sets, found in numbers.items()
        }

    def _below(self, row: int, taken: frozenset[int]) -> Diagram:
        """Return when the suspects from ``row`` on can take on what one of ``taken`` leaves."""
        if row == len(self._classes):
            every = self._store.composition.every_incident
            return self._store.true if every in taken else self._store.false
        known = self._known.get((row, taken))
        if known is not None:
            return known
        result = self._store.false
        for sets, when in self._classes[row].items():
            now = frozenset(old | new for old in taken for new in sets if not old & new)
            if now:
                result = result | (when & self._below(row + 1, now))
        self._known[row, taken] = result
        return result
