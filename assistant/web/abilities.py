"""The forms for Goodwill abilities, made from the abilities that are printed on the cards.

After an ability was resolved the form for what it usually shows is offered, filled in from the
printed text: the table looks whether that is what was seen, and corrects it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from assistant.web.fields import Choose, Field, Fixed, Option, options_of
from assistant.web.form import COMMON, Form, Scene
from assistant.web.names import card_name, signed
from engine.records import TargetSpec, Use
from engine.rules import model
from engine.rules.model import GoodwillAbility
from engine.words import GUARD, LOCATIONS, PROTAGONIST_HAND, TOKENS

_PREFIX: Final = "use."
_PART: Final = "target-"
_OUTCOMES: Final = [
    Option("resolved", "It happened", "resolved"),
    Option("refused", "Refused", "refused", hint="The Mastermind said that it was refused."),
    Option("nothing", "“Nothing happens”", "nothing", hint="No more was said than that."),
]


@dataclass(frozen=True, slots=True)
class Offer:
    """An ability that the Leader might declare.

    Attributes:
        form: id of its form.
        title: its card and number.
        about: what it does, in a few words.
        ready: the card is known to carry enough Goodwill now.
    """

    form: str
    title: str
    about: str
    ready: bool


def ability_form_id(who: object, key: object) -> str:
    """Return the id of the form for an ability of a card."""
    return f"{_PREFIX}{who}.{key}"


def ability_form(name: str, scene: Scene) -> Form | None:
    """Return the form for the ability with that form id, ``None`` if it is none of this game."""
    who, _, key = name.removeprefix(_PREFIX).partition(".")
    ability = _ability(scene, who, key)
    if not name.startswith(_PREFIX) or ability is None:
        return None
    said = "Choose what was said: it cannot be found out later."
    fields = (
        Fixed("who", "Who", means=who),
        Fixed("ability", "Ability", means=int(key) if key.isdigit() else key),
        *_target(scene, who, ability),
        *_choice(scene, ability),
        Choose("outcome", "What happened?", "", said, _OUTCOMES, large=True),
    )
    title = scene.names.ability(who, key)
    return Form(name, "use", title, fields, COMMON, _joined, _apart)


def _joined(values: dict[str, Any]) -> dict[str, Any]:
    """Put a target that has several parts together."""
    parts = {name.removeprefix(_PART): v for name, v in values.items() if name.startswith(_PART)}
    rest = {name: value for name, value in values.items() if not name.startswith(_PART)}
    return {**rest, "target": parts} if parts else rest


def _apart(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Take a target that has several parts apart."""
    target = fields.get("target")
    if not isinstance(target, Mapping) or "to" not in target:
        return dict(fields)
    rest = {name: value for name, value in fields.items() if name != "target"}
    return rest | {f"{_PART}{name}": value for name, value in target.items()}


def offers(scene: Scene) -> list[Offer]:
    """Return the abilities of all characters, those with enough Goodwill first."""
    found = []
    for who in scene.words.characters:
        character = scene.names.rules.characters.get(who)
        for ability in character.goodwill if character is not None else ():
            count = scene.board.goodwill(who)
            found.append(
                Offer(
                    ability_form_id(who, ability.key),
                    scene.names.ability(who, ability.key),
                    about(scene, ability),
                    count is not None and count >= ability.goodwill,
                )
            )
    return sorted(found, key=lambda offer: not offer.ready)


def about(scene: Scene, ability: GoodwillAbility) -> str:
    """Return what an ability does, in a few words."""
    names = scene.names
    match ability.does:
        case model.ChangeTokens(token, amounts):
            return f"{' or '.join(map(signed, amounts))} {names.of(token)}"
        case model.ConvertToken(old, new):
            return f"{names.of(old)} becomes {names.of(new)}"
        case model.LastingEffect(kind):
            return names.of(kind)
        case deed:
            # The name of the deed says it: "RevealRole" reads "Reveal role".
            words = "".join(f" {c.lower()}" if c.isupper() else c for c in type(deed).__name__)
            return words.strip().capitalize()


def effect_of(use: Use, scene: Scene) -> tuple[str, dict[str, list[str]]] | None:
    """Return the form for what a resolved use usually shows, filled in; ``None`` for nothing."""
    ability = _ability(scene, use.who, use.key)
    if ability is None or use.outcome != "resolved":
        return None
    filled = _filled(use, ability, scene)
    if filled is None:
        return None
    form, values = filled
    known = {name: value for name, value in values.items() if isinstance(value, str | int)}
    return form, {name: [str(value)] for name, value in known.items()}


def _filled(
    use: Use, ability: GoodwillAbility, scene: Scene
) -> tuple[str, Mapping[str, object]] | None:
    target = use.target if isinstance(use.target, str) else None
    parts = use.target if isinstance(use.target, TargetSpec) else TargetSpec()
    match ability.does:
        case model.ChangeTokens(token, amounts):
            choice = use.choice if isinstance(use.choice, int) else amounts[0]
            n = next((amount for amount in amounts if amount * choice > 0), amounts[0])
            return "token", {"on": target, "token": token, "n": n}
        case model.ConvertToken(_, new):
            return "token", {"on": target, "token": new, "n": 1}
        case model.PlaceGuard():
            return "token", {"on": target, "token": GUARD, "n": 1}
        case model.RevealRole():
            return "reveal_role", {"role_of": target or use.who}
        case model.RevealCulprit():
            return "reveal_culprit", {"culprit_of": parts.day}
        case model.RevealSubplot():
            return "reveal_subplot", {"asked": target}
        case model.RevealSameRole():
            return "reveal_same", {"same_role_as": use.who}
        case model.TakeBackCard():
            return "card_back", {"deck": scene.board.leader, "card": parts.card}
        case model.KillTarget():
            return "death", {"who": target}
        case model.ReviveTarget():
            return "revived", {"who": target}
        case model.MoveTokenBetween():
            return "shifted", {"token": parts.token, "from": parts.source, "to": parts.to}
        case model.MoveTarget():
            return "moved", {"who": parts.character, "to": parts.to}
        case model.StepUser():
            return "moved", {"who": use.who, "to": use.choice or parts.to}
        case model.LeaveBoard():
            return "removed", {"who": use.who}
        case _:
            return None


def _ability(scene: Scene, who: object, key: str) -> GoodwillAbility | None:
    character = scene.names.rules.characters.get(str(who))
    abilities = character.goodwill if character is not None else ()
    return next((ability for ability in abilities if ability.key == key), None)


def _choice(scene: Scene, ability: GoodwillAbility) -> list[Field]:
    """Return the field for what the Leader chooses, where the ability leaves a choice."""
    match ability.does:
        case model.StepUser():
            place = "Choose where it was to go."
            return [Choose("choice", "To", missing=place, options=scene.places())]
        case model.ChangeTokens(_, amounts) if len(amounts) > 1:
            signs = [1 if amount > 0 else -1 for amount in amounts]
        case model.ClearUser() if scene.names.rules.uses_gauge:
            signs = [1, -1]
        case _:
            return []
    options = [Option(str(sign), signed(sign), sign) for sign in signs]
    missing = "Choose what the Leader asked for."
    return [Choose("choice", "More or less?", "", missing, options, large=True)]


def _target(scene: Scene, who: str, ability: GoodwillAbility) -> list[Field]:
    """Return the fields for what an ability aims at, by the kind of its printed target."""
    target = ability.target
    aimed = "Choose what it was aimed at."
    to = scene.location(f"{_PART}to", "To", "Choose the place.")
    match ability.does:
        case model.MoveTarget():
            return [scene.character(f"{_PART}character", "Target", aimed), to]
        case model.MoveTokenBetween():
            tokens = options_of(TOKENS, scene.names.of)
            return [
                scene.character(f"{_PART}from", "From", "Choose where it lay."),
                scene.character(f"{_PART}to", "To", "Choose where it went."),
                Choose(f"{_PART}token", "Token", missing="Choose the token.", options=tokens),
            ]
        case _:
            pass
    match target.kind:
        case "none":
            return []
        case "self":
            return [Fixed("target", "Target", means=who)]
        case "location" if target.where in LOCATIONS:
            return [Fixed("target", "Target", means=target.where)]
        case "location":
            return [scene.location("target", "Target", aimed)]
        case "character" if target.character is not None:
            return [Fixed("target", "Target", means=target.character)]
        case "character_or_location":
            return [scene.spot("target", "Target", aimed)]
        case "corpse" if scene.names.rules.victims:
            return [scene.spot("target", "Target", aimed)]
        case "incident":
            return [_listed("Incident", aimed, _days(scene))]
        case "subplot":
            plots = scene.names.rules.subplots()
            return [_listed("Subplot", aimed, options_of([p.id for p in plots], scene.names.of))]
        case "card":
            cards = [Option(f, card_name(f), {"card": f}) for f in PROTAGONIST_HAND]
            return [_listed("Card", aimed, cards)]
        case _:
            return [scene.character("target", "Target", aimed)]


def _listed(label: str, missing: str, options: list[Option]) -> Choose:
    return Choose("target", label, missing=missing, options=options)


def _days(scene: Scene) -> list[Option]:
    days = sorted({item.day for item in scene.words.sheet.incidents})
    return [
        Option(str(day), f"Day {day}: {scene.names.scheduled(day)}", {"day": day}) for day in days
    ]
