"""An incident's effect read backward: could this culprit have shown exactly this?

The parts of the effect are consumed in order against what was noted; each way of doing so
that leaves nothing over is one disjunct. What a part may leave without a trace, and when,
is the heart of I-26.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.clues.effect.base import State, ended_by, hunted
from assistant.clues.effect.changes import ChangeParts
from assistant.clues.effect.kills import KillParts
from assistant.clues.effect.noted import Noted
from assistant.clues.knowledge import scent_borrowed, scent_of
from assistant.clues.trigger import displaced
from assistant.clues.view import FormulaView
from assistant.formula import FALSE, TRUE, Formula, any_of
from engine.rules.model import (
    AttachCurse,
    DeadlyNight,
    Either,
    EndLoop,
    GaugeUp,
    Incident,
    KillAllOnce,
    KillCulprit,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    LeaderKills,
    MoveAnyHere,
    MoveCulprit,
    NameLocation,
    Part,
    Put,
    PutOnPlace,
    ScatterOthers,
    Scent,
    SetExtraCard,
    Transfer,
)
from engine.table import Step, Table
from engine.words import DEAD, INCIDENT_STEP, LOST, UNEASE


@dataclass(slots=True)
class Reader(KillParts, ChangeParts):
    """Reads a whole effect, part after part."""

    def read(self, parts: tuple[Part, ...], state: State) -> Formula:
        """Return when the rest of the effect shows what is left."""
        if not parts:
            return self.rest(state)
        ways = []
        for term, after in self.part(parts[0], state):
            if term is not FALSE:
                ways.append(term & self.read(parts[1:], after))
        return any_of(ways)

    def rest(self, state: State) -> Formula:
        """Return TRUE if nothing is left to explain."""
        left = state.left
        if left.deaths or left.guards or left.moves or left.named or left.extra or left.curses:
            return FALSE
        return FALSE if left.tokens else TRUE

    def part(self, part: Part, state: State) -> Iterator[tuple[Formula, State]]:
        """Yield the ways in which one part may have shown."""
        match part:
            case KillOne():
                yield from self.kill_one(part, state)
            case KillCulprit():
                yield from self.kill_culprit(state)
            case KillEveryoneAt():
                yield from self.kill_everyone(part, state)
            case KillProtagonistsAt():
                yield from self.kill_protagonists(part, state)
            case Put():
                yield from self.put(part, state)
            case Transfer():
                yield from self.transfer(part, state)
            case MoveCulprit():
                yield from self.move_culprit(part, state)
            case MoveAnyHere():
                yield from self.move_any(state)
            case NameLocation():
                yield from self.name_location(state)
            case SetExtraCard():
                yield from self.extra_card(state)
            case EndLoop():
                # Whether and when a borrowed effect ends the loop is open (MC-19).
                goes_on = self.step.continues and self.step.name == INCIDENT_STEP
                yield (FALSE if goes_on else TRUE), state
            case GaugeUp() | Scent():
                yield TRUE, state
            case KillEveryoneHere():
                yield from self.kill_everyone_here(part, state)
            case KillAllOnce():
                yield from self.kill_all_once(state)
            case LeaderKills():
                yield from self.leader_kills(state)
            case PutOnPlace():
                yield from self.put_on_place(part, state)
            case Either():
                yield from self.kill_one(part.first, state)
                yield from self.put_on_place(part.second, state, forced=False)
            case ScatterOthers():
                yield from self.scatter(state)
            case AttachCurse():
                yield from self.attach_curse(state)
            case KillProtagonistsByCorpses():
                yield from self.kill_by_corpses(part, state)
            case DeadlyNight():
                yield TRUE, state


def effect_formula(
    table: Table,
    step: Step,
    view: FormulaView,
    incident: Incident,
    culprit: str,
    noted: Noted,
    *,
    borrowed: bool = False,
) -> Formula:
    """Return when ``culprit`` could have shown exactly what was noted of the effect.

    Args:
        table, step, view: the moment.
        incident: whose effect it is.
        culprit: who would be its culprit.
        noted: what was seen.
        borrowed: a card resolves the effect by its own ability, not as an occurrence.
    """
    way = _effect(table, step, view, incident, culprit, noted, borrowed=borrowed)
    if culprit in view.board.intrigue:
        return way
    for role in view.rules.roles.values():
        if role.clears_after_incident:
            holds = view.current_role(culprit, role.id)
            cleared = any_of(
                _effect(table, step, view, incident, culprit, before, borrowed=borrowed)
                for before in _before_clearing(step, view, culprit, noted)
            )
            open_point = borrowed or step.over is not None or not step.complete
            open_point = open_point or any(culprit in names for names in noted.deaths)
            stays = TRUE if open_point else _may_have_ended(step, view, incident, noted)
            both = (way & stays) | cleared
            way = (~holds.must & way) | (holds.may & both)
    return way


def _may_have_ended(step: Step, view: FormulaView, incident: Incident, noted: Noted) -> Formula:
    """Return when the loop may have ended before the Unease went (MC-08, I-25)."""
    if step.continues:
        return FALSE
    stopped = any(isinstance(part, EndLoop) for part in incident.parts)
    return TRUE if stopped else ended_by(view, noted.deaths)


def _scented(table: Table, step: Step) -> bool:
    """Tell whether an earlier incident of this loop may make a further one deadly (WM-14)."""
    return bool(scent_of(table, step)) or scent_borrowed(table, step)


def _before_clearing(step: Step, view: FormulaView, culprit: str, noted: Noted) -> Iterator[Noted]:
    """Yield what the effect itself may have shown before all Unease went (MC-08).

    What the incident put on its culprit may go with the rest or stay, as tables clear
    after or before the effect.
    """
    key = ((culprit,), UNEASE)
    own = sum(n for names, token, n in noted.tokens if (names, token) == key)
    others = tuple(entry for entry in noted.tokens if (entry[0], entry[1]) != key)
    readings = [(own, others)]
    for number, (names, token, n) in enumerate(others):
        # Whose Unease went may not have been named.
        if token == UNEASE and n < 0 and culprit in names:
            readings.append((own + n, others[:number] + others[number + 1 :]))
    had = view.board.unease(culprit)
    for shown, rest in readings:
        for put in range(3):
            fits = shown <= put if had is None else shown in (-had, put - had)
            # What the incident put on it may be missing from the notes.
            fits = fits or (not step.complete and had is not None and shown == -had - put)
            if fits:
                tokens = (*rest, ((culprit,), UNEASE, put)) if put else rest
                yield replace(noted, tokens=tokens)


def _effect(
    table: Table,
    step: Step,
    view: FormulaView,
    incident: Incident,
    culprit: str,
    noted: Noted,
    *,
    borrowed: bool,
) -> Formula:
    mob = incident.mob is not None and not borrowed
    times = 1 if mob else table.rules.characters[culprit].effect_times
    word = None if step.over is None else step.over.word
    ends = any(isinstance(part, EndLoop) for part in incident.parts)
    if times == 0:
        hunted_only = word == DEAD and _scented(table, step)
        quiet = noted.empty() and (word is None or hunted_only)
        if not quiet or (ends and step.ends_loop):
            return FALSE
        return hunted(table, step, view) if hunted_only else TRUE
    # In a step that is not told in full the death that ended the loop may be missing.
    ended = ended_by(view, noted.deaths) if step.complete else TRUE
    if word == LOST and ended is FALSE:
        return FALSE
    scent = not borrowed and _scented(table, step)
    deadly = any(
        isinstance(part, KillProtagonistsAt | KillProtagonistsByCorpses | KillAllOnce)
        for part in incident.parts
    )
    if word == DEAD and not deadly and not scent:
        return FALSE
    if mob:
        reader = Reader(table, step, view, culprit, noted, mob=True)
        way = reader.read(incident.parts, State(noted))
        return way & ended if word == LOST else way
    moved = displaced(view, culprit)
    ways = []
    # Whether a borrowed effect follows the role text is open (K-A.I.).
    at_place = TRUE if borrowed else ~moved.must
    for diagonal, holds in ((False, at_place), (True, moved.may)):
        if holds is not FALSE:
            of_mob = incident.mob is not None
            reader = Reader(table, step, view, culprit, noted, diagonal, of_mob)
            ways.append(holds & reader.read(incident.parts * times, State(noted)))
    way = any_of(ways)
    if word == DEAD and not deadly:
        way = way & hunted(table, step, view)
    return way & ended if word == LOST else way
