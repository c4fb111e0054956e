"""The worlds on which the sides are compared, and how formulas are evaluated on them."""

from random import Random

import pytest
from msgspec import structs

from assistant.judge import broken_clues
from assistant.lab.drawing import exactly, isolate, near_misses
from assistant.lab.evaluation import truths
from assistant.lab.sides import Books, Sides
from assistant.worlds import Worlds
from engine.legality import violations
from engine.rules.model import Rulebook
from engine.rulings import DEFAULT_RULINGS
from engine.sets import RULEBOOKS
from tests.lab.games import games
from tests.worlds import books

SPEC = games(1)[0]
RULES = RULEBOOKS[SPEC.script.set]
SIDES = Sides(SPEC.play().transcript, Books(RULES, RULES))
FRESH = Worlds(SIDES.transcript.sheet, RULES, DEFAULT_RULINGS)


def test_formulas_are_evaluated_as_the_judge_does() -> None:
    rng = Random(1)
    worlds = [*FRESH.sample(rng, 30), *SIDES.worlds(FRESH).sample(rng, 10)]
    table = truths([clue.formula for clue in SIDES.clues], worlds, SIDES.rulings)
    for column, world in enumerate(worlds):
        broken = broken_clues(SIDES.clue_table, SIDES.clues, SIDES.script(world))
        mine = [clue for row, clue in enumerate(SIDES.clues) if not table[row, column]]
        assert mine == list(broken)


def test_an_isolated_world_breaks_one_clue() -> None:
    isolation = isolate(FRESH, SIDES.clues, Random(2), wanted=1000)
    assert isolation.found
    for number, world in isolation.found:
        (said,) = SIDES.by_clues([SIDES.script(world)])
        assert said.broken == (number,)
    looked_at = isolation.tested.total() + isolation.implied.total()
    assert looked_at == len(SIDES.clues)
    assert isolation.tested.total() == len(isolation.found)


def test_kinds_of_clues_take_turns() -> None:
    all_of_them = isolate(FRESH, SIDES.clues, Random(2), wanted=1000)
    some = isolate(FRESH, SIDES.clues, Random(2), wanted=len(all_of_them.tested))
    assert set(some.tested) | set(some.implied) == {clue.kind for clue in SIDES.clues}


def test_near_misses_are_legal_and_not_the_truth() -> None:
    truth = structs.replace(SPEC.script, loops=(SIDES.transcript.sheet.loops,))
    found = near_misses(truth, Random(3), RULES, 10)
    assert 5 <= len(found) <= 10
    assert truth not in found
    assert len({repr(script) for script in found}) == len(found)
    assert all(not violations(script, rulebook=RULES) for script in found)


def test_exactly_one_world_is_the_one_that_is_meant() -> None:
    world = FRESH.sample(Random(4), 1)[0]
    assert FRESH.conjoin(exactly(world, FRESH.composition)).count() == 1


@pytest.mark.parametrize("book", [books.TOY, books.STRANGE], ids=lambda book: book.id)
def test_exactly_one_world_also_with_late_cards_and_extra_plots(book: Rulebook) -> None:
    sheet = structs.replace(books.sheet(book, 3, ("fire",)), cast_complete=False)
    fresh = Worlds(sheet, book, DEFAULT_RULINGS)
    worlds = fresh.sample(Random(5), 40)
    assert any(len(world.roles) < len(fresh.composition.slots) for world in worlds)
    for world in worlds:
        (only,) = fresh.conjoin(exactly(world, fresh.composition)).listing(2)
        assert only.secrets() == world.secrets()
