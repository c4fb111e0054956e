"""Play a script by chance and write what the table saw.

The Mastermind plays by some policy; the Protagonists test, protect and blunder. The same
script, seed, policy and number of players give the same game. The form follows the suffix
of the output: .json is JSON, anything else notation.
"""

from __future__ import annotations

import argparse

from assistant.cli import read, write
from assistant.transcript.errors import AgainstTheRules, Malformed, choices
from engine.legality import violations
from engine.policies import POLICIES, PROTAGONISTS
from engine.script import Script
from engine.simulate import simulate
from engine.special_rules import loop_numbers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("script", metavar="SCRIPT", help="a legal script; - reads it")
    parser.add_argument("--seed", metavar="N", type=int, required=True, help="which game")
    parser.add_argument(
        "--policy", choices=tuple(POLICIES), help="how the Mastermind plays; by chance unless said"
    )
    parser.add_argument(
        "--protagonists",
        choices=tuple(PROTAGONISTS),
        help="how the Protagonists play; by chance unless said",
    )
    parser.add_argument(
        "--players",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="how many people play the Protagonists (%(default)s unless said)",
    )
    parser.add_argument(
        "--loops",
        metavar="N",
        type=int,
        help="one of the script's numbers of loops; its first unless said",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the transcript")
    parser.add_argument("--json", action="store_true", help="write JSON whatever the suffix")


def run(args: argparse.Namespace) -> int:
    """Write the transcript of a game."""
    script = read.script(args.script)
    refuse_illegal(script)
    allowed = loop_numbers(script.loops, script.special_rules)
    if args.loops is not None and args.loops not in allowed:
        raise Malformed(
            f"the script is not played with {args.loops} loops",
            expected=choices(map(str, allowed)),
        )
    game = simulate(
        script,
        args.seed,
        policy=args.policy,
        players=args.players,
        protagonists=args.protagonists,
        loops=args.loops,
    )
    return write.game(game.transcript, args.output, args.json)


def refuse_illegal(script: Script) -> None:
    """Raise if a script is not legal: nobody could play it.

    Raises:
        AgainstTheRules: with all reasons.
    """
    found = violations(script)
    if found:
        raise AgainstTheRules(
            f"the script is not legal: {'; '.join(violation.text for violation in found)}",
            remedy="looper check says how to put it right.",
            rule=next((ruling for violation in found for ruling in violation.rulings), ""),
        )
