"""Which games the lab plays: scripts, policies, numbers of players, seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from assistant.judge import refuse_not_modelled
from assistant.transcript.errors import NotModelled, TableError
from assistant.transcript.jsonform import load_script
from engine.generate import random_script
from engine.legality import violations
from engine.rules.model import Rulebook
from engine.script import Script
from engine.sets import RULEBOOKS

if TYPE_CHECKING:
    from engine.simulate import Game

PLAYERS = (3, 2, 1)


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game to simulate.

    Attributes:
        name: what to call the script.
        script: the script.
        number: the number of the game among those of the script.
        seed: what all chance in it comes from.
        policy: how the Mastermind plays.
        players: how many people play the Protagonists.
        protagonists: how they play; by chance if left out.
    """

    name: str
    script: Script
    number: int
    seed: int
    policy: str
    players: int
    protagonists: str | None = None

    def rng(self, purpose: str) -> Random:
        """Return a source of chance of its own for one purpose."""
        return Random(f"{self.seed}/{purpose}")

    def play(self, rules: Rulebook | None = None) -> Game:
        """Simulate the game, by another text of the set if one is given."""
        from engine.simulate import simulate

        return simulate(
            self.script,
            self.seed,
            policy=self.policy,
            players=self.players,
            protagonists=self.protagonists,
            loops=self.rng("loops").choice(self.script.loops),
            rules=rules,
        )


def specs(
    scripts: Sequence[tuple[str, Script]],
    games: int,
    seed: int,
    policies: Sequence[str] | None = None,
) -> list[GameSpec]:
    """Return the games to play: each policy in turn, with 3, 2 and 1 players in turn.

    Args:
        scripts: names and scripts.
        games: how many games of each.
        seed: what all seeds come from.
        policies: names of policies; all of them by default.
    """
    names = tuple(policies or policy_names())
    found = []
    for place, (name, script) in enumerate(scripts):
        for number in range(games):
            turn = number + place * games
            found.append(
                GameSpec(
                    name,
                    script,
                    number,
                    Random(f"{seed}/{name}/{number}").getrandbits(32),
                    names[turn % len(names)],
                    PLAYERS[turn // len(names) % len(PLAYERS)],
                )
            )
    return found


def policy_names() -> tuple[str, ...]:
    """Return the names of the ways in which the Mastermind can play."""
    from engine.policies import POLICIES

    return tuple(POLICIES)


def random_scripts(set_id: str, count: int, seed: int, **wanted: Any) -> list[tuple[str, Script]]:
    """Return random legal scripts of a set with names that tell how to make them again.

    Args:
        set_id: the set.
        count: how many.
        seed: what their seeds come from.
        wanted: what ``engine.generate.random_script`` is asked for.
    """
    return [
        (
            f"{set_id}-{seed}-{number}",
            random_script(RULEBOOKS[set_id], Random(f"{seed}/{set_id}/{number}"), **wanted),
        )
        for number in range(count)
    ]


def load_scripts(
    paths: Iterable[str], set_id: str | None = None
) -> tuple[list[tuple[str, Script]], list[str]]:
    """Read scripts to play.

    Args:
        paths: files, each of which has to be playable, and folders, of which those scripts
            are taken that are plain, legal and modelled.
        set_id: take only scripts of this set.

    Returns:
        Names and scripts, and a line for each script that was passed over.

    Raises:
        TableError: when a file holds no script that can be played.
    """
    found: list[tuple[str, Script]] = []
    passed: list[str] = []
    for path in map(Path, paths):
        if not path.is_dir():
            script = load_script(path)
            refuse_not_modelled(script, str(path))
            found.append((path.stem, script))
            continue
        for file in sorted(path.glob("*.json")):
            try:
                script = load_script(file)
                refuse_not_modelled(script, str(file))
            except NotModelled:
                continue
            except TableError as error:
                passed.append(str(error))
                continue
            if not script.plain:
                continue
            if illegal := violations(script):
                passed.append(f"{file.name}: {illegal[0].text}")
                continue
            found.append((file.stem, script))
    return [(name, s) for name, s in found if set_id in (None, s.set)], passed
