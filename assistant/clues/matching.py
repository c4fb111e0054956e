"""Explaining several events by distinct uses: a matching, not a membership test (P-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from assistant.clues.model import NO_FLAGS, Flags, add_way
from assistant.formula import FALSE, TRUE, Formula, all_of, at_least


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of use, such as one ability of one role, with everybody who may have it.

    Attributes:
        name: unique name.
        holders: holder to the formula under which it may use this kind once today.
        edges: for each event, the holders that could have shown it.
        flag: set by the use, if it outlives the step.
        terms: what an event asks for besides a holder, for sources that need more.
    """

    name: str
    holders: Mapping[str, Formula]
    edges: Sequence[frozenset[str]]
    flag: tuple[str, ...] | None = None
    terms: Mapping[int, Formula] = field(default_factory=dict)


def explain(count: int, sources: Sequence[Source]) -> dict[Flags, Formula]:
    """Return under which worlds ``count`` events have distinct sources, by flags set.

    Each event is given to a kind of source; a kind can serve its events if and only if every
    subset of them has at least as many holders in reach (Hall's theorem).
    """
    ways: dict[Flags, Formula] = {}
    for part in _components(count, sources):
        found = _component(part, sources)
        ways = found if not ways else _join(ways, found)
    return ways or {NO_FLAGS: TRUE}


def _components(count: int, sources: Sequence[Source]) -> list[list[int]]:
    """Group events that compete for a kind of source."""
    groups: list[set[int]] = [{event} for event in range(count)]
    for source in sources:
        touched = {event for event in range(count) if source.edges[event]}
        merged = [group for group in groups if group & touched]
        if len(merged) > 1:
            groups = [group for group in groups if not group & touched]
            groups.append(set().union(*merged))
    return [sorted(group) for group in groups]


def _join(first: Mapping[Flags, Formula], second: Mapping[Flags, Formula]) -> dict[Flags, Formula]:
    ways: dict[Flags, Formula] = {}
    for flags, formula in first.items():
        for more, other in second.items():
            add_way(ways, flags | more, formula & other)
    return ways or {NO_FLAGS: FALSE}


def _component(events: list[int], sources: Sequence[Source]) -> dict[Flags, Formula]:
    ways: dict[Flags, Formula] = {}
    seen: set[object] = set()

    def assign(position: int, given: dict[int, list[int]]) -> None:
        if position == len(events):
            # Assignments that differ only in which of two like events is which are one.
            key = tuple(
                (
                    number,
                    tuple(sorted((sources[number].edges[e] for e in served), key=sorted)),
                    tuple(
                        sorted(
                            sources[number].terms[e].serial
                            for e in served
                            if e in sources[number].terms
                        )
                    ),
                )
                for number, served in sorted(given.items())
            )
            if key not in seen:
                seen.add(key)
                flags = frozenset(
                    flag for number in given if (flag := sources[number].flag) is not None
                )
                add_way(
                    ways,
                    flags,
                    all_of(
                        _serves(sources[number], served)
                        & all_of(sources[number].terms.get(e, TRUE) for e in served)
                        for number, served in given.items()
                    ),
                )
            return
        event = events[position]
        for number, source in enumerate(sources):
            served = given.get(number, [])
            if not source.edges[event] or len(served) >= len(source.holders):
                continue
            assign(position + 1, {**given, number: [*served, event]})

    assign(0, {})
    return ways or {NO_FLAGS: FALSE}


def _serves(source: Source, events: list[int]) -> Formula:
    """Return when the holders of one kind can serve all of ``events``, each at most one."""
    parts = []
    for size in range(1, len(events) + 1):
        for subset in combinations(events, size):
            holders = frozenset().union(*(source.edges[event] for event in subset))
            parts.append(at_least(size, [source.holders[who] for who in sorted(holders)]))
    return all_of(parts)
