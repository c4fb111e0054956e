"""Serving the page on the local network: one process, many threads, an address to scan."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TextIO

THREADS: Final = 32
"""Phones that wait for an answer must not keep the others waiting."""
_EVERYWHERE: Final = ("", "0.0.0.0", "::")


def lan_address() -> str:
    """Return the address at which other machines of the local network reach this one.

    Nothing is sent: the system is only asked which of its addresses it would use.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def url_of(host: str, port: int) -> str:
    """Return the address to open on a phone."""
    shown = lan_address() if host in _EVERYWHERE else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"


def announce(url: str, out: TextIO) -> None:
    """Print the address, and as a code for phones where the terminal can show one."""
    import segno

    if "//127." in url or "//localhost" in url or "//[::1]" in url:
        print(f"Open on this machine: {url}\nStop with Ctrl+C.", file=out, flush=True)
        return
    print(f"Open on a phone in the same network: {url}", file=out)
    try:
        segno.make(url, micro=False).terminal(out=out, compact=True, border=2)
    except UnicodeEncodeError:
        print("(This terminal cannot show a code to scan.)", file=out)
    print("Stop with Ctrl+C.", file=out, flush=True)


def serve(host: str, port: int, database: str | Path) -> None:
    """Serve until stopped.

    Args:
        host: address to listen on; ``0.0.0.0`` for every one of this machine.
        port: number of the port.
        database: the SQLite file, made if it is missing.

    Raises:
        OSError, sqlite3.Error: When that file cannot be used.
    """
    from gunicorn.app.base import BaseApplication

    from assistant.store import Store
    from assistant.web.app import create_app

    path = Path(database).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    Store(path)  # here, so that a file that cannot be used is said before anything starts

    def _announce(arbiter: Any) -> None:
        # Asked for port 0, the system has chosen one.
        chosen = arbiter.LISTENERS[0].sock.getsockname()[1]
        announce(url_of(host, chosen), sys.stdout)

    class _Server(BaseApplication):
        def load_config(self) -> None:
            for name, value in {
                "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
                "workers": 1,
                "worker_class": "gthread",
                "threads": THREADS,
                "control_socket_disable": True,
                "loglevel": "warning",
                "when_ready": _announce,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Callable[..., Iterable[bytes]]:
            return create_app({"DATABASE": path})

    _Server().run()
