from pathlib import Path

import pytest

from assistant.lab.golden import SEEDS, golden


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_golden_game_is_as_kept(name: str) -> None:
    kept = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    assert golden(name) == kept, "regenerate with `python -m assistant.lab.golden` if intended"
