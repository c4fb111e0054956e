"""What is worth having in a script: read off the rule text, for players to aim at.

No role, plot or card is named here: conditions say where Intrigue and Unease matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.kleene import YES
from engine.rules.conditions import (
    AtLeast,
    AtLeastGauge,
    Both,
    CardsWithIntrigue,
    Condition,
    CorpsesAtOwnStart,
    IntrigueOnCorpses,
    OnOwnStart,
    OnPlace,
    OnSelf,
    SomeHolder,
)
from engine.rules.model import (
    KillEveryoneAt,
    KillEveryoneHere,
    KillHolder,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    StepAway,
    Timing,
)
from engine.view import ScriptView, World
from engine.words import (
    DIAGONAL,
    HORIZONTAL,
    INTRIGUE,
    LOCATIONS,
    UNEASE,
    VERTICAL,
    move_from,
)

_MUCH = 4
"""As much Intrigue as the highest gauge that leaves a loop to play."""


@dataclass(slots=True)
class Aims:
    """Where tokens help the Mastermind.

    Attributes:
        places: locations on which Intrigue counts, with how much is needed.
        starts: cards whose starting location is such a place.
        people: (card, token) on which tokens count.
        culprits: culprits by day of their incident.
        pairs: (killer, victim) who have to meet.
        laden_corpses: Intrigue on the dead counts, so that they should have some (HS-01).
    """

    places: dict[str, int] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    people: dict[tuple[str, str], int] = field(default_factory=dict)
    culprits: dict[int, str] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    laden_corpses: bool = False


def aims_of(world: World) -> Aims:
    """Return what the Mastermind of a script should aim at."""
    aims = Aims()
    for timing in (Timing.LOOP_END, Timing.NIGHT):
        for holding in world.holdings(timing):
            for condition in _parts(holding.ability.when):
                _note(world, aims, condition, holding.holder)
            deed = holding.ability.does
            if isinstance(deed, KillHolder):
                for who, role in world.role.items():
                    if role == deed.role:
                        aims.people[who, deed.token] = deed.n
                        if holding.holder is not None:
                            aims.pairs.append((holding.holder, who))
    for holding in world.holdings(Timing.MASTERMIND):
        if isinstance(holding.ability.does, StepAway):
            for condition in _parts(holding.ability.when):
                _note(world, aims, condition, holding.holder)
    if any(shift.corpses for plot, shift in world.rules.shifts if plot in world.plots):
        for place in LOCATIONS:  # every victim is a body more (HS-01)
            aims.places.setdefault(place, 6)
    for number, item in enumerate(world.sheet.incidents):
        culprit = world.culprits[number]
        incident = world.rules.incidents[item.incident]
        if culprit is not None and culprit in world.rules.characters:
            aims.culprits[item.day] = culprit
            limit = world.rules.characters[culprit].limit + incident.limit_change
            for token in incident.counts:
                aims.people.setdefault((culprit, token), limit)
        for part in incident.parts:
            if culprit in LOCATIONS:
                needed = part.n if isinstance(part, KillProtagonistsByCorpses) else 2
                aims.places[culprit] = max(needed, aims.places.get(culprit, 0))
            if isinstance(part, KillProtagonistsAt | KillEveryoneAt):
                aims.places[part.place] = max(part.n, aims.places.get(part.place, 0))
            elif isinstance(part, KillEveryoneHere) and culprit in world.rules.characters:
                assert culprit is not None
                aims.people.setdefault((culprit, INTRIGUE), part.n)
            elif isinstance(part, KillOne) and part.token == INTRIGUE:
                for who in world.role:
                    if world.death_ends_loop(who) == YES:
                        aims.people[who, INTRIGUE] = part.n
    return aims


def _parts(condition: Condition) -> Iterator[Condition]:
    if isinstance(condition, Both):
        yield from _parts(condition.first)
        yield from _parts(condition.second)
    else:
        yield condition


def _note(world: World, aims: Aims, condition: Condition, holder: str | None) -> None:
    if isinstance(condition, SomeHolder):
        for who, role in world.role.items():
            if role == condition.role:
                for part in _parts(condition.condition):
                    _note(world, aims, part, who)
        return
    if isinstance(condition, AtLeastGauge) and isinstance(condition.what, OnPlace):
        aims.places[condition.what.place] = _MUCH
    if not isinstance(condition, AtLeast):
        return
    match condition.what:
        case OnPlace(place=place):
            aims.places[place] = condition.n
        case OnOwnStart() | CorpsesAtOwnStart() if holder is not None:
            aims.starts[holder] = condition.n
        case OnSelf(token=token) if holder is not None:
            aims.people[holder, token] = condition.n
        case CardsWithIntrigue():
            for who in world.role:
                aims.people.setdefault((who, INTRIGUE), 1)
        case IntrigueOnCorpses():
            aims.laden_corpses = True
            for who in world.role:
                aims.people.setdefault((who, INTRIGUE), condition.n)
        case _:
            pass


def worth(view: ScriptView, aims: Aims, on: str, token: str) -> int:
    """Return how much one more token on a card or location is worth now."""
    board = view.board
    count = board.tokens(token, on) or 0
    if on in board.intrigue:
        needed = aims.places.get(on, 0)
        for who, n in aims.starts.items():
            if board.starts.get(who) == on:
                needed = max(needed, n)
        return 3 if token == INTRIGUE and count < needed else 0
    needed = aims.people.get((on, token), 0)
    value = 2 if count < needed else 0
    if token == UNEASE and value:
        for day, culprit in aims.culprits.items():
            if culprit == on and board.day <= day <= board.day + 2:
                value = 4
    return value


def meetings(view: ScriptView, aims: Aims) -> Iterator[tuple[str, str]]:
    """Yield (card, direction) of the moves that bring a killer and a victim together."""
    board = view.board
    for pair in aims.pairs:
        if not all(board.alive(who) for who in pair):
            continue
        places = [str(board.cards[who].at) for who in pair]
        for mover, start, goal in ((pair[0], *places), (pair[1], *reversed(places))):
            for direction in (VERTICAL, HORIZONTAL, DIAGONAL):
                if start != goal and move_from(start, direction) == goal:
                    yield mover, direction
