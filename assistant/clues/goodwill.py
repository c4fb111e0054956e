"""The Goodwill step read backward: accepted, refused, or nothing to see (G-01 to G-20)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.clues import counting, deaths, knowledge
from assistant.clues.acceptance import Shown, acceptance
from assistant.clues.model import Flags, Piece, add_way, completed, observed
from assistant.clues.view import FormulaView, name_of, when
from assistant.formula import FALSE, TRUE, Formula, any_of
from engine import records
from engine.board import Board
from engine.kleene import MAYBE
from engine.records import AnyRecord
from engine.rules.model import GoodwillAbility, LastingEffect, Refusal, ResolveIncident
from engine.rulings import DEATH_ENDS_LOOP, NOTHING_IS_REFUSAL
from engine.table import Step, Table
from engine.table.apply import apply_record, candidates
from engine.table.checks import ability_of
from engine.words import NOTHING, REFUSED, RESOLVED


@dataclass(slots=True)
class _Use:
    """One declared use with the board before it and the records that followed it."""

    number: int
    record: records.Use
    ability: GoodwillAbility | None
    before: Board
    effects: list[AnyRecord]


def pieces(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """Return the conditions of a Goodwill step under given flags."""
    uses, loose = _uses(table, step)
    found: list[Piece] = []
    for use in uses:
        found += _use(table, step, use, flags)
        moment = FormulaView(table, use.before, flags)
        found += deaths.killable(
            table, step, moment, flags, records_of=use.effects, name=f"{use.number}."
        )
    view = FormulaView(table, step.before, flags)
    found += _loose(table, step, view, loose, flags)
    found += deaths.killable(table, step, view, flags, records_of=loose)
    found += deaths.play_went_on(table, step, view, flags)
    found += _uses_went_on(table, step, uses, flags)
    found += deaths.reveals(table, step, view, flags)
    found += knowledge.goodwill_gauge(table, step, view, flags)
    found += counting.goodwill_gauge(table, step, flags)
    found += _word(table, step, view, flags)
    found += _maybe_used(table, step, flags)
    return found


_APART = (
    records.Leader,
    records.Gauge,
    records.LoopOver,
    records.Complete,
    records.Partial,
    records.Recount,
)


def _uses(table: Table, step: Step) -> tuple[list[_Use], list[AnyRecord]]:
    """Split the step into uses with their effects, and what belongs to no use."""
    board = step.before.copy()
    uses: list[_Use] = []
    loose: list[AnyRecord] = []
    for record in step.records:
        if isinstance(record, records.Use):
            ability = ability_of(table.rules, record)
            if ability is None or not isinstance(record.who, str):
                # Nobody knows whose ability it was: what followed it proves nothing.
                uses.append(_Use(len(uses), record, None, board.copy(), []))
            else:
                uses.append(_Use(len(uses), record, ability, board.copy(), []))
        elif isinstance(record, _APART):
            pass
        elif _is_transfer(table, board, record) or not uses:
            loose.append(record)
        else:
            uses[-1].effects.append(record)
        apply_record(table.rules, board, record)
    return uses, loose


def _is_transfer(table: Table, board: Board, record: AnyRecord) -> bool:
    """Tell whether a record is the Leader's transfer off a card, or may be (K-Sacred Tree)."""
    if not isinstance(record, records.Shifted) or record.by_use:
        return False
    source = record.source
    names = (source,) if isinstance(source, str) else candidates(board, source)
    return any(
        name in table.rules.characters and table.rules.characters[name].passes_token
        for name in names
    )


def _use(table: Table, step: Step, use: _Use, flags: Flags) -> list[Piece]:
    view = FormulaView(table, use.before, flags)
    record, ability, who = use.record, use.ability, use.record.who
    if ability is None or not isinstance(who, str):
        return []
    effects, told = knowledge.without_own_reveal(table, use.before, record, ability, use.effects)
    shown = Shown.of(table, use.before, record, effects)
    exact = step.complete and step.over is None
    accepted = acceptance(table, step, view, record, ability, shown, exact=exact)
    if ability.refusable:
        accepted = accepted & ~view.must_refuse(who).must
    today = ("today", who, ability.key) in flags
    if today:
        accepted = FALSE
    accepted = accepted & knowledge.revealed_by_use(table, step, view, record, ability, told=told)
    refuses = view.may_refuse(who).may if ability.refusable else FALSE
    refused = refuses if shown.empty() and not told else FALSE
    ways: dict[Flags, Formula] = {}
    after = _flags_after(who, ability, record.outcome, flags)
    if record.outcome == NOTHING and not shown.empty():
        accepted = FALSE  # something was seen, so these words cannot have been said
    if record.outcome != REFUSED and not _only_refusal(table, record):
        add_way(ways, after, accepted)
    if record.outcome != RESOLVED:
        add_way(ways, flags, refused)
    if record.outcome == NOTHING and today and shown.empty():
        add_way(ways, flags, _ever_refuses(view, who))  # the Mastermind had used it (M-11)
    if ways == {flags: TRUE}:
        return []
    number = ability.key.rstrip("ab")
    text = (
        f"{when(step.at)}: {name_of(table, who)}[{number}] {_outcome(record.outcome)}"
        f"{shown.story(table)}."
    )
    units = (observed(step), completed(step)) if exact else (observed(step),)
    if record.outcome == REFUSED:
        units = (observed(step),)
    return [
        Piece(f"use:{use.number}", ways, units, _rulings(record, ability), text),
    ]


def _ever_refuses(view: FormulaView, who: str) -> Formula:
    """Return when the role of a card has Goodwill refusal at some moments at least (M-10)."""
    return any_of(
        view.current_role(who, role.id).may
        for role in view.rules.roles.values()
        if role.refusal is not Refusal.NONE
    )


def _only_refusal(table: Table, record: records.Use) -> bool:
    return record.outcome == NOTHING and table.rulings[NOTHING_IS_REFUSAL] is True


def _outcome(outcome: str) -> str:
    return {RESOLVED: "resolved", REFUSED: "was refused", NOTHING: "showed nothing"}[outcome]


def _rulings(record: records.Use, ability: GoodwillAbility) -> tuple[str, ...]:
    first = {RESOLVED: ("G-05",), REFUSED: ("G-06",), NOTHING: ("G-20", "G-07")}[record.outcome]
    if not ability.refusable:
        first = ("G-08",)
    return tuple(dict.fromkeys((*first, *ability.rulings)))


def _flags_after(who: str, ability: GoodwillAbility, outcome: str, flags: Flags) -> Flags:
    """Return the flags once a traceless effect was accepted though nobody could tell."""
    deed = ability.does
    if not isinstance(deed, LastingEffect) or outcome != NOTHING:
        return flags
    return flags | {("on", deed.kind, ability.target.character or who)}


def _maybe_used(table: Table, step: Step, flags: Flags) -> list[Piece]:
    """After a partly noted step, traceless uses that nobody noted may have happened."""
    if not step.partial:
        return []
    found: list[Piece] = []
    lasting = {
        ability.does.kind
        for character in table.rules.characters.values()
        for ability in character.goodwill
        if isinstance(ability.does, LastingEffect)
    }
    for (kind, on), (fact, _) in step.before.effects.items():
        if kind not in lasting:
            continue
        if fact == MAYBE and ("on", kind, on) not in flags:
            on_flags = flags | {("on", kind, on)}
            found.append(
                Piece(
                    f"unnoted:{kind}.{on}",
                    {flags: TRUE, on_flags: TRUE},
                    (),
                    ("G-18",),
                    f"{when(step.at)}: something may have been used unnoted.",
                )
            )
        elif fact == MAYBE:
            found.append(Piece(f"unnoted:{kind}.{on}", {flags: TRUE}, (), ("G-18",), ""))
    return found


def _loose(
    table: Table, step: Step, view: FormulaView, loose: Iterable[AnyRecord], flags: Flags
) -> list[Piece]:
    """Records that no use explains: the Leader's transfer is free, nothing else is (G-13)."""
    found: list[Piece] = []
    for record in loose:
        if _is_transfer(table, step.before, record) or step.partial:
            continue
        kinds = (
            records.Token,
            records.Death,
            records.GuardLost,
            records.Moved,
            records.Reveal,
            records.Revived,
            records.Removed,
            records.Shifted,
            records.CardBack,
            records.Curse,
        )
        if isinstance(record, kinds):
            found.append(
                Piece(
                    f"loose:{len(found)}",
                    {},
                    (observed(step),),
                    ("G-13",),
                    f"{when(step.at)}: something changed without a use.",
                )
            )
    return found


def _uses_went_on(table: Table, step: Step, uses: list[_Use], flags: Flags) -> Iterable[Piece]:
    """A death after which another use was declared does not end the loop (L-02)."""
    if step.continues or table.rulings[DEATH_ENDS_LOOP] is not True:
        return  # then it is said of all deaths of the step, or of none
    for use in uses[:-1]:
        view = FormulaView(table, use.before, flags)
        for number, record in enumerate(use.effects):
            if not isinstance(record, records.Death) or not isinstance(record.who, str):
                continue
            way = ~view.death_ends_loop(record.who).must
            if way is not TRUE:
                yield Piece(
                    f"went_on:{use.number}.{number}",
                    {flags: way},
                    (observed(step),),
                    ("L-02", "P-11"),
                    f"{when(step.at)}: {name_of(table, record.who)} died and another ability "
                    "was declared after it.",
                )


def _word(table: Table, step: Step, view: FormulaView, flags: Flags) -> list[Piece]:
    """The loop ends here only by the death of a card whose death ends it (I-24, G-19)."""
    if step.over is None or step.over.word == "won":
        return []
    if step.over.word == "dead":
        way: Formula = _dead_by_incident(table, step)
    elif not step.complete:
        return []  # the death that ended it may be missing from the notes
    else:
        way = deaths.some_death_ended_it(view, step)
    return [
        Piece(
            "word",
            {} if way is FALSE else {flags: way},
            (observed(step),),
            ("I-24", "G-19"),
            f"{when(step.at)}: the loop was over in the Goodwill step.",
        )
    ]


def _dead_by_incident(table: Table, step: Step) -> Formula:
    """Only an incident resolved by a card can kill the Protagonists here (I-24)."""
    return any_of(
        TRUE
        for record in step.records
        if isinstance(record, records.Use)
        and (ability := ability_of(table.rules, record)) is not None
        and isinstance(ability.does, ResolveIncident)
    )
