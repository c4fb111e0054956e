"""Where the pages and the static files lie, in a checkout and in an installed wheel.

In a checkout, and in an editable install of one, the Jinja pages are in ``templates/`` beside the
packages. The wheel carries the same folder as ``assistant/_templates`` (see ``pyproject.toml``).
Static files are in ``assistant/static`` in both.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """Return the folder of the Jinja pages.

    Returns:
        An absolute path: ``assistant/_templates`` where the wheel put it, else the checkout's
        ``templates/``.

    Raises:
        FileNotFoundError: If neither exists.
    """
    return _first_folder(_PACKAGE / "_templates", _PACKAGE.parent / "templates")


def static_folder() -> Path:
    """Return the folder of the static files.

    Returns:
        An absolute path.

    Raises:
        FileNotFoundError: If it does not exist.
    """
    return _first_folder(_PACKAGE / "static")


def _first_folder(*candidates: Path) -> Path:
    for folder in candidates:
        if folder.is_dir():
            return folder
    looked = " or ".join(str(folder) for folder in candidates)
    raise FileNotFoundError(f"no folder {looked}: the installation is incomplete, install it again")
