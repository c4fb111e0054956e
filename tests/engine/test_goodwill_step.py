"""The Goodwill step: every ability of First Steps used, refused, and without effect."""

from typing import Any

import pytest

from engine.replay import replay
from engine.steps import goodwill, targets
from engine.table import compile_table
from tests.engine.tools import (
    FIRST,
    HIDEOUS,
    MURDER,
    PROTECT,
    RIPPER,
    fits,
    people,
    ruling,
    script,
    transcript,
    view_of,
)

STEP = (2, 2, "goodwill")
CAST = (
    *("boy_student", "girl_student", "rich_student", "class_rep", "mystery_boy", "patient"),
    *("shrine_maiden", "pop_idol", "police_officer", "office_worker", "informant", "nurse"),
    *("journalist", "doctor", "henchman", "teacher", "soldier", "alien", "black_cat"),
)
INCIDENT = ((1, "increasing_unease", "office_worker"),)

Fields = dict[str, Any]


def tokens(on: str, kind: str, n: int) -> list[Fields]:
    return [{"on": on, "token": kind, "n": n}]


def upset(who: str) -> Fields:
    return {who: {"unease": 2}}


# Who uses what, aimed at what; what acceptance shows; the board.
USES: list[tuple[str, int | str, Fields, list[Fields], Fields]] = [
    ("boy_student", 2, {"target": "girl_student"},
     tokens("girl_student", "unease", -1), upset("girl_student")),
    ("girl_student", 2, {"target": "boy_student"},
     tokens("boy_student", "unease", -1), upset("boy_student")),
    ("rich_student", 3, {"target": "teacher"}, tokens("teacher", "goodwill", 1), {}),
    ("shrine_maiden", 3, {"target": "shrine"}, tokens("shrine", "intrigue", -1), {}),
    ("shrine_maiden", 5, {"target": "alien"}, [{"role_of": "alien", "role": "person"}], {}),
    ("pop_idol", 3, {"target": "informant"}, tokens("informant", "unease", -1), upset("informant")),
    ("pop_idol", 4, {"target": "informant"}, tokens("informant", "goodwill", 1), {}),
    ("police_officer", 4, {"target": {"day": 1}},
     [{"culprit_of": 1, "culprit": "office_worker"}], {}),
    ("police_officer", 5, {"target": "informant"}, tokens("informant", "guard", 1), {}),
    ("office_worker", 3, {"target": "office_worker"},
     [{"role_of": "office_worker", "role": "person"}], {}),
    ("journalist", "2a", {"target": "nurse"}, tokens("nurse", "unease", 1), {}),
    ("journalist", "2b", {"target": "city"}, tokens("city", "intrigue", 1), {}),
    ("doctor", 2, {"target": "patient", "choice": 1}, tokens("patient", "unease", 1), {}),
    ("doctor", 2, {"target": "patient", "choice": -1},
     tokens("patient", "unease", -1), upset("patient")),
    ("teacher", 3, {"target": "boy_student", "choice": 1}, tokens("boy_student", "unease", 1), {}),
    ("teacher", 4, {"target": "boy_student"}, [{"role_of": "boy_student", "role": "person"}], {}),
    ("soldier", 2, {"target": "nurse"}, tokens("nurse", "unease", 2), {}),
    ("alien", 5, {"target": "shrine_maiden"},
     [{"who": "shrine_maiden"}], {"shrine_maiden": {"alive": False}}),
]  # fmt: skip
QUIET = [
    ("henchman", 3, {"target": "henchman"}, {"henchman": {"at": "city"}}),
    ("doctor", 3, {"target": "patient"}, {}),
    ("soldier", 5, {}, {}),
    ("boy_student", 2, {"target": "girl_student"}, {}),
    ("doctor", 2, {"target": "patient", "choice": -1}, {}),
    ("shrine_maiden", 3, {"target": "shrine"}, {}),
]


def everybody(**roles: str) -> Any:
    """Return a script with the whole First Steps cast; these have a role, the rest have none."""
    rest = [who for who in CAST if who not in roles]
    return script(FIRST, {"mystery_boy": "friend", **roles}, *rest, incidents=INCIDENT)


def kind_of(fields: dict[str, Any]) -> str:
    if "role_of" in fields or "culprit_of" in fields:
        return "reveal"
    return "token" if "token" in fields else "revived"


def declared(
    who: str, ability: Any, aim: dict[str, Any], outcome: str
) -> tuple[str, dict[str, Any]]:
    return "use", {"who": who, "ability": ability, "outcome": outcome, **aim}


def board_for(who: str, more: dict[str, Any], intrigue: bool = True) -> dict[str, Any]:
    cards = {name: dict(values) for name, values in more.items()}
    cards.setdefault(who, {})["goodwill"] = 5
    board: Fields = {"characters": cards, "occurred": [1]}
    board["locations"] = {"shrine": {"intrigue": int(intrigue)}}
    return board


@pytest.mark.parametrize(("who", "ability", "aim", "shown", "more"), USES)
def test_an_accepted_use_shows_its_effect_and_a_refused_one_nothing(
    who: str, ability: Any, aim: dict[str, Any], shown: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    board = board_for(who, more)
    effects = [(kind_of(fields), {**fields, "by_use": True}) for fields in shown]
    accepted = (declared(who, ability, aim, "resolved"), *effects)
    person, brain = everybody(nurse="brain"), everybody(**{who: "brain"})
    if who == "nurse":
        person = everybody(doctor="brain")
    assert fits(person, STEP, board, *accepted)
    # Something had to be seen; nobody without a refusing role can be refused.
    assert not fits(person, STEP, board, declared(who, ability, aim, "resolved"))
    for outcome in ("refused", "nothing"):
        assert not fits(person, STEP, board, declared(who, ability, aim, outcome))
        assert fits(brain, STEP, board, declared(who, ability, aim, outcome))
        assert not fits(brain, STEP, board, declared(who, ability, aim, outcome), *effects)
    # A Cultist has to refuse.
    cultist = script(
        PROTECT,
        {"mystery_boy": "friend", "black_cat": "key_person", who: "cultist"},
        *(one for one in CAST if one not in ("mystery_boy", "black_cat", who)),
        incidents=INCIDENT,
    )
    assert ruling(cultist, STEP, board, *accepted) == "G-05"
    assert fits(cultist, STEP, board, declared(who, ability, aim, "refused"))


@pytest.mark.parametrize(("who", "ability", "aim", "more"), QUIET)
def test_a_use_without_a_trace_may_be_accepted_in_any_words(
    who: str, ability: Any, aim: dict[str, Any], more: dict[str, Any]
) -> None:
    board = board_for(who, more, intrigue=False)
    person, brain = everybody(nurse="brain"), everybody(**{who: "brain"})
    for outcome in ("resolved", "nothing"):
        assert fits(person, STEP, board, declared(who, ability, aim, outcome))
        assert fits(brain, STEP, board, declared(who, ability, aim, outcome))
    assert ruling(person, STEP, board, declared(who, ability, aim, "refused")) == "G-06"
    assert fits(brain, STEP, board, declared(who, ability, aim, "refused"))


def test_a_table_may_keep_the_word_nothing_for_refusals() -> None:
    use = declared("boy_student", 2, {"target": "girl_student"}, "nothing")
    board = board_for("boy_student", {})
    strict = {"rulings": {"nothing_means_refused": True}}
    assert not fits(everybody(nurse="brain"), STEP, board, use, **strict)
    assert fits(everybody(boy_student="brain"), STEP, board, use, **strict)


# What cannot be refused ---------------------------------------------------------------------


def test_the_nurse_and_the_mystery_boy_are_never_refused() -> None:
    sick = board_for("nurse", {"patient": {"unease": 2}})
    help_him = declared("nurse", 2, {"target": "patient"}, "resolved")
    taken = ("token", {"on": "patient", "token": "unease", "n": -1, "by_use": True})
    for secret in (everybody(nurse="brain"), everybody(doctor="brain")):
        assert fits(secret, STEP, sick, help_him, taken)
        for outcome in ("refused", "nothing"):
            use = declared("nurse", 2, {"target": "patient"}, outcome)
            assert ruling(secret, STEP, sick, use) == "G-08"
    known = board_for("mystery_boy", {})
    asked = declared("mystery_boy", 3, {"target": "mystery_boy"}, "resolved")
    told = ("reveal", {"role_of": "mystery_boy", "role": "cultist", "by_use": True})
    outsider = everybody(mystery_boy="cultist", nurse="brain")
    assert fits(outsider, STEP, known, asked, told)
    assert ruling(everybody(nurse="brain"), STEP, known, asked, told) == "G-08"
    refused = declared("mystery_boy", 3, {"target": "mystery_boy"}, "refused")
    assert ruling(outsider, STEP, known, refused) == "G-08"


def test_only_the_role_of_the_user_counts() -> None:
    board = board_for("boy_student", {})
    use = declared("boy_student", 2, {"target": "girl_student"}, "refused")
    assert ruling(everybody(girl_student="brain"), STEP, board, use) == "G-06"


# Cards, subplots ----------------------------------------------------------------------------


def test_class_rep_takes_back_a_spent_card_of_the_leader() -> None:
    board = {
        "characters": {"class_rep": {"goodwill": 2}},
        "leader": "a",
        "spent": {"a": ["goodwill_plus_2"]},
    }
    use = declared("class_rep", 2, {"target": {"card": "goodwill_plus_2"}}, "resolved")
    back = ("card_back", {"deck": "a", "card": "goodwill_plus_2", "by_use": True})
    assert fits(everybody(nurse="brain"), STEP, board, use, back)
    assert not fits(everybody(nurse="brain"), STEP, board, use)
    assert fits(
        everybody(class_rep="brain"),
        STEP,
        board,
        declared("class_rep", 2, {"target": {"card": "goodwill_plus_2"}}, "nothing"),
    )


def test_the_informant_hears_another_subplot_or_nothing_where_none_is_left() -> None:
    board = people(informant={"goodwill": 5})
    secret = script(
        RIPPER,
        {"nurse": "brain", "doctor": "conspiracy_theorist", "alien": "serial_killer"},
        "informant",
    )

    def asked(subplot: str, outcome: str) -> tuple[str, dict[str, Any]]:
        return declared("informant", 5, {"target": subplot}, outcome)

    told = ("reveal", {"subplot": "shadow_of_the_ripper", "by_use": True})
    assert fits(secret, STEP, board, asked("a_hideous_script", "resolved"), told)
    assert not fits(secret, STEP, board, asked("shadow_of_the_ripper", "resolved"), told)
    assert fits(secret, STEP, board, asked("shadow_of_the_ripper", "nothing"))
    assert ruling(secret, STEP, board, asked("a_hideous_script", "nothing")) == "G-12"
    lie = ("reveal", {"subplot": "an_unsettling_rumor", "by_use": True})
    assert not fits(secret, STEP, board, asked("a_hideous_script", "resolved"), lie)


# Kills ---------------------------------------------------------------------------------------

KILL = declared("alien", 4, {"target": "shrine_maiden"}, "resolved")
DEATH = ("death", {"who": "shrine_maiden", "by_use": True})
GUARD = ("guard_lost", {"who": "shrine_maiden", "by_use": True})
LOST = ("loop_over", {"word": "lost"})


def alone(**roles: str) -> Any:
    people_left = [who for who in ("alien", "shrine_maiden", "police_officer") if who not in roles]
    plots = MURDER if "key_person" in roles.values() else FIRST
    return script(plots, roles, *people_left)


def test_an_accepted_kill_kills_or_takes_the_guard() -> None:
    board = people(alien={"goodwill": 4})
    secret = alone(nurse="brain", doctor="conspiracy_theorist")
    assert fits(secret, STEP, board, KILL, DEATH)
    assert ruling(secret, STEP, board, KILL) == "G-14"
    guarded = people(alien={"goodwill": 4}, shrine_maiden={"guard": 1})
    assert fits(secret, STEP, guarded, KILL, GUARD)
    assert not fits(secret, STEP, guarded, KILL, DEATH)
    quiet = declared("alien", 4, {"target": "shrine_maiden"}, "nothing")
    assert not fits(secret, STEP, board, quiet)
    assert fits(alone(alien="brain", nurse="conspiracy_theorist"), STEP, board, quiet)


def test_the_death_of_a_key_person_ends_the_loop_at_once() -> None:
    board = people(alien={"goodwill": 4})
    roles = {"nurse": "brain", "doctor": "conspiracy_theorist", "soldier": "murderer"}
    key = alone(shrine_maiden="key_person", **roles)
    other = alone(police_officer="key_person", **roles)
    assert fits(key, STEP, board, KILL, DEATH, LOST)
    assert not fits(other, STEP, board, KILL, DEATH, LOST)
    goes_on = (KILL, DEATH, ("incident", "complete", {}))
    assert ruling(key, STEP, board, *goes_on) == "L-02"
    assert fits(other, STEP, board, *goes_on)
    later = {"rulings": {"key_person_death_ends_loop": False}}
    assert fits(key, STEP, board, *goes_on, **later)
    again = declared("police_officer", 5, {"target": "police_officer"}, "resolved")
    placed = ("token", {"on": "police_officer", "token": "guard", "n": 1, "by_use": True})
    both = people(alien={"goodwill": 4}, police_officer={"goodwill": 5})
    assert ruling(key, STEP, both, KILL, DEATH, again, placed) == "L-02"
    assert fits(other, STEP, both, KILL, DEATH, again, placed)


def test_nothing_else_ends_a_loop_in_this_step() -> None:
    secret = alone(nurse="brain", doctor="conspiracy_theorist")
    assert not fits(secret, STEP, {}, LOST)
    assert not fits(secret, STEP, {}, ("loop_over", {"word": "dead"}))


# Effects that last ----------------------------------------------------------------------------


def test_goodwill_that_came_a_moment_ago_counts() -> None:
    secret = everybody(nurse="brain")
    board = people(rich_student={"goodwill": 3}, teacher={"goodwill": 3}, boy_student={})
    gift = declared("rich_student", 3, {"target": "teacher"}, "resolved")
    gain = ("token", {"on": "teacher", "token": "goodwill", "n": 1, "by_use": True})
    ask = declared("teacher", 4, {"target": "boy_student"}, "resolved")
    told = ("reveal", {"role_of": "boy_student", "role": "person", "by_use": True})
    assert fits(secret, STEP, board, gift, gain, ask, told)


def test_a_soldier_who_may_have_refused_explains_both_what_follows() -> None:
    """Nothing heard: shield or not is settled by what comes later (G-15, G-18)."""
    board = people(soldier={"goodwill": 5}, doctor={"intrigue": 4})
    roles = {"nurse": "key_person", "alien": "brain", "informant": "conspiracy_theorist"}
    murder = {**roles, "doctor": "murderer"}
    person = script(MURDER, murder, "soldier")
    refuser = script(
        ("first_steps", "premeditated_murder", ("a_hideous_script",)),
        {**murder, "soldier": "curmudgeon", "teacher": "friend"},
    )
    heard = declared("soldier", 5, {}, "nothing")
    dead = ("night", "loop_over", {"word": "dead"})
    assert fits(person, STEP, board, heard, ("night", "complete", {}))
    assert ruling(person, STEP, board, heard, dead) == "D-12"
    assert fits(refuser, STEP, board, heard, dead)
    said = declared("soldier", 5, {}, "resolved")
    assert not fits(refuser, STEP, board, said, dead)
    assert fits(refuser, STEP, board, declared("soldier", 5, {}, "refused"), dead)


def test_a_henchman_promise_is_kept_for_the_loop() -> None:
    roles = {"nurse": "brain", "informant": "conspiracy_theorist", "teacher": "friend"}
    incidents = ((2, "suicide", "henchman"),)
    person = script(HIDEOUS, roles, "henchman", "alien", incidents=incidents)
    refuser = script(HIDEOUS, {**roles, "henchman": "curmudgeon"}, "alien", incidents=incidents)
    board = {
        "characters": {"henchman": {"at": "city", "goodwill": 3, "unease": 1}},
        "starts": {"henchman": "city"},
    }
    occurs = [
        ("incident", "incident", {"occurs": True}),
        ("incident", "death", {"who": "henchman"}),
    ]
    quiet = [("incident", "incident", {"occurs": False})]
    for outcome, happened, stayed_quiet in (
        ("resolved", (False, False), (True, True)),
        ("nothing", (False, True), (True, True)),
        ("refused", (False, True), (False, False)),
    ):
        use = declared("henchman", 3, {"target": "henchman"}, outcome)
        for told, expected in ((occurs, happened), (quiet, stayed_quiet)):
            got = tuple(fits(secret, STEP, board, use, *told) for secret in (person, refuser))
            assert got == expected, (outcome, told)
    assert (
        ruling(
            person,
            STEP,
            board,
            declared("henchman", 3, {"target": "henchman"}, "resolved"),
            *occurs,
        )
        == "G-16"
    )


# The machine ----------------------------------------------------------------------------------


def test_every_ability_of_the_cast_is_offered_with_legal_targets_only() -> None:
    secret = everybody(nurse="brain")
    cards = {who: {"goodwill": 5} for who in CAST}
    view = view_of(secret, {"characters": {**cards, "henchman": {"at": "city", "goodwill": 5}}})
    boy = view.rules.characters["boy_student"]
    offered = set(targets.targets(view, boy, boy.goodwill[0]))
    assert offered == {"girl_student", "rich_student", "class_rep", "mystery_boy"}
    nurse = view.rules.characters["nurse"]
    assert not list(targets.targets(view, nurse, nurse.goodwill[0]))
    for who in CAST:
        user = view.rules.characters[who]
        for ability in user.goodwill:
            for target in targets.targets(view, user, ability):
                for choice in targets.choices(view, user, ability):
                    at = (1, 2, "goodwill")
                    assert goodwill.acceptances(view, at, user, ability, target, choice)


def test_a_use_that_could_not_be_named_is_any_that_fits() -> None:
    secret = everybody(boy_student="brain")
    board = people(boy_student={"goodwill": 2}, girl_student={"goodwill": 2})
    use = (
        "use",
        {
            "who": {"one_of": ["boy_student", "girl_student"]},
            "ability": 2,
            "outcome": "refused",
            "target": "class_rep",
        },
    )
    assert fits(secret, STEP, board, use)
    assert not fits(everybody(nurse="brain"), STEP, board, use)


def test_the_course_tells_what_was_answered() -> None:
    secret = everybody(boy_student="brain")
    board = people(boy_student={"goodwill": 2})
    use = declared("boy_student", 2, {"target": "girl_student"}, "nothing")
    told = transcript(secret, STEP, board, use)
    choice = replay(compile_table(told), secret).course[0]
    assert (choice.source, choice.by, choice.answer) == ("boy_student.2", "boy_student", "accepted")
