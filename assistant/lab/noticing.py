"""Who notices a change of the rule text: the comparison of both sides, cases, printed figures.

A slip that only the engine makes has to show as a disagreement; a slip in the text that both
sides read has to contradict a case that was written down by hand, or a printed figure.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

from assistant.lab.cases import case_files, read_case
from assistant.lab.compare import Comparison, FreshWorlds, Options
from assistant.lab.drawing import exactly
from assistant.lab.games import GameSpec, specs
from assistant.lab.mutations import Mutant
from assistant.lab.sides import Books, Sides
from assistant.transcript.jsonform import Case
from assistant.worlds import Worlds, world_of
from engine.generate import random_script, sheet_of
from engine.legality import violations
from engine.records import Transcript
from engine.replay import misfit
from engine.rules.model import Rulebook
from engine.rulings import DEFAULT_RULINGS
from engine.script import Script
from engine.sets import RULEBOOKS

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout, where cases and printed figures lie; a wheel has neither."""
CASES: Final = ROOT / "tests" / "rulings"
FIGURES: Final = ROOT / "tests" / "engine_scripts" / "test_facts.py"

SCRIPTS: Final = 6
GAMES: Final = 6
"""So many games of each script check the truth alone; the first ``PLAYED`` of them more."""
PLAYED: Final = 2
WORLDS: Final = 32
PROBES: Final = 400
"""So many random scripts of either text are judged by the other one."""
FEW: Final = 60
"""So many are tried first, before cases and games."""
_SIZES: Final = (6, 7, 8, 9)
_DAYS: Final = 5
_LOOPS: Final = 3


# The engine alone -----------------------------------------------------------------------


def by_comparison(mutant: Mutant, set_id: str | None) -> str:
    """Return what the comparison finds when only the engine has the mutant, or nothing.

    Games are simulated by the mutant, and games simulated by the true text are replayed by
    it; the clues go by the true text throughout. Where no game shows it, the legal scripts of
    both texts are compared.

    Args:
        mutant: the change.
        set_id: the set to play; those that have the mutant take turns if left out.
    """
    sets = mutant.sets if set_id is None else (set_id,)
    few = workload(mutant.kind, mutant.id, sets, SCRIPTS)
    found = _by_games(mutant, few) or by_legality(mutant, sets)
    if not found:  # perhaps it only shows seldom
        many = workload(mutant.kind, mutant.id, sets, 5 * SCRIPTS)
        found = _by_games(mutant, many[len(few) :])
    return found


def _by_games(mutant: Mutant, games: Sequence[GameSpec]) -> str:
    fresh = FreshWorlds()
    some = tuple(spec for spec in games if spec.number < PLAYED)
    for options, chosen in ((Options(0), games), (Options(WORLDS), some)):
        for spec in chosen:
            true = RULEBOOKS[spec.script.set]
            books = Books(mutant.apply(true), true)
            tally = Comparison(spec, books, options, fresh).run()
            if not tally.number_found:
                comparison = Comparison(spec, books, options, fresh)
                comparison.look_at(true_game(spec))
                tally = comparison.tally
            if tally.number_found:
                kind, cause = min(tally.causes)
                return f"{kind}: {cause}"
    return ""


@lru_cache(maxsize=4)
def workload(kind: str, id: str, sets: tuple[str, ...], scripts: int) -> tuple[GameSpec, ...]:
    """Return games of scripts that hold a plot, role, incident or character."""
    found = []
    for number in range(scripts):
        set_id = sets[number % len(sets)]
        rng = Random(f"{kind}/{id}/{number}")
        found.append((f"{kind}-{id}-{number}", _script_with(kind, id, RULEBOOKS[set_id], rng)))
    return tuple(specs(found, GAMES, 1))


_GAMES: Final[dict[tuple[str, int, int], Transcript]] = {}


def true_game(spec: GameSpec) -> Transcript:
    """Return the game as the true text plays it, played once."""
    key = spec.name, spec.number, spec.seed
    if key not in _GAMES:
        if len(_GAMES) > 6 * SCRIPTS * GAMES:
            _GAMES.clear()
        _GAMES[key] = spec.play(RULEBOOKS[spec.script.set]).transcript
    return _GAMES[key]


def _script_with(kind: str, id: str, rules: Rulebook, rng: Random) -> Script:
    """Return a random script with a plot, role, incident or character in it."""
    include = (id,) if kind == "character" else ()
    script = None
    for _ in range(500):
        script = random_script(rules, rng, include=include, days=_DAYS, loops=_LOOPS)
        held = {
            "plot": script.plots(),
            "role": tuple(script.cast.values()),
            "incident": tuple(item.incident for item in script.incidents),
            "character": tuple(script.cast),
        }
        if id in held[kind] and len(script.cast) <= max(_SIZES):
            return script
    assert script is not None
    return script


def by_legality(mutant: Mutant, sets: Iterable[str], probes: int = PROBES) -> str:
    """Return where the mutant calls scripts legal that the worlds do not hold, or the like.

    Args:
        mutant: the change.
        sets: the sets of the scripts.
        probes: so many random scripts of either text are judged by the other one.
    """
    rng = Random(mutant.name)
    for set_id in sets:
        true = RULEBOOKS[set_id]
        changed = mutant.apply(true)
        for makes, judges, what in (
            (changed, true, "the worlds do not hold a script that the engine calls legal"),
            (true, changed, "the worlds hold a script that the engine calls illegal"),
        ):
            for _ in range(probes):
                try:
                    script = random_script(makes, rng, size=rng.choice(_SIZES), days=_DAYS)
                except ValueError:
                    return "legality: the engine finds no legal script"
                if not violations(script, rulebook=judges):
                    continue  # both texts take it alike: nothing to ask the worlds about
                worlds = Worlds(sheet_of(script), true, DEFAULT_RULINGS)
                held = worlds.conjoin(
                    exactly(world_of(script, sheet_of(script), true), worlds.composition)
                ).any()
                if held is (makes is true):
                    return f"legality: {what}"
    return ""


# Cases ----------------------------------------------------------------------------------


def by_cases(mutant: Mutant, cases: Iterable[tuple[str, Case]], *, alone: bool = False) -> str:
    """Return the first case that comes out otherwise with the mutant.

    Those that are about a ruling of the changed thing are asked first, then those that hold it.

    Args:
        mutant: the change.
        cases: names and cases.
        alone: only the engine has the mutant; else both sides do.
    """
    about = frozenset(_rulings(mutant.thing))

    def distance(item: tuple[str, Case]) -> tuple[bool, bool]:
        case = item[1]
        return not _speaks_of(case, mutant), about.isdisjoint(case.rulings)

    for name, case in sorted(cases, key=distance):
        true = RULEBOOKS[case.transcript.sheet.set]
        changed = mutant.apply(true)
        if changed is true or not _sound(name, case, true):
            continue
        try:
            if not _comes_out(case, changed, alone=alone):
                return name
        except Exception as error:
            return f"{name}: {type(error).__name__}"
    return ""


def _rulings(thing: Any) -> Iterator[str]:
    """Yield the rulings that something in the rule text cites, and what is inside it."""
    if isinstance(thing, tuple):
        for item in thing:
            yield from _rulings(item)
    elif dataclasses.is_dataclass(thing):
        yield from getattr(thing, "rulings", ())
        for field in dataclasses.fields(thing):
            if field.name != "rulings":
                yield from _rulings(getattr(thing, field.name))


def _speaks_of(case: Case, mutant: Mutant) -> bool:
    for item in case.scripts:
        script = item.script
        named = {*script.plots(), *script.cast, *script.cast.values()}
        if mutant.id in named or any(i.incident == mutant.id for i in script.incidents):
            return True
    return False


_SOUND: Final[dict[str, bool]] = {}


def _sound(name: str, case: Case, rules: Rulebook) -> bool:
    """Tell whether a case comes out as it says by the true text; else it can notice nothing."""
    if name not in _SOUND:
        try:
            _SOUND[name] = _comes_out(case, rules)
        except Exception:
            _SOUND[name] = False
    return _SOUND[name]


def _comes_out(case: Case, rules: Rulebook, *, alone: bool = False) -> bool:
    """Tell whether both sides say by some text what a case says of each script.

    Args:
        case: the case.
        rules: the text.
        alone: ask replay only; the clues do not go by this text.
    """
    sides = Sides(case.transcript, Books(rules, rules))
    legal = []
    for item in case.scripts:
        script = item.script
        no = (
            bool(sides.refused)
            or bool(violations(script, sides.rulings, rules))
            or misfit(rules, case.transcript.sheet, script, sides.rulings) is not None
        )
        if (not no and sides.by_replay(script).possible) is not item.possible:
            return False
        if not no:
            legal.append(item)
    if alone:
        return True
    said = sides.by_clues([item.script for item in legal])
    return all(one.possible is item.possible for one, item in zip(said, legal, strict=True))


@lru_cache(maxsize=2)
def cases_in(folders: tuple[str, ...]) -> tuple[tuple[str, Case], ...]:
    """Return the cases in some folders, of the sets that are modelled."""
    found = []
    for path in case_files(map(Path, folders)):
        case = read_case(path)
        if case is not None and case.transcript.sheet.set in RULEBOOKS:
            found.append((path.stem, case))
    return tuple(found)


# Printed figures ------------------------------------------------------------------------


def by_figures(mutant: Mutant, path: Path = FIGURES) -> str:
    """Return the first test of printed figures that fails for the changed text."""
    if not path.is_file():
        return ""
    module = _module(path)
    books = {id: mutant.apply(rules) for id, rules in RULEBOOKS.items()}
    cards: Mapping[str, Any] = {
        id: card for rules in books.values() for id, card in rules.characters.items()
    }
    module.RULEBOOKS, module.CHARACTERS = books, cards  # type: ignore[attr-defined]
    for name, test in list(vars(module).items()):
        if name.startswith("test_") and "reference" not in name:
            for given in _parameters(test):
                try:
                    test(**given)
                except Exception:
                    return name
                except BaseException as skipped:
                    if type(skipped).__name__ != "Skipped":
                        raise
    return ""


@lru_cache(maxsize=1)
def _module(path: Path) -> ModuleType:
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    spec = importlib.util.spec_from_file_location("printed_figures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _parameters(test: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments with which a test is to be called."""
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    if not marks:
        yield {}
        return
    names, values = marks[0].args[:2]
    keys = [names] if isinstance(names, str) else list(names)
    for value in values:
        yield dict(zip(keys, [value] if isinstance(names, str) else value, strict=True))
