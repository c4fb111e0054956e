"""What occurred in one simulated game, read off its course and its transcript."""

from __future__ import annotations

from collections import Counter
from typing import Final

from assistant.lab.reach import ABILITY, GOODWILL_ABILITY, INCIDENT, LOOP, RECORD, TRAIT, Name
from engine import records
from engine.kleene import NO, YES
from engine.rules.conditions import Actor
from engine.rules.model import Ability, ForbidMastermindCards, IgnoreForbid, RoleRule, Timing
from engine.simulate import Game
from engine.steps.loop_end import losses
from engine.steps.mastermind import PASSES
from engine.table import Step, Table
from engine.view import ScriptView
from engine.words import GOODWILL, LOST, NOTHING, REFUSED
from engine.world import Holding, World


def occurrences(game: Game, table: Table) -> Counter[Name]:
    """Return how often everything occurred in a simulated game."""
    found: Counter[Name] = Counter()
    world = World(table.rules, table.sheet, game.script, table.rulings)
    _from_course(game, world, found)
    for record in table.transcript.records:
        found[RECORD, type(record).__struct_config__.tag, "noted"] += 1  # type: ignore[index]
    for step in table.steps:
        _from_step(step, world, found)
    for who, role in game.script.cast.items():
        rule = table.rules.characters[who].role_rule
        if rule is not RoleRule.ANY and role:
            found[TRAIT, who, rule.value] += 1
    return found


def _from_course(game: Game, world: World, found: Counter[Name]) -> None:
    rules, cast = world.rules, game.script.cast
    owners = {ability.id: role.id for role in rules.roles.values() for ability in role.abilities}
    of_plots = {ability.id for plot in rules.plots.values() for ability in plot.abilities}
    for choice in game.course:
        by = choice.by
        if choice.answer is not None:
            found[GOODWILL_ABILITY, choice.source, "used"] += choice.answer != REFUSED
            found[GOODWILL_ABILITY, choice.source, "refused"] += choice.answer == REFUSED
            continue
        if by is not None and choice.source == f"{by}.{PASSES}":
            found[TRAIT, by, "passes a token by itself"] += 1
            continue
        if by is not None and choice.source.startswith(f"{by}."):
            found[GOODWILL_ABILITY, choice.source, "used by the Mastermind"] += 1
            continue
        role = owners.get(choice.source)
        found[ABILITY, choice.source, "used"] += role is not None or choice.source in of_plots
        if by is not None and role is not None:
            _borrowed(world, cast[by], role, found)
            if rules.characters[by].has_turf:
                found[TRAIT, by, "has_turf"] += 1


def _borrowed(world: World, scripted: str, role: str, found: Counter[Name]) -> None:
    """Count that a card acted by another role than the scripted one."""
    if scripted == role:
        return
    for gain in world.rules.roles[scripted].gains:
        if gain.role == role:
            found[ABILITY, f"{scripted}>{role}", "gained"] += 1
    for plot, shift in world.rules.shifts:
        if plot in world.plots and scripted in shift.old and shift.new == role:
            found[ABILITY, f"{plot}>{role}", "shifted"] += 1


def _from_step(step: Step, world: World, found: Counter[Name]) -> None:
    view = ScriptView(world, step.before)
    if step.over is not None:
        found[LOOP, step.name, step.over.word] += 1
    match step.name:
        case "loop_start":
            _loop_start(step, view, found)
        case "cards":
            _cards(step, view, found)
        case "goodwill":
            _goodwill(step, found)
        case "night":
            _bodies(view, found)
        case "incident":
            _incident(step, world, found)
        case "loop_end":
            for holding, _ in losses(view):
                found[ABILITY, holding.ability.id, "used"] += step.over is None or (
                    step.over.word == LOST
                )
        case _:
            pass
    for record in step.records:
        match record:
            case records.Enters(who=str(who)):
                entry = world.rules.characters[who].entry
                found[TRAIT, who, f"enters by {entry.value if entry else ''}"] += 1
            case records.Placed(who=str(who)):
                found[TRAIT, who, "starts at a chosen place"] += 1
            case records.Death(who=str(who)):
                _death(who, step, view, found)
            case _:
                pass


def _loop_start(step: Step, view: ScriptView, found: Counter[Name]) -> None:
    for holding in view.world.holdings(Timing.LOOP_START):
        holders = [holding.holder] if holding.holder is not None else list(view.board.cards)
        for who in holders:
            if who in view.board.cards and _applies(view, holding, who):
                found[ABILITY, holding.ability.id, "used"] += 1
    for who in view.board.cards:
        character = view.rules.characters[who]
        found[TRAIT, who, "start_intrigue"] += character.start_intrigue is not None
        found[TRAIT, who, "start_token"] += character.start_token


def _applies(view: ScriptView, holding: Holding, who: str) -> bool:
    if holding.role is not None and view.acts_as(who, holding.role) != YES:
        return False
    return bool(holding.ability.when.judge(view, Actor(who, None)) == YES)


def _cards(step: Step, view: ScriptView, found: Counter[Name]) -> None:
    for holding in view.world.holdings(Timing.CARDS):
        forbids = isinstance(holding.ability.does, ForbidMastermindCards)
        found[ABILITY, holding.ability.id, "used"] += forbids and view.holds(holding) == YES
    for spot in step.spots:
        character = view.rules.characters.get(spot.on)
        if character is None:
            continue
        found[TRAIT, spot.on, "echoes_location_cards"] += character.echoes_location_cards and bool(
            spot.cards
        )
        beyond = spot.printed.beyond_red_x is not None
        found[TRAIT, spot.on, "stopped by a red X"] += beyond
        shown, printed = spot.result.goodwill, spot.printed.goodwill
        if spot.printed.forbidden_goodwill and shown is not None and shown != printed:
            for holding in view.world.holdings(Timing.CARDS):
                if holding.holder == spot.on and _ignores(holding.ability, GOODWILL):
                    found[ABILITY, holding.ability.id, "used"] += 1


def _ignores(ability: Ability, token: str) -> bool:
    return isinstance(ability.does, IgnoreForbid) and ability.does.token == token


def _bodies(view: ScriptView, found: Counter[Name]) -> None:
    """Count nights that begin with bodies that a rule about corpses has changed (HS-26)."""
    for plot, shift in view.rules.shifts:
        if shift.corpses and plot in view.world.plots:
            victims = sum(count or 0 for count in view.board.intrigue.values())
            cards = sum(
                view.board.dead(who) == YES and view.world.role.get(who) in shift.old
                for who in view.board.cards
            )
            found[ABILITY, f"{plot}>{shift.new}", "shifted"] += bool(victims + cards)


def _goodwill(step: Step, found: Counter[Name]) -> None:
    for record in step.records:
        match record:
            case records.Use(who=str(who), outcome=outcome) if outcome == NOTHING:
                found[GOODWILL_ABILITY, f"{who}.{record.key}", "nothing"] += 1
            case records.Shifted(source=str(who), by_use=False):
                found[TRAIT, who, "passes a token for the Leader"] += 1
            case _:
                pass


_EFFECTS: Final = (
    records.Token,
    records.Moved,
    records.Death,
    records.GuardLost,
    records.Curse,
    records.Gauge,
    records.LoopOver,
)


def _incident(step: Step, world: World, found: Counter[Name]) -> None:
    said = [record.occurs for record in step.records if isinstance(record, records.Happens)]
    for number in world.sheet.incidents_on(step.day) if said else ():
        incident = world.sheet.incidents[number].incident
        if not said[0]:
            found[INCIDENT, incident, "did not happen"] += 1
            continue
        shown = any(isinstance(record, _EFFECTS) for record in step.records)
        found[INCIDENT, incident, "with effect" if shown else "without effect"] += 1
        culprit = world.culprits[number]
        character = world.rules.characters.get(str(culprit))
        if character is not None:
            found[TRAIT, character.id, "effect_times"] += character.effect_times != 1
            found[TRAIT, character.id, "counts_all_tokens"] += character.counts_all_tokens


def _death(who: str, step: Step, view: ScriptView, found: Counter[Name]) -> None:
    for holding in view.world.holdings(Timing.OWN_DEATH):
        if holding.holder == who and view.holds(holding) == YES:
            found[ABILITY, holding.ability.id, "used"] += 1
            assert holding.role is not None
            _borrowed(view.world, view.world.role[who], holding.role, found)
    for holding in view.world.holdings(Timing.OTHER_DEATH):
        holder, role = holding.holder, holding.ability.death_of
        if holder is None or role is None or view.current_role(who, role) == NO:
            continue
        if any(isinstance(r, records.Token) and r.on == holder for r in step.records):
            found[ABILITY, holding.ability.id, "used"] += 1
