"""What an accepted Goodwill ability shows, read backward (G-07, G-20)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import structs

from assistant.clues.deaths import reaction
from assistant.clues.effect import Noted, effect_formula
from assistant.clues.haunting import victim_reads
from assistant.clues.view import FormulaView, cast_of, name_of
from assistant.formula import (
    FALSE,
    TRUE,
    CulpritAtom,
    Formula,
    Judged,
    PlotAtom,
    all_of,
    any_of,
)
from engine import records
from engine.board import Board
from engine.kleene import NO, YES
from engine.records import AnyRecord, TargetSpec, Unsure
from engine.rules.model import (
    ChangeTokens,
    ClearUser,
    ConvertToken,
    GoodwillAbility,
    KillTarget,
    LastingEffect,
    LeaveBoard,
    MoveTarget,
    MoveTokenBetween,
    PlaceGuard,
    ResolveIncident,
    RevealCulprit,
    RevealRole,
    RevealSameRole,
    RevealSubplot,
    ReviveTarget,
    StepUser,
    TakeBackCard,
)
from engine.table import Step, Table
from engine.table.apply import candidates, candidates_alive
from engine.words import GUARD, TOKENS, neighbours


@dataclass(frozen=True, slots=True)
class Shown:
    """What followed a use.

    Attributes:
        tokens: (card or place, token) to amount; "somebody" where it was not named.
        reveals: the Mastermind's answers.
        deaths, guards, revived: cards, where named; else every candidate.
        cards_back: cards that returned to a deck.
        moves: (card, place).
        other: further records.
    """

    tokens: tuple[tuple[tuple[str, str], int], ...]
    reveals: tuple[records.Reveal, ...]
    deaths: tuple[tuple[str, ...], ...]
    guards: tuple[tuple[str, ...], ...]
    revived: tuple[tuple[str, ...], ...]
    cards_back: tuple[records.CardBack, ...]
    moves: tuple[records.Moved, ...]
    other: tuple[AnyRecord, ...]
    everything: tuple[AnyRecord, ...] = ()

    @staticmethod
    def of(table: Table, board: Board, use: records.Use, effects: Iterable[AnyRecord]) -> Shown:
        """Sort the records that followed a use."""
        effects = tuple(effects)
        tokens: dict[tuple[str, str], int] = {}
        lists: dict[type, list[AnyRecord]] = {}
        for record in effects:
            if isinstance(record, records.Gauge):
                continue  # the gauge is read as a whole at the end of the step
            if isinstance(record, records.Token):
                names = candidates(board, record.on)
                key = (names[0] if len(names) == 1 else "somebody", record.token)
                tokens[key] = tokens.get(key, 0) + record.n
            else:
                lists.setdefault(type(record), []).append(record)

        def cards(kind: type) -> tuple[tuple[str, ...], ...]:
            found = lists.pop(kind, [])
            alive = kind is not records.Revived
            pick = candidates_alive if alive else candidates
            return tuple(pick(board, record.who) for record in found)  # type: ignore[union-attr]

        died = cards(records.Death)
        guards = cards(records.GuardLost)
        revived = cards(records.Revived)
        reveals = tuple(lists.pop(records.Reveal, []))
        back = tuple(lists.pop(records.CardBack, []))
        moves = tuple(lists.pop(records.Moved, []))
        rest = tuple(record for group in lists.values() for record in group)
        return Shown(
            tuple((key, n) for key, n in tokens.items() if n),
            reveals,  # type: ignore[arg-type]
            died,
            guards,
            revived,
            back,  # type: ignore[arg-type]
            moves,  # type: ignore[arg-type]
            rest,
            effects,
        )

    def empty(self) -> bool:
        """Tell whether nothing followed."""
        return not (
            self.tokens
            or self.reveals
            or self.deaths
            or self.guards
            or self.revived
            or self.cards_back
            or self.moves
            or self.other
        )

    def story(self, table: Table) -> str:
        """Return what followed, for a sentence."""
        words = [f"{n:+d} {token} on {name_of(table, on)}" for (on, token), n in self.tokens]
        words += ["an answer"] * len(self.reveals)
        words += [f"the death of {name_of(table, names[0])}" for names in self.deaths]
        return f" ({', '.join(words)})" if words else ""


def target_of(use: records.Use) -> str | None:
    """Return the card, place or subplot a use aims at, if it was named."""
    target = use.target.character if isinstance(use.target, TargetSpec) else use.target
    return target if isinstance(target, str) else None


def _unsure_target(use: records.Use) -> Unsure | None:
    """Return what is known of a target that the table could not name."""
    target = use.target
    if not isinstance(target, TargetSpec):
        return None
    if target.one_of is not None or target.somebody_at is not None:
        return Unsure(target.one_of, target.somebody_at)
    return target.character if isinstance(target.character, Unsure) else None


def acceptance(
    table: Table,
    step: Step,
    view: FormulaView,
    use: records.Use,
    ability: GoodwillAbility,
    shown: Shown,
    *,
    exact: bool,
) -> Formula:
    """Return when accepting the use shows what followed.

    Args:
        table, step: the game and its step.
        view: the board right before the use.
        use, ability: what was declared.
        shown: what followed.
        exact: nothing else was announced; otherwise a part may be missing.
    """
    kept = (
        records.Shifted,
        records.Removed,
        records.NoEffect,
        records.LocationNamed,
        records.ExtraCard,
        records.Curse,
        records.LeaderChooses,
    )
    if any(not isinstance(record, kept) for record in shown.other):
        return FALSE
    unsure = _unsure_target(use)
    if unsure is not None:
        return any_of(
            acceptance(
                table, step, view, structs.replace(use, target=name), ability, shown, exact=exact
            )
            for name in candidates(view.board, unsure)
        )
    reader = _Reader(table, step, view, use, ability, shown, exact)
    match ability.does:
        case ChangeTokens(token=token, amounts=amounts):
            return reader.change(token, amounts)
        case RevealRole():
            return reader.role()
        case RevealCulprit():
            return reader.culprit()
        case RevealSubplot():
            return reader.subplot()
        case TakeBackCard():
            return reader.card_back()
        case KillTarget():
            return reader.kill()
        case ReviveTarget():
            return reader.revive()
        case PlaceGuard():
            return reader.change(GUARD, (1,))
        case LastingEffect():
            return TRUE if shown.empty() else FALSE
        case ConvertToken(old=old, new=new):
            return reader.convert(old, new)
        case RevealSameRole():
            return reader.same_role()
        case ClearUser():
            return reader.clear()
        case MoveTokenBetween():
            return reader.passed()
        case MoveTarget():
            return reader.moved(target_of(use))
        case StepUser():
            return reader.moved(use.who if isinstance(use.who, str) else None)
        case LeaveBoard():
            return reader.left_board()
        case ResolveIncident():
            return reader.incident()


@dataclass(frozen=True, slots=True)
class _Reader:
    table: Table
    step: Step
    view: FormulaView
    use: records.Use
    ability: GoodwillAbility
    shown: Shown
    exact: bool

    def nothing(self) -> Formula:
        """Return the formula for "no sign of an effect that always shows"."""
        return FALSE if self.exact or self.use.outcome == "nothing" else TRUE

    def change(self, token: str, amounts: tuple[int, ...]) -> Formula:
        """Tokens on the target: placing always shows, removing only if there are some."""
        shown = self.shown
        if shown.reveals or shown.deaths or shown.guards or shown.revived or shown.moves:
            return FALSE
        target = target_of(self.use)
        if isinstance(self.use.choice, int) and self.use.choice in amounts:
            amounts = (self.use.choice,)
        count = None if target is None else self.view.board.tokens(token, target)
        ways = []
        for amount in amounts:
            if shown.empty():
                if amount < 0 and (count is None or count == 0):
                    ways.append(TRUE)
                else:
                    ways.append(self.nothing())
            elif not shown.tokens:
                ways.append(FALSE)
            else:
                (on, kind), n = shown.tokens[0]
                fits = len(shown.tokens) == 1 and kind == token and on in (target, "somebody")
                low = amount if amount > 0 or count is None else max(amount, -count)
                some = not self.exact and 0 < n * amount < amount * amount
                ways.append(TRUE if fits and (n in (amount, low) or some) else FALSE)
        return any_of(ways)

    def only_reveal(self) -> records.Reveal | None:
        """Return the one answer that followed, if nothing else did."""
        shown = self.shown
        if len(shown.reveals) != 1 or shown.tokens or shown.deaths or shown.guards:
            return None
        return shown.reveals[0]

    def role(self) -> Formula:
        """The current role of the target, truthfully (G-10)."""
        if self.shown.empty():
            return self.nothing()
        reveal = self.only_reveal()
        target = target_of(self.use) or self.use.who
        assert isinstance(target, str)
        if reveal is None or reveal.role is None or reveal.role_of != target:
            return FALSE
        if target in self.view.board.intrigue:
            return victim_reads(self.view, reveal.role)
        return self.view.current_role(target, reveal.role).may

    def culprit(self) -> Formula:
        """The culprit of the incident of a day, truthfully (G-11)."""
        if self.shown.empty():
            return self.nothing()
        reveal = self.only_reveal()
        if reveal is None or reveal.culprit_of is None or reveal.culprit is None:
            return FALSE
        if isinstance(self.use.target, TargetSpec) and self.use.target.day != reveal.culprit_of:
            return FALSE
        if reveal.culprit not in (*cast_of(self.table), *self.view.board.intrigue):
            return FALSE
        return all_of(
            CulpritAtom(number, reveal.culprit)
            for number in self.table.sheet.incidents_on(reveal.culprit_of)
        )

    def subplot(self) -> Formula:
        """An active subplot other than the declared one; silence if there is none (G-12)."""
        asked = target_of(self.use)
        others = [plot.id for plot in self.table.rules.subplots() if plot.id != asked]
        if self.shown.empty():
            none_left = all_of(~PlotAtom(plot) for plot in others)
            return none_left | self.nothing()
        reveal = self.only_reveal()
        if reveal is None or reveal.subplot is None or reveal.subplot == asked:
            return FALSE
        if reveal.subplot not in others:
            return FALSE
        return PlotAtom(reveal.subplot)

    def card_back(self) -> Formula:
        """A spent card of the Leader returns."""
        if self.shown.empty():
            return self.nothing()
        return TRUE if len(self.shown.cards_back) == 1 else FALSE

    def kill(self) -> Formula:
        """Death, or the guard marker, or nothing on a card that cannot die (G-14, G-17)."""
        target = target_of(self.use)
        if target is None:
            return FALSE
        cannot = self.view.unkillable(target)
        shown = self.shown
        if shown.deaths:
            fits = len(shown.deaths) == 1 and target in shown.deaths[0] and not shown.guards
            guarded = self.view.board.tokens(GUARD, target)
            if not fits or (guarded is not None and guarded > 0):
                return FALSE
            return ~cannot.must & self.reactions(target)
        if shown.guards:
            return TRUE if len(shown.guards) == 1 and target in shown.guards[0] else FALSE
        if shown.tokens:
            return FALSE
        return cannot.may | self.nothing()

    def reactions(self, dead: str) -> Formula:
        """Return when the tokens that followed a death are the reactions to it (BT-07)."""
        seen = dict(self.shown.tokens)
        fatal = FALSE if self.step.continues else self.view.death_ends_loop(dead).may
        terms: list[Formula] = []
        for who in self.view.board.cards:
            if who == dead or self.view.board.alive(who) == NO:
                continue
            own = {token: n for (on, token), n in seen.items() if on == who}
            seen = {key: n for key, n in seen.items() if key[0] != who}
            way = reaction(self.view, who, [(dead,)], own, exact=self.exact)
            terms.append(way if own else way | fatal)
        return FALSE if seen else all_of(terms)

    def revive(self) -> Formula:
        """The corpse lives again."""
        if self.shown.empty():
            return self.nothing()
        target = target_of(self.use)
        fits = len(self.shown.revived) == 1 and target in self.shown.revived[0]
        return TRUE if fits else FALSE

    def convert(self, old: str, new: str) -> Formula:
        """One token of the target becomes another; it shows if there was one."""
        target = target_of(self.use) or ""
        count = self.view.board.tokens(old, target)
        if self.shown.empty() and (count is None or count == 0):
            return TRUE
        return self.exactly({(target, old): -1, (target, new): 1})

    def exactly(self, tokens: dict[tuple[str, str], int]) -> Formula:
        """These token changes and nothing else."""
        if self.shown.empty():
            return self.nothing()
        same = dict(self.shown.tokens) == {key: n for key, n in tokens.items() if n}
        return TRUE if same and self.only_tokens() else FALSE

    def only_tokens(self) -> bool:
        """Tell whether nothing but token changes followed."""
        shown = self.shown
        return not (shown.reveals or shown.deaths or shown.guards or shown.revived or shown.moves)

    def clear(self) -> Formula:
        """All tokens of the user go; it had some, so this always shows (K-Scientist)."""
        if self.shown.empty():
            return self.nothing()
        assert isinstance(self.use.who, str)
        fits = self.only_tokens()
        for (on, token), n in self.shown.tokens:
            count = self.view.board.tokens(token, on)
            fits = fits and on == self.use.who and n < 0 and count in (None, -n)
        if self.exact:
            told = dict(self.shown.tokens)
            for token in TOKENS:
                count = self.view.board.tokens(token, self.use.who)
                fits = fits and (not count or told.get((self.use.who, token)) == -count)
        return TRUE if fits else FALSE

    def passed(self) -> Formula:
        """One token goes from one card to another; it shows if there was one (K-Forensic)."""
        target = self.use.target
        if not isinstance(target, TargetSpec) or not isinstance(target.source, str):
            return TRUE if not self.shown.deaths and not self.shown.reveals else FALSE
        source, to, token = target.source, target.to, target.token
        count = None if token is None else self.view.board.tokens(token, source)
        if self.shown.empty():
            return TRUE if not count else self.nothing()
        shifts = [r for r in self.shown.other if isinstance(r, records.Shifted)]
        if shifts:
            fits = (
                len(shifts) == 1
                and shifts[0].source == source
                and shifts[0].to == to
                and token in (None, shifts[0].token)
                and not self.shown.tokens
            )
        else:
            assert token is None or isinstance(token, str)
            moved = {(source, token): -1, (to, token): 1}
            fits = dict(self.shown.tokens) == moved
        return TRUE if fits and self.only_tokens() else FALSE

    def moved(self, who: str | None) -> Formula:
        """A card changes place; nothing shows only where a red X or a lock stopped it (G-20)."""
        shown = self.shown
        to = self.use.target.to if isinstance(self.use.target, TargetSpec) else None
        to = to or (self.use.choice if isinstance(self.use.choice, str) else None)
        if shown.empty():
            return TRUE if self.may_be_stopped(who, to) else self.nothing()
        if len(shown.moves) != 1 or shown.tokens or shown.reveals or shown.deaths:
            return FALSE
        move = shown.moves[0]
        fits = who is None or move.who == who or not isinstance(move.who, str)
        if isinstance(to, str) and isinstance(move.to, str):
            fits = fits and move.to == to
        place = None if who is None else self.view.board.cards[who].at
        if isinstance(self.ability.does, StepUser) and place is not None:
            fits = fits and (not isinstance(move.to, str) or move.to in neighbours(place))
        return TRUE if fits else FALSE

    def may_be_stopped(self, who: str | None, to: object) -> bool:
        """Tell whether the card may have been kept where it is (B-05)."""
        if who is None:
            return True
        character = self.view.rules.characters[who]
        board = self.view.board
        if board.effect("cannot_move", who) != NO or self.view.effect("freed", who) == YES:
            return board.effect("cannot_move", who) != NO
        if isinstance(to, str):
            return to in character.forbidden
        if isinstance(self.ability.does, StepUser):
            place = board.cards[who].at
            return place is None or set(neighbours(place)) <= character.forbidden
        return bool(character.forbidden)

    def left_board(self) -> Formula:
        """The user leaves the board."""
        if self.shown.empty():
            return self.nothing()
        gone = [r for r in self.shown.other if isinstance(r, records.Removed)]
        return TRUE if len(gone) == 1 and gone[0].who == self.use.who else FALSE

    def same_role(self) -> Formula:
        """Everybody present with the user's role is named, by current or scripted role."""
        reveal = self.only_reveal()
        if reveal is None or reveal.characters is None:
            return self.nothing() if self.shown.empty() else FALSE
        assert isinstance(self.use.who, str)
        named = {who for who in reveal.characters if isinstance(who, str)}
        return any_of(
            self._names(self.use.who, named, current=current) for current in (True, False)
        )

    def _names(self, user: str, named: set[str], *, current: bool) -> Formula:
        view = self.view
        terms: list[Formula] = []
        for who in dict.fromkeys((*view.board.cards, *named)):
            if who == user:
                continue
            same = Judged(FALSE, FALSE)
            for role in view.rules.roles:
                ask = view.current_role if current else view.scripted
                same = same | (ask(user, role) & ask(who, role))
            if who in named:
                terms.append(same.may)
            elif view.board.alive(who) == YES and self.exact:
                terms.append(~same.must)
        return all_of(terms)

    def incident(self) -> Formula:
        """The effect of a scheduled incident with the user as its culprit (K-A.I.)."""
        target = self.use.target
        day = target.day if isinstance(target, TargetSpec) else None
        numbers = () if day is None else self.table.sheet.incidents_on(day)
        if not numbers or not isinstance(self.use.who, str):
            return TRUE
        incident = self.table.rules.incidents[self.table.sheet.incidents[numbers[0]].incident]
        noted = Noted.of(self.view, self.shown.everything)
        way = effect_formula(
            self.table, self.step, self.view, incident, self.use.who, noted, borrowed=True
        )
        return way & self.after_deaths(noted)

    def after_deaths(self, noted: Noted) -> Formula:
        """Return when the reactions to an effect's deaths are the ones that were seen."""
        gone = {names[0] for names in noted.deaths if len(names) == 1}
        seen = dict(noted.reactions)
        terms: list[Formula] = []
        fatal = FALSE
        if not self.step.continues:
            fatal = any_of(self.view.death_ends_loop(who).may for who in gone)
        for who in self.view.board.cards:
            own = {token: n for (on, token), n in seen.items() if on == who}
            if who in gone or self.view.board.alive(who) == NO:
                terms.append(FALSE if own else TRUE)
                continue
            way = reaction(self.view, who, noted.deaths, own, exact=self.exact)
            terms.append(way if own else way | fatal)
        return all_of(terms)
