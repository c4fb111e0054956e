"""What is possible, and why: signs, words and reasons with links to the records."""

import pytest
from flask.testing import FlaskClient

from assistant.formula import RoleAtom
from assistant.web.games import Games
from engine.sets import RULEBOOKS
from tests.web.conftest import SHEET, Table, set_up, text_of


def why(table: Table, **query: str) -> str:
    answer = table.client.get(f"{table.url}/why", query_string=query)
    assert answer.status_code == 200
    return text_of(answer)


@pytest.fixture
def revealed(begun: Table) -> Table:
    begun.noted("1.1.mastermind", "complete")
    begun.noted("1.1.goodwill", "count", on="teacher", goodwill="4")
    reveal(begun, "1.1.goodwill", "use.teacher.4", "brain")
    begun.noted("1.1.goodwill", "complete")
    return begun


def reveal(table: Table, at: str, ability: str, role: str) -> None:
    """Let an ability reveal a role."""
    table.noted(at, ability, target="boy_student", outcome="resolved")
    use = str(len(table.records) - 1)
    table.noted(at, "reveal_role", role_of="boy_student", role=role, of=use)


def contradict(table: Table) -> None:
    """Let another ability reveal the same card as something else, in records 10 to 13."""
    table.noted("1.2.goodwill", "count", on="shrine_maiden", goodwill="5")
    table.noted("1.2.goodwill", "count", on="boy_student", stands="shrine")
    reveal(table, "1.2.goodwill", "use.shrine_maiden.5", "friend")


def test_each_cell_says_its_state_by_sign_and_in_words(revealed: Table) -> None:
    html = revealed.client.get(revealed.url).text
    for sign, words in (
        ("✔", "Boy Student as Brain: certain"),
        ("×", "Boy Student as Friend: impossible"),
    ):
        cell = next(part for part in html.split("<a ") if words in part)
        assert f">{sign}</a>" in cell
    assert "Teacher as Friend: possible. Why?" in html


def test_a_certain_cell_gives_its_reason_with_the_records(revealed: Table) -> None:
    text = why(revealed, who="boy_student", role="brain")
    assert "Boy Student as Brain" in text
    assert "Certain" in text
    assert "Loop 1, day 1, Goodwill step" in text
    assert "Boy Student is revealed as Brain" in text
    html = revealed.client.get(f"{revealed.url}/why?who=boy_student&role=brain").text
    assert f"{revealed.url}/record/8" in html


def test_an_impossible_cell_gives_its_reason(revealed: Table) -> None:
    assert "Impossible" in why(revealed, who="patient", role="brain")


def test_a_possible_cell_counts_and_gives_no_chance(revealed: Table) -> None:
    text = why(revealed, who="teacher", role="friend")
    assert "That is a count, not a chance" in text


def test_the_sheet_alone_may_settle_it(client: FlaskClient, games: Games) -> None:
    table = set_up(client, games, SHEET | {"cast": [*SHEET["cast"], "mystery_boy"]})
    text = why(table, who="mystery_boy", role="person")
    assert "The open sheet settles it by itself" in text


def test_plots_and_culprits_have_reasons_too(revealed: Table) -> None:
    assert "Impossible" in why(revealed, plot="a_place_to_protect")
    assert "Possible" in why(revealed, plot="shadow_of_the_ripper")
    assert "Homicide on day 2" in why(revealed, who="teacher", incident="0")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"who": "doctor"},
        {"who": "nobody", "role": "brain"},
        {"who": "doctor", "role": "prince"},
        {"plot": "ours"},
        {"who": "doctor", "incident": "7"},
        {"who": "doctor", "incident": "one"},
    ],
)
def test_questions_that_make_no_sense_are_not_found(table: Table, query: dict[str, str]) -> None:
    answer = table.client.get(f"{table.url}/why", query_string=query)
    assert answer.status_code == 404


def test_a_contradiction_names_the_evidence_and_shows_no_empty_table(revealed: Table) -> None:
    contradict(revealed)
    html = revealed.client.get(revealed.url).text
    text = revealed.page()
    assert "No world explains this." in text
    assert "These do not fit together" in text
    assert "Boy Student is revealed as Brain" in text
    assert "Boy Student is revealed as Friend" in text
    assert "if only this were wrong, something would be left" in text
    assert f"{revealed.url}/record/8" in html
    assert f"{revealed.url}/record/13" in html
    assert "<table" not in html
    assert "nothing can be said about this" in why(revealed, who="boy_student", role="brain")


def test_a_contradiction_is_repaired_by_a_doubt(revealed: Table) -> None:
    contradict(revealed)
    revealed.send("/record/13/doubt", {})
    assert "No world explains this." not in revealed.page()


def test_a_sheet_that_no_script_has_is_said_to_be_one(client: FlaskClient, games: Games) -> None:
    table = set_up(client, games, SHEET | {"cast": ["doctor"]})
    assert "No legal script has this open sheet." in table.page()


def test_the_board_shows_places_tokens_and_the_dead(begun: Table) -> None:
    begun.noted("1.1.mastermind", "token", on="school", token="intrigue", n="1")
    begun.noted("1.1.mastermind", "complete")
    begun.noted("1.1.goodwill", "complete")
    begun.noted("1.1.night", "death", who="patient")
    board = begun.page().split(" Board ")[1]
    assert "School 1 Intrigue" in board
    assert "Patient dead" in board
    assert "Doctor 1 Unease" in board


def test_a_possible_cell_says_what_would_follow(revealed: Table) -> None:
    deduction = revealed.games.deduction(revealed.games.store.get(revealed.id))
    text = why(revealed, who="teacher", role="friend")
    so, _, rest = text.partition("If it is not so")
    assert "If it is so" in so
    assert "Teacher as Person: impossible" in so
    assert "Teacher as Friend" not in so.partition("If it is so")[2]
    assert "Teacher as Person" not in rest
    told = deduction.worlds.conjoin(RoleAtom("teacher", "friend"))
    certain = [plot for plot, count in told.plots().items() if count == told.count()]
    before = deduction.worlds
    for plot in certain:
        name = RULEBOOKS["first_steps"].plots[plot].name
        said = f"The plot {name}: certain" in so
        assert said is (before.plots()[plot] != before.count())


def test_when_a_late_character_enters_is_asked_like_any_cell(
    client: FlaskClient, games: Games
) -> None:
    sheet = SHEET | {"cast_complete": "no"}
    table = set_up(client, games, sheet)
    deduction = games.deduction(games.store.get(table.id))
    html = client.get(table.url).text
    entries = deduction.answer()["entries"]
    assert entries
    assert "Late characters" in html
    who = next(iter(entries))
    assert f"who={who}&amp;entry=never" in html
    assert "Possible" in why(table, who=who, entry="never")
    for wrong in ("99", "x", ""):
        answer = client.get(f"{table.url}/why", query_string={"who": who, "entry": wrong})
        assert answer.status_code == 404
