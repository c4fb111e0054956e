"""Noting what is seen, step by step: each form makes the record that it says."""

from typing import Any

import pytest

from assistant.transcript.jsonform import record_fields
from tests.web.conftest import Table, text_of

FORMS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "1.1.loop_start",
        "placed",
        {"who": "henchman", "where": "city"},
        {"kind": "placed", "who": "henchman", "where": "city"},
    ),
    ("1.1.day_start", "leader", {"deck": "b"}, {"kind": "leader", "deck": "b"}),
    (
        "1.1.cards",
        "card",
        {"by": "a", "card": "goodwill_plus_2", "on": "doctor"},
        {"kind": "card", "by": "a", "card": "goodwill_plus_2", "on": "doctor"},
    ),
    (
        "1.1.cards",
        "card",
        {"by": "mastermind", "card": "unknown", "on": "shrine"},
        {"kind": "card", "by": "mastermind", "card": None, "on": "shrine"},
    ),
    (
        "1.1.cards",
        "card_result",
        {"on": "doctor", "unease": "0", "goodwill": "2", "to": "city"},
        {"kind": "card_result", "on": "doctor", "unease": 0, "goodwill": 2, "to": "city"},
    ),
    (
        "1.1.mastermind",
        "token",
        {"on": "school", "token": "intrigue", "n": "1"},
        {"kind": "token", "on": "school", "token": "intrigue", "n": 1},
    ),
    (
        "1.1.mastermind",
        "token",
        {"on": "somebody.school", "token": "unease", "n": "-1"},
        {"kind": "token", "on": {"somebody_at": "school"}, "token": "unease", "n": -1},
    ),
    (
        "1.1.mastermind",
        "moved",
        {"who": "doctor", "to": "shrine", "note": "I think", "ordered": "yes"},
        {"kind": "moved", "who": "doctor", "to": "shrine", "note": "I think", "ordered": True},
    ),
    (
        "1.1.goodwill",
        "shifted",
        {"token": "goodwill", "from": "doctor", "to": "patient"},
        {"kind": "shifted", "token": "goodwill", "from": "doctor", "to": "patient"},
    ),
    (
        "1.1.goodwill",
        "reveal_role",
        {"role_of": "doctor", "role": "brain"},
        {"kind": "reveal", "role_of": "doctor", "role": "brain"},
    ),
    (
        "1.2.goodwill",
        "reveal_culprit",
        {"culprit_of": "2", "culprit": "doctor"},
        {"kind": "reveal", "culprit_of": 2, "culprit": "doctor"},
    ),
    (
        "1.1.goodwill",
        "reveal_subplot",
        {"subplot": "shadow_of_the_ripper", "asked": "a_hideous_script"},
        {"kind": "reveal", "subplot": "shadow_of_the_ripper", "asked": "a_hideous_script"},
    ),
    (
        "1.1.goodwill",
        "reveal_same",
        {"same_role_as": "doctor", "characters": ["patient", "teacher"]},
        {"kind": "reveal", "same_role_as": "doctor", "characters": ("patient", "teacher")},
    ),
    ("1.1.night", "death", {"who": "patient"}, {"kind": "death", "who": "patient"}),
    (
        "1.1.night",
        "death",
        {"who": "several", "who-several": ["doctor", "patient"]},
        {"kind": "death", "who": {"one_of": ("patient", "doctor")}},
    ),
    (
        "1.1.night",
        "loop_over",
        {"word": "lost", "deaths_closed": "yes"},
        {"kind": "loop_over", "word": "lost", "deaths_closed": True},
    ),
    ("1.4.loop_end", "loop_over", {"word": "won"}, {"kind": "loop_over", "word": "won"}),
    (
        "1.1.night",
        "count",
        {"on": "doctor", "goodwill": "2", "alive": "yes"},
        {
            "kind": "recount",
            "board": {"characters": {"doctor": {"alive": True, "goodwill": 2}}},
        },
    ),
    (
        "1.1.night",
        "count",
        {"on": "school", "intrigue": "0"},
        {"kind": "recount", "board": {"locations": {"school": {"intrigue": 0}}}},
    ),
    ("1.1.night", "complete", {}, {"kind": "complete"}),
    ("1.1.night", "partial", {}, {"kind": "partial"}),
    (
        "1.1.night",
        "line",
        {"line": "dead doc  # so it seems"},
        {"kind": "death", "who": "doctor", "note": "so it seems"},
    ),
]


def step_of(table: Table) -> str:
    """Return the step that the page proposes."""
    return table.client.get(table.url).text.split('data-at="')[1].split('"')[0]


@pytest.mark.parametrize(("at", "form", "data", "record"), FORMS)
def test_a_form_makes_its_record(
    table: Table, at: str, form: str, data: dict[str, Any], record: dict[str, Any]
) -> None:
    noted = table.noted(at, form, **data)
    assert noted == record


def test_a_count_of_a_place_goes_with_the_moment(table: Table) -> None:
    table.noted("1.1.night", "count", on="doctor", stands="city")
    assert table.last["board"]["characters"]["doctor"] == {"at": "city"}


def test_an_ability_and_its_effect(begun: Table) -> None:
    begun.noted("1.1.mastermind", "complete")
    begun.noted("1.1.goodwill", "count", on="teacher", goodwill="4")
    assert begun.noted(
        "1.1.goodwill", "use.teacher.3", target="boy_student", choice="1", outcome="resolved"
    ) == {
        "kind": "use",
        "who": "teacher",
        "ability": 3,
        "target": "boy_student",
        "choice": 1,
        "outcome": "resolved",
    }
    use = len(begun.records) - 1
    page = begun.client.get(begun.url).text
    # What it usually shows is filled in.
    assert 'value="unease" checked' in page
    assert '<option value="boy_student" selected>' in page
    assert begun.noted(
        "1.1.goodwill", "token", on="boy_student", token="unease", n="1", of=str(use)
    ) == {"kind": "token", "on": "boy_student", "token": "unease", "n": 1, "by_use": True}


def test_an_effect_stands_behind_its_own_use(begun: Table) -> None:
    at = "1.1.goodwill"
    begun.noted(at, "count", on="teacher", goodwill="4")
    begun.noted(at, "use.teacher.3", target="boy_student", choice="1", outcome="resolved")
    first = len(begun.records) - 1
    begun.noted(at, "use.teacher.4", target="boy_student", outcome="refused")
    begun.note(at, "token", on="boy_student", token="unease", n="1", of=str(first))
    kinds = [record_fields(record)["kind"] for record in begun.records[first:]]
    assert kinds == ["use", "token", "use"]


def test_all_cards_of_a_day_at_once(table: Table) -> None:
    answer = table.note(
        "1.1.cards",
        "cards",
        **{
            "mastermind0-card": "unease_plus_1",
            "mastermind0-on": "doctor",
            "mastermind1-card": "",
            "mastermind1-on": "",
            "b3-card": "unknown",
            "b3-on": "school",
            "a5-card": "movement_vertical",
            "a5-on": "doctor",
        },
    )
    assert answer.status_code == 303
    assert [(r.by, r.card, r.on) for r in table.records] == [  # type: ignore[union-attr]
        ("mastermind", "unease_plus_1", "doctor"),
        ("b", None, "school"),
        ("a", "movement_vertical", "doctor"),
    ]
    page = table.page()
    assert "Doctor +1 Unease, to City" in page
    # The rows that are left are those of the other cards.
    assert page.count("Protagonist C") == 1


def test_cards_that_lack_a_spot_are_refused_together(table: Table) -> None:
    answer = table.note(
        "1.1.cards",
        "cards",
        **{
            "mastermind0-card": "unease_plus_1",
            "mastermind0-on": "doctor",
            "mastermind1-card": "forbid_unease",
        },
    )
    assert answer.status_code == 422
    assert "Choose where it lay." in text_of(answer)
    assert '<option value="forbid_unease" selected>' in answer.text
    assert table.records == ()


def test_no_cards_at_all_are_no_record(table: Table) -> None:
    assert "Choose at least one card" in text_of(table.note("1.1.cards", "cards"))


def test_an_incident_that_does_not_happen_closes_its_step(table: Table) -> None:
    table.note("1.2.incident", "does_not_happen")
    assert [record_fields(record)["kind"] for record in table.records] == ["incident", "complete"]


def test_an_incident_without_effect_is_not_no_incident(table: Table) -> None:
    table.note("1.2.incident", "happens_without_effect")
    happens, silent = map(record_fields, table.records)
    assert happens["occurs"] is True
    assert silent["kind"] == "no_effect"


def test_an_incident_that_shows_something(table: Table) -> None:
    assert table.noted("1.2.incident", "incident", occurs="yes")["occurs"] is True
    assert "What did the Mastermind say?" not in table.page()


def test_the_page_walks_through_the_steps_of_a_loop(table: Table) -> None:
    seen = []
    for _ in range(60):
        at = step_of(table)
        if at.startswith("2."):
            break
        seen.append(at)
        if at.endswith("loop_end"):
            table.noted(at, "loop_over", word="lost")
        table.note(at, "complete")
    day = ["cards", "mastermind", "goodwill"]
    assert seen == [
        "1.1.loop_start",
        *(f"1.1.{step}" for step in (*day, "night")),
        *(f"1.2.{step}" for step in (*day, "incident", "night")),
        *(f"1.3.{step}" for step in (*day, "night")),
        *(f"1.4.{step}" for step in (*day, "incident", "night")),
        "1.4.loop_end",
    ]


def test_an_early_end_leads_to_the_loop_end_and_the_next_loop(begun: Table) -> None:
    begun.noted("1.1.night", "death", who="patient")
    begun.noted("1.1.night", "loop_over", word="lost")
    assert step_of(begun) == "1.1.night"
    begun.noted("1.1.night", "complete")
    assert step_of(begun) == "1.1.loop_end"
    assert "The loop ended here" not in begun.page()
    begun.noted("1.1.loop_end", "complete")
    assert step_of(begun) == "2.1.loop_start"


def test_a_won_game_is_over(table: Table) -> None:
    table.noted("1.4.loop_end", "loop_over", word="won")
    table.noted("1.4.loop_end", "complete")
    assert "The game is over." in table.page()


def test_the_leader_moves_on_in_the_night(begun: Table) -> None:
    begun.noted("1.1.night", "count", on="doctor", unease="1")
    assert "leads from now on" not in begun.page()
    begun.noted("1.1.day_start", "leader", deck="c")
    assert "Protagonist A leads from now on" in begun.page()
    begun.noted("1.1.night", "leader", deck="a")
    assert "leads from now on" not in begun.page()


def test_a_start_that_the_mastermind_chooses_is_asked_for(table: Table) -> None:
    page = table.client.get(table.url).text
    assert '<option value="henchman" selected>' in page
    table.noted("1.1.loop_start", "placed", who="henchman", where="shrine")
    assert '<option value="henchman" selected>' not in table.client.get(table.url).text


def test_a_record_of_an_earlier_step_finds_its_place(begun: Table) -> None:
    begun.noted("1.2.cards", "card", by="a", card="forbid_intrigue", on="city")
    answer = begun.note("1.1.night", "death", who="patient", stay="yes")
    assert answer.location.endswith("?at=1.1.night#step")
    steps = [record.at for record in begun.records]
    assert steps.index((1, 1, "night")) < steps.index((1, 2, "cards"))


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("1.1.night", "death", {}, "Choose who it was."),
    ("1.1.night", "death", {"who": "nobody"}, "Choose one of the values in the list."),
    ("1.1.night", "death", {"who": "several"}, "Tick all that it could have been"),
    ("1.1.night", "loop_over", {}, "Choose what was said: it cannot be found out later."),
    ("1.1.night", "loop_over", {"word": "won"}, "Choose one of the values in the list."),
    ("1.1.goodwill", "use.doctor.2", {"target": "patient"}, "Choose what the Leader asked for."),
    (
        "1.1.goodwill",
        "use.doctor.2",
        {"target": "patient", "choice": "1", "outcome": "refused"},
        "Doctor has fewer than 2 Goodwill. Correct the Goodwill noted before",
    ),
    (
        "1.1.night",
        "use.doctor.2",
        {"target": "patient", "choice": "1", "outcome": "refused"},
        "cannot stand in the step",
    ),
    ("1.1.incident", "incident", {"occurs": "yes"}, "No incident is scheduled for day 1"),
    ("9.1.night", "death", {"who": "doctor"}, "This is loop 9 of 3"),
    (
        "1.1.mastermind",
        "token",
        {"on": "school", "token": "unease", "n": "1"},
        "cannot lie on a location",
    ),
    (
        "1.1.mastermind",
        "token",
        {"on": "doctor", "token": "goodwill", "n": "-3"},
        "has 0 goodwill here, so 3 cannot be removed",
    ),
    ("1.1.night", "line", {"line": ""}, "Write one line"),
    ("1.1.night", "line", {"line": "death of the doctor"}, "No record begins with"),
    ("1.1.night", "line", {"line": "dead doctro"}, "Did you mean"),
    ("1.1.night", "count", {"on": "doctor", "goodwill": "some"}, "Write a whole number"),
]


@pytest.mark.parametrize(("at", "form", "data", "words"), REFUSED)
def test_refused_input_keeps_what_was_typed_and_the_game_as_it_was(
    begun: Table, at: str, form: str, data: dict[str, Any], words: str
) -> None:
    before = begun.transcript, begun.revision
    answer = begun.note(at, form, **data, note="a note of mine")
    assert answer.status_code == 422
    assert words in text_of(answer)
    if form != "line":
        assert "a note of mine" in answer.text
    assert (begun.transcript, begun.revision) == before


def test_what_cannot_be_recovered_has_no_preset_answer(begun: Table) -> None:
    for form, name in (("loop_over", "word"), ("use.teacher.4", "outcome")):
        page = begun.client.get(f"{begun.url}?at=1.1.goodwill&form={form}").text
        boxes = [part for part in page.split("<input") if f'name="{name}"' in part]
        assert len(boxes) == 3
        assert not any("checked" in box for box in boxes)


def test_an_unknown_form_or_moment_is_a_bad_request(table: Table) -> None:
    assert table.note("1.1.night", "surprise").status_code == 400
    assert table.note("1.1.noon", "complete").status_code == 400
    assert (
        table.send("/record", {"at": "1.1.night", "form": "complete", "revision": "x"}).status_code
        == 400
    )
