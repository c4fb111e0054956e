"""The fields of forms: what a page shows for a JSON value, and what a browser sends back.

A field reads its part of a submitted form as the value of a record in its JSON form, and shows
such a value again, so that a refused or edited form keeps what stood in it. A value that a
field has no way to show makes it answer ``None``: the record is then edited as a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.words import LOCATIONS

Data = Mapping[str, Sequence[str]]
"""What a browser sent: for each name of an input the values, in order."""

OMIT: Final = object()
"""Stands for a field that the record leaves out."""

LONGEST_TEXT: Final = 500


class FieldError(ValueError):
    """A field cannot be read; the message says what to do.

    Attributes:
        name: the input beside which it is shown.
        text: a sentence.
    """

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        self.text = text


def first(data: Data, name: str) -> str:
    """Return the first value of an input, without space around it; empty if there is none."""
    values = data.get(name) or ("",)
    return values[0].strip()


@dataclass(frozen=True, slots=True)
class Option:
    """One of the values that may be chosen.

    Attributes:
        value: what the browser sends.
        label: what people read.
        means: the JSON value.
        group: heading under which it stands in a long list.
        hint: a sentence below a large choice.
    """

    value: str
    label: str
    means: Any
    group: str = ""
    hint: str = ""


def options_of(ids: Iterable[str], name: Callable[[str], str], group: str = "") -> list[Option]:
    """Return options for ids that stand for themselves."""
    return [Option(one, name(one), one, group) for one in ids]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form.

    Attributes:
        name: of the record's field, and of the input.
        label: what people read.
        hint: a sentence below the label.
        missing: what to say when it is empty; empty if it may be left out.
    """

    name: str
    label: str
    hint: str = ""
    missing: str = ""

    @property
    def widget(self) -> str:
        """Return the name of the page fragment that shows it."""
        return type(self).__name__.lower()

    def read(self, data: Data, prefix: str = "") -> Any:
        """Return the JSON value that was entered, ``OMIT`` for none.

        Raises:
            FieldError: When it cannot be read.
        """
        text = first(data, prefix + self.name)
        if not text:
            return self.nothing(prefix)
        if len(text) > LONGEST_TEXT:
            raise FieldError(
                prefix + self.name, f"This is too long: write at most {LONGEST_TEXT} letters."
            )
        return self.parse(text, prefix)

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return what the inputs hold for a JSON value, ``None`` if they cannot hold it."""
        return {self.name: [value]} if isinstance(value, str) else None

    def parse(self, text: str, prefix: str) -> Any:
        """Return what a text that is not empty says."""
        return text

    def nothing(self, prefix: str) -> Any:
        """Return what an empty input says."""
        if self.missing:
            raise FieldError(prefix + self.name, self.missing)
        return OMIT


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A whole number."""

    least: int = 0
    most: int = 99

    def parse(self, text: str, prefix: str) -> Any:
        """Return the number."""
        plain = text.replace("\N{MINUS SIGN}", "-")
        digits = plain.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 4:
            number = int(plain)
            if self.least <= number <= self.most:
                return number
        raise FieldError(
            prefix + self.name, f"Write a whole number from {self.least} to {self.most}."
        )

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return the number as text."""
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return {self.name: [str(value)]}


@dataclass(frozen=True, slots=True)
class Player(Field):
    """Which of the people at the table: a number or a name."""

    @property
    def widget(self) -> str:
        """Return the name of the page fragment that shows it."""
        return "field"

    def parse(self, text: str, prefix: str) -> Any:
        """Return the number or the name."""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return it as text."""
        return None if isinstance(value, bool) else {self.name: [str(value)]}


@dataclass(frozen=True, slots=True)
class Check(Field):
    """A box to tick; a box that is not ticked leaves the field out."""

    def read(self, data: Data, prefix: str = "") -> Any:
        """Return true or ``OMIT``."""
        return True if first(data, prefix + self.name) else OMIT

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return the tick."""
        return {self.name: ["yes"]} if value is True else None


@dataclass(frozen=True, slots=True)
class Choose(Field):
    """One of a few values.

    Attributes:
        options: the values.
        large: shown as buttons that lie open, not as a list that unfolds.
    """

    options: Sequence[Option] = ()
    large: bool = False

    @property
    def widget(self) -> str:
        """Return the name of the page fragment that shows it."""
        return "buttons" if self.large else type(self).__name__.lower()

    def parse(self, text: str, prefix: str) -> Any:
        """Return what the chosen option means."""
        for option in self.options:
            if option.value == text:
                return option.means
        raise FieldError(prefix + self.name, "Choose one of the values in the list.")

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return the option that means the value."""
        for option in self.options:
            if option.means == value and type(option.means) is type(value):
                return {self.name: [option.value]}
        return None

    def groups(self) -> list[tuple[str, list[Option]]]:
        """Return the options under their headings."""
        grouped: dict[str, list[Option]] = {}
        for option in self.options:
            grouped.setdefault(option.group, []).append(option)
        return list(grouped.items())


SEVERAL: Final = "several"
"""The value with which a form says that the table could not name the one."""
_SOMEBODY: Final = "somebody."


@dataclass(frozen=True, slots=True)
class Who(Choose):
    """A character or place, or as much as the table knows of it.

    Attributes:
        people: a character may stand there, so that "somebody at a place" makes sense.
        unsure: the table may say that it does not know exactly.
    """

    people: bool = True
    unsure: bool = True

    @property
    def several(self) -> str:
        """Return the name of the boxes for those it could have been."""
        return f"{self.name}-{SEVERAL}"

    def read(self, data: Data, prefix: str = "") -> Any:
        """Return an id, ``{"one_of": ...}`` or ``{"somebody_at": ...}``."""
        text = first(data, prefix + self.name)
        if self.unsure and text == SEVERAL:
            ticked = data.get(prefix + self.several) or ()
            known = [option.means for option in self.options if option.value in ticked]
            if len(known) < 2:
                raise FieldError(prefix + self.name, "Tick all that it could have been, below.")
            return {"one_of": known}
        if self.unsure and self.people and text.startswith(_SOMEBODY):
            place = text.removeprefix(_SOMEBODY)
            if place in LOCATIONS:
                return {"somebody_at": place}
        return Choose.read(self, data, prefix)

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return the choice and the ticks."""
        if not isinstance(value, Mapping):
            return Choose.show(self, value)
        if "somebody_at" in value:
            return {self.name: [_SOMEBODY + str(value["somebody_at"])]}
        return {self.name: [SEVERAL], self.several: list(value.get("one_of") or ())}

    def unsure_options(self) -> list[Option]:
        """Return the choices for a table that is not sure."""
        found = [
            Option(_SOMEBODY + place, f"somebody at the {place.capitalize()}", None)
            for place in (LOCATIONS if self.people else ())
        ]
        return [*found, Option(SEVERAL, "one of several …", None)] if self.unsure else []


@dataclass(frozen=True, slots=True)
class Several(Choose):
    """Any number of the options."""

    def read(self, data: Data, prefix: str = "") -> Any:
        """Return the list of what was ticked, in the order of the options."""
        ticked = data.get(prefix + self.name) or ()
        known = [option.means for option in self.options if option.value in ticked]
        return known if known or not self.missing else self.nothing(prefix)

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return the ticks."""
        values = [option.value for option in self.options]
        if isinstance(value, list | tuple) and all(one in values for one in value):
            return {self.name: list(value)}
        return None


@dataclass(frozen=True, slots=True)
class Fixed(Field):
    """A value that the form itself gives.

    Attributes:
        means: the JSON value.
    """

    means: Any = field(default=None)

    def read(self, data: Data, prefix: str = "") -> Any:
        """Return the value."""
        return self.means

    def show(self, value: Any) -> dict[str, list[str]] | None:
        """Return no input if it is that value."""
        return {} if value == self.means and type(value) is type(self.means) else None
