"""Child processes that work on a workspace and report what was acknowledged, until they are killed.

They are forked from the test, which has all modules in memory, since a fresh interpreter needs seconds to start.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator

from tests.service.streams import NAMES, documents, is_relevant

from bayesift.filtering.store import Workspace
from bayesift.filtering.store import group as group_module

Report = Callable[..., None]


class Child:
    """A forked process that runs a function of (report, random numbers)."""

    def __init__(self, target: Callable[[Report, random.Random], None], seed: int) -> None:
        self._read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _run(target, write, seed)
        os.close(write)
        self._data = b""

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


def _run(target: Callable[[Report, random.Random], None], write: int, seed: int) -> None:
    try:
        target(lambda *words: os.write(write, ("\t".join(map(str, words)) + "\n").encode()), random.Random(seed))
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(1)


def ingest(url: str) -> Callable[[Report, random.Random], None]:
    """Return a function that stores and processes documents without end; some of each part came before."""

    def run(report: Report, drawn: random.Random) -> None:
        group_module.WORTH = 0.03  # seconds: checkpoints often
        with Workspace.open(url) as workspace:
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


def judge(url: str) -> Callable[[Report, random.Random], None]:
    """Return a function that judges what waits, without end; some answers are changed, withdrawn or undone."""

    def run(report: Report, drawn: random.Random) -> None:
        with Workspace.open(url) as workspace:
            while True:
                topic = drawn.choice(NAMES)
                waiting = workspace.inbox(topic, limit=5)
                if not waiting:
                    time.sleep(0.002)
                for item in waiting:
                    relevant = is_relevant(topic, item.document)
                    report("judging", topic, item.document, relevant)
                    workspace.judge(topic, item.document, relevant)
                    report("judged", topic, item.document, relevant)
                    if drawn.random() < 0.1:
                        report("judging", topic, item.document, not relevant)
                        workspace.change(topic, item.document, not relevant)
                        report("judged", topic, item.document, not relevant)
                    if drawn.random() < 0.1:
                        report("judging", topic, item.document, None)
                        workspace.withdraw(topic, item.document)
                        report("judged", topic, item.document, None)

    return run
