"""What every death says: it could happen, it moved partners, it ended the loop or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant.clues.model import Flags, Piece, completed, continued, observed
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, all_of, any_of, at_least, exactly
from engine import records
from engine.kleene import NO, YES
from engine.records import AnyRecord
from engine.rules.model import Ability, Place, RevealAndRaise, Role, RoleRule, Timing
from engine.rules.queries import role_abilities
from engine.rulings import DEATH_ENDS_LOOP
from engine.table import Step, Table
from engine.table.apply import candidates_alive
from engine.words import GUARD


def dead_of(step: Step) -> list[tuple[str, ...]]:
    """Return who died in the step, each as the cards it may have been."""
    return [
        candidates_alive(step.before, record.who)
        for record in step.records
        if isinstance(record, records.Death)
    ]


def guards_of(step: Step) -> list[tuple[str, ...]]:
    """Return whose guard marker went in the step."""
    return [
        candidates_alive(step.before, record.who)
        for record in step.records
        if isinstance(record, records.GuardLost)
    ]


def killable(
    table: Table,
    step: Step,
    view: FormulaView,
    flags: Flags,
    *,
    records_of: Iterable[AnyRecord] | None = None,
    name: str = "",
) -> list[Piece]:
    """Who died could die at that instant (B-09).

    Args:
        table, step, view, flags: the moment; the view's board is that of the instant.
        records_of: the records to look at; those of the step by default.
        name: what tells these pieces from others of the step.
    """
    found = []
    dead = [
        candidates_alive(view.board, record.who)
        for record in (step.records if records_of is None else records_of)
        if isinstance(record, records.Death)
    ]
    for number, names in enumerate(dead):
        way = any_of(~view.unkillable(who).must for who in names if not _surely_guarded(view, who))
        if way is TRUE:
            continue
        found.append(
            Piece(
                f"killable:{name}{number}",
                {flags: way},
                (observed(step),),
                ("B-09", "G-17"),
                f"{when(step.at)}: {_names(table, names)} died, so could die.",
            )
        )
    return found


def _surely_guarded(view: FormulaView, who: str) -> bool:
    """Tell whether a guard marker lies on the card: it would have gone instead (G-17)."""
    guards = view.board.tokens(GUARD, who)
    return guards is not None and guards > 0


def play_went_on(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """A death after which the loop went on was not one that ends it (L-02)."""
    if not step.continues or table.rulings[DEATH_ENDS_LOOP] is not True:
        return []
    found = []
    for number, names in enumerate(dead_of(step)):
        way = any_of(~view.death_ends_loop(who).must for who in names)
        if way is TRUE:
            continue
        found.append(
            Piece(
                f"went_on:{number}",
                {flags: way},
                (observed(step), continued(step)),
                ("L-02", "P-11"),
                f"{when(step.at)}: {_names(table, names)} died and play went on.",
            )
        )
    return found


def some_death_ended_it(view: FormulaView, step: Step) -> Formula:
    """Return when one of the step's dead may have ended the loop (L-02, I-23, D-13)."""
    return any_of(view.death_ends_loop(who).may for names in dead_of(step) for who in names)


def reactions(
    table: Table, step: Step, view: FormulaView, flags: Flags, tokens: Counter[tuple[str, str]]
) -> list[Piece]:
    """Tokens that living cards get when somebody dies (BT-07), exact in a complete step.

    Args:
        table, step, view, flags: the moment.
        tokens: what of the step's tokens the reactions have to explain, by (card, token).
    """
    dead = dead_of(step)
    gone = {who for names in dead for who in names if len(names) == 1}
    exact = step.complete and step.over is None
    ended = FALSE if step.continues else some_death_ended_it(view, step)
    found: list[Piece] = []
    for who in dict.fromkeys((*view.board.cards, *(on for on, _ in tokens))):
        own = {token: n for (on, token), n in tokens.items() if on == who and n}
        living = who in view.board.cards and view.board.alive(who) != NO
        if not living or (who in gone and not own):
            way = FALSE if own else TRUE
        elif who in gone:  # it got them, and died later in the same step (D-14)
            way = reaction(view, who, dead, own, exact=False)
        else:
            way = reaction(view, who, dead, own, exact=exact)
            if not own:
                way = way | ended
        if way is TRUE:
            continue
        units = (observed(step), completed(step)) if exact else (observed(step),)
        found.append(
            Piece(
                f"reaction:{who}",
                {flags: way},
                units,
                ("BT-07", "D-14"),
                f"{when(step.at)}: {name_of(table, who)} and the tokens after a death.",
            )
        )
    return found


def reaction(
    view: FormulaView,
    who: str,
    dead: Sequence[tuple[str, ...]],
    tokens: Mapping[str, int],
    *,
    exact: bool,
) -> Formula:
    """Return when ``who`` got these tokens because of the dead, and no others if ``exact``.

    Args:
        view: the board before the deaths.
        who: a card that may be alive.
        dead: who died, each as the cards it may have been.
        tokens: token to amount that only a reaction explains.
        exact: nothing else was announced.
    """
    terms = [
        _reaction(view, who, other, role, ability)
        for role, ability in role_abilities(view, Timing.OTHER_DEATH)
        if isinstance(ability.does, Place)
        for names in dead
        for other in names
        if other != who
    ]
    sure = exact and view.board.alive(who) == YES
    return all_of(
        _amount(tokens.get(token, 0), token, terms, exact=sure)
        for token in dict.fromkeys((*tokens, *(term[3] for term in terms)))
    )


def _reaction(
    view: FormulaView, who: str, other: str, role: Role, ability: Ability
) -> tuple[Formula, Formula, int, str]:
    """Return when ``who`` reacts to the death of ``other``: may, must, amount, token."""
    assert ability.death_of is not None
    assert isinstance(ability.does, Place)
    hit = view.acts_as(who, role.id) & view.current_role(other, ability.death_of)
    # A copied partner need not be meant by the rule (BT-07).
    copied = any(view.rules.characters[card].role_rule is RoleRule.COPIES for card in (who, other))
    return hit.may, FALSE if copied else hit.must, ability.does.n, ability.does.token


def _amount(
    seen: int, token: str, terms: list[tuple[Formula, Formula, int, str]], *, exact: bool
) -> Formula:
    """Return when the triggered reactions give exactly (or at least) what was seen."""
    same = [term for term in terms if term[3] == token]
    if not same:
        return TRUE if seen == 0 else FALSE
    size = same[0][2]
    if seen % size:
        return FALSE
    times = seen // size
    may = [term[0] for term in same]
    must = [term[1] for term in same]
    if not exact:
        return at_least(times, may)
    if may == must:
        return exactly(times, may)
    return at_least(times, may) & ~at_least(times + 1, must)


def _names(table: Table, names: Iterable[str]) -> str:
    return " or ".join(name_of(table, who) for who in names)


def reveals(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """Roles that are told when their holder dies: both ways, unless the loop ended (WM-03)."""
    telling = [
        role
        for role, ability in role_abilities(view, Timing.OWN_DEATH)
        if isinstance(ability.does, RevealAndRaise)
    ]
    if not telling:
        return []
    told = {
        record.role_of: record.role
        for record in step.records
        if isinstance(record, records.Reveal) and isinstance(record.role_of, str)
    }
    found = []
    for number, names in enumerate(dead_of(step)):
        if len(names) != 1:
            continue
        who = names[0]
        for role in telling:
            holds = view.current_role(who, role.id)
            if told.get(who) == role.id:
                way: Formula = holds.may
            elif step.complete and step.over is None:
                ended = FALSE if step.continues else some_death_ended_it(view, step)
                way = ~holds.must | ended
            else:
                continue
            if way is not TRUE:
                found.append(
                    Piece(
                        f"told:{role.id}.{number}",
                        {flags: way},
                        (observed(step), completed(step)),
                        ("WM-03", "WM-01"),
                        f"{when(step.at)}: {name_of(table, who)} died, and what was told.",
                    )
                )
    return found
