"""What can occur in games of some scripts, read off the rule text.

An occurrence is named by three words: a group, a thing of the rule text, and a way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine import records
from engine.rules.model import (
    Ability,
    AttachCurse,
    ChangeTokens,
    Character,
    DeadlyNight,
    Either,
    GaugeUse,
    GoodwillAbility,
    Incident,
    KillCulprit,
    KillEveryoneAt,
    KillEveryoneHere,
    KillOne,
    KillProtagonistsAt,
    KillProtagonistsByCorpses,
    KillTarget,
    LastingEffect,
    LeaderKills,
    LeaveBoard,
    MoveAnyHere,
    MoveCorpse,
    MoveCulprit,
    MoveTarget,
    MoveTokenBetween,
    NameLocation,
    PlaceCurse,
    PlaceGuard,
    Refusal,
    ResolveIncident,
    RevealSubplot,
    ReviveTarget,
    RoleRule,
    Rulebook,
    ScatterOthers,
    SetExtraCard,
    StepAway,
    StepUser,
    TakeBackCard,
    Timing,
    Transfer,
)
from engine.script import Script
from engine.words import (
    DEAD,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOCATIONS,
    LOOP_END,
    LOST,
    NIGHT,
    WON,
)

Name = tuple[str, str, str]
"""Group, thing, way."""

ABILITY: Final = "ability"
INCIDENT: Final = "incident"
TRAIT: Final = "trait"
GOODWILL_ABILITY: Final = "goodwill ability"
LOOP: Final = "loop end"
RECORD: Final = "record"

_KINDS: Final = tuple(kind.__struct_config__.tag for kind in records.AnyRecord.__args__)
_NEEDS: Final[dict[str, tuple[type, ...]]] = {
    "card_back": (TakeBackCard,),
    "removed": (LeaveBoard,),
    "revived": (ReviveTarget,),
    "guard_lost": (PlaceGuard,),
}
"""Kinds of records that only some Goodwill abilities bring about."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What the games of some scripts of one set can touch.

    Attributes:
        rules: the set.
        plots: active plots.
        held: pairs of a card and a role that it may have or act by.
        guilty: pairs of an incident and its culprit.
    """

    rules: Rulebook
    plots: frozenset[str]
    held: frozenset[tuple[str, str]]
    guilty: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, rules: Rulebook, scripts: Iterable[Script]) -> Reach:
        """Return the reach of scripts of one set."""
        held: set[tuple[str, str]] = set()
        plots: set[str] = set()
        guilty: set[tuple[str, str]] = set()
        for script in scripts:
            plots.update(script.plots())
            guilty.update((item.incident, item.culprit) for item in script.incidents)
            for who, scripted in script.cast.items():
                roles = [scripted]
                for plot, shift in rules.shifts:
                    if plot in script.plots() and scripted in shift.old:
                        roles.append(shift.new)
                for role in tuple(roles):
                    roles += [gain.role for gain in rules.roles[role].gains]
                held.update((who, role) for role in roles)
        return cls(rules, frozenset(plots), frozenset(held), frozenset(guilty))

    @classmethod
    def whole(cls, rules: Rulebook) -> Reach:
        """Return the reach of the whole set."""
        return cls(
            rules,
            frozenset(rules.plots),
            frozenset((who, role) for who in rules.characters for role in rules.roles),
            frozenset((name, who) for name in rules.incidents for who in rules.characters),
        )

    @property
    def cards(self) -> list[Character]:
        """Return the cards of the casts, in printed order."""
        present = {who for who, _ in self.held}
        return [card for card in self.rules.characters.values() if card.id in present]

    def names(self) -> Iterator[Name]:
        """Yield everything that can occur."""
        yield from self._abilities()
        for incident in self.rules.incidents.values():
            culprits = [who for name, who in self.guilty if name == incident.id]
            if incident.mob is not None and self.plots:
                culprits = [*LOCATIONS]
            if culprits:
                if incident.mob != 0:
                    yield INCIDENT, incident.id, "did not happen"
                if not all(isinstance(part, DeadlyNight) for part in incident.parts):
                    yield INCIDENT, incident.id, "with effect"
                if self._may_be_empty(incident, culprits):
                    yield INCIDENT, incident.id, "without effect"
        for card in self.cards:
            for trait in traits(card):
                yield TRAIT, card.id, trait
            for ability in card.goodwill:
                yield from self._goodwill(card, ability)
        yield from self._loop_ends()
        yield from ((RECORD, kind, "noted") for kind in _KINDS if self._may_be_noted(kind))

    def _abilities(self) -> Iterator[Name]:
        roles = {role for _, role in self.held}
        for role in (role for role in self.rules.roles.values() if role.id in roles):
            yield from ((ABILITY, ability.id, "used") for ability in role.abilities)
            yield from ((ABILITY, f"{role.id}>{gain.role}", "gained") for gain in role.gains)
        for plot in (plot for plot in self.rules.plots.values() if plot.id in self.plots):
            yield from ((ABILITY, ability.id, "used") for ability in plot.abilities)
            yield from ((ABILITY, f"{plot.id}>{shift.new}", "shifted") for shift in plot.shifts)

    def _unkillable(self) -> bool:
        return any(self.rules.roles[role].unkillable is not None for _, role in self.held)

    def _may_be_empty(self, incident: Incident, culprits: Iterable[str]) -> bool:
        """Tell whether an effect of the incident can show nothing (I-26)."""
        cards = [self.rules.characters[who] for who in culprits if who in self.rules.characters]
        if any(card.effect_times == 0 for card in cards):
            return True
        can = {
            KillOne: True,
            KillEveryoneAt: True,
            KillProtagonistsAt: True,
            Transfer: True,
            KillCulprit: self._unkillable(),
            KillEveryoneHere: True,
            KillProtagonistsByCorpses: True,
            LeaderKills: self._unkillable(),
            Either: True,
            ScatterOthers: True,
            DeadlyNight: True,
        }
        return all(can.get(type(part), False) for part in incident.parts)

    def _goodwill(self, card: Character, ability: GoodwillAbility) -> Iterator[Name]:
        thing = f"{card.id}.{ability.key}"
        yield GOODWILL_ABILITY, thing, "used"
        roles = [self.rules.roles[role] for who, role in self.held if who == card.id]
        refuses = any(role.refusal is not Refusal.NONE for role in roles)
        if ability.refusable and refuses:
            yield GOODWILL_ABILITY, thing, "refused"
        if ability.mastermind and refuses:
            yield GOODWILL_ABILITY, thing, "used by the Mastermind"
        if ability.refusable and (refuses or self._may_show_nothing(ability)):
            yield GOODWILL_ABILITY, thing, "nothing"

    def _may_show_nothing(self, ability: GoodwillAbility) -> bool:
        """Tell whether an accepted use may show nothing (G-18, G-20)."""
        match ability.does:
            case ChangeTokens(amounts=amounts):
                return min(amounts) < 0
            case LastingEffect() | MoveTarget() | StepUser() | ResolveIncident():
                return True
            case RevealSubplot():
                return self.rules.subplots_per_script == 1
            case KillTarget():
                return self._unkillable()
        return False

    def _does(self, *deeds: type) -> bool:
        return any(isinstance(item.does, deeds) for card in self.cards for item in card.goodwill)

    def _loop_ends(self) -> Iterator[Name]:
        if self._does(KillTarget, ResolveIncident):
            yield LOOP, GOODWILL_STEP, LOST
        if self._does(ResolveIncident):
            yield LOOP, GOODWILL_STEP, DEAD
        for step in (INCIDENT_STEP, NIGHT):
            yield LOOP, step, LOST
            yield LOOP, step, DEAD
        if any(ability.timing is Timing.LOOP_END for ability in self._own_abilities()):
            yield LOOP, LOOP_END, LOST
        yield LOOP, LOOP_END, WON

    def _own_abilities(self) -> Iterator[Ability]:
        """Yield the abilities of the roles that may be held and of the active plots."""
        roles = {role for _, role in self.held}
        for role in (role for role in self.rules.roles.values() if role.id in roles):
            yield from role.abilities
        for plot in (plot for plot in self.rules.plots.values() if plot.id in self.plots):
            yield from plot.abilities

    def _acts(self, *deeds: type) -> bool:
        return any(isinstance(ability.does, deeds) for ability in self._own_abilities())

    def _may_be_noted(self, kind: str) -> bool:
        """Tell whether a kind of record can come up with these cards."""
        guilty = {name for name, _ in self.guilty}
        parts = [
            part
            for incident in self.rules.incidents.values()
            if incident.id in guilty or (incident.mob is not None and self.plots)
            for part in incident.parts
        ]

        def shows(*kinds: type) -> bool:
            return any(isinstance(part, kinds) for part in parts)

        own: dict[str, Callable[[], bool]] = {
            "enters": lambda: any(card.entry is not None for card in self.cards),
            "placed": lambda: any(len(card.starts) > 1 for card in self.cards),
            "shifted": lambda: (
                self._does(MoveTokenBetween)
                or self._acts(MoveCorpse)
                or any(card.passes_token for card in self.cards)
            ),
            "moved": lambda: (
                self._does(MoveTarget, StepUser)
                or self._acts(StepAway, MoveCorpse)
                or shows(MoveCulprit, MoveAnyHere, ScatterOthers)
            ),
            "gauge": lambda: self.rules.uses_gauge,
            "spell": lambda: self.rules.gauge is GaugeUse.KNOWLEDGE,
            "curse": lambda: self._acts(PlaceCurse) or shows(AttachCurse),
            "extra_card": lambda: shows(SetExtraCard),
            "leader_chooses": lambda: shows(LeaderKills),
            "location_named": lambda: shows(NameLocation),
            "guess": lambda: self.rules.final_guess,
        }
        if kind in _NEEDS:
            return self._does(*_NEEDS[kind])
        return own[kind]() if kind in own else True


def traits(character: Character) -> Iterator[str]:
    """Yield what is special about a card beside its Goodwill abilities."""
    if character.role_rule is not RoleRule.ANY:
        yield character.role_rule.value
    if character.entry is not None:
        yield f"enters by {character.entry.value}"
    if len(character.starts) > 1:
        yield "starts at a chosen place"
    if character.forbidden:
        yield "stopped by a red X"
    for name in ("start_intrigue", "start_token", "echoes_location_cards", "has_turf"):
        if getattr(character, name):
            yield name
    if character.passes_token:
        yield "passes a token by itself"
        yield "passes a token for the Leader"
    if character.counts_all_tokens:
        yield "counts_all_tokens"
    if character.effect_times != 1:
        yield "effect_times"
