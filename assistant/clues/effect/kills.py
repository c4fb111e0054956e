"""Parts of an effect that kill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.clues.effect.base import Base, State, ended_by, ended_for_certain
from assistant.formula import FALSE, TRUE, Formula, any_of, truth
from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.rules.model import (
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    ResolveIncident,
)
from engine.rulings import CULPRIT_MAY_DIE, DEATHS_FIRST
from engine.table.apply import candidates
from engine.words import DEAD, INTRIGUE, LOST, NO_WORD


@dataclass(slots=True)
class KillParts(Base):
    """Reads the parts that kill characters or the Protagonists."""

    def kill_one(self, part: KillOne, state: State) -> Iterator[tuple[Formula, State]]:
        """One of several dies, or one that cannot die was chosen (I-08)."""
        board = self.view.board
        may_hit_itself = part.culprit_may_die
        if may_hit_itself == MAYBE and self.view.rulings[CULPRIT_MAY_DIE] is False:
            may_hit_itself = NO
        certain_other = False
        silent: list[Formula] = []
        for who in board.cards:
            fact = board.alive(who)
            if part.at_culprit:
                fact &= self.here(who, state)
            if part.token is not None:
                span = kleene.span_of(board.tokens(part.token, who))
                fact &= kleene.at_least(span, part.n)
            if who == self.culprit:
                fact &= may_hit_itself
            if fact == NO or who in state.gone:
                continue
            yield from ((term, replace(after, chosen=who)) for term, after in self.kill(who, state))
            silent.append(self.view.unkillable(who).may)
            if fact == YES:
                certain_other = True
        if not certain_other or self.silent_ok(state):
            yield TRUE, replace(state, chosen=None)
        else:
            yield any_of(silent), replace(state, chosen=None)

    def kill_culprit(self, state: State) -> Iterator[tuple[Formula, State]]:
        """The culprit dies (I-11)."""
        if self.culprit in state.gone:
            yield TRUE, state
            return
        yield from self.kill(self.culprit, state)
        if self.silent_ok(state):
            yield TRUE, state
        else:
            yield self.view.unkillable(self.culprit).may, state

    def kill_everyone(self, part: KillEveryoneAt, state: State) -> Iterator[tuple[Formula, State]]:
        """Everybody at a place dies, if enough Intrigue lies there (I-26)."""
        board = self.view.board
        holds = kleene.at_least(kleene.span_of(board.intrigue[part.place]), part.n)
        if holds != YES:
            yield TRUE, state
        if holds == NO:
            return
        term: Formula = TRUE
        closed = self.step.complete and (self.step.over is None or self.step.over.deaths_closed)
        now = state
        ended = FALSE if self.step.continues else ended_by(self.view, state.left.deaths)
        for who in board.cards:
            fact = board.lives_at(who, part.place)
            if fact == NO or who in state.gone:
                continue
            shown = next(self.kill(who, now), None)
            if shown is not None:
                term, now = term & shown[0], shown[1]
            elif fact == YES and closed:
                # Everybody there dies at once; only a loop that ended may leave them standing.
                term = term & (
                    self.view.unkillable(who).may
                    | (FALSE if self.closed_although_over() else ended)
                )
        yield term, now

    def kill_everyone_here(
        self, part: KillEveryoneHere, state: State
    ) -> Iterator[tuple[Formula, State]]:
        """Everyone where the culprit is dies, itself too, if it has the Intrigue (WM-16)."""
        board = self.view.board
        holds = YES
        if part.n:
            holds = kleene.at_least(kleene.span_of(board.tokens(INTRIGUE, self.culprit)), part.n)
        if holds != YES:
            yield TRUE, state
        if holds != NO:
            presence = {who: board.alive(who) & self.here(who, state) for who in board.cards}
            yield self.wipe(presence, state)

    def kill_all_once(self, state: State) -> Iterator[tuple[Formula, State]]:
        """Everybody and the Protagonists die, the first time in the game (WM-13)."""
        board = self.view.board
        first = self.first_time()
        if first != YES:
            yield TRUE, state
        if first == NO:
            return
        term, after = self.wipe({who: board.alive(who) for who in board.cards}, state)
        word = None if self.step.over is None else self.step.over.word
        shield = self.view.shielded()
        if word == DEAD:
            yield (term if shield != YES else FALSE), after
        elif word == LOST:
            yield term & ended_by(self.view, self.noted.deaths), after
        elif word is None and self.step.continues:
            yield (term if shield != NO else FALSE), after
        else:
            yield term, after

    def first_time(self) -> int:
        """Judge "this incident has not had its effect in this game yet"."""
        sheet, board = self.table.sheet, self.view.board
        number = sheet.incidents_on(self.step.day)[0]
        incident = sheet.incidents[number].incident
        before = board.occurred_before
        earlier = NO if before is not None and incident not in before else MAYBE
        if before is not None and incident in before:
            earlier = YES
        for item in sheet.incidents:
            if item.incident == incident and item.day != self.step.day:
                earlier |= board.occurred.get(item.day, NO)
        if earlier == YES:
            # A void or borrowed first time may not have counted: open (WM-13).
            odd = any(
                character.effect_times == 0
                or any(isinstance(own.does, ResolveIncident) for own in character.goodwill)
                for character in map(self.view.rules.characters.__getitem__, board.cards)
            )
            earlier = MAYBE if odd else YES
        return kleene.negate(earlier)

    def leader_kills(self, state: State) -> Iterator[tuple[Formula, State]]:
        """Whom the Leader chose dies, unless it cannot (WM-15)."""
        board = self.view.board
        chosen = [
            candidates(board, record.who)
            for record in self.step.records
            if isinstance(record, records.LeaderChooses)
        ]
        names = chosen[0] if chosen else tuple(board.cards)
        silent = []
        for who in names:
            if board.alive(who) == NO or who in state.gone:
                continue
            yield from self.kill(who, state)
            silent.append(self.view.unkillable(who).may)
        yield (TRUE if self.silent_ok(state) or not silent else any_of(silent)), state

    def kill_by_corpses(
        self, part: KillProtagonistsByCorpses, state: State
    ) -> Iterator[tuple[Formula, State]]:
        """The Protagonists die if enough corpses lie here after the deaths (HS-05)."""
        place = self.places(state)[0]
        low, high = self.view.board.corpses_at(place)
        holds = kleene.at_least((low + len(state.gone), high + len(state.gone)), part.n)
        yield from self.protagonists(holds, state)

    def kill_protagonists(
        self, part: KillProtagonistsAt, state: State
    ) -> Iterator[tuple[Formula, State]]:
        """The Protagonists die, if enough Intrigue lies at the place (I-22)."""
        count = self.view.board.intrigue[part.place]
        yield from self.protagonists(kleene.at_least(kleene.span_of(count), part.n), state)

    def protagonists(self, holds: int, state: State) -> Iterator[tuple[Formula, State]]:
        """The Protagonists die if ``holds``: which word that leaves possible (I-16, L-04)."""
        shield = self.view.shielded()
        word = None if self.step.over is None else self.step.over.word
        if holds != YES and word != DEAD:
            yield TRUE, state
        if holds == NO:
            return
        reading = self.view.rulings[DEATHS_FIRST]
        by_death = ended_by(self.view, self.noted.deaths)
        if word == DEAD:
            # A card that ends the loop by dying may have gone first, by one reading (I-16).
            first = ~ended_for_certain(self.view, self.noted.deaths) if reading is True else TRUE
            yield (first if shield != YES else FALSE), state
        elif word == LOST:
            yield (by_death if reading is not False or shield != NO else FALSE), state
        elif word == NO_WORD or not (self.step.continues or self.step.complete):
            yield TRUE, state
        else:
            # The step was told in full and no end of the loop among it; what a dead card's
            # own rule did, only a later step would tell (L-02).
            by_death = FALSE if self.step.continues else by_death
            yield truth(bool(shield & 1)) | by_death, state
