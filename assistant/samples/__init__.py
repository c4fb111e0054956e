"""Sample scripts of our own, for demonstrations, golden transcripts and tests."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from engine.script import Script


def names() -> tuple[str, ...]:
    """Return the ids of the sample scripts, sorted."""
    found = (item.name for item in files(__name__).iterdir())
    return tuple(sorted(name[:-5] for name in found if name.endswith(".json")))


def load(name: str) -> Script:
    """Return a sample script.

    Args:
        name: its id (see ``names``).

    Raises:
        FileNotFoundError: there is no sample of that name.
    """
    return msgspec.json.decode(files(__name__).joinpath(f"{name}.json").read_bytes(), type=Script)
