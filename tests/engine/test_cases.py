"""The cases that lie beside the project: each script is possible or not, as they say."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.records import Transcript
from engine.replay import Replayer
from engine.table import compile_table
from tests.conftest import SHARED
from tests.engine.tools import read_script

FOLDERS = ("core", "characters")
FILES = sorted(path for folder in FOLDERS for path in (SHARED / "cases" / folder).glob("*.json"))


def test_the_cases_are_here(shared: Path) -> None:
    assert len(FILES) > 50, f"{shared / 'cases'} has too few cases"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay_says_what_the_case_says(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    told = msgspec.convert(case["transcript"], Transcript)
    replayer = Replayer(compile_table(told), legal=True)
    for item in case["scripts"]:
        verdict = replayer.run(read_script(item["script"]))
        assert verdict.possible is item["possible"], (item["why"], verdict)
        if not verdict.possible:
            assert verdict.ruling
            assert verdict.why
