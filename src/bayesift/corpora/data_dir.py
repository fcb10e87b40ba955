"""Directory of the corpora: `--data DIR`, else `BAYESIFT_DATA`, else the user's cache directory."""

from __future__ import annotations

import os
from pathlib import Path

from bayesift.errors import NotFound

VARIABLE = "BAYESIFT_DATA"
_SUFFIXES = ("", ".gz", ".zst")


def data_folder(data: str | Path | None = None) -> Path:
    """Return the directory that has one folder per corpus.

    >>> data_folder("corpora").name
    'corpora'
    """
    given = data or os.environ.get(VARIABLE)
    if given:
        return Path(given).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("bayesift") / "corpora"


def find_in(folder: Path, name: str) -> Path | None:
    """Return the path of a corpus file, plain or compressed, or None if it is missing."""
    return next((path for s in _SUFFIXES if (path := folder / (name + s)).is_file()), None)


def file_in(folder: Path, name: str) -> Path:
    """Return the path of a corpus file, plain or compressed; raise `NotFound` if it is missing."""
    path = find_in(folder, name)
    if path is None:
        raise NotFound(f"{name} is missing (plain, .gz or .zst)", path=folder, remedy="download the corpus again")
    return path
