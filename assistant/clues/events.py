"""The visible changes of a Mastermind's step, one for each use that they need."""

from __future__ import annotations

from dataclasses import dataclass

from engine import records
from engine.records import Who
from engine.table import Step
from engine.table.apply import candidates


@dataclass(frozen=True, slots=True)
class Event:
    """One visible change that needs one use.

    Attributes:
        kind: ``token``, ``moved`` or ``shifted``.
        token, n: the token and its sign.
        targets: what may have been hit (several if the table could not name it).
        source: for a shift, the cards it may have come from.
    """

    kind: str
    token: str | None
    n: int
    targets: tuple[str, ...]
    source: tuple[str, ...] = ()


def events_of(step: Step) -> list[Event]:
    """Return the events of a Mastermind's step, tokens one by one."""
    board = step.before

    def who(name: Who) -> tuple[str, ...]:
        return candidates(board, name)

    events: list[Event] = []
    for record in step.records:
        match record:
            case records.Token():
                sign = 1 if record.n > 0 else -1
                events += [Event("token", record.token, sign, who(record.on))] * abs(record.n)
            case records.Moved():
                events.append(Event("moved", None, 0, who(record.who)))
            case records.Shifted():
                events.append(Event("shifted", record.token, 1, who(record.to), who(record.source)))
            case _:
                pass
    return events
