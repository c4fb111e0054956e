"""A small phone, one thumb: nothing scrolls sideways, and everything is large enough to hit."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.words import STEPS
from tests.browser.conftest import Server
from tests.browser.phone import Phone

EACH_WIDGET = ("card", "card_result", "count", "loop_over", "reveal_same", "token", "line")
NARROW = {"width": 360, "height": 740}
TOO_SMALL = """() => {
  const small = [];
  const ways = "button, .button, select, textarea, input:not([type=hidden]), summary, " +
    "td .cell, .tabs a, .plots a, .records a, .list a, .top a";
  for (const one of document.querySelectorAll(ways)) {
    if (!one.checkVisibility() || one.closest(".unseen")) continue;
    const held = one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one;
    const box = held.getBoundingClientRect();
    if (box.height < 43.5 || box.width < 43.5)
      small.push(`${one.outerHTML.slice(0, 80)} is ${box.width} by ${box.height}`);
  }
  return small;
}"""


@pytest.fixture
def narrow(browser: Browser) -> Iterator[Page]:
    """A phone of 360 px that runs no scripts of the page."""
    context = browser.new_context(viewport=NARROW, has_touch=True, java_script_enabled=False)
    yield context.new_page()
    context.close()


def demo(page: Page, server: Server) -> str:
    page.goto(server.url)
    page.get_by_role("button", name="Show a demo game").click()
    expect(page.locator("#possible")).to_be_visible()
    return page.url


@pytest.mark.browser
@pytest.mark.slow
def test_every_page_fits_and_can_be_hit(narrow: Page, server: Server) -> None:
    phone = Phone(narrow, server.url)
    game = demo(narrow, server)
    steps = [f"{game}?at=1.1.{step}" for step in STEPS if step != "final_guess"]
    forms = [f"{game}?at=1.1.goodwill&form={name}" for name in EACH_WIDGET]
    others = [f"{game}/log", f"{game}/record/1", f"{game}/sheet", f"{game}/why?plot=x"]
    for url in (server.url, f"{server.url}/new/first_steps", *steps, *forms, *others):
        narrow.goto(url)
        phone.look()
        assert narrow.evaluate(TOO_SMALL) == [], url
    assert not [problem for problem in phone.problems if "404" not in problem]


@pytest.mark.browser
@pytest.mark.slow
def test_a_crossed_cell_says_why_and_leads_to_the_record(narrow: Page, server: Server) -> None:
    demo(narrow, server)
    cell = narrow.locator("#possible table .cell.impossible").first
    asked = (cell.get_attribute("aria-label") or "").split(":")[0]
    cell.click()
    expect(narrow.get_by_role("heading", level=1)).to_have_text(asked)
    expect(narrow.get_by_text("Impossible", exact=True)).to_be_visible()
    record = narrow.locator(".evidence li a").first
    said = record.inner_text()
    record.click()
    expect(narrow.get_by_role("heading", level=1)).to_have_text(said)


@pytest.mark.browser
@pytest.mark.slow
def test_what_one_phone_notes_another_must_see_first(page: Page, server: Server) -> None:
    demo(page, server)
    page.goto(page.url.split("#")[0] + "?at=1.1.mastermind&form=token")
    other = page.context.new_page()
    for phone in (page, other):
        phone.goto(page.url)
        phone.get_by_label("On", exact=True).select_option("school")
        phone.get_by_label("Intrigue", exact=True).check()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator("#step").get_by_text("School: +1 Intrigue")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Another phone has changed the game")
    expect(page.get_by_label("Intrigue", exact=True)).to_be_checked()
