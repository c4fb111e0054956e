"""What things are called on the page, and what a record says in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from assistant.transcript.errors import TableError, choices
from assistant.transcript.jsonform import record_fields
from engine.records import At, Record
from engine.rules.model import Rulebook
from engine.script import Sheet
from engine.words import (
    CARDS,
    DECKS,
    FINAL_GUESS,
    LOOP_END,
    LOOP_START,
    MASTERMIND,
    MASTERMIND_HAND,
    MASTERMIND_STEP,
    PROTAGONIST_HAND,
    TIME_SPIRAL,
)

MINUS: Final = "\N{MINUS SIGN}"
STEP_NAMES: Final[Mapping[str, str]] = {
    LOOP_START: "Loop start",
    "day_start": "Day start",
    CARDS: "Cards",
    MASTERMIND_STEP: "Mastermind abilities",
    "goodwill": "Goodwill abilities",
    "incident": "Incident",
    "night": "Night",
    LOOP_END: "Loop end",
    TIME_SPIRAL: "Time Spiral",
    FINAL_GUESS: "Final Guess",
}
_WORDS: Final[Mapping[str, str]] = {
    "dead": "“You are dead”",
    "lost": "“You have lost”",
    "none": "the loop ended without a word about it",
    "won": "the Protagonists won",
}
_OUTCOMES: Final[Mapping[str, str]] = {
    "resolved": "it happened",
    "refused": "refused",
    "nothing": "“nothing happens”",
}
_TOKENS: Final = ("goodwill", "unease", "intrigue", "guard")

Fields = Mapping[str, Any]
"""A record in the fields of its JSON form."""


def moment(at: At) -> str:
    """Return loop, day and step in words."""
    loop, day, step = at
    if step == FINAL_GUESS:
        return STEP_NAMES[step]
    if step in (LOOP_START, LOOP_END, TIME_SPIRAL):
        return f"Loop {loop}, {STEP_NAMES[step].lower()}"
    return f"Loop {loop}, day {day}, {STEP_NAMES[step]}"


def signed(number: int) -> str:
    """Return a number with its sign, as it is printed on the cards."""
    return f"+{number}" if number >= 0 else f"{MINUS}{-number}"


def card_name(face: str) -> str:
    """Return the printed name of an action card."""
    spaced = face.replace("_plus_", " +").replace("_minus_", f" {MINUS}")
    return spaced.replace("_", " ").title()


def deck_name(deck: str) -> str:
    """Return whose deck it is."""
    return "Mastermind" if deck == MASTERMIND else f"Protagonist {deck.upper()}"


class Names:
    """The names of everything that a game can speak of.

    Attributes:
        rules: the tragedy set.
        cast: the cast in the order of the open sheet.
        incidents: its schedule.
    """

    def __init__(self, rules: Rulebook, sheet: Sheet | None = None) -> None:
        self.rules: Final = rules
        self.cast: Final = () if sheet is None else sheet.cast
        self.incidents: Final = () if sheet is None else sheet.incidents
        named: dict[str, str] = {}
        for group in (rules.plots, rules.roles, rules.incidents, rules.characters):
            named |= {name: item.name for name, item in group.items()}
        named |= {face: card_name(face) for face in (*MASTERMIND_HAND, *PROTAGONIST_HAND)}
        self._named: Final = named
        words = "|".join(re.escape(name) for name in sorted(named, key=len, reverse=True))
        self._ids: Final = re.compile(rf"(?<![\w-])'?({words})'?(?![\w-])")

    def of(self, word: object) -> str:
        """Return the name of an id, or the word in plain letters."""
        name = str(word)
        return self._named.get(name) or name.replace("_", " ").capitalize()

    def who(self, value: Any) -> str:
        """Return the name of a character or place, or what is known of it."""
        if not isinstance(value, Mapping):
            return self.of(value)
        if "one_of" in value:
            return choices(self.of(one) for one in value["one_of"])
        return f"somebody at {self.of(value.get('somebody_at'))}"

    def in_order(self, people: Iterable[str]) -> list[str]:
        """Return characters once each, in the order of the cast, others behind it."""
        several = dict.fromkeys(people)
        cast = [who for who in self.cast if who in several]
        return cast + [who for who in several if who not in self.cast]

    def scheduled(self, day: int) -> str:
        """Return the incidents of a day."""
        return " and ".join(self.of(item.incident) for item in self.incidents if item.day == day)

    def ability(self, who: str, key: object) -> str:
        """Return an ability as it is written on its card: its number in brackets."""
        return f"{self.of(who)} [{key}]"

    def target(self, target: Any) -> str:
        """Return what a use aimed at, empty for nothing."""
        match target:
            case None:
                return ""
            case {"character": who, "to": place}:
                return f"{self.who(who)}, to {self.who(place)}"
            case {"from": source, "to": goal, "token": token}:
                return f"{self.of(token)} from {self.who(source)} to {self.who(goal)}"
            case {"day": day}:
                return f"{self.scheduled(day)} of day {day}"
            case {"card": face}:
                return card_name(face)
            case _:
                return self.who(target)

    def prose(self, text: str) -> str:
        """Return a text with names where it has ids."""
        return self._ids.sub(lambda match: self._named[match[1]], text)

    def complaint(self, error: TableError) -> str:
        """Return what is wrong, what was expected and how to put it right."""
        text = error.found
        if error.expected:
            text += f"; expected {error.expected}"
        # Some remedies are written as clauses.
        remedy = f" {error.remedy[:1].upper()}{error.remedy[1:]}" if error.remedy else ""
        text = f"{text}.{remedy}"
        if remedy and not remedy.endswith((".", "?")):
            text += "."
        rule = f" [{error.rule}]" if error.rule else ""
        text = self.prose(text) + rule
        return text[:1].upper() + text[1:]

    def record(self, record: Record) -> str:
        """Return what a record says, in one sentence."""
        return self.fields(record_fields(record))

    def fields(self, fields: Fields) -> str:
        """Return what the fields of a record say, in one sentence."""
        text = _SENTENCES[fields["kind"]](self, fields)
        return text[:1].upper() + text[1:]


def _token(names: Names, f: Fields) -> str:
    cause = f" (by {names.of(f['by'])})" if "by" in f else ""
    return f"{names.who(f['on'])}: {signed(f['n'])} {names.of(f['token'])}{cause}"


def _card(names: Names, f: Fields) -> str:
    face = "a card of unknown face" if f["card"] is None else card_name(f["card"])
    human = f" (player {f['human']})" if "human" in f else ""
    return f"{deck_name(f['by'])}{human}: {face} on {names.who(f['on'])}"


def _card_result(names: Names, f: Fields) -> str:
    parts = [f"{signed(f[token])} {names.of(token)}" for token in _TOKENS if token in f]
    if "to" in f:
        parts.append(f"now at {names.who(f['to'])}")
    return f"Cards on {names.who(f['on'])} showed: {', '.join(parts) or 'as printed'}"


def _use(names: Names, f: Fields) -> str:
    target = names.target(f.get("target"))
    text = names.who(f["who"]) + f" [{f['ability']}]"
    if target:
        text += " on itself" if f["target"] == f["who"] else f" on {target}"
    if "choice" in f:
        choice = f["choice"]
        text += f", {signed(choice) if isinstance(choice, int) else names.of(choice)}"
    return f"{text}: {_OUTCOMES[f['outcome']]}"


def _reveal(names: Names, f: Fields) -> str:
    if "role_of" in f:
        return f"{names.who(f['role_of'])} is revealed as {names.of(f.get('role'))}"
    if "culprit_of" in f:
        incident = names.scheduled(f["culprit_of"])
        return f"Culprit of {incident} (day {f['culprit_of']}): {names.who(f.get('culprit'))}"
    if "subplot" in f:
        asked = f" (asked about {names.of(f['asked'])})" if "asked" in f else ""
        return f"Subplot told: {names.of(f['subplot'])}{asked}"
    same = _listed(names, f.get("characters") or ())
    return f"Same role as {names.who(f.get('same_role_as'))}: {same}"


def _listed(names: Names, several: Iterable[Any]) -> str:
    return ", ".join(names.who(one) for one in several) or "nobody"


def _recount(names: Names, f: Fields) -> str:
    parts: list[str] = []
    board = f["board"]
    for section in ("characters", "locations"):
        for who, values in (board.get(section) or {}).items():
            counted = [_counted(names, name, value) for name, value in (values or {}).items()]
            parts.append(f"{names.of(who)}: {', '.join(counted) or 'unknown'}")
    parts += [names.of(name) for name in board if name not in ("characters", "locations")]
    return f"Counted: {'; '.join(parts) or 'nothing'}"


def _counted(names: Names, name: str, value: object) -> str:
    if name == "alive":
        return "life unknown" if value is None else "alive" if value else "dead"
    if name == "at":
        return f"at {names.of(value)}" if value is not None else "place unknown"
    return f"{names.of(name)} {'unknown' if value is None else value}"


def _loop_over(names: Names, f: Fields) -> str:
    closed = "; no other deaths in this step" if f.get("deaths_closed") else ""
    return f"Loop over: {_WORDS[f['word']]}{closed}"


_SENTENCES: Final[Mapping[str, Callable[[Names, Fields], str]]] = {
    "placed": lambda n, f: f"{n.who(f['who'])} starts at {n.who(f['where'])}",
    "enters": lambda n, f: f"{n.who(f['who'])} enters at {n.who(f['where'])}",
    "token": _token,
    "gauge": lambda n, f: f"The Extra Gauge stands at {f['value']}",
    "curse": lambda n, f: (
        f"A curse card lies on {n.who(f['on'])}"
        + (f", from {n.who(f['from'])}" if "from" in f else "")
    ),
    "extra_card": lambda n, f: (
        f"An Extra card {'leaves' if f.get('off') else 'lies on'} {n.who(f['on'])}"
    ),
    "spell": lambda n, f: (
        "The spell was declined" if f["on"] is None else f"The spell on {n.who(f['on'])}"
    ),
    "leader": lambda n, f: f"{deck_name(f['deck'])} leads",
    "card": _card,
    "card_result": _card_result,
    "moved": lambda n, f: f"{n.who(f['who'])} moved to {n.who(f['to'])}",
    "shifted": lambda n, f: f"{n.of(f['token'])} went from {n.who(f['from'])} to {n.who(f['to'])}",
    "use": _use,
    "card_back": lambda n, f: f"{deck_name(f['deck'])} took back {card_name(f['card'])}",
    "reveal": _reveal,
    "incident": lambda n, f: (
        "The incident happens" if f["occurs"] else "The incident does not happen"
    ),
    "no_effect": lambda n, f: "It happened, and nothing of it was seen",
    "leader_chooses": lambda n, f: f"The Leader chose {n.who(f['who'])}",
    "location_named": lambda n, f: f"It named {n.who(f['location'])}",
    "death": lambda n, f: f"{n.who(f['who'])} died",
    "guard_lost": lambda n, f: f"{n.who(f['who'])} lost a guard marker instead of dying",
    "revived": lambda n, f: f"{n.who(f['who'])} came back to life",
    "removed": lambda n, f: f"{n.who(f['who'])} left the board for the loop",
    "loop_over": _loop_over,
    "recount": _recount,
    "complete": lambda n, f: "Nothing else happened",
    "partial": lambda n, f: "Something may be missing here",
    "guess": lambda n, f: (
        f"Guessed {n.who(f['who'])} as {n.of(f['role'])}: " + ("right" if f["right"] else "wrong")
    ),
}

DECK_ORDER: Final = (MASTERMIND, *DECKS)
