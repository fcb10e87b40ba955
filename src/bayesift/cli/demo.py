"""`bayesift demo`: train, evaluate, explain and filter on the docstrings of installed packages.

Reuters-21578 is used too, if it is installed.

The evaluation of each corpus is also written as an HTML page.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli import options as o

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document

CORPORA = ("docstrings", "reuters21578")
SHOWN = ("scipy.stats", "scipy.signal", "sklearn.cluster", "grain", "crude", "ship")  # labels in the table of terms
WORDS = 8


def demo(
    output: Annotated[Path, typer.Option("--output", metavar="DIR", help="Output directory.")] = Path("out"),
    data: o.Data = None,
) -> None:
    """Run a demonstration on data that is already on this machine, in under two minutes."""
    from bayesift.cli.demo_filter import filter_stream
    from bayesift.cli.outputs import DOCUMENTS, MODEL, PAGE, check_outputs
    from bayesift.corpora import load_corpus
    from bayesift.errors import BadInput, NotFound
    from bayesift.terminal import console as terminal_console

    if str(output) == "-":
        raise BadInput("demo writes several files", path=output, remedy="name a folder with --output")
    if output.is_dir():
        kinds = {".model": MODEL, ".html": PAGE}
        written = [(output / f"{name}{end}", kind) for name in CORPORA for end, kind in kinds.items()]
        check_outputs(*written, (output / "stream.jsonl", DOCUMENTS))
    words, console = terminal_console(stderr=True), terminal_console()
    sides = {}
    words.print("Reading the docstrings of numpy, scipy and scikit-learn ...")
    sides[CORPORA[0]] = load_corpus(CORPORA[0]).split()
    try:
        sides[CORPORA[1]] = load_corpus(CORPORA[1], split="modapte", data=data).split()
    except NotFound:
        words.print("Reuters-21578 is not installed and is left out; to install it: bayesift corpus get reuters21578")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be created: {error.strerror}", path=output, remedy="choose another --output") from error
    pages = []
    for name, (train, test) in sides.items():
        console.rule(name)
        model = _train(name, train, output, words)
        _measure(name, model, test, console)
        _explain(model, test, console)
        pages.append(_write_page(name, model, train, test, output))
    console.rule(f"filtering a stream of {CORPORA[0]}")
    filter_stream([d for side in sides[CORPORA[0]] for d in side], output, console)
    for page in pages:
        words.print(f"report: {page}")
    words.print("To judge documents of a stream in the browser: make serve (or bayesift serve --demo)")


def _train(name: str, documents: list[Document], output: Path, words: Any) -> TextClassifier:
    from bayesift.classify import TextClassifier, load

    start = time.perf_counter()
    model = TextClassifier().fit(documents)
    seconds = time.perf_counter() - start
    file = output / f"{name}.model"
    model.save(file)
    words.print(
        f"{len(documents):,} documents, {len(model.classes_)} labels, trained in {seconds:.1f} s including compilation;"
        f" {file}: {file.stat().st_size / 1e6:.1f} MB."
    )
    return load(file)


def _measure(name: str, model: TextClassifier, test: list[Document], console: Any) -> None:
    from bayesift.cli.messages import say
    from bayesift.display import Table

    summary = model.evaluate(test, together=True, name=name).summary
    figures = ", ".join(f"{key} {summary[key]:.3f}" for key in ("micro F1", "macro F1", "calibration error"))
    say(f"{len(test):,} test documents: {figures}.")
    rows = []
    for label in SHOWN:
        if label in model.classes_:
            found = model.label_terms(label, WORDS)
            terms = ", ".join(f"{t.name} {t.mean:.1f}±{t.sd:.1f}" for t in found.positive)
            rows.append((label, terms, found.documents))
    header = ("label", "terms: weight ± standard deviation", "documents")
    console.print(Table("Most informative terms of some labels", header, rows, words=2).rich())


def _explain(model: TextClassifier, test: list[Document], console: Any) -> None:
    from bayesift.report import terminal

    document = next((d for d in test if len(d.labels or ()) > 1 and len(d.body) < 900), test[0])
    console.print(f"Why {document.id} ({', '.join(document.labels or ())}) gets its labels:")
    console.print(terminal(model.explain([document], max_terms=WORDS)[:2], WORDS))


def _write_page(name: str, model: TextClassifier, train: list[Document], test: list[Document], output: Path) -> Path:
    from bayesift.classify.evaluation import measure
    from bayesift.report import evaluation_page, learning_curve

    page = output / f"{name}.html"
    curve = learning_curve(model, train, test)
    title = f"{name}: evaluation of the default model"
    evaluation_page(model, measure(model, test), title=title, curve=curve).write(page)
    return page
