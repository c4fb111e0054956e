"""Reasons: they settle the matter, nothing in them can be left out, small ones are smallest."""

from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.explain import Explainer, Reason
from assistant.formula import TRUE, CulpritAtom, Formula, PlotAtom, RoleAtom, all_of
from assistant.worlds import Composition, Worlds
from engine.rules.model import Rulebook
from engine.rulings import DEFAULT_RULINGS
from tests.strategies import formulas, small_games
from tests.worlds import books


@dataclass(frozen=True)
class Said:
    formula: Formula
    units: tuple[int, ...]
    rulings: tuple[str, ...] = ("X-1",)
    text: str = "Something was seen."


def left(start: Worlds, clues: list[Said], units: set[int], cell: Formula) -> bool:
    active = [clue.formula for clue in clues if set(clue.units) <= units]
    return start.conjoin(*active).allows(cell)


def check(start: Worlds, clues: list[Said], cell: Formula, reason: Reason[Said]) -> None:
    assert not start.conjoin(*(clue.formula for clue in reason.clues)).allows(cell)
    for one in reason.clues:
        rest = [clue.formula for clue in reason.clues if clue is not one]
        assert start.conjoin(*rest).allows(cell)
    assert {unit for clue in reason.clues for unit in clue.units} == set(reason.units)
    for unit in reason.units:
        assert left(start, clues, set(reason.units) - {unit}, cell)
    if reason.smallest and reason.units:
        every = sorted({unit for clue in clues for unit in clue.units})
        for fewer in combinations(every, len(reason.units) - 1):
            assert left(start, clues, set(fewer), cell)


@pytest.mark.parametrize("book", [books.TOY, books.STRANGE], ids=lambda book: book.id)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_reasons_of_random_clues(data: st.DataObject, book: Rulebook) -> None:
    sheet, rulings = data.draw(small_games(book))
    composition = Composition.of(sheet, book, rulings)
    units = st.lists(st.integers(1, 6), max_size=3, unique=True).map(tuple)
    said = st.builds(Said, formulas(composition), units)
    clues = data.draw(st.lists(said, min_size=1, max_size=7))
    start = Worlds(sheet, book, rulings)
    explainer = Explainer(start, clues)
    cell = data.draw(formulas(composition))
    every = {unit for clue in clues for unit in clue.units}
    for wanted in (cell, TRUE):
        reason = explainer.impossible(wanted)
        assert (reason is None) is left(start, clues, every, wanted)
        if reason is not None and start.allows(wanted):
            check(start, clues, wanted, reason)
            assert reason.smallest or len(reason.units) > 3


def test_a_reason_tells_the_story() -> None:
    start = Worlds(books.sheet(books.TOY, 4, ("fire",)), books.TOY, DEFAULT_RULINGS)
    boss = [RoleAtom(f"card_{n}", "boss") for n in range(4)]
    clues = [
        Said(~boss[0] & ~boss[1], (1, 2), ("R-1",), "Two stayed calm."),
        Said(~boss[3], (3,), ("R-2", "R-1"), "One was elsewhere."),
        Said(~CulpritAtom(0, "card_0"), (4,)),
        Said(TRUE, (5,)),
    ]
    explainer = Explainer(start, clues)
    reason = explainer.certain(boss[2])
    assert reason is not None
    assert reason.clues == (clues[0], clues[1])
    assert reason.units == (1, 2, 3)
    assert reason.rulings == ("R-1", "R-2")
    assert reason.text == "Two stayed calm. One was elsewhere."
    assert reason.smallest
    assert explainer.impossible(boss[2]) is None
    assert explainer.conflict() is None


def test_the_sheet_alone_is_a_reason_without_clues() -> None:
    start = Worlds(books.sheet(books.TOY, 4), books.TOY, DEFAULT_RULINGS)
    reason = Explainer(start, [Said(PlotAtom("war"), (1,))]).impossible(RoleAtom("card_0", "king"))
    assert reason == Reason((), (), (), smallest=True)


def test_a_conflict_names_what_would_repair_it() -> None:
    start = Worlds(books.sheet(books.TOY, 4, ("fire",)), books.TOY, DEFAULT_RULINGS)
    war, hunt = PlotAtom("war"), PlotAtom("hunt")
    one, other, again, same = Said(war, (1,)), Said(~war, (2,)), Said(hunt, (3,)), Said(war, (4,))
    conflict = Explainer(start, [one, other, again, same]).conflict()
    assert conflict is not None
    assert conflict.reason.units in ((1, 2), (2, 4))
    assert conflict.repairs == (2,)
    lone = Explainer(start, [one, other, again]).conflict()
    assert lone is not None
    assert lone.repairs == (1, 2)


def test_reasons_larger_than_are_tried_are_still_minimal() -> None:
    start = Worlds(books.sheet(books.BT_LIKE, 9), books.BT_LIKE, DEFAULT_RULINGS)
    clues = [Said(~RoleAtom(f"card_{n}", "brain"), (n,)) for n in range(9)]
    cell = PlotAtom("sealed")
    reason = Explainer(start, clues).impossible(cell)
    assert reason is not None
    assert reason.units == tuple(range(9))
    assert not reason.smallest
    assert all_of(clue.formula for clue in reason.clues) is all_of(c.formula for c in clues)
