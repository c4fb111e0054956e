"""Games as a whole: the list, the open sheet, files in and out, and the demo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from assistant.store import ConflictError, StoredGame
from assistant.transcript import dump, load_any
from assistant.transcript.errors import TableError
from assistant.transcript.notation import write
from assistant.web import sheetform
from assistant.web.demo import demo_game
from assistant.web.fields import Data, FieldError, first
from assistant.web.games import rules_of
from assistant.web.log import CONFLICT, games, revision_of, sent
from assistant.web.names import Names
from assistant.web.page import errors_by_input
from engine.rules.model import Rulebook
from engine.rulings import RULINGS
from engine.sets import RULEBOOKS

pages = Blueprint("setup", __name__)


@pages.get("/")
def home() -> str:
    """List the games."""
    return render_template("home.html", games=games().store.games())


@pages.get("/new")
def choose_set() -> Any:
    """Ask for the tragedy set, where there is a choice."""
    if len(RULEBOOKS) == 1:
        return redirect(url_for("setup.new", set_id=next(iter(RULEBOOKS))))
    return render_template("sets.html", sets=list(RULEBOOKS.values()))


@pages.get("/new/<set_id>")
def new(set_id: str) -> str:
    """Show an empty open sheet."""
    return _sheet_page(_rules(set_id), sheetform.blank())


@pages.post("/new/<set_id>")
def create(set_id: str) -> Any:
    """Begin a game with an open sheet."""
    rules, data = _rules(set_id), sent()
    if first(data, "more"):
        return _sheet_page(rules, _with_more_rows(data))
    reader = sheetform.SheetReader(data, rules)
    if reader.errors:
        return _sheet_page(rules, data, reader.errors), 422
    try:
        transcript = reader.transcript()
        game = games().add(transcript)
    except TableError as error:
        return _sheet_page(rules, data, [_beside(error, reader, rules)]), 422
    return redirect(url_for("log.show", game_id=game.id), 303)


@pages.get("/game/<game_id>/sheet")
def sheet(game_id: str) -> str:
    """Show the open sheet of a game."""
    game = games().store.get(game_id)
    return _sheet_page(rules_of(game.transcript), sheetform.shown(game.transcript), game=game)


@pages.post("/game/<game_id>/sheet")
def change_sheet(game_id: str) -> Any:
    """Correct the open sheet of a game."""
    data = sent()
    game = games().store.get(game_id)
    rules = rules_of(game.transcript)
    if first(data, "more"):
        return _sheet_page(rules, _with_more_rows(data), game=game)
    reader = sheetform.SheetReader(data, rules, game.transcript.sheet)
    if reader.errors:
        return _sheet_page(rules, data, reader.errors, game), 422
    try:
        games().change(game_id, revision_of(data), reader.transcript)
    except ConflictError:
        newest = games().store.get(game_id)
        shown = sheetform.shown(newest.transcript)
        return _sheet_page(rules, shown, [FieldError("", CONFLICT)], newest), 409
    except TableError as error:
        return _sheet_page(rules, data, [_beside(error, reader, rules)], game), 422
    return redirect(url_for("log.show", game_id=game_id), 303)


@pages.post("/upload")
def upload() -> Any:
    """Take over a transcript, as JSON or in the line notation."""
    file = request.files.get("file")
    name = (file.filename if file is not None else "") or "the text"
    try:
        text = file.read().decode("utf-8-sig") if file is not None else ""
    except UnicodeDecodeError:
        return _home_with(f"{name} is not a text file in UTF-8. Upload a transcript."), 422
    text = text or first(sent(), "text")
    if not text.strip():
        return _home_with("Choose a file, or paste a transcript."), 422
    try:
        # A text of one line would be taken for the name of a file.
        game = games().add(load_any(f"{text}\n", name))
    except TableError as error:
        return _home_with(str(error), text), 422
    return redirect(url_for("log.show", game_id=game.id), 303)


@pages.post("/demo")
def demo() -> Any:
    """Begin with a game that was played by the program."""
    game = games().add(demo_game())
    return redirect(url_for("log.show", game_id=game.id), 303)


@pages.get("/game/<game_id>/transcript.json")
def download(game_id: str) -> Response:
    """Return the whole game as a file."""
    game = games().store.get(game_id)
    return _file(game, dump(game.transcript), "json", "application/json")


@pages.get("/game/<game_id>/transcript.txt")
def download_notation(game_id: str) -> Response:
    """Return the whole game in the line notation."""
    game = games().store.get(game_id)
    return _file(game, write(game.transcript), "txt", "text/plain")


def _file(game: StoredGame, text: str, ending: str, kind: str) -> Response:
    plain = re.sub(r"[^a-z0-9]+", "-", game.transcript.title.lower()).strip("-")[:40]
    name = f"{plain or 'game'}-{game.id}.{ending}"
    response = Response(text, content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _home_with(problem: str, text: str = "") -> str:
    return render_template("home.html", games=games().store.games(), problem=problem, text=text)


def _rules(set_id: str) -> Rulebook:
    if set_id not in RULEBOOKS:
        abort(404)
    return RULEBOOKS[set_id]


def _with_more_rows(data: Data) -> dict[str, list[str]]:
    return {name: list(values) for name, values in data.items()} | {
        "rows": [str(sheetform.rows_of(data) + 3)]
    }


def _beside(error: TableError, reader: sheetform.SheetReader, rules: Rulebook) -> FieldError:
    """Return an error beside the input that it is about."""
    complaint = Names(rules).complaint(error)
    return FieldError(reader.input_at(error.path), complaint)


def _sheet_page(
    rules: Rulebook,
    data: Data,
    errors: Sequence[FieldError] = (),
    game: StoredGame | None = None,
) -> str:
    return render_template(
        "sheet.html",
        rules=rules,
        form=sheetform,
        data=data,
        errors=errors_by_input(errors),
        game=game,
        cast=sheetform.cast_choices(rules),
        rows=[sheetform.incident_row(row, rules) for row in range(sheetform.rows_of(data))],
        rulings=[sheetform.ruling_field(ruling) for ruling in RULINGS.values()],
        unusual=bool(_chosen(data)),
    )


def _chosen(data: Data) -> list[str]:
    """Return the rulings that the form has otherwise than usual."""
    usual = sheetform.blank()
    return [name for name in usual if name.startswith("ruling-") and data.get(name) != usual[name]]
