"""Effects of Goodwill uses that were not noted: a withdrawn use leaves its effects behind."""

from __future__ import annotations

from collections.abc import Iterator

from engine import records
from engine.replay.knowledge import may_be_told
from engine.replay.matching import Bag, Item, consume
from engine.replay.noted import Noted
from engine.rules.model import GoodwillAbility, ResolveIncident
from engine.steps import goodwill
from engine.steps.targets import enough_goodwill
from engine.view import ScriptView


def without_unnoted(view: ScriptView, noted: Noted, bag: Bag) -> Bag:
    """Return the records of a bag that no use of which nothing was noted could have shown.

    Only asked where silence does not count; how often an ability may be used is not.

    Args:
        view: the moment, on a board that is unknown where unnoted uses could change it.
        noted: the step.
        bag: what is left to explain.
    """
    return tuple(item for item in bag if not _may_be_shown(view, noted, item))


def _may_be_shown(view: ScriptView, noted: Noted, item: Item) -> bool:
    if may_be_told(view, item.record):
        return True
    for who, ability in _usable(view):
        if isinstance(ability.does, ResolveIncident):
            # Some scheduled incident may have been resolved; none reveals or returns a card.
            if not isinstance(item.record, records.Reveal | records.CardBack):
                return True
            continue
        user = view.rules.characters[who]
        listed = (item.record,)
        for move in goodwill.acceptances(view, noted.at, user, ability, None, None, listed):
            for shown in move.shows:
                if consume((item,), shown, view.board, loose=True):
                    return True
    return False


def _usable(view: ScriptView) -> Iterator[tuple[str, GoodwillAbility]]:
    for who in view.board.cards:
        for ability in view.rules.characters[who].goodwill:
            usable = enough_goodwill(view, who, ability)
            if usable and goodwill.may_accept(view, who, ability):
                yield who, ability
