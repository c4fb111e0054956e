"""Formulas: simplified, unique, and true where they should be."""

import copy
import pickle
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from assistant.formula import (
    FALSE,
    TRUE,
    And,
    AtLeast,
    Atom,
    Formula,
    Judged,
    Not,
    Or,
    PlotAtom,
    RoleAtom,
    all_of,
    any_of,
    at_least,
    at_most,
    atoms,
    evaluate,
    exactly,
    implies,
    negate,
    nodes,
    substitute,
)
from engine import kleene

NAMES = "abcd"
ATOMS = [PlotAtom(name) for name in NAMES]


class Values:
    def __init__(self, values: Mapping[str, bool]) -> None:
        self.values = values

    def holds(self, atom: Atom) -> bool:
        assert isinstance(atom, PlotAtom)
        return self.values[atom.plot]


EVERY_WORLD = [
    Values(dict(zip(NAMES, values, strict=True)))
    for values in product((True, False), repeat=len(NAMES))
]


def plain_formulas() -> SearchStrategy[Formula]:
    return st.recursive(
        st.sampled_from([*ATOMS, TRUE, FALSE]),
        lambda inner: st.one_of(
            inner.map(Not),
            st.lists(inner, max_size=4).map(all_of),
            st.lists(inner, max_size=4).map(any_of),
            st.builds(at_least, st.integers(0, 5), st.lists(inner, max_size=5)),
        ),
        max_leaves=10,
    )


def truths(formula: Formula) -> list[bool]:
    return [evaluate(formula, world) for world in EVERY_WORLD]


@given(plain_formulas(), plain_formulas())
def test_operators_mean_what_they_say(first: Formula, second: Formula) -> None:
    one, other = truths(first), truths(second)
    assert truths(~first) == [not value for value in one]
    assert truths(first & second) == [a and b for a, b in zip(one, other, strict=True)]
    assert truths(first | second) == [a or b for a, b in zip(one, other, strict=True)]
    assert truths(implies(first, second)) == [b or not a for a, b in zip(one, other, strict=True)]


@given(st.integers(-1, 6), st.lists(plain_formulas(), max_size=5))
def test_counting(k: int, args: list[Formula]) -> None:
    numbers = [sum(values) for values in zip(*map(truths, args), strict=True)]
    numbers = numbers or [0] * len(EVERY_WORLD)
    assert truths(at_least(k, args)) == [number >= k for number in numbers]
    assert truths(at_most(k, args)) == [number <= k for number in numbers]
    assert truths(exactly(k, args)) == [number == k for number in numbers]


@given(plain_formulas(), st.dictionaries(st.sampled_from(ATOMS), st.booleans()))
def test_substitution(formula: Formula, values: dict[PlotAtom, bool]) -> None:
    changed = substitute(formula, {atom: TRUE if yes else FALSE for atom, yes in values.items()})
    given_names = {atom.plot: yes for atom, yes in values.items()}
    for world in EVERY_WORLD:
        read = Values({**world.values, **given_names})
        assert evaluate(changed, world) is evaluate(formula, read)
    assert not atoms(changed) & set(values)


@given(plain_formulas())
def test_what_is_equal_is_the_same_object(formula: Formula) -> None:
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert copy.deepcopy(formula) is formula
    assert substitute(formula, {}) is formula
    assert ~~formula is formula
    assert list(nodes(formula))[-1] is formula


def test_simplification() -> None:
    a, b, c, _ = ATOMS
    assert a & ~a is FALSE
    assert a | ~a is TRUE
    assert (a & b) & c is all_of([c, b, a])
    assert at_least(2, [a, ~a, b]) is b
    assert at_least(1, [a, b]) is a | b
    assert at_least(2, [a, b]) is a & b
    assert at_least(0, []) is TRUE
    assert And([a, TRUE]) is a
    assert Or([]) is FALSE
    assert isinstance(AtLeast(2, [a, b, c]), AtLeast)
    assert RoleAtom("a", "b") is RoleAtom(who="a", role="b")


def test_formulas_refuse_what_is_surely_a_mistake() -> None:
    with pytest.raises(TypeError, match="not a truth value"):
        bool(ATOMS[0])
    with pytest.raises(AttributeError, match="immutable"):
        ATOMS[0].plot = "other"


@pytest.mark.parametrize("value", [kleene.NO, kleene.MAYBE, kleene.YES])
def test_judged_follows_the_facts_of_the_engine(value: int) -> None:
    def back(judged: Judged) -> int:
        return (judged.may is TRUE) | (judged.must is TRUE) << 1

    assert back(Judged.of(value)) == value
    assert back(negate(Judged.of(value))) == kleene.negate(value)
    for other in (kleene.NO, kleene.MAYBE, kleene.YES):
        assert back(Judged.of(value) & Judged.of(other)) == value & other
        assert back(Judged.of(value) | Judged.of(other)) == value | other
