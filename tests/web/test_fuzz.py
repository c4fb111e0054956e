"""Whatever a browser sends: an answer in words, never a failure, and never half a change."""

from typing import Any

from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.transcript.kinds import KINDS
from assistant.transcript.validate import problems
from assistant.transcript.vocabulary import Vocabulary
from assistant.web.fields import Choose
from assistant.web.form import Scene
from assistant.web.forms import form_named
from assistant.web.games import Games
from assistant.web.names import Names
from assistant.web.recordforms import FORMS
from assistant.web.submission import CARDS_FORM, LINE, NO_EFFECT_FORM, NO_INCIDENT_FORM
from engine.board import Board
from engine.script import ScheduledIncident, Sheet
from engine.sets import RULEBOOKS
from engine.words import ALL_TOKENS, LOCATIONS, MASTERMIND_HAND, PROTAGONIST_HAND, STEPS
from tests.web.conftest import SHEET, Table, set_up

RULES = RULEBOOKS["first_steps"]
SHEET_OF = Sheet(
    set="first_steps",
    loops=3,
    days=4,
    cast=tuple(SHEET["cast"]),
    cast_complete=True,
    incidents=(ScheduledIncident(2, "homicide"), ScheduledIncident(4, "suicide")),
)
WORDS = st.sampled_from(
    [
        *SHEET["cast"],
        *LOCATIONS,
        *ALL_TOKENS,
        *MASTERMIND_HAND,
        *PROTAGONIST_HAND,
        *RULES.roles,
        *RULES.plots,
        *RULES.incidents,
        *("yes", "no", "several", "somebody.school", "off_board", "unknown", "mastermind", "a"),
        *("resolved", "refused", "nothing", "lost", "won", "1", "-1", "2", "0", "99", "3.5", "²"),
    ]
)
VALUES = WORDS | st.text(max_size=12) | st.just("x" * 5000) | st.just("")
MOMENTS = st.builds(
    "{}.{}.{}".format, st.integers(0, 5), st.integers(0, 6), st.sampled_from([*STEPS, "noon"])
)
NAMES = [
    *("who", "where", "to", "from", "on", "by", "card", "token", "n", "deck", "role", "role_of"),
    *("culprit_of", "culprit", "subplot", "asked", "same_role_as", "characters", "occurs", "word"),
    *("deaths_closed", "outcome", "target", "choice", "right", "value", "goodwill", "unease"),
    *("intrigue", "guard", "stands", "alive", "note", "ordered", "by_use", "doubt", "human", "of"),
    *("who-several", "on-several", "stay", "line", "mastermind0-card", "mastermind0-on"),
    *("a3-card", "a3-on", "location", "off", "at-loop", "at-day", "at-step"),
]
FORM_NAMES = st.sampled_from(
    [
        *FORMS,
        *(f"use.{who}.{a.key}" for who in SHEET["cast"] for a in RULES.characters[who].goodwill),
        *(CARDS_FORM, LINE, NO_EFFECT_FORM, NO_INCIDENT_FORM, "use.nobody.2", "surprise", ""),
    ]
)
FIELDS = st.dictionaries(
    st.sampled_from(NAMES), st.lists(VALUES, min_size=1, max_size=3), max_size=14
)
BOUNDED = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def sensible(draw: st.DrawFn) -> tuple[str, str, dict[str, Any]]:
    """Return a step, a form and its fields, chosen mostly from what the page offers."""
    name = draw(FORM_NAMES)
    steps = KINDS[FORMS[name].kind].steps if name in FORMS else ("goodwill",)
    at = (draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.sampled_from(steps)))
    form = form_named(name, Scene(Names(RULES, SHEET_OF), Vocabulary(RULES, SHEET_OF), Board(), at))
    fields: dict[str, Any] = {}
    for field in (*form.fields, *form.more) if form is not None else ():
        options = [option.value for option in field.options] if isinstance(field, Choose) else []
        wanted = field.missing or draw(st.integers(0, 3)) == 0
        if wanted:
            fields[field.name] = draw(st.sampled_from(options) if options else VALUES)
    return "{}.{}.{}".format(*at), name, fields


def table_of(app: Flask) -> Table:
    games = app.extensions["games"]
    assert isinstance(games, Games)
    return set_up(app.test_client(), games)


def check(table: Table, answer: Any, before: int) -> None:
    assert answer.status_code in (200, 303, 400, 404, 409, 422)
    assert table.revision == before + (answer.status_code == 303)
    assert problems(table.transcript) == []
    if answer.status_code == 303:
        assert table.client.get(table.url).status_code == 200


@BOUNDED
@given(
    entries=st.lists(sensible() | st.tuples(MOMENTS, FORM_NAMES, FIELDS), min_size=2, max_size=5)
)
def test_new_records(app: Flask, entries: list[tuple[str, str, dict[str, Any]]]) -> None:
    table = table_of(app)
    for at, form, fields in entries:
        before = table.revision
        check(table, table.send("/record", fields | {"at": at, "form": form}), before)


@BOUNDED
@given(number=st.integers(0, 6), form=FORM_NAMES, fields=FIELDS)
def test_corrected_records(app: Flask, number: int, form: str, fields: dict[str, Any]) -> None:
    table = table_of(app)
    table.noted("1.1.cards", "card", by="mastermind", card="unease_plus_1", on="doctor")
    table.noted("1.1.goodwill", "count", on="teacher", goodwill="4")
    table.noted("1.1.goodwill", "use.teacher.4", target="boy_student", outcome="refused")
    before = table.revision
    check(table, table.send(f"/record/{number}", fields | {"form": form}), before)


@BOUNDED
@given(
    fields=st.dictionaries(
        st.sampled_from([*SHEET, "turf-boss", "day-2", "incident-2", "rows", "more", "revision"]),
        st.lists(VALUES, min_size=1, max_size=4),
        max_size=6,
    )
)
def test_sheets(app: Flask, fields: dict[str, Any]) -> None:
    client = app.test_client()
    games = app.extensions["games"]
    answer = client.post("/new/first_steps", data=SHEET | fields)
    assert answer.status_code in (200, 303, 422)
    if answer.status_code == 303:
        assert client.get(answer.location).status_code == 200
    table = table_of(app)
    before = games.store.get(table.id)
    changed = client.post(f"{table.url}/sheet", data=SHEET | {"revision": 1} | fields)
    assert changed.status_code in (200, 303, 400, 409, 422)
    if changed.status_code != 303:
        assert games.store.get(table.id) == before


@BOUNDED
@given(
    path=st.sampled_from(
        ["", "/log", "/why", "/record/1", "/sheet", "/transcript.txt", "/nothing"]
    ),
    query=st.dictionaries(
        st.sampled_from(["at", "form", "loop", "day", "step", "plot", "role", "incident", *NAMES]),
        VALUES | MOMENTS | FORM_NAMES,
        max_size=5,
    ),
)
def test_addresses(app: Flask, path: str, query: dict[str, str]) -> None:
    table = table_of(app)
    answer = table.client.get(table.url + path, query_string=query)
    assert answer.status_code in (200, 400, 404)


@BOUNDED
@given(text=st.text(max_size=300) | st.binary(max_size=100).map(lambda b: b.decode("latin-1")))
def test_uploads(app: Flask, text: str) -> None:
    answer = app.test_client().post("/upload", data={"text": text})
    assert answer.status_code in (303, 422)
