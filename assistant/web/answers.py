"""Why something is so: the smallest reason behind a cell, with the records it rests on."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from assistant.web.games import names_of
from assistant.web.log import games
from assistant.web.reasons import Follows, explanation, follows, question

pages = Blueprint("answers", __name__, url_prefix="/game/<game_id>")


@pages.get("/why")
def why(game_id: str) -> str:
    """Say why a role, plot or culprit is impossible or certain, or that it is neither."""
    game = games().store.get(game_id)
    deduction, names = games().deduction(game), names_of(game.transcript)
    asked = question(deduction, names, request.args.to_dict())
    if asked is None:
        abort(404)
    found = None
    supposed: tuple[Follows, ...] = ()
    if asked.state == "possible":
        sides = games().supposed(game, asked.formula)
        supposed = tuple(follows(cells, asked.formula, deduction, names) for cells in sides)
    if asked.total and asked.state != "possible":
        formula = asked.formula if asked.state == "impossible" else ~asked.formula
        reason = games().reason(game, formula)
        found = None if reason is None else explanation(reason, deduction, names, asked.who)
    return render_template("why.html", game=game, asked=asked, found=found, supposed=supposed)
