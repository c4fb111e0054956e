"""What the engine's tests share: small scripts, games that start late, and verdicts."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from engine.records import AnyRecord, Start, Transcript
from engine.replay import Replay, Replayer, replay
from engine.script import ScheduledIncident, Script, ScriptIncident, Sheet
from engine.sets import RULEBOOKS
from engine.simulate import Game, simulate
from engine.table import Table, compile_table
from engine.view import NO_FLAGS, Flags, ScriptView, World
from engine.words import PERSON

FIRST = ("first_steps", "fire_of_the_avenger", ("an_unsettling_rumor",))
"""A set with a main plot and subplots, for scripts that need nothing else."""
PROTECT = ("first_steps", "a_place_to_protect", ("an_unsettling_rumor",))
MURDER = ("first_steps", "premeditated_murder", ("an_unsettling_rumor",))
HIDEOUS = ("first_steps", "fire_of_the_avenger", ("a_hideous_script",))
RIPPER = ("first_steps", "fire_of_the_avenger", ("shadow_of_the_ripper",))

Fields = dict[str, Any]


def script(
    plots: tuple[str, str, tuple[str, ...]],
    roles: dict[str, str],
    *people: str,
    incidents: tuple[tuple[int, str, str], ...] = (),
    days: int = 4,
    extras: dict[str, Fields] | None = None,
) -> Script:
    """Return a script: roles of some, the rest are Persons; incidents as (day, id, culprit)."""
    return Script(
        set=plots[0],
        main_plot=plots[1],
        subplots=plots[2],
        days=days,
        loops=(3,),
        cast={**roles, **dict.fromkeys(people, PERSON)},
        cast_extras=extras or {},
        incidents=tuple(
            ScriptIncident(day=day, incident=name, culprit=who) for day, name, who in incidents
        ),
    )


def sheet(secret: Script, players: int = 3, turf: dict[str, str] | None = None) -> Sheet:
    """Return the open sheet of a script, everybody on the table."""
    return Sheet(
        set=secret.set,
        loops=secret.loops[0],
        days=secret.days,
        players=players,
        cast=tuple(secret.cast),
        cast_complete=True,
        turf=turf or {},
        incidents=tuple(
            ScheduledIncident(day=item.day, incident=item.incident) for item in secret.incidents
        ),
    )


def record(at: tuple[int, int, str], kind: str, **fields: Any) -> AnyRecord:
    """Return a record of a kind, as the transcript spells it."""
    read: AnyRecord = msgspec.convert({"at": at, "kind": kind, **fields}, AnyRecord)
    return read


def transcript(
    secret: Script,
    at: tuple[int, int, str],
    board: Fields,
    *told: tuple[Any, ...],
    complete: bool = True,
    **more: Any,
) -> Transcript:
    """Return a game that starts at a step, with what was told in it.

    Each item of ``told`` is (kind, fields), or (step, kind, fields) for a later step of the
    same day, or (at, kind, fields). With ``complete`` each step noted ends complete.
    """
    listed: list[AnyRecord] = []
    order: list[tuple[int, int, str]] = [at]
    for item in told:
        where, kind, fields = item if len(item) == 3 else (at, *item)
        where = (at[0], at[1], where) if isinstance(where, str) else where
        if where not in order:
            order.append(where)
        listed.append(record(where, kind, **fields))
    if complete:
        listed += [record(where, "complete") for where in order]
        listed.sort(key=lambda one: order.index(one.at))
    players, turf = more.pop("players", 3), more.pop("turf", None)
    return Transcript(
        format="looper-transcript",
        version=1,
        sheet=sheet(secret, players, turf),
        start=Start(at=at, board=board),
        records=tuple(listed),
        **more,
    )


def judge(secret: Script, *args: Any, **more: Any) -> Replay:
    """Return the verdict about a script and a game that it may have shown."""
    return replay(compile_table(transcript(secret, *args, **more)), secret)


def fits(secret: Script, *args: Any, **more: Any) -> bool:
    """Tell whether a script may have shown a game."""
    return judge(secret, *args, **more).possible


def ruling(secret: Script, *args: Any, **more: Any) -> str | None:
    """Return the ruling by which a script cannot have shown a game, ``None`` if it can."""
    return judge(secret, *args, **more).ruling


def people(**cards: Any) -> Fields:
    """Return a board with these values on cards."""
    return {"characters": cards}


def view_of(secret: Script, board: Fields | None = None, flags: Flags = NO_FLAGS) -> ScriptView:
    """Return a script on a board of day 2."""
    late = transcript(secret, (1, 2, "mastermind"), board or {})
    table = compile_table(late)
    world = World(RULEBOOKS[secret.set], table.sheet, secret, table.rulings)
    return ScriptView(world, table.steps[0].before, flags)


# Simulated games --------------------------------------------------------------------------

SCRIPT_FIELDS = {field.name for field in msgspec.structs.fields(Script)}


def read_script(raw: Fields) -> Script:
    """Read a script in its JSON form, remarks of published ones left out."""
    return msgspec.convert({k: v for k, v in raw.items() if k in SCRIPT_FIELDS}, Script)


def published(folder: Path, prefix: str) -> Iterator[Script]:
    """Yield the published scripts that are played without special rules."""
    for path in sorted(folder.glob(f"{prefix}_*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["plain"]:
            yield read_script(raw)


@cache
def played(secret_id: int, seed: int, players: int = 3, announces: str = "every_token") -> Game:
    """Return a simulated game of one of ``OWN``, made once."""
    return simulate(OWN[secret_id], seed, players=players, announces=announces)  # type: ignore[arg-type]


@cache
def compiled(secret_id: int, seed: int, players: int = 3, announces: str = "every_token") -> Table:
    """Return a simulated game compiled."""
    return compile_table(played(secret_id, seed, players, announces).transcript)


def replayed(game: Game) -> Replay:
    """Replay a simulated game with its own script."""
    return Replayer(compile_table(game.transcript)).run(game.script)


def by_step(told: Transcript) -> dict[tuple[int, int, str], Counter[str]]:
    """Return the records of each step as a set, the order apart."""
    found: dict[tuple[int, int, str], Counter[str]] = {}
    for record in told.records:
        plain = msgspec.structs.replace(record, ordered=False)
        found.setdefault(record.at, Counter())[repr(plain)] += 1
    return found


OWN = (
    script(
        ("first_steps", "premeditated_murder", ("shadow_of_the_ripper",)),
        {
            "girl_student": "key_person",
            "doctor": "brain",
            "soldier": "murderer",
            "informant": "conspiracy_theorist",
            "alien": "serial_killer",
        },
        "police_officer",
        "nurse",
        "patient",
        "black_cat",
        incidents=(
            (2, "faraway_murder", "police_officer"),
            (4, "homicide", "informant"),
            (5, "hospital_horror", "black_cat"),
        ),
        days=6,
    ),
    script(
        ("first_steps", "a_place_to_protect", ("a_hideous_script",)),
        {
            "rich_student": "key_person",
            "henchman": "cultist",
            "teacher": "conspiracy_theorist",
            "shrine_maiden": "friend",
            "doctor": "curmudgeon",
            "mystery_boy": "serial_killer",
        },
        "boy_student",
        "office_worker",
        "journalist",
        "patient",
        incidents=(
            (1, "increasing_unease", "office_worker"),
            (2, "missing_person", "henchman"),
            (3, "suicide", "shrine_maiden"),
            (5, "transfer_friendship", "boy_student"),
        ),
        days=5,
    ),
    script(
        ("first_steps", "fire_of_the_avenger", ("an_unsettling_rumor",)),
        {
            "pop_idol": "brain",
            "class_rep": "conspiracy_theorist",
            "mystery_boy": "murderer",
        },
        "girl_student",
        "nurse",
        "doctor",
        "patient",
        "alien",
        "soldier",
        "henchman",
        incidents=(
            (2, "hospital_horror", "nurse"),
            (3, "missing_person", "henchman"),
            (4, "homicide", "alien"),
            (6, "increasing_unease", "girl_student"),
        ),
        days=6,
    ),
    script(
        ("first_steps", "premeditated_murder", ("a_hideous_script",)),
        {
            "shrine_maiden": "key_person",
            "teacher": "brain",
            "patient": "murderer",
            "girl_student": "conspiracy_theorist",
            "alien": "friend",
            "doctor": "curmudgeon",
        },
        "rich_student",
        "police_officer",
        "journalist",
        "black_cat",
        incidents=(
            (1, "transfer_friendship", "black_cat"),
            (2, "hospital_horror", "rich_student"),
            (3, "suicide", "shrine_maiden"),
        ),
        days=4,
    ),
)
"""Scripts of our own, with every plot of First Steps and its tricky cards."""
