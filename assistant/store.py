"""Games in one SQLite file, each change durable before it is acknowledged.

A game is its transcript in the public JSON form with a revision number. Who wants to write
says which revision was read; if somebody else was faster nothing is written.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from assistant.transcript import dump, load
from engine.records import Transcript

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    transcript TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL
)
"""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a game's id: none that are mistaken for another when read aloud."""
_PATIENCE: Final = 10.0
"""Seconds to wait for another writer."""


class UnknownGameError(KeyError):
    """There is no game of that id."""


class ConflictError(RuntimeError):
    """The game was changed by somebody else since it was read."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it stands in the file.

    Attributes:
        id: its name in addresses.
        transcript: the whole public game.
        revision: grows by one with every change, from 1.
        created, updated: when, in UTC.
    """

    id: str
    transcript: Transcript
    revision: int
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of games shows of one: its title, how many records, when it changed."""

    id: str
    title: str
    records: int
    updated: datetime


class Store:
    """The games of one SQLite file; safe to use from several threads and processes."""

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it.

        Raises:
            sqlite3.Error: When it is no database or cannot be written.
        """
        self.path: Final = Path(path)
        with self._connected() as connection:
            # The mode is kept in the file: readers never wait for a writer.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_SCHEMA)

    def games(self) -> list[Summary]:
        """Return all games, the last changed one first."""
        with self._connected() as connection:
            rows = connection.execute(
                "SELECT id, json_extract(transcript, '$.title'),"
                " json_array_length(transcript, '$.records'), updated"
                " FROM games ORDER BY updated DESC, id"
            ).fetchall()
        return [
            Summary(game_id, title, records, datetime.fromisoformat(updated))
            for game_id, title, records, updated in rows
        ]

    def get(self, game_id: str) -> StoredGame:
        """Return one game.

        Raises:
            UnknownGameError: When there is none of that id.
        """
        with self._connected() as connection:
            row = connection.execute(
                "SELECT id, transcript, revision, created, updated FROM games WHERE id = ?",
                (game_id,),
            ).fetchone()
        if row is None:
            raise UnknownGameError(game_id)
        return _game(row)

    def revision(self, game_id: str) -> int:
        """Return the newest revision of a game, without reading the game.

        Raises:
            UnknownGameError: When there is none of that id.
        """
        with self._connected() as connection:
            row = connection.execute(
                "SELECT revision FROM games WHERE id = ?", (game_id,)
            ).fetchone()
        if row is None:
            raise UnknownGameError(game_id)
        return int(row[0])

    def add(self, transcript: Transcript) -> StoredGame:
        """Keep a new game and return it, with the id it was given."""
        now = datetime.now(UTC)
        game_id = "".join(secrets.choice(_LETTERS) for _ in range(8))
        game = StoredGame(game_id, transcript, 1, now, now)
        with self._connected() as connection:
            connection.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?)",
                (game_id, dump(transcript), 1, now.isoformat(), now.isoformat()),
            )
        return game

    def replace(self, game: StoredGame, transcript: Transcript) -> StoredGame:
        """Write a changed game over the revision that was read.

        Returns:
            The game as it stands now; it is on the disk.

        Raises:
            ConflictError: When the file holds another revision.
            UnknownGameError: When there is no such game any more.
        """
        now = datetime.now(UTC)
        with self._connected() as connection:
            done = connection.execute(
                "UPDATE games SET transcript = ?, revision = revision + 1, updated = ?"
                " WHERE id = ? AND revision = ?",
                (dump(transcript), now.isoformat(), game.id, game.revision),
            )
        if done.rowcount != 1:
            self.revision(game.id)
            raise ConflictError(game.id)
        return StoredGame(game.id, transcript, game.revision + 1, game.created, now)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction: all or nothing, and on the disk when it ends."""
        connection = sqlite3.connect(self.path, timeout=_PATIENCE)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            with connection:
                yield connection
        finally:
            connection.close()


def _game(row: tuple[str, str, int, str, str]) -> StoredGame:
    game_id, text, revision, created, updated = row
    return StoredGame(
        game_id,
        load(text, name=f"game {game_id}"),
        revision,
        datetime.fromisoformat(created),
        datetime.fromisoformat(updated),
    )
