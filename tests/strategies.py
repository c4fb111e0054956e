"""All hypothesis strategies of the tests."""

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from assistant.formula import (
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    Formula,
    PlotAtom,
    RoleAtom,
    RulingAtom,
    all_of,
    any_of,
    at_least,
)
from assistant.worlds import Composition
from engine.rules.model import Rulebook
from engine.rulings import TableRulings
from engine.script import Sheet
from tests.worlds import books

OPEN_RULINGS = ("forbid_intrigue_counts_players", "hospital_key_person_first")


@st.composite
def small_games(draw: st.DrawFn, rulebook: Rulebook = books.TOY) -> tuple[Sheet, TableRulings]:
    """Sheets of a toy rulebook, and rulings, with few enough worlds to list them all."""
    ids = [card.id for card in rulebook.characters.values()]
    late = [card.id for card in rulebook.characters.values() if card.entry]
    lenient = draw(st.sampled_from([False] * 5 + [True]))
    most = 3 if lenient else 4
    odd = draw(st.sets(st.sampled_from(ids[len(books.ORDINARY) :]), max_size=2))
    complete = lenient or draw(st.booleans())
    hidden = 0 if complete else len(set(late) - odd)
    ordinary = draw(st.integers(0 if odd else 1, max(1, most - len(odd) - hidden)))
    names = st.sampled_from(sorted(rulebook.incidents))
    sheet = books.sheet(
        rulebook,
        tuple(draw(st.permutations([*ids[:ordinary], *sorted(odd)]))),
        tuple(draw(st.lists(names, max_size=1 if lenient else 3))),
        cast_complete=complete,
        loops=2,
        days=draw(st.integers(1, 2)),
    )
    chosen: dict[str, bool | None] = {"script_obeys_creation_rules": not lenient}
    if draw(st.booleans()):
        chosen["mystery_boy_may_be_person"] = True
    if draw(st.booleans()):
        chosen[OPEN_RULINGS[0]] = draw(st.booleans())
    chosen["extra_plot_roles_in_cast"] = draw(st.sampled_from([None, True, False]))
    return sheet, TableRulings(chosen)


def atoms_of(composition: Composition) -> SearchStrategy[Atom]:
    """Atoms about a sheet, some of them about nothing on it."""
    who = st.sampled_from([*composition.suspects, "stranger"])
    options: list[SearchStrategy[Atom]] = [
        st.builds(RoleAtom, who, st.sampled_from(sorted(composition.rulebook.roles))),
        st.builds(PlotAtom, st.sampled_from(sorted(composition.rulebook.plots))),
        st.builds(CulpritAtom, st.integers(0, len(composition.incidents)), who),
        st.builds(CulpritAtom, st.integers(0, len(composition.incidents)), who),
        st.builds(FirstSubplotAtom, st.sampled_from(sorted(composition.rulebook.plots))),
        st.builds(ExtraPlotAtom, st.sampled_from(sorted(composition.rulebook.plots))),
        st.builds(CastAtom, who),
        st.builds(EntryAtom, who, st.integers(1, 3)),
        st.builds(RulingAtom, st.sampled_from(OPEN_RULINGS)),
    ]
    return st.one_of(options)


def formulas(composition: Composition) -> SearchStrategy[Formula]:
    """Formulas of any shape."""
    return st.recursive(
        atoms_of(composition),
        lambda inner: st.one_of(
            inner.map(lambda formula: ~formula),
            st.lists(inner, max_size=4).map(all_of),
            st.lists(inner, max_size=4).map(any_of),
            st.builds(at_least, st.integers(0, 3), st.lists(inner, max_size=5)),
        ),
        max_leaves=8,
    )


@st.composite
def incident_clues(draw: st.DrawFn, composition: Composition) -> Formula:
    """The common form: whoever may be the culprit, each under a condition of its own."""
    number = draw(st.integers(0, max(0, len(composition.incidents) - 1)))
    condition = formulas(composition)
    parts = []
    for who in composition.suspects:
        culprit = CulpritAtom(number, who)
        own = st.sampled_from(sorted(composition.rulebook.roles)).map(partial(RoleAtom, who))
        parts.append(
            culprit & draw(st.one_of(st.just(culprit), own, own.map(lambda f: ~f), condition))
        )
    return any_of(parts)


def clues(composition: Composition) -> SearchStrategy[list[Formula]]:
    """A few clues."""
    one = st.one_of(formulas(composition), incident_clues(composition))
    return st.lists(one, max_size=3)
