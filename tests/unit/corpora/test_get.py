import contextlib
import io
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bayesift.corpora.fetch import fetch
from bayesift.corpora.install import get_corpus
from bayesift.errors import BadInput, NotFound, TransferFailed

WHOLE = bytes(range(256)) * 1000


class Server(ThreadingHTTPServer):
    """Serves `files`; `cut` holds how many bytes the next answers stop after; `asked` notes the Range headers."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.cut, self.asked, self.codes, self.tag, self.ranges = {}, [], [], [], '"1"', True

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server, body = self.server, self.server.files.get(self.path[1:])
        asked = self.headers.get("Range")
        server.asked.append(asked)
        if server.codes or body is None:
            return self.send_error(server.codes.pop(0) if server.codes else 404)
        start = 0
        if asked and server.ranges and self.headers.get("If-Range", server.tag) == server.tag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(body):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(body)}")
                self.send_header("Content-Length", "0")
                return self.end_headers()
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("ETag", server.tag)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start : start + server.cut.pop(0)] if server.cut else body[start:])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_a_cut_connection_is_taken_up_where_it_broke(server, tmp_path):
    server.files["x"], server.cut = WHOLE, [1000, 50_000]
    fetch(server.address + "x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == WHOLE
    assert server.asked == [None, "bytes=1000-", "bytes=51000-"]
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_later_run_goes_on_and_a_changed_file_begins_anew(server, tmp_path):
    server.files["x"], server.cut = WHOLE, [1000]
    with pytest.raises(TransferFailed, match=r"after 1000 of 256000 bytes; try again"):
        fetch(server.address + "x", tmp_path / "x", attempts=1)
    assert (tmp_path / "x.part").stat().st_size == 1000
    server.files["x"], server.tag = WHOLE[::-1], '"2"'
    fetch(server.address + "x", tmp_path / "x", attempts=1)
    assert (tmp_path / "x").read_bytes() == WHOLE[::-1]


def test_a_server_without_ranges_sends_all_again(server, tmp_path):
    server.files["x"], server.cut, server.ranges = WHOLE, [1000], False
    fetch(server.address + "x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == WHOLE


def test_a_part_that_is_whole_or_too_long(server, tmp_path):
    server.files["x"] = WHOLE
    (tmp_path / "x.part").write_bytes(WHOLE)
    fetch(server.address + "x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == WHOLE
    (tmp_path / "x.part").write_bytes(WHOLE + b"more")
    fetch(server.address + "x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == WHOLE


def test_a_busy_server_is_asked_again_a_missing_file_is_not(server, tmp_path):
    server.files["x"], server.codes = WHOLE, [503, 429]
    fetch(server.address + "x", tmp_path / "x", pause=0)
    assert len(server.asked) == 3
    with pytest.raises(TransferFailed, match="404"):
        fetch(server.address + "y", tmp_path / "y", pause=0)
    assert len(server.asked) == 4
    with pytest.raises(TransferFailed, match="not an HTTP address"):
        fetch("file:///etc/hosts", tmp_path / "y")


def trec9_archive(topics=63):
    """A made-up archive laid out like the real one."""
    files = {
        "ohsu/query.ohsu.1-63": "".join(
            f"<top>\n<num> Number: OHSU{i}\n<title> topic {i}\n</top>\n" for i in range(1, topics + 1)
        ),
        "ohsu/train/qrels.ohsu.batch.87": "OHSU1\t87000001\t1\n" * 670,
        "ohsu/test/qrels.ohsu.88-91": "OHSU2\t88000001\t2\n" * 3205,
        "ohsu/other": "not wanted\n" * 10_000,
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


def test_a_corpus_is_fetched_unpacked_checked_and_installed(server, tmp_path, run):
    server.files["t9.tar.gz"], server.cut = trec9_archive(), [100]
    result = run("corpus", "get", "trec9", "--data", tmp_path, "--url", server.address + "t9.tar.gz")
    assert (result.code, result.out) == (0, "")
    assert "is installed" in result.err
    assert sorted(p.name for p in (tmp_path / "trec9").iterdir()) == [
        "qrels.ohsu.88-91",
        "qrels.ohsu.batch.87",
        "query.ohsu.1-63",
    ]
    assert [p.name for p in tmp_path.iterdir()] == ["trec9"]
    assert run("corpus", "info", "trec9", "--data", tmp_path).code == 0
    again = run("corpus", "get", "trec9", "--data", tmp_path)
    assert (again.code, "already installed" in again.err) == (0, True)


@pytest.mark.parametrize("body", [b"<html>moved</html>", trec9_archive()[:-2000], trec9_archive(topics=60), b""])
def test_a_wrong_file_installs_nothing(server, tmp_path, run, body):
    server.files["t9.tar.gz"] = body
    result = run("corpus", "get", "trec9", "--data", tmp_path, "--url", server.address + "t9.tar.gz")
    assert result.code == 2
    assert "the download is not trec9" in result.err
    assert "Traceback" not in result.err
    assert list(tmp_path.iterdir()) == []


def test_a_failed_download_keeps_its_part_for_the_next_run(server, tmp_path):
    whole = trec9_archive()
    server.files["t9.filtering.tar.gz"], server.cut = whole, [300, 0, 0]
    with pytest.raises(TransferFailed):
        get_corpus("trec9", data=tmp_path, url=server.address, attempts=3, pause=0)
    assert not (tmp_path / "trec9").exists()
    assert (tmp_path / "trec9.part" / "t9.filtering.tar.gz.part").stat().st_size == 300
    assert get_corpus("trec9", data=tmp_path, url=server.address) == tmp_path / "trec9"
    assert server.asked[-1] == "bytes=300-"


def test_an_interrupted_download_says_how_to_go_on(tmp_path, run, monkeypatch):
    def interrupted(url, target, **_):
        target.with_name(target.name + ".part").write_bytes(b"some")
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesift.corpora.install.fetch", interrupted)
    result = run("corpus", "get", "trec9", "--data", tmp_path)
    assert result.code == 130
    assert "run the same command to resume it" in result.err
    assert (tmp_path / "trec9.part" / "t9.filtering.tar.gz.part").exists()


def test_mirrors_are_tried_in_turn(tmp_path, monkeypatch):
    asked = []

    def failing(url, target, **_):
        asked.append(url)
        raise TransferFailed("gone")

    monkeypatch.setattr("bayesift.corpora.install.fetch", failing)
    with contextlib.suppress(TransferFailed):
        get_corpus("reuters21578", data=tmp_path)
    assert len(asked) == 3


def test_what_cannot_be_got(tmp_path):
    with pytest.raises(NotFound, match="python -m synergy_dataset get"):
        get_corpus("synergy", data=tmp_path)
    assert get_corpus("docstrings", data=tmp_path) is None
    with pytest.raises(BadInput, match="6 files"):
        get_corpus("rcv1-v2", data=tmp_path, url="http://127.0.0.1/x")
    (tmp_path / "trec9").mkdir()
    with pytest.raises(BadInput, match="already exists without"):
        get_corpus("trec9", data=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be created"):
        get_corpus("trec9", data=tmp_path / "file")
