"""Progress of a long run, on the standard error."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Final, TextIO

_TERMINAL_SECONDS: Final = 0.5
_FILE_SECONDS: Final = 15.0


class Progress:
    """Says how far a run has come: on a terminal in one line, elsewhere now and then.

    Args:
        what: what is counted, in the plural, such as ``games``.
        total: how many there will be.
        stream: where to write; the standard error by default.
        quiet: write nothing.
    """

    def __init__(
        self, what: str, total: int, stream: TextIO | None = None, *, quiet: bool = False
    ) -> None:
        self._what = what
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._quiet = quiet
        self._terminal = self._stream.isatty()
        self._done = 0
        self._begun = self._last = monotonic()
        self._width = 0

    def advance(self, number: int = 1, note: str = "") -> None:
        """Count ``number`` more as done; ``note`` says what has been found so far."""
        self._done += number
        now = monotonic()
        if now - self._last >= (_TERMINAL_SECONDS if self._terminal else _FILE_SECONDS):
            self._last = now
            self._write(note, now)

    def close(self) -> None:
        """Leave the line as it was before."""
        if self._terminal and self._width and not self._quiet:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def _write(self, note: str, now: float) -> None:
        if self._quiet:
            return
        spent = now - self._begun
        text = f"{self._done:,} of {self._total:,} {self._what}"
        if self._done and self._done < self._total:
            left = spent * (self._total - self._done) / self._done
            text += f", {duration(left)} left"
        if note:
            text += f" ({note})"
        if self._terminal:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()


def duration(seconds: float) -> str:
    """Return a time in words that tell enough: ``40 s``, ``3 min``, ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
