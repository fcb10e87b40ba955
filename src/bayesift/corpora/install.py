"""Installing a corpus from its public home: fetched and checked beside its place, then moved there in one step."""

from __future__ import annotations

import contextlib
import os
import shutil
import tarfile
import zlib
from pathlib import Path

from bayesift.corpora.corpus import Corpus, describe
from bayesift.corpora.data_dir import data_folder
from bayesift.corpora.fetch import ATTEMPTS, PAUSE, fetch
from bayesift.corpora.spec import Description, Download
from bayesift.errors import BadInput, BayesiftError, NotFound, TransferFailed


def working_folder(name: str, data: str | Path | None = None) -> Path:
    """Where a corpus is while it is being fetched; kept when that is interrupted."""
    return data_folder(data) / f"{name}.part"


def get_corpus(
    name: str,
    *,
    data: str | Path | None = None,
    url: str | None = None,
    attempts: int = ATTEMPTS,
    pause: float = PAUSE,
) -> Path | None:
    """Fetch, check and install a corpus; gives its folder, or None where it was there already.

    `url` takes the place of the corpus's home: the address of its file, or, ending in `/`, of the folder of its files.
    """
    description = describe(name)
    folder, work = data_folder(data) / name, working_folder(name, data)
    if not description.missing(folder):
        return None
    if folder.exists():
        missing = ", ".join(description.missing(folder))
        raise BadInput(f"is there but lacks {missing}", path=folder, remedy="complete it or move it away")
    downloads = _downloads(description, url)
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"cannot write here: {error.strerror}", path=work, remedy="name another place: --data"
        ) from error
    try:
        for download in downloads:
            if not all((work / file).exists() for file in download.take or (download.file,)):
                _fetch_any(download, work / download.file, attempts, pause)
    finally:
        with contextlib.suppress(OSError):
            work.rmdir()  # only where nothing came at all
    try:
        for download in downloads:
            if download.take:
                _unpack(work / download.file, download.take)
        _check(description, work)
    except BayesiftError as error:
        shutil.rmtree(work)  # what came is wrong: going on from it would be no use
        raise TransferFailed(f"what came is not {name}: {error}", remedy="nothing was installed") from error
    os.replace(work, folder)
    return folder


def _downloads(description: Description, url: str | None) -> tuple[Download, ...]:
    downloads = description.downloads
    if url is not None and not downloads:  # what a home would hold, if it had one
        downloads = tuple(Download(file, ()) for file in description.layouts[0])
    if not downloads:
        raise NotFound(
            f"{description.name} cannot be downloaded by a program",
            remedy=f"see {description.home}: {description.to_get}",
        )
    if url is None:
        return downloads
    if len(downloads) > 1 and not url.endswith("/"):
        raise BadInput(
            f"{description.name} has {len(downloads)} files", remedy="give their folder's address, ending in /"
        )
    return tuple(Download(d.file, (url + d.file if url.endswith("/") else url,), d.take) for d in downloads)


def _fetch_any(download: Download, target: Path, attempts: int, pause: float) -> None:
    for url in download.urls[:-1]:
        with contextlib.suppress(TransferFailed):
            return fetch(url, target, attempts=attempts, pause=pause)
    fetch(download.urls[-1], target, attempts=attempts, pause=pause)


def _unpack(archive: Path, names: tuple[str, ...]) -> None:
    if not archive.exists():  # an earlier run came this far
        return
    try:
        with tarfile.open(archive, "r|*") as members:
            for member in members:
                name = Path(member.name).name
                stream = members.extractfile(member) if name in names else None
                if stream is not None:
                    part = archive.with_name(name + ".part")
                    with part.open("wb") as out:
                        shutil.copyfileobj(stream, out)
                    part.replace(archive.with_name(name))
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise BadInput(f"damaged archive: {error}", path=archive) from error
    archive.unlink()


def _check(description: Description, work: Path) -> None:
    if missing := description.missing(work):
        raise NotFound(f"{', '.join(missing)} did not come")
    for count in Corpus(description, work, None, None).check():
        if not count.right:
            raise BadInput(f"{count.what}: {count.found}, expected {count.expected}")
