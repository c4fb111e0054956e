"""CP-SAT and the naive twins against the diagram."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formula import CulpritAtom, RoleAtom
from assistant.solver import Solver
from assistant.worlds import Composition, State, Worlds
from assistant.worlds.twins import enumerate_worlds, frontier_count
from engine.rules.model import Rulebook
from tests.strategies import clues, formulas, small_games
from tests.worlds import books

both_books = pytest.mark.parametrize(
    "book", [books.TOY, books.STRANGE], ids=lambda rulebook: rulebook.id
)


@both_books
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_constraint_model_lists_the_same_worlds(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    given_clues = data.draw(clues(composition))
    worlds = Worlds(sheet, book, rulings).conjoin(*given_clues)
    solver = Solver(composition, given_clues)
    listed = {world.secrets() for world in worlds.listing(400)}
    by_solver = (
        {world.secrets() for world in solver.worlds(10_000)} if len(listed) < 400 else listed
    )
    assert by_solver == listed
    question = data.draw(formulas(composition))
    assert solver.possible(question) is worlds.allows(question)
    for (who, role), count in worlds.roles().items():
        if data.draw(st.booleans()):
            assert solver.possible(RoleAtom(who, role)) is (count > 0)
    for (number, who), count in worlds.culprits().items():
        if data.draw(st.booleans()):
            assert solver.possible(CulpritAtom(number, who)) is (count > 0)


@both_books
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_constraint_model_names_a_minimal_conflict(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    given_clues = data.draw(st.lists(formulas(composition), min_size=1, max_size=6))
    worlds = Worlds(sheet, book, rulings)
    core = Solver(composition).core(given_clues)
    assert (core is None) is worlds.conjoin(*given_clues).any()
    if core is not None:
        assert not worlds.conjoin(*(given_clues[place] for place in core)).any()
        for left_out in core:
            rest = [given_clues[place] for place in core if place != left_out]
            assert worlds.conjoin(*rest).any()


@both_books
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_constraint_propagation_lists_the_same_worlds(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    given_clues = data.draw(clues(composition))
    worlds = Worlds(sheet, book, rulings)
    if worlds.count() < 3_000:
        listed = {world.secrets() for world in enumerate_worlds(composition, given_clues)}
        assert {world.secrets() for world in worlds.conjoin(*given_clues)} == listed


@both_books
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_frontier_counts_the_same(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    people = [slot.who for slot in composition.slots]
    roles = data.draw(st.dictionaries(st.sampled_from(people), st.sampled_from(sorted(book.roles))))
    cleared = data.draw(
        st.sets(st.tuples(st.integers(0, 2), st.sampled_from(sorted(composition.suspects))))
    )
    worlds = Worlds(sheet, book, rulings).conjoin(
        *(~RoleAtom(who, role) for who, role in roles.items()),
        *(~CulpritAtom(number, who) for number, who in cleared),
    )

    def may_be(who: str, state: State) -> bool:
        return state.role is None or roles.get(who) != state.role

    def may_be_culprit(number: int, who: str, state: State) -> bool:
        return (number, who) not in cleared

    assert frontier_count(composition, may_be, may_be_culprit) == worlds.count()
