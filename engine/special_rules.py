"""Special rules of scripts: which kinds are understood, and what each changes.

A special rule stands on the open sheet as an object with a ``kind``. A kind that the engine
does not play is refused by name, never guessed (P-09); the functions below pass over it, so
call ``refusals`` first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeVar

import msgspec

from engine.rules.model import Character, Rulebook
from engine.words import LOCATIONS, MASTERMIND_HAND

Rules = Iterable[Mapping[str, object]]
"""Special rules as they stand on a sheet or in a script."""


class SpecialRule(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    """What every special rule may carry beside its own fields.

    Attributes:
        text: the rule for people.
        public: it stands on the open sheet; a secret rule cannot be reasoned about.
        from_source, doubt: where a published script's rule was found, and whether surely.
    """

    text: str = ""
    public: bool = True
    from_source: str = ""
    doubt: bool = False


class FinalGuess(SpecialRule, frozen=True, tag="final_guess"):
    """There is a Final Guess, or there is none, whatever the set says (F-03)."""

    value: bool


class MastermindCardsRemoved(SpecialRule, frozen=True, tag="mastermind_cards_removed"):
    """The Mastermind plays without these cards, all copies of them (C-13)."""

    cards: tuple[str, ...]


class StartFixed(SpecialRule, frozen=True, tag="start_fixed"):
    """A character starts every loop at this location (K-Henchman)."""

    character: str
    location: str


class StartRestriction(SpecialRule, frozen=True, tag="start_restriction"):
    """A character may not start where it started in the loop before (K-Henchman)."""

    character: str


class TableTalk(SpecialRule, frozen=True, tag="table_talk"):
    """Whether the Protagonists may talk; without it the game has ``loops_if_off`` more loops.

    Nothing that lies on the board depends on it.
    """

    value: bool | Literal["optional"]
    loops_if_off: int = 0


class TraitOverride(SpecialRule, frozen=True, tag="trait_override"):
    """A character counts with other traits than those printed (HS-20)."""

    character: str
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


Understood = (
    FinalGuess | MastermindCardsRemoved | StartFixed | StartRestriction | TableTalk | TraitOverride
)

UNDERSTOOD: Final[frozenset[str]] = frozenset(
    {
        "final_guess",
        "mastermind_cards_removed",
        "start_fixed",
        "start_restriction",
        "table_talk",
        "trait_override",
    }
)
"""The kinds that ``parse`` reads."""

MODELLED_SPECIAL_RULES: Final[frozenset[str]] = UNDERSTOOD - {"trait_override"}
"""The kinds that the engine plays; scripts with others are refused.

Changed traits bind the making of a script (``traits_of``), but play looks at printed ones.
"""

_One = TypeVar("_One", bound=Understood)


def parse(rule: Mapping[str, object]) -> Understood:
    """Return a special rule as a typed value.

    Raises:
        ValueError: when its kind is not understood or its fields are not those of its kind.
    """
    kind = rule.get("kind")
    if not isinstance(kind, str) or kind not in UNDERSTOOD:
        raise ValueError(f"the special rule {_title(rule)} is not modelled")
    try:
        read: Understood = msgspec.convert(dict(rule), Understood)
    except msgspec.ValidationError as error:
        raise ValueError(f"the special rule {_title(rule)} cannot be read: {error}") from None
    match read:
        case MastermindCardsRemoved(cards=cards):
            wrong = [card for card in cards if card not in MASTERMIND_HAND]
            if wrong or not cards:
                raise ValueError(
                    f"the special rule {kind} names {', '.join(wrong) or 'no card'}; "
                    f"the Mastermind's cards are {', '.join(MASTERMIND_HAND)}"
                )
        case StartFixed(location=place) if place not in LOCATIONS:
            raise ValueError(
                f"the special rule {kind} names the location {place}; "
                f"locations are {', '.join(LOCATIONS)}"
            )
        case TableTalk(loops_if_off=more) if more < 0:
            raise ValueError(f"the special rule {kind} takes loops away: {more}")
        case _:
            pass
    return read


def is_readable(rule: Mapping[str, object]) -> bool:
    """Return whether ``parse`` accepts the rule."""
    try:
        parse(rule)
    except ValueError:
        return False
    return True


def refusals(rules: Rules) -> list[str]:
    """Return, for each rule that cannot be played, a clause that names it and its text."""
    found = []
    for rule in rules:
        try:
            read = parse(rule)
        except ValueError as error:
            found.append(str(error))
            continue
        if rule["kind"] not in MODELLED_SPECIAL_RULES:
            found.append(f"the special rule {_title(rule)} is not modelled")
        elif not read.public:
            found.append(f"the special rule {_title(rule)} is secret, which is not modelled")
    return found


def _title(rule: Mapping[str, object]) -> str:
    kind = rule.get("kind") or "without a kind"
    text = rule.get("text")
    return f"{kind} ({text})" if text else str(kind)


def _of_kind(rules: Rules, kind: type[_One]) -> list[_One]:
    """Return the rules of one kind, typed; kinds that are not understood are passed over."""
    return [
        read
        for rule in rules
        if str(rule.get("kind")) in UNDERSTOOD and isinstance(read := parse(rule), kind)
    ]


# What the rules change ------------------------------------------------------------------


def hand_of_mastermind(special_rules: Rules) -> dict[str, int]:
    """Return the Mastermind's hand at the start of a loop: card to number (C-13).

    Raises:
        ValueError: when a rule of a known kind cannot be read (so do all functions below).
    """
    gone = {card for rule in _of_kind(special_rules, MastermindCardsRemoved) for card in rule.cards}
    return {card: number for card, number in MASTERMIND_HAND.items() if card not in gone}


def fixed_starts(special_rules: Rules) -> dict[str, str]:
    """Return the characters whose start is fixed for every loop, with the location."""
    return {rule.character: rule.location for rule in _of_kind(special_rules, StartFixed)}


def start_choices(
    character: Character, special_rules: Rules, previous: str | None = None
) -> tuple[str, ...]:
    """Return where a character may start a loop; several mean that the Mastermind chooses.

    Args:
        character: the card.
        special_rules: those of the sheet.
        previous: where it started in the loop before; ``None`` in the first loop, or when
            that is unknown.
    """
    rules = tuple(special_rules)
    fixed = fixed_starts(rules).get(character.id)
    if fixed is not None:
        return (fixed,)
    barred = any(rule.character == character.id for rule in _of_kind(rules, StartRestriction))
    if not barred:
        return character.starts
    return tuple(place for place in character.starts if place != previous) or character.starts


def has_final_guess(rulebook: Rulebook, special_rules: Rules) -> bool:
    """Return whether a Final Guess follows the last loop (F-03)."""
    said = _of_kind(special_rules, FinalGuess)
    return said[-1].value if said else rulebook.final_guess


def loop_numbers(loops: Iterable[int], special_rules: Rules) -> tuple[int, ...]:
    """Return the numbers of loops that a sheet may show, in order.

    Args:
        loops: the numbers that the script names.
        special_rules: those of the script; playing without table talk may add loops.
    """
    more = {rule.loops_if_off for rule in _of_kind(special_rules, TableTalk)} | {0}
    return tuple(sorted({number + extra for number in loops for extra in more}))


def traits_of(character: Character, special_rules: Rules) -> frozenset[str]:
    """Return the traits with which a character counts when a script is made (HS-20)."""
    traits = character.traits
    for rule in _of_kind(special_rules, TraitOverride):
        if rule.character == character.id:
            traits = (traits | set(rule.add)) - set(rule.remove)
    return traits
