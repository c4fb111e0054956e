"""A person with a phone, who enters a game through the forms of the page."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from playwright.sync_api import Locator, Page, expect

from assistant.transcript.jsonform import record_fields
from assistant.web.form import Scene
from assistant.web.forms import form_for
from assistant.web.games import names_of, words_of
from assistant.web.names import STEP_NAMES, deck_name
from engine.board import Board
from engine.records import AnyRecord, Happens, Leader, PlayedCard, Transcript, Use
from engine.script import Sheet


class Phone:
    """Enters a transcript; every page is looked at on the way.

    Attributes:
        page: the browser's page.
        problems: what the browser complained of.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.problems: list[str] = []
        page.on("console", lambda message: self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def look(self) -> None:
        """Check what must be true of every page."""
        self.page.wait_for_load_state("load")
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{self.page.url} scrolls sideways by {wide}"

    def set_up(self, sheet: Sheet, title: str) -> None:
        """Copy the open sheet."""
        page = self.page
        page.goto(self.url)
        self.look()
        page.get_by_role("link", name="New game").click()
        if not page.url.endswith(sheet.set):
            page.get_by_role("link", name=sheet.set.replace("_", " ").title()).click()
        self.look()
        page.get_by_label("What to call the game").fill(title)
        page.get_by_label("Loops", exact=True).fill(str(sheet.loops))
        page.get_by_label("Days in a loop").fill(str(sheet.days))
        page.get_by_role("group", name="Protagonist players").get_by_label(
            str(sheet.players), exact=True
        ).check()
        for who in sheet.cast:
            page.locator(f"input[name=cast][value={who}]").check()
        page.get_by_label("No, the cast is complete").check()
        for row, item in enumerate(sheet.incidents):
            page.locator(f"[name=day-{row}]").fill(str(item.day))
            page.locator(f"[name=incident-{row}]").select_option(item.incident)
        page.get_by_role("button", name="Begin the game").click()
        expect(page.locator("#step")).to_be_visible()

    def enter(self, transcript: Transcript) -> None:
        """Enter all records, in order."""
        self.transcript = transcript
        for at, group in groupby(transcript.records, key=lambda record: record.at):
            records = list(group)
            self._go_to(at)
            while records:
                done = self._enter_first(records)
                del records[:done]
                self.look()

    def _go_to(self, at: tuple[int, int, str]) -> None:
        loop, day, step = at
        if self.page.locator("#step").get_attribute("data-at") == f"{loop}.{day}.{step}":
            return
        self.page.get_by_text("Other records, another step").click()
        self.page.get_by_label("Loop", exact=True).select_option(str(loop))
        self.page.get_by_label("Day", exact=True).select_option(str(day))
        self.page.get_by_label("Step", exact=True).select_option(STEP_NAMES[step])
        self.page.get_by_role("button", name="Show this step").click()

    def _enter_first(self, records: Sequence[AnyRecord]) -> int:
        """Enter the first record, or several that one form takes; return how many."""
        record = records[0]
        fields = record_fields(record)
        match record:
            case PlayedCard() if cards := self._cards(records):
                self._enter_cards(cards)
                return len(cards)
            case Happens(occurs=False) if len(records) > 1:
                self._press("It does not happen")
                return 2  # which closes the step
            case Happens() if len(records) > 1 and record_fields(records[1])["kind"] == "no_effect":
                self._press("It happens, but nothing is seen")
                return 2
            case Happens():
                self._press("It happens, and something is seen")
            case Leader(deck=deck) if record.at[2] == "night":
                self._press(f"Protagonist {deck.upper()} leads from now on")
            case _ if fields["kind"] == "complete":
                self.page.locator("form.close button").click()
            case _ if fields["kind"] == "partial":
                self._press("Something may be missing here")
            case _:
                self._enter_form(record)
        return 1

    def _press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def _cards(self, records: Sequence[AnyRecord]) -> list[PlayedCard]:
        """Return the cards at the beginning that stand in the order of the page's rows."""
        rows = self.page.locator("fieldset.cardrow legend").all_inner_texts()
        cards: list[PlayedCard] = []
        for record, row in zip(records, rows, strict=False):
            if not isinstance(record, PlayedCard) or record.note or record.doubt:
                break
            if deck_name(record.by) != row:
                break
            cards.append(record)
        return cards

    def _enter_cards(self, cards: Sequence[PlayedCard]) -> None:
        rows = self.page.locator("fieldset.cardrow")
        for row, card in enumerate(cards):
            own = rows.nth(row)
            own.get_by_label("Card").select_option(card.card or "unknown")
            own.get_by_label("On").select_option(str(card.on))
        self._press("Save the cards")

    def _enter_form(self, record: AnyRecord) -> None:
        words = words_of(self.transcript)
        scene = Scene(names_of(self.transcript), words, Board(), record.at)
        found = form_for(record_fields(record), scene)
        assert found is not None, record
        form, data = found
        open_form = self.page.locator("form.card input[name=form]")
        if not open_form.count() or open_form.input_value() != form.id:
            link = self.page.get_by_role("link", name=form.title, exact=not isinstance(record, Use))
            if not link.first.is_visible():
                self.page.locator("details", has=link).locator("summary").click()
            link.first.click()
            self.look()
        self._fill(self.page.locator("form.card"), data)
        self._press("Save")

    def _fill(self, form: Locator, data: Mapping[str, Sequence[str]]) -> None:
        if {"ordered", "note", "by"} & data.keys():
            form.get_by_text("Note, order and doubt").click()
        of = form.locator("[name=of]")
        if of.count() and "by_use" not in data:
            of.select_option("")
        for name, values in data.items():
            inputs = form.locator(f"[name={name}]")
            if name == "by_use":
                continue
            if not inputs.count():
                raise AssertionError(f"no input {name} for {data}")
            kind = inputs.first.get_attribute("type")
            if kind in ("radio", "checkbox"):
                for value in values:
                    form.locator(f"[name={name}][value='{value}']").check()
            elif inputs.first.evaluate("one => one.tagName") == "SELECT":
                inputs.first.select_option(values[0])
            else:
                inputs.first.fill(values[0])
