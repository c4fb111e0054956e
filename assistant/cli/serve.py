"""Serve the assistant to the phones at the table, until stopped.

Games are kept in one SQLite file, which is made if it is missing.
"""

from __future__ import annotations

import argparse
import os
import socket
import sqlite3
from pathlib import Path

from assistant.cli import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--host",
        default="0.0.0.0",
        help="the address to listen on; every one of this machine unless said",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=_port,
        default=8000,
        help="the port to listen on (%(default)s unless said)",
    )
    parser.add_argument(
        "--database",
        metavar="FILE",
        type=Path,
        help="where the games are kept; $LOOPER_DATABASE unless said, or else "
        "tragedy-looper/games.sqlite3 in the folder of your data (mostly ~/.local/share)",
    )
    parser.add_argument("--json", action="store_true", help="say what goes wrong as JSON")


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from assistant.web import serve

    _check_address(args.host, args.port)
    database = args.database or database_path()
    try:
        serve(args.host, args.port, database)
    except sqlite3.Error as error:
        raise OSError(None, str(error), str(database)) from error
    return show.FINE


def database_path() -> Path:
    """Return where games are kept unless the command says otherwise."""
    named = os.environ.get("LOOPER_DATABASE")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    folder = Path(data) if data else Path.home() / ".local" / "share"
    return folder / "tragedy-looper" / "games.sqlite3"


def _check_address(host: str, port: int) -> None:
    """Try to listen, so that what prevents it is said in one line.

    Raises:
        OSError: when nobody can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = f"nobody can listen on {host}, port {port}: {error.strerror or error}"
        raise OSError(error.errno, reason) from error


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: write a number from 0 to 65535")
    return int(text)
