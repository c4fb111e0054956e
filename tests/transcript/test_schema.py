"""The published JSON schema says exactly what reading accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.transcript import TableError, dump, load
from assistant.transcript.schema import schema, schema_text
from engine.records import Transcript
from tests.transcript.strategies import transcripts

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
SCHEMA = schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SLOW = settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
)
STRAY = st.sampled_from(
    [None, True, 0, -3, 2, 100, 1.5, "", "doctor", "Doctor X", "night", "won", "2a", [], ["doctor"],
     {}, {"one_of": ["doctor"]}, {"somebody_at": "city"}, {"day": 2}, {"x": 1}]
)  # fmt: skip


def test_the_schema_is_itself_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_file_is_up_to_date() -> None:
    file = ROOT / "docs" / "transcript.schema.json"
    assert file.read_text(encoding="utf-8") == schema_text(), (
        "run: python -m assistant.transcript.schema > docs/transcript.schema.json"
    )


@SLOW
@given(transcripts())
def test_what_is_written_fits_the_schema(transcript: Transcript) -> None:
    VALIDATOR.validate(json.loads(dump(transcript)))


@SLOW
@given(transcripts(most=2), st.data())
def test_schema_and_reading_refuse_the_same(transcript: Transcript, data: st.DataObject) -> None:
    raw = json.loads(dump(transcript))
    _damage(raw, data)
    try:
        load(json.dumps(raw))
    except TableError:
        accepted = False
    else:
        accepted = True
    assert VALIDATOR.is_valid(raw) == accepted


def _damage(raw: dict[str, Any], data: st.DataObject) -> None:
    """Change, add or drop one value somewhere in a JSON object."""
    holder: Any = raw
    while True:
        inside = [
            key
            for key in (range(len(holder)) if isinstance(holder, list) else sorted(holder))
            if isinstance(holder[key], dict | list) and holder[key]
        ]
        if not inside or data.draw(st.integers(0, 3)) == 0:
            break
        holder = holder[data.draw(st.sampled_from(inside))]
    if isinstance(holder, list):
        if holder:
            holder[data.draw(st.integers(0, len(holder) - 1))] = data.draw(STRAY)
        return
    names = [*sorted(holder), "n", "who", "one_of", "asked", "doubt", "alive"]
    name = data.draw(st.sampled_from(names))
    if name in holder and data.draw(st.booleans()):
        del holder[name]
    else:
        holder[name] = data.draw(STRAY)


@pytest.mark.skipif(not CASES.is_dir(), reason="the published cases are not beside it")
def test_published_cases_fit_the_schema() -> None:
    cases = sorted(CASES.rglob("*.json"))
    assert cases
    for path in cases:
        VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8"))["transcript"])
