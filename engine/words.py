"""The game's vocabulary: places, tokens, action cards and the steps of a day.

Ids are those of the public transcript format. Names for people live with the things
they name (characters in ``engine.cast``, plots and roles in ``engine.rules``).
"""

from __future__ import annotations

from typing import Final

HOSPITAL: Final = "hospital"
SHRINE: Final = "shrine"
CITY: Final = "city"
SCHOOL: Final = "school"
LOCATIONS: Final = (HOSPITAL, SHRINE, CITY, SCHOOL)
OFF_BOARD: Final = "off_board"

GOODWILL: Final = "goodwill"
UNEASE: Final = "unease"
INTRIGUE: Final = "intrigue"
GUARD: Final = "guard"
TOKENS: Final = (GOODWILL, UNEASE, INTRIGUE)
"""The three tokens that abilities, incidents and cards place."""
ALL_TOKENS: Final = (GOODWILL, UNEASE, INTRIGUE, GUARD)

PERSON: Final = "person"

# The board of B-01: Hospital and Shrine above, City and School below, nothing wraps.
_COLUMN: Final = {HOSPITAL: 0, SHRINE: 1, CITY: 0, SCHOOL: 1}
_ROW: Final = {HOSPITAL: 0, SHRINE: 0, CITY: 1, SCHOOL: 1}
_AT: Final = {(_ROW[place], _COLUMN[place]): place for place in LOCATIONS}

VERTICAL: Final = "vertical"
HORIZONTAL: Final = "horizontal"
DIAGONAL: Final = "diagonal"
_STEP: Final = {VERTICAL: (1, 0), HORIZONTAL: (0, 1), DIAGONAL: (1, 1)}
_DIRECTION: Final = {step: direction for direction, step in _STEP.items()}


def move_from(place: str, direction: str) -> str:
    """Return where one step in ``direction`` leads (B-01)."""
    rows, columns = _STEP[direction]
    return _AT[(_ROW[place] + rows) % 2, (_COLUMN[place] + columns) % 2]


def neighbours(place: str) -> tuple[str, str]:
    """Return the two locations that share a side with ``place`` (B-02)."""
    return move_from(place, VERTICAL), move_from(place, HORIZONTAL)


def combine_directions(first: str, second: str) -> str:
    """Combine two movement cards on one character (B-03)."""
    if first == second:
        return first
    rows = _STEP[first][0] ^ _STEP[second][0]
    columns = _STEP[first][1] ^ _STEP[second][1]
    return _DIRECTION[rows, columns]


# Steps of a day in the order of the transcript format.
LOOP_START: Final = "loop_start"
DAY_START: Final = "day_start"
CARDS: Final = "cards"
MASTERMIND_STEP: Final = "mastermind"
GOODWILL_STEP: Final = "goodwill"
INCIDENT_STEP: Final = "incident"
NIGHT: Final = "night"
LOOP_END: Final = "loop_end"
TIME_SPIRAL: Final = "time_spiral"
FINAL_GUESS: Final = "final_guess"
STEPS: Final = (
    LOOP_START,
    DAY_START,
    CARDS,
    MASTERMIND_STEP,
    GOODWILL_STEP,
    INCIDENT_STEP,
    NIGHT,
    LOOP_END,
    TIME_SPIRAL,
    FINAL_GUESS,
)
STEP_ORDER: Final = {step: index for index, step in enumerate(STEPS)}

MASTERMIND: Final = "mastermind"
DECKS: Final = ("a", "b", "c")
"""The three Protagonist decks; with fewer players some are shared."""

# Action cards. A card is (what it does, how much); the face ids are public.
UNEASE_PLUS_1: Final = "unease_plus_1"
UNEASE_MINUS_1: Final = "unease_minus_1"
GOODWILL_PLUS_1: Final = "goodwill_plus_1"
GOODWILL_PLUS_2: Final = "goodwill_plus_2"
INTRIGUE_PLUS_1: Final = "intrigue_plus_1"
INTRIGUE_PLUS_2: Final = "intrigue_plus_2"
FORBID_UNEASE: Final = "forbid_unease"
FORBID_GOODWILL: Final = "forbid_goodwill"
FORBID_INTRIGUE: Final = "forbid_intrigue"
FORBID_MOVEMENT: Final = "forbid_movement"
MOVEMENT_VERTICAL: Final = "movement_vertical"
MOVEMENT_HORIZONTAL: Final = "movement_horizontal"
MOVEMENT_DIAGONAL: Final = "movement_diagonal"

CARD_DIRECTION: Final = {
    MOVEMENT_VERTICAL: VERTICAL,
    MOVEMENT_HORIZONTAL: HORIZONTAL,
    MOVEMENT_DIAGONAL: DIAGONAL,
}
CARD_TOKENS: Final = {
    UNEASE_PLUS_1: (UNEASE, 1),
    UNEASE_MINUS_1: (UNEASE, -1),
    GOODWILL_PLUS_1: (GOODWILL, 1),
    GOODWILL_PLUS_2: (GOODWILL, 2),
    INTRIGUE_PLUS_1: (INTRIGUE, 1),
    INTRIGUE_PLUS_2: (INTRIGUE, 2),
}
CARD_FORBIDS: Final = {
    FORBID_UNEASE: UNEASE,
    FORBID_GOODWILL: GOODWILL,
    FORBID_INTRIGUE: INTRIGUE,
}

MASTERMIND_HAND: Final = {
    UNEASE_PLUS_1: 2,
    UNEASE_MINUS_1: 1,
    FORBID_UNEASE: 1,
    FORBID_GOODWILL: 1,
    INTRIGUE_PLUS_1: 1,
    INTRIGUE_PLUS_2: 1,
    MOVEMENT_VERTICAL: 1,
    MOVEMENT_HORIZONTAL: 1,
    MOVEMENT_DIAGONAL: 1,
}
PROTAGONIST_HAND: Final = {
    UNEASE_PLUS_1: 1,
    UNEASE_MINUS_1: 1,
    GOODWILL_PLUS_1: 1,
    GOODWILL_PLUS_2: 1,
    FORBID_INTRIGUE: 1,
    MOVEMENT_VERTICAL: 1,
    MOVEMENT_HORIZONTAL: 1,
    FORBID_MOVEMENT: 1,
}
ONCE_PER_LOOP: Final = {
    MASTERMIND: frozenset({INTRIGUE_PLUS_2, MOVEMENT_DIAGONAL}),
    **{deck: frozenset({UNEASE_MINUS_1, GOODWILL_PLUS_2, FORBID_MOVEMENT}) for deck in DECKS},
}
"""Cards that stay out for the loop once revealed (C-10)."""

DEAD: Final = "dead"
LOST: Final = "lost"
NO_WORD: Final = "none"
WON: Final = "won"
LOOP_WORDS: Final = (DEAD, LOST, NO_WORD, WON)

RESOLVED: Final = "resolved"
REFUSED: Final = "refused"
NOTHING: Final = "nothing"
OUTCOMES: Final = (RESOLVED, REFUSED, NOTHING)
