"""A real browser, and the service as a process of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")
sync = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")

from tests.web.conftest import documents  # noqa: E402

from bayesift.filtering.store import Workspace  # noqa: E402
from bayesift.service import create_app  # noqa: E402
from bayesift.service.server import Server  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STOPPED = ("ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_REFUSED")  # a service that ends before its page is closed


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start Chromium, or skip the test if there is none on this machine."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser) -> Iterator[object]:
    """Open a page in a context of its own; errors of the script and of the policy fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 850})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: (wrong.append("a script ran"), dialog.dismiss()))
    page.set_default_timeout(15_000)
    # Where requests are intercepted only after a page has loaded, Chromium may let the next one pass.
    page.route("**/no-such-page", lambda route: route.abort())
    page.expected = []  # errors that a test provokes
    page.click = once_loaded(page, page.click)
    page.keyboard.press = once_loaded(page, page.keyboard.press)
    yield page
    context.close()
    expected = [*page.expected, *(f"Failed to load resource: net::{reason}" for reason in STOPPED)]
    assert [text for text in wrong if "status of 40" not in text and text not in expected] == []


def once_loaded(page, act: Callable[..., None]) -> Callable[..., None]:
    """Return an action that waits for the script of the page, which comes after the text that it acts on."""

    def wait_and_act(*arguments: object, **options: object) -> None:
        page.wait_for_load_state()
        act(*arguments, **options)

    return wait_and_act


def held(page, pattern: str) -> list:
    """Return the requests of a pattern, which wait until the test continues or aborts them."""
    waits: list = []
    page.route(pattern, lambda route: waits.append(route) if route.request.method == "POST" else route.continue_())
    return waits


def first_of(page, waits: list):
    """Wait until the browser has sent a request that is held, and return it."""
    for _ in range(750):
        if waits:
            return waits[0]
        page.wait_for_timeout(20)
    raise AssertionError("the browser has sent nothing")


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Return a function that starts `bayesift serve` and returns its address."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(
        *arguments: str, seconds: float = 60.0, verb: tuple[str, ...] = ("serve",), ready: str = "/health"
    ) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "bayesift", *verb, *arguments, "--port", str(port)]
        started.append(subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ))
        for _ in range(int(20 * seconds)):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{ready}", timeout=5)
                return f"http://127.0.0.1:{port}"
            except OSError:
                if started[-1].poll() is not None:
                    break
                time.sleep(0.05)
        raise AssertionError((started[-1].stderr or sys.stdin.buffer).read().decode())

    yield begin
    for process in started:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with documents and two topics, to copy."""
    path = tmp_path_factory.mktemp("prepared") / "news.db"
    with Workspace.create(path, per_day=200, balance=0.95) as news:
        list(news.process(documents(40)))
        news.add_topic("grain", about="wheat and corn harvests")
        news.add_topic("ships", about="tankers, ships and ports")
        list(news.process([d | {"id": f"m{i}"} for i, d in enumerate(documents(200))]))
    return path


@pytest.fixture
def address(prepared: Path, tmp_path: Path) -> Iterator[str]:
    """Return the address of a service over a workspace of its own, tmp_path / news.db."""
    path = tmp_path / "news.db"
    shutil.copy(prepared, path)
    with running(path) as found:
        yield found


@contextlib.contextmanager
def running(path: Path) -> Iterator[str]:
    """Run the service in a thread."""
    server = Server(create_app(path))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        time.sleep(0.01)
    if ready := getattr(server.app.state.desk, "ready", None):  # the ranker of a review
        ready.wait()
    try:
        yield server.address.rstrip("/")
    finally:
        server.should_exit = True
        thread.join()
