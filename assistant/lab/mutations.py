"""Every small change of the rule text, made from the data itself.

Each ability, condition, count and field is taken away, turned round or moved by one. What is
the same in several sets is changed in all of them at once, as a slip in the text would.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from engine.kleene import MAYBE, NO, YES
from engine.rules import conditions, model
from engine.rules.conditions import ALWAYS
from engine.rules.model import Per, Refusal, RoleRule, Rulebook, Timing
from engine.words import INTRIGUE, LOCATIONS

Change = tuple[str, Any]
"""What is changed, in words, and the thing with that change."""

KINDS: Final[Mapping[str, str]] = {
    "plot": "plots",
    "role": "roles",
    "incident": "incidents",
    "character": "characters",
}
"""Kinds of rule text, each with the field of a rulebook that holds it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of the rule text.

    Attributes:
        kind, id: what it is a change of.
        what: the change, in words that are unique within that.
        sets: the sets whose text has it.
        thing: the changed plot, role, incident or character.
    """

    kind: str
    id: str
    what: str
    sets: tuple[str, ...]
    thing: Any

    @property
    def name(self) -> str:
        """Return the name under which survivors are explained."""
        return f"{self.kind} {self.id}: {self.what}"

    def apply(self, rules: Rulebook) -> Rulebook:
        """Return the text of a set with the change, if it has a place in it."""
        if rules.id not in self.sets:
            return rules
        field = KINDS[self.kind]
        change: dict[str, Any] = {field: {**getattr(rules, field), self.id: self.thing}}
        return dataclasses.replace(rules, **change)


def mutants(books: Mapping[str, Rulebook], set_id: str | None = None) -> list[Mutant]:
    """Return all mutants of some sets, in a fixed order.

    Args:
        books: the sets.
        set_id: only those that this set has.
    """
    found: list[Mutant] = []
    read = [rules for rules in books.values() if set_id in (None, rules.id)]
    asked = {trait for rules in read for trait in _asked_traits(rules)}
    for kind, field in KINDS.items():
        things: list[tuple[str, Any, list[str]]] = []
        for rules in books.values():
            for id, thing in getattr(rules, field).items():
                same = next((t for t in things if t[0] == id and t[1] == thing), None)
                if same is None:
                    things.append((id, thing, [rules.id]))
                else:
                    same[2].append(rules.id)
        for id, thing, sets in things:
            if set_id is not None and set_id not in sets:
                continue
            twice = sum(other[0] == id for other in things) > 1
            label = f"{id} in {sets[0]}" if twice else id
            for what, changed in _changes(thing, asked):
                found.append(Mutant(kind, id, f"{what}", tuple(sets), changed))
                if twice:
                    found[-1] = dataclasses.replace(found[-1], what=f"{what} ({label})")
    return found


def _asked_traits(rules: Rulebook) -> Iterator[str]:
    """Yield the traits that a rule of the set asks for; no game of it shows the others."""
    for plot in rules.plots.values():
        yield from (quota.trait for quota in plot.roles if quota.trait is not None)
    for character in rules.characters.values():
        for ability in character.goodwill:
            if ability.target.trait is not None:
                yield ability.target.trait


# One thing ------------------------------------------------------------------------------


def _changes(thing: Any, asked: set[str]) -> Iterator[Change]:
    """Yield the thing with each change in one of its fields, or further inside."""
    for field in dataclasses.fields(thing):
        if not field.init or field.name in _LEFT_ALONE:
            continue
        value = getattr(thing, field.name)
        for what, new in _field_changes(thing, field.name, value, asked):
            if _says_nothing(thing, what):
                continue
            try:
                yield what, dataclasses.replace(thing, **{field.name: new})
            except ValueError:  # a change that makes no sense
                continue


def _field_changes(thing: Any, name: str, value: Any, asked: set[str]) -> Iterator[Change]:
    if _means_nothing(thing, name):
        return
    own = _OWN.get((type(thing), name)) or _OWN.get((None, name))
    if own is not None:
        for new in own(value):
            yield f"{name} {_show(value)} -> {_show(new)}", new
    elif name == "traits":
        for trait in sorted(value & asked):
            yield f"{name} without {trait}", value - {trait}
    elif isinstance(value, frozenset):
        for item in sorted(value):
            yield f"{name} without {_show(item)}", value - {item}
    elif isinstance(value, tuple):
        yield from _tuple_changes(name, value, asked)
    elif isinstance(value, bool):
        if value or (type(thing), name) in _TURNED_ON:
            yield f"{name} {value} -> {not value}", not value
    elif isinstance(value, int):
        for new in (value - 1, value + 1):
            if new >= _LEAST.get(name, 1):
                yield f"{name} {value} -> {new}", new
    elif name in _CONDITIONS and value is not None:
        if value != ALWAYS:
            yield f"{name} {_show(value)} -> always", ALWAYS
        for what, changed in _changes(value, asked):
            yield f"{name}.{what}", changed
    elif dataclasses.is_dataclass(value):
        for what, changed in _changes(value, asked):
            yield f"{name}.{what}", changed


def _tuple_changes(name: str, value: tuple[Any, ...], asked: set[str]) -> Iterator[Change]:
    for number, item in enumerate(value):
        label = _label(item, number)
        rest = (*value[:number], *value[number + 1 :])
        if rest or name in _MAY_BE_EMPTY:
            yield f"{name} without {label}", rest
        if isinstance(item, int):
            for new in (item - 1, item + 1):
                if new != 0:
                    changed = (*value[:number], new, *value[number + 1 :])
                    yield f"{name} {_show(value)} -> {_show(changed)}", changed
        elif dataclasses.is_dataclass(item):
            for what, changed_item in _changes(item, asked):
                changed_tuple = (*value[:number], changed_item, *value[number + 1 :])
                yield f"{label}.{what}", changed_tuple


def _means_nothing(thing: Any, name: str) -> bool:
    """Tell whether a field says nothing because of what stands beside it."""
    match thing:
        case model.Ability(does=model.IgnoreForbid(token=token)) if token == INTRIGUE:
            return name in ("per", "mandatory")  # The Mastermind says who ignores it (C-07).
        case model.Ability(timing=timing):
            return name == "per" and timing not in (Timing.MASTERMIND, Timing.NIGHT)
        case model.KillOne(token=None):
            return name == "n"
        case model.Target(kind=kind, character=only):
            # A corpse is not the user, and who is named is somebody else.
            nobody = ("none", "self", "subplot", "incident", "card", "corpse", "location")
            return name == "other" and (kind in nobody or only is not None)
        case model.Character():
            return name == "effect_times" and thing.effect_times == 1
        case model.Incident():
            return name == "gauge_rise"
    return False


def _says_nothing(thing: Any, what: str) -> bool:
    """Tell whether a change further inside says nothing because of what it stands in."""
    match thing:
        case model.Ability(timing=timing):
            if what.startswith("does.at_once"):
                return timing is not Timing.OWN_DEATH
            return what.startswith("does.reveals") and timing is not Timing.LOOP_END
        case model.Plot():  # a plot has no card to reveal
            return ".does.reveals" in what
    return False


def _label(item: Any, number: int) -> str:
    for name in ("id", "key", "role", "new"):
        found = getattr(item, name, None)
        if isinstance(found, str):
            return f"[{found}]" if name == "key" else found
    return f"{type(item).__name__} {number + 1}" if dataclasses.is_dataclass(item) else _show(item)


def _show(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple | frozenset):
        return ",".join(_show(item) for item in value) or "nothing"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [_show(getattr(value, field.name)) for field in dataclasses.fields(value)]
        return f"{type(value).__name__}({' '.join(parts)})"
    return str(value)


# Which changes make sense ---------------------------------------------------------------


def _nothing(value: Any) -> Iterator[Any]:
    if value is not None:
        yield None


def _other_refusals(value: Refusal) -> Iterator[Any]:
    yield from (refusal for refusal in Refusal if refusal is not value)


def _other_frequency(value: Per) -> Iterator[Any]:
    yield {Per.DAY: Per.LOOP}.get(value, Per.DAY)


def _any_role(value: RoleRule) -> Iterator[Any]:
    if value is not RoleRule.ANY:
        yield RoleRule.ANY


def _other_facts(value: int) -> Iterator[Any]:
    yield from (fact for fact in (NO, MAYBE, YES) if fact != value)


def _by_one(value: int | None) -> Iterator[Any]:
    if value is not None:
        yield from (new for new in (value - 1, value + 1) if new >= 0)
        yield None


def _other_start(value: tuple[str, ...]) -> Iterator[Any]:
    if len(value) > 1:
        yield value[1:]
    else:
        yield (LOCATIONS[(LOCATIONS.index(value[0]) + 1) % len(LOCATIONS)],)


def _leave_alone(value: Any) -> Iterator[Any]:
    yield from ()


_LEFT_ALONE: Final = frozenset(
    {"id", "name", "kind", "rulings", "timing", "token", "tokens", "key", "what", "old", "new"}
)
"""Names, and what says which thing is meant; changed ids would name nothing."""

_OWN: Final[Mapping[tuple[type | None, str], Callable[[Any], Iterator[Any]]]] = {
    (model.Role, "limit"): _by_one,
    (model.Role, "unkillable"): _nothing,
    (model.Role, "refusal"): _other_refusals,
    (model.Ability, "per"): _other_frequency,
    (model.Ability, "death_of"): _leave_alone,
    (model.Quota, "trait"): _nothing,
    (model.Target, "other"): _other_facts,
    (model.Target, "trait"): _nothing,
    (model.Target, "has"): _nothing,
    (model.Target, "character"): _nothing,
    (model.Target, "where"): _leave_alone,
    (model.KillOne, "culprit_may_die"): _other_facts,
    (model.KillOne, "token"): _nothing,
    (model.Incident, "counts"): _leave_alone,
    (model.Incident, "limit_change"): lambda value: iter((value - 1, value + 1)),
    (model.Character, "starts"): _other_start,
    (model.Character, "start_intrigue"): _nothing,
    (model.Character, "role_rule"): _any_role,
    (model.Character, "entry"): _leave_alone,
    (None, "place"): _leave_alone,
    (None, "incident"): _leave_alone,
    (None, "role"): _leave_alone,
}
"""Changes of fields whose type does not tell what would make sense."""

_CONDITIONS: Final = frozenset({"when", "refusal_when", "unkillable", "condition"})
_MAY_BE_EMPTY: Final = frozenset({"abilities", "gains", "shifts", "roles", "parts", "goodwill"})
_LEAST: Final[Mapping[str, int]] = {"least": 0, "n": -9, "others": 0}
_TURNED_ON: Final = frozenset(
    {
        (model.Ability, "mandatory"),
        (model.Lose, "at_once"),
        (model.Lose, "reveals"),
        (model.Role, "must_be_culprit"),
        (model.Role, "never_culprit"),
        (model.Incident, "repeatable_culprit"),
        (model.GoodwillAbility, "once_per_loop"),
        (model.GoodwillAbility, "refusable"),
        (model.KillOne, "at_culprit"),
        (model.RoleShift, "corpses"),
        (conditions.SomeHolder, "gained"),
    }
)
"""Flags that are turned on where they are off; others are only turned off."""
