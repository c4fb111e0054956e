"""The page docs/cli.md: what ``looper --help`` says, for all commands.

``python -m assistant.cli.reference docs/cli.md`` writes it; a test compares.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from assistant.cli.parser import build_parser

_HEAD: Final = """\
# The command line

This page is written by `python -m assistant.cli.reference docs/cli.md` from the help texts.

Every command takes `--json` and then answers with one JSON value ([the forms](answer.md)). Exit
codes: 0 yes or fine, 1 the answer is no, 2 bad input. Bad input is named on the standard error
with its place, the rule and the remedy; with `--json` also as `{"error": ...}`. A game is read
from JSON or from the [line notation](notation.md), whichever the file holds; `-` reads it from the
standard input. Characters, roles, plots and sets go by their ids or by their printed names.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([_HEAD, *(_section(parser) for parser in parsers(build_parser()))])


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands, each group before its members."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from parsers(part)


def _section(parser: argparse.ArgumentParser) -> str:
    return f"## {parser.prog}\n\n```text\n{parser.format_help()}```\n"


def main(arguments: list[str]) -> None:
    """Write the page to the file that is named, or print it."""
    if arguments:
        Path(arguments[0]).write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
