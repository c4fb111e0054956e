"""Table rulings: switches for questions on which tables differ (rulings.md section 18).

A ruling is ``True``, ``False``, or ``None`` for "either: accept both readings".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.kleene import MAYBE, NO, YES


@dataclass(frozen=True, slots=True)
class Ruling:
    """One switch: its id, number in section 18, default, and what it decides."""

    id: str
    number: int
    default: bool | None
    about: str
    rulings: tuple[str, ...]


_ALL = (
    Ruling(
        "key_person_death_ends_loop",
        1,
        True,
        "The death of a Key Person ends the loop at once.",
        ("L-02",),
    ),
    Ruling(
        "script_obeys_creation_rules",
        3,
        True,
        "The script obeys quotas, one incident per culprit, and the rules for sexes and culprits.",
        ("P-09", "I-17", "I-18"),
    ),
    Ruling(
        "mystery_boy_may_be_person",
        4,
        False,
        "The Mystery Boy may be a Person.",
        ("K-Mystery Boy",),
    ),
    Ruling(
        "homicide_may_hit_culprit",
        5,
        True,
        "A Homicide or Insane Murder may kill its own culprit.",
        ("I-07",),
    ),
    Ruling(
        "factor_counts_as_key_person",
        6,
        True,
        "A Factor with the Key Person's abilities counts as one for the Murderer and for plots.",
        ("D-10", "BT-03"),
    ),
    Ruling(
        "boss_turf_at_day_end",
        7,
        True,
        "The Boss may be regarded as standing in his turf at Day End.",
        ("K-Boss", "D-05"),
    ),
    Ruling(
        "forbid_intrigue_counts_players",
        8,
        None,
        "Forbid Intrigue cards void each other by players, not by decks, where decks are shared.",
        ("C-05",),
    ),
    Ruling(
        "rumor_once_per_loop",
        9,
        False,
        "Weird Mythology: An Unsettling Rumor works once per loop (no: once a day).",
        ("M-09",),
    ),
    Ruling(
        "monster_intrigue_twice_per_loop",
        10,
        False,
        "Haunted Stage: Monster Intrigue works at most twice per loop (no: once a day).",
        ("HS-19",),
    ),
    Ruling(
        "extra_plot_roles_in_cast",
        11,
        None,
        "Weird Mythology: the roles of Twisted Truth's extra plot are in the cast.",
        ("WM-05",),
    ),
    Ruling(
        "black_school_reaches",
        12,
        None,
        "The Black School is lost at loop number less one (no: only above it).",
        ("MC-03",),
    ),
    Ruling(
        "hospital_key_person_first",
        13,
        None,
        "When a Hospital Horror kills a Key Person the loop ends before the Protagonists die.",
        ("I-16",),
    ),
    Ruling(
        "curse_stays_on_unkillable",
        14,
        None,
        "A curse whose carrier could not die stays on it (no: it drops).",
        ("HS-06",),
    ),
    Ruling(
        "other_corpses_count_against_zombies",
        15,
        None,
        "Corpses that are no zombies count as non-zombies.",
        ("HS-15",),
    ),
    Ruling(
        "illusion_echo_place",
        16,
        None,
        "Token cards reach the Illusion by her place after movement (no: before it).",
        ("K-Illusion",),
    ),
    Ruling(
        "nothing_means_refused",
        17,
        False,
        'The words "nothing happens" are only used for a refusal.',
        ("G-07",),
    ),
)

RULINGS: Final[Mapping[str, Ruling]] = {ruling.id: ruling for ruling in _ALL}


@dataclass(frozen=True, slots=True)
class TableRulings:
    """The readings that one table plays."""

    chosen: Mapping[str, bool | None]

    def __getitem__(self, ruling: str) -> bool | None:
        """Return the reading of a ruling, the default unless the table chose another."""
        return self.chosen.get(ruling, RULINGS[ruling].default)

    def fact(self, ruling: str) -> int:
        """Return the reading as a three-valued fact, MAYBE where both are open."""
        reading = self[ruling]
        return MAYBE if reading is None else (YES if reading else NO)


DEFAULT_RULINGS = TableRulings({})

# Names under which the rule readers ask, so that no card or role is named there.
DEATH_ENDS_LOOP: Final = "key_person_death_ends_loop"
CREATION_RULES: Final = "script_obeys_creation_rules"
CULPRIT_MAY_DIE: Final = "homicide_may_hit_culprit"
GAINED_ROLE_COUNTS: Final = "factor_counts_as_key_person"
TURF_AT_NIGHT: Final = "boss_turf_at_day_end"
FORBID_COUNTS_PLAYERS: Final = "forbid_intrigue_counts_players"
DEATHS_FIRST: Final = "hospital_key_person_first"
ECHO_AFTER_MOVEMENT: Final = "illusion_echo_place"
NOTHING_IS_REFUSAL: Final = "nothing_means_refused"
SCHOOL_READING: Final = "black_school_reaches"
ONCE_PER_LOOP_RULE: Final = "rumor_once_per_loop"
TWICE_PER_LOOP_RULE: Final = "monster_intrigue_twice_per_loop"
EXTRA_PLOT_ROLES: Final = "extra_plot_roles_in_cast"
CURSE_STAYS: Final = "curse_stays_on_unkillable"
OTHER_CORPSES_COUNT: Final = "other_corpses_count_against_zombies"
