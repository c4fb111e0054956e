"""Plots and roles of all legal scripts in one decision diagram.

Variable order: plots on top, one bit each; then the characters in the order of the
composition, their role and time of entry written in bits. A clue without culprits is one
conjunction. ``engine`` rules are not known here, only the numbers of ``Composition``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from oxidd.bdd import BDDFunction, BDDManager
from oxidd.util import DDMemoryError

from assistant.formula import (
    FALSE,
    TRUE,
    And,
    AtLeast,
    CastAtom,
    EntryAtom,
    ExtraPlotAtom,
    Formula,
    Not,
    Or,
    PlotAtom,
    RoleAtom,
    nodes,
)
from assistant.worlds.composition import Combination, Composition, Need, Slot, State
from engine.rules.model import RoleRule
from engine.words import PERSON

Diagram: TypeAlias = BDDFunction
T = TypeVar("T")

START_NODES: Final = 1 << 18
"""Size of a first node store; after any clue a few ten thousand nodes are in use."""
MOST_NODES: Final = 1 << 27
_FORMULA_CACHE: Final = 20_000
_LOCATION: Final = State(None)


class Store:
    """A node store with the variables of one composition, of fixed size.

    Every operation may raise ``oxidd.util.DDMemoryError`` when the store is full: diagrams
    of a full store must be built anew in a larger one, see ``grown``.

    Attributes:
        composition: what the variables speak of.
        nodes: the number of inner nodes that fit.
        false, true: the constants.
        top_variables: the number of variables above those of the characters.
        tops: combinations and their values of these variables, see ``_tops``.
        base: the diagram of all legal choices of plots, roles and entries.
    """

    def __init__(self, composition: Composition, nodes: int = START_NODES) -> None:
        self.composition = composition
        self.nodes = nodes
        self._manager = BDDManager(nodes, max(1 << 16, nodes >> 2), 1)
        self.plot_variables: Final = _plot_variables(composition)
        self.codes: Final = tuple(Code(slot) for slot in composition.slots)
        # The last variable on top tells the two ways to meet the plots' demands apart.
        self.top_variables: Final = len(self.plot_variables) + _has_two_ways(composition)
        self.tops: Final = _tops(composition, self.plot_variables)
        first = self.top_variables
        self.first_variables: list[int] = []
        for code in self.codes:
            self.first_variables.append(first)
            first += code.bits
        self.variables: Final = first
        self._manager.add_vars(first)
        self.false: Final = self._manager.false()
        self.true: Final = self._manager.true()
        self._known: dict[Formula, Diagram] = {}
        self._states: dict[tuple[int, int], Diagram] = {}
        self._slots = {slot.who: number for number, slot in enumerate(composition.slots)}
        self.base: Final = self._legal()

    def grown(self) -> Store:
        """Return an empty store of four times the size for the same composition.

        Raises:
            MemoryError: If it would pass all bounds.
        """
        if self.nodes * 4 > MOST_NODES:
            raise MemoryError("the possible worlds do not fit into memory")
        return grow_until(lambda nodes: Store(self.composition, nodes), self.nodes * 4)

    def export(self, path: str, diagrams: Sequence[Diagram]) -> None:
        """Write the diagrams to a file, as DDDMP text."""
        self._manager.export_dddmp(path, diagrams, ascii=True, strict=False)

    def without_plots(self, diagram: Diagram) -> Diagram:
        """Return where some choice of plots fits."""
        plots = self.all_of(self._manager.var(number) for number in range(self.top_variables))
        return diagram.exists(plots)

    # Formulas -------------------------------------------------------------------------

    def diagram(self, formula: Formula) -> Diagram:
        """Return the diagram of a formula.

        Args:
            formula: over plots, roles, cast and entries.

        Raises:
            ValueError: If it has a culprit or a ruling: those are no variables here.
        """
        found = self._known.get(formula)
        if found is not None:
            return found
        if len(self._known) > _FORMULA_CACHE:
            self._known.clear()
        for node in nodes(formula):
            if node not in self._known:
                self._known[node] = self._make(node)
        return self._known[formula]

    def _make(self, node: Formula) -> Diagram:
        known = self._known
        match node:
            case PlotAtom() | ExtraPlotAtom():
                number = self.plot_variables.get(node)
                return self.false if number is None else self._manager.var(number)
            case RoleAtom(who, role):
                return self._some_state(who, lambda state: state.role == role)
            case CastAtom(who):
                return self._some_state(who, lambda state: state.role is not None)
            case EntryAtom(who, value):
                return self._some_state(who, lambda state: state.entry == value)
            case Not():
                return ~known[node.arg]
            case And():
                return self.all_of(known[arg] for arg in node.args)
            case Or():
                return self.any_of(known[arg] for arg in node.args)
            case AtLeast():
                return self.count([known[arg] for arg in node.args], node.k, len(node.args))
        if node is TRUE or node is FALSE:
            return self.true if node is TRUE else self.false
        raise ValueError(f"the diagram has no variable for {node}")

    def all_of(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the conjunction, the lowest parts first: they are the cheap ones."""
        result = self.true
        for part in sorted(parts, key=self._depth, reverse=True):
            result = result & part
        return result

    def any_of(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the disjunction."""
        result = self.false
        for part in sorted(parts, key=self._depth, reverse=True):
            result = result | part
        return result

    def _depth(self, diagram: Diagram) -> int:
        level = diagram.node_level()
        return self.variables if level is None else level

    def count(self, parts: Sequence[Diagram], least: int, most: int) -> Diagram:
        """Return "at least ``least`` and at most ``most`` of the parts hold"."""
        top = min(most, len(parts))
        row = [self.true if least <= n else self.false for n in range(top + 1)]
        row.append(self.true if most >= len(parts) else self.false)
        ordered = sorted(parts, key=self._depth)
        for done, part in reversed(list(enumerate(ordered))):
            for n in range(min(done, top) + 1):
                row[n] = part.ite(row[n + 1], row[n])
        return row[0]

    def _some_state(self, who: str, wanted: Callable[[State], bool]) -> Diagram:
        slot = self._slots.get(who)
        if slot is None:
            return self.false
        states = self.codes[slot].states
        return self.any_of(
            self.state(slot, number) for number, state in enumerate(states) if wanted(state)
        )

    def states(self, row: int) -> tuple[State, ...]:
        """Return the states of a suspect; a location has only one."""
        return self.codes[row].states if row < len(self.codes) else (_LOCATION,)

    def state(self, slot: int, number: int) -> Diagram:
        """Return "the suspect of this row is in its state of this number"."""
        if slot >= len(self.codes):
            return self.true
        key = (slot, number)
        found = self._states.get(key)
        if found is None:
            code, first = self.codes[slot], self.first_variables[slot]
            found = self.true
            for bit in reversed(range(code.bits)):
                high = code.numbers[number] >> (code.bits - 1 - bit) & 1
                make = self._manager.var if high else self._manager.not_var
                found = make(first + bit) & found
            self._states[key] = found
        return found

    # The legal scripts ----------------------------------------------------------------

    def _legal(self) -> Diagram:
        composition = self.composition
        result = self.true
        for index, code in enumerate(self.codes):
            states = (self.state(index, number) for number in range(len(code.states)))
            result = result & self.any_of(states)
        for slot in composition.slots:
            if slot.rule is RoleRule.COPIES:
                result = result & self._copy(slot)
        first = result & self._demand(0)
        if self.top_variables == len(self.plot_variables):
            return first
        # Scripts that meet both demands are counted with the first.
        second = result & self._demand(1) & ~first
        way = len(self.plot_variables)
        return (self._manager.not_var(way) & first) | (self._manager.var(way) & second)

    def _combination(self, combination: Combination) -> Diagram:
        """Return when these are the plots, with what they ask of the cast as a whole."""
        result = self.true
        for atom, number in reversed(self.plot_variables.items()):
            chosen = (
                atom.plot in combination.plots
                if isinstance(atom, PlotAtom)
                else atom.plot == combination.extra
            )
            make = self._manager.var if chosen else self._manager.not_var
            result = make(number) & result
        for who in combination.cast:
            result = result & self.diagram(CastAtom(who))
        if self.composition.obeys:
            for first, second in combination.opposite:
                result = result & self._opposite(first, second)
        return result

    def _opposite(self, first: str, second: str) -> Diagram:
        counted = self.composition.counted
        return self.any_of(
            self.diagram(RoleAtom(one.who, first)) & self.diagram(RoleAtom(other.who, second))
            for one in counted
            for other in counted
            if one.may_be_opposite(other)
        )

    def _demand(self, way: int) -> Diagram:
        """Return the scripts in which the plots' demands are met in the way of this number."""
        plots = [
            (item, self._combination(item))
            for item in self.composition.combinations
            if way < len(item.demands)
        ]
        result = self.any_of(diagram for _, diagram in plots)
        for role in self.composition.rulebook.roles:
            if role != PERSON:
                result = result & self._quota(role, way, plots)
        return result

    def _quota(self, role: str, way: int, plots: Sequence[tuple[Combination, Diagram]]) -> Diagram:
        """Return the rules on the number of holders of a role, per demand of the plots."""
        composition = self.composition
        cases: dict[tuple[Need | None, Need | None], Diagram] = {}
        for item, diagram in plots:
            key = (item.own.get(role), item.demands[way].get(role))
            cases[key] = cases.get(key, self.false) | diagram
        holders = [self.diagram(RoleAtom(slot.who, role)) for slot in composition.counted]
        outsiders = self.any_of(
            self.diagram(RoleAtom(slot.who, role))
            for slot in composition.slots
            if slot.rule is RoleRule.OUTSIDE_PLOTS
        )
        result = self.false
        for (own, need), case in cases.items():
            rule = case
            if own is not None:
                added = self.true if own.added else self.any_of(holders)
                rule = rule & ~(added & outsiders)
            if composition.obeys:
                least, most = (need.least, need.most) if need is not None else (0, 0)
                rule = rule & self.count(holders, least, most)
                if need is not None and need.trait is not None:
                    rule = rule & self._trait(role, need.trait, need.traited, need.untraited)
            result = result | rule
        return result

    def _trait(self, role: str, trait: str, traited: int, untraited: int) -> Diagram:
        having, lacking = (
            [
                self.diagram(RoleAtom(slot.who, role))
                for slot in self.composition.counted
                if (trait in slot.traits) is has
            ]
            for has in (True, False)
        )
        enough = self.count(having, traited, len(having))
        return enough & self.count(lacking, 0, untraited)

    def _copy(self, copying: Slot) -> Diagram:
        """Return "somebody else in the cast has its role"."""
        return self.all_of(
            ~self.diagram(RoleAtom(copying.who, role))
            | self.any_of(
                self.diagram(RoleAtom(slot.who, role))
                for slot in self.composition.slots
                if slot.rule is not RoleRule.COPIES
            )
            for role in copying.roles
        )


def _plot_variables(composition: Composition) -> dict[PlotAtom | ExtraPlotAtom, int]:
    """Return the atoms at the top of the diagram, with their variables."""
    atoms: list[PlotAtom | ExtraPlotAtom] = [PlotAtom(plot) for plot in composition.rulebook.plots]
    if any(item.extra is not None for item in composition.combinations):
        atoms += [ExtraPlotAtom(plot.id) for plot in composition.rulebook.main_plots()]
    return {atom: number for number, atom in enumerate(atoms)}


def _has_two_ways(composition: Composition) -> bool:
    return any(len(item.demands) > 1 for item in composition.combinations)


def _tops(
    composition: Composition, variables: Mapping[PlotAtom | ExtraPlotAtom, int]
) -> tuple[tuple[int, tuple[bool, ...]], ...]:
    """Return for each way to meet each combination's demands its values of the top variables.

    Returns:
        Pairs: the number of the combination, and a value by variable.
    """
    found = []
    for number, item in enumerate(composition.combinations):
        plots = [
            atom.plot in item.plots if isinstance(atom, PlotAtom) else atom.plot == item.extra
            for atom in variables
        ]
        for way in range(len(item.demands)):
            ways = [way == 1] if _has_two_ways(composition) else []
            found.append((number, (*plots, *ways)))
    return tuple(found)


class Code:
    """How the states of a slot are written in bits.

    Attributes:
        states: the states of the slot.
        numbers: the number that stands for each state.
        bits: how many bits a number takes, the highest one on top.
    """

    def __init__(self, slot: Slot) -> None:
        self.states: Final = slot.states()
        # Role and entry in fields of their own: most clues speak of one of the two.
        low = (len(slot.entries) - 1).bit_length() if slot.entries else 0
        high = (len(slot.roles) + slot.hidden - 1).bit_length()
        self.bits: Final = max(1, high + low)
        role_numbers = {role: number for number, role in enumerate((*slot.roles, None))}
        entry_numbers: dict[int | None, int] = {
            entry: number for number, entry in enumerate(slot.entries)
        }
        self.numbers: Final = tuple(
            role_numbers[state.role] << low | entry_numbers.get(state.entry, 0)
            for state in self.states
        )


def grow_until(make: Callable[[int], T], nodes: int = START_NODES) -> T:
    """Return ``make(nodes)`` for the first size, of ever larger ones, that suffices.

    Raises:
        MemoryError: If no size does.
    """
    while nodes <= MOST_NODES:
        try:
            return make(nodes)
        except DDMemoryError:
            nodes *= 4
    raise MemoryError("the possible worlds do not fit into memory")
