"""Correcting what was noted: in place, by several phones, without losing anything."""

from typing import Any

import pytest
from hypothesis import given, settings

from assistant.transcript.jsonform import record_fields
from assistant.transcript.lexer import read_line
from assistant.transcript.pools import Pools
from assistant.transcript.recordlines import read_record
from assistant.transcript.vocabulary import Vocabulary
from assistant.web.form import Scene
from assistant.web.forms import form_for
from assistant.web.games import Games
from assistant.web.names import Names
from assistant.web.submission import line_of
from engine.board import Board
from engine.records import Death, Record
from engine.script import Sheet
from engine.sets import RULEBOOKS
from tests.transcript.strategies import records
from tests.web.conftest import SHEET, Table, text_of

NIGHT = "1.1.night"


def moment(loop: int = 1, day: int = 1, step: str = "night") -> dict[str, Any]:
    return {"at-loop": loop, "at-day": day, "at-step": step}


def test_a_record_shows_its_form_filled_in(begun: Table) -> None:
    page = begun.client.get(f"{begun.url}/record/3")
    assert "Mastermind: Unease +1 on Doctor" in text_of(page)
    assert '<option value="doctor" selected>' in page.text
    assert '<option value="unease_plus_1" selected>' in page.text


def test_a_record_is_changed_in_place(begun: Table) -> None:
    answer = begun.send(
        "/record/3",
        {"form": "card", "by": "mastermind", "card": "intrigue_plus_1", "on": "patient"}
        | moment(step="cards"),
    )
    assert answer.status_code == 303
    assert len(begun.records) == 4
    assert record_fields(begun.records[2])["card"] == "intrigue_plus_1"
    assert record_fields(begun.records[3])["kind"] == "complete"


def test_a_record_moves_to_the_step_in_which_it_was_seen(begun: Table) -> None:
    begun.noted(NIGHT, "death", who="patient")
    begun.noted("1.2.cards", "complete")
    answer = begun.send("/record/5", {"form": "death", "who": "patient"} | moment(day=2))
    assert answer.status_code == 303
    assert begun.records[-1] == Death(at=(1, 2, "night"), who="patient")


def test_a_wrong_correction_is_refused_and_keeps_what_was_typed(begun: Table) -> None:
    before = begun.transcript
    fields = {"form": "card", "by": "mastermind", "card": "forbid_movement", "on": "patient"}
    answer = begun.send("/record/3", fields | moment(step="cards") | {"note": "mine"})
    assert answer.status_code == 422
    assert "has no card Forbid Movement" in text_of(answer)
    assert '<option value="patient" selected>' in answer.text
    assert 'value="mine"' in answer.text
    assert begun.transcript == before


def test_a_correction_without_a_moment_is_refused(begun: Table) -> None:
    answer = begun.send("/record/4", {"form": "complete", "at-loop": "x"})
    assert answer.status_code == 422
    assert "Choose loop, day and step." in text_of(answer)


@pytest.fixture
def counted(begun: Table) -> Table:
    """A game in which record 8 takes away what record 5 has placed."""
    begun.noted("1.1.mastermind", "token", on="doctor", token="unease", n="1")
    begun.noted("1.1.mastermind", "complete")
    begun.noted("1.1.goodwill", "complete")
    begun.noted(NIGHT, "token", on="doctor", token="unease", n="-2")
    return begun


def test_a_correction_that_breaks_another_record_names_it(counted: Table) -> None:
    answer = counted.send(
        "/record/5",
        {"form": "token", "on": "patient", "token": "unease", "n": "1"} | moment(step="mastermind"),
    )
    assert answer.status_code == 422
    assert "With this, record 8 would no longer fit." in text_of(answer)
    assert f"{counted.url}/record/8" in answer.text


def test_a_record_is_deleted(begun: Table) -> None:
    assert begun.send("/record/3/delete", {}).status_code == 303
    assert [record_fields(record)["kind"] for record in begun.records] == [
        "placed",
        "complete",
        "complete",
    ]


def test_deleting_what_others_need_is_refused(counted: Table) -> None:
    before = counted.transcript
    answer = counted.send("/record/5/delete", {})
    assert answer.status_code == 422
    assert "Nothing was changed." in text_of(answer)
    assert f"{counted.url}/record/7" in answer.text
    assert counted.transcript == before


def test_a_record_is_doubtful_and_sure_again(begun: Table) -> None:
    begun.send("/record/3/doubt", {})
    assert begun.records[2].doubt
    assert "doubtful" in begun.page(at="1.1.cards")
    page = begun.client.get(f"{begun.url}/record/3").text
    assert "It is sure after all" in page
    begun.send("/record/3/doubt", {})
    assert not begun.records[2].doubt


def test_doubt_stays_when_a_doubtful_record_is_corrected(begun: Table) -> None:
    begun.send("/record/3/doubt", {})
    page = begun.client.get(f"{begun.url}/record/3").text
    assert '<input type="hidden" name="doubt" value="yes">' in page


def test_a_record_that_no_form_can_hold_is_corrected_as_a_line(table: Table) -> None:
    table.noted("1.1.night", "line", line="count doctor g1; patient u2")
    page = table.client.get(f"{table.url}/record/1")
    assert 'name="line"' in page.text
    answer = table.send(
        "/record/1",
        {"form": "line", "line": "count doctor g3; patient u2"} | moment(),
    )
    assert answer.status_code == 303
    characters = record_fields(table.records[0])["board"]["characters"]
    assert characters == {"doctor": {"goodwill": 3}, "patient": {"unease": 2}}


def test_records_that_are_not_there_are_not_found(begun: Table) -> None:
    assert begun.client.get(f"{begun.url}/record/0").status_code == 404
    assert begun.client.get(f"{begun.url}/record/99").status_code == 404
    assert begun.send("/record/99/delete", {}).status_code == 404


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/record", {"at": NIGHT, "form": "death", "who": "teacher"}),
        ("/record/3", {"form": "complete"} | moment()),
        ("/record/3/delete", {}),
        ("/record/3/doubt", {}),
    ],
)
def test_two_phones_do_not_overwrite_each_other(
    begun: Table, path: str, fields: dict[str, Any]
) -> None:
    old = begun.revision
    begun.noted(NIGHT, "death", who="patient")
    after = begun.transcript
    answer = begun.send(path, fields | {"revision": old})
    assert answer.status_code == 409
    text = text_of(answer)
    assert "Another phone has changed the game" in text
    assert "nothing was saved" in text
    assert "Patient died" in text  # the newest state
    assert begun.transcript == after
    if path == "/record":
        # What was typed is still there, and saving it again works.
        assert '<option value="teacher" selected>' in answer.text
        assert f'name="revision" value="{begun.revision}"' in answer.text


SHEET_OF_ALL = Sheet(
    set="first_steps",
    loops=9,
    days=9,
    cast=tuple(who for who, card in RULEBOOKS["first_steps"].characters.items() if not card.entry),
    cast_complete=True,
)
RULES = RULEBOOKS["first_steps"]


NAMES = Names(RULES, SHEET_OF_ALL)


def scene_at(record: Record, sheet: Sheet) -> Scene:
    return Scene(NAMES, Vocabulary(RULES, sheet), Board(), record.at)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def said_again(record: Record, sheet: Sheet) -> dict[str, Any]:
    """Return what comes out when the form of a record is sent as it is shown."""
    scene = scene_at(record, sheet)
    found = form_for(record_fields(record), scene)
    if found is None:
        fields, _ = read_record(read_line(line_of(record, scene), 1), Pools(RULES, sheet.cast))
        return {"at": list(record.at), **fields}
    form, data = found
    fields, errors = form.read(data)
    assert not errors
    return {"at": list(record.at), **fields}


@settings(max_examples=150, deadline=None)
@given(records())
def test_opening_and_saving_any_record_changes_nothing(record: Record) -> None:
    assert plain(said_again(record, SHEET_OF_ALL)) == plain(record_fields(record))


def test_a_game_in_memory_follows_a_correction(begun: Table, games: Games) -> None:
    everything = games.deduction(games.store.get(begun.id)).worlds.count()
    begun.noted("1.1.goodwill", "reveal_role", role_of="doctor", role="brain")
    fewer = games.deduction(games.store.get(begun.id)).worlds.count()
    begun.send(f"/record/{len(begun.records)}/delete", {})
    assert fewer < everything == games.deduction(games.store.get(begun.id)).worlds.count()
    assert set(SHEET["cast"]) == set(begun.transcript.sheet.cast)
