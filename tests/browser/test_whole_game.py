"""A whole simulated game, entered on the page with a phone, comes out again as it was."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant import samples
from assistant.transcript import dump, load
from assistant.transcript.kinds import kind_of
from assistant.web.tables import SIGNS
from engine.records import Transcript
from engine.sets import RULEBOOKS
from engine.simulate import simulate
from tests.browser.conftest import ROOT, Server
from tests.browser.phone import Phone

MOST_RECORDS = 180


def rich_game() -> Transcript:
    """Return a game of three loops with as many kinds of records as chance gives."""
    script = samples.load("a_letter_for_nobody")
    games = (simulate(script, seed).transcript for seed in range(300))
    long = [
        game for game in games if game.records[-1].at[0] == 3 and len(game.records) <= MOST_RECORDS
    ]
    return max(long, key=lambda game: len(Counter(kind_of(record) for record in game.records)))


@pytest.mark.browser
@pytest.mark.slow
def test_a_game_entered_by_hand_is_the_game_that_was_played(page: Page, server: Server) -> None:
    played = rich_game()
    phone = Phone(page, server.url)
    began = time.monotonic()
    phone.set_up(played.sheet, played.title)
    phone.enter(played)
    taken = time.monotonic() - began
    print(f"{len(played.records)} records in {taken:.0f} s")

    shown = page.locator("#possible")
    page.get_by_role("link", name="Log", exact=True).click()
    phone.look()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the transcript (JSON)").click()
    entered = load(download.value.path())
    assert dump(entered) == dump(played)

    page.get_by_role("link", name="Back to the game").click()
    answer = solved(Path(download.value.path()))
    expect(shown).to_contain_text(f"{answer['worlds']:,} of")
    rules = RULEBOOKS[played.sheet.set]
    roles, culprits = shown.locator("table").all()
    assert cells_of(roles) == {
        rules.characters[who].name: [state_of(cells, role) for role in rules.roles]
        for who, cells in answer["roles"].items()
    }
    assert cells_of(culprits) == {
        rules.characters[who].name: [
            state_of(incident["candidates"], who) for incident in answer["culprits"]
        ]
        for who in answer["roles"]
    }
    plots = {row.inner_text().split("\n")[-1]: row for row in shown.locator(".plots a").all()}
    assert {name: row.locator(".cell").inner_text() for name, row in plots.items()} == {
        rules.plots[plot].name: SIGNS[cell["state"]] for plot, cell in answer["plots"].items()
    }
    assert not phone.problems


def solved(path: Path) -> dict[str, Any]:
    """Return the answer of ``looper solve`` to the file."""
    code = "import sys; from assistant.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "solve", str(path), "--json"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def state_of(cells: Mapping[str, Mapping[str, Any]], one: str) -> str:
    return str(cells.get(one, {"state": "impossible"})["state"])


def cells_of(table: Locator) -> dict[str, list[str]]:
    """Return the states that a table shows, by the names at its left."""
    states = {sign: state for state, sign in SIGNS.items()}
    return {
        row.locator("th").inner_text(): [
            states[sign] for sign in row.locator(".cell").all_inner_texts()
        ]
        for row in table.locator("tbody tr").all()
    }
