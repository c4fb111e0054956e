"""The public game as a file: JSON for programs, a line notation for people.

``load_any`` reads and checks either form; ``jsonform`` reads scripts and cases too.
"""

from assistant.transcript.errors import (
    AgainstTheRules,
    Ambiguous,
    Malformed,
    NotModelled,
    TableError,
)
from assistant.transcript.files import load_any, problems_of
from assistant.transcript.jsonform import dump, load, load_case, load_script
from assistant.transcript.validate import check, problems

__all__ = [
    "AgainstTheRules",
    "Ambiguous",
    "Malformed",
    "NotModelled",
    "TableError",
    "check",
    "dump",
    "load",
    "load_any",
    "load_case",
    "load_script",
    "problems",
    "problems_of",
]
