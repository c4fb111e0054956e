"""The constraint model of the worlds: a second opinion, and the voice that says why.

The same legal scripts and clues as in ``assistant.worlds``, written anew as constraints for
CP-SAT: it lists worlds, decides single questions, and names the clues that rule something out.
Importing ``ortools`` takes half a second, so it is done where a model is first built.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from assistant.formula import (
    TRUE,
    And,
    AtLeast,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    Formula,
    Not,
    Or,
    PlotAtom,
    RoleAtom,
    RulingAtom,
    nodes,
)
from assistant.worlds.composition import Composition
from assistant.worlds.constraints import Literal, ScriptConstraints
from assistant.worlds.world import World

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class Solver:
    """A model of the legal scripts of an open sheet, to which formulas can be added.

    Attributes:
        composition: the legal scripts, as structure.
    """

    def __init__(self, composition: Composition, formulas: Iterable[Formula] = ()) -> None:
        """Build the model.

        Args:
            composition: the legal scripts.
            formulas: what every world must meet.
        """
        from ortools.sat.python import cp_model

        self.composition: Final = composition
        self._model = cp_model.CpModel()
        self._always = self._model.new_constant(1)
        self._atoms = ScriptConstraints(self._model, composition).atoms
        self._keys: dict[Hashable, Literal] = {}
        self._literals: dict[Formula, Literal] = dict(self._atoms.items())
        for formula in formulas:
            self.require(formula)

    def copy(self) -> Solver:
        """Return a model of its own with the same content; quicker than to build it anew."""
        copied = object.__new__(Solver)
        model = self._model.clone()

        def moved(literals: dict[Any, Literal]) -> dict[Any, Literal]:
            return {key: _literal_of(model, literal.index) for key, literal in literals.items()}

        vars(copied).update(
            composition=self.composition,
            _model=model,
            _always=_literal_of(model, self._always.index),
            _atoms=moved(self._atoms),
            _keys=moved(self._keys),
            _literals=moved(self._literals),
        )
        return copied

    def require(self, formula: Formula) -> None:
        """Add what every world must meet from now on."""
        self._model.add_bool_and([self._literal(formula)])

    # Questions ------------------------------------------------------------------------

    def find(self, *formulas: Formula) -> World | None:
        """Return a world in which the formulas hold, ``None`` if there is none."""
        found = self.worlds(1, *formulas)
        return found[0] if found else None

    def possible(self, *formulas: Formula) -> bool:
        """Return whether the formulas hold together in some world."""
        return self.find(*formulas) is not None

    def refutes(self, *formulas: Formula) -> bool:
        """Return whether the formulas hold together in no world, without looking for one."""
        from ortools.sat.python import cp_model

        self._model.clear_assumptions()
        self._model.add_assumptions([self._literal(formula) for formula in formulas])
        solver = _solver(presolve=False)
        status = _status(solver, solver.solve(self._model))
        self._model.clear_assumptions()
        return bool(status == cp_model.INFEASIBLE)

    def worlds(self, limit: int, *formulas: Formula) -> list[World]:
        """Return up to ``limit`` worlds in which the formulas hold, no two with equal secrets.

        Args:
            limit: how many at most.
            formulas: what must hold in them.
        """
        from ortools.sat.python import cp_model

        found: dict[object, World] = {}
        read = self._world

        class Collector(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                # Readings of rulings and helper variables make twins of one script.
                world = read(self.boolean_value)
                found.setdefault(world.secrets(), world)
                if len(found) >= limit:
                    self.stop_search()

        wanted = [self._literal(formula).index for formula in formulas]
        model = self._model.clone()
        model.add_bool_and([_literal_of(model, index) for index in wanted])
        solver = _solver(presolve=True)
        solver.parameters.enumerate_all_solutions = limit > 1
        if limit > 0:
            _status(solver, solver.solve(model, Collector()))
        return list(found.values())

    # Reasons --------------------------------------------------------------------------

    def guard(self, formula: Formula, keys: Iterable[Hashable]) -> None:
        """Add what every world must meet while all the keys are assumed."""
        self._model.add_bool_or([*(~self._key(key) for key in keys), self._literal(formula)])

    def refute(self, keys: Iterable[Hashable], *always: Formula) -> list[Hashable] | None:
        """Find keys that together leave no world.

        Args:
            keys: what to assume; keys that guard nothing are in nobody's way.
            always: formulas that hold beside them.

        Returns:
            Some of the keys, in order, none of which can be left out; ``None`` if all of them
            together leave a world.
        """
        fixed = [self._literal(formula) for formula in always]
        core = self._refute(list(keys), fixed)
        if core is None:
            return None
        kept = 0
        while kept < len(core):
            smaller = self._refute(core[:kept] + core[kept + 1 :], fixed)
            if smaller is None:
                kept += 1
            else:
                # Keys that could not be left out of more cannot be left out of less.
                core = smaller
        return core

    def core(self, clues: Sequence[Formula], *always: Formula) -> list[int] | None:
        """Find clues that together leave no world.

        Args:
            clues: the clues to choose from.
            always: formulas that hold beside them.

        Returns:
            The places of some of the clues, in order, none of which can be left out; ``None``
            if all of them together leave a world.
        """
        for clue in clues:
            if clue not in self._keys:
                self.guard(clue, (clue,))
        core = self.refute(dict.fromkeys(clues), *always)
        return None if core is None else [clues.index(clue) for clue in core if clue in clues]

    def _key(self, key: Hashable) -> Literal:
        if key not in self._keys:
            self._keys[key] = self._model.new_bool_var("key")
        return self._keys[key]

    def _refute(self, keys: Sequence[Hashable], fixed: Sequence[Literal]) -> list[Hashable] | None:
        """Return keys that cannot be assumed together, ``None`` if all can."""
        from ortools.sat.python import cp_model

        assumed = {self._key(key).index: key for key in keys}
        self._model.clear_assumptions()
        self._model.add_assumptions([*fixed, *(self._key(key) for key in keys)])
        # Presolve may lose the tie between an assumption and its variable.
        solver = _solver(presolve=False)
        status = _status(solver, solver.solve(self._model))
        blamed = set(solver.sufficient_assumptions_for_infeasibility())
        self._model.clear_assumptions()
        if status != cp_model.INFEASIBLE:
            return None
        # The answer may name literals that nobody assumed, and is only then believed to be
        # enough when it has been tried.
        named = [key for index, key in assumed.items() if index in blamed]
        if len(named) == len(keys):
            return list(keys)
        checked = self._refute(named, fixed)
        return list(keys) if checked is None else checked

    # Formulas -------------------------------------------------------------------------

    def _literal(self, formula: Formula) -> Literal:
        """Return the literal that is true exactly where the formula holds."""
        for node in nodes(formula):
            if node not in self._literals:
                self._literals[node] = self._define(node)
        return self._literals[formula]

    def _define(self, node: Formula) -> Literal:
        model, known = self._model, self._literals
        match node:
            case RulingAtom(id):
                reading = self.composition.rulings[id]
                if reading is None:
                    self._atoms[node] = model.new_bool_var(f"ruling {id}")
                    return self._atoms[node]
                return self._always if reading else ~self._always
            case FirstSubplotAtom():
                self._add_order()
                return self._atoms.get(node, ~self._always)
            case Not(arg):
                return ~known[arg]
            case And(args):
                literal = model.new_bool_var("and")
                parts = [known[arg] for arg in args]
                model.add_bool_and(parts).only_enforce_if(literal)
                model.add_bool_or([literal, *(~part for part in parts)])
                return literal
            case Or(args):
                literal = model.new_bool_var("or")
                parts = [known[arg] for arg in args]
                model.add_bool_or(parts).only_enforce_if(literal)
                model.add_bool_and([~part for part in parts]).only_enforce_if(~literal)
                return literal
            case AtLeast(k, args):
                literal = model.new_bool_var("at least")
                number = sum(known[arg] for arg in args)
                model.add(number >= k).only_enforce_if(literal)
                model.add(number < k).only_enforce_if(~literal)
                return literal
        # What is left are the constants, and atoms about what is not on the sheet.
        return self._always if node is TRUE else ~self._always

    def _add_order(self) -> None:
        """Add which subplot stands first; without a clue about it nobody asks (L-11)."""
        subplots = [plot.id for plot in self.composition.rulebook.subplots()]
        if not subplots or FirstSubplotAtom(subplots[0]) in self._atoms:
            return
        for plot in subplots:
            first = self._atoms[FirstSubplotAtom(plot)] = self._model.new_bool_var("first")
            self._model.add_implication(first, self._atoms[PlotAtom(plot)])
        self._model.add_exactly_one([self._atoms[FirstSubplotAtom(plot)] for plot in subplots])

    def _world(self, holds: Callable[[Literal], bool]) -> World:
        """Read a solution."""
        plots: list[str] = []
        roles: dict[str, str] = {}
        culprits = [""] * len(self.composition.incidents)
        entries: dict[str, int] = {}
        rulings: dict[str, bool] = {}
        extra: str | None = None
        for atom, literal in self._atoms.items():
            true = holds(literal)
            match atom:
                case RulingAtom(id):
                    rulings[id] = true
                case PlotAtom(plot) if true:
                    plots.append(plot)
                case ExtraPlotAtom(plot) if true:
                    extra = plot
                case FirstSubplotAtom(plot) if true:
                    plots.remove(plot)
                    plots.insert(1, plot)
                case RoleAtom(who, role) if true:
                    roles[who] = role
                case CulpritAtom(number, who) if true:
                    culprits[number] = who
                case EntryAtom(who, value) if true:
                    entries[who] = value
        return World(tuple(plots), roles, tuple(culprits), entries, rulings, extra)


def _solver(presolve: bool) -> cp_model.CpSolver:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    # One worker: models are small, and answers are the same each time.
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = presolve
    # What pays for itself only on models much larger than these.
    solver.parameters.linearization_level = 0
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    return solver


def _status(solver: cp_model.CpSolver, status: Any) -> Any:
    from ortools.sat.python import cp_model

    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
        raise RuntimeError(f"the solver gave up: {solver.status_name(status)}")
    return status


def _literal_of(model: cp_model.CpModel, index: int) -> Literal:
    """Return the literal of this index in a copy of the model."""
    variable = model.get_bool_var_from_proto_index(max(index, -index - 1))
    return variable if index >= 0 else ~variable
