"""Rewrite a transcript as JSON or as notation; nothing is lost either way.

The form follows the suffix of the output: .json is JSON, anything else notation. Without
an output the other form is printed. The game need not keep the public rules.
"""

from __future__ import annotations

import argparse

from assistant.cli import read, write
from assistant.transcript.files import is_json, load_any_with_source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a transcript (JSON or notation); - reads it")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it")
    parser.add_argument("--json", action="store_true", help="write JSON whatever the suffix")


def run(args: argparse.Namespace) -> int:
    """Write the transcript in another form."""
    content, name = read.text(args.file)
    transcript, _ = load_any_with_source(content, name)
    as_json = args.json or (args.output is None and not is_json(content))
    return write.game(transcript, args.output, as_json)
