"""The Final Guess read backward: each answer is an observation (F-04)."""

from __future__ import annotations

from assistant.clues.model import Flags, Piece, observed
from assistant.clues.view import name_of, when
from assistant.formula import FALSE, RoleAtom
from engine import records
from engine.table import Step, Table


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return what the answers say about scripted roles (F-01)."""
    found = []
    for number, record in enumerate(step.records):
        if not isinstance(record, records.Guess) or not isinstance(record.who, str):
            continue
        atom = RoleAtom(record.who, record.role)
        way = (atom if record.right else ~atom) if has_final_guess(table) else FALSE
        verdict = "right" if record.right else "wrong"
        found.append(
            Piece(
                f"answer:{number}",
                {flags: way},
                (observed(step),),
                ("F-04", "F-01", "F-03"),
                f"{when(step.at)}: the guess for {name_of(table, record.who)} was {verdict}.",
            )
        )
    return found


def has_final_guess(table: Table) -> bool:
    """Tell whether this game has a Final Guess: by its set or a special rule (F-03)."""
    rules = table.sheet.special_rules
    said = [rule.get("value") for rule in rules if rule.get("kind") == "final_guess"]
    return bool(said[-1]) if said else table.rules.final_guess
