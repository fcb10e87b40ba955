"""Read files, compressed or not, and write files atomically."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.locks import lock_file

STDIN = STDOUT = "-"
DESCRIPTORS = ("/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/")  # names of open files


@contextlib.contextmanager
def open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """Open PATH for reading; gzip and zstd are recognised by the first bytes, and `-` is standard input."""
    with contextlib.ExitStack() as stack:
        if str(path) == STDIN:
            raw: Any = sys.stdin.buffer
        else:
            raw = stack.enter_context(_open_file(Path(path)))
        plain = io.BufferedReader(_Reader(raw, path), 1 << 16)
        head = plain.peek(4)[:4]
        if head.startswith(b"\x1f\x8b"):
            plain = io.BufferedReader(_Reader(stack.enter_context(gzip.open(plain, "rb")), path), 1 << 16)
        elif head == b"\x28\xb5\x2f\xfd":
            plain = io.BufferedReader(_Reader(io.BufferedReader(_ZstdReader(plain)), path), 1 << 16)
        yield plain


def read_lines(path: str | Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its end).

    Lines end at a newline only, as in JSON lines and LIBSVM files. A byte-order mark is dropped.
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
                    remedy=f"convert the file, e.g. iconv -f {_likely(raw)} -t {encoding} OLD > NEW",
                ) from error
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line.rstrip("\r\n")


def _likely(raw: bytes) -> str:
    """Return the likely encoding of a line that is not UTF-8: UTF-16 has a mark at the beginning of the file."""
    return "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "windows-1252"


@contextlib.contextmanager
def write_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Write PATH atomically: to a temporary file beside it, which is renamed at the end; on an error PATH is unchanged.

    Symbolic links are followed. The mode and owner of an existing file are kept. Devices, pipes and `-` (standard
    output) are written directly.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with write_whole(Path(folder, "note.txt")) as out:
    ...     _ = out.write(b"all of it")
    >>> Path(folder, "note.txt").read_bytes()
    b'all of it'
    """
    if str(path) == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with _append(Path(path)) if is_stream(path) else _replace(Path(os.path.realpath(path))) as out:
            yield out
    except OSError as error:
        name = str(path if error.filename is None else error.filename)
        if isinstance(error, BayesiftError) or error.errno is None or not name.endswith((str(path), ".part")):
            raise  # an error of another file
        raise BadInput(f"cannot write: {error.strerror}", path=path, remedy=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "create the folder or choose another path"
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return "free some space or choose another path" if full else "choose another path"


def is_stream(path: str | Path) -> bool:
    """Return whether PATH is a device, a pipe or an open file descriptor, which cannot be replaced."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or str(Path(path).absolute()).startswith(DESCRIPTORS)


def _append(path: Path) -> IO[bytes]:
    """Open a stream to append to: a descriptor may belong to a file that must not be truncated or overwritten."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb")


@contextlib.contextmanager
def _replace(path: Path) -> Iterator[IO[bytes]]:
    before = path.stat() if path.exists() else None
    if before is not None and not os.access(path, os.W_OK):
        raise BadInput("is read-only", path=path, remedy="make it writable or choose another name")
    remove_strays(path)
    name, out = _temporary(path)
    try:
        with out:
            if before is not None:
                _take_over(out.fileno(), before)
            yield out
            out.flush()
            os.fsync(out.fileno())
            if os.name == "nt":  # Windows renames no open file, and removes none
                out.close()
            os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _temporary(path: Path) -> tuple[Path, IO[bytes]]:
    """Create and lock a file beside PATH; one without a lock is left over from a killed process."""
    while True:
        name = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}.part")
        out = name.open("xb")
        with contextlib.suppress(OSError):  # a file system without locks
            lock_file(out.fileno())
        if os.fstat(out.fileno()).st_nlink:  # else another process removed it before it was locked
            return name, out
        out.close()


def remove_strays(path: Path) -> None:
    """Remove the temporary files that killed processes left beside PATH; those of running processes are locked."""
    pattern = re.compile(re.escape(_prefix(path)) + r"[a-z0-9_]{8}\.part")
    names: list[Path] = []
    with contextlib.suppress(OSError):  # a folder without permission to list
        names = [name for name in path.parent.iterdir() if pattern.fullmatch(name.name)]
    for name in names:
        with contextlib.suppress(OSError), name.open("rb") as file:
            if lock_file(file.fileno(), wait=False):
                name.unlink()


def _prefix(path: Path) -> str:
    return f".{path.name[:50]}."  # short enough for any file system with what follows


def _take_over(file: int, before: os.stat_result) -> None:
    """Copy the mode and, if permitted, the owner of the file that is replaced."""
    if hasattr(os, "fchown"):
        with contextlib.suppress(OSError):
            os.fchown(file, before.st_uid, before.st_gid)
        os.fchmod(file, stat.S_IMODE(before.st_mode))


@contextlib.contextmanager
def write_compressed(path: str | Path) -> Iterator[IO[bytes]]:
    """Write PATH atomically, compressed if it ends in `.gz` or `.zst`; the same data give the same bytes."""
    with write_whole(path) as out, contextlib.ExitStack() as stack:
        suffix = Path(path).suffix
        if suffix == ".gz":
            yield cast(IO[bytes], stack.enter_context(gzip.GzipFile("", "wb", fileobj=out, mtime=0)))
        elif suffix == ".zst":
            import zstandard

            yield stack.enter_context(zstandard.ZstdCompressor().stream_writer(out, closefd=False))
        else:
            yield out


class _Damaged(Exception):
    """Compressed data that cannot be decompressed."""


class _Reader(io.RawIOBase):
    """Raw stream that names the file in errors of reading and decompressing."""

    def __init__(self, raw: Any, path: str | Path) -> None:
        self._raw, self._path = raw, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return cast(int, self._raw.readinto1(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile, _Damaged) as error:
            remedy = "download or compress it again"
            raise BadInput(f"damaged compressed file: {error}", path=self._path, remedy=remedy) from error
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror or error}", path=self._path) from error


class _ZstdReader(io.RawIOBase):
    """Raw stream of decompressed zstd frames; a stream that ends within a frame is an error."""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._decompressor, self._error = zstandard.ZstdDecompressor(), zstandard.ZstdError
        self._raw, self._frame, self._packed, self._ready = raw, self._decompressor.decompressobj(), b"", b""
        self._within = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._packed or self._raw.read(1 << 16)
            if not packed:
                if self._within:
                    raise _Damaged("it ends too early")
                return 0
            try:
                self._ready = self._frame.decompress(packed)
            except self._error as error:
                raise _Damaged(error) from error
            self._packed, self._within = b"", not self._frame.eof
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, self._decompressor.decompressobj()
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


def _open_file(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise NotFound("no such file", path=path, remedy="check the name") from None
    except IsADirectoryError:
        raise BadInput("is a directory", path=path, remedy="name a file") from None
    except OSError as error:
        remedy = "check its name and who may read it"
        raise BadInput(f"cannot be read: {error.strerror}", path=path, remedy=remedy) from error
