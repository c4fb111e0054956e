"""A table with one phone: the application on a file of its own, without a network."""

import re
import sqlite3
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from assistant.transcript.jsonform import record_fields
from assistant.web import create_app
from assistant.web.games import Games
from engine.records import AnyRecord, Transcript

SHEET = {
    "title": "Tuesday",
    "loops": "3",
    "days": "4",
    "players": "3",
    "cast": [
        *("boy_student", "girl_student", "rich_student", "shrine_maiden", "police_officer"),
        *("doctor", "patient", "henchman", "teacher", "class_rep"),
    ],
    "cast_complete": "yes",
    "day-0": "2",
    "incident-0": "homicide",
    "day-1": "4",
    "incident-1": "suicide",
    "announces": "every_token",
}


class Table:
    """A game as one phone sees it.

    Attributes:
        client: the browser.
        games: what the server knows.
        id: of the game.
    """

    def __init__(self, client: FlaskClient, games: Games, game_id: str) -> None:
        self.client = client
        self.games = games
        self.id = game_id
        self.url = f"/game/{game_id}"

    @property
    def transcript(self) -> Transcript:
        return self.games.store.get(self.id).transcript

    @property
    def revision(self) -> int:
        return self.games.store.revision(self.id)

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        return self.transcript.records

    @property
    def last(self) -> dict[str, Any]:
        """The last record, without its moment, in the JSON form."""
        fields = record_fields(self.records[-1])
        del fields["at"]
        return fields

    def send(self, path: str, data: Mapping[str, Any], **more: Any) -> TestResponse:
        fields = {"revision": self.revision, **data}
        pairs = [
            (name, one)
            for name, value in fields.items()
            for one in (value if isinstance(value, list) else [value])
        ]
        return self.client.post(self.url + path, data=MultiDict(pairs), **more)

    def note(self, at: str, form: str, **fields: Any) -> TestResponse:
        """Send a form of a step."""
        return self.send("/record", {"at": at, "form": form, **fields})

    def noted(self, at: str, form: str, **fields: Any) -> dict[str, Any]:
        """Send a form that must be accepted, and return the record that it made."""
        answer = self.note(at, form, **fields)
        assert answer.status_code == 303, text_of(answer)
        return self.last

    def page(self, **query: str) -> str:
        answer = self.client.get(self.url, query_string=query)
        assert answer.status_code == 200
        return text_of(answer)


def text_of(answer: TestResponse) -> str:
    """Return what a person reads on a page."""
    html = re.sub(r"<(script|style).*?</\1>", "", answer.text, flags=re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One application for all tests: its pages are compiled only once."""
    folder = tmp_path_factory.mktemp("web")
    return create_app({"DATABASE": folder / "games.db", "TESTING": True})


@pytest.fixture
def app(served: Flask) -> Flask:
    """The application without any game."""
    connection = sqlite3.connect(served.config["DATABASE"])
    with connection:
        connection.execute("DELETE FROM games")
    connection.close()
    return served


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def games(app: Flask) -> Games:
    found = app.extensions["games"]
    assert isinstance(found, Games)
    return found


def set_up(client: FlaskClient, games: Games, sheet: Mapping[str, Any] = SHEET) -> Table:
    """Begin a game on the page."""
    answer = client.post("/new/first_steps", data=sheet)
    assert answer.status_code == 303, text_of(answer)
    return Table(client, games, answer.location.rsplit("/", 1)[-1])


@pytest.fixture
def table(client: FlaskClient, games: Games) -> Table:
    return set_up(client, games)


@pytest.fixture
def begun(table: Table) -> Table:
    """A game whose loop start and first cards are noted."""
    table.noted("1.1.loop_start", "placed", who="henchman", where="school")
    table.noted("1.1.loop_start", "complete")
    table.noted("1.1.cards", "card", by="mastermind", card="unease_plus_1", on="doctor")
    table.noted("1.1.cards", "complete")
    return table
