"""Make the pictures of docs/guides/integrations: terminals with real output, pages in a browser, a chart of results.

Run it with: python docs/integration_pictures.py [NAME ...]

It needs Chromium. `asreview` needs ASReview, and `label-studio` a Label Studio: set LABEL_STUDIO to its command, which
may be in another environment. Those two are left out if they are missing.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text
from screenshots import BROWSERS, IMAGES, SOURCE, TERMINAL, finish, photograph, serving, write_literature

from bayesift.filtering.store import Workspace
from bayesift.report.charts import bars

DOCS = Path(__file__).parent
WIDE = 104  # characters of a terminal
PRESET = '{"querier": "max", "classifier": "bayesift_pool", "feature_extractor": "bayesift"}\n'
RECORDS = 400  # of the simulated review
TRY = "body { font: 16px/1.5 sans-serif; margin: 24px } td, th { padding: 2px 16px 2px 0; text-align: left }"
PLAIN = "<!doctype html><meta charset=utf-8><style>body {{ font: 15px sans-serif; margin: 16px }}</style>{body}"
NEWS = [
    ("1", "The wheat and corn harvest was good", "grain"), ("2", "Crude oil fell after the meeting", "crude"),
    ("3", "Farmers sow wheat after the drought", "grain"), ("4", "A tanker with crude oil left the port", "crude"),
    ("5", "Corn prices rose on exports", "grain"), ("6", "Refineries buy less oil", "crude"),
]  # fmt: skip
FRAME = """\
import pandas
from bayesift import load
from bayesift.integrations import predict_frame
texts = pandas.Series(["corn and wheat", "oil refineries"], index=["a", "b"], dtype="string[pyarrow]")
print(predict_frame(load("news.model"), texts, probabilities=True).round(3).to_string())
"""
GRAPH = """\
import onnxruntime
from bayesift import load
session = onnxruntime.InferenceSession("news.onnx")
vectors = load("news.model").vectorize(["corn prices", "oil"]).toarray()
probabilities, labels = session.run(None, {"vectors": vectors})
print(probabilities.round(3), labels, sep="\\n")
"""
SEARCH = """\
from sklearn.experimental import enable_halving_search_cv
from sklearn.model_selection import HalvingGridSearchCV, KFold
from sklearn.pipeline import Pipeline
from bayesift import LabelClassifier, TextVectorizer
steps = Pipeline([("words", TextVectorizer()), ("labels", LabelClassifier())])
grid = {"words__ngrams": [1, 2], "words__min_df": [1, 2]}
search = HalvingGridSearchCV(steps, grid, cv=KFold(2), min_resources=20)
print(search._repr_html_())
"""


def main(names: Sequence[str]) -> None:
    """Make the pictures with these names, or all."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    unknown = set(names) - set(PICTURES)
    if browser is None or unknown:
        sys.exit("no browser found" if browser is None else f"no picture {unknown.pop()!r}; there are: {list(PICTURES)}")
    for name in names or PICTURES:
        with TemporaryDirectory() as folder, contextlib.chdir(folder):
            found = PICTURES[name](Path(folder))
            if found is None:
                print(f"{name}: left out, its tool is missing")
                continue
            page, height = found
            photograph(browser, page.as_uri(), IMAGES / f"{name}.png", height)
            finish(IMAGES / f"{name}.png")


class Session:
    """A terminal: commands, and what they print."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.console = Console(record=True, width=WIDE, file=io.StringIO())
        place = folder / "bin"
        place.mkdir()
        for name, start in (("bayesift", f'"{sys.executable}" -m bayesift'), ("python", f'"{sys.executable}"')):
            (place / name).write_text(f'#!/bin/sh\nexec {start} "$@"\n')
            (place / name).chmod(0o755)
        path = os.pathsep.join([str(place), os.environ["PATH"]])
        self.environment = os.environ | {"PYTHONPATH": str(SOURCE), "PATH": path, "COLUMNS": str(WIDE)}

    def run(self, command: str, shown: str | None = None) -> None:
        """Run a command of a shell, and show it with its output."""
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{command} failed: {done.stdout}")
        self.console.print(Text(f"$ {shown or command}", style="bold"))
        if not done.stdout.strip():
            return
        lines = [part for line in done.stdout.splitlines() for part in textwrap.wrap(line, WIDE, drop_whitespace=False)]
        self.console.print(Text("\n".join(lines)))

    def file(self, name: str, content: str) -> None:
        """Write a file, and show it."""
        (self.folder / name).write_text(content, "utf-8")
        self.run(f"cat {name}")

    def page(self) -> Path:
        """Return the page of the terminal."""
        code = self.console.export_html(inline_styles=True, code_format="{code}")
        found = self.folder / "terminal.html"
        found.write_text(TERMINAL.format(code=code), "utf-8")
        return found


def news(folder: Path) -> Session:
    """Return a terminal in a folder with a model."""
    lines = [json.dumps({"id": id, "text": text, "labels": [label]}) for id, text, label in NEWS * 4]
    (folder / "news.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    session = Session(folder)
    command = ["bayesift", "train", "news.jsonl", "news.model"]
    subprocess.run(command, cwd=folder, env=session.environment, check=True, capture_output=True)
    return session


def annotation(folder: Path) -> tuple[Path, int]:
    """Convert documents for Argilla, with the model's suggestions, and on to doccano."""
    session = news(folder)
    (folder / "new.jsonl").write_text('{"id": "7", "text": "corn and wheat"}\n', "utf-8")
    session.run("cat new.jsonl")
    session.run("bayesift convert new.jsonl tasks.jsonl --to argilla --model news.model")
    session.run("cat tasks.jsonl")
    session.run("bayesift convert news.jsonl doccano.jsonl --to doccano")
    session.run("head -2 doccano.jsonl")
    return session.page(), 230


def frames(folder: Path) -> tuple[Path, int]:
    """Predict a Series of pandas."""
    session = news(folder)
    session.file("frames.py", FRAME)
    session.run("python frames.py")
    return session.page(), 225


def onnx(folder: Path) -> tuple[Path, int]:
    """Export a model and run the graph."""
    session = news(folder)
    session.run("bayesift export news.model news.onnx")
    session.file("graph.py", GRAPH)
    session.run("python graph.py")
    return session.page(), 280


def scikit_learn(folder: Path) -> tuple[Path, int]:
    """Show a search over a pipeline as a notebook does."""
    code = [sys.executable, "-c", SEARCH]
    done = subprocess.run(code, env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True)
    page = folder / "search.html"
    code_shown = f"<pre>{escape(SEARCH.partition('print')[0])}</pre>"
    page.write_text(PLAIN.format(body=f'<div style="display: flex; gap: 40px">{code_shown}{done.stdout}</div>'), "utf-8")
    return page, 210


def river(folder: Path) -> tuple[Path, int]:
    """Draw accuracy and log loss beside river's learners, as they are stored."""
    rows = json.loads((DOCS / "results" / "integrations-river.json").read_text("utf-8"))["rows"]
    names = list(dict.fromkeys(row["system"] for row in rows))

    def chart(metric: str, label: str) -> str:
        values = {row["system"]: row["ours"] for row in rows if row["metric"] == metric}
        return bars(names, {metric: [values[name] for name in names]}, x_label=label, width=480, standalone=True)

    page = folder / "river.html"
    page.write_text(PLAIN.format(body=chart("accuracy", "accuracy, %") + chart("log loss", "log loss, nats")), "utf-8")
    return page, 270


def mcp(folder: Path) -> tuple[Path, int]:
    """Ask the server as an assistant does, through the protocol's own client."""
    with Workspace.create(folder / "news.db", per_day=50) as made:
        made.add_topic("grain", about="wheat and corn harvests")
        list(made.process([{"id": id, "text": text} for id, text, _ in NEWS]))
    session = Session(folder)
    (folder / "ask.py").write_text(ASK, "utf-8")
    session.run("python ask.py 2> messages.txt", "bayesift mcp news.db          # started by the assistant, which calls the tools")
    return session.page(), 230


ASK = """\
import asyncio, json, os, sys
import mcp
from mcp import StdioServerParameters
CALLS = [("topics", {}), ("classify", {"text": "corn and wheat prices"}), ("inbox", {"topic": "grain", "limit": 1})]
def short(value):
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {name: short(part) for name, part in value.items()}
    return [short(part) for part in value][:6] if isinstance(value, list) else value
async def main():
    server = StdioServerParameters(command=sys.executable, args=["-m", "bayesift", "mcp", "news.db"], env=dict(os.environ))
    async with mcp.Client(mcp.stdio_client(server)) as client:
        for name, arguments in CALLS:
            answer = await client.call_tool(name, arguments)
            print(f"-> {name}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})")
            print(json.dumps(short(answer.structured_content)))
asyncio.run(main())
"""


def asreview(folder: Path) -> tuple[Path, int] | None:
    """Simulate a review in ASReview with our preset, over docstrings."""
    relevant = write_literature(folder / "records.csv")
    with (folder / "records.csv").open(encoding="utf-8", newline="") as rows:
        records = list(csv.DictReader(rows))[:RECORDS]
    with (folder / "labelled.csv").open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["title", "abstract", "label_included"])
        table.writerows((r["title"], r["abstract"], int(r["title"] in relevant)) for r in records)
    (folder / "bayesift.json").write_text(PRESET, "utf-8")
    arguments = "simulate labelled.csv --config-file bayesift.json --n-prior-included 1 --n-prior-excluded 1"
    program = "import warnings; warnings.simplefilter('ignore'); from asreview.__main__ import main; main()"
    command = [sys.executable, "-c", program, *arguments.split(), "--prior-seed", "0"]
    session = Session(folder)
    done = subprocess.run(command, cwd=folder, env=session.environment, capture_output=True, text=True)
    if "No module named 'asreview'" in done.stderr:
        return None
    if done.returncode:
        sys.exit(f"asreview failed: {done.stderr}")
    found = [line.rpartition("\r")[2] for line in done.stderr.splitlines() if "Re" in line.rpartition("\r")[2]]
    session.console.print(Text(f"$ asreview {arguments}\n", style="bold"))
    session.console.print(Text("\n".join([*found[-2:], done.stdout.strip()])))
    return session.page(), 230


def try_(folder: Path) -> tuple[Path, int]:
    """Show the part of the page "Try it" that works."""
    source = (DOCS / "guides" / "integrations" / "try.md").read_text("utf-8")
    part = source.partition("```{raw} html\n")[2].partition("```")[0]
    page = folder / "guides" / "integrations" / "try.html"
    page.parent.mkdir(parents=True)
    shutil.copytree(DOCS / "_static", folder / "_static")
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{TRY}</style>{part}", "utf-8")
    return page, 480


@contextlib.contextmanager
def backend(folder: Path) -> Iterator[str]:
    """Run the service with the routes of Label Studio, and yield its address."""
    Workspace.create(folder / "news.db").close()
    with serving("serve", str(folder / "news.db"), "--label-studio") as address:
        for _ in range(300):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/label-studio/health"):
                break
            time.sleep(0.2)
        yield address


PICTURES: dict[str, Callable[[Path], tuple[Path, int] | None]] = {
    "annotation": annotation, "asreview": asreview, "frames": frames, "mcp": mcp, "onnx": onnx, "river": river,
    "scikit-learn": scikit_learn, "try": try_,
}  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
