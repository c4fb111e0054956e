"""What is asked of the players of a game (``engine.play``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.rules.model import GoodwillAbility
from engine.steps.common import Move
from engine.steps.targets import Target

if TYPE_CHECKING:
    from engine.play import Play


@dataclass(frozen=True, slots=True)
class Declared:
    """A Goodwill ability that the Leader declares.

    Attributes:
        who: the card.
        ability: what it uses.
        target, choice: what it is aimed at, as a use records it.
    """

    who: str
    ability: GoodwillAbility
    target: Target = None
    choice: int | str | None = None


class Mastermind(Protocol):
    """Decides for the Mastermind; the game tells the truth for him."""

    def start(self, play: Play, who: str, places: tuple[str, ...]) -> str:
        """Choose where a card starts this loop."""

    def start_token(self, play: Play, who: str) -> str:
        """Choose the kind of token that a card gets at the loop start."""

    def cards(self, play: Play, hand: dict[str, int], spots: list[str]) -> list[tuple[str, str]]:
        """Choose three cards and where they lie: (face, card or location)."""

    def ignores(self, play: Play, moves: list[Move]) -> Move | None:
        """Choose who ignores a Forbid, or nobody."""

    def ability(self, play: Play, moves: list[Move], *, must: bool) -> Move | None:
        """Choose the next use in the Mastermind's step, or stop."""

    def refuses(self, play: Play, use: Declared) -> bool:
        """Decide whether to refuse where that is free."""

    def says(self, play: Play, use: Declared, *, refused: bool) -> str:
        """Choose the words for a use that shows nothing: resolved, refused or nothing."""

    def tells(self, play: Play, moves: list[Move]) -> Move:
        """Choose what an accepted use shows where the Mastermind is free."""

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """Choose what a part of an incident does."""

    def strikes(self, play: Play, moves: list[Move]) -> Move:
        """Choose whom a mandatory kill of the night hits."""

    def night(self, play: Play, moves: list[Move]) -> Move | None:
        """Choose the next optional ability of the night, or stop."""

    def declares(self, play: Play) -> bool:
        """Decide whether to declare a loss where that is free."""


class Protagonists(Protocol):
    """Decides for the Protagonists."""

    def card(self, play: Play, deck: str, hand: list[str], spots: list[str]) -> tuple[str, str]:
        """Choose a card of a deck and where it lies."""

    def use(self, play: Play) -> Declared | None:
        """Choose the next Goodwill ability (``play.usable``), or stop."""

    def condemns(self, play: Play, moves: list[Move]) -> Move:
        """Choose who dies of an incident that asks the Leader (WM-15)."""

    def spell(self, play: Play) -> str | None:
        """Choose on whom a spell places its Goodwill at a loop start, or nobody (WM-04)."""

    def raises_gauge(self, play: Play) -> bool:
        """Decide whether to raise the gauge, where the Leader may (WM-10)."""

    def passes(self, play: Play, moves: list[Move]) -> Move | None:
        """Choose the Leader's transfer of a token, or none."""

    def effect(self, play: Play, moves: list[Move]) -> Move:
        """Choose what a part of an incident does that a card resolves for the Leader."""

    def guess(self, play: Play) -> list[tuple[str, str]]:
        """Return the answers of the Final Guess in the order in which they are given."""
