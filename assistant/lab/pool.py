"""Work on all cores, with results that do not depend on how many there are.

Every job carries its own seed and results come back in the order of the jobs. Workers are
fresh processes whose hashing of text is fixed, so that not even the order of a set can make
a difference between two runs.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, TypeVar

J = TypeVar("J")
R = TypeVar("R")

_HASH_SEED: Final = "PYTHONHASHSEED"


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system has it
        return os.cpu_count() or 1


def each(work: Callable[[J], R], jobs: Sequence[J], workers: int | None = None) -> Iterator[R]:
    """Yield the result of ``work`` for every job, in the order of the jobs.

    Args:
        work: a function that a fresh process can import.
        jobs: what to give it; both jobs and results travel between processes.
        workers: number of processes, one a core by default; 0 works in this process.
    """
    number = cores() if workers is None else workers
    if number == 0:
        yield from map(work, jobs)
        return
    number = max(1, min(number, len(jobs)))
    with (
        _fixed_hashing(),
        ProcessPoolExecutor(
            number, mp_context=get_context("spawn"), initializer=_begin_worker
        ) as executor,
    ):
        try:
            yield from executor.map(work, jobs)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def chunks(items: Sequence[J], size: int) -> list[tuple[J, ...]]:
    """Return the items in order, in groups of up to ``size``."""
    return [tuple(items[first : first + size]) for first in range(0, len(items), size)]


@contextmanager
def _fixed_hashing() -> Iterator[None]:
    before = os.environ.get(_HASH_SEED)
    os.environ[_HASH_SEED] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_HASH_SEED]
        else:
            os.environ[_HASH_SEED] = before


def _begin_worker() -> None:
    """Leave interrupts to the process that waits for the results, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        Thread(target=follow, daemon=True).start()
