"""Questions about a card at a moment, asked over any view (P-06, P-07).

Current roles, gained abilities, refusal and unkillability are functions of role, tokens,
plots and moment; nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import kleene
from engine.kleene import MAYBE
from engine.rules.conditions import Actor, T, View
from engine.rules.model import (
    Ability,
    Character,
    Lose,
    Plot,
    PlotKind,
    Refusal,
    Role,
    Timing,
)


def place_of(view: View[T], who: str) -> str | None:
    """Return the known location of a card, ``None`` when off the board or unknown."""
    places = view.board.possible_places(who)
    return places[0] if len(places) == 1 else None


def actor_of(view: View[T], who: str) -> Actor:
    """Return ``who`` standing where its card lies."""
    return Actor(who, place_of(view, who))


def current_role(view: View[T], who: str, role: str) -> T:
    """Judge "the current role of ``who`` is ``role``" (P-06)."""
    truth = view.scripted(who, role)
    for plot, shift in view.rules.shifts:
        if role not in shift.old and role != shift.new:
            continue
        board = view.board
        # Whether a rule about living characters still holds for a corpse is open (G-10).
        body = board.alive(who) | (board.dead(who) & MAYBE)
        if shift.corpses:
            # Whether a corpse that was brought back has its role back is open (HS-18).
            again = board.alive(who) & board.effect("revived", who) & MAYBE
            body = board.dead(who) | again
        active: T = view.plot(plot) & view.fact(body) & shift.when.judge(view, actor_of(view, who))
        if role in shift.old:
            truth = truth & view.negate(active)
        else:
            for old in shift.old:
                truth = truth | (view.scripted(who, old) & active)
    return truth


def acts_as(view: View[T], who: str, role: str) -> T:
    """Judge "``who`` has the abilities of ``role``", as its role or gained (P-07)."""
    truth = current_role(view, who, role)
    for other in view.rules.roles.values():
        for gain in other.gains:
            if gain.role == role:
                truth = truth | (
                    current_role(view, who, other.id) & gain.when.judge(view, actor_of(view, who))
                )
    for plot in view.rules.plots.values():
        for holder, gained in plot.gains:
            if gained == role:
                truth = truth | (view.plot(plot.id) & current_role(view, who, holder))
    return truth


def rule_active(view: View[T], plot: Plot) -> T:
    """Judge "the rules of this plot are in force in this loop" (WM-05).

    A main plot gives way to the script's extra main plot in loops that began at gauge 2.
    """
    truth = view.plot(plot.id)
    twists = [other for other in view.rules.plots.values() if other.extra_main_plot]
    if plot.kind is not PlotKind.MAIN or not twists:
        return truth
    late = kleene.at_least(kleene.span_of(view.board.gauge_loop_start), 2)
    twisted = view.fact(kleene.NO)
    for twist in twists:
        twisted = twisted | (view.plot(twist.id) & view.fact(late))
    swapped: T = (truth & view.negate(twisted)) | (view.extra_plot(plot.id) & twisted)
    return swapped


def _over_roles(view: View[T], who: str, refusals: tuple[Refusal, ...]) -> T:
    truth = view.fact(kleene.NO)
    for role in view.rules.roles.values():
        if role.refusal in refusals:
            holds = role.refusal_when.judge(view, actor_of(view, who))
            truth = truth | (current_role(view, who, role.id) & holds)
    return truth


def may_refuse(view: View[T], who: str) -> T:
    """Judge "the current role of ``who`` has Goodwill refusal" (G-06)."""
    return _over_roles(view, who, (Refusal.OPTIONAL, Refusal.MANDATORY))


def must_refuse(view: View[T], who: str) -> T:
    """Judge "``who`` has to refuse every refusable use" (G-05)."""
    return _over_roles(view, who, (Refusal.MANDATORY,))


def unkillable(view: View[T], who: str) -> T:
    """Judge "``who`` cannot die now" (B-09)."""
    truth = view.fact(kleene.NO)
    for role in view.rules.roles.values():
        if role.unkillable is not None:
            holds = role.unkillable.judge(view, actor_of(view, who))
            truth = truth | (current_role(view, who, role.id) & holds)
    return truth


def role_abilities(view: View[T], timing: Timing) -> Iterator[tuple[Role, Ability]]:
    """Yield the abilities of all roles of the set with this timing."""
    for role in view.rules.roles.values():
        for ability in role.abilities:
            if ability.timing is timing:
                yield role, ability


def plot_abilities(view: View[T], timing: Timing) -> Iterator[tuple[Plot, Ability]]:
    """Yield (plot, ability) for the plot rules of the set with this timing."""
    for plot in view.rules.plots.values():
        for ability in plot.abilities:
            if ability.timing is timing:
                yield plot, ability


def death_ends_loop(view: View[T], who: str) -> T:
    """Judge "if ``who`` dies now the loop is lost at once" (L-02, P-11)."""
    truth = view.fact(kleene.NO)
    for role, ability in role_abilities(view, Timing.OWN_DEATH):
        if isinstance(ability.does, Lose) and ability.does.at_once and ability.mandatory:
            holds = ability.when.judge(view, actor_of(view, who))
            truth = truth | (acts_as(view, who, role.id) & holds)
    return truth


def is_panicked(view: View[T], character: Character) -> int:
    """Judge "Unease at or over the printed limit" (a public fact)."""
    span = kleene.span_of(view.board.unease(character.id))
    return kleene.at_least(span, character.limit)


def legal_places(view: View[T], character: Character) -> frozenset[str]:
    """Return the locations the card may enter for certain: all but its red X (B-04)."""
    freed = view.board.effect("freed", character.id)
    return (
        frozenset(place for place in view.board.intrigue if place not in character.forbidden)
        if freed != kleene.YES
        else frozenset(view.board.intrigue)
    )
