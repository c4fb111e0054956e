"""Atoms: what can be asked of the secrets of a script."""

from __future__ import annotations

from typing import Final

from assistant.formula.node import Formula, intern


class PlotAtom(Formula):
    """The plot is active in the script."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> PlotAtom:
        """Return the one such node."""
        return intern(PlotAtom, plot)


class ExtraPlotAtom(Formula):
    """The plot is the script's extra main plot, which some subplots bring (WM-05)."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> ExtraPlotAtom:
        """Return the one such node."""
        return intern(ExtraPlotAtom, plot)


class FirstSubplotAtom(Formula):
    """The subplot stands first in the script; only what is told of it is known (L-11)."""

    __slots__ = __match_args__ = ("plot",)
    plot: str

    def __new__(cls, plot: str) -> FirstSubplotAtom:
        """Return the one such node."""
        return intern(FirstSubplotAtom, plot)


class RoleAtom(Formula):
    """The script gives the character ``who`` this role; false for one outside the cast."""

    __slots__ = __match_args__ = ("who", "role")
    who: str
    role: str

    def __new__(cls, who: str, role: str) -> RoleAtom:
        """Return the one such node."""
        return intern(RoleAtom, who, role)


class CulpritAtom(Formula):
    """``who`` is the culprit of the sheet's incident ``number``, counted from 0."""

    __slots__ = __match_args__ = ("number", "who")
    number: int
    who: str

    def __new__(cls, number: int, who: str) -> CulpritAtom:
        """Return the one such node."""
        return intern(CulpritAtom, number, who)


class CastAtom(Formula):
    """The late character ``who`` is in the cast."""

    __slots__ = __match_args__ = ("who",)
    who: str

    def __new__(cls, who: str) -> CastAtom:
        """Return the one such node."""
        return intern(CastAtom, who)


class EntryAtom(Formula):
    """The late character ``who`` is in the cast and enters in loop, or on day, ``value``."""

    __slots__ = __match_args__ = ("who", "value")
    who: str
    value: int

    def __new__(cls, who: str, value: int) -> EntryAtom:
        """Return the one such node."""
        return intern(EntryAtom, who, value)


class RulingAtom(Formula):
    """The table plays the ruling ``id``, left open on the sheet, in its reading "yes"."""

    __slots__ = __match_args__ = ("id",)
    id: str

    def __new__(cls, id: str) -> RulingAtom:
        """Return the one such node."""
        return intern(RulingAtom, id)


Atom = (
    PlotAtom
    | ExtraPlotAtom
    | FirstSubplotAtom
    | RoleAtom
    | CulpritAtom
    | CastAtom
    | EntryAtom
    | RulingAtom
)
ATOMS: Final = (
    PlotAtom,
    ExtraPlotAtom,
    FirstSubplotAtom,
    RoleAtom,
    CulpritAtom,
    CastAtom,
    EntryAtom,
    RulingAtom,
)
"""The classes of atoms, for ``isinstance``."""
