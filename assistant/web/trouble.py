"""Pages for what went wrong, in words, with a way back."""

from __future__ import annotations

from typing import Final

from flask import Flask, current_app, render_template
from werkzeug.exceptions import HTTPException

from assistant.store import UnknownGameError
from assistant.transcript.errors import TableError

_WORDS: Final = {
    400: ("This cannot be read", "The address or form is incomplete. Go back and try again."),
    404: ("There is no such page", "The address may be misspelt."),
    405: ("This address cannot be opened", "It only takes forms. Go back and use the page."),
    413: ("That is too large", "A whole game is far smaller. Is it the right file?"),
}


def register(app: Flask) -> None:
    """Make the application answer errors with these pages."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(UnknownGameError, _unknown_game)
    app.register_error_handler(TableError, _refused)
    app.register_error_handler(Exception, _unexpected)


def page(title: str, text: str, status: int) -> tuple[str, int]:
    """Return a page that says what went wrong."""
    return render_template("trouble.html", title=title, text=text), status


def _http(error: HTTPException) -> tuple[str, int]:
    status = error.code or 500
    title, text = _WORDS.get(status, (error.name, error.description or ""))
    return page(title, text, status)


def _unknown_game(error: UnknownGameError) -> tuple[str, int]:
    return page(
        "There is no such game",
        "The address may be misspelt, or the game was kept on another machine. "
        "All games of this one are in the list.",
        404,
    )


def _refused(error: TableError) -> tuple[str, int]:
    return page("The rules of this version refuse the game", str(error), 422)


def _unexpected(error: Exception) -> tuple[str, int]:
    if current_app.testing:
        raise error
    current_app.logger.exception("a request failed")
    return page(
        "Something is broken here",
        "That is a fault of this program, not yours. What you noted before is safe.",
        500,
    )
