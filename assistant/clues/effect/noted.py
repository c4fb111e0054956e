"""What was noted of an effect, and taking it away piece by piece."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from assistant.clues.view import FormulaView, name_of
from engine import records
from engine.kleene import NO
from engine.records import AnyRecord
from engine.rules.model import (
    Place,
    Timing,
)
from engine.rules.queries import role_abilities
from engine.table import Table
from engine.table.apply import candidates, candidates_alive

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """What the table noted of an effect.

    Attributes:
        deaths, guards: who died or lost a guard marker, each as the cards it may have been.
        tokens: (cards or places it may be on, token) to amount.
        moves: (cards it may be, where to).
        reactions: tokens that only a reaction to a death can explain, by (card, token).
        named: locations that were named.
        extra, curses: who or what got an Extra card or a curse.
    """

    deaths: tuple[Names, ...] = ()
    guards: tuple[Names, ...] = ()
    tokens: tuple[tuple[Names, str, int], ...] = ()
    moves: tuple[tuple[Names, Names], ...] = ()
    reactions: tuple[tuple[tuple[str, str], int], ...] = ()
    named: tuple[str, ...] = ()
    extra: tuple[Names, ...] = ()
    curses: tuple[Names, ...] = ()

    @staticmethod
    def of(view: FormulaView, noted: Iterable[AnyRecord]) -> Noted:
        """Read the records of an effect that began on the view's board."""
        board = view.board
        totals: dict[tuple[Names, str], int] = {}
        died: list[Names] = []
        guards: list[Names] = []
        moves: list[tuple[Names, Names]] = []
        named: list[str] = []
        extra: list[Names] = []
        curses: list[Names] = []
        for record in noted:
            match record:
                case records.Death(who=who):
                    died.append(candidates_alive(board, who))
                case records.GuardLost(who=who):
                    guards.append(candidates_alive(board, who))
                case records.Token():
                    key = (candidates(board, record.on), record.token)
                    totals[key] = totals.get(key, 0) + record.n
                case records.Shifted():
                    for end, n in ((record.source, -1), (record.to, 1)):
                        key = (candidates(board, end), record.token)
                        totals[key] = totals.get(key, 0) + n
                case records.LocationNamed(location=str(location)):
                    named.append(location)
                case records.ExtraCard(on=on, off=False):
                    extra.append(candidates(board, on))
                case records.Curse(on=on):
                    curses.append(candidates(board, on))
                case records.Moved():
                    moves.append((candidates(board, record.who), candidates(board, record.to)))
                case _:
                    pass
        reactions = _split_reactions(view, totals) if died else {}
        return Noted(
            tuple(died),
            tuple(guards),
            tuple((names, token, n) for (names, token), n in totals.items() if n),
            tuple(moves),
            tuple(reactions.items()),
            named=tuple(named),
            extra=tuple(extra),
            curses=tuple(curses),
        )

    def empty(self) -> bool:
        """Tell whether nothing of an effect was noted."""
        return not (
            self.deaths
            or self.guards
            or self.tokens
            or self.moves
            or self.named
            or self.extra
            or self.curses
        )

    def story(self, table: Table) -> str:
        """Return what was seen, for a sentence."""
        words = [f"the death of {_list(table, names)}" for names in self.deaths]
        words += [f"the guard of {_list(table, names)} gone" for names in self.guards]
        words += [
            f"{n:+d} {token.title()} on {_list(table, names)}" for names, token, n in self.tokens
        ]
        words += [f"{_list(table, names)} moving" for names, _ in self.moves]
        words += [f"{name_of(table, place)} named" for place in self.named]
        words += [f"an Extra card on {_list(table, names)}" for names in self.extra]
        return ", ".join(words) or "nothing"


def _split_reactions(
    view: FormulaView, totals: dict[tuple[Names, str], int]
) -> dict[tuple[str, str], int]:
    """Take out of ``totals`` the tokens that only a reaction to a death places (BT-07).

    A reaction places so many at once that no effect does; the rest is the effect's.
    """
    sizes = {
        ability.does.token: ability.does.n
        for _, ability in role_abilities(view, Timing.OTHER_DEATH)
        if isinstance(ability.does, Place)
    }
    reactions: dict[tuple[str, str], int] = {}
    for (names, token), n in list(totals.items()):
        size = sizes.get(token)
        if size is not None and n >= size and len(names) == 1:
            reactions[names[0], token] = n - n % size
            totals[names, token] = n % size
    return reactions


def _list(table: Table, names: Names) -> str:
    return " or ".join(name_of(table, name) for name in names)


def any_place(facts: Iterable[int]) -> int:
    """Join facts: it holds at one of the places."""
    result = NO
    for fact in facts:
        result |= fact
    return result


def take(groups: tuple[Names, ...], who: str) -> tuple[Names, ...] | None:
    """Return the groups without the first that may be ``who``; ``None`` if there is none."""
    for number, names in enumerate(groups):
        if who in names:
            return groups[:number] + groups[number + 1 :]
    return None


def take_tokens(left: Noted, on: str, token: str, n: int) -> Noted | None:
    """Return what is left once ``n`` of a token on ``on`` are explained; ``None`` if unseen."""
    if n == 0:
        return left
    for number, (names, kind, amount) in enumerate(left.tokens):
        if on not in names or kind != token:
            continue
        if (amount > 0) != (n > 0) or abs(amount) < abs(n):
            continue
        rest = amount - n
        tokens = left.tokens[:number] + left.tokens[number + 1 :]
        if rest:
            tokens = (*tokens, (names, kind, rest))
        return replace(left, tokens=tokens)
    return None
