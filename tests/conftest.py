"""Settings of the test suite: where the shared material lies, and which browser to start."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
IN_CI = os.environ.get("CI") in ("true", "1")
CHROMIUM = Path(os.environ.get("CHROMIUM") or "/usr/bin/chromium")
BROWSER_TESTS = os.environ.get("BROWSER_TESTS") or ("required" if IN_CI else "optional")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of rulebooks, scripts and cases that lies beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here (rulebooks, scripts and cases)")
    return SHARED


# Browser --------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let browser tests skip where there is no browser and none is required."""
    if CHROMIUM.exists() or BROWSER_TESTS == "required":
        return
    reason = f"no browser at {CHROMIUM}: install Debian's chromium or set CHROMIUM"
    for item in items:
        if item.get_closest_marker("browser") is not None:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, object],
) -> dict[str, object]:
    """Start Debian's Chromium, not one that Playwright would download."""
    if not CHROMIUM.exists():
        pytest.fail(f"no browser at {CHROMIUM}, and BROWSER_TESTS=required")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": arguments}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """Look at pages as a phone does: 390 px wide, with a touch screen."""
    return {
        **browser_context_args,
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
    }
