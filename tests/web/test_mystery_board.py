"""The board of a set with an Extra Gauge shows the gauge, Extra cards and what is held fast."""

from msgspec import structs

from assistant import samples
from assistant.web.names import Names
from assistant.web.tables import beside
from engine.generate import sheet_of
from engine.records import Complete, ExtraCard, Gauge, Happens, LocationNamed, Moved, Transcript
from engine.sets import RULEBOOKS
from engine.table import compile_table

AT = (1, 3, "incident")
SHEET = sheet_of(samples.load("the_night_train_stops"), None, 3)
NAMES = Names(RULEBOOKS["mystery_circle"], SHEET)


def told(incident: str, *records: object) -> list[str]:
    """Return what the board says after an incident of day 3."""
    scheduled = tuple(
        structs.replace(item, incident=incident) if item.day == 3 else item
        for item in SHEET.incidents
    )
    transcript = Transcript(
        format="looper-transcript",
        version=1,
        sheet=structs.replace(SHEET, incidents=scheduled),
        records=(Happens(at=AT, occurs=True), *records, Complete(at=AT)),  # type: ignore[arg-type]
    )
    return beside(compile_table(transcript).steps[-1].after, NAMES)


def test_the_gauge_is_shown_where_the_set_has_one() -> None:
    assert "The Extra Gauge stands at 2." in told("portent", Gauge(at=AT, value=2))
    plain = Names(RULEBOOKS["first_steps"], SHEET)
    table = compile_table(
        Transcript(format="looper-transcript", version=1, sheet=SHEET), RULEBOOKS["mystery_circle"]
    )
    assert beside(table.steps[0].after, plain) == []


def test_an_extra_card_is_shown() -> None:
    said = told("faked_suicide", ExtraCard(at=AT, on="nurse"))
    assert any(text.startswith("Nurse has an Extra card") for text in said)


def test_a_closed_location_is_shown_and_a_held_character_on_the_day_after() -> None:
    said = told("closed_circle", LocationNamed(at=AT, location="school"))
    assert any(text.startswith("School is closed") for text in said)
    moved = Moved(at=AT, who="nurse", to="city")
    assert not any("cannot be moved" in text for text in told("a_suspicious_letter", moved))
