"""The Mastermind's step read backward: which uses explain what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assistant.clues import haunting, knowledge
from assistant.clues.events import Event, events_of
from assistant.clues.matching import Source, explain
from assistant.clues.model import Flags, Piece, completed, observed
from assistant.clues.reach import hits, reach, turf_of
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of, at_most
from engine import kleene
from engine.kleene import NO, YES
from engine.rules.conditions import ALWAYS, Actor, IsDead
from engine.rules.model import (
    Ability,
    ChangeTokens,
    On,
    Place,
    PlaceOneOf,
    Role,
    StepAway,
    Timing,
)
from engine.rules.queries import plot_abilities, role_abilities
from engine.table import Step, Table
from engine.words import neighbours


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a Mastermind's step under given flags (M-01 to M-13)."""
    events = events_of(step)
    found: list[Piece] = []
    # Counts that enable a use only rise within the step: read them at its end (M-04).
    late = FormulaView(table, step.after if step.complete else step.ground, flags)
    moved = any(event.kind == "moved" for event in events)
    views = (late, FormulaView(table, step.ground, flags)) if moved else (late,)
    if events:
        sources = list(_sources(views, step, events, flags))
        ways = {flags | more: way for more, way in explain(len(events), sources).items()}
        found.append(
            Piece(
                "explained",
                ways,
                (observed(step),),
                _rulings(table, events),
                f"{when(step.at)}: {_story(table, events)} had to come from somewhere.",
            )
        )
    found += _unseen(table, step, views, flags)
    found += _demands(table, step, flags, events)
    found += _removals(table, step, flags, events)
    found += haunting.silence(table, step, flags, events)
    found += knowledge.still_gauge(table, step, flags)
    return found


def _rulings(table: Table, events: list[Event]) -> tuple[str, ...]:
    many = ("P-03", "M-02") if len(events) > 1 else ()
    abilities = [
        ability
        for role in table.rules.roles.values()
        for ability in role.abilities
        if ability.timing is Timing.MASTERMIND
    ]
    shown = {(event.token, event.n) for event in events}
    own = [
        ruling
        for ability in abilities
        if isinstance(ability.does, Place | PlaceOneOf)
        and any(
            (token, 1 if ability.does.n > 0 else -1) in shown for token in tokens_of(ability.does)
        )
        for ruling in ability.rulings[:1]
    ]
    return tuple(dict.fromkeys(("M-12", *own, *many)))


def _story(table: Table, events: list[Event]) -> str:
    words = []
    for event in events:
        where = name_of(table, event.targets[0]) if len(event.targets) == 1 else "somebody"
        if event.kind == "token":
            sign = "+" if event.n > 0 else "-"
            words.append(f"{sign}1 {str(event.token).title()} on {where}")
        elif event.kind == "moved":
            words.append(f"the move of {where}")
        else:
            words.append(f"a token passed to {where}")
    return " and ".join(words)


def _sources(
    views: tuple[FormulaView, ...], step: Step, events: list[Event], flags: Flags
) -> Iterator[Source]:
    """Yield every kind of use with who may have it and what it could have shown.

    Args:
        views: the moments of the step at which a use may have been made: its end, and where
            somebody moved in it also its beginning (M-03).
        step, events, flags: what is to be explained.
    """
    late = views[0]
    for role, ability in role_abilities(late, Timing.MASTERMIND):
        holders: dict[str, Formula] = {}
        edges: list[set[str]] = [set() for _ in events]
        for view in views:
            for who in view.board.cards:
                for place in _standing(view, who, ability):
                    term = (
                        view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))
                    ).may
                    shown = [
                        number
                        for number, event in enumerate(events)
                        if term is not FALSE and _shows(view, step, ability, who, place, event)
                    ]
                    if shown:
                        holders[who] = holders.get(who, FALSE) | term
                    for number in shown:
                        edges[number].add(who)
        yield Source(ability.id, holders, [frozenset(edge) for edge in edges])
    for plot, ability in plot_abilities(late, Timing.MASTERMIND):
        flag = next_use(late, ability, flags)
        if flag is False:
            continue
        term = (late.active(plot) & ability.when.judge(late, Actor(None, None))).may
        terms = _refusers_at(views, ability, events)
        yield Source(
            ability.id,
            {plot.id: term},
            [
                frozenset({plot.id})
                if number in terms or _shows(late, step, ability, None, None, event)
                else frozenset()
                for number, event in enumerate(events)
            ],
            flag,
            terms,
        )
    yield from _borrowed(views, step, events)


def _standing(view: FormulaView, who: str, ability: Ability) -> tuple[str, ...]:
    """Return where a holder is taken to stand: a corpse at its place or its start (HS-09)."""
    if not isinstance(ability.when, IsDead):
        return reach(view, who)
    if view.board.dead(who) == NO:
        return ()
    start = view.board.starts.get(who)
    places = view.board.possible_places(who)
    return places if start is None or start in places else (*places, start)


def _refusers_at(
    views: tuple[FormulaView, ...], ability: Ability, events: list[Event]
) -> dict[int, Formula]:
    """Return when a living refuser stood at the location that got a token (HS-19)."""
    deed = ability.does
    if not isinstance(deed, Place) or On.REFUSER_LOCATION not in deed.on:
        return {}
    terms: dict[int, Formula] = {}
    for number, event in enumerate(events):
        fits = event.kind == "token" and event.token == deed.token and event.n == deed.n
        places = [place for place in event.targets if place in views[0].board.intrigue]
        if fits and places:
            terms[number] = any_of(
                view.may_refuse(who).may
                for view in views
                for who in view.board.cards
                if set(reach(view, who)) & set(places)
            )
    return terms


def next_use(
    view: FormulaView, ability: Ability, flags: Flags
) -> tuple[str, ...] | Literal[False] | None:
    """Return the flag that one more use sets: ``None`` for no limit, ``False`` if none is left."""
    limit = ability.limit_per_loop(view.rulings)
    if limit is None:
        return None
    for number in range(limit):
        flag = ("used", ability.id) if number == 0 else ("used", ability.id, str(number + 1))
        if flag not in flags:
            return flag
    return False


def _one_step(step: Step, who: str | None) -> bool:
    """Tell whether a card's move in the step may have been to a neighbour (B-02)."""
    assert who is not None
    start, end = step.before.cards[who].at, step.after.cards[who].at
    return start is None or end is None or end in neighbours(start)


def tokens_of(deed: Place | PlaceOneOf) -> tuple[str, ...]:
    """Return the tokens that a deed may place."""
    return (deed.token,) if isinstance(deed, Place) else deed.tokens


def _shows(
    view: FormulaView,
    step: Step,
    ability: Ability,
    who: str | None,
    place: str | None,
    event: Event,
) -> bool:
    deed = ability.does
    if isinstance(deed, StepAway):
        return event.kind == "moved" and who in event.targets and _one_step(step, who)
    if not isinstance(deed, Place | PlaceOneOf) or event.kind != "token":
        return False
    if event.token not in tokens_of(deed) or (deed.n > 0) != (event.n > 0):
        return False
    return any(hits(view, who, place, deed.on, target) for target in event.targets)


def _borrowed(views: tuple[FormulaView, ...], step: Step, events: list[Event]) -> Iterator[Source]:
    """Yield what cards lend the Mastermind while their role may refuse (M-10, K-Sacred Tree).

    Where somebody moved in the step the use may have been before or after it (M-03).
    """
    board = views[0].board
    for who in board.cards:
        if board.alive(who) == NO:
            continue
        character = views[0].rules.characters[who]
        refuses = any_of(view.may_refuse(who).may for view in views)
        for ability in character.goodwill:
            span = kleene.span_of(step.before.goodwill(who))
            if not ability.mastermind or kleene.at_least(span, ability.goodwill) == NO:
                continue
            deed = ability.does
            assert isinstance(deed, ChangeTokens)
            amounts = {1 if n > 0 else -1 for n in deed.amounts}
            yield Source(
                f"{who}.{ability.key}",
                {who: refuses},
                [
                    frozenset({who})
                    if event.kind == "token"
                    and event.token == deed.token
                    and event.n in amounts
                    and any(
                        hits(view, who, place, (On.OTHER_HERE,), target)
                        for view in views
                        for target in event.targets
                        if target != who
                        for place in view.board.possible_places(who)
                    )
                    else frozenset()
                    for event in events
                ],
                ("today", who, ability.key),
            )
        if character.passes_token:
            yield Source(
                f"{who}.pass",
                {who: refuses},
                [
                    frozenset({who})
                    if event.kind == "shifted"
                    and who in event.source
                    and any(_beside(view, who, event) for view in views)
                    else frozenset()
                    for event in events
                ],
            )


def _unseen(table: Table, step: Step, views: tuple[FormulaView, ...], flags: Flags) -> list[Piece]:
    """A lent ability may have been used to no effect, and is spent for today (M-11).

    Where refusal never changes that allows nothing that a refusal does not.
    """
    if all(role.refusal_when is ALWAYS for role in table.rules.roles.values()):
        return []
    found: list[Piece] = []
    early = FormulaView(table, step.ground, flags)
    for who in early.board.cards:
        for ability in table.rules.characters[who].goodwill:
            spent = ("today", who, ability.key)
            if not ability.mastermind or spent in flags:
                continue
            deed = ability.does
            assert isinstance(deed, ChangeTokens)
            removes = any(n < 0 for n in deed.amounts)
            terms = [
                view.may_refuse(who).may
                for view in (*views, early)
                if _could_use(view, who, ability.goodwill)
                and (removes and (_has_company_without(view, who, deed.token) or not step.complete))
            ]
            way = any_of(terms)
            if way is not FALSE:
                found.append(
                    Piece(
                        f"unseen:{who}",
                        {flags: TRUE, flags | {spent}: way},
                        (),
                        ("M-11",),
                        f"{when(step.at)}: {name_of(table, who)} may have been used unseen.",
                    )
                )
    return found


def _could_use(view: FormulaView, who: str, goodwill: int) -> bool:
    span = kleene.span_of(view.board.goodwill(who))
    return view.board.alive(who) != NO and kleene.at_least(span, goodwill) != NO


def _has_company_without(view: FormulaView, who: str, token: str) -> bool:
    """Tell whether somebody else here may have none of a token, so that removing shows nothing."""
    board = view.board
    return any(
        other != who
        and board.lives_at(other, place) != NO
        and kleene.span_of(board.tokens(token, other))[0] == 0
        for place in board.possible_places(who)
        for other in board.cards
    )


def _beside(view: FormulaView, who: str, event: Event) -> bool:
    return any(
        hits(view, who, place, (On.OTHER_HERE,), target)
        for place in view.board.possible_places(who)
        for target in event.targets
    )


def _demands(table: Table, step: Step, flags: Flags, events: list[Event]) -> list[Piece]:
    """Return what silence says: mandatory uses that did not show (M-13)."""
    if not step.complete or step.over is not None or table.transcript.announces == "net":
        return []
    view = FormulaView(table, step.before, flags)
    found = []
    for who in view.board.cards:
        character = view.rules.characters[who]
        passed = any(event.kind == "shifted" and who in event.source for event in events)
        taken = sum(event.n < 0 and who in event.targets for event in events)
        if not character.passes_token or passed or not _must_pass(view, who, taken):
            continue
        found.append(
            Piece(
                f"silent:{who}",
                {flags: ~view.may_refuse(who).must},
                (completed(step), observed(step)),
                (f"K-{character.name}", "M-13"),
                f"{when(step.at)}: {character.name} kept its tokens although it had company.",
            )
        )
    return found


def _removals(table: Table, step: Step, flags: Flags, events: list[Event]) -> list[Piece]:
    """Mandatory removals that did not show: as many holders as removals at most (MC-14)."""
    if not step.complete or step.over is not None or table.transcript.announces == "net":
        return []
    view = FormulaView(table, step.before, flags)
    gone = [event.targets for event in events if event.kind == "token" and event.n < 0]
    found: list[Piece] = []
    for role, ability in role_abilities(view, Timing.MASTERMIND):
        deed = ability.does
        if not (isinstance(deed, Place) and deed.n < 0 and ability.mandatory):
            continue
        forced: dict[str, list[tuple[str, Formula]]] = {}
        for who in view.board.cards:
            place = _forced_place(view, who, deed.token)
            if place is None:
                continue
            holds = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))
            forced.setdefault(place, []).append((who, holds.must))
        for place, holders in forced.items():
            found += _served(table, step, flags, (role, ability), place, holders, gone)
    return found


def _served(
    table: Table,
    step: Step,
    flags: Flags,
    rule: tuple[Role, Ability],
    place: str,
    holders: list[tuple[str, Formula]],
    gone: list[tuple[str, ...]],
) -> list[Piece]:
    """Return that every holder at a place has a removal of its own, none on itself."""
    role, ability = rule
    here = [names for names in gone if any(step.before.is_at(name, place) != NO for name in names)]
    ways = []
    for who, term in holders:
        if not any(set(names) - {who} for names in here):
            ways.append(~term)
    ways.append(at_most(len(here), [term for _, term in holders]))
    way = all_of(ways)
    if way is TRUE:
        return []
    return [
        Piece(
            f"unremoved:{role.id}.{place}",
            {flags: way},
            (completed(step), observed(step)),
            (*ability.rulings, "M-13"),
            f"{when(step.at)}: {name_of(table, place)}: {len(here)} removed.",
        )
    ]


def _forced_place(view: FormulaView, who: str, token: str) -> str | None:
    """Return where a card would have to remove a token from somebody else, if for certain."""
    board = view.board
    places = board.possible_places(who)
    if board.alive(who) != YES or len(places) != 1:
        return None
    turf = turf_of(view, who)
    for place in (*places, turf) if turf is not None else places:
        others = [
            other for other in board.cards if other != who and board.lives_at(other, place) != NO
        ]
        certain = any(board.lives_at(other, place) == YES for other in others)
        tokens = [kleene.span_of(board.tokens(token, other)) for other in others]
        if not certain or any(kleene.at_least(span, 1) != YES for span in tokens):
            return None
    return places[0]


def _must_pass(view: FormulaView, who: str, taken: int) -> bool:
    """Tell whether a card has company and a token that nothing else took away in the step."""
    board = view.board
    places = board.possible_places(who)
    if board.alive(who) != YES or len(places) != 1:
        return False
    if kleene.at_least(board.cards[who].total(), 1 + taken) != YES:
        return False
    return kleene.at_least(board.others_living_at(who, places[0]), 1) == YES
