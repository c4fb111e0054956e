"""The forms of the record kinds: what can be entered about each thing seen at the table.

What may be chosen comes from the open sheet and the rule text of its set, never from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from assistant.transcript.vocabulary import FACES
from assistant.web.fields import (
    Check,
    Choose,
    Field,
    Number,
    Option,
    Player,
    Several,
    Who,
    options_of,
)
from assistant.web.form import COMMON, Form, Scene
from assistant.web.names import DECK_ORDER, card_name, deck_name, signed
from engine.words import ALL_TOKENS, LOCATIONS, LOOP_END, PROTAGONIST_HAND, TOKENS, WON

_AMOUNTS: Final = [Option(str(n), signed(n), n) for n in (*range(1, 7), *range(-1, -7, -1))]
_DELTAS: Final = [Option(str(n), signed(n), n) for n in range(-4, 5)]
_DECKS: Final = [Option(deck, deck_name(deck), deck) for deck in DECK_ORDER]
_LOOP_WORDS: Final = [
    Option("lost", "“You have lost”", "lost", hint="The word was lost, not dead."),
    Option("dead", "“You are dead”", "dead", hint="The word was dead: the Protagonists died."),
    Option("none", "No word", "none", hint="The loop is over and nothing was said about why."),
]
_WON: Final = Option(WON, "We won", WON, hint="The last day was played out without a loss.")
_MISSING_WHO: Final = "Choose who it was."
_MISSING_PLACE: Final = "Choose the place."


def _faces(hand: Iterable[str]) -> list[Option]:
    return [Option(face, card_name(face), face) for face in hand]


def _card(scene: Scene) -> tuple[Field, ...]:
    faces = [*_faces(FACES), Option("unknown", "face not noted", None)]
    return (
        Choose("by", "Whose card", missing="Choose whose card it is.", options=_DECKS),
        Choose("card", "Card", missing="Choose the card.", options=faces),
        scene.spot("on", "On", "Choose where it lay."),
    )


def _card_result(scene: Scene) -> tuple[Field, ...]:
    shown = [Choose(token, scene.names.of(token), options=_DELTAS) for token in TOKENS]
    hint = "Leave a field empty where it went as printed."
    return (
        scene.spot("on", "On", "Choose where the cards lay.", hint),
        *shown,
        scene.location("to", "Now at"),
    )


def _token(scene: Scene) -> tuple[Field, ...]:
    tokens = options_of(ALL_TOKENS, scene.names.of)
    return (
        scene.spot("on", "On", "Choose where the token lies."),
        Choose("token", "Token", missing="Choose the token.", options=tokens, large=True),
        Choose("n", "How many", missing="Choose how many.", options=_AMOUNTS),
    )


def _shifted(scene: Scene) -> tuple[Field, ...]:
    tokens = options_of(ALL_TOKENS, scene.names.of)
    return (
        Choose("token", "Token", missing="Choose the token.", options=tokens, large=True),
        scene.spot("from", "From", "Choose where it lay."),
        scene.spot("to", "To", "Choose where it went."),
    )


def _reveal_role(scene: Scene) -> tuple[Field, ...]:
    """Ask whose role was told; where Intrigue counts as corpses, of a location too."""
    ask = scene.spot if scene.names.rules.victims else scene.character
    return ask("role_of", "Who", _MISSING_WHO), scene.role()


def _reveal_culprit(scene: Scene) -> tuple[Field, ...]:
    sheet = scene.words.sheet
    days = sorted({item.day for item in sheet.incidents})
    options = [Option(str(day), f"Day {day}: {scene.names.scheduled(day)}", day) for day in days]
    return (
        Choose("culprit_of", "Incident", missing="Choose the incident.", options=options),
        scene.spot("culprit", "Culprit", "Choose the culprit that was named."),
    )


def _subplot(scene: Scene, name: str, label: str, missing: str = "") -> Choose:
    plots = [Option(plot.id, plot.name, plot.id) for plot in scene.names.rules.subplots()]
    return Choose(name, label, missing=missing, options=plots)


def _loop_over(scene: Scene) -> tuple[Field, ...]:
    last = scene.at[2] == LOOP_END
    words = [*([_WON] if last else []), *_LOOP_WORDS]
    said = "Choose what was said: it cannot be found out later."
    word = Choose("word", "What did the Mastermind say?", "", said, words, large=True)
    if last:
        return (word,)
    hint = "Tick this only if all deaths of this step were announced although the loop ended."
    return word, Check("deaths_closed", "All deaths of this step are noted", hint)


def _guess(scene: Scene) -> tuple[Field, ...]:
    answers = [Option("right", "Right", True), Option("wrong", "Wrong", False)]
    return (
        scene.character("who", "Who", _MISSING_WHO),
        scene.role(),
        Choose("right", "Answer", missing="Choose the answer.", options=answers, large=True),
    )


def _spell(scene: Scene) -> tuple[Field, ...]:
    options = [*scene.people(), Option("declined", "nobody: it was declined", None)]
    return (Who("on", "On", missing="Choose on whom, or that it was declined.", options=options),)


_COUNTED: Final = ("goodwill", "unease", "intrigue", "guard")


def _count(scene: Scene) -> tuple[Field, ...]:
    where = [*scene.places(), Option("off_board", "not on the board", "off_board")]
    lives = [Option("yes", "Alive", True), Option("no", "Dead", False)]
    on = [*scene.people(), *scene.places()]
    hint = "Fill in only what was counted; the rest stays as it is."
    return (
        Choose("on", "What was counted", hint, "Choose what was counted.", on),
        *(Number(token, scene.names.of(token)) for token in _COUNTED),
        Choose("stands", "Stands at", options=where),
        Choose("alive", "Alive?", options=lives),
    )


def _count_board(values: dict[str, Any]) -> dict[str, Any]:
    common = {name: values[name] for name in values if name in {field.name for field in COMMON}}
    counted: dict[str, Any] = {}
    counted |= {name: values[name] for name in ("alive", *_COUNTED) if name in values}
    if "stands" in values:
        counted["at"] = values["stands"]
    on = values["on"]
    section = "locations" if on in LOCATIONS else "characters"
    return {"board": {section: {on: counted}}, **common}


def _count_values(fields: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in fields.items() if name != "board"}
    match fields.get("board"):
        case {"characters": {**some}} | {"locations": {**some}} if len(some) == 1:
            ((on, counted),) = some.items()
            values = dict(counted) if isinstance(counted, dict) else {}
            stands = {"stands": values.pop("at")} if "at" in values else {}
            return {"on": on, **stands, **values, **rest}
        case _:
            return dict(fields)


@dataclass(frozen=True, slots=True)
class Entry:
    """One form of the table.

    Attributes:
        kind: of its records.
        title: what it says happened.
        fields: makes its fields for a step.
    """

    kind: str
    title: str
    fields: Callable[[Scene], tuple[Field, ...]]


def _who(missing: str = _MISSING_WHO) -> Callable[[Scene], tuple[Field, ...]]:
    return lambda scene: (scene.character("who", "Who", missing),)


def _who_where(name: str, label: str) -> Callable[[Scene], tuple[Field, ...]]:
    return lambda scene: (
        scene.character("who", "Who", _MISSING_WHO),
        scene.location(name, label, _MISSING_PLACE),
    )


FORMS: Final[Mapping[str, Entry]] = {
    "placed": Entry("placed", "A start place was chosen", _who_where("where", "Starts at")),
    "enters": Entry("enters", "A character enters", _who_where("where", "At")),
    "leader": Entry(
        "leader",
        "Who leads",
        lambda scene: (
            Choose(
                "deck",
                "Leader",
                missing="Choose who leads.",
                options=_DECKS[1:],
                large=True,
            ),
        ),
    ),
    "card": Entry("card", "One card", _card),
    "card_result": Entry("card_result", "Cards showed something else", _card_result),
    "token": Entry("token", "Token placed or removed", _token),
    "moved": Entry("moved", "Somebody moved", _who_where("to", "To")),
    "shifted": Entry("shifted", "A token went elsewhere", _shifted),
    "death": Entry("death", "Somebody died", _who()),
    "guard_lost": Entry("guard_lost", "A guard marker went", _who()),
    "revived": Entry(
        "revived",
        "Somebody came back to life",
        lambda scene: (scene.spot("who", "Who", _MISSING_WHO),),
    ),
    "removed": Entry("removed", "Somebody left the board", _who()),
    "reveal_role": Entry(
        "reveal",
        "A role was revealed",
        _reveal_role,
    ),
    "reveal_culprit": Entry("reveal", "A culprit was revealed", _reveal_culprit),
    "reveal_subplot": Entry(
        "reveal",
        "A subplot was told",
        lambda scene: (
            _subplot(scene, "subplot", "Subplot told", "Choose the subplot that was told."),
            _subplot(scene, "asked", "Asked about"),
        ),
    ),
    "reveal_same": Entry(
        "reveal",
        "Who has the same role",
        lambda scene: (
            scene.character("same_role_as", "Same role as", _MISSING_WHO),
            Several("characters", "These were named", options=scene.people()),
        ),
    ),
    "card_back": Entry(
        "card_back",
        "A card came back",
        lambda scene: (
            Choose("deck", "Whose", missing="Choose whose card.", options=_DECKS[1:]),
            Choose("card", "Card", missing="Choose the card.", options=_faces(PROTAGONIST_HAND)),
        ),
    ),
    "incident": Entry(
        "incident",
        "The incident",
        lambda scene: (
            Choose(
                "occurs",
                "What was said?",
                missing="Choose what was said.",
                options=[
                    Option("yes", "It happens", True),
                    Option("no", "It does not happen", False),
                ],
                large=True,
            ),
        ),
    ),
    "no_effect": Entry("no_effect", "It had no effect", lambda scene: ()),
    "leader_chooses": Entry("leader_chooses", "The Leader chose somebody", _who()),
    "location_named": Entry(
        "location_named",
        "It named a location",
        lambda scene: (scene.location("location", "Location", _MISSING_PLACE),),
    ),
    "loop_over": Entry("loop_over", "The loop ended here", _loop_over),
    "guess": Entry("guess", "A guess", _guess),
    "gauge": Entry(
        "gauge",
        "The Extra Gauge",
        lambda scene: (Number("value", "Stands at", missing="Write where it stands."),),
    ),
    "curse": Entry(
        "curse",
        "A curse card",
        lambda scene: (
            scene.spot("on", "Lies on", "Choose where it lies."),
            scene.spot("from", "Came from"),
        ),
    ),
    "extra_card": Entry(
        "extra_card",
        "An Extra card",
        lambda scene: (
            scene.character("on", "On", _MISSING_WHO),
            Check("off", "It was taken off"),
        ),
    ),
    "spell": Entry("spell", "The Leader’s spell", _spell),
    "count": Entry("recount", "The table was counted", _count),
    "complete": Entry("complete", "Nothing else happened", lambda scene: ()),
    "partial": Entry("partial", "Something may be missing", lambda scene: ()),
}
"""All forms but those of abilities, by name."""


def record_form(name: str, scene: Scene) -> Form:
    """Return a form of the table for a step.

    Raises:
        KeyError: When there is none of that name.
    """
    entry = FORMS[name]
    fields = entry.fields(scene)
    if name == "count":
        return Form(name, entry.kind, entry.title, fields, COMMON, _count_board, _count_values)
    more: tuple[Field, ...] = COMMON
    if name == "token":
        more = (Choose("by", "Public cause", options=scene.people()), *COMMON)
    if name == "card":
        more = (Player("human", "Player", "Only where players share decks."), *COMMON)
    return Form(name, entry.kind, entry.title, fields, more)
