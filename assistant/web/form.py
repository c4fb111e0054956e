"""What a form is, and what it needs to know of the step in which it is filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from assistant.transcript.vocabulary import Vocabulary
from assistant.web.fields import (
    OMIT,
    Check,
    Choose,
    Data,
    Field,
    FieldError,
    Fixed,
    Option,
    Who,
    options_of,
)
from assistant.web.names import Names
from engine.board import Board
from engine.records import At
from engine.words import LOCATIONS


@dataclass(frozen=True, slots=True)
class Scene:
    """What the forms of one step need to know of the game.

    Attributes:
        names: what things are called.
        words: which ids may occur.
        board: the board as it stands in the step, as far as it is noted.
        at: the step.
    """

    names: Names
    words: Vocabulary
    board: Board
    at: At

    def character(self, name: str, label: str, missing: str = "", hint: str = "") -> Who:
        """Return a field for a character."""
        return Who(name, label, hint, missing, self.people())

    def location(self, name: str, label: str, missing: str = "", hint: str = "") -> Who:
        """Return a field for a location."""
        return Who(name, label, hint, missing, self.places(), people=False)

    def spot(self, name: str, label: str, missing: str = "", hint: str = "") -> Who:
        """Return a field for a character or location."""
        return Who(name, label, hint, missing, [*self.people(), *self.places()])

    def people(self) -> list[Option]:
        """Return the characters that can be named."""
        return options_of(self.words.characters, self.names.of, "Characters")

    def places(self) -> list[Option]:
        """Return the locations."""
        return options_of(LOCATIONS, self.names.of, "Locations")

    def role(self, name: str = "role") -> Choose:
        """Return a field for a role."""
        roles = options_of(self.names.rules.roles, self.names.of)
        return Choose(name, "Role", missing="Choose the role.", options=roles)


Build = Callable[[dict[str, Any]], dict[str, Any]]
Spread = Callable[[Mapping[str, Any]], dict[str, Any]]


def _same(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(values)


@dataclass(frozen=True, slots=True)
class Form:
    """A form for records of one kind.

    Attributes:
        id: its name in addresses.
        kind: of its records.
        title: what it says happened.
        fields: its own fields.
        more: fields that are rarely needed.
        build, spread: from the values of the fields to those of the record, and back.
    """

    id: str
    kind: str
    title: str
    fields: tuple[Field, ...]
    more: tuple[Field, ...] = ()
    build: Build = _same
    spread: Spread = _same

    def read(self, data: Data, prefix: str = "") -> tuple[dict[str, Any], list[FieldError]]:
        """Return the record in its JSON form, without its moment, and what cannot be read."""
        values: dict[str, Any] = {}
        errors: list[FieldError] = []
        for item in (*self.fields, *self.more):
            try:
                value = item.read(data, prefix)
            except FieldError as error:
                errors.append(error)
            else:
                if value is not OMIT:
                    values[item.name] = value
        return {"kind": self.kind, **({} if errors else self.build(values))}, errors

    def show(self, fields: Mapping[str, Any]) -> dict[str, list[str]] | None:
        """Return what the inputs hold for a record, ``None`` if they cannot hold all of it."""
        own = {name: value for name, value in fields.items() if name not in ("kind", "at")}
        values = self.spread(own)
        data: dict[str, list[str]] = {}
        for item in (*self.fields, *self.more):
            if item.name in values or isinstance(item, Fixed):
                shown = item.show(values.get(item.name))
                if shown is None:
                    return None
                data |= shown
        read, errors = self.read(data)
        return data if not errors and read == {"kind": fields.get("kind"), **own} else None


NOTE: Final = Field("note", "Note")
COMMON: Final = (
    Check("ordered", "The order counts", "It is sure that this came after the one noted before."),
    Check("by_use", "Effect of the ability noted before it"),
    Check("doubt", "Doubtful", "Nobody is sure of this: its step then counts as incomplete."),
    NOTE,
)
"""The fields that every record may carry."""
