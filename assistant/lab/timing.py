"""Measuring times, and what a measurement is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, TypeVar

T = TypeVar("T")

_TURNS: Final = 3_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that some work took.

    Attributes:
        wall: by the clock.
        cpu: of this process alone, which a busy machine lengthens little.
    """

    wall: float
    cpu: float


@dataclass(slots=True)
class Times:
    """Times of one kind, in seconds."""

    name: str
    spent: list[Spent] = field(default_factory=list)

    def add(self, spent: Spent) -> None:
        """Add one time."""
        self.spent.append(spent)

    @property
    def middle(self) -> float:
        """Return the median time of the process."""
        return median(spent.cpu for spent in self.spent)

    def part(self, share: float) -> Spent:
        """Return the times that a share of all do not exceed."""
        place = min(len(self.spent) - 1, int(share * len(self.spent)))
        return Spent(
            sorted(spent.wall for spent in self.spent)[place],
            sorted(spent.cpu for spent in self.spent)[place],
        )

    def fields(self) -> dict[str, Any]:
        """Return the figures in milliseconds as plain JSON values."""
        found: dict[str, Any] = {"name": self.name, "number": len(self.spent)}
        if self.spent:
            for name, share in _SHARES.items():
                spent = self.part(share)
                found[f"{name}_ms"] = round(1000 * spent.cpu, 3)
                found[f"{name}_wall_ms"] = round(1000 * spent.wall, 3)
        return found

    def __str__(self) -> str:
        """Return median, 95th percentile and worst in one line, those by the clock behind."""
        if not self.spent:
            return f"{self.name:44} nothing measured"
        parts = [self.part(share) for share in _SHARES.values()]
        cpu = " ".join(f"{1000 * spent.cpu:8.1f}" for spent in parts)
        wall = " ".join(f"{1000 * spent.wall:8.1f}" for spent in parts)
        return f"{self.name:44} {cpu}   ({wall})  {len(self.spent):5}"


_SHARES: Final = {"median": 0.5, "p95": 0.95, "worst": 1.0}


def timed(work: Callable[[], T]) -> tuple[T, Spent]:
    """Return the result of some work and the seconds that it took."""
    begun, used = perf_counter(), process_time()
    result = work()
    return result, Spent(perf_counter() - begun, process_time() - used)


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Return how often a second some work is done; it is told how often it has been."""
    number = 0
    begun = perf_counter()
    while (spent := perf_counter() - begun) < seconds or number < 3:
        work(number)
        number += 1
    return number / spent


@contextmanager
def watched(owner: type, names: Sequence[str]) -> Iterator[Callable[[], Spent]]:
    """Watch methods of a class; gives a function that tells the seconds spent in them.

    Calls within calls count once.
    """
    wall, cpu, depth = [0.0], [0.0], [0]
    kept = {name: getattr(owner, name) for name in names}

    def wrapped(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **given: Any) -> Any:
            depth[0] += 1
            begun, used = perf_counter(), process_time()
            try:
                return method(*args, **given)
            finally:
                depth[0] -= 1
                if depth[0] == 0:
                    wall[0] += perf_counter() - begun
                    cpu[0] += process_time() - used

        return call

    for name, method in kept.items():
        setattr(owner, name, wrapped(method))
    try:
        yield lambda: Spent(wall[0], cpu[0])
    finally:
        for name, method in kept.items():
            setattr(owner, name, method)


def reference_loop() -> Spent:
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
