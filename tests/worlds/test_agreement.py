"""The diagram with its culprit layer, against worlds listed one by one."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.worlds import Composition, World, Worlds
from engine.rules.model import Rulebook
from tests.strategies import clues, formulas, small_games
from tests.worlds import books
from tests.worlds.brute import holding, legal_worlds


@pytest.mark.parametrize("book", [books.TOY, books.STRANGE], ids=lambda book: book.id)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_number_is_that_of_the_listed_worlds(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    given_clues = data.draw(clues(composition))
    listed = holding(legal_worlds(sheet, book, rulings), given_clues, rulings)
    worlds = Worlds(sheet, book, rulings)
    for clue in given_clues:
        worlds = worlds.conjoin(clue)
    assert worlds.count() == len(listed)
    assert worlds.any() is bool(listed)
    assert {w.secrets() for w in worlds.listing(10**9)} == {w.secrets() for w in listed}
    assert_cells(worlds, listed)
    question = data.draw(formulas(composition))
    assert worlds.allows(question) is bool(holding(listed, [*given_clues, question], rulings))
    assert worlds.conjoin(question).count() == len(
        holding(listed, [*given_clues, question], rulings)
    )


def assert_cells(worlds: Worlds, listed: list[World]) -> None:
    plots = Counter(plot for world in listed for plot in world.plots)
    assert +Counter(worlds.plots()) == plots
    assert +Counter(worlds.combinations()) == Counter(world.plots for world in listed)
    roles = Counter(item for world in listed for item in world.roles.items())
    assert +Counter(worlds.roles()) == roles
    culprits = Counter(item for world in listed for item in enumerate(world.culprits))
    assert +Counter(worlds.culprits()) == culprits
    late = {who for who, _ in worlds.entries()}
    entries = Counter((who, world.entries.get(who)) for world in listed for who in late)
    assert +Counter(worlds.entries()) == entries
    extras = Counter(world.extra_plot for world in listed)
    assert +Counter(worlds.extra_plots()) == extras
    without_culprits = {world.secrets()[:2] + world.secrets()[3:] for world in listed}
    assert worlds.plot_role_count() == len(without_culprits)
    assignments = {(secrets[1], secrets[2]) for secrets in without_culprits}
    assert worlds.role_assignments() == len(assignments)
