"""The forms for Goodwill abilities, made from the abilities that are printed on the cards.

After an ability was resolved the form for what it usually shows is offered, filled in from the
printed text: the table looks whether that is what was seen, and corrects it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assistant.web.fields import Choose, Field, Fixed, Option, options_of
from assistant.web.form import COMMON, Form, Scene
from assistant.web.names import card_name, signed
from engine.records import Use
from engine.rules import model
from engine.rules.model import GoodwillAbility
from engine.words import GUARD, LOCATIONS, PROTAGONIST_HAND

_PREFIX: Final = "use."
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
    fields: list[Field] = [
        Fixed("who", "Who", means=who),
        Fixed("ability", "Ability", means=int(key) if key.isdigit() else key),
        *_target(scene, who, ability),
    ]
    if isinstance(ability.does, model.ChangeTokens) and len(ability.does.amounts) > 1:
        signs = [1 if amount > 0 else -1 for amount in ability.does.amounts]
        options = [Option(str(sign), signed(sign), sign) for sign in signs]
        missing = "Choose what the Leader asked for."
        fields.append(Choose("choice", "More or less?", "", missing, options, large=True))
    fields.append(Choose("outcome", "What happened?", "", said, _OUTCOMES, large=True))
    return Form(name, "use", scene.names.ability(who, key), tuple(fields), COMMON)


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
    return form, {name: [str(value)] for name, value in values.items() if value is not None}


def _filled(
    use: Use, ability: GoodwillAbility, scene: Scene
) -> tuple[str, Mapping[str, object]] | None:
    target = use.target if isinstance(use.target, str) else None
    match ability.does:
        case model.ChangeTokens(token, amounts):
            n = next((a for a in amounts if use.choice is None or a * use.choice > 0), amounts[0])  # type: ignore[operator]
            return "token", {"on": target, "token": token, "n": n}
        case model.ConvertToken(_, new):
            return "token", {"on": target, "token": new, "n": 1}
        case model.PlaceGuard():
            return "token", {"on": target, "token": GUARD, "n": 1}
        case model.RevealRole():
            return "reveal_role", {"role_of": target or use.who}
        case model.RevealCulprit():
            day = getattr(use.target, "day", None)
            return "reveal_culprit", {"culprit_of": day}
        case model.RevealSubplot():
            return "reveal_subplot", {"asked": target}
        case model.RevealSameRole():
            return "reveal_same", {"same_role_as": use.who}
        case model.TakeBackCard():
            card = getattr(use.target, "card", None)
            return "card_back", {"deck": scene.board.leader, "card": card}
        case model.KillTarget():
            return "death", {"who": target}
        case model.ReviveTarget():
            return "revived", {"who": target}
        case model.MoveTokenBetween():
            return "shifted", {}
        case model.MoveTarget():
            return "moved", {"who": target}
        case model.StepUser():
            return "moved", {"who": use.who}
        case model.LeaveBoard():
            return "removed", {"who": use.who}
        case _:
            return None


def _ability(scene: Scene, who: object, key: str) -> GoodwillAbility | None:
    character = scene.names.rules.characters.get(str(who))
    abilities = character.goodwill if character is not None else ()
    return next((ability for ability in abilities if ability.key == key), None)


def _target(scene: Scene, who: str, ability: GoodwillAbility) -> list[Field]:
    """Return the field for what an ability aims at, by the kind of its printed target."""
    target = ability.target
    aimed = "Choose what it was aimed at."
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
