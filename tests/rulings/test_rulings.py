"""Every ruling with a game that must be accepted and one that must not, asked of both sides."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from assistant.judge import SIDES, Verdicts, judge_case
from assistant.lab.cases import Tally, judge_file, mismatch_text
from assistant.transcript.jsonform import Case, load_case, load_script
from engine.cast import CHARACTERS
from engine.sets import RULEBOOKS

HERE = Path(__file__).resolve().parent
# The cases of a whole tragedy set lie in a folder of its name, read once it is modelled.
FOLDERS = sorted(
    folder
    for folder in HERE.iterdir()
    if folder.name.startswith("section_") or folder.name in RULEBOOKS
)
FILES = sorted(path for folder in FOLDERS for path in folder.glob("*.json"))
PAIRS = sorted({path.with_name(path.stem.rpartition("-")[0]) for path in FILES})
NOT_TESTABLE = sorted(HERE.glob("not_testable*.json"))

# The letters of each section's rulings in the rulings list, and how many there are. Sections
# from 11 on belong to single sets and are asked for as soon as the set is modelled.
SECTIONS = {
    **{0: ("P", 11), 1: ("B", 9), 2: ("C", 14), 3: ("M", 13), 4: ("G", 20), 5: ("I", 26)},
    **{6: ("D", 17), 7: ("L", 13), 8: ("N", 6), 9: ("F", 4), 10: ("FS", 9)},
    **{11: ("BT", 21), 12: ("MC", 29), 13: ("WM", 29), 14: ("HS", 30)},
}

SET_OF = {11: "basic_tragedy", 12: "mystery_circle", 13: "weird_mythology", 14: "haunted_stage"}


def case_id(path: Path) -> str:
    """Return a short readable name: the file without its ending."""
    return path.name.removesuffix(".json")


@cache
def case_of(path: Path) -> Case:
    return load_case(path)


@cache
def judged(path: Path) -> Verdicts:
    return judge_case(case_of(path), SIDES)


def secrets(case: Case) -> Iterator[tuple[str, bool]]:
    """Yield each script of a case without its name, and whether it is possible."""
    for item in case.scripts:
        raw = repr({name: getattr(item.script, name) for name in item.script.__struct_fields__[2:]})
        yield raw, item.possible


@pytest.mark.parametrize("path", FILES, ids=case_id)
def test_both_sides_say_what_the_case_says(path: Path) -> None:
    verdicts = judged(path)
    assert verdicts.case == case_id(path)
    said = [mismatch_text(path, verdicts, verdict) for verdict in verdicts.mismatches]
    assert not said, "\n".join(said)


@pytest.mark.parametrize("pair", PAIRS, ids=case_id)
def test_a_pair_tells_one_script_apart(pair: Path) -> None:
    """The two games differ in one record or fact; a script of both fits the one game only."""
    yes = case_of(pair.with_name(f"{pair.name}-yes.json"))
    no = case_of(pair.with_name(f"{pair.name}-no.json"))
    assert yes.rulings[0] == no.rulings[0]
    assert yes.transcript != no.transcript
    possible = {script for script, answer in secrets(yes) if answer}
    impossible = {script for script, answer in secrets(no) if not answer}
    assert possible & impossible


def not_testable() -> dict[str, str]:
    """Return the rulings that no First Steps game can show, each with the reason."""
    found: dict[str, str] = {}
    for path in NOT_TESTABLE:
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def test_every_ruling_has_a_pair_or_a_reason() -> None:
    paired = {case_of(path).rulings[0] for path in FILES}
    every = {
        section: {f"{letters}-{number:02}" for number in range(1, most + 1)}
        for section, (letters, most) in SECTIONS.items()
    }
    excused = not_testable()
    missing = {
        section: sorted(ids - paired - excused.keys())
        for section, ids in every.items()
        if section <= 10 or SET_OF[section] in RULEBOOKS
    }
    assert not any(missing.values()), missing
    assert excused.keys() <= set().union(*every.values())
    assert all(excused.values())


def test_every_card_of_the_first_steps_scripts_has_its_pairs(shared: Path) -> None:
    """Section 15: what is special about a card is shown both ways."""
    paired = {case_of(path).rulings[0] for path in FILES}
    cast = {
        who
        for path in (shared / "scripts").glob("fs_*.json")
        for who in load_script(path).cast
        if who in CHARACTERS
    }
    asked = {
        ruling
        for who in cast
        for rulings in (CHARACTERS[who].rulings, *(g.rulings for g in CHARACTERS[who].goodwill))
        for ruling in rulings
        if ruling.startswith("K-")
    }
    assert len(cast) == 19
    assert asked - paired == set()


def test_the_sections_are_those_of_the_rulings_list(shared: Path) -> None:
    text = (shared / "rules" / "rulings.md").read_text(encoding="utf-8")
    found: dict[int, Counter[str]] = {}
    for section in text.split("\n## ")[1:]:
        number = int(section.split(".")[0])
        found[number] = Counter(re.findall(r"^- \*\*([A-Z]+)-\d+", section, re.MULTILINE))
    assert {number: dict(found[number]) for number in SECTIONS} == {
        number: {letters: most} for number, (letters, most) in SECTIONS.items()
    }


def test_shared_cases_of_modelled_sets(shared: Path) -> None:
    tally = Tally()
    for path in sorted((shared / "cases").rglob("*.json")):
        judge_file(path, tally)
    said = [mismatch_text(*mismatch) for mismatch in tally.mismatches()]
    assert not said, "\n".join(said)
    assert not tally.broken, "\n".join(map(str, tally.broken))
    assert not tally.not_modelled, "\n".join(map(str, tally.not_modelled))
    sets = {verdicts.case for _, verdicts in tally.judged}
    assert len(sets) == len(tally.judged) > 0
    assert not tally.other_sets.keys() & RULEBOOKS.keys()
