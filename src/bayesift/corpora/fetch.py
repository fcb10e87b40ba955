"""Download a file over HTTP; an interrupted download is resumed.

Bytes are written to `FILE.part`. The next attempt, now or in a later run, requests the rest with a Range request;
`If-Range` makes the server send the whole file if it has changed. The file is renamed only when its length is the
length that the server announced.
"""

from __future__ import annotations

import contextlib
import http.client
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from bayesift.errors import TransferFailed

ATTEMPTS = 5
PAUSE = 0.5  # seconds before the second attempt, doubled for each further one
TIMEOUT = 30.0
_CHUNK = 1 << 16
_LOST = (OSError, http.client.HTTPException)  # errors of a broken connection, including timeouts

Report = Callable[[int, int | None], None]


def fetch(url: str, target: Path, *, attempts: int = ATTEMPTS, pause: float = PAUSE) -> None:
    """Download `url` to `target`, resuming from `target.part` if it exists."""
    if not url.startswith(("http://", "https://")):
        raise TransferFailed(f"not an HTTP address: {url}", remedy="use http:// or https://")
    part = target.with_name(target.name + ".part")
    reason = ""
    with _shown(target.name) as report:
        for attempt in range(attempts):
            if attempt:
                time.sleep(pause * 2 ** (attempt - 1))
            try:
                reason = _attempt(url, part, report)
            except urllib.error.HTTPError as error:
                reason = f"{error.code} {error.reason}"
                if error.code < 500 and error.code not in (408, 429):
                    break
            except _LOST as error:
                reason = str(getattr(error, "reason", "")) or str(error) or type(error).__name__
            if not reason:
                part.replace(target)
                _version(part).unlink(missing_ok=True)
                return
    raise TransferFailed(f"{url}: {reason}", remedy="try again to resume the download")


def _attempt(url: str, part: Path, report: Report) -> str:
    """Send one request; return why the file is incomplete, or an empty string if it is complete."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "bayesift"})
    if have:
        request.add_header("Range", f"bytes={have}-")
        with contextlib.suppress(OSError):
            request.add_header("If-Range", _version(part).read_text("utf-8"))
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code != 416:
            raise
        if error.headers.get("Content-Range", "") == f"bytes */{have}":
            return ""  # the part is complete
        part.unlink()
        return "the partial download belongs to another file"
    with response:
        going_on = response.status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        if not going_on:
            have = 0
            tag = response.headers.get("ETag") or response.headers.get("Last-Modified") or ""
            if tag and not tag.startswith("W/"):
                _version(part).write_text(tag, "utf-8")
        length = response.headers.get("Content-Length")
        total = have + int(length) if length is not None else None
        with part.open("ab" if going_on else "wb") as out:
            while chunk := response.read(_CHUNK):
                out.write(chunk)
                have += len(chunk)
                report(have, total)
    return "" if total is None or have == total else f"the connection ended after {have} of {total} bytes"


def _version(part: Path) -> Path:
    return part.with_name(part.name + ".version")


@contextlib.contextmanager
def _shown(name: str) -> Iterator[Report]:
    if not sys.stderr.isatty():
        yield _Lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(name, total=None)
        yield lambda have, total: progress.update(task, completed=have, total=total)


class _Lines:
    """Progress as a line every few seconds, for output that is not a terminal."""

    def __init__(self, name: str, seconds: float = 10.0) -> None:
        self.name, self.seconds, self.last = name, seconds, time.monotonic()

    def __call__(self, have: int, total: int | None) -> None:
        if time.monotonic() - self.last >= self.seconds:
            self.last = time.monotonic()
            of = f" of {total / 1e6:.1f}" if total else ""
            print(f"{self.name}: {have / 1e6:.1f}{of} MB", file=sys.stderr, flush=True)
