"""Verbs that run for long: lines are answered at once, Ctrl-C loses nothing, and sources fail on their own."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time

import pytest
from tests.unit.cli.filter.conftest import lines
from tests.unit.filtering.feeds.conftest import RSS, Web

INTERRUPTED = "bayesift: interrupted; no file was left incomplete\n"
SECONDS = 60  # until a slow machine has answered


@pytest.fixture
def web():
    found = Web()
    yield found
    found.server.shutdown()
    found.server.server_close()


@contextlib.contextmanager
def started(*arguments, **options):
    """Start a verb whose streams are pipes; it is killed at the end."""
    command = [sys.executable, "-m", "bayesift", "filter", *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
    process = subprocess.Popen(command, text=True, **pipes)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process):
    """Return the next line of its output, or fail if there is none for long."""
    assert select.select([process.stdout], [], [], SECONDS)[0], "no output"
    return json.loads(process.stdout.readline())


def documents(run, news):
    return json.loads(run("filter", "status", news, "--json").out)["documents"]


def test_each_line_is_answered_before_the_next_one_comes(run, news):
    with started("run", news) as process:
        for i in (12, 14, 16):
            process.stdin.write(lines(1, i))
            process.stdin.flush()
            assert line_of(process)["document"] == f"d{i}"
        process.stdin.write(lines(1, 18)[:20])  # a line that is not complete is waited for
        process.stdin.flush()
        assert not select.select([process.stdout], [], [], 0.5)[0]
        process.stdin.write(lines(1, 18)[20:].rstrip("\n"))  # the last one needs no end
        out, err = process.communicate(timeout=SECONDS)
        assert json.loads(out)["document"] == "d18"
        assert (process.returncode, err) == (0, "4 documents, 4 shown\n")
    assert documents(run, news) == 16


def test_tail(run, news, tmp_path):
    file = tmp_path / "incoming.jsonl"
    file.write_text(lines(1, 12))
    with subprocess.Popen(["tail", "-f", file], stdout=subprocess.PIPE) as tail:
        try:
            with started("run", news, stdin=tail.stdout) as process:
                assert line_of(process)["document"] == "d12"
                with file.open("a") as more:
                    more.write(lines(1, 14))
                assert line_of(process)["document"] == "d14"
                process.send_signal(signal.SIGINT)
                assert process.wait(SECONDS) == 130
        finally:
            tail.kill()


@pytest.mark.parametrize("verb", ["run", "judge"])
def test_what_was_read_before_ctrl_c_is_stored(run, news, waiting, verb):
    """The interrupt comes at the worst moment: lines have been taken from the pipe, and nothing is done yet."""
    code = (
        "import os, signal, sys\nreal = os.read\n"
        "def read(descriptor, size):\n    found = real(descriptor, size)\n"
        "    if descriptor == 0:\n        os.kill(os.getpid(), signal.SIGINT)\n    return found\n"
        "os.read = read\nfrom bayesift.__main__ import main\nmain()"
    )
    answers = "".join(json.dumps({"topic": "harvest", "document": name, "relevant": True}) + "\n" for name in waiting())
    command = [sys.executable, "-c", code, "filter", verb, news]
    text = lines(100, 12) if verb == "run" else answers
    result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS)
    shown = result.stdout.count("\n")
    stored = f"100 documents stored, {shown} shown\n" if verb == "run" else ""
    assert (result.returncode, result.stderr) == (130, stored + INTERRUPTED)
    assert shown >= (50 if verb == "run" else answers.count("\n"))
    assert documents(run, news) == (112 if verb == "run" else 12)
    assert verb == "run" or waiting() == []


@pytest.mark.parametrize(
    "verb", ["run W", "work W", "judge W harvest", "feed W F --every 1h", "feed W http://127.0.0.1:P/x --allow-private"]
)
def test_ctrl_c_while_waiting(run, news, tmp_path, web, verb):
    web.pages["/x"] = lambda handler: time.sleep(30)
    (tmp_path / "empty").mkdir()
    names = {"W": news, "F": tmp_path / "empty"}
    arguments = [names.get(word, word).__str__().replace(":P/", f":{web.server.server_port}/") for word in verb.split()]
    code = (  # interrupts itself when it waits, however fast the machine is
        "import os, select, signal, sys, threading, time\n"
        "def waits(*_):\n    os.kill(os.getpid(), signal.SIGINT)\n    threading.Event().wait(20)\n"
        "from bayesift.cli import filter\n"
        "if sys.argv[2] in ('run', 'judge'):\n    select.select = waits\n"
        "elif 'http' in sys.argv[4:5][0:1].__str__():\n"
        "    import bayesift.cli.filter.rounds as rounds\n    rounds.as_completed = waits\n"
        "else:\n    time.sleep = waits\n"
        "from bayesift.__main__ import main\nmain()"
    )
    command = [sys.executable, "-c", code, "filter", *arguments]
    reader, writer = os.pipe()
    result = subprocess.run(command, stdin=reader, capture_output=True, text=True, timeout=SECONDS)
    os.close(reader)
    os.close(writer)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", INTERRUPTED)
    assert documents(run, news) == 12


SHORT = ["new N", "topic add W t --about wheat", "topic list W", "inbox W harvest", "judge W harvest d0 --relevant",
         "status W", "export W E", "import N X"]  # fmt: skip
CODE = """
import os, signal, sys
moment = sys.argv.pop(1)
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from bayesift.__main__ import main
main()
"""


@pytest.mark.parametrize("verb", SHORT)
def test_ctrl_c_in_short_verbs(run, news, tmp_path, verb):
    """An interrupt while the store is imported, which every verb does; the workspace is as before."""
    run("filter", "export", news, tmp_path / "x.jsonl")
    names = {"N": tmp_path / "n.db", "W": news, "E": tmp_path / "e.jsonl", "X": tmp_path / "x.jsonl"}
    arguments = [str(names.get(word, word)) for word in verb.split()]
    command = [sys.executable, "-c", CODE, "bayesift.filtering.store", "filter", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr.startswith("bayesift: interrupted")
    assert result.stderr.count("\n") == 1
    assert not names["N"].exists()
    assert not names["E"].exists()
    kept = json.loads(run("filter", "status", news, "--json").out)
    (topic,) = kept["topics"]
    assert (kept["documents"], topic["name"], topic["relevant"]) == (12, "harvest", 0)


def test_output_that_nobody_reads(news):
    command = f'set -o pipefail; "{sys.executable}" -m bayesift filter run "{news}" | head -1'
    many = lines(1200, 12)  # more than a pipe holds is shown
    result = subprocess.run(["bash", "-c", command], input=many, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_many_lines_at_once(run, news, given):
    given("\ufeff" + lines(700, 12))
    assert "700 documents" in run("filter", "run", news).err
    assert documents(run, news) == 712


def test_a_damaged_feed_holds_up_no_other(run, news, web):
    bad, good = web.serve("/bad", RSS.replace("Oil", "&#x110000;")), web.serve("/good", RSS)
    result = run("filter", "feed", news, bad, good, "--once", "--allow-private")
    assert result.code == 1
    assert f"bayesift: {bad}: cannot be read: ValueError" in result.err
    assert f"{good}: 2 new documents" in result.err


def test_feeds_fail_on_their_own(run, news, web, tmp_path):
    good = web.serve("/good", RSS)
    page = web.serve("/page", "<html><body>Hello</body></html>", Content_Type="text/html")
    huge = web.serve("/huge", RSS.replace("Prices fell.", "word " * 1_000_000))
    web.pages["/hang"] = lambda handler: time.sleep(30)
    evil = web.serve("/evil", status=302, Location="http://10.0.0.1/")
    folder = tmp_path / "inbox"
    folder.mkdir()
    (folder / "a.txt").write_text("The wheat harvest was good")
    options = ("--once", "--allow-private", "--timeout", "1", "--max-size", "2")
    result = run("filter", "feed", news, page, huge, web.url + "/hang", good, folder, *options)
    assert result.code == 1
    shown = [json.loads(line) for line in result.out.splitlines()]
    assert {item["document"] for item in shown} == {"a.txt", f"{good}#2"}
    for message in (f"{page}: is a web page, not a feed", f"{huge}: is larger than 2 MB", "no complete answer in 1 s",
                    f"{good}: 2 new documents", f"{folder}: 1 new document, 1 shown"):  # fmt: skip
        assert message in result.err
    assert documents(run, news) == 15
    again = run("filter", "feed", news, good, folder, *options)
    assert (again.code, again.out, again.err) == (0, "", "")  # nothing is new
    private = run("filter", "feed", news, evil, "--once")
    assert (private.code, "which is not contacted" in private.err) == (1, True)
    from bayesift.filtering.store import Workspace

    with Workspace.open(news, write=False) as workspace:
        stored = workspace.document(f"{good}#2")
        assert (stored.source, stored.url, stored.date[:10]) == (good, "http://news.example/2", "2026-11-03")


def test_files_of_the_same_name_in_two_folders(run, news, tmp_path):
    folders = [tmp_path / "fa", tmp_path / "fb"]
    for folder in folders:
        folder.mkdir()
        (folder / "report.txt").write_text(f"The wheat harvest of {folder.name} was good")
    result = run("filter", "feed", news, *folders, "--once")
    shown = [json.loads(line)["document"] for line in result.out.splitlines()]
    assert shown == ["report.txt", f"{folders[1]}/report.txt"]
    for again in (folders, folders[::-1], folders[1:], folders[:1]):
        result = run("filter", "feed", news, *again, "--once")
        assert (result.code, result.out, result.err) == (0, "", "")


def test_a_folder_is_watched(news, tmp_path):
    folder = tmp_path / "inbox"
    folder.mkdir()
    with started("feed", news, folder, "--every", "1s") as process:
        for name in ("a", "b"):
            (folder / f"{name}.txt").write_text(f"The wheat harvest was good, {name}")
            assert line_of(process)["document"] == f"{name}.txt"
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130


def test_a_database_that_is_away_for_a_moment_does_not_end_a_feed(run, news, tmp_path, monkeypatch):
    from bayesift.filtering.store import StoreFailed, Workspace

    (tmp_path / "inbox").mkdir()
    rounds = []

    def silent_topics(self):
        rounds.append(1)
        if len(rounds) == 2:  # the first is before all rounds
            raise StoreFailed("no connection to the database", path=news)
        if len(rounds) == 3:
            raise KeyboardInterrupt
        return {}

    monkeypatch.setattr(Workspace, "silent_topics", silent_topics)
    result = run("filter", "feed", news, tmp_path / "inbox", "--every", "1s")
    assert (result.code, len(rounds)) == (130, 3)


def test_what_could_not_be_stored_is_read_again(run, news, tmp_path, monkeypatch):
    """The database fails in the first round only."""
    from bayesift.filtering.store import StoreFailed, Workspace

    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "a.txt").write_text("The wheat harvest was good")
    real, rounds = Workspace.process, []

    def process(self, *arguments, **options):
        rounds.append(1)
        if len(rounds) == 1:
            raise StoreFailed("the disk is full", path=news)
        if len(rounds) == 2:
            yield from real(self, *arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "process", process)
    result = run("filter", "feed", news, tmp_path / "inbox", "--every", "1s")
    assert result.code == 130
    assert result.err.startswith(f"bayesift: {news}: the disk is full\n")
    assert json.loads(result.out)["document"] == "a.txt"
