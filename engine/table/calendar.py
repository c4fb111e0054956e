"""The order of moments in a game: steps within days, days within loops, loop ends last."""

from __future__ import annotations

from engine.words import (
    CARDS,
    DAY_START,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    STEP_ORDER,
    TIME_SPIRAL,
)

DAY_STEPS = (DAY_START, CARDS, MASTERMIND_STEP, GOODWILL_STEP, INCIDENT_STEP, NIGHT)


def order(at: tuple[int, int, str]) -> tuple[int, bool, int, int]:
    """Return the place of a moment in the game; a loop's end comes after all its days."""
    return at[0], is_late(at), at[1], STEP_ORDER[at[2]]


def is_late(at: tuple[int, int, str]) -> bool:
    """Tell whether a moment comes after all days of its loop."""
    return at[2] in (LOOP_END, TIME_SPIRAL, FINAL_GUESS)


STEP_NAMES = {order: name for name, order in STEP_ORDER.items()}


def steps_between(
    loop: int, start: tuple[int, str], stop: tuple[int, str] | None
) -> list[tuple[int, int, str]]:
    """Return the steps of a loop from ``start`` to ``stop``, both (day, step), inclusive."""
    if stop is None:
        return []
    steps: list[tuple[int, int, str]] = []
    for day in range(start[0], stop[0] + 1):
        names = (LOOP_START, *DAY_STEPS) if day == 1 else DAY_STEPS
        for name in names:
            position = (day, STEP_ORDER[name])
            if (start[0], STEP_ORDER[start[1]]) <= position <= (stop[0], STEP_ORDER[stop[1]]):
                steps.append((loop, day, name))
    return steps
