"""Well-formed transcripts: every check refuses its fault, and nothing else is refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.transcript import (
    AgainstTheRules,
    Malformed,
    NotModelled,
    TableError,
    check,
    load_any,
    load_case,
    notation,
    problems,
    problems_of,
)
from engine.records import Transcript
from engine.sets import RULEBOOKS

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
HEADER = """\
set first_steps
loops 3  days 4  players 3
cast boy_student girl_student class_rep shrine_maiden police_officer office_worker doctor
incident 2 homicide
incident 4 suicide
"""


def found(body: str, header: str = HEADER) -> list[TableError]:
    return problems_of(header + body, "game.txt")


SOUND = {
    "all card limits used": """
== 1.1 cards
mm unease+1 > doctor
mm unease+1 > boy_student
mm intrigue+2 > shrine
a forbid_intrigue > shrine
b forbid_intrigue > doctor
c goodwill+2 > class_rep
.
== 1.1 goodwill
.
""",
    "a card comes back": """
== 1.1 cards
a goodwill+2 > class_rep
.
== 1.2 goodwill
use class_rep[2] card goodwill+2: resolved
  back a goodwill+2
.
== 1.3 cards
a goodwill+2 > class_rep
.
""",
    "a card may have come back unnoted": """
== 1.1 cards
a goodwill+2 > class_rep
== 1.1 goodwill
~
== 1.2 cards
a goodwill+2 > class_rep
""",
    "once per loop, each loop": """
== 1.1 cards
mm diagonal > doctor
== 2.1 cards
mm diagonal > doctor
""",
    "a doubtful card does not count": """
== 1.1 cards
a goodwill+2 > doctor ?
a goodwill+1 > doctor
""",
    "a doubtful use still has its effects": """
== 1.1 goodwill
use doctor[2] boy_student choose -1: resolved ?
  -unease boy_student
""",
    "an early end with reveals": """
== 1.2 incident
happens
dead doctor
lost
.
== 1.2 loop_end
reveal girl_student = friend
.
== 1.2 time_spiral
.
== 2.1 loop_start
+goodwill girl_student
.
""",
    "records of the step stand after its loop_over": """
== 1.2 night
you are dead
dead doctor
.
""",
    "a game from the middle": """
start 2.3 incident
  doctor @city dead
  spent a goodwill+2
  occurred 2
  occurred_before homicide
  revealed doctor = brain
  used police_officer 4
  effect freed office_worker
  unknown characters.boy_student.unease spent.b
== 2.3 night
.
""",
    "what is not sure": """
== 1.2 night
dead someone@city
+unease boy_student|girl_student
moved doctor > city|shrine
""",
    "won": """
== 3.4 loop_end
won
.
""",
    "no effect and a later end": """
== 1.2 incident
happens
no effect
lost
""",
}


@pytest.mark.parametrize("body", SOUND.values(), ids=SOUND)
def test_nothing_is_refused_without_need(body: str) -> None:
    assert [str(error) for error in found(body)] == []


UNSOUND = [
    # Ids
    ("== 1.1 night\ndead dactor\n", Malformed, "'dactor'", "Did you mean doctor?"),
    ("== 1.1 night\ndead nurse\n", Malformed, "'nurse' is not on the table", "Add it to the cast"),
    ("== 1.1 night\nmoved doctor > hospitol\n", Malformed, "no location 'hospitol'", "hospital"),
    ("== 1.1 night\nmoved doctor > someone@city\n", Malformed, "somebody_at", "a location"),
    ("== 1.1 night\ndead someone@town\n", Malformed, "no location 'town'", "city"),
    ("== 1.1 night\ndead doctor|dactor\n", Malformed, "'dactor'", "doctor"),
    ("== 1.1 night\nreveal doctor = brian\n", Malformed, "no role 'brian'", "mean brain"),
    ("== 1.1 goodwill\nreveal subplot premeditated_murder\n", Malformed, "no subplot", ""),
    ("== 1.1 goodwill\nuse doctor[2] grl_student: nothing\n", Malformed, "target", "girl_student"),
    ("== 1.1 goodwill\nuse doctor[2] day 3: nothing\n", AgainstTheRules, "day 3", "incidents"),
    ("== 1.1 goodwill\nuse doctor[2] card unese+1: nothing\n", Malformed, "action card", ""),
    ("== 1.1 goodwill\nuse doctor[2] choose 3: nothing\n", Malformed, "the choice is 3", "1, -1"),
    ("== 1.1 goodwill\nreveal culprit 1 = doctor\n", AgainstTheRules, "day 1", ""),
    ("== 1.1 cards\na unease+3 > doctor\n", Malformed, "action card 'unease+3'", ""),
    ("== 1.1 mastermind\n+unease shrine\n", AgainstTheRules, "on a location", "intrigue"),
    ("== 1.1 night\nshifted unease doctor > city\n", AgainstTheRules, "on a location", ""),
    ("== 1.1 night\ngauge 1\n", AgainstTheRules, "no Extra Gauge", ""),
    ("== 1.4 final_guess\nguess doctor = brain: right\n", AgainstTheRules, "Final Guess", "[F-03]"),
    ("== 1.1 day_start\nenters doctor @city\n", AgainstTheRules, "in the cast", "[P-05]"),
    ("== 1.1 night\ncount doctor @moon\n", Malformed, "no place 'moon'", "off_board"),
    ("== 1.1 night\ncount occurred 1\n", AgainstTheRules, "day 1", ""),
    ("== 1.1 night\ncount spent a goodwill+1\n", AgainstTheRules, "'goodwill_plus_1'", "[C-10]"),
    ("== 1.1 night\ncount used doctor 4\n", Malformed, "no ability of doctor '4'", "2"),
    ("== 1.1 night\ncount effect fred doctor\n", Malformed, "lasting effect 'fred'", "mean freed"),
    # Moments
    ("== 4.1 night\n.\n", Malformed, "loop 4 of 3", "number of loops"),
    ("== 1.5 night\n.\n", Malformed, "day 5 of 4", "number of days"),
    ("== 1.2 loop_start\n.\n", Malformed, "loop_start stands on day 2", "day 1"),
    ("== 1.2 night\n.\n== 1.1 night\n.\n", Malformed, "too late", "before record 1"),
    ("start 1.3 cards\n== 1.2 night\n.\n", Malformed, "before the start", "loop 1, day 3"),
    ("start 1.3 incident\n occurred 4\n", AgainstTheRules, "day 4", ""),
    ("start 1.2 incident\n occurred 2\n", AgainstTheRules, "day 2", ""),
    ("start 1.2 night\n unknown characters.nurse\n", Malformed, "'nurse'", ""),
    # Within a step
    ("== 1.1 night\n.\n.\n", Malformed, "a second 'complete'", "Delete"),
    ("== 1.2 incident\nhappens\nno incident\n", Malformed, "judged twice", "Delete"),
    ("== 1.1 incident\nno incident\n", AgainstTheRules, "no incident is scheduled", "sheet"),
    ("== 1.2 incident\nno incident\nno effect\n", AgainstTheRules, "does not happen", "[I-04]"),
    ("== 1.2 incident\nhappens\nno effect\ndead doctor\n", AgainstTheRules, "effect", "[I-04]"),
    ("== 1.1 goodwill\n  +unease doctor\n", Malformed, "by_use", "a use record before it"),
    ("== 1.1 night\nwon\n", AgainstTheRules, "'night'", "[L-08]"),
    # Cards
    (
        "== 1.1 cards\nmm unease+1 > doctor\nmm unease-1 > city\nmm vertical > shrine\n"
        "mm horizontal > school\n",
        AgainstTheRules, "card number 4", "[C-01]",
    ),
    ("== 1.1 cards\nmm unease+1 > doctor\nmm vertical > doctor\n", AgainstTheRules, "has laid one",
     "[C-01]"),
    ("== 1.1 cards\na unease+1 > doctor\nb vertical > doctor\n", AgainstTheRules,
     "'b' lays a card on 'doctor', where 'a'", "[C-01]"),
    ("== 1.1 cards\na unease+1 > doctor\na vertical > city\n", AgainstTheRules, "card number 2",
     "[C-01]"),
    ("== 1.1 cards\na intrigue+2 > shrine\n", AgainstTheRules, "'a' has no card", "[C-01]"),
    ("== 1.1 cards\nmm forbid_intrigue > city\n", AgainstTheRules, "'mastermind' has no", "[C-01]"),
    ("== 1.1 cards\nmm intrigue+1 > city\nmm intrigue+1 > shrine\n", AgainstTheRules, "only 1 of",
     "[C-01]"),
    ("== 1.1 cards\nmm intrigue+2 > city\n== 1.3 cards\nmm intrigue+2 > city\n", AgainstTheRules,
     "a second time in loop 1", "[C-10]"),
    ("== 1.1 cards\na goodwill+2 > doctor\n.\n== 1.1 goodwill\n.\n== 1.2 cards\n"
     "a goodwill+2 > doctor\n", AgainstTheRules, "a second time", "[C-10]"),
    ("start 1.2 cards\n spent mm diagonal\n== 1.2 cards\nmm diagonal > doctor\n", AgainstTheRules,
     "a second time", "[C-10]"),
    ("== 1.1 goodwill\nback a goodwill+1\n", AgainstTheRules, "never stays out", "[C-10]"),
    ("== 1.1 cards\n= doctor u1\n= doctor u2\n", AgainstTheRules, "second card result", ""),
    ("== 1.1 cards\n= shrine u1\n", AgainstTheRules, "'unease'", "[C-11]"),
    # Ends
    ("== 1.2 night\nlost\n== 1.3 cards\n.\n", AgainstTheRules, "was over", "[L-01]"),
    ("== 1.2 night\nlost\n== 1.2 loop_end\nlost\n", AgainstTheRules, "only reveals", "[L-05]"),
    ("== 1.2 night\nlost\n== 1.3 loop_end\n.\n", AgainstTheRules, "was over", "[L-01]"),
    ("== 1.4 loop_end\n.\n== 1.4 time_spiral\n.\n== 2.1 night\n.\n== 2.2 loop_end\n.\n"
     "== 2.3 loop_end\n.\n", AgainstTheRules, "ended on day 2", "next loop"),
    ("== 1.4 loop_end\nwon\n== 2.1 cards\n.\n", AgainstTheRules, "game was over", "[L-08]"),
    ("== 1.4 loop_end\nwon\n== 1.4 final_guess\n.\n", AgainstTheRules, "no Final Guess", "[L-08]"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "kind", "what", "more"), UNSOUND, ids=[c[0] for c in UNSOUND])
def test_each_fault_is_named(body: str, kind: type[TableError], what: str, more: str) -> None:
    errors = found(body)
    assert [type(error) for error in errors] == [kind], [str(error) for error in errors]
    text = str(errors[0])
    assert what in text
    assert more in text
    assert text.startswith("game.txt, line ")
    with pytest.raises(kind):
        load_any(HEADER + body)


SHEETS = [
    (
        "set first_stips\nloops 3 days 4\ncast doctor\n",
        NotModelled,
        "'first_stips'",
        "first_steps?",
    ),
    ("set first_steps\nloops 3 days 4\ncast doctor docter\n", NotModelled, "'docter'", "doctor?"),
    ("set first_steps\nloops 3 days 4\ncast doctor doctor\n", Malformed, "twice", "Delete"),
    ("set first_steps\nloops 3 days 4\ncast\n", Malformed, "the cast is empty", ""),
    (HEADER + "incident 5 homicide\n", Malformed, "day 5 of 4", ""),
    (HEADER + "incident 2 homicide\n", Malformed, "stands twice on day 2", "[I-19]"),
    (HEADER + "incident 3 homiced\n", Malformed, "no incident 'homiced'", "homicide?"),
    (HEADER + "turf doctor @city\n", AgainstTheRules, "has no turf", "Delete"),
    (HEADER + "ruling nothing_maens_refused = no\n", Malformed, "table ruling", "nothing_means"),
    (HEADER + 'special {"kind": "role_override"}\n', NotModelled, "role_override", ""),
    (HEADER + 'special {"kind": "secret_rule", "text": "x"}\n', NotModelled, "secret_rule", ""),
]


@pytest.mark.parametrize(("text", "kind", "what", "more"), SHEETS, ids=[c[0] for c in SHEETS])
def test_each_fault_of_the_sheet_is_named(
    text: str, kind: type[TableError], what: str, more: str
) -> None:
    errors = found("", text)
    assert [type(error) for error in errors] == [kind], [str(error) for error in errors]
    assert what in str(errors[0])
    assert more in str(errors[0])


def test_a_card_with_a_turf_needs_one() -> None:
    with_turf = [who for who, card in RULEBOOKS["first_steps"].characters.items() if card.has_turf]
    assert with_turf
    text = f"set first_steps\nloops 3 days 4\ncast doctor {with_turf[0]}\n"
    (error,) = found("", text)
    assert isinstance(error, Malformed)
    assert "the turf of" in str(error)
    assert found("", f"{text}turf {with_turf[0]} @city\n") == []


def test_a_late_character_may_be_there_before_a_late_start() -> None:
    late = [who for who, card in RULEBOOKS["first_steps"].characters.items() if card.entry]
    assert late
    seen = f"== 2.3 night\ndead {late[0]}\n"
    assert found(f"start 2.3 night\n {late[0]} @shrine\n{seen}") == []
    (error,) = found(f"start 2.3 night\n{seen}")
    assert "cast_complete: false" in str(error)
    assert found(f"cast ...\n{seen}") == []


def test_all_faults_are_told_in_reading_order() -> None:
    errors = found("== 1.1 night\ndead dactor\n.\n.\n== 1.2 night\nwon\n")
    assert [error.record for error in errors] == [1, 3, 4]
    assert [error.line for error in errors] == [7, 9, 11]


def test_a_transcript_made_in_code_is_checked_for_its_form_too() -> None:
    game = notation.parse(HEADER + "== 1.1 night\ndead doctor\n")
    moved = msgspec.structs.replace(game.records[0], at=(1, 1, "cards"))
    bad = msgspec.structs.replace(game, records=(moved,))
    (error,) = problems(bad)
    assert isinstance(error, Malformed)
    assert str(error).startswith("record 1 (loop 1, day 1, cards): a 'death' record cannot stand")
    with pytest.raises(Malformed):
        check(bad)


@pytest.mark.skipif(not CASES.is_dir(), reason="the published cases are not beside it")
def test_published_cases_of_modelled_sets_are_well_formed() -> None:
    judged = 0
    for path in sorted(CASES.rglob("*.json")):
        transcript: Transcript = load_case(path).transcript
        if transcript.sheet.set in RULEBOOKS:
            judged += 1
            assert [str(error) for error in problems(transcript)] == [], path
        else:
            assert [type(error) for error in problems(transcript)] == [NotModelled], path
    assert judged
