"""What is true of every page: it can be used with a keyboard, a reader, and one thumb."""

import re
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.web import create_app
from assistant.web.forms import form_named
from assistant.web.recordforms import FORMS
from tests.web.conftest import Table, text_of


class Reader(HTMLParser):
    """Collects what a page has.

    Attributes:
        ids: all ids, in order.
        labels: what each label is for.
        controls: inputs that need a label: their id, name and how they are labelled.
        problems: what is wrong at once.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.labels: set[str] = set()
        self.described: set[str] = set()
        self.controls: list[tuple[str, str, bool]] = []
        self.links: list[str] = []
        self.problems: list[str] = []
        self._in_label = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        self.described |= set(given.get("aria-describedby", "").split())
        if "style" in given or any(name.startswith("on") and name != "on" for name in given):
            self.problems.append(f"{tag} has a style or script of its own")
        if tag == "label":
            self._in_label += 1
            self.labels.add(given.get("for", ""))
        if tag == "a" and given.get("href", "").startswith("#"):
            self.links.append(given["href"][1:])
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.controls.append((given.get("id", ""), given.get("name", ""), self._in_label > 0))

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._in_label -= 1


def check(html: str) -> None:
    page = Reader(html)
    assert not page.problems
    assert len(page.ids) == len(set(page.ids)), "an id occurs twice"
    assert page.described <= set(page.ids)
    assert set(page.links) <= set(page.ids)
    for own_id, name, inside in page.controls:
        assert inside or own_id in page.labels, f"{name} has no label"
    assert '<html lang="en">' in html
    assert len(re.findall(r"<h1[ >]", html)) == 1
    assert 'name="viewport"' in html


def test_pages_outside_a_game(client: FlaskClient) -> None:
    for path in ("/", "/new/first_steps", "/nowhere"):
        check(client.get(path).text)


def test_every_form_of_every_step(table: Table) -> None:
    steps = {step for entry in FORMS.values() for step in _steps(entry.kind)}
    for step in steps:
        check(table.client.get(f"{table.url}?at=1.2.{step}").text)
    for name, entry in FORMS.items():
        at = f"1.2.{_steps(entry.kind)[0]}"
        check(table.client.get(f"{table.url}?at={at}&form={name}").text)
    check(table.client.get(f"{table.url}?at=1.2.goodwill&form=use.doctor.2").text)
    check(table.client.get(f"{table.url}?at=1.2.goodwill&form=line").text)


def _steps(kind: str) -> tuple[str, ...]:
    from assistant.transcript.kinds import KINDS

    return KINDS[kind].steps


def test_pages_of_a_game(begun: Table) -> None:
    for path in ("", "/log", "/sheet", "/record/1", "/why?who=doctor&role=brain"):
        check(begun.client.get(begun.url + path).text)


def test_pages_with_errors(begun: Table) -> None:
    check(begun.note("1.1.goodwill", "use.teacher.4").text)
    check(begun.note("1.1.cards", "cards", **{"a3-card": "forbid_intrigue"}).text)
    check(begun.note("1.1.night", "death", who="several").text)
    check(begun.note("1.1.night", "line", line="?").text)
    check(begun.client.post("/new/first_steps", data={"incident-0": "suicide"}).text)
    check(begun.client.post("/upload", data={"text": "x"}).text)


def test_every_form_of_the_table_exists(table: Table) -> None:
    from assistant.web.log import _scene

    for name, entry in FORMS.items():
        form = form_named(name, _scene(table.transcript, (1, 2, _steps(entry.kind)[0])))
        assert form is not None
        assert form.title


@pytest.mark.parametrize(
    "path", ["", "/log", "/sheet", "/record/1", "/why?plot=x", "/transcript.json"]
)
def test_an_unknown_game_is_not_found_in_words(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/game/nobody{path}")
    assert answer.status_code == 404
    assert "There is no such game" in text_of(answer)
    assert "All games" in text_of(answer)


@pytest.mark.parametrize("path", ["/record", "/record/1", "/record/1/delete", "/sheet"])
def test_an_unknown_game_cannot_be_changed(client: FlaskClient, path: str) -> None:
    answer = client.post(f"/game/nobody{path}", data={"revision": "1", "at": "1.1.night"})
    assert answer.status_code == 404


def test_nothing_comes_from_elsewhere(begun: Table) -> None:
    answer = begun.client.get(begun.url)
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", answer.text)
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert answer.headers["Cache-Control"] == "no-store"


def test_other_failures_have_pages_too(client: FlaskClient, table: Table) -> None:
    assert client.get("/demo").status_code == 405
    assert "only takes forms" in text_of(client.get("/demo"))


def test_a_fault_of_the_program_is_said_to_be_one(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ArithmeticError("on purpose")

    monkeypatch.setattr(app, "testing", False)
    monkeypatch.setattr(table.games, "deduction", broken)
    answer = table.client.get(table.url)
    assert answer.status_code == 500
    assert "What you noted before is safe." in text_of(answer)
    assert "on purpose" not in answer.text


def test_a_database_is_needed() -> None:
    with pytest.raises(KeyError):
        create_app({})
