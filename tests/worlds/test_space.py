"""What else ``Worlds`` promises: samples, shares, memory, readings, conversion."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formula import (
    FALSE,
    TRUE,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    FirstSubplotAtom,
    Formula,
    PlotAtom,
    RoleAtom,
    RulingAtom,
    any_of,
    evaluate,
)
from assistant.worlds import Composition, Worlds, diagram, script_of, space, world_of
from engine.rulings import DEFAULT_RULINGS, TableRulings
from tests.strategies import clues, small_games
from tests.worlds import books
from tests.worlds.books import BT_LIKE, STRANGE, TOY

OPEN = "hospital_key_person_first"


def toy_worlds(cast: tuple[str, ...] | int = 4, *incidents: str) -> Worlds:
    return Worlds(books.sheet(TOY, cast, incidents), TOY, DEFAULT_RULINGS)


def test_conjoining_leaves_the_larger_value_alone() -> None:
    worlds = toy_worlds(4, "fire")
    count = worlds.count()
    smaller = worlds.conjoin(RoleAtom("card_1", "boss"))
    assert 0 < smaller.count() < count == worlds.count()
    assert worlds.conjoin(TRUE) is worlds
    assert not worlds.conjoin(FALSE).any()
    assert worlds.conjoin(FALSE).count() == 0


def test_what_is_not_on_the_sheet_is_false() -> None:
    worlds = toy_worlds(4, "fire")
    for atom in (
        RoleAtom("stranger", "boss"),
        RoleAtom("card_0", "emperor"),
        PlotAtom("picnic"),
        CulpritAtom(1, "card_0"),
        CulpritAtom(0, "stranger"),
        CastAtom("loop_card"),
        EntryAtom("card_0", 1),
    ):
        assert not worlds.allows(atom)
        assert worlds.entails(~atom)
    assert worlds.entails(CastAtom("card_0"))


def test_nothing_is_possible_and_everything_certain_without_worlds() -> None:
    nothing = toy_worlds().conjoin(FALSE)
    assert nothing.entails(PlotAtom("war"))
    assert not nothing.allows(PlotAtom("war"))
    with pytest.raises(ValueError, match="no world"):
        nothing.shares()
    with pytest.raises(ValueError, match="no world"):
        nothing.sample(Random(0), 1)


def test_open_rulings_do_not_multiply_worlds() -> None:
    worlds = toy_worlds(4, "fire")
    boss = any_of(RoleAtom(f"card_{n}", "boss") for n in (0, 2))
    hunt = PlotAtom("hunt")
    read = worlds.conjoin((RulingAtom(OPEN) & boss) | (~RulingAtom(OPEN) & hunt))
    assert read.count() == worlds.conjoin(boss | hunt).count()
    assert len(read.readings()) == 2
    strict = read.conjoin(~RulingAtom(OPEN))
    assert strict.count() == worlds.conjoin(hunt).count()
    assert [reading.rulings for reading in strict.readings()] == [{OPEN: False}]
    assert all(evaluate(hunt, world) and not world.rulings[OPEN] for world in strict)


def test_one_reading_holds_for_all_clues() -> None:
    worlds = toy_worlds(4, "fire")
    war, hunt = PlotAtom("war"), PlotAtom("hunt")
    one = RulingAtom(OPEN) & war
    other = ~RulingAtom(OPEN) & hunt
    assert worlds.allows(one)
    assert worlds.allows(other)
    assert not worlds.conjoin(one, other).any()


def test_a_ruling_that_the_table_decided_is_no_variable() -> None:
    rulings = TableRulings({OPEN: True})
    worlds = Worlds(books.sheet(TOY, 4), TOY, rulings)
    assert worlds.entails(RulingAtom(OPEN))
    with pytest.raises(KeyError):
        worlds.allows(RulingAtom("no_such_ruling"))


def test_the_first_subplot_is_a_reading_too() -> None:
    worlds = toy_worlds()
    named = worlds.conjoin(FirstSubplotAtom("hunt"))
    assert named.count() == worlds.conjoin(PlotAtom("hunt")).count()
    assert all(world.plots[1] == "hunt" for world in named)
    assert not named.allows(FirstSubplotAtom("fog"))
    assert not worlds.allows(FirstSubplotAtom("war"))


def test_a_full_store_is_replaced_by_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = books.sheet(BT_LIKE, 9, ("incident_0", "incident_1"))
    roomy = Worlds(sheet, BT_LIKE, DEFAULT_RULINGS)
    monkeypatch.setattr(diagram.grow_until, "__defaults__", (1 << 14,))
    tight = Worlds(sheet, BT_LIKE, DEFAULT_RULINGS)
    first = tight._state.room.store.nodes
    for n in range(40):
        clue: Formula = any_of(
            RoleAtom(f"card_{(n + k) % 9}", role)
            for k, role in enumerate(("person", "brain", "friend", "key", "cultist"))
        )
        tight, roomy = tight.conjoin(clue), roomy.conjoin(clue)
    assert tight.count() == roomy.count()
    assert tight.roles() == roomy.roles()
    assert tight._state.room.store.nodes > first or first > 1 << 14
    monkeypatch.setattr(diagram, "MOST_NODES", 1 << 10)
    with pytest.raises(MemoryError, match="do not fit"):
        Worlds(sheet, BT_LIKE, DEFAULT_RULINGS)


def test_growing_in_the_middle_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = toy_worlds(4, "fire").conjoin(~RoleAtom("card_0", "friend"))
    expected = worlds.count()
    failing = iter([True, False])
    real = space.extract

    def extract(store: diagram.Store, diagrams: list[diagram.Diagram]) -> object:
        if next(failing, False):
            raise diagram.DDMemoryError
        return real(store, diagrams)

    monkeypatch.setattr(space, "extract", extract)
    again = toy_worlds(4, "fire").conjoin(~RoleAtom("card_0", "friend"))
    nodes = again._state.room.store.nodes
    assert again.count() == expected
    assert again._state.room.store.nodes == 4 * nodes


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_shares_weigh_each_combination_by_its_size(data: st.DataObject) -> None:
    sheet, rulings = data.draw(small_games(TOY))
    start = Worlds(sheet, TOY, rulings)
    worlds = start.conjoin(*data.draw(clues(Composition.of(sheet, TOY, rulings))))
    listed = worlds.listing(3_000)
    if not listed or worlds.count() > len(listed):
        return
    sizes = start.combinations()
    order = {frozenset(plots): plots for plots in sizes}
    weights = [Fraction(1, sizes[order[frozenset(world.plots)]]) for world in listed]
    total = sum(weights)
    shares = worlds.shares()
    expected: Counter[object] = Counter()
    for world, weight in zip(listed, weights, strict=True):
        keys = [*world.plots, *world.roles.items(), *enumerate(world.culprits)]
        for key in keys:
            expected[key] += weight / total  # type: ignore[assignment]
    for key, share in [*shares.plots.items(), *shares.roles.items(), *shares.culprits.items()]:
        assert share == pytest.approx(float(expected[key]))


def test_samples_follow_the_shares() -> None:
    worlds = toy_worlds(4, "fire", "series").conjoin(~CulpritAtom(0, "card_1"))
    drawn = worlds.sample(Random(7), 4_000)
    plots = Counter(plot for world in drawn for plot in world.plots)
    roles = Counter(item for world in drawn for item in world.roles.items())
    culprits = Counter(item for world in drawn for item in enumerate(world.culprits))
    shares = worlds.shares()
    for counted, expected in ((plots, shares.plots), (roles, shares.roles)):
        for key, share in expected.items():
            assert counted[key] / 4_000 == pytest.approx(share, abs=0.04)
    for cell, share in shares.culprits.items():
        assert culprits[cell] / 4_000 == pytest.approx(share, abs=0.04)
    assert worlds.sample(Random(8), 5) == worlds.sample(Random(8), 5)


@pytest.mark.parametrize("book", [TOY, STRANGE], ids=lambda book: book.id)
def test_a_world_survives_the_way_through_a_script(book: object) -> None:
    assert book in (TOY, STRANGE)
    rulebook = TOY if book is TOY else STRANGE
    incidents = ("fire", "series") if book is TOY else ("fire", "riot")
    cast = ("card_0", "card_1", "outsider", "card_2")
    sheet = books.sheet(rulebook, cast, incidents, cast_complete=False)
    for world in Worlds(sheet, rulebook, DEFAULT_RULINGS).sample(Random(3), 40):
        again = world_of(script_of(world, sheet, rulebook), sheet, rulebook)
        assert again == world
        assert hash(again) == hash(world)


def test_a_script_that_does_not_fit_the_sheet_is_refused() -> None:
    sheet = books.sheet(TOY, 4, ("fire",))
    world = Worlds(sheet, TOY, DEFAULT_RULINGS).listing(1)[0]
    script = script_of(world, sheet, TOY)
    with pytest.raises(ValueError, match="the sheet has no fire"):
        world_of(script, books.sheet(TOY, 4), TOY)
    with pytest.raises(ValueError, match="the script has no series"):
        world_of(script, books.sheet(TOY, 4, ("fire", "series")), TOY)


@pytest.mark.parametrize(
    ("cast", "incidents", "words"),
    [
        (("nobody",), (), "does not know"),
        (("card_0", "card_0"), (), "twice"),
        (("card_0",), ("picnic",), "no incident"),
    ],
)
def test_a_sheet_that_does_not_fit_the_set_is_refused(
    cast: tuple[str, ...], incidents: tuple[str, ...], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Worlds(books.sheet(TOY, cast, incidents), TOY, DEFAULT_RULINGS)


def test_numbers_beyond_64_bits_are_exact() -> None:
    incidents = tuple(f"incident_{n % 6}" for n in range(8))
    free = TableRulings({"script_obeys_creation_rules": False})
    sheet = books.sheet(BT_LIKE, 12, incidents)
    worlds = Worlds(sheet, BT_LIKE, free)
    assert worlds.count() == 105 * 13**12 * 12**8
    assert worlds.roles()["card_3", "brain"] == 105 * 13**11 * 12**8
    assert worlds.culprits()[2, "card_4"] == 105 * 13**12 * 12**7
    assert worlds.shares().roles["card_3", "brain"] == pytest.approx(1 / 13)
