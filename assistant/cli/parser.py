"""The arguments of ``looper``: which commands there are, without importing any of them."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

_WIDTH: Final = 80
_EXIT_CODES: Final = "Exit codes: 0 yes or fine, 1 the answer is no, 2 bad input."


class Command(NamedTuple):
    """A subcommand: its name, the module that holds it, and what it does in a few words.

    The module has ``add_arguments(parser)`` and ``run(args) -> int``; its docstring is its help.
    """

    name: str
    module: str
    summary: str


COMMANDS: Final = (
    Command("serve", "assistant.cli.serve", "serve the assistant to the phones at the table"),
    Command("check", "assistant.cli.check", "check a transcript or a script"),
    Command("solve", "assistant.cli.solve", "which plots, roles and culprits remain possible"),
    Command("why", "assistant.cli.why", "why something is impossible or certain"),
    Command("clues", "assistant.cli.clues", "what each step says; do all clues hold for a script?"),
    Command("replay", "assistant.cli.replay", "could this script have shown this game?"),
    Command("simulate", "assistant.cli.simulate", "play a script and write the transcript"),
    Command("convert", "assistant.cli.convert", "rewrite a transcript as JSON or as notation"),
)
LAB: Final = (
    Command("agree", "assistant.lab.agree", "simulated games: do clues and replay agree?"),
    Command("cases", "assistant.lab.cases", "judge case files with replay and with the clues"),
    Command("counters", "assistant.lab.counters", "count the worlds of games in several ways"),
    Command("coverage", "assistant.lab.coverage", "how often each rule occurs in simulated games"),
    Command("mutants", "assistant.lab.mutants", "does a test notice each rule that is changed?"),
    Command("reasons", "assistant.lab.reasons", "is each reason right, with nothing to spare?"),
    Command("scripts", "assistant.lab.scripts", "write random legal scripts"),
    Command("truth", "assistant.lab.truth", "are true games possible, and changed ones refused?"),
)
"""The commands of ``looper lab``; those whose module is there are offered."""
_GROUP: Final = "lab"
_GROUP_SUMMARY: Final = "check the rules against each other and against cases"


class _Help(argparse.HelpFormatter):
    """Help of a fixed width, so that it reads the same in the documentation."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=_WIDTH)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Write ``-o, --output FILE`` as newer Pythons do."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def build_parser(arguments: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of ``looper``.

    Args:
        arguments: those it will be given; only the command that they name is imported. All
            commands are when left out.
    """
    named = None if arguments is None else _words(arguments)
    parser = argparse.ArgumentParser(
        prog="looper",
        description="A deduction assistant for the Protagonists of Tragedy Looper.",
        epilog=_EXIT_CODES,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action=_Version)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        _add(parts, command, named is None or named[:1] == [command.name])
    group = parts.add_parser(
        _GROUP, help=_GROUP_SUMMARY, description=_sentence(_GROUP_SUMMARY), formatter_class=_Help
    )
    inner = group.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in lab_commands():
        _add(inner, command, named is None or named[:2] == [_GROUP, command.name])
    return parser


def lab_commands() -> tuple[Command, ...]:
    """Return the commands of the lab that are there."""
    return tuple(command for command in LAB if find_spec(command.module) is not None)


def _words(arguments: Sequence[str]) -> list[str]:
    return [word for word in arguments if not word.startswith("-")]


def _add(parts: Any, command: Command, imported: bool) -> None:
    """Add a subparser, with its own arguments if it is the one that is asked for."""
    if not imported:
        parts.add_parser(command.name, help=command.summary, add_help=False)
        return
    module = import_module(command.module)
    first, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n\n")
    parser = parts.add_parser(
        command.name,
        help=command.summary,
        description=first,
        epilog=rest.replace("%", "%%"),
        formatter_class=_Help,
    )
    module.add_arguments(parser)
    if all(action.dest != "json" for action in parser._actions):
        parser.add_argument("--json", action="store_true", help="answer as JSON")
    parser.set_defaults(run=module.run)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


class _Version(argparse.Action):
    """Show the version; looked up only when asked for."""

    def __init__(self, option_strings: list[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and leave")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"looper {version('tragedy-looper-assistant')}")
        parser.exit()
