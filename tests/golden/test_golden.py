from pathlib import Path

import pytest

from assistant import samples
from assistant.lab.golden import golden


@pytest.mark.parametrize("name", samples.names())
def test_golden_game_is_as_kept(name: str) -> None:
    kept = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    assert golden(name) == kept, "regenerate with `python -m assistant.lab.golden` if intended"
