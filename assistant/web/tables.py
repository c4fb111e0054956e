"""The board and the possibilities, as a page shows them: rows, cells, signs and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from assistant.web.names import Names, card_name, deck_name
from engine.board import Board, Card
from engine.kleene import NO, YES
from engine.words import ALL_TOKENS, LOCATIONS, OFF_BOARD

if TYPE_CHECKING:
    from assistant.deduction import Deduction

SIGNS: Final[Mapping[str, str]] = {
    "impossible": "\N{MULTIPLICATION SIGN}",
    "possible": "?",
    "certain": "\N{HEAVY CHECK MARK}",
}
"""What stands in a cell, so that nobody needs to tell colours apart."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One question and its answer.

    Attributes:
        state: ``impossible``, ``possible`` or ``certain``.
        worlds: in how many worlds it is so.
        text: question and answer in words.
        ask: the parameters of the address that says why.
    """

    state: str
    worlds: int
    text: str
    ask: Mapping[str, object]

    @property
    def sign(self) -> str:
        """Return the sign of its state."""
        return SIGNS[self.state]

    @property
    def query(self) -> str:
        """Return the question as it stands in the address of its page."""
        return urlencode(self.ask)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of cells.

    Attributes:
        columns: what stands above.
        rows: what stands at the left, with its cells.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class Possibilities:
    """What a game leaves possible.

    Attributes:
        worlds: how many worlds.
        role_worlds: how many ways to give plots and roles.
        all_worlds: how many worlds there were without any record.
        main, sub: the plots.
        combinations: the plots that go together, with their worlds, most worlds first.
        roles: characters by roles.
        culprits: characters by incidents, ``None`` without incidents.
        late: late characters, what their entry is counted in, and a cell by entry.
    """

    worlds: int
    role_worlds: int
    all_worlds: int
    main: tuple[tuple[str, Cell], ...]
    sub: tuple[tuple[str, Cell], ...]
    combinations: tuple[tuple[str, int], ...]
    roles: Grid
    culprits: Grid | None
    late: tuple[tuple[str, str, tuple[tuple[str, Cell], ...]], ...]


def possibilities(deduction: Deduction, names: Names) -> Possibilities:
    """Return what a game leaves possible, for a page."""
    answer = deduction.answer()
    rules = names.rules
    plots = answer["plots"]
    combinations = [
        (" + ".join(names.of(plot) for plot in entry["plots"]), entry["worlds"])
        for entry in answer["combinations"]
    ]
    return Possibilities(
        answer["worlds"],
        answer["plot_role_worlds"],
        deduction.fresh.count(),
        tuple((plot.name, _plot(names, plot.id, plots[plot.id])) for plot in rules.main_plots()),
        tuple((plot.name, _plot(names, plot.id, plots[plot.id])) for plot in rules.subplots()),
        tuple(sorted(combinations, key=lambda item: -item[1])),
        _roles(names, answer["roles"]),
        _culprits(names, answer["culprits"]),
        _late(names, answer["entries"]),
    )


def _plot(names: Names, plot: str, entry: Mapping[str, Any]) -> Cell:
    state = entry["state"]
    return Cell(state, entry["worlds"], f"{names.of(plot)}: {state}", {"plot": plot})


def _roles(names: Names, roles: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Grid:
    def cell(who: str, role: str) -> Cell:
        entry = roles[who].get(role, {"state": "impossible", "worlds": 0})
        text = f"{names.of(who)} as {names.of(role)}: {entry['state']}"
        return Cell(entry["state"], entry["worlds"], text, {"who": who, "role": role})

    columns = tuple(names.rules.roles)
    people = names.in_order(roles)
    return Grid(
        tuple(names.of(role) for role in columns),
        tuple((names.of(who), tuple(cell(who, role) for role in columns)) for who in people),
    )


def _late(
    names: Names, entries: Mapping[str, Mapping[str, Any]]
) -> tuple[tuple[str, str, tuple[tuple[str, Cell], ...]], ...]:
    def cell(who: str, value: str, entry: Mapping[str, Any]) -> Cell:
        text = f"{names.of(who)}, {value}: {entry['state']}"
        return Cell(entry["state"], entry["worlds"], text, {"who": who, "entry": value})

    return tuple(
        (
            names.of(who),
            late["counts"],
            tuple((value, cell(who, value, entry)) for value, entry in late["cells"].items()),
        )
        for who, late in entries.items()
        if len(late["cells"]) > 1
    )


def _culprits(names: Names, incidents: Iterable[Mapping[str, Any]]) -> Grid | None:
    schedule = list(incidents)
    if not schedule:
        return None

    def cell(who: str, number: int) -> Cell:
        item = schedule[number]
        entry = item["candidates"].get(who, {"state": "impossible", "worlds": 0})
        what = f"{names.of(item['incident'])} on day {item['day']}"
        text = f"{names.of(who)} as culprit of {what}: {entry['state']}"
        return Cell(entry["state"], entry["worlds"], text, {"who": who, "incident": number})

    people = names.in_order(who for item in schedule for who in item["candidates"])
    return Grid(
        tuple(f"Day {item['day']}: {names.of(item['incident'])}" for item in schedule),
        tuple(
            (names.of(who), tuple(cell(who, number) for number in range(len(schedule))))
            for who in people
        ),
    )


@dataclass(frozen=True, slots=True)
class OnBoard:
    """One card as it lies on the board.

    Attributes:
        id, name: which character.
        life: ``alive``, ``dead`` or ``unknown``.
        tokens: the kinds of tokens on it, each with its number or ``?``.
        curses: how many curse cards it carries.
    """

    id: str
    name: str
    life: str
    tokens: tuple[tuple[str, str], ...]
    curses: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A location with what lies there.

    Attributes:
        name: of the location, or what else is to be said of where the cards are.
        intrigue: the number on the location itself, ``?`` if unknown, empty for none.
        curses: how many curse cards lie on it.
        corpses: where Intrigue counts as corpses, how many lie there in all; empty for none.
    """

    id: str
    name: str
    intrigue: str
    cards: tuple[OnBoard, ...]
    curses: int = 0
    corpses: str = ""


def places(board: Board, names: Names) -> list[Place]:
    """Return the four locations, and after them the cards that are elsewhere or unknown."""
    found = [
        Place(
            place,
            names.of(place),
            _count(board.intrigue[place]),
            _cards(board, names, place),
            board.curses.count(place),
            _corpses(board, place) if names.rules.victims else "",
        )
        for place in LOCATIONS
    ]
    for where, name in ((None, "Place unknown"), (OFF_BOARD, "Not on the board")):
        cards = _cards(board, names, where)
        if cards:
            found.append(Place(where or "unknown", name, "", cards))
    return found


def spent(board: Board) -> list[tuple[str, str]]:
    """Return whose once-a-loop cards are out, and which."""
    return [
        (deck_name(deck), ", ".join(map(card_name, cards)))
        for deck, cards in board.spent.items()
        if cards
    ]


def beside(board: Board, names: Names) -> list[str]:
    """Return what else lies open: the Extra Gauge, Extra cards, and who or what is held fast."""
    found = []
    if names.rules.uses_gauge:
        value = "?" if board.gauge is None else board.gauge
        found.append(f"The Extra Gauge stands at {value}.")
    for who in names.in_order(board.extra_cards):
        found.append(f"{names.of(who)} has an Extra card: no Protagonist card may lie there.")
    for place in LOCATIONS:
        fact = board.effect("closed", place)
        if fact != NO:
            perhaps = "" if fact == YES else "perhaps "
            found.append(f"{names.of(place)} is {perhaps}closed: nobody moves there or away.")
    for who in board.cards:
        fact = board.locked(who)
        if fact == YES:
            found.append(f"{names.of(who)} cannot be moved today.")
    return found


def on_board(who: str, card: Card, names: Names) -> OnBoard:
    """Return how a card lies on the board."""
    counts = ((token, _count(card.tokens(token))) for token in ALL_TOKENS)
    return OnBoard(
        who,
        names.of(who),
        {YES: "alive", NO: "dead"}.get(card.alive, "unknown"),
        tuple((token, count) for token, count in counts if count),
    )


def _cards(board: Board, names: Names, place: str | None) -> tuple[OnBoard, ...]:
    cards = board.cards.items()
    return tuple(
        replace(on_board(who, card, names), curses=board.curses.count(who))
        for who, card in cards
        if card.at == place
    )


def _corpses(board: Board, place: str) -> str:
    low, high = board.corpses_at(place)
    if low == high:
        return str(low) if low else ""
    return f"{low} or more"


def _count(count: int | None) -> str:
    return "?" if count is None else str(count) if count else ""
