"""Make the pictures in docs/images: pages of evaluation, explanation and a filter, terminals, an inbox, a screening.

Run it with: python docs/screenshots.py          (needs Chromium; the pages are those of the docstrings corpus)
The pictures of other people's tools are made by docs/integration_pictures.py.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

import bayesift
from bayesift import load_corpus
from bayesift.corpora import write_jsonl

SOURCE = Path(bayesift.__file__).parents[1]
IMAGES = Path(__file__).parent / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
TEXT = "Fit a normal distribution to samples"
STREAM = 2500  # documents that the filter sees
LARGEST = 150_000  # bytes of a picture
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 16px 20px; background: #fff }}
pre {{ margin: 0; font: 14px/1.35 "DejaVu Sans Mono", Menlo, Consolas, monospace }}
</style><pre>{code}</pre>"""
LABEL = "scipy.stats"
JUDGED = 8  # documents before the picture of the inbox
SHORTEST = 200  # characters of an abstract
READ = 25  # records before the picture of the screening
QUESTION = "Which functions describe probability distributions or test hypotheses?"
CRITERIA = (
    "# Include\n- distributions and their parameters\n- tests of hypotheses\n\n# Exclude\n- plots\n- clustering\n"
)
COMMANDS = (
    ("train", "docstrings", "mine.model"),
    ("evaluate", "mine.model", "docstrings", "--report", "report.html", "--training", "docstrings"),
    ("explain", "mine.model", "--text", TEXT, "--label", LABEL, "--html", "explanation.html"),
    ("simulate", "stream.jsonl", "--topics", "scipy.stats,scipy.signal,sklearn.cluster", "--strategy", "none",
     "--strategy", "rel+ig", "--report", "filter.html"),
)  # fmt: skip
PICTURES = {"report": 840, "explanation": 620, "filter": 1280, "terminal": 320}  # height of each


def main() -> None:
    """Run the commands in a temporary folder and take a picture of each page."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"no browser found; install one of: {', '.join(BROWSERS)}")
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_stream(folder / "stream.jsonl")
        for command in COMMANDS:
            run(command, folder)
        (folder / "terminal.html").write_text(terminal(folder), "utf-8")
        for page, height in PICTURES.items():
            picture = IMAGES / f"{page}.png"
            photograph(browser, (folder / f"{page}.html").as_uri(), picture, height)
            finish(picture)
        photograph_screening(browser, IMAGES / "screening.png", folder)
    finish(IMAGES / "screening.png")
    photograph_inbox(browser, IMAGES / "inbox.png")
    finish(IMAGES / "inbox.png")


def finish(picture: Path) -> None:
    """Make a picture small, and tell its size."""
    shrink(picture)
    print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")


def photograph_inbox(browser: str, picture: Path) -> None:
    """Start the demonstration of the service, judge documents of its first topic, and take a picture of the inbox."""
    with serving("serve", "--demo") as address:
        for _ in range(JUDGED):
            document = first_of(f"{address}/api/topics/1/inbox?limit=1")["document"]
            answer = {"document": document, "relevant": document.startswith(LABEL)}
            post(f"{address}/api/topics/1/judgements", answer)
        first_of(f"{address}/api/topics/1/inbox?limit=1")
        photograph(browser, f"{address}/topics/1/inbox", picture, 760, 1200)


def photograph_screening(browser: str, picture: Path, folder: Path) -> None:
    """Screen docstrings as if they were records of a literature, and take a picture of the page for the next one."""
    relevant = write_literature(folder / "records.csv")
    (folder / "criteria.md").write_text(CRITERIA, "utf-8")
    about = ("--question", QUESTION, "--criteria", "criteria.md")
    run(("screen", "new", "docs.db", "records.csv", *about), folder)
    with serving("screen", "serve", str(folder / "docs.db")) as address:
        for _ in range(READ):
            record = first_of(f"{address}/api/next")
            decision = "include" if record["title"] in relevant else "exclude"
            post(f"{address}/api/decisions", {"record": record["id"], "decision": decision})
        photograph(browser, f"{address}/screen/abstract", picture, 760, 1200)


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run a service and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "bayesift", *arguments, "--port", str(port)]
    service = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(SOURCE)}, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        service.terminate()
        service.wait()


def post(address: str, body: dict[str, object]) -> None:
    """Send JSON."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    urllib.request.urlopen(request)


def first_of(address: str) -> dict[str, str]:
    """Return the first item of a list, as soon as there is one."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address) as answer:
                found = json.load(answer)
            if found["items"]:
                return dict(found["items"][0])
        except OSError:  # it has not started yet
            pass
        time.sleep(0.2)
    sys.exit(f"nothing at {address}")


def write_literature(file: Path) -> set[str]:
    """Write docstrings as records, with the text before the first heading as abstract; return the relevant titles."""
    documents = list(load_corpus("docstrings").documents())
    random.Random(0).shuffle(documents)
    relevant: set[str] = set()
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["title", "abstract", "year"])
        for document in documents:
            summary, _, rest = document.body.partition("\n")
            title = f"{document.title}: {summary.strip()}"
            abstract = " ".join(rest.partition("\n---")[0].rpartition("\n")[0].split())
            if len(abstract) > SHORTEST:
                rows.writerow([title, abstract, 2026])
                relevant |= {title} if LABEL in document.labels else set()
    return relevant


def write_stream(file: Path) -> None:
    """Write documents in a random order: the docstrings come package by package."""
    documents = list(load_corpus("docstrings").documents())
    random.Random(0).shuffle(documents)
    with file.open("wb") as out:
        write_jsonl(documents[:STREAM], out)


def run(arguments: tuple[str, ...], folder: Path, **environment: str) -> str:
    """Run `bayesift` with these arguments and return what it prints."""
    command = [sys.executable, "-m", "bayesift", *arguments]
    environment = os.environ | {"PYTHONPATH": str(SOURCE)} | environment
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bayesift {' '.join(arguments)} failed: {done.stderr}")
    return done.stdout


def terminal(folder: Path) -> str:
    """Return a page that shows a command and its output as a terminal does, with colours."""
    arguments = ("explain", "mine.model", "--label", LABEL, "--text", TEXT)
    output = run(arguments, folder, FORCE_COLOR="1", COLUMNS="100", TERM="xterm-256color")
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(Text(f'$ bayesift explain mine.model --label {LABEL} --text "{TEXT}"\n', style="bold"))
    console.print(Text.from_ansi(output))
    return TERMINAL.format(code=console.export_html(inline_styles=True, code_format="{code}"))


def photograph(browser: str, address: str, picture: Path, height: int, width: int = 1000) -> None:
    """Take a picture of the top of a page, in light colours."""
    with TemporaryDirectory() as profile:
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}")
        view = ("--blink-settings=preferredColorScheme=1", f"--window-size={width},{height}", f"--screenshot={picture}")
        subprocess.run([browser, *options, *view, address], check=True, capture_output=True)


def shrink(picture: Path) -> None:
    """Reduce a picture to 128 colours if Pillow is installed; stop if it is still too large to commit."""
    try:
        from PIL import Image
    except ImportError:
        pass
    else:
        with Image.open(picture) as image:
            small = image.convert("RGB").quantize(128, dither=Image.Dither.NONE)
        small.save(picture, optimize=True)
    if picture.stat().st_size > LARGEST:
        sys.exit(f"{picture} has {picture.stat().st_size:,} bytes, more than {LARGEST:,}; install Pillow")


if __name__ == "__main__":
    main()
