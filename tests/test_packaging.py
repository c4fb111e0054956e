"""The wheel holds everything the app needs, and finds it without the checkout."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from assistant.resources import static_folder, templates_folder

ROOT = Path(__file__).resolve().parent.parent

# Run where only the installed wheel is on the path; prints what it found as JSON.
PROBE = """
import json
import assistant, engine
from assistant.resources import static_folder, templates_folder

print(json.dumps({
    "engine": engine.__file__,
    "assistant": assistant.__file__,
    "templates": str(templates_folder()),
    "static": str(static_folder()),
}))
"""


def files_below(folder: Path) -> set[str]:
    """Return the files that belong to `folder`, relative to it, without caches."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a command, show everything it wrote when it fails, and return its output."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it alone into a new folder, and return that folder."""
    wheels = tmp_path_factory.mktemp("wheels")
    target = tmp_path_factory.mktemp("target")
    python = sys.executable
    run(python, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), cwd=ROOT)
    (wheel,) = wheels.glob("*.whl")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install")
    run(*pip, "--no-deps", "--no-index", "--target", str(target), str(wheel), cwd=wheels)
    return target


@pytest.fixture(scope="module")
def found(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Import the installed packages in a process of their own, away from the checkout."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    env = os.environ | {"PYTHONPATH": str(installed)}
    out = run(sys.executable, "-W", "error", "-c", PROBE, cwd=elsewhere, env=env)
    return {name: Path(path) for name, path in json.loads(out).items()}


@pytest.mark.slow
def test_installed_packages_are_the_ones_imported(installed: Path, found: dict[str, Path]) -> None:
    assert found["engine"] == installed / "engine" / "__init__.py"
    assert found["assistant"] == installed / "assistant" / "__init__.py"


@pytest.mark.slow
def test_installed_pages_and_static_files_are_complete(
    installed: Path, found: dict[str, Path]
) -> None:
    assert found["templates"].is_relative_to(installed)
    assert found["static"].is_relative_to(installed)
    assert files_below(found["templates"]) == files_below(ROOT / "templates")
    assert files_below(found["static"]) == files_below(ROOT / "assistant" / "static")


@pytest.mark.slow
@pytest.mark.parametrize("package", ["engine", "assistant"])
def test_installed_package_holds_every_file_of_the_checkout(installed: Path, package: str) -> None:
    held = {name for name in files_below(installed / package) if not name.startswith("_templates/")}
    assert held == files_below(ROOT / package)
    assert "py.typed" in held


@pytest.mark.slow
def test_wheel_claims_no_other_top_level_name(installed: Path) -> None:
    names = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert names - {"bin"} == {"assistant", "engine"}


def test_checkout_is_used_where_nothing_is_installed() -> None:
    assert templates_folder() == ROOT / "templates"
    assert static_folder() == ROOT / "assistant" / "static"


def test_every_dependency_is_pinned_to_the_version_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = {line.lower() for line in lines if not line.startswith("#")}
    assert set(project["dependencies"]) <= locked
    assert set(project["optional-dependencies"]["dev"]) <= locked
