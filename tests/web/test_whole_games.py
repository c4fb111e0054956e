"""Whole simulated games of every modelled set, sent through the forms record by record."""

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from assistant import samples
from assistant.transcript import dump
from assistant.transcript.jsonform import record_fields
from assistant.transcript.vocabulary import Vocabulary
from assistant.web.form import Scene
from assistant.web.forms import form_for
from assistant.web.games import Games
from assistant.web.moments import write_moment
from assistant.web.names import Names
from engine.board import Board
from engine.records import Record, Transcript, Use
from engine.sets import RULEBOOKS
from engine.simulate import simulate
from tests.web.conftest import Table

MODELLED = [name for name in samples.names() if samples.load(name).set in RULEBOOKS]


def scene_at(record: Record, transcript: Transcript) -> Scene:
    rules = RULEBOOKS[transcript.sheet.set]
    sheet = transcript.sheet
    return Scene(Names(rules, sheet), Vocabulary(rules, sheet), Board(), record.at)


@pytest.mark.parametrize("name", MODELLED)
def test_every_record_has_a_form_that_holds_all_of_it(name: str) -> None:
    for seed in range(8):
        transcript = simulate(samples.load(name), seed).transcript
        for record in transcript.records:
            assert form_for(record_fields(record), scene_at(record, transcript)), record


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELLED)
def test_a_game_sent_through_the_forms_is_the_game_that_was_played(
    client: FlaskClient, games: Games, name: str
) -> None:
    script = samples.load(name)
    played = min(
        (simulate(script, seed).transcript for seed in range(10)),
        key=lambda transcript: len(transcript.records),
    )
    game = games.add(structs.replace(played, records=()))
    table = Table(client, games, game.id)
    use = 0
    for number, record in enumerate(played.records):
        found = form_for(record_fields(record), scene_at(record, played))
        assert found is not None
        form, data = found
        fields = {key: values for key, values in data.items() if key != "by_use"}
        if isinstance(record, Use):
            use = number
        if record.by_use:
            fields["of"] = [str(use)]
        answer = table.note(write_moment(record.at), form.id, **fields)
        assert answer.status_code == 303, (record, answer.text)
    assert client.get(f"{table.url}/transcript.json").text == dump(played)
    assert client.get(table.url).status_code == 200
