"""Loop start and day start read backward: tokens nobody explained, late characters."""

from __future__ import annotations

from collections import Counter

from assistant.clues import haunting, knowledge
from assistant.clues.model import Flags, Piece, completed, observed
from assistant.clues.stray import untimed
from assistant.clues.view import FormulaView, cast_of, name_of, when
from assistant.formula import FALSE, TRUE, EntryAtom, Formula, Judged, all_of, any_of
from engine import records
from engine.kleene import YES
from engine.rules.conditions import Actor
from engine.rules.model import Ability, Entry, GaugeUse, On, Place, RaiseGauge, Timing
from engine.rules.queries import plot_abilities, role_abilities
from engine.table import Step, Table
from engine.table.apply import candidates
from engine.words import TOKENS


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a loop start (N-04, N-05, BT-10)."""
    view = FormulaView(table, step.before, flags)
    return [
        *_tokens(table, step, view, flags),
        *_gauge(table, step, view, flags),
        *haunting.start_curses(table, step, view, flags),
        *knowledge.still_gauge(table, step, flags),
        *knowledge.no_loop_after_madness(table, step, flags),
        *_entries(table, step, flags, Entry.LOOP, step.loop),
    ]


def day_start_pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a day start: who enters, and who did not (P-05)."""
    return [
        *_entries(table, step, flags, Entry.DAY, step.day),
        *knowledge.spells(table, step, flags),
        *knowledge.still_gauge(table, step, flags),
    ]


def _gauge(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """The gauge at a loop start shows whether a rule raised it (MC-02)."""
    value = step.after.gauge
    if table.rules.gauge is not GaugeUse.INCIDENTS or value is None:
        return []
    raised = Judged(FALSE, FALSE)
    rulings: tuple[str, ...] = ()
    for plot, ability in plot_abilities(view, Timing.LOOP_START):
        if isinstance(ability.does, RaiseGauge):
            raised = raised | (view.active(plot) & ability.when.judge(view, Actor(None, None)))
            rulings = ability.rulings
    way = {0: ~raised.must, 1: raised.may}.get(value, FALSE)
    if way is TRUE:
        return []
    noted = any(isinstance(record, records.Gauge) for record in step.records)
    units = (observed(step),) if noted else (observed(step), completed(step))
    return [
        Piece("gauge", {flags: way}, units, rulings, f"{when(step.at)}: the gauge was {value}.")
    ]


def _entries(table: Table, step: Step, flags: Flags, entry: Entry, value: int) -> list[Piece]:
    found = []
    entered = {
        record.who
        for record in step.records
        if isinstance(record, records.Enters) and isinstance(record.who, str)
    }
    for who in cast_of(table):
        character = table.rules.characters[who]
        if character.entry is not entry or who in table.sheet.cast:
            continue
        if who in entered:
            way: Formula = EntryAtom(who, value)
            what = "entered"
        elif step.complete and who not in step.before.cards:
            way = ~EntryAtom(who, value)
            what = "did not enter"
        else:
            continue
        found.append(
            Piece(
                f"entry:{who}",
                {flags: way},
                (observed(step), completed(step))[: 1 if who in entered else 2],
                (f"K-{character.name}", "P-05"),
                f"{when(step.at)}: {character.name} {what}.",
            )
        )
    return found


def _tokens(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Tokens on each card are the sum of what is due there, no more and no less."""
    seen: dict[str, Counter[str]] = {}
    unsure: list[records.Token] = []
    for record in step.records:
        if not isinstance(record, records.Token):
            continue
        names = candidates(step.before, record.on)
        if _is_public(table, record, names):
            continue
        if len(names) != 1:
            unsure.append(record)
        else:
            seen.setdefault(names[0], Counter())[record.token] += record.n
    for place in view.board.intrigue:
        public = sum(
            1 for who in view.board.cards if table.rules.characters[who].start_intrigue == place
        )
        if place in seen and seen[place]["intrigue"] == public:
            del seen[place]
    found = []
    for on in dict.fromkeys((*view.board.cards, *seen)):
        due = _due(view, on) if on in view.board.cards else []
        counts = seen.get(on, Counter())
        exact = step.complete and not unsure
        free = on in view.board.cards and view.rules.characters[on].start_token
        if not due and not counts and not (free and exact):
            continue
        way = _adds_up(view, step, on, due, counts, exact=exact)
        if way is TRUE:
            continue
        units = (observed(step), completed(step)) if exact else (observed(step),)
        rulings = tuple(
            dict.fromkeys((*(r for _, a in due for r in a.rulings[:1]), "N-04", "N-05"))
        )
        shown = " ".join(f"{n:+d} {token}" for token, n in counts.items()) or "nothing"
        ways = {flags: way} if way is not FALSE else _stray(view, flags, on, counts)
        found.append(
            Piece(
                f"tokens:{on}",
                ways,
                units,
                rulings,
                f"{when(step.at)}: {name_of(table, on)} got {shown}.",
            )
        )
    for number, record in enumerate(unsure):
        found.append(_unsure(table, step, view, flags, number, record))
    return found


def _stray(view: FormulaView, flags: Flags, on: str, counts: Counter[str]) -> dict[Flags, Formula]:
    """Return how a plot rule without a timing explains one kind of token on a location."""
    kinds = [(token, n) for token, n in counts.items() if n]
    return untimed(view, flags, on, *kinds[0]) if len(kinds) == 1 else {}


def _is_public(table: Table, record: records.Token, names: tuple[str, ...]) -> bool:
    """Tell whether the record is the one token that a card openly brings (N-04)."""
    if record.by is None or record.n != 1:
        return False
    character = table.rules.characters.get(record.by)
    if character is None:
        return False
    return character.start_intrigue in names or (character.start_token and character.id in names)


def _due(view: FormulaView, who: str) -> list[tuple[Judged, Ability]]:
    """Return what loop-start rules place on a card, each with when it does."""
    due = []
    for role, ability in role_abilities(view, Timing.LOOP_START):
        if _places_on_holder(ability):
            term = view.acts_as(who, role.id) & ability.when.judge(view, Actor(who, None))
            due.append((term, ability))
    for plot, ability in plot_abilities(view, Timing.LOOP_START):
        if _places_on_holder(ability):
            term = view.active(plot) & ability.when.judge(view, Actor(who, None))
            due.append((term, ability))
    return [(term, ability) for term, ability in due if term.may is not FALSE]


def _places_on_holder(ability: Ability) -> bool:
    return isinstance(ability.does, Place) and On.SELF in ability.does.on


def _adds_up(
    view: FormulaView,
    step: Step,
    on: str,
    due: list[tuple[Judged, Ability]],
    counts: Counter[str],
    *,
    exact: bool,
) -> Formula:
    """Return when some set of due placements gives the tokens that were seen.

    The Mastermind's free token on a card with one (K-Scientist) may be of any kind.
    """
    card = view.board.cards.get(on)
    free = (
        card is not None
        and view.rules.characters[on].start_token
        and not any(isinstance(r, records.Token) and r.by == on for r in step.records)
    )
    ways: list[Formula] = []
    present = card is not None and view.board.alive(on) | view.board.dead(on) == YES
    if counts and not exact and any(n < 0 for n in counts.values()):
        return FALSE
    for chosen in range(2 ** len(due)):
        total: Counter[str] = Counter()
        terms: list[Formula] = []
        for number, (term, ability) in enumerate(due):
            assert isinstance(ability.does, Place)
            if chosen >> number & 1:
                total[ability.does.token] += ability.does.n
                terms.append(term.may)
            elif exact and present and ability.mandatory:
                terms.append(~term.must)
        for token in _free_tokens(exact=exact) if free else (None,):
            shown = Counter(total)
            if token is not None:
                shown[token] += 1
            fits = (
                all(shown[t] == counts[t] for t in TOKENS)
                if exact
                else all(shown[t] >= counts[t] for t in TOKENS)
            )
            if fits:
                ways.append(all_of(terms))
    return any_of(ways)


def _free_tokens(*, exact: bool) -> tuple[str | None, ...]:
    """Return what a card's free token may be; in a partly noted step it may be missing."""
    return TOKENS if exact else (*TOKENS, None)


def _unsure(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    number: int,
    record: records.Token,
) -> Piece:
    ways = [
        _adds_up(view, step, name, _due(view, name), Counter({record.token: record.n}), exact=False)
        for name in candidates(step.before, record.on)
        if name in view.board.cards
    ]
    return Piece(
        f"tokens:somebody {number}",
        {flags: any_of(ways)},
        (observed(step),),
        ("N-04",),
        f"{when(step.at)}: somebody got {record.n:+d} {record.token}.",
    )
