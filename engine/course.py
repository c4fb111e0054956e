"""A course run forward: the hidden choices and what was decided openly give the transcript.

``simulate`` and ``replay`` both return courses. Running one again is the proof that the engine
really can show what a course claims to show; readings that only some tables play are allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine import records
from engine.guided import Guided
from engine.play import play
from engine.records import Transcript
from engine.rulings import DEFAULT_RULINGS, TableRulings
from engine.script import Script, Sheet
from engine.scripted import Decisions, IllegalCourse, Scripted
from engine.steps.choice import Choice, Course
from engine.view import World

__all__ = ["Choice", "Course", "Decisions", "IllegalCourse", "decisions_of", "run_course"]


def decisions_of(transcript: Transcript) -> Decisions:
    """Return the open decisions of a whole game from its first loop start on.

    Raises:
        ValueError: when the transcript starts late or holds withdrawn or partial testimony.
    """
    if transcript.start is not None:
        raise ValueError("a game that starts late has no course from the beginning")
    decisions = Decisions()
    for record in transcript.records:
        if record.doubt or isinstance(record, records.Partial | records.Recount):
            raise ValueError(f"the testimony of {record.at} is not whole")
        decisions.by_step[record.at].append(record)
    return decisions


def run_course(
    sheet: Sheet,
    script: Script,
    course: Iterable[Choice],
    decisions: Decisions,
    *,
    rulings: TableRulings = DEFAULT_RULINGS,
    announces: Literal["every_token", "net"] = "every_token",
    title: str = "",
    world: World | None = None,
) -> Transcript:
    """Play a course forward.

    Args:
        sheet, script: the open sheet and the script behind it.
        course: the hidden choices.
        decisions: the open ones (``decisions_of``).
        rulings, announces, title: as the table played.
        world: the script made ready, if it is at hand.

    Returns:
        The transcript that the engine gives.

    Raises:
        IllegalCourse: when a choice is not legal where it stands.
    """
    players = Scripted(course, decisions)
    transcript, _ = play(
        sheet,
        script,
        players,
        players,
        rulings=rulings,
        announces=announces,
        title=title,
        game=Guided,
        world=world,
    )
    left = players.left()
    if left is not None:
        raise IllegalCourse(f"{left.at}: {left.source} was never reached")
    return transcript
