"""Small changes of the rule text: that they are made, and that they are noticed."""

import tomllib
from collections import Counter
from importlib import resources

import pytest

from assistant.cli import main
from assistant.lab import noticing
from assistant.lab.mutants import BOTH, ENGINE, Outcome, explanations, hunt, report, select
from assistant.lab.mutations import Mutant, mutants
from engine.sets import RULEBOOKS

ALL = mutants(RULEBOOKS)
SOME_CASES = [str(noticing.CASES / name) for name in ("section_2", "section_4", "section_7")]


def test_every_mutant_has_a_name_of_its_own_and_changes_its_sets() -> None:
    assert not [name for name, number in Counter(m.name for m in ALL).items() if number > 1]
    for mutant in ALL:
        for id, rules in RULEBOOKS.items():
            assert (mutant.apply(rules) != rules) is (id in mutant.sets), mutant.name


@pytest.mark.parametrize("set_id", RULEBOOKS)
def test_everything_in_a_set_is_changed_somehow(set_id: str) -> None:
    rules = RULEBOOKS[set_id]
    changed = {(mutant.kind, mutant.id) for mutant in mutants(RULEBOOKS, set_id)}
    for kind, things in (
        ("plot", rules.plots),
        ("role", rules.roles),
        ("incident", rules.incidents),
        ("character", rules.characters),
    ):
        assert {(kind, id) for id in things} <= changed


def names_of(kind: str, what: str, number: int) -> list[Mutant]:
    """Return some mutants of a kind whose change begins with these words."""
    return [m for m in select("first_steps") if m.kind == kind and m.what.startswith(what)][:number]


def test_the_comparison_notices_the_engine_alone() -> None:
    chosen = [
        *names_of("role", "refusal optional -> none", 1),
        *names_of("character", "goodwill without", 1),
        *names_of("incident", "parts without", 1),
    ]
    outcomes = hunt(ENGINE, chosen, set_id="first_steps", workers=0, quiet=True)
    assert len(outcomes) == 3
    assert all(outcome.noticed for outcome in outcomes), list(report(outcomes))


def test_cases_notice_the_engine_alone() -> None:
    """One too few Goodwill, a loop's limit, a refusal: replay goes by the mutant, the case wins."""
    cases = noticing.cases_in(
        tuple(str(noticing.CASES / name) for name in ("section_4", "section_15"))
    )
    for what in ("[5].goodwill", "[5].once_per_loop", "[5].refusable"):
        mutant = names_of("character", what, 1)[0]
        assert noticing.by_cases(mutant, cases, alone=True), mutant.name
        rules = next(iter(RULEBOOKS.values()))
        same = Mutant(mutant.kind, mutant.id, "nothing", mutant.sets, rules.characters[mutant.id])
        assert noticing.by_cases(same, cases, alone=True) == ""


def test_only_traits_that_a_set_asks_for_are_changed() -> None:
    asked = {m.what for m in select("first_steps") if m.what.startswith("traits without")}
    more = {m.what for m in select("basic_tragedy") if m.what.startswith("traits without")}
    assert asked == {"traits without student"}
    assert asked < more


def test_cases_notice_the_shared_text() -> None:
    chosen = [
        *names_of("role", "refusal optional -> none", 1),
        *names_of("character", "goodwill without", 1),
        *names_of("plot", "abilities without", 1),
    ]
    outcomes = hunt(BOTH, chosen, cases=SOME_CASES, workers=0, quiet=True)
    assert all(outcome.noticed.startswith("case") for outcome in outcomes), list(report(outcomes))


def test_printed_figures_notice_what_no_case_does() -> None:
    limit = names_of("character", "limit", 1)[0]
    assert noticing.by_cases(limit, ()) == ""
    assert noticing.by_figures(limit) == "test_character_has_the_printed_figures"
    unchanged = Mutant("character", limit.id, "nothing", (), limit.thing)
    assert noticing.by_figures(unchanged) == ""


def test_survivors_are_told_apart() -> None:
    outcomes = [
        Outcome(BOTH, "a", "case x"),
        Outcome(BOTH, "b", "", "nobody can tell"),
        Outcome(BOTH, "c", ""),
    ]
    lines = list(report(outcomes))
    assert lines[0] == ("the shared text: 3 mutants, 1 noticed, 1 survive with a reason, 1 without")
    assert [outcome.unexplained for outcome in outcomes] == [False, False, True]


def test_every_explanation_is_of_a_mutant() -> None:
    from assistant.lab.mutants import _matches

    for entry in explanations():
        assert entry["reason"]
        assert entry.get("side", BOTH) in (BOTH, ENGINE)
        assert any(_matches(mutant.name, entry["name"]) for mutant in ALL), entry["name"]
    text = (resources.files("assistant.lab") / "survivors.toml").read_text()
    assert set(tomllib.loads(text)) <= {"survivor"}


def test_outcomes_are_kept_and_read_again(tmp_path: object) -> None:
    from pathlib import Path

    cache = Path(str(tmp_path)) / "kept.json"
    chosen = names_of("character", "limit", 1)
    first = hunt(BOTH, chosen, cases=SOME_CASES, workers=0, cache=cache, quiet=True)
    assert cache.is_file()
    again = hunt(BOTH, chosen, cases=("nowhere",), workers=0, cache=cache, quiet=True)
    assert [o.noticed for o in again] == [o.noticed for o in first]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    name = names_of("character", "limit", 1)[0].name
    args = ["--side", "both", "--only", name, "--jobs", "0", "--no-cache"]
    assert main(["lab", "mutants", *args, "--cases", *SOME_CASES]) == 0
    assert "1 mutants, 1 noticed" in capsys.readouterr().out
