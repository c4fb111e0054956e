"""One world: a script's secrets, with a reading for each table ruling that matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.formula import (
    Atom,
    CastAtom,
    CulpritAtom,
    EntryAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    PlotAtom,
    RoleAtom,
)
from engine.rules.model import Entry, Rulebook
from engine.script import Script, ScriptIncident, Sheet

_ENTRY_KEYS = {Entry.LOOP: "entry_loop", Entry.DAY: "entry_day"}


@dataclass(frozen=True, slots=True)
class World:
    """A script's secrets.

    Attributes:
        plots: the active plots, the main plot first, then the first subplot (L-11).
        roles: scripted role by character, for everybody in the cast.
        culprits: culprit by incident number; of a mob's incident its location.
        entries: loop or day of entry by late character in the cast.
        rulings: a reading by open ruling; those about which no clue speaks may be missing.
        extra_plot: the extra main plot, ``None`` for none.
    """

    plots: tuple[str, ...]
    roles: Mapping[str, str]
    culprits: tuple[str, ...] = ()
    entries: Mapping[str, int] = field(default_factory=dict)
    rulings: Mapping[str, bool] = field(default_factory=dict)
    extra_plot: str | None = None

    def holds(self, atom: Atom, /) -> bool:
        """Return whether an atom is true here.

        Raises:
            KeyError: If it is a ruling for which the world has no reading.
        """
        match atom:
            case PlotAtom(plot):
                return plot in self.plots
            case ExtraPlotAtom(plot):
                return plot == self.extra_plot
            case FirstSubplotAtom(plot):
                return self.plots[1:2] == (plot,)
            case RoleAtom(who, role):
                return self.roles.get(who) == role
            case CulpritAtom(number, who):
                return number < len(self.culprits) and self.culprits[number] == who
            case CastAtom(who):
                return who in self.roles
            case EntryAtom(who, value):
                return self.entries.get(who) == value
        return self.rulings[atom.id]

    def secrets(self) -> tuple[object, ...]:
        """Return what makes it a world of its own, to compare by: not order and rulings."""
        return (
            frozenset(self.plots),
            frozenset(self.roles.items()),
            self.culprits,
            frozenset(self.entries.items()),
            self.extra_plot,
        )

    def __hash__(self) -> int:
        return hash((self.secrets(), frozenset(self.rulings.items())))


def world_of(
    script: Script,
    sheet: Sheet,
    rulebook: Rulebook,
    rulings: Mapping[str, bool] | None = None,
) -> World:
    """Return a script's secrets.

    Args:
        script: the script.
        sheet: its open sheet, whose order of incidents numbers the culprits.
        rulebook: the tragedy set.
        rulings: readings of the rulings that the table left open.

    Raises:
        ValueError: If the script's incidents are not those of the sheet, or a late character
            lacks its entry.
    """
    rest = list(script.incidents)
    culprits = []
    for scheduled in sheet.incidents:
        for item in rest:
            if (item.day, item.incident) == (scheduled.day, scheduled.incident):
                culprits.append(item.culprit)
                rest.remove(item)
                break
        else:
            raise ValueError(f"the script has no {scheduled.incident} on day {scheduled.day}")
    if rest:
        raise ValueError(f"the sheet has no {rest[0].incident} on day {rest[0].day}")
    entries = {}
    for who in script.cast:
        entry = rulebook.characters[who].entry
        if entry is not None:
            value = script.cast_extras.get(who, {}).get(_ENTRY_KEYS[entry])
            if not isinstance(value, int):
                raise ValueError(f"the script does not say when {who} enters")
            entries[who] = value
    return World(
        script.plots(),
        dict(script.cast),
        tuple(culprits),
        entries,
        dict(rulings or {}),
        script.extra_main_plot,
    )


def script_of(world: World, sheet: Sheet, rulebook: Rulebook) -> Script:
    """Return the script that has a world's secrets on this open sheet.

    Args:
        world: the secrets; its rulings are left out.
        sheet: the open sheet.
        rulebook: the tragedy set.
    """
    extras: dict[str, dict[str, object]] = {
        who: {"turf": turf} for who, turf in sheet.turf.items() if who in world.roles
    }
    for who, value in world.entries.items():
        entry = rulebook.characters[who].entry
        if entry is not None:
            extras.setdefault(who, {})[_ENTRY_KEYS[entry]] = value
    return Script(
        set=sheet.set,
        main_plot=world.plots[0],
        subplots=world.plots[1:],
        extra_main_plot=world.extra_plot,
        days=sheet.days,
        loops=(sheet.loops,),
        cast=dict(world.roles),
        cast_extras=extras,
        incidents=tuple(
            ScriptIncident(
                day=item.day,
                incident=item.incident,
                culprit=culprit,
                culprit_kind="character" if culprit in world.roles else "mob",
            )
            for item, culprit in zip(sheet.incidents, world.culprits, strict=True)
        ),
        special_rules=sheet.special_rules,
    )
