"""The real server on a free port, for the browser tests."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SERVE = (
    "import sys; from assistant.web import serve; serve('127.0.0.1', int(sys.argv[1]), sys.argv[2])"
)


class Server(NamedTuple):
    url: str
    database: Path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Keep the browser from talking to anybody but the server."""
    arguments = browser_type_launch_args["args"]
    assert isinstance(arguments, list)
    return {**browser_type_launch_args, "args": [*arguments, *QUIET]}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            return
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Start the server, stop it afterwards, and show what it printed."""
    database, port = tmp_path / "games.db", free_port()
    output = tmp_path / "server.txt"
    with output.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(port), str(database)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            wait_for(url, process)
            assert process.poll() is None, output.read_text(encoding="utf-8")
            yield Server(url, database)
        finally:
            process.terminate()
            process.wait(30)
            print(output.read_text(encoding="utf-8"))
