"""Parts of an effect that kill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.clues.effect.base import Base, State, ended_by, ended_for_certain, hunted
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, all_of, any_of, truth
from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.rules.model import (
    KillAllOnce,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    Part,
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
        ended = self.cut_short(state)
        for who in board.cards:
            fact = board.lives_at(who, part.place)
            if fact == NO or who in state.gone:
                continue
            shown = next(self.kill(who, now), None)
            if shown is not None:
                term, now = term & shown[0], shown[1]
            elif fact == YES and closed:
                # Everybody there dies at once; only a loop that ended may leave them standing.
                term = term & (self.view.unkillable(who).may | ended)
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
        used_up, fresh = self.burnt()
        if self.step.over is not None and self.step.over.word == DEAD:
            used_up = used_up & hunted(self.table, self.step, self.view)
        if used_up is not FALSE:
            yield used_up, state
        if fresh is FALSE:
            return
        term, after = self.wipe({who: board.alive(who) for who in board.cards}, state)
        term = term & fresh
        word = None if self.step.over is None else self.step.over.word
        shield = self.view.shielded()
        by_death = ended_by(self.view, self.noted.deaths)
        if not self.step.complete:  # the death on which "lost" rests may not be noted yet
            by_death = TRUE
        if word == DEAD:
            yield (term if shield != YES else FALSE), after
        elif word == LOST:
            yield term & by_death, after
        elif word is None and (self.step.continues or self.step.complete):
            by_death = FALSE if self.step.continues else by_death
            yield term & (truth(bool(shield & 1)) | by_death), after
        else:
            yield term, after

    def burnt(self) -> tuple[Formula, Formula]:
        """Return when the effect is used up, and when it is still to come (WM-13).

        An earlier occurrence whose own effect was void, or a card that resolved the effect
        before, may or may not have counted.
        """
        sheet, board = self.table.sheet, self.view.board
        today = sheet.incidents_on(self.step.day)
        incident = next(
            item.incident
            for item in sheet.incidents
            if any(isinstance(p, KillAllOnce) for p in self.parts_of(item.incident))
        )
        before = board.occurred_before
        if before is None:
            return TRUE, TRUE
        numbers = [n for n, item in enumerate(sheet.incidents) if item.incident == incident]
        void = [
            who
            for who, character in self.view.rules.characters.items()
            if character.effect_times == 0 and who in board.cards
        ]
        facts = {
            n: board.occurred.get(sheet.incidents[n].day, NO) for n in numbers if n not in today
        }
        surely = [n for n, fact in facts.items() if fact == YES]
        if incident not in before and not surely:
            open_point = any(facts.values()) or self.borrowed_before(incident)
            return TRUE if open_point else FALSE, TRUE

        def is_void(number: int) -> Formula:
            return any_of(CulpritAtom(number, who) for who in void if who != self.culprit)

        maybe_void = all_of(is_void(n) for n in surely)
        if incident in before:
            # Which of its dates it was is not known any more.
            maybe_void = maybe_void & any_of(is_void(n) for n in numbers)
        return TRUE, maybe_void

    def parts_of(self, incident: str) -> tuple[Part, ...]:
        """Return the parts of an incident's effect."""
        return self.view.rules.incidents[incident].parts

    def borrowed_before(self, incident: str) -> bool:
        """Tell whether a card resolved this incident's effect earlier in the game."""
        sheet = self.table.sheet
        for step in self.table.steps[: self.step.index + 1]:
            for record in step.records:
                target = record.target if isinstance(record, records.Use) else None
                day = target.day if isinstance(target, records.TargetSpec) else None
                named = () if day is None else sheet.incidents_on(day)
                if any(sheet.incidents[n].incident == incident for n in named):
                    return step.index < self.step.index
        return False

    def leader_kills(self, state: State) -> Iterator[tuple[Formula, State]]:
        """Whom the Leader chose dies, unless it cannot; a doubled effect asks twice (WM-15)."""
        board = self.view.board
        number = state.asked
        state = replace(state, asked=number + 1)
        chosen = [
            candidates(board, record.who)
            for record in self.step.records
            if isinstance(record, records.LeaderChooses)
        ]
        names = chosen[number] if number < len(chosen) else tuple(board.cards)
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
        if holds != YES:
            # An earlier incident may have made this one deadly all the same (WM-14).
            spared = hunted(self.table, self.step, self.view) if word == DEAD else TRUE
            yield spared, state
        if holds == NO:
            return
        reading = self.view.rulings[DEATHS_FIRST]
        by_death = ended_by(self.view, self.noted.deaths)
        if not self.step.complete:  # the death on which "lost" rests may not be noted yet
            by_death = TRUE
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
