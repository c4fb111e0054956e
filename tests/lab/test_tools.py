"""The smaller tools of the lab: processes, progress, random scripts, the benchmark."""

import io
import json
import os
from operator import neg
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.lab import bench, pool
from assistant.lab.progress import Progress, duration
from assistant.lab.timing import Spent, Times, rate, timed, watched
from assistant.transcript.jsonform import load_script
from engine.legality import violations


def test_results_come_in_the_order_of_the_jobs() -> None:
    for workers in (0, 2):
        assert list(pool.each(neg, range(9), workers)) == [-n for n in range(9)]


def test_workers_hash_alike_and_the_environment_stays() -> None:
    before = os.environ.get("PYTHONHASHSEED")
    assert len(set(pool.each(hash, ["the same everywhere"] * 6, 2))) == 1
    assert os.environ.get("PYTHONHASHSEED") == before


def test_an_error_in_a_worker_comes_out() -> None:
    with pytest.raises(TypeError):
        list(pool.each(neg, ["no number"], 1))


def test_chunks() -> None:
    assert pool.chunks([1, 2, 3, 4, 5], 2) == [(1, 2), (3, 4), (5,)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_rewrites_its_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("assistant.lab.progress.monotonic", lambda: float(next(clock)))
    stream = Terminal()
    progress = Progress("games", 10, stream)
    progress.advance(3, "nothing found")
    progress.close()
    assert "\r3 of 10 games, 2 s left (nothing found)" in stream.getvalue()
    assert stream.getvalue().endswith("\r")


def test_progress_is_sparing_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("assistant.lab.progress.monotonic", lambda: float(next(clock)))
    stream = io.StringIO()
    progress = Progress("games", 30, stream)
    for _ in range(30):
        progress.advance()
    progress.close()
    assert stream.getvalue().splitlines() == ["15 of 30 games, 15 s left", "30 of 30 games"]


def test_durations() -> None:
    assert [duration(n) for n in (5, 300, 9000)] == ["5 s", "5 min", "2.5 h"]


def test_scripts_are_the_same_for_a_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["lab", "scripts", "--set", "basic_tragedy", "--seed", "4"]
    assert main([*args, "--count", "2"]) == 0
    two = capsys.readouterr().out.splitlines()
    assert main([*args, "--count", "3"]) == 0
    three = capsys.readouterr().out.splitlines()
    assert three[:2] == two
    assert main([*args, "--count", "3", "-o", str(tmp_path / "new")]) == 0
    files = sorted((tmp_path / "new").iterdir())
    assert [json.loads(line)["cast"] for line in three] == [load_script(f).cast for f in files]
    assert not any(violations(load_script(file)) for file in files)


def test_times() -> None:
    times = Times("something", [Spent(0.003, 0.001), Spent(0.2, 0.1), Spent(0.004, 0.002)])
    assert times.fields() == {
        "name": "something",
        "number": 3,
        "median_ms": 2.0,
        "median_wall_ms": 4.0,
        "p95_ms": 100.0,
        "p95_wall_ms": 200.0,
        "worst_ms": 100.0,
        "worst_wall_ms": 200.0,
    }
    assert " ".join(str(times).split()[1:]) == "2.0 100.0 100.0 ( 4.0 200.0 200.0) 3"
    assert "nothing" in str(Times("else"))
    assert timed(lambda: 3)[0] == 3
    assert rate(neg, 0.01) > 0


def test_watched_methods_count_once_and_are_put_back() -> None:
    class Thing:
        def outer(self) -> int:
            return self.inner() + 1

        def inner(self) -> int:
            return 1

    plain = Thing.outer
    with watched(Thing, ("outer", "inner")) as spent:
        assert Thing().outer() == 2
        assert spent().wall > 0
        assert spent().cpu <= spent().wall
    assert Thing.outer is plain


@pytest.mark.slow
@pytest.mark.parametrize("part", ["engine", "deduction", "memory"])
def test_the_benchmark_runs(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["--quick", "--json", "--only", part]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found[part]
    assert found["reference_loop_ms"] > 0
