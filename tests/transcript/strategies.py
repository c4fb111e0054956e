"""Transcripts of every shape that the format allows, sensible or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from assistant.transcript.kinds import KINDS
from engine.records import TargetSpec, Transcript, Unsure
from engine.script import ScheduledIncident, Sheet
from engine.sets import RULEBOOKS
from engine.words import (
    ALL_TOKENS,
    DECKS,
    LOCATIONS,
    LOOP_WORDS,
    MASTERMIND,
    MASTERMIND_HAND,
    OFF_BOARD,
    OUTCOMES,
    PROTAGONIST_HAND,
)

RULES = RULEBOOKS["first_steps"]
# Unknown ids, beginnings of known ones, and words of the notation are among them.
ODD_IDS = ("boy", "none", "one", "of", "a", "mm", "s", "day", "then", "unknown", "gauge", "nobody")
CHARACTERS = st.sampled_from([*RULES.characters, *ODD_IDS, "someone", "count", "shrine"])
PLACES = st.sampled_from([*LOCATIONS, "moon", "s", "none"])
SPOTS = CHARACTERS | PLACES
FACES = st.sampled_from([*MASTERMIND_HAND, *PROTAGONIST_HAND, "movement", "bluff", "a"])
ROLES = st.sampled_from([*RULES.roles, "key", "none"])
PLOTS = st.sampled_from([*RULES.plots, "a_hideous", "asked"])
INCIDENTS = st.sampled_from([*RULES.incidents, "none", "homi"])
TOKENS = st.sampled_from(ALL_TOKENS)
DECK = st.sampled_from(DECKS)
COUNTS = st.integers(1, 99)
TOKEN_COUNTS = st.integers(0, 99)
AMOUNTS = st.integers(-99, 99)
ABILITIES = st.integers(1, 99) | st.sampled_from(["2", "2a", "10b"])
TEXTS = st.text(max_size=8) | st.sampled_from(["# x", '"', " x", "x?", "?", "?? #", "a\nb", "\\"])


def unsure(ids: st.SearchStrategy[str]) -> st.SearchStrategy[str | Unsure]:
    """Return an id, several, or somebody somewhere."""
    several = st.lists(ids, min_size=1, max_size=3, unique=True).map(
        lambda names: Unsure(one_of=tuple(names))
    )
    return ids | several | PLACES.map(lambda place: Unsure(somebody_at=place))


WHO = unsure(CHARACTERS)
SPOT = unsure(SPOTS)
WHERE = unsure(PLACES)
TARGETS = (
    unsure(SPOTS | PLOTS).map(
        lambda target: (
            TargetSpec(one_of=target.one_of, somebody_at=target.somebody_at)
            if isinstance(target, Unsure)
            else target
        )
    )
    | st.builds(TargetSpec, character=WHO, to=WHERE)
    | st.builds(TargetSpec, source=SPOT, to=SPOT, token=TOKENS)
    | st.builds(TargetSpec, day=COUNTS)
    | st.builds(TargetSpec, card=FACES)
)
REVEALS: st.SearchStrategy[dict[str, Any]] = (
    st.fixed_dictionaries({"role_of": WHO, "role": ROLES})
    | st.fixed_dictionaries({"culprit_of": COUNTS, "culprit": SPOT})
    | st.fixed_dictionaries({"subplot": PLOTS}, optional={"asked": PLOTS})
    | st.fixed_dictionaries(
        {"same_role_as": WHO, "characters": st.lists(WHO, max_size=3).map(tuple)}
    )
)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a value or unknown."""
    return st.none() | values


def listed(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a short list, perhaps empty, or unknown."""
    return maybe(st.lists(values, max_size=3))


def table(keys: st.SearchStrategy[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return an object used as a table."""
    return st.dictionaries(keys, values, max_size=3)


CARD_ON_BOARD = st.fixed_dictionaries(
    {},
    optional={
        "at": maybe(PLACES | st.just(OFF_BOARD)),
        "alive": maybe(st.booleans()),
        **{token: maybe(TOKEN_COUNTS) for token in ALL_TOKENS},
    },
)
EFFECT = st.fixed_dictionaries(
    {"kind": st.sampled_from(["freed", "none"]), "on": SPOTS},
    optional={"until_day": maybe(COUNTS)},
)
BOARDS = st.fixed_dictionaries(
    {},
    optional={
        "characters": table(CHARACTERS, maybe(CARD_ON_BOARD)),
        "locations": table(
            SPOTS,
            maybe(st.fixed_dictionaries({}, optional={"intrigue": maybe(TOKEN_COUNTS)})),
        ),
        "gauge": maybe(TOKEN_COUNTS),
        "gauge_max": maybe(TOKEN_COUNTS),
        "gauge_loop_start": maybe(TOKEN_COUNTS),
        "gauge_last_loop": maybe(TOKEN_COUNTS),
        "curses": listed(SPOTS),
        "extra_cards": listed(CHARACTERS),
        "goodwill_last_loop": listed(CHARACTERS),
        "occurred": listed(COUNTS),
        "occurred_before": listed(INCIDENTS),
        "leader": maybe(DECK),
        "spent": maybe(table(st.sampled_from([MASTERMIND, *DECKS]), listed(FACES))),
        "revealed": maybe(table(CHARACTERS, maybe(ROLES))),
        "used": maybe(table(CHARACTERS, listed(ABILITIES))),
        "starts": maybe(table(CHARACTERS, maybe(PLACES))),
        "effects": maybe(st.lists(EFFECT, max_size=2)),
    },
)

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "placed": st.fixed_dictionaries({"who": WHO, "where": WHERE}),
    "enters": st.fixed_dictionaries({"who": WHO, "where": WHERE}),
    "token": st.fixed_dictionaries(
        {"on": SPOT, "token": TOKENS, "n": AMOUNTS.filter(bool)}, optional={"by": CHARACTERS}
    ),
    "gauge": st.fixed_dictionaries({"value": TOKEN_COUNTS}),
    "curse": st.fixed_dictionaries({"on": SPOT}, optional={"source": SPOT}),
    "extra_card": st.fixed_dictionaries({"on": WHO}, optional={"off": st.booleans()}),
    "spell": st.fixed_dictionaries({"on": maybe(WHO)}),
    "leader": st.fixed_dictionaries({"deck": DECK}),
    "card": st.fixed_dictionaries(
        {"by": st.sampled_from([MASTERMIND, *DECKS]), "card": maybe(FACES), "on": SPOT},
        optional={"human": TEXTS | st.integers(-5, 5) | st.sampled_from(["Anna", "2"])},
    ),
    "card_result": st.fixed_dictionaries(
        {"on": SPOT},
        optional={"goodwill": AMOUNTS, "unease": AMOUNTS, "intrigue": AMOUNTS, "to": WHERE},
    ),
    "moved": st.fixed_dictionaries({"who": WHO, "to": WHERE}),
    "shifted": st.fixed_dictionaries({"token": TOKENS, "source": SPOT, "to": SPOT}),
    "use": st.fixed_dictionaries(
        {"who": WHO, "ability": ABILITIES, "outcome": st.sampled_from(OUTCOMES)},
        optional={"target": TARGETS, "choice": st.sampled_from([1, -1]) | SPOTS | TOKENS | FACES},
    ),
    "card_back": st.fixed_dictionaries({"deck": DECK, "card": FACES}),
    "reveal": REVEALS,
    "incident": st.fixed_dictionaries({"occurs": st.booleans()}),
    "no_effect": st.just({}),
    "leader_chooses": st.fixed_dictionaries({"who": WHO}),
    "location_named": st.fixed_dictionaries({"location": WHERE}),
    "death": st.fixed_dictionaries({"who": WHO}),
    "guard_lost": st.fixed_dictionaries({"who": WHO}),
    "revived": st.fixed_dictionaries({"who": SPOT}),
    "removed": st.fixed_dictionaries({"who": WHO}),
    "loop_over": st.fixed_dictionaries(
        {"word": st.sampled_from(LOOP_WORDS)}, optional={"deaths_closed": st.booleans()}
    ),
    "recount": st.fixed_dictionaries({"board": BOARDS}),
    "complete": st.just({}),
    "partial": st.just({}),
    "guess": st.fixed_dictionaries({"who": WHO, "role": ROLES, "right": st.booleans()}),
}
"""The own fields of each record kind, by the names of the types."""


@st.composite
def records(draw: st.DrawFn, tag: str = "") -> Any:
    """Return a record of any kind, or of the given one."""
    kind = KINDS[tag or draw(st.sampled_from(sorted(KINDS)))]
    common = draw(
        st.fixed_dictionaries(
            {"at": st.tuples(COUNTS, COUNTS, st.sampled_from(kind.steps))},
            optional={
                "doubt": st.booleans(),
                "note": TEXTS,
                "ordered": st.booleans(),
                "by_use": st.booleans(),
            },
        )
    )
    return kind.type(**common, **draw(FIELDS[kind.tag]))


SHEETS = st.builds(
    Sheet,
    set=st.sampled_from(["first_steps", "unheard_of", "first"]),
    loops=COUNTS,
    days=COUNTS,
    players=st.integers(1, 3),
    cast=st.lists(CHARACTERS, max_size=5).map(tuple),
    cast_complete=st.booleans(),
    turf=table(CHARACTERS, PLACES),
    incidents=st.lists(
        st.builds(ScheduledIncident, day=COUNTS, incident=INCIDENTS), max_size=3
    ).map(tuple),
    special_rules=st.lists(
        st.fixed_dictionaries({"kind": TEXTS}, optional={"text": TEXTS, "value": st.booleans()}),
        max_size=2,
    ).map(tuple),
)
UNKNOWN_PATHS = st.sampled_from(
    ["gauge", "characters.nurse.unease", "characters.nurse", "spent.mastermind", "starts.nurse"]
)


@st.composite
def transcripts(draw: st.DrawFn, most: int = 6) -> Transcript:
    """Return a transcript in the right form; what it tells need not make sense."""
    from engine.records import Start
    from engine.words import STEPS

    start = draw(
        maybe(
            st.builds(
                Start,
                at=st.tuples(COUNTS, COUNTS, st.sampled_from(STEPS)),
                board=BOARDS,
                unknown=st.lists(UNKNOWN_PATHS, max_size=2).map(tuple),
            )
        )
    )
    return Transcript(
        format="looper-transcript",
        version=1,
        title=draw(TEXTS),
        sheet=draw(SHEETS),
        rulings=draw(
            table(
                st.sampled_from(["nothing_means_refused", "nothing", "own_ruling"]),
                maybe(st.booleans()),
            )
        ),
        announces=draw(st.sampled_from(["every_token", "net"])),
        start=start,
        records=tuple(draw(st.lists(records(), max_size=most))),
    )
