"""The search for few evidence units that settle a matter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic

from assistant.explain.reason import C
from assistant.explain.witnesses import Units, Witnesses
from assistant.formula import Formula
from assistant.worlds import Worlds

MOST_TRIED_UNITS: Final = 3
"""Reasons of up to so many units are proved to be smallest."""
_MOST_TRIALS: Final = 20_000
_MOST_LOOKS: Final = 60
"""So many sets are tried on the diagrams at most before a search gives up."""
_FEW: Final = 32
"""With fewer witnesses than this more are drawn for a matter."""
_MORE: Final = 128
_AT_ONCE: Final = 48
"""So many witnesses are drawn where units do not settle a matter."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to.

    Attributes:
        units: units that settle the matter, none of which can be left out.
        smallest: it is proved that fewer units do not.
    """

    units: Units
    smallest: bool


class _GaveUp(Exception):
    """The search has taken too long."""


class Search(Generic[C]):
    """Looks for units whose clues leave no world in which a cell holds.

    Every witness, a world in which the cell holds, breaks a clue of a reason: all units of one
    of the clues that it breaks are in it. So the search only ever adds units of such clues.
    """

    def __init__(self, start: Worlds, witnesses: Witnesses[C], cell: Formula) -> None:
        """Begin.

        Args:
            start: all legal worlds in which the cell holds; there is one.
            witnesses: the witnesses of the game.
            cell: the cell.
        """
        self._start: Final = start
        self._witnesses: Final = witnesses
        self._cell: Final = cell
        self._rows = witnesses.where(cell)
        if self._rows.bit_count() < _FEW:
            witnesses.draw(start, _MORE)
            self._rows = witnesses.where(cell)
        self._open: set[Units] = set()
        self._settled: dict[Units, bool] = {}
        self._trials = 0
        self._looks = 0

    def run(self) -> Found | None:
        """Return units that settle the matter, ``None`` if all of them together do not."""
        try:
            for size in range(MOST_TRIED_UNITS + 1):
                self._open.clear()
                found = self._find(0, size)
                if found is not None:
                    return Found(found, smallest=True)
            proved = True
        except _GaveUp:
            proved = False
        units = self._some()
        if units is None:
            return None
        return Found(units, smallest=units.bit_count() <= MOST_TRIED_UNITS + 1 and proved)

    def _left(self, units: Units) -> int:
        """Return the witnesses that break no clue resting on these units alone."""
        left = self._rows
        for group, broken in zip(self._witnesses.groups, self._witnesses.broken, strict=True):
            if not group & ~units:
                left &= ~broken
        return left

    def settles(self, units: Units) -> bool:
        """Return whether the clues that rest on these units alone leave no world.

        If they do leave one, a witness is left afterwards.
        """
        known = self._settled.get(units)
        if known is None:
            known = self._settled[units] = not self._left(units) and self._leaves_none(units)
        return known

    def _leaves_none(self, units: Units) -> bool:
        rests = zip(self._witnesses.clues, self._witnesses.rests_on, strict=True)
        left = self._start.conjoin(*(clue.formula for clue, on in rests if not on & ~units))
        if not left.any():
            return True
        self._witnesses.draw(left, _AT_ONCE)
        self._rows = self._witnesses.where(self._cell)
        if not self._left(units):
            # The readings that were drawn for these worlds do not fit the clues.
            self._rows |= self._witnesses.add(left.listing(1)[0])
        return False

    # Smallest ones ----------------------------------------------------------------------

    def _find(self, units: Units, size: int) -> Units | None:
        """Return at most ``size`` units, these among them, that settle it; ``None`` if none do."""
        if units in self._open:
            return None
        self._open.add(units)
        self._trials += 1
        if self._trials > _MOST_TRIALS:
            raise _GaveUp
        left = self._left(units)
        if not left:
            self._looks += 1
            if self._looks > _MOST_LOOKS:
                raise _GaveUp
            if self.settles(units):
                return units
            left = self._left(units)
        for more in self._narrowest(units, left, size):
            found = self._find(more, size)
            if found is not None:
                return found
        return None

    def _narrowest(self, units: Units, left: int, size: int) -> list[Units]:
        """Return the sets among which a reason must be, by the witness that leaves fewest."""
        together: dict[Units, int] = {}
        room = size - units.bit_count()
        for group, broken in zip(self._witnesses.groups, self._witnesses.broken, strict=True):
            hit = broken & left
            if hit and (group & ~units).bit_count() <= room:
                more = units | group
                together[more] = together.get(more, 0) | hit
        if any(more.bit_count() < size for more in together):
            row = self._rarest(together.values(), left)
            return [more for more, hit in together.items() if hit & row]
        # Nothing can be added to these: each must hit all witnesses by itself.
        return [more for more, hit in together.items() if hit == left]

    def _rarest(self, parts: Iterable[int], left: int) -> int:
        """Return the lowest witness that is in the fewest parts."""
        by_number = [left]
        # ``by_number[n]``: the witnesses that are in at least n parts, up to some small n.
        for part in parts:
            by_number.append(0)
            for number in range(len(by_number) - 1, 0, -1):
                by_number[number] |= by_number[number - 1] & part
            if len(by_number) > _FEWEST:
                by_number.pop()
        for before, after in zip(by_number, [*by_number[1:], 0], strict=True):
            exactly = before & ~after
            if exactly:
                return exactly & -exactly
        return left & -left

    # Any ones ---------------------------------------------------------------------------

    def _some(self) -> Units | None:
        """Return units of which none can be left out, ``None`` if all do not settle it."""
        units: Units = 0
        while not self.settles(units):
            left = self._left(units)
            gains = [
                ((broken & left).bit_count() / more.bit_count(), group)
                for group, broken in zip(
                    self._witnesses.groups, self._witnesses.broken, strict=True
                )
                if broken & left and (more := group & ~units)
            ]
            if not gains:
                return None
            units |= max(gains)[1]
        # What was told late is left out first.
        for number in reversed(range(len(self._witnesses.units))):
            if units >> number & 1 and self.settles(units & ~(1 << number)):
                units &= ~(1 << number)
        return units


_FEWEST: Final = 12
