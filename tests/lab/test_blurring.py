"""Taking knowledge away: what is left is well-formed, and less."""

from random import Random

import pytest

from assistant.lab.blurring import WAYS, blurred, some_ways
from assistant.lab.boards import start_at
from assistant.transcript import validate
from engine.records import Transcript
from engine.table import compile_table
from tests.lab.games import games

GAMES = [spec.play().transcript for spec in games(4)]


@pytest.mark.parametrize("way", WAYS)
def test_each_way_leaves_a_well_formed_game(way: str) -> None:
    changed = 0
    for number, game in enumerate(GAMES):
        found = blurred(compile_table(game), Random(f"{way}/{number}"), [way])
        problems = validate.problems(found)
        assert not problems, f"{way}: {problems[0]}"
        assert way in found.title
        changed += (found.records, found.start, found.announces) != (
            game.records,
            game.start,
            game.announces,
        )
    assert changed


def test_a_start_in_the_middle_gives_the_same_boards() -> None:
    for game in GAMES:
        table = compile_table(game)
        for step in table.steps[1:]:
            start = start_at(step.before, step.at, game.sheet)
            if start is None or step.name in ("loop_end", "time_spiral", "final_guess"):
                continue
            records = tuple(record for record in game.records if record.at == step.at)
            if not records:
                continue
            late = compile_table(
                Transcript(
                    format=game.format,
                    version=1,
                    sheet=game.sheet,
                    start=start,
                    records=records,
                )
            )
            assert not late.problems
            assert late.steps[0].before.cards == step.before.cards
            assert late.steps[0].before.intrigue == step.before.intrigue
            assert late.steps[0].after.cards == step.after.cards


def test_ways_are_chosen_by_chance_alone() -> None:
    assert [some_ways(Random(n)) for n in range(20)] == [some_ways(Random(n)) for n in range(20)]
    assert {way for n in range(300) for way in some_ways(Random(n))} == set(WAYS)
