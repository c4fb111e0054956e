"""Where reference data lies, and its figures in the short form that the tests carry.

The reference (facts about cards and sets, published scripts) is no part of the project. It is
looked for in the folder that LOOPER_REFERENCE names, and in `shared` beside the checkout.
The figures taken from it stand in figures.json; write them anew with
`python -m tests.engine_scripts.reference`.
"""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIGURES = Path(__file__).with_name("figures.json")

_NUMBER = re.compile(r"[<>=]=(\d+)")


def folder(name: str) -> Path | None:
    """Return a folder of the reference, `None` where it is not at hand."""
    places = [Path(os.environ.get("LOOPER_REFERENCE", "")), ROOT.parent / "shared"]
    return next((place / name for place in places if place.name and (place / name).is_dir()), None)


@cache
def scripts() -> dict[str, Any]:
    """Return the published scripts by id, none where they are not at hand."""
    found = folder("scripts")
    paths = sorted(found.glob("*.json")) if found else []
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


@cache
def figures() -> Any:
    """Return the figures that the tests carry."""
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def figures_of_reference() -> Any:
    """Return the figures as the reference has them now, `None` where it is not at hand."""
    found = folder("facts")
    if found is None:
        return None
    characters = json.loads((found / "characters.json").read_text(encoding="utf-8"))
    sets = json.loads((found / "sets.json").read_text(encoding="utf-8"))
    return {
        "board": {
            direction: sorted(sorted(pair) for pair in characters["meta"]["board"][direction])
            for direction in ("vertical", "horizontal", "diagonal")
        },
        "cards": {
            owner: {card["id"]: [card["n"], card.get("once_per_loop", False)] for card in cards}
            for owner, cards in sets["general"]["action_cards"].items()
            if owner in ("mastermind", "protagonist_each")
        },
        "characters": {card["id"]: _character(card) for card in characters["characters"]},
        "sets": {item["id"]: _set(item) for item in sets["sets"]},
    }


def _character(card: dict[str, Any]) -> dict[str, Any]:
    passive = [ability for ability in card["abilities"] if ability["kind"] == "passive"]
    return {
        "name": card["name"],
        "limit": card["unease_limit"],
        "traits": sorted(card["traits"]),
        "start": sorted(card["start"]),
        "forbidden": sorted(card["forbidden"]),
        "asks": sorted(
            key for key in card["special"] if key in ("entry_loop", "entry_day", "turf")
        ),
        "script_rules": sorted(
            rule["code"] for rule in card["script_rules"] if not rule["code"].startswith("needs_")
        ),
        "passive": sorted(op["op"] for ability in passive for op in ability["ops"]),
        "goodwill": [_use(item) for item in card["abilities"] if item["kind"] == "goodwill"],
    }


def _use(ability: dict[str, Any]) -> dict[str, Any]:
    target = ability["target"]
    return {
        "goodwill": ability["goodwill"],
        "once_per_loop": ability["once_per_loop"],
        "refusable": ability["refusable"],
        "at": sorted(ability["location_restriction"]),
        "from_loop": ability["min_loop"],
        "mastermind": "mastermind_use" in ability,
        "target": [target["what"], target["where"], target["who"], target["count"]],
        "filter": sorted(target["filter"]),
        "does": [_op(op) for op in ability["ops"]],
    }


def _op(op: dict[str, Any]) -> list[Any]:
    more = [op[key] for key in ("token", "delta", "from", "to", "amount") if key in op]
    return [op["op"], *more]


def _set(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": item["name"],
        "subplots_per_script": item["subplots_per_script"],
        "final_guess": item["final_guess"]["value"],
        "gauge": item["extra_gauge"] is not None,
        "plots": {plot["id"]: _plot(plot) for plot in item["plots"]},
        "roles": {role["id"]: _role(role) for role in item["roles"]},
        "incidents": {incident["id"]: _incident(incident) for incident in item["incidents"]},
    }


def _plot(plot: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": plot["name"],
        "kind": plot["kind"],
        "roles": [
            [role["role"], role["min"], role["max"], role.get("constraint")]
            for role in plot["roles"]
        ],
        "rules": [_rule(rule) for rule in plot["rules"]],
    }


def _role(role: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": role["name"],
        "limit": role["max_limit"],
        "refusal": role["goodwill_refusal"],
        "unkillable": role["unkillable"],
        "must_be_culprit": role.get("must_be_culprit", False),
        "never_culprit": role.get("never_culprit", False),
        "abilities": [_rule(ability) for ability in role["abilities"]],
    }


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    # To have had Goodwill is one condition there and no number in the rule text.
    conditions = [text for text in rule["if"] if "goodwill(x) at end" not in text]
    amounts = [op["n"] for op in rule["do"] if "n" in op]
    return {
        "timing": rule["timing"],
        "mandatory": rule["mandatory"],
        "once_per": rule["once_per"],
        "when_dies": [text.split()[0] for text in rule["if"] if text.endswith(" dies")],
        "numbers": sorted([*(int(n) for n in _NUMBER.findall(" ".join(conditions))), *amounts]),
        # What a Wizard does is one field of the rule text.
        "does": ["wizard"] if rule["timing"] == "goodwill_ability" else _names(rule["do"]),
    }


def _names(ops: list[dict[str, Any]]) -> list[str]:
    return [op["op"] for op in ops]


def _incident(incident: dict[str, Any]) -> dict[str, Any]:
    trigger = incident["trigger"]
    return {
        "name": incident["name"],
        "mob": incident["mob"] and incident["mob"]["corpses"],
        "limit_modifier": trigger.get("limit_modifier", 0),
        "counts": trigger.get("count", "unease"),
        "culprit_reusable": incident.get("culprit_reusable", False),
        "does": [
            [
                op["op"],
                op.get("token"),
                op.get("n"),
                [int(n) for n in _NUMBER.findall(op.get("if", ""))],
            ]
            for op in incident["do"]
        ],
    }


def _lines(value: Any, depth: int) -> str:
    """Return JSON with one card, plot, role or incident a line."""
    if depth == 0 or not isinstance(value, dict) or "limit" in value or "kind" in value:
        return json.dumps(value, ensure_ascii=False)
    inner = ",\n".join(
        f"{json.dumps(key)}: {_lines(item, depth - 1)}" for key, item in value.items()
    )
    return "{\n" + inner + "\n}"


if __name__ == "__main__":
    taken = figures_of_reference()
    if taken is None:
        raise SystemExit("the reference is not at hand; name its folder in LOOPER_REFERENCE")
    FIGURES.write_text(_lines(taken, 4) + "\n", encoding="utf-8")
