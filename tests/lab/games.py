"""What the tests of the lab play: scripts of our own and a few random ones."""

from functools import cache

from assistant import samples
from assistant.lab.games import GameSpec, random_scripts, specs
from engine.script import Script


@cache
def scripts() -> tuple[tuple[str, Script], ...]:
    """Return three scripts: two of our own, from different sets, and a random one."""
    own = [(name, samples.load(name)) for name in samples.names()]
    by_set = {script.set: (name, script) for name, script in own}
    some = [by_set[id] for id in ("first_steps", "basic_tragedy")]
    return (*some, *random_scripts("basic_tragedy", 1, seed=5, size=7, days=4, loops=2))


def games(number: int, seed: int = 1) -> list[GameSpec]:
    """Return so many games of each script."""
    return specs(scripts(), number, seed)
