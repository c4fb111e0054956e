"""The file of games: durable, never overwritten silently."""

import sqlite3
from pathlib import Path
from threading import Thread

import pytest
from msgspec import structs

from assistant import samples
from assistant.store import ConflictError, Store, UnknownGameError
from engine.records import Transcript
from engine.simulate import simulate


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db")


@pytest.fixture
def transcript() -> Transcript:
    return simulate(samples.load("a_letter_for_nobody"), 1).transcript


def test_a_game_is_there_for_whoever_opens_the_file_later(
    store: Store, transcript: Transcript
) -> None:
    game = store.add(transcript)
    again = Store(store.path).get(game.id)
    assert again == game
    assert again.transcript == transcript


def test_a_change_makes_a_new_revision(store: Store, transcript: Transcript) -> None:
    game = store.add(transcript)
    changed = store.replace(game, structs.replace(transcript, title="New"))
    assert changed.revision == 2 == store.revision(game.id)
    assert store.get(game.id) == changed
    assert changed.created == game.created <= changed.updated


def test_only_the_newest_revision_can_be_changed(store: Store, transcript: Transcript) -> None:
    game = store.add(transcript)
    store.replace(game, structs.replace(transcript, title="First"))
    with pytest.raises(ConflictError):
        store.replace(game, structs.replace(transcript, title="Second"))
    assert store.get(game.id).transcript.title == "First"


def test_unknown_games_are_said_to_be_unknown(store: Store, transcript: Transcript) -> None:
    with pytest.raises(UnknownGameError):
        store.get("nobody")
    with pytest.raises(UnknownGameError):
        store.revision("nobody")
    stranger = structs.replace(transcript, title="x")
    game = store.add(stranger)
    with sqlite3.connect(store.path) as connection:
        connection.execute("DELETE FROM games")
    connection.close()
    with pytest.raises(UnknownGameError):
        store.replace(game, stranger)


def test_the_list_has_the_last_changed_game_first(store: Store, transcript: Transcript) -> None:
    first, second = store.add(transcript), store.add(structs.replace(transcript, title=""))
    store.replace(first, transcript)
    assert [(game.id, game.title) for game in store.games()] == [
        (first.id, transcript.title),
        (second.id, ""),
    ]
    assert store.games()[0].records == len(transcript.records)


def test_the_file_is_written_ahead_and_fully(store: Store) -> None:
    connection = sqlite3.connect(store.path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_of_many_writers_at_once_one_wins(store: Store, transcript: Transcript) -> None:
    game = store.add(transcript)
    won: list[str] = []

    def write(name: str) -> None:
        try:
            store.replace(game, structs.replace(transcript, title=name))
        except ConflictError:
            return
        won.append(name)

    threads = [Thread(target=write, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert store.get(game.id).transcript.title == won[0]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("not a database at all, but long enough to be looked at closely" * 20)
    with pytest.raises(sqlite3.DatabaseError):
        Store(path)
