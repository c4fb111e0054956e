"""The command ``looper``: one module per subcommand, imported only when it is asked for.

Exit codes: 0 yes or fine, 1 the answer is no, 2 bad input.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from assistant.cli import show
from assistant.cli.parser import build_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the arguments; those of the process by default.

    Returns:
        The exit code.

    Raises:
        SystemExit: with code 2 when the arguments cannot be read, with 0 after ``--help``.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        show.never_fail(stream)
    args = build_parser(arguments).parse_args(arguments)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has had enough; Python must not complain at the exit.
        show.give_up_output()
        return show.FINE
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, MemoryError) as error:
        # Anything but an error of reading is a fault of this program and shows its trace.
        if not show.is_bad_input(error):
            raise
        show.bad_input(error, as_json=getattr(args, "json", False))
        return show.BAD_INPUT
    return code


__all__ = ["main"]
