"""What a browser sent, as records; and the game with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import structs

from assistant.transcript.errors import JsonPath, TableError
from assistant.transcript.jsonform import record_fields, record_from
from assistant.transcript.lexer import read_line
from assistant.transcript.pools import Pools
from assistant.transcript.recordlines import read_record
from assistant.transcript.writelines import write_record
from assistant.web.fields import Choose, Data, FieldError, Option, first
from assistant.web.form import Scene
from assistant.web.forms import form_named
from assistant.web.moments import is_closed, place_for, records_at, uses_at
from assistant.web.names import card_name
from assistant.web.recordforms import record_form
from engine.records import AnyRecord, At, Happens, Record, Transcript
from engine.words import DECKS, MASTERMIND, PROTAGONIST_HAND

LINE: Final = "line"
"""The form in which any record can be written as a line of notation."""
CARDS_FORM: Final = "cards"
"""The form for all cards of a day."""
NO_EFFECT_FORM: Final = "happens_without_effect"
"""The form that says in one tap that the incident happened and showed nothing."""
NO_INCIDENT_FORM: Final = "does_not_happen"
"""The form that says in one tap that no incident happened, which closes the step."""
CARDS_OF_MASTERMIND: Final = 3
USE: Final = "of"
"""The input that says of which use a record is the effect."""


@dataclass(slots=True)
class Submission:
    """Records that a browser sent, or what is wrong with them.

    Attributes:
        at: their step.
        records: the records, in order.
        prefixes: for each record the beginning of the names of its inputs.
        use: position of the use whose effects they are.
        errors: what cannot be read, each with its input.
        inputs: the names of the inputs that the form has.
    """

    at: At
    records: list[AnyRecord] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)
    use: int | None = None
    errors: list[FieldError] = field(default_factory=list)
    inputs: set[str] = field(default_factory=set)

    def take(
        self, fields: Mapping[str, Any], names: Callable[[TableError], str], prefix: str = ""
    ) -> None:
        """Add the record that the fields describe, or what is wrong with it."""
        try:
            self.records.append(record_from({"at": list(self.at), **fields}))
            self.prefixes.append(prefix)
        except TableError as error:
            self.errors.append(self.beside(prefix + _input(error.path), names(error)))

    def beside(self, name: str, text: str) -> FieldError:
        """Return an error beside an input, or beside none if the form lacks that input."""
        return FieldError(name if name in self.inputs else "", text)


def read_submission(data: Data, transcript: Transcript, scene: Scene) -> Submission | None:
    """Return the records that a browser sent; ``None`` when there is no such form."""
    found = Submission(scene.at)
    name = first(data, "form")
    complain = scene.names.complaint
    if name == CARDS_FORM:
        _read_cards(data, scene, found)
    elif name == LINE:
        _read_line(data, scene, found)
    elif name == NO_EFFECT_FORM:
        found.take({"kind": "incident", "occurs": True}, complain)
        found.take({"kind": "no_effect"}, complain)
    elif name == NO_INCIDENT_FORM:
        found.take({"kind": "incident", "occurs": False}, complain)
        if unsaid(transcript, scene.at) == 1 and not is_closed(transcript.records, scene.at):
            found.take({"kind": "complete"}, complain)
    else:
        form = form_named(name, scene)
        if form is None:
            return None
        found.inputs |= {item.name for item in (*form.fields, *form.more)}
        fields, errors = form.read(data)
        found.errors += errors
        if not errors:
            found.use = _use(data, transcript, scene.at)
            effect = {"by_use": True} if found.use is not None else {}
            found.take({**fields, **effect}, complain)
    return found


def added(transcript: Transcript, found: Submission) -> tuple[Transcript, int]:
    """Return the game with the records in their place, and that place."""
    records = transcript.records
    place = place_for(records, found.at, found.use)
    changed = (*records[:place], *found.records, *records[place:])
    return structs.replace(transcript, records=changed), place


def replaced(transcript: Transcript, number: int, record: AnyRecord) -> tuple[Transcript, int]:
    """Return the game with one record changed, and where it stands then.

    It keeps its place, unless its moment was changed.
    """
    records = transcript.records
    rest = (*records[:number], *records[number + 1 :])
    place = number if record.at == records[number].at else place_for(rest, record.at)
    return structs.replace(transcript, records=(*rest[:place], record, *rest[place:])), place


def without(transcript: Transcript, number: int) -> Transcript:
    """Return the game without one record."""
    records = transcript.records
    return structs.replace(transcript, records=(*records[:number], *records[number + 1 :]))


def line_of(record: Record, scene: Scene) -> str:
    """Return a record as a line of notation."""
    return write_record(record_fields(record), _pools(scene))


def unsaid(transcript: Transcript, at: At) -> int:
    """Return of how many incidents of a step it is not noted whether they happen."""
    noted = records_at(transcript.records, at)
    said = sum(isinstance(record, Happens) and not record.doubt for _, record in noted)
    return len(transcript.sheet.incidents_on(at[1])) - said


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of the form for all cards of a day.

    Attributes:
        prefix: beginning of the names of its inputs.
        deck: whose card it is.
        fields: its fields.
    """

    prefix: str
    deck: str
    fields: tuple[Choose, ...]


def card_rows(scene: Scene, noted: Sequence[str] = (), leader: str | None = None) -> list[CardRow]:
    """Return the rows: three cards of the Mastermind, then one of each other deck.

    Args:
        scene: the step.
        noted: whose cards are noted already; these get no row.
        leader: whose card comes first among the Protagonists'.
    """
    on = record_form("card", scene).fields[2]
    assert isinstance(on, Choose)  # the spot
    others: tuple[str, ...] = DECKS
    if leader in DECKS:
        turn = DECKS.index(leader)
        others = (*DECKS[turn:], *DECKS[:turn])
    left = Counter(noted)
    rows = []
    for number, deck in enumerate((*(MASTERMIND,) * CARDS_OF_MASTERMIND, *others)):
        if left[deck]:
            left[deck] -= 1
            continue
        hand = scene.words.hand if deck == MASTERMIND else PROTAGONIST_HAND
        faces = [Option(face, card_name(face), face) for face in hand]
        faces.append(Option("unknown", "face not noted", None))
        card = Choose("card", "Card", missing="Choose the card.", options=faces)
        rows.append(CardRow(f"{deck}{number}-", deck, (card, on)))
    return rows


def _read_cards(data: Data, scene: Scene, found: Submission) -> None:
    """Read the rows in which a card or a spot is chosen, in the order in which they stood."""
    rows = {row.prefix: row for deck in (None, *DECKS) for row in card_rows(scene, (), deck)}
    sent = dict.fromkeys(f"{name.split('-')[0]}-" for name in data)
    for row in [rows[prefix] for prefix in sent if prefix in rows]:
        found.inputs |= {row.prefix + item.name for item in row.fields}
        if not any(first(data, row.prefix + item.name) for item in row.fields):
            continue
        values: dict[str, Any] = {"kind": "card", "by": row.deck}
        wrong = len(found.errors)
        for item in row.fields:
            try:
                values[item.name] = item.read(data, row.prefix)
            except FieldError as error:
                found.errors.append(error)
        if len(found.errors) == wrong:
            found.take(values, scene.names.complaint, row.prefix)
    if not found.records and not found.errors:
        found.errors.append(FieldError("", "Choose at least one card and where it lay."))


def _read_line(data: Data, scene: Scene, found: Submission) -> None:
    found.inputs.add(LINE)
    text = (data.get(LINE) or ("",))[0].rstrip()
    if not text.strip() or "\n" in text or "\r" in text:
        found.errors.append(FieldError(LINE, "Write one line, such as those in the notation."))
        return
    try:
        fields, _ = read_record(read_line(text, 1), _pools(scene))
    except TableError as error:
        found.errors.append(FieldError(LINE, scene.names.complaint(error)))
    else:
        found.take(fields, scene.names.complaint)


def _pools(scene: Scene) -> Pools:
    return Pools(scene.names.rules, scene.words.sheet.cast)


def _use(data: Data, transcript: Transcript, at: At) -> int | None:
    text = first(data, USE)
    uses = {str(number): number for number, _ in uses_at(transcript.records, at)}
    return uses.get(text)


def _input(path: JsonPath) -> str:
    """Return the name of the field that an error of a single record is about."""
    return next((part for part in path if isinstance(part, str)), "")
