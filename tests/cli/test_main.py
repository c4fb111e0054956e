"""The command as a whole: quick help, exit codes, errors without a stack trace."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.cli.parser import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
START = "import sys; from assistant.cli import main; sys.exit(main(sys.argv[1:]))"


def test_help_is_quick() -> None:
    """Processor time: the clock on the wall also counts what else the machine does."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    times = []
    for _ in range(3):
        before = spent()
        subprocess.run(
            [sys.executable, "-c", START, "--help"], cwd=ROOT, check=True, capture_output=True
        )
        times.append(spent() - before)
    assert min(times) < 0.3


def test_help_loads_nothing_heavy() -> None:
    code = """
import sys
from assistant.cli import main
try:
    main(["--help"])
finally:
    print(*sorted(name.partition(".")[0] for name in sys.modules), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    loaded = set(done.stderr.split())
    assert "assistant" in loaded
    assert not loaded & {"engine", "flask", "msgspec", "numpy", "ortools", "oxidd"}


@pytest.mark.parametrize("arguments", [[], ["lab"], ["nonsense"], ["solve"], ["lab", "nonsense"]])
def test_a_command_that_cannot_be_read_is_bad_input(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([command[0], "--help"])
    assert left.value.code == 0
    assert f"usage: looper {command[0]}" in capsys.readouterr().out


BAD_FILES = {
    "nothing": b"",
    "no transcript": b"hello\n",
    "half": b'{"format": ',
    "a list": b"[1, 2]",
    "not UTF-8": b"title caf\xe9\n",
    "binary": bytes(range(256)),
    "deep": b"[" * 100_000,
    "other fields": b'{"format": "looper-transcript", "version": 1, "colour": "red"}',
    "newer": b'{"format": "looper-transcript", "version": 2}',
    "a set nobody knows": (
        b'{"format": "looper-transcript", "version": 1, "records": [], "sheet": {"set": '
        b'"first_stepps", "loops": 1, "days": 1, "cast": ["doctor"], "cast_complete": true}}'
    ),
}
READERS = {
    "check": ["check"],
    "solve": ["solve"],
    "clues": ["clues"],
    "why": ["why", "FILE", "doctor", "brain"],
    "replay": ["replay", "FILE", "--script", "FILE"],
    "clues of a script": ["clues", "FILE", "--script", "FILE"],
    "simulate": ["simulate", "FILE", "--seed", "1"],
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize("content", BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files_are_named(
    reader: list[str], content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    arguments = [str(path) if word == "FILE" else word for word in reader]
    if len(arguments) == 1:
        arguments.append(str(path))
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert str(path) in said.out + said.err


@pytest.mark.parametrize("command", ["check", "solve", "clues", "convert"])
def test_a_file_that_is_not_there_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path / "absent.json"), "--json"]) == 2
    said = capsys.readouterr()
    assert "absent.json: No such file or directory." in said.err
    assert json.loads(said.out)["error"]["kind"] == "unreadable"


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -c '{START}' lab cases --side clues tests/rulings | true"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.stderr == ""
