"""The legal scripts as constraints for CP-SAT, straight from the rulebook's quotas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assistant.formula import (
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    PlotAtom,
    RoleAtom,
)
from assistant.worlds.composition import EXTRA_ROLES, Composition, Slot
from engine.rules.model import RoleRule
from engine.words import PERSON

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Literal: TypeAlias = Any
"""A Boolean variable of the model or its negation; ``ortools`` has no name for just these."""


class ScriptConstraints:
    """Adds the legal scripts to a model.

    Attributes:
        atoms: the literal of each atom, plots in printed order and main plots first.
    """

    def __init__(self, model: cp_model.CpModel, composition: Composition) -> None:
        self.atoms: dict[Atom, Literal] = {}
        self._model: Final = model
        self._composition: Final = composition
        self._book: Final = composition.rulebook
        # For each plot the literals under which its quotas count.
        self._counting: dict[str, list[Literal]] = {}
        self._add_plots()
        self._add_roles()
        self._add_culprits()

    def _new(self, atom: Atom) -> Literal:
        """Return a new variable for an atom."""
        self.atoms[atom] = self._model.new_bool_var(repr(atom))
        return self.atoms[atom]

    def _add_plots(self) -> None:
        """Add which plots go together (WM-05)."""
        model, book = self._model, self._book
        model.add_exactly_one([self._new(PlotAtom(plot.id)) for plot in book.main_plots()])
        subplots = [self._new(PlotAtom(plot.id)) for plot in book.subplots()]
        model.add(sum(subplots) == book.subplots_per_script)
        self._counting = {plot: [self.atoms[PlotAtom(plot)]] for plot in book.plots}
        bringing = [plot.id for plot in book.plots.values() if plot.extra_main_plot]
        if not bringing:
            return
        extras = [self._new(ExtraPlotAtom(plot.id)) for plot in book.main_plots()]
        model.add_at_most_one(extras)
        for plot in bringing:
            model.add_bool_or([~self.atoms[PlotAtom(plot)], *extras])
        for main, extra in zip(book.main_plots(), extras, strict=True):
            model.add_bool_or([~extra, *(self.atoms[PlotAtom(other)] for other in bringing)])
            model.add_implication(extra, ~self.atoms[PlotAtom(main.id)])
        reading = self._composition.rulings[EXTRA_ROLES]
        if reading is False:
            return
        with_roles = model.new_bool_var("roles of the extra plot are in the cast")
        if reading is True:
            model.add_bool_and([with_roles])
        for main, extra in zip(book.main_plots(), extras, strict=True):
            counts = model.new_bool_var(f"{main.id} counts")
            model.add_min_equality(counts, [with_roles, extra])
            self._counting[main.id].append(counts)

    def _add_roles(self) -> None:
        """Add who may have which role, and when late characters enter."""
        model = self._model
        for slot in self._composition.slots:
            cast = self._new(CastAtom(slot.who))
            if not slot.hidden:
                model.add_bool_and([cast])
            model.add(sum(self._new(RoleAtom(slot.who, role)) for role in slot.roles) == cast)
            if slot.entries:
                entries = (self._new(EntryAtom(slot.who, value)) for value in slot.entries)
                model.add(sum(entries) == cast)
        for role in self._book.roles:
            if role != PERSON:
                self._add_outsiders(role)
                if self._composition.obeys:
                    self._add_quota(role)
        for slot in self._composition.slots:
            if slot.rule is RoleRule.COPIES:
                for role in slot.roles:
                    others = self._holders(role, lambda other: other.rule is not RoleRule.COPIES)
                    model.add_bool_or([~self.atoms[RoleAtom(slot.who, role)], *others])
        for rule in self._book.plots.values():
            active = self.atoms[PlotAtom(rule.id)]
            for who in rule.needs:
                needed = self.atoms.get(CastAtom(who))
                model.add_bool_or([~active] if needed is None else [~active, needed])
            if self._composition.obeys:
                for first, second in rule.opposite_sex:
                    self._add_opposite(active, first, second)

    def _holders(self, role: str, fits: Callable[[Slot], bool]) -> list[Literal]:
        return [
            self.atoms[RoleAtom(slot.who, role)]
            for slot in self._composition.slots
            if role in slot.roles and fits(slot)
        ]

    def _add_outsiders(self, role: str) -> None:
        """Add that no plot adds the role of a character outside the plots (P-04, FS-02)."""
        outsiders = self._holders(role, lambda slot: slot.rule is RoleRule.OUTSIDE_PLOTS)
        holders = self._holders(role, lambda slot: slot.counted)
        for outsider in outsiders:
            for plot in self._book.plots.values():
                active = self.atoms[PlotAtom(plot.id)]
                for quota in plot.roles:
                    if quota.role != role:
                        continue
                    if quota.least:
                        self._model.add_bool_or([~outsider, ~active])
                    else:
                        for holder in holders:
                            self._model.add_bool_or([~outsider, ~active, ~holder])

    def _add_quota(self, role: str) -> None:
        """Add how many hold a role."""
        model = self._model
        quotas = [
            (literal, quota)
            for plot in self._book.plots.values()
            for quota in plot.roles
            if quota.role == role
            for literal in self._counting[plot.id]
        ]
        holders = self._holders(role, lambda slot: slot.counted)
        limit = self._book.roles[role].limit
        asked = sum(quota.least * counts for counts, quota in quotas)
        least: Any = asked
        if limit is not None and limit < sum(quota.least for _, quota in quotas):
            least = model.new_int_var(0, limit, "least")
            model.add_min_equality(least, [asked, limit])
        model.add(sum(holders) >= least)
        model.add(sum(holders) <= sum(quota.most * counts for counts, quota in quotas))
        if limit is not None:
            model.add(sum(holders) <= limit)
        for trait in {quota.trait for _, quota in quotas if quota.trait is not None}:
            having = self._holders(role, partial(_counts_with, trait))
            wanted = sum(quota.least * counts for counts, quota in quotas if quota.trait == trait)
            others = sum(quota.most * counts for counts, quota in quotas if quota.trait != trait)
            # Which of the holders over the limit falls away is not said.
            model.add(sum(having) >= wanted - (asked - least))
            model.add(sum(holders) - sum(having) <= others)

    def _add_opposite(self, active: Literal, first: str, second: str) -> None:
        """Add that some holders of two roles may be of opposite sex (HS-20)."""
        pairs = []
        for one in self._composition.counted:
            for other in self._composition.counted:
                if one.may_be_opposite(other) and first in one.roles and second in other.roles:
                    pair = self._model.new_bool_var("pair")
                    holders = (RoleAtom(one.who, first), RoleAtom(other.who, second))
                    self._model.add_min_equality(pair, [self.atoms[atom] for atom in holders])
                    pairs.append(pair)
        self._model.add_bool_or([~active, *pairs])

    def _add_culprits(self) -> None:
        """Add which incidents everybody may be the culprit of (I-17, I-18, HS-03)."""
        model, incidents = self._model, self._composition.incidents
        repeatable = [self._book.incidents[name].repeatable_culprit for name in incidents]
        for number in range(len(incidents)):
            candidates = self._composition.candidates(number)
            model.add_exactly_one([self._new(CulpritAtom(number, who)) for who in candidates])
        for who in self._composition.suspects:
            found = [self.atoms.get(CulpritAtom(n, who)) for n in range(len(incidents))]
            culprit = {n: literal for n, literal in enumerate(found) if literal is not None}
            if self._composition.obeys:
                for first, second in combinations(culprit, 2):
                    if not (repeatable[first] and incidents[first] == incidents[second]):
                        model.add_bool_or([~culprit[first], ~culprit[second]])
            slot = self._composition.by_id.get(who)
            if slot is not None:
                for literal in culprit.values():
                    model.add_implication(literal, self.atoms[CastAtom(who)])
                if self._composition.obeys and slot.rule is not RoleRule.COPIES:
                    self._add_role_culprits(slot, list(culprit.values()))

    def _add_role_culprits(self, slot: Slot, culprit: list[Literal]) -> None:
        for role in slot.roles:
            holder = self.atoms[RoleAtom(slot.who, role)]
            if self._book.roles[role].must_be_culprit:
                self._model.add_bool_or([~holder, *culprit])
            if self._book.roles[role].never_culprit:
                for literal in culprit:
                    self._model.add_bool_or([~holder, ~literal])


def _counts_with(trait: str, slot: Slot) -> bool:
    return slot.counted and trait in slot.traits
