"""Deductions in memory: made once, dropped when nobody asks, and never in each other's way."""

from pathlib import Path
from threading import Thread

import pytest
from msgspec import structs

from assistant import samples
from assistant.store import ConflictError, Store, UnknownGameError
from assistant.transcript.errors import AgainstTheRules
from assistant.web import games as games_module
from assistant.web.games import Games
from engine.records import Complete, Transcript
from engine.script import ScheduledIncident
from engine.simulate import simulate


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(Store(tmp_path / "games.db"))


@pytest.fixture
def transcript() -> Transcript:
    return simulate(samples.load("a_letter_for_nobody"), 1).transcript


def title(name: str) -> games_module.Edit:
    return lambda transcript: structs.replace(transcript, title=name)


def test_a_deduction_is_made_once(games: Games, transcript: Transcript) -> None:
    game = games.add(transcript)
    assert games.deduction(game) is games.deduction(games.store.get(game.id))


def test_a_deduction_follows_each_change(games: Games, transcript: Transcript) -> None:
    game = games.add(structs.replace(transcript, records=transcript.records[:-1]))
    before = games.deduction(game)
    changed = games.change(game.id, 1, lambda old: structs.replace(old, records=transcript.records))
    after = games.deduction(changed)
    assert after is not before
    assert len(after.table.transcript.records) == len(transcript.records)
    # Who still shows the older page gets the older answer, and spoils nothing.
    assert games.deduction(game).table.transcript == game.transcript
    assert games.deduction(changed) is after


def test_idle_deductions_are_dropped_and_made_again(tmp_path: Path, transcript: Transcript) -> None:
    games = Games(Store(tmp_path / "games.db"), idle_seconds=0)
    first, second = games.add(transcript), games.add(transcript)
    worlds = games.deduction(first).worlds.count()
    games.deduction(second)
    assert games.kept() == (second.id,)
    assert games.deduction(first).worlds.count() == worlds


def test_only_so_many_are_kept(
    games: Games, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_module, "MOST_KEPT", 2)
    short = structs.replace(transcript, records=transcript.records[:3])
    ids = [games.add(short).id for _ in range(3)]
    for game_id in ids:
        games.deduction(games.store.get(game_id))
    assert games.kept() == tuple(ids[1:])


def test_what_may_not_stand_is_not_written(games: Games, transcript: Transcript) -> None:
    game = games.add(transcript)
    again = Complete(at=transcript.records[-1].at)

    def twice(old: Transcript) -> Transcript:
        return structs.replace(old, records=(*old.records, again, again))

    with pytest.raises(ValueError, match="second"):
        games.change(game.id, 1, twice)
    assert games.store.get(game.id) == game


def test_a_stale_change_is_a_conflict(games: Games, transcript: Transcript) -> None:
    game = games.add(transcript)
    games.change(game.id, 1, title("First"))
    with pytest.raises(ConflictError):
        games.change(game.id, 1, title("Second"))


def test_an_unknown_game_cannot_be_changed(games: Games) -> None:
    with pytest.raises(UnknownGameError):
        games.change("nobody", 1, title("x"))


def test_a_sheet_with_too_many_incidents_is_refused(games: Games, transcript: Transcript) -> None:
    schedule = tuple(ScheduledIncident(day, "suicide") for day in range(1, 14))
    sheet = structs.replace(transcript.sheet, days=20, incidents=schedule)
    with pytest.raises(AgainstTheRules, match="incidents"):
        games.add(structs.replace(transcript, sheet=sheet, records=()))


def test_many_phones_at_once_lose_nothing(games: Games, transcript: Transcript) -> None:
    game = games.add(structs.replace(transcript, records=(), title="0"))

    def count_up() -> None:
        for _ in range(3):
            while True:
                now = games.store.get(game.id)
                games.deduction(now)
                number = int(now.transcript.title) + 1
                try:
                    games.change(game.id, now.revision, title(str(number)))
                except ConflictError:
                    continue
                break

    threads = [Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert games.store.get(game.id).transcript.title == "12"
