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
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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
        sys.exit(
            "no browser found" if browser is None else f"no picture {unknown.pop()!r}; there are: {list(PICTURES)}"
        )
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
    done = subprocess.run(
        code, env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True
    )
    page = folder / "search.html"
    code_shown = f"<pre>{escape(SEARCH.partition('print')[0])}</pre>"
    body = f'<div style="display: flex; gap: 24px; font-size: 13px">{code_shown}{done.stdout}</div>'
    page.write_text(PLAIN.format(body=body), "utf-8")
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
    session.run(
        "python ask.py 2> messages.txt",
        "bayesift mcp news.db          # started by the assistant, which calls the tools",
    )
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
    start = ["-m", "bayesift", "mcp", "news.db"]
    server = StdioServerParameters(command=sys.executable, args=start, env=dict(os.environ))
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


def label_studio(folder: Path) -> tuple[Path, int] | None:
    """Connect a project of a running Label Studio, annotate two tasks, and sort the others by the score."""
    command = os.environ.get("LABEL_STUDIO") or shutil.which("label-studio")
    if command is None:
        return None
    Workspace.create(folder / "news.db").close()
    port, token = free_port(), {"Authorization": "Token 0123456789abcdef"}
    account = ["--username", "ada@example.org", "--password", "correct-horse", "--user-token", "0123456789abcdef"]
    start = [command, "start", "--no-browser", "--port", str(port), *account, "--enable-legacy-api-token"]
    allowed = {"ML_BLOCK_LOCAL_IP": "false", "SSRF_PROTECTION_ENABLED": "false", "COLLECT_ANALYTICS": "false"}
    with serving("serve", str(folder / "news.db"), "--label-studio") as ours, (folder / "log").open("wb") as log:
        own = os.environ | allowed | {"PYTHONPATH": "", "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "data")}
        studio = subprocess.Popen([*start, "--data-dir", str(folder / "data")], stdout=log, stderr=log, env=own)
        try:
            address = f"http://127.0.0.1:{port}"
            api = f"{address}/api"
            until(lambda: call(f"{ours}/label-studio/health"))
            until(lambda: call(f"{api}/projects", **token) is not None)
            project = call(f"{api}/projects", {"title": "News", "label_config": CONFIG}, **token)["id"]
            call(f"{api}/projects/{project}/import", [{"text": text} for _, text, _ in NEWS], **token)
            call(f"{api}/ml", {"url": f"{ours}/label-studio", "project": project, "title": "bayesift"}, **token)
            tasks = call(f"{api}/tasks?project={project}", **token)["tasks"]
            for task, (_, _, label) in list(zip(tasks, NEWS))[:2]:
                result = {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
                call(f"{api}/tasks/{task['id']}/annotations", {"result": [result]}, **token)
            until(lambda: len(call(f"{ours}/api/topics/1/judgements")["judgements"]) == 2)
            every = {"selectedItems": {"all": True, "excluded": []}}
            call(f"{api}/dm/actions?id=retrieve_tasks_predictions&project={project}", every, **token)
            until(lambda: len(call(f"{api}/predictions?project={project}", **token)) >= len(NEWS))
            call(f"{api}/dm/views", {"project": project, "data": VIEW}, **token)
            return _photographed_as(folder, address, project)
        finally:
            studio.terminate()
            studio.wait()


CONFIG = (
    '<View><Text name="text" value="$text"/><Choices name="topic" toName="text" choice="single">'
    '<Choice value="grain"/><Choice value="crude"/></Choices></View>'
)
SHOWN = ["id", "total_annotations", "predictions_score", "predictions_results", "data.text"]
HIDDEN = [
    "inner_id", "completed_at", "cancelled_annotations", "total_predictions", "annotators", "annotations_results",
    "annotations_ids", "file_upload", "storage_filename", "created_at", "updated_at", "updated_by", "avg_lead_time",
    "draft_exists", "predictions_model_versions", "reviewed", "reviewers", "comment_count",
]  # fmt: skip
VIEW = {
    "title": "By score", "ordering": ["-tasks:predictions_score"], "type": "list",
    "hiddenColumns": {"explore": [f"tasks:{name}" for name in HIDDEN], "labeling": []},
    "columnsWidth": {"tasks:data.text": 330, "tasks:predictions_score": 130, "tasks:predictions_results": 220},
}  # fmt: skip


def _photographed_as(folder: Path, address: str, project: int) -> tuple[Path, int]:
    """Log in, and return a page with a picture of the tasks."""
    from playwright.sync_api import sync_playwright

    found = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 460})
        page.goto(f"{address}/user/login", timeout=300_000)
        page.fill("input[name=email]", "ada@example.org")
        page.fill("input[name=password]", "correct-horse")
        page.click("button[type=submit], [aria-label='Log In'], .login_button", timeout=300_000)
        page.goto(f"{address}/projects/{project}/data", timeout=300_000)
        page.get_by_text("By score").first.click(timeout=300_000)
        page.get_by_text(NEWS[2][1]).first.wait_for(timeout=300_000)
        page.wait_for_timeout(3000)
        page.screenshot(path=folder / "tasks.png")
        browser.close()
    (folder / "tasks.html").write_text('<body style="margin: 0"><img src="tasks.png">', "utf-8")
    return folder / "tasks.html", 460


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def call(address: str, body: Any = None, **headers: str) -> Any:
    """Ask for JSON, or send some."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.loads(answer.read() or b"null")


def until(what: Callable[[], Any]) -> None:
    """Wait until something is there."""
    for _ in range(1200):
        with contextlib.suppress(OSError):
            if what():
                return
        time.sleep(0.5)
    sys.exit("nothing happened")


PICTURES: dict[str, Callable[[Path], tuple[Path, int] | None]] = {
    "annotation": annotation, "asreview": asreview, "frames": frames, "label-studio": label_studio, "mcp": mcp,
    "onnx": onnx, "river": river, "scikit-learn": scikit_learn, "try": try_,
}  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
