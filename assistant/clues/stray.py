"""Tokens at moments where nothing prints a source: a plot rule without a timing (M-08)."""

from __future__ import annotations

from assistant.clues.mastermind import next_use
from assistant.clues.model import Flags, add_way
from assistant.clues.view import FormulaView
from assistant.formula import Formula
from engine.rules.model import On, Place, Timing
from engine.rules.queries import plot_abilities


def untimed(
    view: FormulaView, flags: Flags, on: object, token: str, n: int
) -> dict[Flags, Formula]:
    """Return how a plot rule without a printed timing may have placed these tokens.

    Args:
        view: the board.
        flags: the hidden state.
        on: where the tokens lie.
        token, n: what was placed.
    """
    ways: dict[Flags, Formula] = {}
    if on not in view.board.intrigue:
        return ways
    for plot, ability in plot_abilities(view, Timing.MASTERMIND):
        deed = ability.does
        if not ability.untimed or not isinstance(deed, Place):
            continue
        if (deed.token, deed.n) != (token, n) or On.ANY_LOCATION not in deed.on:
            continue
        flag = next_use(view, ability, flags)
        if flag:
            add_way(ways, flags | {flag}, view.active(plot).may)
    return ways
