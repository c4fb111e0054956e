"""The rule text of the engine, spelled in the words of the figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine.rules import model
from engine.rules.conditions import ALWAYS
from engine.rules.model import Character, GoodwillAbility, Incident, Per, Plot, Role, Timing
from tests.engine_scripts import reference

SETS = reference.figures()["sets"]

TIMINGS = {
    Timing.LOOP_START: {"loop_start"},
    Timing.CARDS: {"card_resolve", "mastermind_action"},
    Timing.MASTERMIND: {"mastermind_ability"},
    Timing.INCIDENT: {"incident_step", "incident_trigger"},
    Timing.NIGHT: {"day_end", "last_day_end"},
    Timing.LOOP_END: {"loop_end", "last_day_end"},
    Timing.OWN_DEATH: {"always"},
    Timing.OTHER_DEATH: {"always"},
}


PER = {Per.DAY: None, Per.LOOP: "loop", Per.GAME: "game"}


DEEDS: dict[type, list[list[Any]]] = {
    model.RevealRole: [["reveal_role"]],
    model.RevealCulprit: [["reveal_culprit"]],
    model.RevealSubplot: [["reveal_subplot"]],
    model.RevealSameRole: [["reveal_same_role_characters"]],
    model.TakeBackCard: [["recover_once_per_loop_card"]],
    model.KillTarget: [["kill"]],
    model.ReviveTarget: [["revive"]],
    model.PlaceGuard: [["place_guard"]],
    model.ClearUser: [["remove_all_tokens"], ["extra_gauge", "+1|-1"]],
    model.MoveTokenBetween: [["move_token", "any", 1]],
    model.MoveTarget: [["move", "any_other_location"]],
    model.StepUser: [["move", "adjacent_location"]],
    model.LeaveBoard: [["remove_from_board"]],
    model.ResolveIncident: [["resolve_incident_effect"]],
}


LASTING = {
    "protagonists_cannot_die": [["protagonists_cannot_die"]],
    "incidents_suppressed": [["suppress_own_incidents"]],
    "freed": [["lift_forbidden_locations"]],
}


def passive(card: Character) -> list[str]:
    """Return what the Mastermind resolves by itself, in the words of the figures."""
    ops = {
        "absent_until": card.entry is not None,
        "all_tokens_count_as_unease": card.counts_all_tokens,
        "choose_start": len(card.starts) > 1,
        "location_cards_apply_to_self": card.echoes_location_cards,
        "may_count_as_in": card.has_turf,
        "move_token_from_self": 2 * card.passes_token,
        "no_cards_on_self": card.echoes_location_cards,
        "own_incident_effect_times": card.effect_times > 1,
        "own_incident_effect_void": card.effect_times == 0,
        "token": card.start_token or card.start_intrigue is not None,
    }
    return [op for op, times in ops.items() for _ in range(times)]


def deed(ability: GoodwillAbility) -> list[list[Any]]:
    """Return what an ability does, in the words of the figures."""
    match ability.does:
        case model.ChangeTokens(token=token, amounts=amounts):
            delta = amounts[0] if len(amounts) == 1 else "|".join(f"{n:+}" for n in amounts)
            return [["token", token, delta]]
        case model.ConvertToken(old=old, new=new):
            return [["convert_token", old, new, 1]]
        case model.LastingEffect(kind=kind):
            return LASTING[kind]
        case does:
            return DEEDS[type(does)]


BESIDE = {
    "cannot_die",
    "choose_extra_main_plot",
    "count_as_unease",
    "culprit_location",
    "force_trigger",
    "force_trigger_own",
    "gain",
    "gain_abilities_of",
    "lose",
    "must_be_culprit",
    "never_culprit",
    "opposite_sex",
    "remove_all",
    "require_character",
    "role_becomes",
    "swap_main_plot",
    "wizard",
}
"""What the figures list among the abilities and the rule text says in fields of its own."""


def role_traits(role: Role) -> list[tuple[Any, ...]]:
    """Return what a role is beside its abilities, in the words of the figures."""
    found: list[tuple[Any, ...]] = [("gain_abilities_of", *numbers(gain)) for gain in role.gains]
    found += [("cannot_die",)] * (role.unkillable is not None)
    found += [("must_be_culprit",)] * role.must_be_culprit
    found += [("never_culprit",)] * role.never_culprit
    found += [("count_as_unease",)] * bool(role.trigger_tokens)
    found += [("culprit_location",)] * role.triggers_from_diagonal
    found += [("force_trigger", *numbers(role.triggers_others))] * bool(role.triggers_others)
    found += [("force_trigger_own",)] * role.always_triggers
    found += [("remove_all",)] * role.clears_after_incident
    found += [("wizard",)] * role.told_by_use
    if role.refusal_when != ALWAYS:
        limits = tuple(numbers(role.refusal_when))
        found += [("lose", *limits), ("gain", *limits)]
    return found


def plot_traits(plot: Plot) -> list[tuple[Any, ...]]:
    """Return what a plot is beside its abilities, in the words of the figures."""
    found: list[tuple[Any, ...]] = [("role_becomes", *numbers(shift)) for shift in plot.shifts]
    found += [("gain_abilities_of",) for _ in plot.gains]
    found += [("count_as_unease",)] * bool(plot.trigger_tokens)
    found += [("opposite_sex",) for _ in plot.opposite_sex]
    found += [("require_character",) for _ in plot.needs]
    if plot.extra_main_plot:  # That it needs a gauge of 2 stands in no field.
        found += [("choose_extra_main_plot",), ("swap_main_plot", 2)]
    return found


def numbers(value: object) -> Iterator[int]:
    """Yield the plain numbers in a piece of rule text, without sign."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield abs(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from numbers(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from numbers(item)


def spelled_out(set_id: str, does: list[list[Any]]) -> list[list[Any]]:
    """Return the operations of an incident; the effects of others stand for themselves."""
    borrowed = iter(("serial_murder", "increasing_unease"))
    incidents = SETS[set_id]["incidents"]
    parts = (incidents[next(borrowed)]["does"] if op[0] == "effect_of" else [op] for op in does)
    return [op for part in parts for op in part]


def effect(incident: Incident) -> list[list[Any]]:
    """Return the parts of an incident in the words of the figures."""
    return [op for part in incident.parts for op in ops(part)]


def ops(part: model.Part) -> list[list[Any]]:
    """Return one part of an effect in the words of the figures."""
    match part:
        case model.KillOne(n=n) | model.KillEveryoneAt(n=n) | model.KillEveryoneHere(n=n):
            return [["kill", None, None, [n] if n else []]]
        case model.KillCulprit() | model.LeaderKills():
            return [["kill", None, None, []]]
        case (
            model.KillProtagonistsAt(n=n)
            | model.KillProtagonistsByCorpses(n=n)
            | model.DeadlyNight(n=n)
        ):
            return [["protagonists_die", None, None, [n]]]
        case model.KillAllOnce():
            return [["kill", None, None, []], ["protagonists_die", None, None, []]]
        case model.Put(tokens=tokens, n=n):
            return [["put", "|".join(tokens), n, []]]
        case model.PutOnPlace(token=token, n=n):
            return [["put", token, n, []]]
        case model.Transfer(token=token, up_to=n):
            return [["move_tokens", token, f"0..{n}", []]]
        case model.MoveCulprit(token=token, n=n):
            return [["move", None, None, []], ["put", token, n, []]]
        case model.MoveAnyHere():
            return [["move", None, None, []], ["no_move_next_day", None, None, []]]
        case model.NameLocation():
            return [["reveal", None, None, []], ["no_movement", None, None, []]]
        case _:
            return [[PARTS[type(part)], None, None, []]]


PARTS: dict[type, str] = {
    model.AttachCurse: "curse",
    model.Either: "choose",
    model.EndLoop: "end_loop",
    model.GaugeUp: "gauge",
    model.ScatterOthers: "move",
    model.Scent: "curse_rest_of_loop",
    model.SetExtraCard: "extra_card",
}
