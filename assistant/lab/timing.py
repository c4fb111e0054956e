"""Measuring times, and what a measurement is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any, Final, TypeVar

T = TypeVar("T")

_TURNS: Final = 3_000_000


@dataclass(slots=True)
class Times:
    """Times of one kind, in seconds."""

    name: str
    seconds: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> None:
        """Add one time."""
        self.seconds.append(seconds)

    @property
    def middle(self) -> float:
        """Return the median."""
        return median(self.seconds)

    def part(self, share: float) -> float:
        """Return the time that a share of all times does not exceed."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def fields(self) -> dict[str, Any]:
        """Return the figures in milliseconds as plain JSON values."""
        if not self.seconds:
            return {"name": self.name, "number": 0}
        return {
            "name": self.name,
            "number": len(self.seconds),
            "median_ms": round(1000 * self.middle, 3),
            "p95_ms": round(1000 * self.part(0.95), 3),
            "worst_ms": round(1000 * max(self.seconds), 3),
        }

    def __str__(self) -> str:
        """Return median, 95th percentile and worst in one line."""
        if not self.seconds:
            return f"{self.name:44} nothing measured"
        return (
            f"{self.name:44} median {1000 * self.middle:8.2f} ms   95 % "
            f"{1000 * self.part(0.95):8.2f}   worst {1000 * max(self.seconds):8.2f}   "
            f"({len(self.seconds)})"
        )


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of some work and the seconds that it took."""
    begun = perf_counter()
    result = work()
    return result, perf_counter() - begun


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Return how often a second some work is done; it is told how often it has been."""
    number = 0
    begun = perf_counter()
    while (spent := perf_counter() - begun) < seconds or number < 3:
        work(number)
        number += 1
    return number / spent


@contextmanager
def watched(owner: type, names: Sequence[str]) -> Iterator[Callable[[], float]]:
    """Watch methods of a class; gives a function that tells the seconds spent in them.

    Calls within calls count once.
    """
    spent = [0.0]
    depth = [0]
    kept = {name: getattr(owner, name) for name in names}

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **given: Any) -> Any:
            depth[0] += 1
            begun = perf_counter()
            try:
                return method(*args, **given)
            finally:
                depth[0] -= 1
                if depth[0] == 0:
                    spent[0] += perf_counter() - begun

        return call

    for name, method in kept.items():
        setattr(owner, name, wrapped(method))
    try:
        yield lambda: spent[0]
    finally:
        for name, method in kept.items():
            setattr(owner, name, method)


def reference_loop() -> float:
    """Return the seconds of a fixed loop, by which machines can be compared."""

    def turns() -> int:
        total = 0
        for number in range(_TURNS):
            total = (total * 31 + number) % 1_000_003
        return total

    return timed(turns)[1]


def memory() -> float:
    """Return the memory that this process holds now, in MiB; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
