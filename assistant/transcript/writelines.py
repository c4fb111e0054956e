"""Writing a record as one line of notation, such that reading gives exactly the record back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from assistant.transcript.boardlines import UNKNOWN, write_ability, write_board
from assistant.transcript.pools import (
    PLACE_POOL,
    Pool,
    Pools,
    write_deck,
    write_face,
    write_id,
)

Fields = Mapping[str, Any]
INDENT: Final = "  "
_PLAYER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORDS: Final = {"lost": "lost", "dead": "you are dead", "none": "loop over", "won": "won"}


def write_record(fields: Fields, pools: Pools) -> str:
    """Return the line for a record that is given by the fields of its JSON form."""
    kind = fields["kind"]
    line = _WRITERS[kind](_Writer(fields, pools))
    if fields.get("ordered"):
        line = f"then {line}"
    if fields.get("doubt"):
        # A count may end in an unknown value, which reads the same as a doubt.
        line = f"{UNKNOWN} {line}" if kind == "recount" else f"{line} {UNKNOWN}"
    if fields.get("note") is not None:
        line = f"{line}  # {note_text(fields['note'])}"
    return INDENT + line if fields.get("by_use") else line


def note_text(note: str) -> str:
    """Return a free text as it is written: plain, or in quotation marks where it must be."""
    plain = note and note.isprintable() and note == note.strip() and not note.startswith('"')
    return note if plain else json.dumps(note, ensure_ascii=False)


class _Writer:
    """Writes the parts of one record."""

    def __init__(self, fields: Fields, pools: Pools) -> None:
        self.fields = fields
        self.pools = pools

    def who(self, name: str) -> str:
        return _name(self.fields[name], self.pools.characters)

    def spot(self, name: str) -> str:
        return _name(self.fields[name], self.pools.spots)

    def place(self, name: str) -> str:
        return _name(self.fields[name], PLACE_POOL)

    def role(self) -> str:
        return write_id(self.fields["role"], self.pools.roles)

    def plot(self, name: str) -> str:
        return write_id(self.fields[name], self.pools.plots)

    def token(self) -> str:
        number = self.fields["n"]
        text = f"{'-' if number < 0 else '+'}{self.fields['token']} {self.spot('on')}"
        if abs(number) != 1:
            text += f" {abs(number)}"
        if self.fields.get("by") is not None:
            text += f" by {self.who('by')}"
        return text

    def card(self) -> str:
        face = self.fields["card"]
        text = f"{write_deck(self.fields['by'])} {UNKNOWN if face is None else write_face(face)}"
        text += f" > {self.spot('on')}"
        human = self.fields.get("human")
        if isinstance(human, str) and not _PLAYER.fullmatch(human):
            human = json.dumps(human, ensure_ascii=False)
        return text if human is None else f"{text} by {human}"

    def result(self) -> str:
        text = f"= {self.spot('on')}"
        for name in ("goodwill", "unease", "intrigue"):
            if self.fields.get(name) is not None:
                text += f" {name[0]}{self.fields[name]:+d}"
        return f"{text} >{self.place('to')}" if self.fields.get("to") is not None else text

    def use(self) -> str:
        text = f"use {self.who('who')}[{write_ability(self.fields['ability'])}]"
        target = self.fields.get("target")
        if target is not None:
            text += f" {self.target(target)}"
        choice = self.fields.get("choice")
        if choice is not None:
            known = self.pools.anything
            shown = write_id(choice, known, reserved=False) if isinstance(choice, str) else choice
            text += f" choose {shown}"
        return f"{text}: {self.fields['outcome']}"

    def target(self, target: Any) -> str:
        if not isinstance(target, dict) or "one_of" in target or "somebody_at" in target:
            return _name(target, self.pools.targets)
        if "day" in target:
            return f"day {target['day']}"
        if "card" in target:
            return f"card {write_face(target['card'])}"
        if "character" in target:
            to = _name(target["to"], PLACE_POOL)
            return f"{_name(target['character'], self.pools.targets)} > {to}"
        ends = [_name(target[name], self.pools.spots) for name in ("from", "to")]
        return f"{target['token']} {' > '.join(ends)}"

    def reveal(self) -> str:
        if "role" in self.fields:
            return f"reveal {self.who('role_of')} = {self.role()}"
        if "culprit" in self.fields:
            return f"reveal culprit {self.fields['culprit_of']} = {self.spot('culprit')}"
        if "subplot" in self.fields:
            text = f"reveal subplot {self.plot('subplot')}"
            return f"{text} asked {self.plot('asked')}" if "asked" in self.fields else text
        names = [_name(one, self.pools.characters) for one in self.fields["characters"]]
        return f"reveal same_role {self.who('same_role_as')} = {' '.join(names) or 'nobody'}"

    def loop_over(self) -> str:
        closed = " deaths closed" if self.fields.get("deaths_closed") else ""
        return _WORDS[self.fields["word"]] + closed

    def count(self) -> str:
        return f"count {'; '.join(write_board(self.fields['board'], self.pools))}".rstrip()

    def guess(self) -> str:
        right = "right" if self.fields["right"] else "wrong"
        return f"guess {self.who('who')} = {self.role()}: {right}"

    def optional(self, before: str, name: str) -> str:
        """Return an optional character or location with the word before it."""
        return f" {before} {self.spot(name)}" if self.fields.get(name) is not None else ""


def _name(value: Any, words: Pool) -> str:
    """Return an id, ``a|b``, ``one of a`` or ``someone@place``."""
    if isinstance(value, str):
        return write_id(value, words)
    if "somebody_at" in value:
        return f"someone@{write_id(value['somebody_at'], PLACE_POOL)}"
    several = value["one_of"]
    text = "|".join(write_id(one, words) for one in several)
    return text if len(several) > 1 else f"one of {text}"


_WRITERS: Final[Mapping[str, Callable[[_Writer], str]]] = {
    "placed": lambda it: f"placed {it.who('who')} @{it.place('where')}",
    "enters": lambda it: f"enters {it.who('who')} @{it.place('where')}",
    "token": _Writer.token,
    "gauge": lambda it: f"gauge {it.fields['value']}",
    "curse": lambda it: f"curse {it.spot('on')}{it.optional('from', 'from')}",
    "extra_card": lambda it: f"extra {it.who('on')}{' off' if it.fields.get('off') else ''}",
    "spell": lambda it: f"spell {'declined' if it.fields['on'] is None else it.who('on')}",
    "leader": lambda it: f"leader {it.fields['deck']}",
    "card": _Writer.card,
    "card_result": _Writer.result,
    "moved": lambda it: f"moved {it.who('who')} > {it.place('to')}",
    "shifted": lambda it: f"shifted {it.fields['token']} {it.spot('from')} > {it.spot('to')}",
    "use": _Writer.use,
    "card_back": lambda it: f"back {it.fields['deck']} {write_face(it.fields['card'])}",
    "reveal": _Writer.reveal,
    "incident": lambda it: "happens" if it.fields["occurs"] else "no incident",
    "no_effect": lambda _: "no effect",
    "leader_chooses": lambda it: f"leader chooses {it.who('who')}",
    "location_named": lambda it: f"named {it.place('location')}",
    "death": lambda it: f"dead {it.who('who')}",
    "guard_lost": lambda it: f"guard lost {it.who('who')}",
    "revived": lambda it: f"revived {it.spot('who')}",
    "removed": lambda it: f"removed {it.who('who')}",
    "loop_over": _Writer.loop_over,
    "recount": _Writer.count,
    "complete": lambda _: ".",
    "partial": lambda _: "~",
    "guess": _Writer.guess,
}
"""How each record kind is written."""
