"""From plain JSON values to typed ones, with errors that people can read.

``msgspec`` does the work and names the place of an error; this module says in plain words
what stands there, what the types allow there, and which known word is near.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import inspect

from assistant.transcript.errors import JsonPath, Malformed, choices, did_you_mean, nearest, one_of
from engine.records import TargetSpec, Unsure

_SHAPES = {
    Unsure: '{"one_of": [ids]} or {"somebody_at": location}',
    TargetSpec: '{"character", "to"}, {"from", "to", "token"}, {"day"}, {"card"}, {"one_of"} '
    'or {"somebody_at"}',
}
"""How objects with few forms are described."""

_T = TypeVar("_T")

_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`(?P<path>\$[^`]*)`)?", re.DOTALL)
_PART = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[(\.\.\.)\]")
_FIELD = re.compile(r"`([^`]*)`")


def convert(raw: object, kind: type[_T] | object, path: JsonPath = ()) -> _T:
    """Return ``raw`` as a value of type ``kind``.

    Args:
        raw: a JSON value.
        kind: a type that ``msgspec`` knows.
        path: where the value stands in its file, for the error.

    Raises:
        Malformed: when it does not have that form.
    """
    try:
        value: _T = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise _explain(str(error), raw, kind, path) from None
    return value


def _explain(message: str, raw: object, kind: object, path: JsonPath) -> Malformed:
    match = _MESSAGE.fullmatch(message)
    assert match is not None  # the pattern takes any text
    what, inner = match["what"], list(_parts(match["path"] or ""))
    value, info = _walk(raw, _type_info(kind), inner)
    whole = (*path, *inner)
    if match["key"]:
        return _bad_key(info, value, whole)
    field = _FIELD.search(what)
    if what.startswith("Object contains unknown field") and field is not None:
        return _unknown_field(field[1], info, value, whole)
    if what.startswith("Object missing required field") and field is not None:
        return _missing_field(field[1], info, value, whole)
    words = _words(info)
    if what.startswith("Invalid value") and inner and isinstance(value, str):
        _, holder = _walk(raw, _type_info(kind), inner[:-1])
        words = tuple(_tags(holder))
        return Malformed(
            f"there is no record {inner[-1]} {value!r}",
            expected=one_of(value, words),
            remedy=did_you_mean(value, words),
            path=whole,
        )
    remedy = did_you_mean(value, words) if isinstance(value, str) else ""
    return Malformed(
        f"{_name(whole)} is {_show(value)}", expected=describe(info), remedy=remedy, path=whole
    )


def _unknown_field(name: str, info: inspect.Type, value: object, path: JsonPath) -> Malformed:
    allowed = [field.encode_name for field in _fields(info, value)]
    near = nearest(name, allowed)
    remedy = f"Did you mean {choices(near)}?" if near else f"Delete {json.dumps(name)}."
    return Malformed(
        f"{_owner(value, path)} has no field {name!r}",
        expected=choices(allowed),
        remedy=remedy,
        path=(*path, name),
    )


def _missing_field(name: str, info: inspect.Type, value: object, path: JsonPath) -> Malformed:
    form = next((item for item in _fields(info, value) if item.encode_name == name), None)
    # A tag is no field of the types: of a record only the kind can be missing this way.
    expected = one_of("", _tags(info)) if form is None else describe(form.type)
    return Malformed(
        f"{_owner(value, path)} lacks the field {name!r}",
        expected=expected,
        remedy=f"Add {json.dumps(name)}.",
        path=path,
    )


def _bad_key(info: inspect.Type, value: object, path: JsonPath) -> Malformed:
    """Explain a wrong name in an object that is used as a table."""
    for item in _flat(info):
        if isinstance(item, inspect.DictType) and isinstance(value, dict):
            for key in value:
                if not any(_takes(one, key) for one in _flat(item.key_type)):
                    words = _words(item.key_type)
                    return Malformed(
                        f"{key!r} cannot stand in {_name(path)}",
                        expected=describe(item.key_type),
                        remedy=did_you_mean(key, words),
                        path=(*path, key),
                    )
    return Malformed(f"a name in {_name(path)} has the wrong form", path=path)


def _owner(value: object, path: JsonPath) -> str:
    """Return what to call the object whose field is wrong."""
    if isinstance(value, dict) and isinstance(value.get("kind"), str) and len(path) > 1:
        return f"the record kind {value['kind']!r}"
    return _name(path)


def _name(path: JsonPath) -> str:
    """Return what to call the value at ``path``."""
    match path:
        case ():
            return "the file"
        case (*_, "at", 0 | 1 | 2 as index):
            return ("the loop", "the day", "the step")[index]
        case (*_, "records", int(index)):
            return f"record {index + 1}"
        case (*_, str(name), int() | "..."):
            return f"something in {name!r}"
        case _:
            return repr(path[-1])


@functools.cache
def _type_info(kind: object) -> inspect.Type:
    return inspect.type_info(kind)


def _parts(path: str) -> Iterable[str | int]:
    for name, index, other in _PART.findall(path.removeprefix("$")):
        yield name or (int(index) if index else other)


def _walk(value: object, info: inspect.Type, path: list[str | int]) -> tuple[object, inspect.Type]:
    """Follow ``path`` in a value and its type at once, as far as possible.

    The name in an object that is used as a table is not told (its part reads ``...``): the
    first that fits badly is taken, and written into ``path``.
    """
    for index, part in enumerate(path):
        step = _step_into(info, value, part)
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
        elif part != "...":
            value = value.get(part) if isinstance(value, dict) else None
        elif isinstance(value, dict):
            bad = [key for key, one in value.items() if not _fits(one, step, path[index + 1 :])]
            key = bad[0] if bad else part
            path[index], value = key, value.get(key)
        info = step
    return value, info


def _fits(value: object, info: inspect.Type, rest: list[str | int]) -> bool:
    """Tell whether a value may stand there, judged at the end of ``rest``."""
    value, info = _walk(value, info, list(rest))
    return any(_takes(item, value) for item in _flat(info))


def _takes(item: inspect.Type, value: object) -> bool:
    match item:
        case inspect.StrType():
            return isinstance(value, str) and re.search(item.pattern or "", value) is not None
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType(ge=low, le=high) if type(value) is int:
            return (low is None or low <= value) and (high is None or value <= high)
        case inspect.LiteralType():
            return value in item.values
        case inspect.NoneType():
            return value is None
        case inspect.StructType():
            return isinstance(value, dict) and set(value) <= set(item.cls.__struct_encode_fields__)
        case inspect.DictType():
            return isinstance(value, dict)
        case inspect.VarTupleType():
            return isinstance(value, list)
        case _:
            return False


def _step_into(info: inspect.Type, value: object, part: str | int) -> inspect.Type:
    for item in _flat(info):
        match item:
            case inspect.StructType() if isinstance(part, str):
                for field in _fields(item, value):
                    if field.encode_name == part:
                        return field.type
            case inspect.VarTupleType() if isinstance(part, int):
                return item.item_type
            case inspect.TupleType() if isinstance(part, int):
                return item.item_types[part]
            case inspect.DictType() if part == "...":
                return item.value_type
            case _:
                pass
    return inspect.AnyType()


def _flat(info: inspect.Type) -> Iterable[inspect.Type]:
    """Yield the members of a union, without what only describes them."""
    match info:
        case inspect.Metadata():
            yield from _flat(info.type)
        case inspect.UnionType():
            for item in info.types:
                yield from _flat(item)
        case _:
            yield info


def _structs(info: inspect.Type) -> Iterable[inspect.StructType]:
    return (item for item in _flat(info) if isinstance(item, inspect.StructType))


def _fields(info: inspect.Type, value: object) -> Iterable[inspect.Field]:
    """Yield the fields that an object may have, by its kind where it has one."""
    tag = value.get("kind") if isinstance(value, dict) else None
    for struct in _structs(info):
        if struct.tag is None or struct.tag == tag:
            yield from struct.fields


def _tags(info: inspect.Type) -> Iterable[str]:
    return (str(struct.tag) for struct in _structs(info) if struct.tag is not None)


def _words(info: inspect.Type) -> tuple[str, ...]:
    """Return the words that a type allows, empty when they are not listed."""
    words: list[str] = []
    for item in _flat(info):
        if isinstance(item, inspect.LiteralType):
            words += [str(value) for value in item.values]
        elif isinstance(item, inspect.StrType) and (item.pattern or "").startswith("^("):
            words += (item.pattern or "")[2:-2].split("|")
    return tuple(words)


def describe(info: inspect.Type) -> str:
    """Return what a type allows, in words."""
    match info:
        case inspect.Metadata():
            extra = info.extra_json_schema or {}
            return str(extra.get("description") or describe(info.type))
        case inspect.UnionType():
            return " or ".join(
                text for item in info.types if (text := describe(item)) and text != "unset"
            )
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return f"a whole number from {low} to {high}"
        case inspect.IntType():
            return "a whole number"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case inspect.LiteralType():
            return choices(json.dumps(value) for value in info.values)
        case inspect.StrType():
            return "a text"
        case inspect.TupleType() as pair:
            return f"a list of {len(pair.item_types)}: " + ", ".join(map(describe, pair.item_types))
        case inspect.VarTupleType():
            some = " that is not empty" if info.min_length else ""
            return f"a list{some}, each {describe(info.item_type)}"
        case inspect.StructType() if info.cls in _SHAPES:
            return _SHAPES[info.cls]
        case inspect.StructType() | inspect.DictType():
            return "an object"
        case _:
            return "unset" if type(info).__name__ == "CustomType" else "something else"


def _show(value: object) -> str:
    """Return a value as it stands in the file, cut short."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
