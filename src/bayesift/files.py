"""Opening text files, compressed or not, and writing files whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from bayesift.errors import BadInput, NotThere

STDIN = "-"


@contextlib.contextmanager
def open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """Open PATH for reading, decompressing `.gz` and `.zst` by their first bytes; `-` is standard input."""
    with contextlib.ExitStack() as stack:
        if str(path) == STDIN:
            raw: IO[bytes] = sys.stdin.buffer
        else:
            raw = stack.enter_context(_open_file(Path(path)))
        head = raw.peek(4)[:4] if isinstance(raw, io.BufferedReader) else b""
        if head.startswith(b"\x1f\x8b"):
            raw = cast(IO[bytes], stack.enter_context(gzip.open(raw, "rb")))
        elif head == b"\x28\xb5\x2f\xfd":
            raw = stack.enter_context(io.BufferedReader(_ZstdReader(raw)))
        try:
            yield raw
        except (EOFError, gzip.BadGzipFile) as error:
            raise _damaged(path, error) from error
        except Exception as error:  # zlib and zstd each have an error class of their own
            if type(error).__name__ in ("ZstdError", "error"):
                raise _damaged(path, error) from error
            raise


def read_lines(path: str | Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its end), decoding each line on its own.

    Lines end at a newline only, as JSON lines and LIBSVM mean it; a byte-order mark is dropped.
    """
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode(encoding)
            except UnicodeDecodeError as error:
                raise BadInput(
                    f"not {encoding}: {error.reason} at byte {error.start}",
                    path=path,
                    line=number,
                    remedy=f"convert the file, e.g. iconv -t {encoding}",
                ) from error
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line.rstrip("\r\n")


@contextlib.contextmanager
def write_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Write PATH under a temporary name beside it and rename it when all is written; on any error leave PATH as it was.

    >>> folder = tempfile.mkdtemp()
    >>> with write_whole(Path(folder, "note.txt")) as out:
    ...     _ = out.write(b"all of it")
    >>> Path(folder, "note.txt").read_bytes()
    b'all of it'
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise BadInput(f"cannot write here: {error.strerror}", path=path, remedy="name another place") from error
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError) and error.errno is not None and not isinstance(error, BadInput):
            remedy = "free some space or name another place"
            raise BadInput(f"cannot write: {error.strerror}", path=path, remedy=remedy) from error
        raise


@contextlib.contextmanager
def write_compressed(path: str | Path) -> Iterator[IO[bytes]]:
    """Write PATH whole or not at all, compressed if it ends in `.gz` or `.zst`; same data, same bytes."""
    with write_whole(path) as out, contextlib.ExitStack() as stack:
        suffix = Path(path).suffix
        if suffix == ".gz":
            yield cast(IO[bytes], stack.enter_context(gzip.GzipFile("", "wb", fileobj=out, mtime=0)))
        elif suffix == ".zst":
            import zstandard

            yield stack.enter_context(zstandard.ZstdCompressor().stream_writer(out, closefd=False))
        else:
            yield out


class _ZstdReader(io.RawIOBase):
    """Decompress zstd frames one after another; a stream that ends within one is an error, not an end."""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._decompressor = zstandard.ZstdDecompressor()
        self._raw, self._frame, self._packed, self._ready = raw, self._decompressor.decompressobj(), b"", b""
        self._within = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._packed or self._raw.read(1 << 16)
            if not packed:
                if self._within:
                    raise EOFError("it ends too early")
                return 0
            self._ready, self._packed, self._within = self._frame.decompress(packed), b"", not self._frame.eof
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, self._decompressor.decompressobj()
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


def _open_file(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise NotThere("no such file", path=path) from None
    except IsADirectoryError:
        raise BadInput("is a directory", path=path, remedy="name a file") from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=path) from error


def _damaged(path: str | Path, error: Exception) -> BadInput:
    return BadInput(f"damaged compressed file: {error}", path=path, remedy="fetch or compress it again")
