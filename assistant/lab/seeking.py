"""Looking for what did not occur: further games whose scripts hold the situation.

A card that refuses an ability of five Goodwill, or an incident whose effect its culprit
undoes, comes up in few scripts. Here scripts are drawn until one holds what is missing, and
the Protagonists court one person a loop. The games are simulated like all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Final

from assistant.lab.games import PLAYERS, GameSpec, policy_names
from assistant.lab.reach import GOODWILL_ABILITY, INCIDENT, TRAIT, Name
from engine.generate import random_script
from engine.rules.model import Refusal, Rulebook
from engine.script import Script
from engine.sets import RULEBOOKS

Count = Callable[[list[GameSpec]], Counter[Name]]
"""Plays games and counts what occurred."""

COURTING: Final = "courts"
"""The way of playing the Protagonists in these games."""
BATCH: Final = 20
_TRIES: Final = 300
_DAYS, _LOOPS = 6, 4


def seek(
    missing: Iterable[Name], sets: Iterable[str], most: int, seed: int, count: Count
) -> tuple[Counter[Name], int]:
    """Play games in which something missing may occur, until it does.

    Args:
        missing: what did not occur.
        sets: the sets of the games so far.
        most: so many games are played for each at most.
        seed: what all chance comes from.
        count: plays and counts.

    Returns:
        How often everything occurred in these games, and how many they are.
    """
    counts: Counter[Name] = Counter()
    played = 0
    books = [RULEBOOKS[set_id] for set_id in dict.fromkeys(sets)]
    for name in missing:
        for first in range(0, most, BATCH):
            if counts[name]:
                break
            games = [
                game_for(name, books[number % len(books)], number, seed)
                for number in range(first, min(first + BATCH, most))
            ]
            counts.update(count(games))
            played += len(games)
    return counts, played


def game_for(name: Name, rules: Rulebook, number: int, seed: int) -> GameSpec:
    """Return a game whose script holds a situation.

    Args:
        name: what is looked for.
        rules: the set.
        number: the number of the game among those that look for it.
        seed: what all chance comes from.
    """
    label = f"{rules.id}-{' '.join(name)}-{number}"
    rng = Random(f"{seed}/{label}")
    policies = policy_names()
    return GameSpec(
        label,
        script_for(name, rules, rng),
        number,
        rng.getrandbits(32),
        policies[number % len(policies)],
        PLAYERS[number // len(policies) % len(PLAYERS)],
        COURTING,
    )


def script_for(name: Name, rules: Rulebook, rng: Random) -> Script:
    """Return a random script that holds what is looked for, if one is soon found."""
    include = tuple(_cards(name, rules))
    for _ in range(_TRIES):
        script = random_script(rules, rng, include=include, days=_DAYS, loops=_LOOPS)
        if _holds(script, name, rules):
            break
    return script


def _cards(name: Name, rules: Rulebook) -> Iterator[str]:
    """Yield the cards without which it cannot occur."""
    group, thing, way = name
    if group in (TRAIT, GOODWILL_ABILITY):
        yield thing.split(".")[0]
    elif group == INCIDENT and way == "without effect" and not _of_a_mob(thing, rules):
        yield from (card.id for card in rules.characters.values() if card.effect_times == 0)


def _of_a_mob(incident: str, rules: Rulebook) -> bool:
    """Tell whether the culprit is a place: no card can then keep the effect from showing."""
    return incident in rules.incidents and rules.incidents[incident].mob is not None


def _holds(script: Script, name: Name, rules: Rulebook) -> bool:
    group, thing, way = name
    if group == INCIDENT:
        culprits = [item.culprit for item in script.incidents if item.incident == thing]
        if way != "without effect" or _of_a_mob(thing, rules):
            return bool(culprits)
        return any(
            who in rules.characters and rules.characters[who].effect_times == 0 for who in culprits
        )
    if group == GOODWILL_ABILITY and way != "used":
        return rules.roles[script.cast[thing.split(".")[0]]].refusal is not Refusal.NONE
    if group in (TRAIT, GOODWILL_ABILITY):
        return True
    owners = {part.split(".")[0] for part in thing.split(">")}
    held = {*script.plots(), *script.cast.values()}
    return owners <= held or not owners & {*rules.plots, *rules.roles}
