"""A whole simulated game, entered on the page with a phone, comes out again as it was."""

import time
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from assistant import samples
from assistant.deduction import solve
from assistant.transcript import dump, load
from assistant.transcript.kinds import kind_of
from engine.records import Transcript
from engine.sets import RULEBOOKS
from engine.simulate import simulate
from tests.browser.conftest import Server
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
    answer = solve(entered).answer()
    expect(shown).to_contain_text(f"{answer['worlds']:,} of")
    states = {"×": "impossible", "?": "possible", "✔": "certain"}
    for row in shown.locator("table").first.locator("tbody tr").all():
        cells = [states[cell.inner_text()] for cell in row.locator(".cell").all()]
        who = row.locator("th").inner_text().lower().replace(" ", "_")
        expected = answer["roles"][who]
        roles = RULEBOOKS[played.sheet.set].roles
        assert cells == [expected.get(role, {"state": "impossible"})["state"] for role in roles]
    assert not phone.problems
    assert taken < 180
