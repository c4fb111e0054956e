"""The card step read backward: the few things that the faces do not decide (C-14)."""

from __future__ import annotations

from assistant.clues import haunting, knowledge
from assistant.clues.model import Flags, Piece, add_way, observed
from assistant.clues.reach import reach
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, Judged, any_of
from engine.kleene import MAYBE, NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import IgnoreForbid, On, Timing
from engine.rules.queries import role_abilities
from engine.table import Step, Table
from engine.table.step import Spot
from engine.words import GOODWILL, INTRIGUE


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a card step under given flags."""
    before = FormulaView(table, step.before, flags)
    after = FormulaView(table, step.after, flags)
    found: list[Piece] = []
    for spot in step.spots:
        if not spot.printed.noted:
            continue
        found += _movement(table, step, before, spot, flags)
        found += _unease(table, step, spot, flags)
        found += _goodwill(table, step, before, spot, flags)
        found += _intrigue(table, step, before, after, spot, flags)
    found += haunting.closed_to_cards(table, step, before, flags)
    found += knowledge.still_gauge(table, step, flags)
    return found


def _piece(
    table: Table,
    step: Step,
    spot: Spot,
    key: str,
    ways: dict[Flags, Formula],
    rulings: tuple[str, ...],
    what: str,
) -> Piece:
    text = f"{when(step.at)}: {name_of(table, spot.on)}: {what}."
    return Piece(f"{key}:{spot.on}", ways, (observed(step),), rulings, text)


def _movement(table: Table, step: Step, view: FormulaView, spot: Spot, flags: Flags) -> list[Piece]:
    """A move beyond the red X shows exactly if the card is freed (B-04, G-18)."""
    if spot.on in view.board.intrigue or spot.noted is None or spot.noted.to is None:
        return []
    shown, printed, beyond = spot.noted.to, spot.printed.to, spot.printed.beyond_red_x
    before = view.board.cards[spot.on].at
    if before is None:
        return []
    if beyond is None:
        if shown == printed:
            return []
        rulings = ("C-14", "B-01", "B-03")
        return [_piece(table, step, spot, "movement", {}, rulings, "the cards lead elsewhere")]
    freed = view.board.effect("freed", spot.on)
    is_freed = view.effect("freed", spot.on)
    expected = beyond if is_freed == YES else before
    if freed != MAYBE and shown == expected:
        return []
    ways: dict[Flags, Formula] = {flags: TRUE} if shown == expected else {}
    what = "it went where it may not go" if shown == beyond else "it stayed"
    return [_piece(table, step, spot, "movement", ways, ("B-04", "G-18"), what)]


def _unease(table: Table, step: Step, spot: Spot, flags: Flags) -> list[Piece]:
    noted = spot.noted.unease if spot.noted is not None else None
    if noted is None or spot.printed.unease is None or noted == spot.printed.unease:
        return []
    return [
        _piece(table, step, spot, "unease", {}, ("C-03", "C-14"), "the cards print other Unease")
    ]


def _goodwill(table: Table, step: Step, view: FormulaView, spot: Spot, flags: Flags) -> list[Piece]:
    """Goodwill in spite of a Forbid: a mandatory ability, so it reads both ways (C-04)."""
    noted = spot.noted.goodwill if spot.noted is not None else None
    held = spot.printed.forbidden_goodwill
    if not held:
        if noted is None or spot.printed.goodwill is None or noted == spot.printed.goodwill:
            return []
        return [_piece(table, step, spot, "goodwill", {}, ("C-14",), "the cards print otherwise")]
    shown = spot.result.goodwill
    if shown is None:
        return []  # not noted, and the step is not complete
    ignores = _ignores_on_self(view, spot.on, GOODWILL)
    if shown == held:
        way, what = ignores.may, "Goodwill came in spite of the Forbid"
    elif shown == 0:
        way, what = ~ignores.must, "the Forbid held the Goodwill back"
    else:
        way, what = FALSE, "neither the Forbid nor the card explains this Goodwill"
    if way is TRUE:
        return []
    return [_piece(table, step, spot, "goodwill", {flags: way}, ("C-04",), what)]


def _ignores_on_self(view: FormulaView, who: str, token: str) -> Judged:
    truth = Judged(FALSE, FALSE)
    for role, ability in role_abilities(view, Timing.CARDS):
        if ability.does == IgnoreForbid(token, On.SELF):
            term = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            truth = truth | (term if ability.mandatory else Judged(term.may, FALSE))
    return truth


def _intrigue(
    table: Table,
    step: Step,
    before: FormulaView,
    after: FormulaView,
    spot: Spot,
    flags: Flags,
) -> list[Piece]:
    """Intrigue in spite of a live Forbid needs somebody who ignores it there (C-05, C-07)."""
    noted = spot.noted.intrigue if spot.noted is not None else None
    held = spot.printed.forbidden_intrigue
    if not held:
        if noted is None or spot.printed.intrigue is None or noted == spot.printed.intrigue:
            return []
        return [_piece(table, step, spot, "intrigue", {}, ("C-14",), "the cards print otherwise")]
    shown = spot.result.intrigue
    void = spot.printed.void
    ways: dict[Flags, Formula] = {}
    if shown == held:
        if void != NO:
            return []
        way = any_of(_ignorers(before, after, spot.on))
        add_way(ways, flags, way)
        what = "Intrigue came in spite of a valid Forbid"
        return [_piece(table, step, spot, "intrigue", ways, ("C-07", "C-05"), what)]
    if shown == 0 and void != YES:
        return []
    if shown is None:
        return []
    what = "a void Forbid held the Intrigue back" if shown == 0 else "the cards print otherwise"
    return [_piece(table, step, spot, "intrigue", ways, ("C-05", "C-14"), what)]


def _ignorers(before: FormulaView, after: FormulaView, on: str) -> list[Formula]:
    """Return who may ignore the Forbid on ``on``: at its place before or after movement."""
    terms: list[Formula] = []
    for role, ability in role_abilities(before, Timing.CARDS):
        if ability.does != IgnoreForbid(INTRIGUE, On.HERE):
            continue
        for who in before.board.cards:
            for view in (before, after):
                spots = (on,) if on in view.board.intrigue else view.board.possible_places(on)
                for place in set(reach(view, who)) & set(spots):
                    terms.append(
                        (
                            view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, place))
                        ).may
                    )
    return terms
