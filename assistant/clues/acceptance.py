"""What an accepted Goodwill ability shows, read backward (G-07, G-20)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import structs

from assistant.clues.view import FormulaView, cast_of, name_of
from assistant.formula import FALSE, TRUE, CulpritAtom, Formula, PlotAtom, all_of, any_of
from engine import records
from engine.board import Board
from engine.kleene import NO
from engine.records import AnyRecord, TargetSpec, Unsure
from engine.rules.model import (
    ChangeTokens,
    GoodwillAbility,
    KillTarget,
    LastingEffect,
    Place,
    PlaceGuard,
    RevealCulprit,
    RevealRole,
    RevealSubplot,
    ReviveTarget,
    TakeBackCard,
    Timing,
)
from engine.rules.queries import role_abilities
from engine.table import Step, Table
from engine.table.apply import candidates, candidates_alive
from engine.words import GUARD


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

    @staticmethod
    def of(table: Table, board: Board, use: records.Use, effects: Iterable[AnyRecord]) -> Shown:
        """Sort the records that followed a use."""
        tokens: dict[tuple[str, str], int] = {}
        lists: dict[type, list[AnyRecord]] = {}
        for record in effects:
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
    if shown.other:
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
        case _:
            raise NotImplementedError(f"{type(ability.does).__name__} is not read yet")


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
            else:
                (on, kind), n = shown.tokens[0]
                fits = len(shown.tokens) == 1 and kind == token and on in (target, "somebody")
                low = amount if amount > 0 or count is None else max(amount, -count)
                ways.append(TRUE if fits and n in (amount, low) else FALSE)
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
        if reveal.culprit not in cast_of(self.table):
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
        terms = []
        seen = dict(self.shown.tokens)
        fatal = FALSE if self.step.continues else self.view.death_ends_loop(dead).may
        for who in self.view.board.cards:
            if who == dead or self.view.board.alive(who) == NO:
                continue
            for role, ability in role_abilities(self.view, Timing.OTHER_DEATH):
                if not isinstance(ability.does, Place) or ability.death_of is None:
                    continue
                hit = self.view.acts_as(who, role.id) & self.view.current_role(
                    dead, ability.death_of
                )
                got = seen.pop((who, ability.does.token), 0)
                if got == ability.does.n:
                    terms.append(hit.may)
                elif got:
                    return FALSE
                elif self.exact:
                    terms.append(~hit.must | fatal)
        return FALSE if seen else all_of(terms)

    def revive(self) -> Formula:
        """The corpse lives again."""
        if self.shown.empty():
            return self.nothing()
        target = target_of(self.use)
        fits = len(self.shown.revived) == 1 and target in self.shown.revived[0]
        return TRUE if fits else FALSE
