"""The JSON form: exact both ways, strict, and with errors that people can use."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from assistant.transcript import (
    Malformed,
    TableError,
    dump,
    load,
    load_any,
    load_case,
    load_script,
)
from engine.records import Death, Transcript, Unsure
from tests.transcript.strategies import transcripts

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
SCRIPTS = ROOT.parent / "shared" / "scripts"
NO_CASES = pytest.mark.skipif(not CASES.is_dir(), reason="the published cases are not beside it")

RAW: dict[str, Any] = {
    "format": "looper-transcript",
    "version": 1,
    "title": "a game",
    "sheet": {
        "set": "first_steps",
        "loops": 3,
        "days": 4,
        "players": 3,
        "cast": ["boy_student", "doctor"],
        "cast_complete": True,
        "turf": {},
        "incidents": [{"day": 2, "incident": "homicide"}],
        "special_rules": [],
    },
    "rulings": {},
    "announces": "every_token",
    "start": {"at": [1, 2, "goodwill"], "board": {}, "unknown": []},
    "records": [
        {"at": [1, 2, "goodwill"], "kind": "use", "who": "doctor", "ability": 2,
         "target": "boy_student", "outcome": "resolved"},
        {"at": [1, 2, "goodwill"], "kind": "token", "on": "boy_student", "token": "unease",
         "n": -1, "by_use": True},
        {"at": [1, 2, "goodwill"], "kind": "complete"},
    ],
}  # fmt: skip
SCRIPT: dict[str, Any] = {
    "id": "x",
    "title": "X",
    "set": "first_steps",
    "main_plot": "one",
    "subplots": ["two"],
    "days": 4,
    "loops": [3],
    "cast": {"doctor": "brain"},
    "incidents": [{"day": 2, "incident": "homicide", "culprit": "doctor"}],
}


def text_of(change: Callable[[dict[str, Any]], object]) -> str:
    """Return a transcript with one thing changed, each record on a line of its own."""
    raw = copy.deepcopy(RAW)
    change(raw)
    records = ",\n".join(json.dumps(record) for record in raw.pop("records"))
    return f'{json.dumps(raw)[:-1]}, "records": [\n{records}\n]}}'


def with_record(step: str = "night", **fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda raw: raw["records"].append({"at": [1, 2, step], **fields})


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(transcripts())
def test_reading_what_was_written_gives_the_same(transcript: Transcript) -> None:
    text = dump(transcript)
    assert load(text) == transcript
    assert dump(load(text)) == text


def test_one_record_a_line_with_no_needless_fields() -> None:
    lines = dump(load(json.dumps(RAW))).splitlines()
    assert '  {"at": [1, 2, "goodwill"], "kind": "complete"}' in lines
    assert sum('"kind"' in line for line in lines) == 3
    assert '"doubt"' not in "".join(lines)


def test_a_path_or_a_text(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    text = json.dumps(RAW)
    file.write_bytes(b"\xef\xbb\xbf" + text.replace(", ", ",\r\n").encode())
    assert load(file) == load(str(file)) == load(text) == load_any(file, checked=False)


def test_a_wrong_encoding_names_the_place(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b'{\n "title": "\xe9"}')
    with pytest.raises(Malformed, match=r"game\.json, line 2, column 12: byte 0xe9 is not UTF-8"):
        load(file)


def test_what_is_not_sure_may_stand_where_a_card_is_named() -> None:
    several = load(text_of(with_record(kind="death", who={"one_of": ["doctor", "boy_student"]})))
    assert several.records[-1] == Death(
        at=(1, 2, "night"), who=Unsure(one_of=("doctor", "boy_student"))
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('{\n "format": "x",\n}', 3, 1, "this is not JSON"),
        ('{"a": 1\n "b": 2}', 2, 2, "comma"),
        ('{"a": 1,\n  "a": 2}', 2, 3, "stands twice"),
        ('{"a": [1, {"b": 2, "b": 3}]}', 1, 20, "'b' stands twice"),
        ("[]", None, None, "no object"),
        ('{"n": NaN}', None, None, "NaN is no number"),
        ('{"n": 1e999}', None, None, "1e999 is no number"),
        ('{"n": ' + "1" * 5000 + "}", None, None, "too many digits"),
        ('{"a":' * 3000, None, None, "nested too deeply"),
        (r'{"title": "\ud800"}', None, None, "half of a character"),
        ('{"case": 1, "transcript": {}}', None, None, "this is a case"),
        ('{"main_plot": 1}', None, None, "this is a script"),
        ("{}", None, None, "'format'"),
    ],
)
def test_texts_that_are_no_transcript(
    text: str, line: int | None, column: int | None, words: str
) -> None:
    with pytest.raises(Malformed, match=words) as caught:
        load(text, "game.json")
    assert (caught.value.file, caught.value.line, caught.value.column) == (
        "game.json",
        line,
        column,
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_record(kind="deth", who="doctor"),
         ["record 4 (loop 1, day 2, night)", "line 5", "no record kind 'deth'", "mean death"]),
        (with_record(who="doctor"), ["record 4", "lacks the field 'kind'", "placed, enters"]),
        (with_record(kind="death"), ["'death' lacks the field 'who'", "an id or", 'Add "who"']),
        (with_record(kind="death", whom="doctor"), ["no field 'whom'", "who,", "mean who"]),
        (with_record(kind="death", who=3), ["'who' is 3", "one_of", "somebody_at"]),
        (with_record(kind="death", who="Doctor"), ["'who' is \"Doctor\"", "an id"]),
        (with_record(kind="death", who={}), ["this place gives nothing", "one_of or somebody_at"]),
        (with_record(kind="death", who={"one_of": []}), ["'one_of' is []", "not empty"]),
        (with_record(kind="death", who={"one_of": ["a", "a"]}), ["somebody twice"]),
        (with_record(kind="death", who={"some_at": "city"}), ["'some_at'", "somebody_at?"]),
        (with_record(kind="token", on="doctor", token="uneasy", n=1),
         ["'token' is \"uneasy\"", '"goodwill"', "mean unease"]),
        (with_record(kind="token", on="doctor", token="unease", n=True), ["'n' is true", "-99"]),
        (with_record(kind="token", on="doctor", token="unease", n=0), ["0 tokens", "Delete"]),
        (with_record("cards", kind="death", who="doctor"),
         ["a 'death' record cannot stand in the step 'cards'", "goodwill, incident or night"]),
        (with_record("nigth", kind="complete"), ['the step is "nigth"', "mean night"]),
        (with_record("goodwill", kind="use", who="doctor", ability="2a3", outcome="refused"),
         ["'ability' is \"2a3\"", "a whole number from 1 to 99"]),
        (with_record("goodwill", kind="use", who="doctor", ability=2, outcome="nope"),
         ["'outcome'", '"resolved"']),
        (with_record("goodwill", kind="use", who="doctor", ability=2, outcome="nothing",
                     target={"from": "doctor"}),
         ["this target gives 'from'", "character + to, from + to + token"]),
        (with_record(kind="reveal", role_of="doctor"), ["this reveal gives 'role_of'", "+ role"]),
        (with_record(kind="reveal", role_of="doctor", role="brain", subplot="x"), ["this reveal"]),
        (with_record(kind="recount", board={"charcters": {}}), ["'charcters'", "mean characters"]),
        (with_record(kind="recount", board={"characters": {"doctor": {"unease": -1}}}),
         ["'unease' is -1", "from 0 to 99 or null"]),
        (with_record(kind="recount", board={"spent": {"d": []}}), ["'d' cannot stand in 'spent'"]),
        (lambda raw: raw["sheet"].pop("cast_complete"), ["lacks the field 'cast_complete'"]),
        (lambda raw: raw["sheet"].update(player=2), ["no field 'player'", "mean players?"]),
        (lambda raw: raw["sheet"].update(players=4), ["'players' is 4", "from 1 to 3"]),
        (lambda raw: raw["sheet"]["special_rules"].append({}), ["lacks its kind"]),
        (lambda raw: raw["sheet"]["turf"].update({"The X": "city"}), ["'The X' cannot stand"]),
        (lambda raw: raw["start"]["unknown"].append("doctor"), ["'doctor' names nothing"]),
        (lambda raw: raw["rulings"].update(x="yes"), ["'x' is \"yes\"", "true or false"]),
        (lambda raw: raw.update(version=2), ["version 2", "expected version 1"]),
        (lambda raw: raw.update(comment="?"), ["no field 'comment'", 'Delete "comment"']),
    ],
)  # fmt: skip
def test_errors_say_what_was_found_expected_and_to_do(
    change: Callable[[dict[str, Any]], object], words: list[str]
) -> None:
    with pytest.raises(Malformed) as caught:
        load(text_of(change), "game.json")
    for word in ["game.json", *words]:
        assert word in str(caught.value)


def test_an_error_carries_its_parts() -> None:
    with pytest.raises(TableError) as caught:
        load(text_of(with_record(kind="token", on="doctor", token="unease", n="two")), "game.json")
    error = caught.value
    assert (error.file, error.line, error.record, error.at) == (
        "game.json", 5, 4, (1, 2, "night"),
    )  # fmt: skip
    assert error.path == ("records", 3, "n")
    assert str(error) == (
        "game.json, line 5, column 77, record 4 (loop 1, day 2, night): "
        "'n' is \"two\"; expected a whole number from -99 to 99."
    )


def test_scripts_may_carry_what_says_nothing_about_the_game() -> None:
    extras = {
        "official": True,
        "difficulty": {"3": 1},
        "family": "x",
        "notes": [],
        "title_other": [],
    }
    assert load_script(json.dumps(SCRIPT | extras)) == load_script(json.dumps(SCRIPT))
    with pytest.raises(Malformed, match=r"no field 'main_plots'.*Did you mean main_plot"):
        load_script(json.dumps(SCRIPT | {"main_plots": "x"}))


def test_an_error_in_a_case_names_the_record_in_its_transcript() -> None:
    case = {"case": "c", "rulings": ["L-02"], "title": "t", "transcript": RAW,
            "scripts": [{"script": SCRIPT, "possible": True, "why": "because"}]}  # fmt: skip
    assert load_case(json.dumps(case)).scripts[0].script.cast == {"doctor": "brain"}
    broken = copy.deepcopy(case)
    broken["transcript"]["records"][1]["token"] = "uneasy"  # type: ignore[index]
    with pytest.raises(Malformed) as caught:
        load_case(json.dumps(broken), "case.json")
    assert (caught.value.record, caught.value.at) == (2, (1, 2, "goodwill"))


@NO_CASES
def test_published_cases_and_scripts_are_read() -> None:
    cases = sorted(CASES.rglob("*.json"))
    assert cases
    for path in cases:
        transcript = load_case(path).transcript
        assert load(dump(transcript)) == transcript, path
    for path in sorted(SCRIPTS.glob("*.json")):
        assert load_script(path).cast, path
