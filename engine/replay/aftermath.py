"""What is left of a step when its deeds are explained: tokens that follow, and the end.

Used by the Goodwill, incident and night steps alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import records
from engine.board import Board
from engine.kleene import YES
from engine.records import AnyRecord
from engine.replay.knowledge import may_be_told
from engine.replay.matching import Bag, stands_for
from engine.replay.noted import Noted
from engine.steps.choice import Choice, choice_of
from engine.steps.common import Failure, name, tokens_text
from engine.steps.deaths import reactions
from engine.steps.knowledge import told_by_death
from engine.steps.mastermind import stray_moves
from engine.table.apply import apply_record
from engine.view import Flags, ScriptView, World
from engine.words import INTRIGUE


class Leftover:
    """Explains the records that no deed showed: reactions to deaths, and the Rumor (M-08).

    Attributes:
        flags: the flags afterwards.
        choices: the choices that explain them.
        failure: why they cannot be explained, ``None`` if they can.
    """

    def __init__(
        self,
        before: ScriptView,
        after: Board,
        noted: Noted,
        bag: Bag,
        dead: Sequence[str],
        *,
        ended: bool,
        stray: bool = True,
    ) -> None:
        self.flags: Flags = before.flags
        self.choices: tuple[Choice, ...] = ()
        self.failure: Failure | None = None
        due = reactions(before, dead, before.on(after))
        told = list(told_by_death(before, dead))
        for item in bag:
            if _told(before, noted, item.record, told):
                continue
            if not self._explain(before, noted, item.record, due, stray):
                self.failure = Failure("I-09", text_of(before.world, item.record))
                if isinstance(item.record, records.Token):
                    self.failure = Failure("M-12", text_of(before.world, item.record))
                return
        if noted.closed and not ended:
            for (who, kind), (must, _) in due.items():
                if must > 0:
                    self.failure = Failure(
                        "BT-07",
                        f"{name(before.rules, who)} had to get {tokens_text(kind, must)} here.",
                    )
                    return
            for who, role, truth in told:
                if truth == YES:
                    text = f"{name(before.rules, who)} died and had to be told as "
                    self.failure = Failure("WM-03", f"{text}{name(before.rules, role)}.")
                    return

    def _explain(
        self,
        before: ScriptView,
        noted: Noted,
        record: AnyRecord,
        due: dict[tuple[str, str], tuple[int, int]],
        stray: bool,
    ) -> bool:
        """Take one record out of what is due; return whether that was possible."""
        if not isinstance(record, records.Token) or record.n < 0:
            return False
        for (who, kind), (must, may) in due.items():
            if (
                kind == record.token
                and record.n <= may
                and stands_for(before.board, record.on, who)
            ):
                due[who, kind] = (max(0, must - record.n), may - record.n)
                return True
        if not stray or record.token != INTRIGUE or record.n != 1:
            return False
        view = ScriptView(before.world, before.board, self.flags)
        for place in before.board.intrigue:
            if stands_for(before.board, record.on, place):
                for move in stray_moves(view, noted.at, place):
                    assert move.flag is not None
                    self.flags |= {move.flag}
                    self.choices = (*self.choices, choice_of(noted.at, move))
                    return True
        return False


def _told(
    before: ScriptView, noted: Noted, record: AnyRecord, told: list[tuple[str, str, int]]
) -> bool:
    """Take out a role that a death told; the death may be missing where silence does not count."""
    if not isinstance(record, records.Reveal):
        return False
    for entry in told:
        who, role, _ = entry
        if record.role == role and stands_for(before.board, record.role_of, who):
            told.remove(entry)
            return True
    return not noted.closed and bool(may_be_told(before, record))


def with_records(world: World, board: Board, shows: Sequence[AnyRecord]) -> Board:
    """Return a board after some records; the board itself if there are none."""
    if not shows:
        return board
    changed = board.copy()
    for record in shows:
        apply_record(world.rules, changed, record)
    return changed


def text_of(world: World, record: AnyRecord) -> str:
    """Return a sentence that says what nothing could show."""
    rules = world.rules

    def who(value: object) -> str:
        return name(rules, value) if isinstance(value, str) else "somebody"

    match record:
        case records.Death(who=victim):
            return f"Nothing in this script could kill {who(victim)} here."
        case records.GuardLost(who=victim):
            return f"Nothing in this script struck at {who(victim)} here."
        case records.Token(on=on, token=kind, n=n):
            verb = "place" if n > 0 else "remove"
            return f"Nothing in this script could {verb} {tokens_text(kind, n)} on {who(on)} here."
        case records.Moved(who=moved):
            return f"Nothing in this script could move {who(moved)} here."
        case records.Shifted():
            return "Nothing in this script could move that token here."
        case records.Revived(who=revived):
            return f"Nothing in this script could bring {who(revived)} back here."
        case records.Reveal():
            return "That is not what this script tells here."
        case _:
            return "Nothing in this script could show this here."
