"""Child processes that work on a workspace and report what was acknowledged, until they are killed.

They are forked from the test, which has all modules in memory, since a fresh interpreter needs seconds to start.
"""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial

from tests.service.streams import NAMES, documents, is_relevant

from bayesift.filtering.store import Workspace
from bayesift.filtering.store import group as group_module

STUCK = 300.0  # seconds; children live for a few
Report = Callable[..., None]
Work = Callable[[Report, random.Random], None]


class Child:
    """A forked process that runs a function of (report, random numbers)."""

    def __init__(self, target: Work, seed: int) -> None:
        self._read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _run(target, write, seed)
        os.close(write)
        self._data = b""

    def wait(self) -> None:
        """Wait for the first report."""
        self._data = os.read(self._read, 1 << 16)

    def kill(self) -> None:
        """Kill the process with SIGKILL and wait for its end."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        assert os.WIFSIGNALED(status), f"the child ended by itself, with {status}"

    def reports(self) -> list[list[str]]:
        """Return what a process that has ended reported, without an incomplete last line."""
        while part := os.read(self._read, 1 << 16):
            self._data += part
        os.close(self._read)
        return [line.split("\t") for line in self._data.decode().split("\n")[:-1]]

    def lines(self) -> Iterator[list[str]]:
        """Yield what a running process reports, as it comes."""
        while part := os.read(self._read, 1 << 16):
            *whole, self._data = (self._data + part).split(b"\n")
            yield from (line.decode().split("\t") for line in whole)


def killed(work: list[Work], seed: int, drawn: random.Random, longest: float) -> list[list[list[str]]]:
    """Let processes work at the same time, kill them at random moments, and return the reports of each."""
    busy = max(1.0, os.getloadavg()[0] / 2 / (os.cpu_count() or 1))  # where others work too, the same takes longer
    children = [Child(target, seed + i) for i, target in enumerate(work)]
    drawn.shuffle(children)
    for child in children:
        if drawn.random() < 0.8:  # else it may be killed while it opens the database
            child.wait()
        time.sleep(drawn.random() * longest * busy)
        child.kill()
    return [child.reports() for child in children]


def say(report: Report, before: str, after: str, *words: object) -> Callable[[Callable[[], object]], None]:
    """Return a function that calls another, and reports before and after it."""

    def call(act: Callable[[], object]) -> None:
        report(before, *words)
        act()
        report(after, *words)

    return call


def _run(target: Work, write: int, seed: int) -> None:
    faulthandler.dump_traceback_later(STUCK, exit=True, file=sys.__stderr__)  # says where, and the test fails
    try:
        target(lambda *words: os.write(write, ("\t".join(map(str, words)) + "\n").encode()), random.Random(seed))
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(1)


def ingest(url: str) -> Work:
    """Return a function that stores and processes documents without end; some of each part came before."""

    def run(report: Report, drawn: random.Random) -> None:
        group_module.WORTH = 0.03  # seconds: checkpoints often
        with Workspace.open(url) as workspace:
            report("ready")
            while True:
                known = workspace.status().documents
                part = documents(drawn.randint(1, 12), first=max(0, known - 4))
                if drawn.random() < 0.2:
                    workspace.add_documents(part)
                    items = list(workspace.work(once=True))
                else:
                    items = list(workspace.process(part, batch=drawn.choice((1, 5, 256))))
                for document in part:
                    report("document", document.id)
                for item in items:
                    report("shown", item.topic, item.document)

    return run


def judge(url: str) -> Work:
    """Return a function that judges what waits, without end; some answers are changed, withdrawn or undone."""

    def run(report: Report, drawn: random.Random) -> None:
        with Workspace.open(url) as workspace:
            report("ready")
            while True:
                topic = drawn.choice(NAMES)
                waiting = workspace.inbox(topic, limit=5)
                if not waiting:
                    time.sleep(0.002)
                for item in waiting:
                    about = topic, item.document
                    relevant = is_relevant(*about)
                    told = partial(say, report, "judging", "judged", *about)
                    told(relevant)(partial(workspace.judge, *about, relevant))
                    if drawn.random() < 0.1:
                        told(not relevant)(partial(workspace.change, *about, not relevant))
                    if drawn.random() < 0.1:
                        told(None)(partial(workspace.withdraw, *about))

    return run
