"""Why something is so, as a page says it: sentences, and the records that they rest on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from assistant.clues.model import Clue, Unit, UnitKind
from assistant.clues.view import when
from assistant.formula import CastAtom, CulpritAtom, EntryAtom, Formula, PlotAtom, RoleAtom
from assistant.web.moments import write_moment
from assistant.web.names import Names
from assistant.web.page import RecordView
from assistant.web.tables import OnBoard, Place, on_board, places
from engine.words import LOCATIONS

if TYPE_CHECKING:
    from assistant.deduction import Deduction
    from assistant.explain import Conflict, Reason
    from engine.table import Step

_KINDS: Final = {
    UnitKind.OBSERVED: "what was noted",
    UnitKind.COMPLETE: "that nothing else happened",
    UnitKind.CONTINUED: "that play went on after it",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A cell that somebody wants explained.

    Attributes:
        title: what is asked, as a statement.
        formula: the statement.
        who: the character that it is about, empty for none.
        worlds: in how many worlds it is so.
        total: of how many.
    """

    title: str
    formula: Formula
    who: str
    worlds: int
    total: int

    @property
    def state(self) -> str:
        """Return ``impossible``, ``possible`` or ``certain``."""
        from assistant.deduction import cell_state

        return cell_state(self.worlds, self.total)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One step on which a reason rests.

    Attributes:
        address: the step, as it stands in addresses.
        when: the step in words.
        what: what about the step is used.
        records: its records, where they are used.
        who: the character that the question is about, as it lay on the board then.
        limit: its limit of Unease.
        board: the board before the step.
        repairs: whether withdrawing this alone would leave a world.
    """

    address: str
    when: str
    what: str
    records: tuple[RecordView, ...]
    who: OnBoard | None
    limit: int | None
    place: str
    board: tuple[Place, ...]
    repairs: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reason, for a page.

    Attributes:
        sentences: what each clue says, with the rulings that it follows.
        evidence: what they rest on, in the order of play.
        smallest: it is proved that less evidence cannot settle it.
    """

    sentences: tuple[tuple[str, str], ...]
    evidence: tuple[Evidence, ...]
    smallest: bool


def question(deduction: Deduction, names: Names, asked: dict[str, str]) -> Question | None:
    """Return the question of an address, ``None`` when it is none of this game."""
    worlds, rules = deduction.worlds, names.rules
    total = worlds.count()
    who = asked.get("who", "")
    if "plot" in asked:
        plot = asked["plot"]
        if plot not in rules.plots:
            return None
        title = f"The plot {names.of(plot)}"
        return Question(title, PlotAtom(plot), "", worlds.plots().get(plot, 0), total)
    if who not in rules.characters and who not in LOCATIONS:
        return None
    if "role" in asked:
        role = asked["role"]
        if role not in rules.roles or who not in rules.characters:
            return None
        title = f"{names.of(who)} as {names.of(role)}"
        return Question(title, RoleAtom(who, role), who, worlds.roles().get((who, role), 0), total)
    if "entry" in asked:
        value = asked["entry"]
        key = (who, None if value == "never" else int(value) if value.isdecimal() else -1)
        if key not in worlds.entries():
            return None
        formula = ~CastAtom(who) if key[1] is None else EntryAtom(who, key[1])
        when_ = "is not in the cast" if key[1] is None else f"enters on {value}"
        return Question(f"{names.of(who)} {when_}", formula, who, worlds.entries()[key], total)
    number = asked.get("incident", "")
    schedule = deduction.table.sheet.incidents
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        return None
    if int(number) >= len(schedule):
        return None
    item = schedule[int(number)]
    title = f"{names.of(who)} as culprit of {names.of(item.incident)} on day {item.day}"
    count = worlds.culprits().get((int(number), who), 0)
    return Question(title, CulpritAtom(int(number), who), who, count, total)


Follows = tuple[tuple[str, str], ...]
"""Cells that would stand otherwise, in words, with their states."""


def follows(
    cells: Iterable[tuple[Formula, str]], supposed: Formula, deduction: Deduction, names: Names
) -> Follows:
    """Return what would follow from a supposition, without itself, what is certain first."""
    schedule = deduction.table.sheet.incidents
    found = []
    for cell, state in cells:
        match cell:
            case PlotAtom(plot):
                words = f"The plot {names.of(plot)}"
            case RoleAtom(who, role):
                words = f"{names.of(who)} as {names.of(role)}"
            case CulpritAtom(number, who):
                item = schedule[number]
                words = f"{names.of(who)} as culprit of {names.of(item.incident)}, day {item.day}"
            case _:
                continue
        if cell is not supposed:
            found.append((words, state))
    return tuple(sorted(found, key=lambda item: item[1]))


def explanation(
    reason: Reason[Clue],
    deduction: Deduction,
    names: Names,
    who: str = "",
    repairs: Iterable[Hashable] = (),
) -> Explanation:
    """Return a reason, for a page.

    Args:
        reason: the reason.
        deduction: the game.
        names: what things are called.
        who: the character that the question is about.
        repairs: units of which each, withdrawn alone, would leave a world.
    """
    steps: dict[int, list[Unit]] = {}
    for unit in reason.units:
        assert isinstance(unit, Unit)  # the units of clues are nothing else
        steps.setdefault(unit.step, []).append(unit)
    doubtful = set(repairs)
    evidence = [
        _evidence(deduction.table.steps[number], units, names, who, doubtful)
        for number, units in sorted(steps.items())
    ]
    return Explanation(
        tuple((clue.text, ", ".join(clue.rulings)) for clue in reason.clues),
        tuple(evidence),
        reason.smallest,
    )


def conflict(found: Conflict[Clue], deduction: Deduction, names: Names) -> Explanation:
    """Return why no world is left, for a page."""
    return explanation(found.reason, deduction, names, "", found.repairs)


def _evidence(
    step: Step, units: Sequence[Unit], names: Names, who: str, doubtful: set[Any]
) -> Evidence:
    kinds = {unit.kind for unit in units}
    noted = zip(step.numbers, step.records, strict=True) if UnitKind.OBSERVED in kinds else ()
    card = step.before.cards.get(who)
    character = names.rules.characters.get(who)
    return Evidence(
        write_moment(step.at),
        when(step.at),
        " and ".join(text for kind, text in _KINDS.items() if kind in kinds),
        tuple(RecordView(number + 1, names.record(record), record) for number, record in noted),
        None if card is None else on_board(who, card, names),
        None if character is None else character.limit,
        "" if card is None or card.at is None else names.of(card.at),
        tuple(places(step.before, names)),
        any(unit in doubtful for unit in units),
    )
