"""Where an effect stands while it is read, and how a kill shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.clues.effect.noted import Names, Noted, any_place, take
from assistant.clues.knowledge import scent_borrowed, scent_of
from assistant.clues.view import FormulaView, cast_of
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, all_of, any_of
from engine.kleene import MAYBE, NO, YES
from engine.table import Step, Table
from engine.words import DIAGONAL, INCIDENT_STEP, move_from


@dataclass(frozen=True, slots=True)
class State:
    """What is still to be explained while the parts are consumed in order."""

    left: Noted
    chosen: str | None = None
    ended: bool = False
    """The loop may have ended within the effect: later parts may be missing (I-25)."""
    place: str | None = None
    """Where the culprit stands now, if it moved."""
    gone: frozenset[str] = frozenset()
    """Who has died in the effect so far."""
    asked: int = 0
    """How often the Leader has chosen in the effect so far."""


@dataclass(slots=True)
class Base:
    """What all parts need to know: who acts, where, and what may be missing."""

    table: Table
    step: Step
    view: FormulaView
    culprit: str
    noted: Noted
    diagonal: bool = False
    """The culprit counts as standing at the diagonal location (MC-11)."""
    mob: bool = False
    """The incident is one of a mob, even where a card resolves it (HS-03)."""

    def places(self, state: State) -> Names:
        """Return where the culprit may be acting."""
        if state.place is not None:
            return (state.place,)
        if self.culprit in self.view.board.intrigue:
            return (self.culprit,)  # a mob acts where it is (HS-03)
        places = self.view.board.possible_places(self.culprit)
        if self.diagonal:
            return tuple(move_from(place, DIAGONAL) for place in places)
        return places

    def here(self, who: str, state: State) -> int:
        """Judge "``who`` is where the effect happens"; a displaced culprit counts as there."""
        if self.diagonal and who == self.culprit:
            return YES
        places = self.places(state)
        fact = any_place(self.view.board.is_at(who, place) for place in places)
        # Where the culprit's own place is not known nobody is with it for certain.
        return fact & MAYBE if len(places) > 1 else fact

    def silent_ok(self, state: State) -> bool:
        """Tell whether a part may be missing from the notes."""
        return not self.step.complete or state.ended or self.step.over is not None

    def closed_although_over(self) -> bool:
        """Tell whether the list of deaths is closed although the loop ended in the step."""
        return self.step.over is not None and self.step.over.deaths_closed

    # Parts ------------------------------------------------------------------------------

    def kill(self, victim: str, state: State) -> Iterator[tuple[Formula, State]]:
        """Yield the visible ways in which a kill on ``victim`` shows."""
        died = take(state.left.deaths, victim)
        if died is not None:
            ends = self.view.death_ends_loop(victim).may
            left = replace(state.left, deaths=died)
            fatal = ends is not FALSE and not self.step.continues
            yield (
                ~self.view.unkillable(victim).must,
                replace(
                    state,
                    left=left,
                    ended=state.ended or fatal,
                    gone=state.gone | {victim},
                ),
            )
        guard = take(state.left.guards, victim)
        if guard is not None:
            yield TRUE, replace(state, left=replace(state.left, guards=guard))

    def cut_short(self, state: State) -> Formula:
        """Return when the loop may have ended before all of this part was resolved (I-25).

        Everybody concerned dies at one instant: where the list of deaths is closed although
        the loop ended, only deaths of an earlier part excuse who is left standing.
        """
        if self.step.continues:
            return FALSE
        earlier = ended_by(self.view, tuple((who,) for who in sorted(state.gone)))
        if self.closed_although_over():
            return earlier
        return earlier | ended_by(self.view, self.noted.deaths)

    def wipe(
        self, presence: dict[str, int], state: State, *, itself: Formula = TRUE
    ) -> tuple[Formula, State]:
        """Kill everybody present: who is left standing cannot die, if the list is closed."""
        term: Formula = itself
        closed = self.step.complete and (self.step.over is None or self.step.over.deaths_closed)
        ended = self.cut_short(state)
        now = state
        for who, fact in presence.items():
            if fact == NO or who in state.gone:
                continue
            shown = next(self.kill(who, now), None)
            if shown is not None:
                term, now = term & shown[0], shown[1]
            elif fact == YES and closed:
                term = term & (self.view.unkillable(who).may | ended)
        return term, now


def ended_by(view: FormulaView, died: tuple[Names, ...]) -> Formula:
    """Return when one of the dead may have ended the loop (L-02)."""
    return any_of(view.death_ends_loop(who).may for names in died for who in names)


def ended_for_certain(view: FormulaView, died: tuple[Names, ...]) -> Formula:
    """Return when one of the dead surely ended the loop."""
    return any_of(view.death_ends_loop(names[0]).must for names in died if len(names) == 1)


def hunted(table: Table, step: Step, view: FormulaView) -> Formula:
    """Return when an earlier incident of this loop makes a further one deadly (WM-14)."""
    if view.shielded() == YES or step.name != INCIDENT_STEP:
        return FALSE
    if scent_borrowed(table, step):
        return TRUE
    void = [who for who in cast_of(table) if table.rules.characters[who].effect_times == 0]
    return any_of(
        all_of(~CulpritAtom(number, who) for who in void) for number in scent_of(table, step)
    )
