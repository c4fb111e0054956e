"""Setting up a game from the open sheet, and the list of games."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from assistant.web.games import Games
from engine.records import Transcript
from engine.script import ScheduledIncident
from tests.web.conftest import SHEET, Table, set_up, text_of


def test_the_sheet_is_what_was_copied(table: Table) -> None:
    transcript = table.transcript
    sheet = transcript.sheet
    assert (transcript.title, sheet.loops, sheet.days, sheet.players) == ("Tuesday", 3, 4, 3)
    assert set(sheet.cast) == set(SHEET["cast"])
    assert sheet.cast_complete
    assert sheet.incidents == (ScheduledIncident(2, "homicide"), ScheduledIncident(4, "suicide"))
    assert transcript.rulings == {}


def test_the_first_page_counts_all_worlds(table: Table) -> None:
    worlds = table.games.deduction(table.games.store.get(table.id)).worlds.count()
    assert f"{worlds:,} of {worlds:,} worlds explain everything" in table.page()


def test_new_games_stand_in_the_list(client: FlaskClient, table: Table) -> None:
    assert "Tuesday 0 records" in text_of(client.get("/"))


def test_a_ruling_is_kept_only_where_it_is_not_the_usual_one(
    client: FlaskClient, games: Games
) -> None:
    rulings = {
        "ruling-key_person_death_ends_loop": "yes",
        "ruling-nothing_means_refused": "yes",
        "ruling-hospital_key_person_first": "no",
        "ruling-homicide_may_hit_culprit": "either",
    }
    assert set_up(client, games, SHEET | rulings).transcript.rulings == {
        "nothing_means_refused": True,
        "hospital_key_person_first": False,
        "homicide_may_hit_culprit": None,
    }


def test_a_turf_is_asked_for_where_it_is_needed(client: FlaskClient, games: Games) -> None:
    sheet = SHEET | {"cast": [*SHEET["cast"], "boss"]}
    refused = client.post("/new/first_steps", data=sheet)
    assert refused.status_code == 422
    assert "Choose its turf." in text_of(refused)
    assert set_up(client, games, sheet | {"turf-boss": "city"}).transcript.sheet.turf == {
        "boss": "city"
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"loops": ""}, "Write the number of loops."),
        ({"loops": "many"}, "Write a whole number from 1 to 99."),
        ({"days": "0"}, "Write a whole number from 1 to 99."),
        ({"players": "4"}, "Choose one of the values in the list."),
        ({"players": ""}, "Choose how many of you play the Protagonists."),
        ({"cast": []}, "Tick the characters on the table."),
        ({"cast": ["nobody"]}, "Tick the characters on the table."),
        ({"cast_complete": ""}, "Say whether a character could still enter"),
        ({"incident-0": ""}, "Choose the incident."),
        ({"day-1": ""}, "Write the day of this incident."),
        ({"day-1": "5"}, "An incident is scheduled for day 5 of 4."),
        ({"incident-1": "picnic"}, "Choose one of the values in the list."),
        ({"day-1": "2", "incident-1": "homicide"}, "Homicide stands twice on day 2."),
        ({"title": "x" * 600}, "This is too long"),
        ({"ruling-nothing_means_refused": "perhaps"}, "Choose one of the values in the list."),
    ],
)
def test_a_wrong_sheet_is_refused_beside_the_field_and_keeps_what_was_typed(
    client: FlaskClient, games: Games, change: dict[str, Any], words: str
) -> None:
    answer = client.post("/new/first_steps", data=SHEET | {"title": "Kept"} | change)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert change.get("title", "Kept") in answer.text
    assert games.store.games() == []


def test_the_cast_is_never_assumed_to_be_complete(client: FlaskClient) -> None:
    page = client.get("/new/first_steps").text
    boxes = [part for part in page.split("<input") if 'name="cast_complete"' in part]
    assert len(boxes) == 2
    assert not any("checked" in box for box in boxes)


def test_more_rows_keep_what_was_typed(client: FlaskClient, games: Games) -> None:
    answer = client.post("/new/first_steps", data=SHEET | {"rows": "4", "more": "yes"})
    assert answer.status_code == 200
    assert 'name="day-6"' in answer.text
    assert 'value="Tuesday"' in answer.text
    assert games.store.games() == []


def test_a_sheet_is_corrected_and_the_records_stay(begun: Table) -> None:
    before: Transcript = begun.transcript
    answer = begun.send("/sheet", SHEET | {"title": "Wednesday", "loops": "4"})
    assert answer.status_code == 303
    after = begun.transcript
    assert (after.title, after.sheet.loops) == ("Wednesday", 4)
    assert after.records == before.records
    assert after.sheet.cast == before.sheet.cast


def test_a_sheet_that_no_longer_fits_the_records_is_refused(begun: Table) -> None:
    before = begun.transcript
    cast = [who for who in SHEET["cast"] if who != "doctor"]
    answer = begun.send("/sheet", SHEET | {"cast": cast})
    assert answer.status_code == 422
    assert "Doctor is not on the table" in text_of(answer)
    assert begun.transcript == before


def test_two_phones_do_not_overwrite_each_others_sheet(table: Table) -> None:
    old = table.revision
    table.send("/sheet", SHEET | {"title": "First"})
    answer = table.client.post(
        f"{table.url}/sheet", data=SHEET | {"title": "Second", "revision": old}
    )
    assert answer.status_code == 409
    assert "Another phone has changed the game" in text_of(answer)
    assert 'value="First"' in answer.text
    assert table.transcript.title == "First"


def test_an_unknown_set_has_no_sheet(client: FlaskClient) -> None:
    assert client.get("/new/last_steps").status_code == 404
