"""The line notation: every record both ways, and errors that name the place."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.transcript import Ambiguous, Malformed, TableError, load, notation, problems_of
from assistant.transcript.jsonform import dump
from assistant.transcript.kinds import KINDS
from engine.records import PlayedCard, Transcript
from tests.transcript.strategies import records, transcripts

ROOT = Path(__file__).resolve().parents[2]
HEADER = """\
set first_steps
loops 3  days 4  players 3
cast boy_student girl_student shrine_maiden police_officer office_worker doctor
incident 2 homicide
"""
SLOW = settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def read(body: str) -> Transcript:
    return notation.parse(HEADER + body, "game.txt")


def record(line: str, step: str = "1.2 goodwill") -> Any:
    return read(f"== {step}\n{line}\n").records[0]


@SLOW
@given(transcripts())
def test_notation_gives_back_the_same_transcript(transcript: Transcript) -> None:
    text = notation.write(transcript)
    assert notation.parse(text) == transcript, text


@SLOW
@given(transcripts())
def test_json_and_notation_hold_the_same(transcript: Transcript) -> None:
    there = notation.write(load(dump(transcript)))
    assert dump(notation.parse(there)) == dump(transcript)


@pytest.mark.parametrize("tag", sorted(KINDS))
def test_every_kind_has_a_notation(tag: str) -> None:
    @settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(records(tag))
    def both_ways(one: Any) -> None:
        sheet = read("").sheet
        game = Transcript(format="looper-transcript", version=1, sheet=sheet, records=(one,))
        assert notation.parse(notation.write(game)) == game

    both_ways()


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (f"{text}\n", f"{HEADER}== 1.2 night\n{text}\n"):
        with contextlib.suppress(TableError):
            assert notation.write(notation.parse(whole))


def test_the_example_of_the_documentation_is_one_game() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    lines = re.search(r"```notation\n(.*?)```", page, re.DOTALL)
    plain = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert lines is not None
    assert plain is not None
    assert notation.parse(lines[1]) == load(plain[1])
    assert problems_of(lines[1]) == []


def test_short_forms() -> None:
    game = read(
        """
== 1 2 goodw
+u boy_s 2?
  use doc[2] one of girl|boy choose -1 : res   # why not
"""
    )
    assert notation.write(game).split("\n\n")[1] == (
        "== 1.2 goodwill\n"
        "+unease boy_student 2 ?\n"
        "  use doctor[2] girl_student|boy_student choose -1: resolved  # why not\n"
    )


def test_late_start() -> None:
    game = read(
        """
start 2.3 night
  doctor @hospital g2 u1 guard1
  boy_student dead @?
  shrine i2
  spent a goodwill+2
  spent mm none
  occurred 2
  unknown characters.doctor.unease gauge
"""
    )
    assert game.start is not None
    assert game.start.at == (2, 3, "night")
    assert game.start.unknown == ("characters.doctor.unease", "gauge")
    assert game.start.board == {
        "characters": {
            "doctor": {"at": "hospital", "goodwill": 2, "unease": 1, "guard": 1},
            "boy_student": {"at": None, "alive": False},
        },
        "locations": {"shrine": {"intrigue": 2}},
        "spent": {"a": ["goodwill_plus_2"], "mastermind": []},
        "occurred": [2],
    }


def test_a_doubt_is_not_an_unknown_value() -> None:
    sure = record("count gauge ?")
    doubtful = record("? count gauge ?")
    assert (sure.board, sure.doubt) == ({"gauge": None}, False)
    assert (doubtful.board, doubtful.doubt) == ({"gauge": None}, True)


def test_a_card_whose_face_nobody_noted() -> None:
    assert record("a ? > doctor by 2", "1.1 cards") == PlayedCard(
        at=(1, 1, "cards"), by="a", card=None, on="doctor", human=2
    )


@pytest.mark.parametrize(
    ("body", "line", "column", "words"),
    [
        ("== 1.2 nihgt\n", 5, 8, ["night", "Did you mean night?"]),
        ("== 2 night\n", 5, 6, ["the day"]),
        ("== 1.2 night\ndaed doctor\n", 6, 1, ["'daed'", "Did you mean dead"]),
        ("== 1.2 night\ndead\n", 6, 5, ["the line ends here", "a character"]),
        ("== 1.2 night\ndead doctor nurse\n", 6, 13, ["'nurse'", "the end of the line"]),
        ("== 1.2 night\n\ndead doctor # x\n+uneasy doctor\n", 8, 2, ["unease"]),
        ("== 1.2 night\nmoved doctor city\n", 6, 14, ["'>'"]),
        ("== 1.2 goodwill\nuse doctor 2: resolved\n", 6, 12, ["'['"]),
        ("== 1.2 goodwill\nuse doctor[2]\n", 6, 14, ["a target"]),
        ("== 1.2 goodwill\nuse doctor[2]: resolvd\n", 6, 16, ["resolved"]),
        ("== 1.2 night\ncount doctor u2 x\n", 6, 17, ["g2"]),
        ("== 1.2 night\ncount doctor u2 u3\n", 6, 17, ["second time"]),
        ("== 1.2 cards\na unease+1 doctor\n", 6, 12, ["'>'"]),
        ('== 1.2 night\ndead "doctor\n', 6, 6, ["quotation mark"]),
        ("== 1.2 cards\ndead doctor\n", 6, 1, ["death", "cannot stand in the step 'cards'"]),
        ("== 1.0 night\n.\n", 6, 1, ["the day is 0"]),
        ("lops 3\n", 5, 1, ["Did you mean loops?"]),
        ("dead doctor\n", 5, 1, ["== 1.1 cards"]),
        ("loops 2\n", 5, 1, ["'loops' is given a second time"]),
        ("ruling nothing_means_refused = maybe\n", 5, 32, ["yes, no or either"]),
        ("special {kind}\n", 5, 9, ["an object"]),
        ("start 1.1\n", 5, 10, ["a step"]),
        ("start 1.1 night\ndoctor @hospital hungry\n", 6, 18, ["'hungry'", "alive"]),
    ],
)
def test_errors_name_place_and_remedy(body: str, line: int, column: int, words: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        read(body)
    error = caught.value
    assert (error.file, error.line, error.column) == ("game.txt", line, column)
    for word in words:
        assert word in str(error)


def test_an_error_names_the_step_that_it_stands_in() -> None:
    with pytest.raises(Malformed, match="loop 1, day 2, night"):
        read("== 1.2 night\ndead\n")


def test_a_short_form_of_several_ids_is_ambiguous() -> None:
    with pytest.raises(Ambiguous) as caught:
        read("== 1.2 night\ndead o|d\nguard lost  police\n+g doctor\n")
    assert "could be goodwill or guard" in str(caught.value)
    assert (caught.value.line, caught.value.column) == (8, 2)


def test_nothing_is_written_of_a_malformed_transcript() -> None:
    game = read("== 1.2 cards\n.\n")
    bad = Transcript(
        format="looper-transcript",
        version=1,
        sheet=game.sheet,
        records=(record("dead doctor", "1.1 night").__class__(at=(1, 1, "cards"), who="doctor"),),
    )
    with pytest.raises(Malformed):
        notation.write(bad)
