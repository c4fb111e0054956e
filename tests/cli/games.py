"""A short game and its script, for the tests of the commands."""

from pathlib import Path

GAME = """\
title A first evening
set first_steps
loops 3  days 4
cast boy_student girl_student shrine_maiden police_officer office_worker doctor
incident 2 homicide
incident 3 suicide

== 1.1 loop_start
.
== 1.1 cards
mm unease+1 > office_worker
mm unease-1 > doctor
mm forbid_unease > city
a goodwill+2 > doctor
b vertical > boy_student
c forbid_intrigue > shrine
.
== 1.1 mastermind
+unease girl_student
.
== 1.1 goodwill
.
== 1.1 night
dead boy_student
.
== 1.2 cards
mm unease+1 > office_worker
mm intrigue+1 > school
mm vertical > girl_student
a unease+1 > shrine_maiden
b vertical > doctor
c forbid_movement > girl_student
.
== 1.2 mastermind
.
== 1.2 goodwill
use doctor[2] office_worker choose -1: refused
.
== 1.2 incident
happens
dead police_officer
.
"""
RECORDS = 26

# Only the Shrine Maiden can have killed the first night, and nobody could kill her the second.
CONTRADICTION = GAME + "== 1.2 night\ndead shrine_maiden\n.\n"

# The Doctor declares an ability for which he has too little Goodwill.
AGAINST_THE_RULES = GAME.replace("a goodwill+2 > doctor", "a goodwill+1 > doctor")

TRUTH = {
    "set": "first_steps",
    "main_plot": "premeditated_murder",
    "subplots": ["shadow_of_the_ripper"],
    "days": 4,
    "loops": [3],
    "cast": {
        "boy_student": "murderer",
        "girl_student": "conspiracy_theorist",
        "shrine_maiden": "serial_killer",
        "police_officer": "person",
        "office_worker": "key_person",
        "doctor": "brain",
    },
    "incidents": [
        {"day": 2, "incident": "homicide", "culprit": "office_worker"},
        {"day": 3, "incident": "suicide", "culprit": "girl_student"},
    ],
}
LIE = TRUTH | {
    "cast": TRUTH["cast"] | {"shrine_maiden": "person", "police_officer": "serial_killer"}
}
ILLEGAL = TRUTH | {"subplots": [], "cast": TRUTH["cast"] | {"doctor": "brian"}}


def write(folder: Path, name: str, text: str) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
