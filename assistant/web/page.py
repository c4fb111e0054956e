"""What the page of a game shows: the step that is noted, its forms, its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from assistant.transcript.vocabulary import Vocabulary
from assistant.web import abilities, moments
from assistant.web.fields import Data, FieldError
from assistant.web.form import Form, Scene
from assistant.web.forms import form_named, offered
from assistant.web.games import names_of, words_of
from assistant.web.names import STEP_NAMES, Names, moment, signed
from assistant.web.recordforms import FORMS
from assistant.web.submission import CARDS_FORM, LINE, CardRow, card_rows, unsaid
from engine.board import Board
from engine.records import At, Leader, Placed, PlayedCard, Record, Transcript
from engine.words import (
    CARDS,
    DAY_START,
    DECKS,
    FINAL_GUESS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_END,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    STEPS,
    TOKENS,
)

if TYPE_CHECKING:
    from assistant.deduction import Deduction
    from assistant.store import StoredGame
    from engine.table import Step

HINTS: Final[Mapping[str, str]] = {
    LOOP_START: "Everybody stands where the cards say. Note what the Mastermind places now.",
    DAY_START: "Note who enters, or who leads from now on.",
    CARDS: "Note the cards when they are turned over.",
    MASTERMIND_STEP: "Note every token that is placed and everybody who moves, not why.",
    GOODWILL_STEP: "Note every ability that the Leader declares, above all when nothing happens.",
    INCIDENT_STEP: "Note what the Mastermind says, and then what is seen.",
    NIGHT: "Note who dies, and whether the loop ends.",
    LOOP_END: "Note what was said about the loop, and every role that is revealed.",
    FINAL_GUESS: "Note each guess and its answer.",
}


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record as a list shows it.

    Attributes:
        number: its number in the game, from 1.
        text: what it says.
        record: the record.
    """

    number: int
    text: str
    record: Record


@dataclass(frozen=True, slots=True)
class PrintedResult:
    """What the cards on one spot do by what is printed on them."""

    on: str
    name: str
    text: str
    differs: bool


@dataclass(slots=True)
class Typed:
    """A form with what was typed in it and what is wrong with that.

    Attributes:
        form: its name.
        data: the values of its inputs.
        errors: by input; under the empty name what belongs to none.
        link: record that an error is about, from 1.
    """

    form: str = ""
    data: Data = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    link: int | None = None


def errors_by_input(errors: Sequence[FieldError]) -> dict[str, str]:
    """Return the messages by input; under the empty name those that belong to none."""
    found: dict[str, str] = {}
    for error in errors:
        found[error.name] = f"{found.get(error.name, '')} {error.text}".strip()
    return found


EFFECT_KINDS: Final = frozenset(
    {
        *("token", "shifted", "moved", "reveal", "card_back", "death", "guard_lost", "revived"),
        *("removed", "gauge", "curse", "extra_card"),
    }
)
"""Kinds of records that can be the effect of an ability."""


class GamePage:
    """One step of a game.

    Attributes:
        game: the game as it stands in the store.
        names, words: what things are called, and which ids may occur.
        at: the step.
        now: the step that the log proposes, ``None`` when the game is over.
        scene: what forms of the step need to know.
        typed: the form that lies open.
    """

    def __init__(
        self, game: StoredGame, deduction: Deduction, at: At | None, typed: Typed | None
    ) -> None:
        self.game: Final = game
        self.transcript: Final[Transcript] = game.transcript
        self.deduction: Final = deduction
        self.names: Final[Names] = names_of(game.transcript)
        self.words: Final[Vocabulary] = words_of(game.transcript)
        self.last: Final = deduction.table.steps[-1]
        self.now: Final = moments.current(game.transcript, self.words, self.last.after)
        self.at: Final[At] = at or self.now or self.last.at
        self.scene: Final = Scene(self.names, self.words, self.board, self.at)
        self.typed: Final = typed or self._proposed()

    effect_kinds = EFFECT_KINDS

    # The step -------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """Return the compiled step, ``None`` while nothing was noted in it or after it."""
        steps = self.deduction.table.steps
        return next((step for step in steps if step.at == self.at), None)

    @property
    def board(self) -> Board:
        """Return the board as it stands in the step, as far as it is noted."""
        step = self.step
        return self.last.after if step is None else step.after

    @property
    def board_moment(self) -> str:
        """Return of which moment the board is."""
        return moment((self.step or self.last).at)

    @property
    def moment(self) -> str:
        """Return the step in words."""
        return moment(self.at)

    @property
    def step_name(self) -> str:
        """Return the name of the step, with the incident of the day where there is one."""
        step = STEP_NAMES[self.at[2]]
        today = self.names.scheduled(self.at[1])
        return f"{step}: {today}" if self.at[2] == INCIDENT_STEP and today else step

    @property
    def hint(self) -> str:
        """Return what to note in the step."""
        return HINTS.get(self.at[2], "")

    @property
    def closed(self) -> bool:
        """Tell whether the step is noted completely, or as well as it can be."""
        return moments.is_closed(self.transcript.records, self.at)

    @property
    def after(self) -> At | None:
        """Return the step that follows, ``None`` after the last one."""
        return moments.following(self.at, self.transcript, self.words, self.last.after)

    @property
    def address(self) -> str:
        """Return the step as it stands in addresses."""
        return moments.write_moment(self.at)

    @property
    def choices(self) -> dict[str, list[tuple[object, str]]]:
        """Return the loops, days and steps that the sheet has, each with its name."""
        sheet = self.transcript.sheet
        steps = [step for step in STEPS if step != FINAL_GUESS or self.words.final_guess]
        return {
            "loop": [(loop, str(loop)) for loop in range(1, sheet.loops + 1)],
            "day": [(day, str(day)) for day in range(1, sheet.days + 1)],
            "step": [(step, STEP_NAMES[step]) for step in steps],
        }

    @property
    def missing(self) -> str:
        """Return what it is called to go on although something is still to be noted."""
        match self.at[2]:
            case step if step == CARDS and self.card_rows():
                return "No more cards to note"
            case step if step == LOOP_START and self._missing_start().form:
                return "Go on without it"
            case step if step == LOOP_END and not self._ended():
                return "Go on without a word"
            case _:
                return ""

    @property
    def closing(self) -> str:
        """Return what it means that the step is noted completely."""
        if self.at[2] == CARDS:
            return "All cards went as printed or noted"
        return "Nothing else happened" if self.records() else "Nothing happened"

    def records(self) -> list[RecordView]:
        """Return the records of the step."""
        noted = moments.records_at(self.transcript.records, self.at)
        return [
            RecordView(number + 1, self.names.record(record), record) for number, record in noted
        ]

    # Forms ----------------------------------------------------------------------------

    @property
    def form(self) -> Form | None:
        """Return the form that lies open, ``None`` for none or one of another kind."""
        name = self.typed.form
        return None if name in ("", CARDS_FORM, LINE) else form_named(name, self.scene)

    def buttons(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return the forms that the step offers, with their titles: usual ones and others."""
        ended = moments.end_of_loop(self.transcript.records, self.at[0])
        usual, others = offered(self.scene, ended)
        return (
            [(name, FORMS[name].title) for name in usual],
            [(name, FORMS[name].title) for name in others],
        )

    def offers(self) -> list[abilities.Offer]:
        """Return the abilities that can be declared in the step."""
        return abilities.offers(self.scene) if self.at[2] == GOODWILL_STEP else []

    def uses(self) -> list[tuple[int, str]]:
        """Return the uses noted in the step, with their positions."""
        uses = moments.uses_at(self.transcript.records, self.at)
        return [(number, self.names.record(use)) for number, use in uses]

    def asks_for_the_word(self) -> bool:
        """Tell whether it is still to be said if the incident happens."""
        return self.at[2] == INCIDENT_STEP and unsaid(self.transcript, self.at) > 0

    @property
    def next_leader(self) -> str:
        """Return the deck to the left of the Leader's, where the night still has to say so."""
        noted = any(isinstance(view.record, Leader) for view in self.records())
        leader = self.board.leader
        if self.at[2] != NIGHT or noted or leader not in DECKS:
            return ""
        return DECKS[(DECKS.index(leader) + 1) % len(DECKS)]

    def card_rows(self) -> list[CardRow]:
        """Return the rows for the cards that are not noted yet; empty in other steps."""
        if self.at[2] != CARDS:
            return []
        noted = moments.records_at(self.transcript.records, self.at)
        cards = [record for _, record in noted if isinstance(record, PlayedCard)]
        decks = [card.by for card in cards if not card.doubt]
        return card_rows(self.scene, decks, self.board.leader)

    def printed(self) -> list[PrintedResult]:
        """Return what the noted cards do by what is printed on them."""
        step = self.step
        return [
            PrintedResult(spot.on, self.names.of(spot.on), self._result(step, spot.on), False)
            if spot.noted is None
            else PrintedResult(spot.on, self.names.of(spot.on), "noted otherwise", True)
            for spot in (step.spots if step is not None else ())
        ]

    def _result(self, step: Step | None, on: str) -> str:
        assert step is not None  # there are spots only in a step
        spot = next(spot for spot in step.spots if spot.on == on)
        shown = spot.printed
        parts = []
        for token in TOKENS:
            delta = getattr(shown, token)
            if delta is None:
                parts.append(f"{self.names.of(token)} not known")
            elif delta:
                parts.append(f"{signed(delta)} {self.names.of(token)}")
        card = step.before.cards.get(on)
        if card is not None and shown.to != card.at:
            parts.append("place not known" if shown.to is None else f"to {self.names.of(shown.to)}")
        return ", ".join(parts) or "nothing"

    def _proposed(self) -> Typed:
        """Return the form that lies open when nobody asked for one."""
        if self.closed:
            return Typed()
        match self.at[2]:
            case step if step == CARDS and self.card_rows():
                return Typed(CARDS_FORM)
            case step if step == LOOP_START:
                return self._missing_start()
            case step if step == MASTERMIND_STEP:
                return Typed("token", {"n": ["1"]})
            case step if step == GOODWILL_STEP:
                return self._effect()
            case step if step == LOOP_END:
                return Typed("" if self._ended() else "loop_over")
            case step if step == FINAL_GUESS:
                return Typed("guess")
            case _:
                return Typed()

    def _ended(self) -> bool:
        """Tell whether it is noted how the loop ended."""
        return moments.end_of_loop(self.transcript.records, self.at[0]) is not None

    def _missing_start(self) -> Typed:
        """Ask for the start of a character whose card names several places."""
        placed = {v.record.who for v in self.records() if isinstance(v.record, Placed)}
        for who in self.transcript.sheet.cast:
            if len(self.names.rules.characters[who].starts) > 1 and who not in placed:
                return Typed("placed", {"who": [who]})
        return Typed()

    def _effect(self) -> Typed:
        """Ask for what the ability that was noted last has shown."""
        records = self.records()
        uses = moments.uses_at(self.transcript.records, self.at)
        if not records or not uses or records[-1].number - 1 != uses[-1][0]:
            return Typed()
        number, use = uses[-1]
        effect = abilities.effect_of(use, self.scene)
        if effect is None:
            return Typed()
        name, data = effect
        return Typed(name, data | {"of": [str(number)]})


def whole_log(transcript: Transcript, names: Names) -> list[tuple[At, str, list[RecordView]]]:
    """Return all records, step by step."""
    steps: dict[At, list[RecordView]] = {}
    for number, record in enumerate(transcript.records, 1):
        view = RecordView(number, names.record(record), record)
        steps.setdefault(record.at, []).append(view)
    return [(at, moment(at), views) for at, views in steps.items()]
