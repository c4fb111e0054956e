"""The log of a game: the step that is noted now, and every record entered before."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from msgspec import structs

from assistant.store import ConflictError, StoredGame
from assistant.transcript.errors import TableError
from assistant.transcript.jsonform import record_fields
from assistant.web import moments, submission
from assistant.web.fields import Data, FieldError, first
from assistant.web.form import Form, Scene
from assistant.web.forms import form_for
from assistant.web.games import Games, names_of, words_of
from assistant.web.names import moment
from assistant.web.page import GamePage, Typed, errors_by_input, whole_log
from assistant.web.reasons import conflict
from assistant.web.submission import LINE, Submission
from assistant.web.tables import beside, places, possibilities, spent
from engine.board import Board
from engine.records import At, Transcript

pages = Blueprint("log", __name__, url_prefix="/game/<game_id>")

CONFLICT = (
    "Another phone has changed the game since this page was opened, so nothing was saved. "
    "Below is the newest state."
)


def games() -> Games:
    """Return the games of the application."""
    found: Games = current_app.extensions["games"]
    return found


def sent() -> dict[str, list[str]]:
    """Return the submitted form."""
    return request.form.to_dict(flat=False)


def revision_of(data: Data) -> int:
    """Return the revision that the page showed on which a form was filled in."""
    text = first(data, "revision")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        abort(400)
    return int(text)


@pages.get("")
def show(game_id: str) -> str:
    """Show the step that is noted now, or the one that was asked for."""
    game = games().store.get(game_id)
    asked = request.args.to_dict(flat=False)
    form = first(asked, "form")
    typed = Typed(form, {"n": ["1"]} | asked) if form else None
    chosen = ".".join(first(asked, part) for part in ("loop", "day", "step"))
    return _page(game, moments.read_moment(first(asked, "at") or chosen), typed)


@pages.get("/log")
def whole(game_id: str) -> str:
    """Show all records."""
    game = games().store.get(game_id)
    steps = whole_log(game.transcript, names_of(game.transcript))
    return render_template("log.html", game=game, steps=steps, address=moments.write_moment)


@pages.post("/record")
def add(game_id: str) -> Any:
    """Add what was seen in a step."""
    data = sent()
    game = games().store.get(game_id)
    at = moments.read_moment(first(data, "at"))
    if at is None:
        abort(400)
    found = submission.read_submission(data, game.transcript, _scene(game.transcript, at))
    if found is None:
        abort(400)
    place = 0

    def edit(transcript: Transcript) -> Transcript:
        nonlocal place
        changed, place = submission.added(transcript, found)
        return changed

    if found.errors:
        return _refused(game, found, data, found.errors)
    try:
        games().change(game_id, revision_of(data), edit)
    except ConflictError:
        newest = games().store.get(game_id)
        again = f"{CONFLICT} Look at it, and save again if what you typed is still right."
        return _refused(newest, found, data, [FieldError("", again)], 409)
    except TableError as error:
        error_of, link = _placed(error, game.transcript, found, place, len(found.records))
        return _refused(game, found, data, [error_of], link=link)
    stay = at if first(data, "stay") else None
    return redirect(_address(game_id, stay), 303)


@pages.get("/record/<int:number>")
def record(game_id: str, number: int) -> str:
    """Show one record with its form."""
    game = games().store.get(game_id)
    shown = _record(game.transcript, number)
    data: dict[str, list[str]]
    scene = _scene(game.transcript, shown.at)
    found = form_for(record_fields(shown), scene)
    if found is None:
        form, data = None, {LINE: [submission.line_of(shown, scene)]}
    else:
        form, data = found
    return _record_page(game, number, form, data | _moment_data(shown.at))


@pages.post("/record/<int:number>")
def change(game_id: str, number: int) -> Any:
    """Put an edited record in the place of one."""
    data = sent()
    game = games().store.get(game_id)
    revision = revision_of(data)
    if game.revision != revision:
        return _conflict(game_id)
    old = _record(game.transcript, number)
    text = ".".join(first(data, f"at-{part}") for part in ("loop", "day", "step"))
    at = moments.read_moment(text)
    scene = _scene(game.transcript, at or old.at)
    found = submission.read_submission(data, game.transcript, scene)
    if found is None:
        abort(400)
    if at is None:
        found.errors.append(FieldError("at-step", "Choose loop, day and step."))
    place = 0

    def edit(transcript: Transcript) -> Transcript:
        nonlocal place
        changed, place = submission.replaced(transcript, number - 1, found.records[0])
        return changed

    link = None
    if not found.errors:
        try:
            games().change(game_id, revision, edit)
        except ConflictError:
            return _conflict(game_id)
        except TableError as error:
            problem, link = _placed(error, game.transcript, found, place, 0)
            found.errors.append(problem)
        else:
            return redirect(_address(game_id, scene.at), 303)
    own = form_for(record_fields(old), scene)
    form = None if own is None or first(data, "form") == LINE else own[0]
    return _record_page(game, number, form, data, errors_by_input(found.errors), link), 422


@pages.post("/record/<int:number>/delete")
def delete(game_id: str, number: int) -> Any:
    """Take a record out of the game."""
    return _changed(game_id, number, lambda t: submission.without(t, number - 1))


@pages.post("/record/<int:number>/doubt")
def doubt(game_id: str, number: int) -> Any:
    """Mark a record doubtful, or take the mark back."""

    def edit(transcript: Transcript) -> Transcript:
        shown = _record(transcript, number)
        turned = structs.replace(shown, doubt=not shown.doubt)
        return submission.replaced(transcript, number - 1, turned)[0]

    return _changed(game_id, number, edit)


def _changed(game_id: str, number: int, edit: Any) -> Any:
    """Change a game as ``edit`` does, and show the step of the record."""
    data = sent()
    game = games().store.get(game_id)
    revision = revision_of(data)
    if game.revision != revision:
        return _conflict(game_id)
    at = _record(game.transcript, number).at
    try:
        games().change(game_id, revision, edit)
    except ConflictError:
        return _conflict(game_id)
    except TableError as error:
        text = names_of(game.transcript).complaint(error)
        typed = Typed("", {}, {"": f"Nothing was changed. {text}"}, error.record)
        return _page(game, at, typed), 422
    return redirect(_address(game_id, at), 303)


def _page(game: StoredGame, at: At | None, typed: Typed | None = None) -> str:
    page = GamePage(game, games().deduction(game), at, typed)
    found = games().conflict(game)
    return render_template(
        "game.html",
        conflict=None if found is None else conflict(found, page.deduction, page.names),
        page=page,
        game=game,
        possible=possibilities(page.deduction, page.names),
        places=places(page.board, page.names),
        spent=spent(page.board),
        beside=beside(page.board, page.names),
    )


def _refused(
    game: StoredGame,
    found: Submission,
    data: Data,
    errors: list[FieldError],
    status: int = 422,
    link: int | None = None,
) -> tuple[str, int]:
    """Show the page with what was typed and what is wrong with it."""
    typed = Typed(first(data, "form"), data, errors_by_input(errors), link)
    return _page(game, found.at, typed), status


def _conflict(game_id: str) -> tuple[str, int]:
    game = games().store.get(game_id)
    return _page(game, None, Typed("", {}, {"": CONFLICT})), 409


def _record_page(
    game: StoredGame,
    number: int,
    form: Form | None,
    data: Data,
    errors: dict[str, str] | None = None,
    link: int | None = None,
) -> str:
    shown = _record(game.transcript, number)
    return render_template(
        "record.html",
        page=GamePage(game, games().deduction(game), shown.at, Typed()),
        game=game,
        number=number,
        record=shown,
        text=names_of(game.transcript).record(shown),
        moment=moment(shown.at),
        form=form,
        typed=Typed(form.id if form is not None else LINE, data, errors or {}, link),
    )


def _scene(transcript: Transcript, at: At) -> Scene:
    """Return what reading a form needs; the board is only asked for when one is shown."""
    return Scene(names_of(transcript), words_of(transcript), Board(), at)


def _record(transcript: Transcript, number: int) -> Any:
    if not 1 <= number <= len(transcript.records):
        abort(404)
    return transcript.records[number - 1]


def _moment_data(at: At) -> dict[str, list[str]]:
    loop, day, step = at
    return {"at-loop": [str(loop)], "at-day": [str(day)], "at-step": [step]}


def _address(game_id: str, at: At | None) -> str:
    where = None if at is None else moments.write_moment(at)
    return url_for("log.show", game_id=game_id, at=where, _anchor="step")


def _placed(
    error: TableError, transcript: Transcript, found: Submission, place: int, grown: int
) -> tuple[FieldError, int | None]:
    """Return an error beside the input that it is about, or with the record that it is about.

    Args:
        error: the error.
        transcript: the game as it still stands.
        found, place: the new records, and where the first would stand.
        grown: how many records more there would be.
    """
    text = names_of(transcript).complaint(error)
    number = None if error.record is None else error.record - 1
    if number is None:
        return FieldError("", text), None
    if place <= number < place + len(found.records):
        name = str(error.path[2]) if len(error.path) > 2 else ""
        return found.beside(found.prefixes[number - place] + name, text), None
    link = number + 1 - (grown if number >= place else 0)
    return FieldError("", f"With this, record {link} would no longer fit. {text}"), link
