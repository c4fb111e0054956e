"""One character of a script: what may be said of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.model import RoleRule

_SEXES = (frozenset({"boy", "man"}), frozenset({"girl", "woman"}))


@dataclass(frozen=True, slots=True)
class State:
    """What a script may say of one character: its role and, if it is late, when it enters.

    Both are ``None`` for a late character that is not in the cast.
    """

    role: str | None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A character that is in the cast or may be.

    Attributes:
        who: its id.
        rule: which role a script may give it.
        roles: the roles that it may have in some script, in printed order.
        entries: the loops or days on which it may enter; empty unless it is late.
        hidden: it may be missing from the cast (P-05).
        traits: its traits, special rules of the sheet applied.
    """

    who: str
    rule: RoleRule
    roles: tuple[str, ...]
    entries: tuple[int, ...]
    hidden: bool
    traits: frozenset[str]

    @property
    def counted(self) -> bool:
        """Whether it holds one of the roles that the plots add."""
        return self.rule in (RoleRule.ANY, RoleRule.NOT_PERSON)

    def may_be_opposite(self, other: Slot) -> bool:
        """Return whether the two may be of opposite sex; cards without one may be (HS-20)."""
        mine, others = ([bool(slot.traits & sex) for sex in _SEXES] for slot in (self, other))
        return (
            not any(mine) or not any(others) or (mine[0] and others[1]) or (mine[1] and others[0])
        )

    def states(self) -> tuple[State, ...]:
        """Return all that a script may say of it, absence last."""
        entries: tuple[int | None, ...] = self.entries or (None,)
        present = tuple(State(role, entry) for role in self.roles for entry in entries)
        return (*present, State(None)) if self.hidden else present
