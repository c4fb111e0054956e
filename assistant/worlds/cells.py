"""Numbers by cell: what the table asks about, plots, roles, culprits and entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from assistant.worlds.composition import Composition
from assistant.worlds.tally import Tally

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Cells(Generic[N]):
    """Numbers of worlds, or weighted shares between 0 and 1.

    Attributes:
        combinations: by active plots, main plot first.
        extra_plots: by extra main plot, ``None`` for none.
        plots: by active plot.
        roles: by character and scripted role.
        culprits: by incident number and culprit.
        entries: by late character and loop or day of entry, ``None`` for never.
    """

    combinations: Mapping[tuple[str, ...], N]
    extra_plots: Mapping[str | None, N]
    plots: Mapping[str, N]
    roles: Mapping[tuple[str, str], N]
    culprits: Mapping[tuple[int, str], N]
    entries: Mapping[tuple[str, int | None], N]

    @classmethod
    def of(cls, composition: Composition, tally: Tally[N]) -> Self:
        """Name the numbers of a tally."""
        combinations: dict[tuple[str, ...], N] = {}
        extra_plots: dict[str | None, N] = {}
        plots: dict[str, N] = dict.fromkeys(composition.rulebook.plots, 0)
        for item, number in zip(composition.combinations, tally.combinations, strict=True):
            combinations[item.plots] = combinations.get(item.plots, 0) + number
            extra_plots[item.extra] = extra_plots.get(item.extra, 0) + number
            for plot in item.plots:
                plots[plot] += number
        roles: dict[tuple[str, str], N] = {}
        entries: dict[tuple[str, int | None], N] = {}
        for slot, states, numbers in zip(
            composition.slots, composition.states, tally.states, strict=True
        ):
            for state, number in zip(states, numbers, strict=True):
                if state.role is not None:
                    role = (slot.who, state.role)
                    roles[role] = roles.get(role, 0) + number
                if slot.entries:
                    entry = (slot.who, state.entry)
                    entries[entry] = entries.get(entry, 0) + number
        culprits = {
            (incident, who): number
            for incident, numbers in enumerate(tally.culprits)
            for who, number in zip(composition.suspects, numbers, strict=True)
            if who in composition.candidates(incident)
        }
        return cls(combinations, extra_plots, plots, roles, culprits, entries)
