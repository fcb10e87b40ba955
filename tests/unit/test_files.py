"""Files are written whole or not at all, never in the place of something else, and read with the right blame."""

import gzip
import os
import signal
import stat
import struct
import subprocess
import sys
import threading

import pytest

from bayesift.errors import BadInput
from bayesift.files import open_bytes, remove_strays, write_compressed, write_whole


def put(path, content=b"new"):
    with write_whole(path) as out:
        out.write(content)


def test_a_device_is_written_to(tmp_path):
    node = tmp_path / "null"
    try:
        os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # a scratch node, not the system's own
        node.open("wb").close()
    except PermissionError:
        pytest.skip("device nodes cannot be made or opened here")
    put(node)
    assert stat.S_ISCHR(node.stat().st_mode)


def test_a_pipe_is_written_to(tmp_path):
    fifo, read = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
    reader.start()
    put(fifo)
    reader.join(10)
    assert read == [b"new"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_standard_output_is_appended_to(tmp_path):
    """`--output /dev/fd/1 >> log` keeps the log; `-` is standard output, not a file of that name."""
    log = tmp_path / "log"
    log.write_text("old\n")
    code = "from bayesift.files import write_whole\nwith write_whole({!r}) as out: out.write(b'new\\n')"
    for name in ("/dev/fd/1", "-"):  # not /dev/stdout, a link that a mistake would replace
        with log.open("ab") as out:
            subprocess.run([sys.executable, "-c", code.format(name)], stdout=out, check=True)
    assert log.read_text() == "old\nnew\nnew\n"


def test_mode_and_owner_are_kept(tmp_path):
    path = tmp_path / "secret"
    put(path)
    path.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    before = path.stat()
    with write_whole(path) as out:
        out.write(b"more")
        (part,) = tmp_path.glob(".*.part")
        assert stat.S_IMODE(part.stat().st_mode) == 0o600  # also while it is written
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert path.read_bytes() == b"more"


def test_a_new_file_follows_the_umask(tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", None)  # the umask belongs to the process and is not touched
            put(tmp_path / "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_a_symbolic_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "m", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"one", b"two"):  # a link to nothing yet, then to a file
        put(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every file")
def test_a_read_only_file_is_refused(tmp_path):
    put(tmp_path / "x")
    (tmp_path / "x").chmod(0o444)
    with pytest.raises(BadInput, match="read-only"):
        put(tmp_path / "x")


def test_what_a_killed_process_left_is_removed(tmp_path):
    path = tmp_path / "m.model"
    code = "import sys\nfrom bayesift.files import write_whole\n"
    code += "with write_whole(sys.argv[1]) as out:\n    print('writing', flush=True)\n    sys.stdin.read()"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        (part,) = tmp_path.iterdir()
        remove_strays(path)
        assert part.exists()  # its writer lives
        process.send_signal(signal.SIGKILL)
        process.wait()
    mine = tmp_path / ".m.model.mine.part"
    mine.write_text("not of our making")
    (tmp_path / ".m.model.9kvurq7v.part").write_text("left over")
    put(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [mine.name, path.name]


def test_a_failure_leaves_the_old_file(tmp_path):
    put(tmp_path / "x", b"old")
    with pytest.raises(TypeError), write_whole(tmp_path / "x") as out:
        out.writelines([b"0.5", None])
    assert (tmp_path / "x").read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
    put(tmp_path / ("long" * 60))


def test_an_error_of_another_file_is_not_one_of_writing(tmp_path):
    with pytest.raises(FileNotFoundError, match="other"), write_whole(tmp_path / "x") as out:
        out.write((tmp_path / "other").read_bytes())
    with pytest.raises(BadInput, match="no/x: cannot write: No such file or directory; create the folder"):
        put(tmp_path / "no" / "x")
    with pytest.raises(BadInput, match="cannot write: Is a directory; choose another path"):
        put(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [EOFError("mine"), struct.error("mine"), OSError(5, "mine")])
def test_an_error_of_the_reader_is_not_one_of_the_file(tmp_path, error):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"fine\n"))

    def fail(_line):
        raise error

    with pytest.raises(type(error), match="mine"), open_bytes(path) as stream:
        fail(stream.readline())


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_damaged_file_is_named(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"
    with write_compressed(path) as out:
        out.write(os.urandom(50_000).hex().encode())
    whole = path.read_bytes()
    for damaged in (whole[:40_000], whole[:12] + b"\xff" * 50 + whole[62:]):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=f"x{suffix}: damaged compressed file"), open_bytes(path) as stream:
            stream.read()
