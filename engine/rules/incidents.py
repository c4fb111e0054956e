"""Incidents that several sets share."""

from __future__ import annotations

from typing import Final

from engine.kleene import MAYBE
from engine.rules.model import (
    Incident,
    KillCulprit,
    KillEveryoneAt,
    KillOne,
    KillProtagonistsAt,
    MoveCulprit,
    On,
    Put,
    Transfer,
)
from engine.words import GOODWILL, HOSPITAL, INTRIGUE, UNEASE

HOMICIDE: Final = Incident(
    "homicide",
    "Homicide",
    (KillOne(at_culprit=True, culprit_may_die=MAYBE),),
    rulings=("I-07", "I-08", "I-09", "I-26"),
)
SUICIDE: Final = Incident("suicide", "Suicide", (KillCulprit(),), rulings=("I-11", "I-26"))
FARAWAY_MURDER: Final = Incident(
    "faraway_murder",
    "Faraway Murder",
    (KillOne(at_culprit=False, token=INTRIGUE, n=2),),
    rulings=("I-12", "I-26"),
)
TRANSFER_FRIENDSHIP: Final = Incident(
    "transfer_friendship",
    "Transfer Friendship",
    (Transfer(GOODWILL, 2),),
    rulings=("I-14", "I-26"),
)
INCREASING_UNEASE: Final = Incident(
    "increasing_unease",
    "Increasing Unease",
    (Put((UNEASE,), 2, On.ANYONE), Put((INTRIGUE,), 1, On.ANOTHER)),
    rulings=("I-13", "I-26"),
)


def hospital(incident: str, name: str) -> Incident:
    """Return the Hospital's incident, which later sets call by another name."""
    return Incident(
        incident,
        name,
        (KillEveryoneAt(HOSPITAL, 1), KillProtagonistsAt(HOSPITAL, 2)),
        rulings=("I-16", "I-22", "I-26"),
    )


HOSPITAL_HORROR: Final = hospital("hospital_horror", "Hospital Horror")
MISSING_PERSON: Final = Incident(
    "missing_person",
    "Missing Person",
    (MoveCulprit(INTRIGUE, 1),),
    rulings=("I-10", "I-26"),
)
