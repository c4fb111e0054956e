"""Special rules are read, applied, or refused by name."""

import pytest

from engine.cast import CHARACTERS
from engine.sets import RULEBOOKS
from engine.special_rules import (
    MODELLED_SPECIAL_RULES,
    UNDERSTOOD,
    FinalGuess,
    MastermindCardsRemoved,
    fixed_starts,
    hand_of_mastermind,
    has_final_guess,
    loop_numbers,
    parse,
    refusals,
    start_choices,
    traits_of,
)
from engine.words import LOCATIONS, MASTERMIND_HAND
from tests.engine_scripts import reference

Rule = dict[str, object]

GUESS: Rule = {"kind": "final_guess", "value": True, "text": "there is a Final Guess"}
NO_FORBID: Rule = {"kind": "mastermind_cards_removed", "cards": ["forbid_goodwill"]}
AT_CITY: Rule = {"kind": "start_fixed", "character": "henchman", "location": "city"}
NOT_TWICE: Rule = {"kind": "start_restriction", "character": "henchman"}
TALK: Rule = {"kind": "table_talk", "value": "optional", "loops_if_off": 2}
BOY: Rule = {
    "kind": "trait_override",
    "character": "shrine_maiden",
    "add": ["boy"],
    "remove": ["girl"],
}
SECRET: Rule = {"kind": "secret_rule", "public": False, "text": "nobody knows"}


def test_every_published_rule_is_read_or_refused_by_its_kind() -> None:
    published = [rule for raw in reference.scripts().values() for rule in raw["special_rules"]]
    if not published:
        pytest.skip("the published scripts are not at hand (LOOPER_REFERENCE)")
    for rule in published:
        found = refusals([rule])
        if rule["kind"] in MODELLED_SPECIAL_RULES:
            assert found == []
        else:
            assert rule["kind"] in found[0]
            assert rule["text"] in found[0]
    assert {rule["kind"] for rule in published} >= UNDERSTOOD


def test_rules_are_typed() -> None:
    assert parse(GUESS) == FinalGuess(value=True, text="there is a Final Guess")
    assert parse(NO_FORBID) == MastermindCardsRemoved(cards=("forbid_goodwill",))


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        ({}, "without a kind"),
        ({"kind": 3}, "3"),
        ({"kind": ["final_guess"]}, "final_guess"),
        (SECRET, "secret_rule (nobody knows)"),
        (BOY, "trait_override"),
        ({"kind": "final_guess"}, "value"),
        ({"kind": "final_guess", "value": 1}, "bool"),
        ({**GUESS, "from_loop": 2}, "from_loop"),
        ({**GUESS, "public": False}, "secret"),
        ({"kind": "start_fixed", "character": "henchman", "location": "moon"}, "moon"),
        ({"kind": "mastermind_cards_removed", "cards": ["forbid_movement"]}, "forbid_movement"),
        ({"kind": "mastermind_cards_removed", "cards": []}, "no card"),
        ({"kind": "table_talk", "value": True, "loops_if_off": -1}, "-1"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(rule: Rule, named: str) -> None:
    (refusal,) = refusals([rule])
    assert named in refusal


def test_what_is_played_is_not_refused() -> None:
    assert refusals([GUESS, NO_FORBID, AT_CITY, NOT_TWICE, TALK]) == []


def test_removed_cards_are_not_in_the_hand() -> None:
    assert hand_of_mastermind([]) == MASTERMIND_HAND
    assert hand_of_mastermind([SECRET, GUESS]) == MASTERMIND_HAND
    hand = hand_of_mastermind([NO_FORBID])
    assert hand == {card: n for card, n in MASTERMIND_HAND.items() if card != "forbid_goodwill"}
    both = hand_of_mastermind([{"kind": "mastermind_cards_removed", "cards": ["unease_plus_1"]}])
    assert "unease_plus_1" not in both


def test_fixed_starts() -> None:
    assert fixed_starts([SECRET, AT_CITY]) == {"henchman": "city"}
    henchman, nurse = CHARACTERS["henchman"], CHARACTERS["nurse"]
    assert start_choices(henchman, []) == LOCATIONS
    assert start_choices(henchman, [AT_CITY], "city") == ("city",)
    assert start_choices(nurse, [AT_CITY]) == ("hospital",)


def test_restricted_starts() -> None:
    henchman, nurse = CHARACTERS["henchman"], CHARACTERS["nurse"]
    assert start_choices(henchman, [NOT_TWICE]) == LOCATIONS
    assert start_choices(henchman, [NOT_TWICE], "shrine") == ("hospital", "city", "school")
    assert start_choices(nurse, [NOT_TWICE], "hospital") == ("hospital",)
    alone: Rule = {"kind": "start_restriction", "character": "nurse"}
    assert start_choices(nurse, [alone], "hospital") == ("hospital",)


def test_final_guess_is_that_of_the_set_unless_a_rule_says_otherwise() -> None:
    for rulebook in RULEBOOKS.values():
        assert has_final_guess(rulebook, [SECRET]) == rulebook.final_guess
        assert has_final_guess(rulebook, [GUESS])
        assert not has_final_guess(rulebook, [{**GUESS, "value": False}])


def test_silent_tables_may_have_more_loops() -> None:
    assert loop_numbers((3, 4), []) == (3, 4)
    assert loop_numbers((3, 4), [TALK]) == (3, 4, 5, 6)
    assert loop_numbers((4,), [{"kind": "table_talk", "value": False}]) == (4,)


def test_changed_traits() -> None:
    assert traits_of(CHARACTERS["shrine_maiden"], [BOY]) == {"student", "boy"}
    assert traits_of(CHARACTERS["nurse"], [BOY]) == {"adult", "woman"}
