"""The published JSON schema of transcripts, made from the types.

``python -m assistant.transcript.schema > docs/transcript.schema.json`` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from assistant.transcript.boardform import UNKNOWN_PATTERN, BoardForm
from assistant.transcript.forms import REVEAL_FORMS, TARGET_FORMS, UNSURE_FORMS
from assistant.transcript.kinds import KINDS
from engine.records import Transcript
from engine.script import Id

Schema = dict[str, Any]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_WIDTH: Final = 100
_REF: Final = "#/$defs/{name}"


def schema() -> Schema:
    """Return the JSON schema of a transcript.

    It says what ``jsonform.load`` checks, no more: which fields a record kind has, in which
    steps it may stand, which fields go together. Known ids are for ``validate``.
    """
    (root, board, name), defs = msgspec.json.schema_components(
        [Transcript, BoardForm, Id],
        schema_hook=lambda _: {"description": "any value"},
        ref_template=_REF,
    )
    for kind in KINDS.values():
        record = defs[kind.type.__name__]
        record["title"], record["description"] = kind.tag, kind.about
        step = {"enum": list(kind.steps)}
        count = record["properties"]["at"]["prefixItems"][0]
        record["properties"]["at"]["prefixItems"] = [count, count, step]
    for definition in defs.values():
        definition["description"] = definition["description"].split("\n")[0]
    defs["Token"]["properties"]["n"]["not"] = {"const": 0}
    defs["Recount"]["properties"]["board"] = board
    defs["Start"]["properties"]["board"] = board
    defs["Start"]["properties"]["unknown"]["items"]["pattern"] = UNKNOWN_PATTERN
    defs["Sheet"]["properties"]["special_rules"]["items"] = {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
    }
    for holder, forms, optional in (
        ("Unsure", UNSURE_FORMS, ()),
        ("TargetSpec", TARGET_FORMS, ()),
        ("Reveal", REVEAL_FORMS, {"subplot": ("asked",)}),
    ):
        defs[holder]["anyOf"] = list(_exclusive(forms, dict(optional)))
    for holder in ("Unsure", "TargetSpec"):
        for form in defs[holder]["properties"]["one_of"]["anyOf"]:
            if form.get("type") == "array":
                form["uniqueItems"] = True
    defs = _share(defs, name, {"$ref": _REF.format(name="Id")})
    return {
        "$schema": DIALECT,
        "title": "looper-transcript, version 1",
        **root,
        "$defs": {"Id": name, **defs},
    }


def schema_text() -> str:
    """Return the schema as it stands in its file."""
    return _text(schema()) + "\n"


def _text(value: Any, indent: str = "") -> str:
    """Return JSON that breaks a line only where it would be long."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(indent) <= _WIDTH or not isinstance(value, dict | list):
        return flat
    inner = f"{indent} "
    if isinstance(value, list):
        parts = [_text(item, inner) for item in value]
        opening, closing = "[", "]"
    else:
        parts = [f"{json.dumps(key)}: {_text(item, inner)}" for key, item in value.items()]
        opening, closing = "{", "}"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"


def _exclusive(
    forms: Iterable[tuple[str, ...]], optional: Mapping[str, tuple[str, ...]]
) -> Iterable[Schema]:
    """Yield a schema for each group of fields that go together: all given, no other."""
    names = {name for form in forms for name in form}
    names |= {name for extra in optional.values() for name in extra}
    for form in forms:
        given = {name: {"not": {"type": "null"}} for name in form}
        allowed = {*form, *optional.get(form[0], ())}
        absent = {name: {"type": "null"} for name in sorted(names - allowed)}
        yield {"required": list(form), "properties": {**given, **absent}}


def _share(value: Any, part: Schema, reference: Schema) -> Any:
    """Return a copy in which every ``part`` is replaced by a reference to it."""
    if value == part:
        return reference
    if isinstance(value, dict):
        return {key: _share(item, part, reference) for key, item in value.items()}
    if isinstance(value, list):
        return [_share(item, part, reference) for item in value]
    return value


if __name__ == "__main__":
    print(schema_text(), end="")
