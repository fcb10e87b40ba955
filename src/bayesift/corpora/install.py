"""Install a corpus: download and check it in a working folder, then rename the folder."""

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
    """Return the folder of a download in progress, which is kept if it is interrupted."""
    return data_folder(data) / f"{name}.part"


def get_corpus(
    name: str,
    *,
    data: str | Path | None = None,
    url: str | None = None,
    attempts: int = ATTEMPTS,
    pause: float = PAUSE,
) -> Path | None:
    """Download, check and install a corpus; return its folder, or None if it is already installed.

    `url` replaces the public address of the corpus: the address of its file, or of the folder of its files if it ends
    in `/`.
    """
    description = describe(name)
    folder, work = data_folder(data) / name, working_folder(name, data)
    if not description.missing(folder):
        return None
    if folder.exists():
        missing = ", ".join(description.missing(folder))
        raise BadInput(f"already exists without {missing}", path=folder, remedy="complete it or remove it")
    downloads = _downloads(description, url)
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"cannot be created: {error.strerror}", path=work, remedy="choose another directory with --data"
        ) from error
    try:
        for download in downloads:
            if not all((work / file).exists() for file in download.take or (download.file,)):
                _fetch_any(download, work / download.file, attempts, pause)
    finally:
        with contextlib.suppress(OSError):
            work.rmdir()  # only if it is empty
    try:
        for download in downloads:
            if download.take:
                _unpack(work / download.file, download.take)
        _check(description, work)
    except BayesiftError as error:
        shutil.rmtree(work)  # the content is wrong: do not resume from it
        reason = f"the download is not {name}: {error}"
        raise TransferFailed(reason, remedy="nothing was installed; try another --url") from error
    os.replace(work, folder)
    return folder


def _downloads(description: Description, url: str | None) -> tuple[Download, ...]:
    downloads = description.downloads
    if url is not None and not downloads:  # the files of the corpus
        downloads = tuple(Download(file, ()) for file in description.layouts[0])
    if not downloads:
        raise NotFound(
            f"{description.name} has no public download",
            remedy=f"see {description.home}: {description.to_get}",
        )
    if url is None:
        return downloads
    if len(downloads) > 1 and not url.endswith("/"):
        raise BadInput(
            f"{description.name} has {len(downloads)} files", remedy="pass the address of their folder, ending in /"
        )
    return tuple(Download(d.file, (url + d.file if url.endswith("/") else url,), d.take) for d in downloads)


def _fetch_any(download: Download, target: Path, attempts: int, pause: float) -> None:
    for url in download.urls[:-1]:
        with contextlib.suppress(TransferFailed):
            return fetch(url, target, attempts=attempts, pause=pause)
    fetch(download.urls[-1], target, attempts=attempts, pause=pause)


def _unpack(archive: Path, names: tuple[str, ...]) -> None:
    if not archive.exists():  # unpacked by an earlier run
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
        raise NotFound(f"missing files: {', '.join(missing)}")
    for count in Corpus(description, work, None, None).check():
        if not count.right:
            raise BadInput(f"{count.what}: {count.found}, expected {count.expected}")
