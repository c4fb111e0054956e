"""Transcripts in and out, and the demo game."""

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from assistant import samples
from assistant.transcript import dump, load, load_any
from assistant.transcript.notation import write
from assistant.web.games import Games
from engine.records import Transcript
from engine.simulate import simulate
from tests.web.conftest import Table, text_of


def game(seed: int = 1) -> Transcript:
    return simulate(samples.load("a_letter_for_nobody"), seed).transcript


def upload(client: FlaskClient, text: str | bytes, name: str = "game.json") -> TestResponse:
    data = text.encode() if isinstance(text, str) else text
    return client.post("/upload", data={"file": (io.BytesIO(data), name)})


@pytest.mark.parametrize("form", [dump, write])
def test_what_goes_in_comes_out(client: FlaskClient, form: object) -> None:
    transcript = game()
    assert callable(form)
    answer = upload(client, form(transcript))
    assert answer.status_code == 303
    out = client.get(f"{answer.location}/transcript.json")
    assert out.text == dump(transcript)
    assert load(out.text) == transcript
    assert load_any(client.get(f"{answer.location}/transcript.txt").text) == transcript


def test_a_transcript_can_be_pasted(client: FlaskClient, games: Games) -> None:
    answer = client.post("/upload", data={"text": write(game(3))})
    assert answer.status_code == 303
    assert games.store.get(answer.location.rsplit("/", 1)[-1]).transcript == game(3)


def test_the_file_has_the_name_of_the_game(table: Table) -> None:
    answer = table.client.get(f"{table.url}/transcript.json")
    assert (
        answer.headers["Content-Disposition"] == f'attachment; filename="tuesday-{table.id}.json"'
    )
    assert answer.mimetype == "application/json"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff\xfe\x00", "is not a text file"),
        ("", "Choose a file, or paste a transcript."),
        ("/etc/passwd", "line 1"),
        ("{", "this is not JSON"),
        ('{"format": "looper-transcript", "version": 7}', "version"),
        (dump(game()).replace("first_steps", "last_steps"), "is not modelled"),
        (dump(game()).replace('"doctor"', '"doctro"').replace('"teacher"', '"techer"'), "techer"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(
    client: FlaskClient, games: Games, text: str | bytes, words: str
) -> None:
    answer = upload(client, text)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert games.store.games() == []


def test_a_file_against_the_rules_names_the_record(client: FlaskClient) -> None:
    text = write(game())
    broken = text.replace("== 1.1 night\n", "== 1.1 night\nuse teacher[4] alien: resolved\n", 1)
    answer = upload(client, broken)
    assert answer.status_code == 422
    assert "goodwill" in text_of(answer)


def test_no_file_at_all(client: FlaskClient) -> None:
    assert client.post("/upload").status_code == 422


def test_what_is_too_large_is_refused_in_words(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "MAX_CONTENT_LENGTH", 1000)
    answer = upload(client, b"x" * 2000)
    assert answer.status_code == 413
    assert "That is too large" in text_of(answer)


def test_the_demo_is_a_game_with_an_answer(client: FlaskClient) -> None:
    answer = client.post("/demo")
    assert answer.status_code == 303
    page = text_of(client.get(answer.location))
    assert "Demo:" in page
    assert "worlds explain everything noted" in page
