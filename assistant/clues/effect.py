"""An incident's effect read backward: could this culprit have shown exactly this?

The parts of the effect are consumed in order against what was noted; each way of doing so
that leaves nothing over is one disjunct. What a part may leave without a trace, and when,
is the heart of I-26.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from assistant.clues.knowledge import scent_of
from assistant.clues.trigger import displaced
from assistant.clues.view import FormulaView, cast_of, name_of
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, all_of, any_of, truth
from engine import kleene, records
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord
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
    On,
    Part,
    Place,
    Put,
    PutOnPlace,
    ResolveIncident,
    ScatterOthers,
    Scent,
    SetExtraCard,
    Timing,
    Transfer,
)
from engine.rules.queries import role_abilities
from engine.rulings import CULPRIT_MAY_DIE, DEATHS_FIRST
from engine.table import Step, Table
from engine.table.apply import candidates, candidates_alive
from engine.words import DEAD, DIAGONAL, INTRIGUE, LOST, NO_WORD, UNEASE, move_from

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """What the table noted of an effect.

    Attributes:
        deaths, guards: who died or lost a guard marker, each as the cards it may have been.
        tokens: (cards or places it may be on, token) to amount.
        moves: (cards it may be, where to).
        reactions: tokens that only a reaction to a death can explain, by (card, token).
        named: locations that were named.
        extra, curses: who or what got an Extra card or a curse.
    """

    deaths: tuple[Names, ...] = ()
    guards: tuple[Names, ...] = ()
    tokens: tuple[tuple[Names, str, int], ...] = ()
    moves: tuple[tuple[Names, Names], ...] = ()
    reactions: tuple[tuple[tuple[str, str], int], ...] = ()
    named: tuple[str, ...] = ()
    extra: tuple[Names, ...] = ()
    curses: tuple[Names, ...] = ()

    @staticmethod
    def of(view: FormulaView, noted: Iterable[AnyRecord]) -> Noted:
        """Read the records of an effect that began on the view's board."""
        board = view.board
        totals: dict[tuple[Names, str], int] = {}
        died: list[Names] = []
        guards: list[Names] = []
        moves: list[tuple[Names, Names]] = []
        named: list[str] = []
        extra: list[Names] = []
        curses: list[Names] = []
        for record in noted:
            match record:
                case records.Death(who=who):
                    died.append(candidates_alive(board, who))
                case records.GuardLost(who=who):
                    guards.append(candidates_alive(board, who))
                case records.Token():
                    key = (candidates(board, record.on), record.token)
                    totals[key] = totals.get(key, 0) + record.n
                case records.Shifted():
                    for end, n in ((record.source, -1), (record.to, 1)):
                        key = (candidates(board, end), record.token)
                        totals[key] = totals.get(key, 0) + n
                case records.LocationNamed(location=str(location)):
                    named.append(location)
                case records.ExtraCard(on=on, off=False):
                    extra.append(candidates(board, on))
                case records.Curse(on=on):
                    curses.append(candidates(board, on))
                case records.Moved():
                    moves.append((candidates(board, record.who), candidates(board, record.to)))
                case _:
                    pass
        reactions = _split_reactions(view, totals) if died else {}
        return Noted(
            tuple(died),
            tuple(guards),
            tuple((names, token, n) for (names, token), n in totals.items() if n),
            tuple(moves),
            tuple(reactions.items()),
            named=tuple(named),
            extra=tuple(extra),
            curses=tuple(curses),
        )

    def empty(self) -> bool:
        """Tell whether nothing of an effect was noted."""
        return not (
            self.deaths
            or self.guards
            or self.tokens
            or self.moves
            or self.named
            or self.extra
            or self.curses
        )

    def story(self, table: Table) -> str:
        """Return what was seen, for a sentence."""
        words = [f"the death of {_list(table, names)}" for names in self.deaths]
        words += [f"the guard of {_list(table, names)} gone" for names in self.guards]
        words += [
            f"{n:+d} {token.title()} on {_list(table, names)}" for names, token, n in self.tokens
        ]
        words += [f"{_list(table, names)} moving" for names, _ in self.moves]
        words += [f"{name_of(table, place)} named" for place in self.named]
        words += [f"an Extra card on {_list(table, names)}" for names in self.extra]
        return ", ".join(words) or "nothing"


def _split_reactions(
    view: FormulaView, totals: dict[tuple[Names, str], int]
) -> dict[tuple[str, str], int]:
    """Take out of ``totals`` the tokens that only a reaction to a death places (BT-07).

    A reaction places so many at once that no effect does; the rest is the effect's.
    """
    sizes = {
        ability.does.token: ability.does.n
        for _, ability in role_abilities(view, Timing.OTHER_DEATH)
        if isinstance(ability.does, Place)
    }
    reactions: dict[tuple[str, str], int] = {}
    for (names, token), n in list(totals.items()):
        size = sizes.get(token)
        if size is not None and n >= size and len(names) == 1:
            reactions[names[0], token] = n - n % size
            totals[names, token] = n % size
    return reactions


def _list(table: Table, names: Names) -> str:
    return " or ".join(name_of(table, name) for name in names)


@dataclass(frozen=True, slots=True)
class _State:
    """What is still to be explained while the parts are consumed in order."""

    left: Noted
    chosen: str | None = None
    ended: bool = False
    """The loop may have ended within the effect: later parts may be missing (I-25)."""
    place: str | None = None
    """Where the culprit stands now, if it moved."""
    gone: frozenset[str] = frozenset()
    """Who has died in the effect so far."""


@dataclass(slots=True)
class _Reader:
    table: Table
    step: Step
    view: FormulaView
    culprit: str
    noted: Noted
    diagonal: bool = False
    """The culprit counts as standing at the diagonal location (MC-11)."""

    def places(self, state: _State) -> Names:
        if state.place is not None:
            return (state.place,)
        if self.culprit in self.view.board.intrigue:
            return (self.culprit,)  # a mob acts where it is (HS-03)
        places = self.view.board.possible_places(self.culprit)
        if self.diagonal:
            return tuple(move_from(place, DIAGONAL) for place in places)
        return places

    def here(self, who: str, state: _State) -> int:
        """Judge "``who`` is where the effect happens"; a displaced culprit counts as there."""
        if self.diagonal and who == self.culprit:
            return YES
        return _any_place(self.view.board.is_at(who, place) for place in self.places(state))

    def silent_ok(self, state: _State) -> bool:
        """Tell whether a part may be missing from the notes."""
        return not self.step.complete or state.ended or self.step.over is not None

    def closed_although_over(self) -> bool:
        """Tell whether the list of deaths is closed although the loop ended in the step."""
        return self.step.over is not None and self.step.over.deaths_closed

    # Parts ------------------------------------------------------------------------------

    def read(self, parts: tuple[Part, ...], state: _State) -> Formula:
        """Return when the rest of the effect shows what is left."""
        if not parts:
            return self.rest(state)
        ways = []
        for term, after in self.part(parts[0], state):
            if term is not FALSE:
                ways.append(term & self.read(parts[1:], after))
        return any_of(ways)

    def rest(self, state: _State) -> Formula:
        left = state.left
        if left.deaths or left.guards or left.moves or left.named or left.extra or left.curses:
            return FALSE
        return FALSE if left.tokens else TRUE

    def part(self, part: Part, state: _State) -> Iterator[tuple[Formula, _State]]:
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
                yield (FALSE if self.step.continues else TRUE), state
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

    def kill(self, victim: str, state: _State) -> Iterator[tuple[Formula, _State]]:
        """Yield the visible ways in which a kill on ``victim`` shows."""
        died = _take(state.left.deaths, victim)
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
        guard = _take(state.left.guards, victim)
        if guard is not None:
            yield TRUE, replace(state, left=replace(state.left, guards=guard))

    def kill_one(self, part: KillOne, state: _State) -> Iterator[tuple[Formula, _State]]:
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

    def kill_culprit(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        if self.culprit in state.gone:
            yield TRUE, state
            return
        yield from self.kill(self.culprit, state)
        if self.silent_ok(state):
            yield TRUE, state
        else:
            yield self.view.unkillable(self.culprit).may, state

    def kill_everyone(
        self, part: KillEveryoneAt, state: _State
    ) -> Iterator[tuple[Formula, _State]]:
        board = self.view.board
        holds = kleene.at_least(kleene.span_of(board.intrigue[part.place]), part.n)
        if holds != YES:
            yield TRUE, state
        if holds == NO:
            return
        term: Formula = TRUE
        closed = self.step.complete and (self.step.over is None or self.step.over.deaths_closed)
        now = state
        ended = FALSE if self.step.continues else _ended_by(self.view, state.left.deaths)
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

    def wipe(
        self, presence: dict[str, int], state: _State, *, itself: Formula = TRUE
    ) -> tuple[Formula, _State]:
        """Kill everybody present: who is left standing cannot die, if the list is closed."""
        term: Formula = itself
        closed = self.step.complete and (self.step.over is None or self.step.over.deaths_closed)
        ended = FALSE if self.step.continues else _ended_by(self.view, state.left.deaths)
        if self.closed_although_over():
            ended = FALSE
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

    def kill_everyone_here(
        self, part: KillEveryoneHere, state: _State
    ) -> Iterator[tuple[Formula, _State]]:
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

    def kill_all_once(self, state: _State) -> Iterator[tuple[Formula, _State]]:
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
            yield term & _ended_by(self.view, self.noted.deaths), after
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

    def leader_kills(self, state: _State) -> Iterator[tuple[Formula, _State]]:
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

    def put_on_place(
        self, part: PutOnPlace, state: _State, *, forced: bool = True
    ) -> Iterator[tuple[Formula, _State]]:
        """Tokens on the culprit's location or on any; ``forced``: this always shows."""
        places = tuple(self.view.board.intrigue) if part.anywhere else self.places(state)
        for place in places:
            left = _take_tokens(state.left, place, part.token, part.n)
            if left is not None:
                yield TRUE, replace(state, left=left)
        if forced and self.silent_ok(state):
            yield TRUE, state

    def attach_curse(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        """A curse lies on the culprit, or on the mob's location (HS-05)."""
        left = _take(state.left.curses, self.culprit)
        if left is not None:
            yield TRUE, replace(state, left=replace(state.left, curses=left))
        if self.silent_ok(state):
            yield TRUE, state

    def scatter(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        """Everybody else here goes elsewhere, but may be sent beyond its red X (HS-23)."""
        board = self.view.board
        moves = list(state.left.moves)
        for who in board.cards:
            fact = board.alive(who) & self.here(who, state)
            if who == self.culprit or fact == NO:
                continue
            taken = next((entry for entry in moves if who in entry[0]), None)
            if taken is not None:
                moves.remove(taken)
            elif fact == YES and not self.may_stay(who) and not self.silent_ok(state):
                return
        yield TRUE, replace(state, left=replace(state.left, moves=tuple(moves)))

    def may_stay(self, who: str) -> bool:
        """Tell whether some location is barred to the card, so that its move may fail."""
        board = self.view.board
        barred = self.view.rules.characters[who].forbidden
        locked = board.effect("cannot_move", who) != NO or any(
            board.effect("closed", place) != NO for place in board.intrigue
        )
        return bool(barred) or locked

    def kill_by_corpses(
        self, part: KillProtagonistsByCorpses, state: _State
    ) -> Iterator[tuple[Formula, _State]]:
        """The Protagonists die if enough corpses lie here after the deaths (HS-05)."""
        place = self.places(state)[0]
        low, high = self.view.board.corpses_at(place)
        holds = kleene.at_least((low + len(state.gone), high + len(state.gone)), part.n)
        yield from self.protagonists(holds, state)

    def kill_protagonists(
        self, part: KillProtagonistsAt, state: _State
    ) -> Iterator[tuple[Formula, _State]]:
        count = self.view.board.intrigue[part.place]
        yield from self.protagonists(kleene.at_least(kleene.span_of(count), part.n), state)

    def protagonists(self, holds: int, state: _State) -> Iterator[tuple[Formula, _State]]:
        """The Protagonists die if ``holds``: which word that leaves possible (I-16, L-04)."""
        shield = self.view.shielded()
        word = None if self.step.over is None else self.step.over.word
        if holds != YES and word != DEAD:
            yield TRUE, state
        if holds == NO:
            return
        reading = self.view.rulings[DEATHS_FIRST]
        by_death = _ended_by(self.view, self.noted.deaths)
        if word == DEAD:
            # A card that ends the loop by dying may have gone first, by one reading (I-16).
            first = ~_ended_for_certain(self.view, self.noted.deaths) if reading is True else TRUE
            yield (first if shield != YES else FALSE), state
        elif word == LOST:
            yield (by_death if reading is not False or shield != NO else FALSE), state
        elif word == NO_WORD or not self.step.continues:
            yield TRUE, state
        else:
            yield truth(bool(shield & 1)), state

    def put(self, part: Put, state: _State) -> Iterator[tuple[Formula, _State]]:
        board = self.view.board
        if not isinstance(part.on, On):
            for token in part.tokens:
                left = _take_tokens(state.left, part.on, token, part.n)
                if left is not None:
                    yield TRUE, replace(state, left=left)
            if self.silent_ok(state):
                yield TRUE, state
            return
        possible = False
        for who in board.cards:
            fact = board.alive(who)
            if part.on is On.CHARACTER_HERE:
                fact &= self.here(who, state)
            if part.on is On.ANOTHER and who == state.chosen:
                fact = NO
            if fact == NO or who in state.gone:
                continue
            # A displaced culprit may be hit where it acts, but need not be (MC-11, MC-26).
            possible = possible or (fact == YES and not (self.diagonal and who == self.culprit))
            for token in part.tokens:
                left = _take_tokens(state.left, who, token, part.n)
                if left is not None:
                    yield TRUE, replace(state, left=left, chosen=who)
        if not possible or self.silent_ok(state):
            yield TRUE, replace(state, chosen=None)

    def transfer(self, part: Transfer, state: _State) -> Iterator[tuple[Formula, _State]]:
        """What is taken is placed, or by another print the full number is (I-14)."""
        yield TRUE, state
        board = self.view.board
        living = [who for who in board.cards if board.alive(who) != NO]
        for giver in living:
            low, high = kleene.span_of(board.tokens(part.token, giver))
            for taken in range(part.up_to + 1):
                if taken > high:
                    continue
                left = _take_tokens(state.left, giver, part.token, -taken)
                if left is None:
                    continue
                placed_counts = {taken}
                if taken >= min(low, part.up_to):
                    placed_counts.add(part.up_to)
                for taker in living:
                    for placed in placed_counts:
                        after = _take_tokens(left, taker, part.token, placed)
                        if taker != giver and after is not None and (taken or placed):
                            yield TRUE, replace(state, left=after)
                if self.silent_ok(state) and taken:
                    yield TRUE, replace(state, left=left)

    def move_any(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        """Somebody here moves anywhere, or to where it stands: then nothing shows (MC-17)."""
        yield TRUE, state
        for number, (names, to) in enumerate(state.left.moves):
            fits = [
                who
                for who in names
                if self.view.board.alive(who) != NO and self.here(who, state) != NO
            ]
            if not fits:
                continue
            moves = state.left.moves[:number] + state.left.moves[number + 1 :]
            after = replace(state, left=replace(state.left, moves=moves))
            if self.culprit in fits and not self.diagonal:
                place = to[0] if len(to) == 1 else None
                yield TRUE, replace(after, place=place)
            if set(fits) - {self.culprit} or self.diagonal:
                yield TRUE, after

    def name_location(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        """The place where the culprit acts is named, always (MC-18, MC-26)."""
        for number, place in enumerate(state.left.named):
            if place in self.places(state):
                named = state.left.named[:number] + state.left.named[number + 1 :]
                yield TRUE, replace(state, left=replace(state.left, named=named))
        if self.silent_ok(state):
            yield TRUE, state

    def extra_card(self, state: _State) -> Iterator[tuple[Formula, _State]]:
        """An Extra card lies on the culprit itself, always (MC-16)."""
        left = _take(state.left.extra, self.culprit)
        if left is not None:
            yield TRUE, replace(state, left=replace(state.left, extra=left))
        if self.silent_ok(state):
            yield TRUE, state

    def can_move(self) -> bool:
        """Tell whether some other location is surely open to the culprit."""
        character = self.view.rules.characters[self.culprit]
        if len(character.forbidden) < len(self.view.board.intrigue) - 1:
            return True
        return self.view.effect("freed", self.culprit) == YES

    def move_culprit(self, part: MoveCulprit, state: _State) -> Iterator[tuple[Formula, _State]]:
        board = self.view.board
        for place in board.intrigue:
            left = _take_tokens(state.left, place, part.token, part.n)
            if left is None:
                continue
            for number, (names, to) in enumerate(left.moves):
                if self.culprit in names and place in to:
                    moves = left.moves[:number] + left.moves[number + 1 :]
                    yield TRUE, replace(state, left=replace(left, moves=moves), place=place)
            if place in self.places(state):
                yield TRUE, replace(state, left=left, place=place)
        if not self.can_move():
            # Whether a culprit that cannot move still marks its place is open (I-26).
            yield TRUE, state
        if self.silent_ok(state):
            for number, (names, to) in enumerate(state.left.moves):
                if self.culprit in names:
                    moves = state.left.moves[:number] + state.left.moves[number + 1 :]
                    place_after = to[0] if len(to) == 1 else None
                    yield (
                        TRUE,
                        replace(state, left=replace(state.left, moves=moves), place=place_after),
                    )
            # The token may have been noted although the move was not.
            for place in board.intrigue:
                left = _take_tokens(state.left, place, part.token, part.n)
                if (
                    left is not None
                    and place not in self.view.rules.characters[self.culprit].forbidden
                ):
                    yield TRUE, replace(state, left=left, place=None)
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
            gone = any(culprit in names for names in noted.deaths)
            both = way | cleared if open_point or gone or not step.continues else cleared
            way = (~holds.must & way) | (holds.may & both)
    return way


def _before_clearing(step: Step, view: FormulaView, culprit: str, noted: Noted) -> Iterator[Noted]:
    """Yield what the effect itself may have shown before all Unease went (MC-08).

    What the incident put on its culprit may go with the rest or stay, as tables clear
    after or before the effect.
    """
    key = ((culprit,), UNEASE)
    shown = sum(n for names, token, n in noted.tokens if (names, token) == key)
    others = tuple(entry for entry in noted.tokens if (entry[0], entry[1]) != key)
    had = view.board.unease(culprit)
    for put in range(3):
        fits = shown <= put if had is None else shown in (-had, put - had)
        if fits:
            tokens = (*others, ((culprit,), UNEASE, put)) if put else others
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
        hunted_only = word == DEAD and bool(scent_of(table, step))
        quiet = noted.empty() and (word is None or hunted_only)
        if not quiet or (ends and step.ends_loop):
            return FALSE
        return _hunted(table, step, view) if hunted_only else TRUE
    ended = _ended_by(view, noted.deaths)
    if word == LOST and ended is FALSE:
        return FALSE
    scent = scent_of(table, step)
    deadly = any(
        isinstance(part, KillProtagonistsAt | KillProtagonistsByCorpses | KillAllOnce)
        for part in incident.parts
    )
    if word == DEAD and not deadly and not scent:
        return FALSE
    if mob:
        reader = _Reader(table, step, view, culprit, noted)
        way = reader.read(incident.parts, _State(noted))
        return way & ended if word == LOST else way
    moved = displaced(view, culprit)
    ways = []
    # Whether a borrowed effect follows the role text is open (K-A.I.).
    at_place = TRUE if borrowed else ~moved.must
    for diagonal, holds in ((False, at_place), (True, moved.may)):
        if holds is not FALSE:
            reader = _Reader(table, step, view, culprit, noted, diagonal)
            ways.append(holds & reader.read(incident.parts * times, _State(noted)))
    way = any_of(ways)
    if word == DEAD and not deadly:
        way = way & _hunted(table, step, view)
    return way & ended if word == LOST else way


def _hunted(table: Table, step: Step, view: FormulaView) -> Formula:
    """Return when an earlier incident of this loop makes a further one deadly (WM-14)."""
    if view.shielded() == YES:
        return FALSE
    void = [who for who in cast_of(table) if table.rules.characters[who].effect_times == 0]
    return any_of(
        all_of(~CulpritAtom(number, who) for who in void) for number in scent_of(table, step)
    )


def _ended_by(view: FormulaView, died: tuple[Names, ...]) -> Formula:
    return any_of(view.death_ends_loop(who).may for names in died for who in names)


def _ended_for_certain(view: FormulaView, died: tuple[Names, ...]) -> Formula:
    return any_of(view.death_ends_loop(names[0]).must for names in died if len(names) == 1)


def _any_place(facts: Iterable[int]) -> int:
    result = NO
    for fact in facts:
        result |= fact
    return result


def _take(groups: tuple[Names, ...], who: str) -> tuple[Names, ...] | None:
    """Return the groups without the first that may be ``who``; ``None`` if there is none."""
    for number, names in enumerate(groups):
        if who in names:
            return groups[:number] + groups[number + 1 :]
    return None


def _take_tokens(left: Noted, on: str, token: str, n: int) -> Noted | None:
    """Return what is left once ``n`` of a token on ``on`` are explained; ``None`` if unseen."""
    if n == 0:
        return left
    for number, (names, kind, amount) in enumerate(left.tokens):
        if on not in names or kind != token:
            continue
        if (amount > 0) != (n > 0) or abs(amount) < abs(n):
            continue
        rest = amount - n
        tokens = left.tokens[:number] + left.tokens[number + 1 :]
        if rest:
            tokens = (*tokens, (names, kind, rest))
        return replace(left, tokens=tokens)
    return None
