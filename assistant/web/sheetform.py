"""The form for the open sheet: what is public of a script, and how this table reads the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from assistant.transcript.errors import JsonPath, choices
from assistant.transcript.structure import convert
from assistant.web.fields import (
    OMIT,
    Choose,
    Data,
    Field,
    FieldError,
    Number,
    Option,
    first,
    options_of,
)
from engine.records import Transcript
from engine.rules.model import Rulebook
from engine.rulings import RULINGS, Ruling
from engine.script import Sheet
from engine.words import LOCATIONS

_READINGS: Final = {"yes": True, "no": False, "either": None}
_READING_OF: Final = {reading: word for word, reading in _READINGS.items()}
_INPUTS: Final = ("loops", "days", "players", "cast", "cast_complete")
_LEAST_ROWS: Final = 4
MOST_ROWS: Final = 12

TITLE: Final = Field("title", "What to call the game")
LOOPS: Final = Number("loops", "Loops", missing="Write the number of loops.", least=1)
DAYS: Final = Number("days", "Days in a loop", missing="Write the number of days.", least=1)
PLAYERS: Final = Choose(
    "players",
    "Protagonist players",
    "Without the Mastermind.",
    "Choose how many of you play the Protagonists.",
    [Option(str(n), str(n), n) for n in (1, 2, 3)],
    large=True,
)
CAST_COMPLETE: Final = Choose(
    "cast_complete",
    "Could a character still enter who is not on the table yet?",
    "",
    "Say whether a character could still enter: nobody can tell later.",
    [
        Option("yes", "No, the cast is complete", True),
        Option("no", "Yes, somebody could", False),
    ],
    large=True,
)
ANNOUNCES: Final = Choose(
    "announces",
    "How does the Mastermind announce tokens?",
    "",
    "",
    [
        Option("every_token", "Each token", "every_token"),
        Option("net", "What changed in the end", "net"),
    ],
    large=True,
)


def ruling_field(ruling: Ruling) -> Choose:
    """Return the field for one table ruling."""
    labels = {"yes": "Yes", "no": "No", "either": "Not agreed: accept both"}
    usual = _READING_OF[ruling.default]
    options = [
        Option(word, f"{label} (usual)" if word == usual else label, _READINGS[word])
        for word, label in labels.items()
    ]
    return Choose(f"ruling-{ruling.id}", ruling.about, options=options)


def cast_choices(rules: Rulebook) -> list[tuple[Option, Choose | None]]:
    """Return the characters by name, each with the field for its turf if it has one."""
    found: list[tuple[Option, Choose | None]] = []
    for who, character in sorted(rules.characters.items(), key=lambda item: item[1].name):
        starts = choices(place.capitalize() for place in character.starts)
        if character.entry is not None:
            start = "enters later"
        else:
            start = starts if len(character.starts) < len(LOCATIONS) else "anywhere"
        turf = None
        if character.has_turf:
            places = options_of(LOCATIONS, str.capitalize)
            turf = Choose(
                f"turf-{who}", f"Turf of the {character.name}, if on the table", options=places
            )
        found.append((Option(who, character.name, who, hint=start), turf))
    return found


def incident_row(row: int, rules: Rulebook) -> tuple[Number, Choose]:
    """Return the two fields of a row of the schedule."""
    incidents = options_of(rules.incidents, lambda one: rules.incidents[one].name)
    return (
        Number(f"day-{row}", "Day", missing="Write the day of this incident.", least=1),
        Choose(f"incident-{row}", "Incident", missing="Choose the incident.", options=incidents),
    )


def rows_of(data: Data) -> int:
    """Return how many rows of the schedule the form has."""
    text = first(data, "rows")
    rows = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
    return min(max(rows, _LEAST_ROWS), MOST_ROWS)


def blank() -> dict[str, list[str]]:
    """Return what the form of a new game holds."""
    data = {"loops": ["3"], "days": ["4"], "players": ["3"], "announces": ["every_token"]}
    return data | _rulings_shown({})


def shown(transcript: Transcript) -> dict[str, list[str]]:
    """Return what the form holds for a game."""
    sheet = transcript.sheet
    data: dict[str, list[str]] = {
        "title": [transcript.title],
        "loops": [str(sheet.loops)],
        "days": [str(sheet.days)],
        "players": [str(sheet.players)],
        "cast": list(sheet.cast),
        "cast_complete": ["yes" if sheet.cast_complete else "no"],
        "announces": [transcript.announces],
        "rows": [str(len(sheet.incidents) + 1)],
    }
    for row, item in enumerate(sheet.incidents):
        data |= {f"day-{row}": [str(item.day)], f"incident-{row}": [item.incident]}
    data |= {f"turf-{who}": [place] for who, place in sheet.turf.items()}
    return data | _rulings_shown(transcript.rulings)


def _rulings_shown(chosen: Mapping[str, bool | None]) -> dict[str, list[str]]:
    readings = {name: chosen.get(name, ruling.default) for name, ruling in RULINGS.items()}
    return {f"ruling-{name}": [_READING_OF[reading]] for name, reading in readings.items()}


class SheetReader:
    """What a submitted form says.

    Attributes:
        errors: what cannot be read, each with its input.
        title, announces, rulings, sheet: what was read, in the JSON form.
    """

    def __init__(self, data: Data, rules: Rulebook, before: Sheet | None = None) -> None:
        self.errors: list[FieldError] = []
        self._data = data
        self._rules = rules
        self._rows: list[int] = []
        self.title = self._read(TITLE, "")
        self.announces = self._read(ANNOUNCES, "every_token")
        self.rulings = dict(self._rulings())
        self.sheet: dict[str, Any] = {
            "set": rules.id,
            "loops": self._read(LOOPS, 1),
            "days": self._read(DAYS, 1),
            "players": self._read(PLAYERS, 3),
            "cast": self._cast(() if before is None else before.cast),
            "cast_complete": self._read(CAST_COMPLETE, True),
            "turf": {},
            "incidents": list(self._incidents()),
            "special_rules": [] if before is None else list(before.special_rules),
        }
        self.sheet["turf"] = dict(self._turf(self.sheet["cast"]))

    def transcript(self, before: Transcript | None = None) -> Transcript:
        """Return the game with this sheet.

        Raises:
            TableError: When the sheet has not the form of one.
        """
        from msgspec import structs

        sheet: Sheet = convert(self.sheet, Sheet, ("sheet",))
        if before is None:
            before = Transcript(format="looper-transcript", version=1, sheet=sheet)
        return structs.replace(
            before,
            title=self.title,
            sheet=sheet,
            rulings=self.rulings,
            announces=self.announces,
        )

    def input_at(self, path: JsonPath) -> str:
        """Return the input in which the value at a path of the transcript stands."""
        match path:
            case ("sheet", "turf", str(who), *_) if who in self.sheet["cast"]:
                return f"turf-{who}"
            case ("sheet", "incidents", int(number), *rest) if number < len(self._rows):
                part = "day" if rest[:1] == ["day"] else "incident"
                return f"{part}-{self._rows[number]}"
            case ("sheet", str(name), *_) if name in _INPUTS:
                return name
            case ("rulings", str(name), *_):
                return f"ruling-{name}"
            case _:
                return ""

    def _read(self, field: Field, default: object) -> Any:
        try:
            value = field.read(self._data)
        except FieldError as error:
            self.errors.append(error)
            return default
        return default if value is OMIT else value

    def _cast(self, before: Iterable[str]) -> list[str]:
        ticked = self._data.get("cast") or ()
        listed = self._rules.characters
        known = [who for who in (*before, *listed) if who in ticked and who in listed]
        if not known:
            self.errors.append(FieldError("cast", "Tick the characters on the table."))
        return list(dict.fromkeys(known))

    def _turf(self, cast: Iterable[str]) -> Iterable[tuple[str, str]]:
        for option, field in cast_choices(self._rules):
            if field is not None and option.value in cast:
                place = self._read(field, None)
                if place is None and all(e.name != field.name for e in self.errors):
                    self.errors.append(FieldError(field.name, "Choose its turf."))
                elif place is not None:
                    yield option.value, place

    def _incidents(self) -> Iterable[dict[str, object]]:
        for row in range(rows_of(self._data)):
            fields = incident_row(row, self._rules)
            if any(first(self._data, field.name) for field in fields):
                self._rows.append(row)
                day, incident = (self._read(field, None) for field in fields)
                if day is not None and incident is not None:
                    yield {"day": day, "incident": incident}

    def _rulings(self) -> Iterable[tuple[str, bool | None]]:
        for name, ruling in RULINGS.items():
            reading = self._read(ruling_field(ruling), ruling.default)
            if reading != ruling.default:
                yield name, reading
