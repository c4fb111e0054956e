"""The application: its configuration, its parts, and what every answer carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Response

from assistant.resources import static_folder, templates_folder
from assistant.store import Store
from assistant.web import answers, log, setup, trouble
from assistant.web.games import IDLE_SECONDS, Games
from assistant.web.names import deck_name, moment
from engine.words import LOCATIONS

_POLICY: Final = "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"


def create_app(config: Mapping[str, Any]) -> Flask:
    """Return the application.

    Args:
        config: ``DATABASE``, the path of the SQLite file; and any setting of Flask's.

    Raises:
        KeyError: When there is no ``DATABASE``.
        sqlite3.Error: When that file cannot be used.
    """
    app = Flask(
        __name__, template_folder=str(templates_folder()), static_folder=str(static_folder())
    )
    app.config.from_mapping(MAX_CONTENT_LENGTH=2_000_000, IDLE_SECONDS=IDLE_SECONDS)
    app.config.from_mapping(config)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.filters.update(moment=moment, deck=deck_name)
    app.jinja_env.globals.update(zip=zip, locations=LOCATIONS)
    app.extensions["games"] = Games(Store(app.config["DATABASE"]), app.config["IDLE_SECONDS"])
    for blueprint in (setup.pages, log.pages, answers.pages):
        app.register_blueprint(blueprint)
    trouble.register(app)
    app.after_request(_with_headers)
    return app


def _with_headers(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    if response.mimetype == "text/html":
        # Another phone may have changed the game: never show an old page.
        response.headers["Cache-Control"] = "no-store"
    return response
