"""Where corpora are kept: `--data DIR`, else `BAYESIFT_DATA`, else the user's cache directory."""

from __future__ import annotations

import os
from pathlib import Path

from bayesift.errors import NotFound

VARIABLE = "BAYESIFT_DATA"
_SUFFIXES = ("", ".gz", ".zst")


def data_folder(data: str | Path | None = None) -> Path:
    """Give the folder under which each corpus has a folder of its own.

    >>> data_folder("corpora").name
    'corpora'
    """
    given = data or os.environ.get(VARIABLE)
    if given:
        return Path(given).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("bayesift") / "corpora"


def find_in(folder: Path, name: str) -> Path | None:
    """Find a corpus's file, plain or compressed."""
    return next((path for s in _SUFFIXES if (path := folder / (name + s)).is_file()), None)


def file_in(folder: Path, name: str) -> Path:
    """Find a corpus's file, plain or compressed, or say that it is missing."""
    path = find_in(folder, name)
    if path is None:
        raise NotFound(f"{name} is missing (plain, .gz or .zst)", path=folder)
    return path
