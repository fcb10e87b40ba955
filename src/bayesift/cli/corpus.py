"""`bayesift corpus`: list, check, download and export corpora."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import Reading, is_corpus, reads
from bayesift.errors import BadInput, BayesiftError

if TYPE_CHECKING:
    from bayesift.corpora.spec import Content, Description

app = typer.Typer(help="List, check, download and export corpora.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Corpus name; see `bayesift corpus list`.")]


@app.command("list")
def list_corpora(
    data: o.Data = None,
    verify: Annotated[bool, typer.Option("--verify", help="Read each corpus and check its counts.")] = False,
) -> None:
    """List the corpora, with their state, counts and terms of use."""
    from bayesift.corpora.catalogue import CATALOGUE
    from bayesift.corpora.data_dir import data_folder
    from bayesift.display import Table
    from bayesift.terminal import console

    header = ("corpus", "installed", "documents", "labels", "splits", "terms of use", "title")
    rows: list[tuple[str, ...]] = []
    for name, description in CATALOGUE.items():
        labels = description.expected.get("labels", description.expected.get("topics"))
        splits = ", ".join(description.splits) or "-"
        counts = tuple(_number(n, description.at_least) for n in (description.expected["documents"], labels))
        state = _state(description, data_folder(data) / name, verify)
        rows.append((name, state, *counts, splits, description.terms, description.title))
    print(f"corpora under {data_folder(data)}", file=sys.stderr)
    table = Table("", header, rows, words=-1)
    console().print(table.rich()) if sys.stdout.isatty() else print(table.tabs())


@app.command("info")
def info(name: Name, data: o.Data = None) -> None:
    """Read a corpus and check its counts; exit with 1 if one is wrong."""
    from bayesift.corpora import load_corpus
    from bayesift.corpora.corpus import describe
    from bayesift.corpora.data_dir import data_folder

    name = name.partition("/")[0]
    description = describe(name)
    for what, text in (("title", description.title), ("home", description.home), ("terms of use", description.terms)):
        print(f"{what}: {text}")
    folder = data_folder(data) / name
    if description.layouts:
        print(f"folder: {folder}")
        if not folder.is_dir():
            load_corpus(name, data=data)  # raises NotFound, with what to do
    try:
        counts = load_corpus(name, data=data).check()
    except BayesiftError as error:
        print(f"bayesift: {name} is not as described: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    for count in counts:
        least = "at least " if count.at_least else ""
        verdict = "" if count.right else "  WRONG"
        expected = "" if count.expected is None else f" (expected {least}{count.expected})"
        print(f"{count.what}: {'none' if count.found is None else count.found}{expected}{verdict}")
    wrong = [count.what for count in counts if not count.right]
    if wrong:
        print(f"bayesift: {name} is not as described: {', '.join(wrong)}", file=sys.stderr)
        raise typer.Exit(1)


@app.command("get")
def get(
    name: Name,
    data: o.Data = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", help="Download from this file, or this folder if it ends in /. (default: the public address)"
        ),
    ] = None,
) -> None:
    """Download, check and install a corpus; an interrupted download is resumed the next time."""
    from bayesift.corpora.corpus import describe
    from bayesift.corpora.install import get_corpus, working_folder

    print(f"terms of use of {name}: {describe(name).terms}", file=sys.stderr)
    try:
        folder = get_corpus(name, data=data, url=url)
    except KeyboardInterrupt:
        kept = f"the partial download is kept in {working_folder(name, data)}; run the same command to resume it"
        print(f"bayesift: interrupted; {kept}", file=sys.stderr)
        raise typer.Exit(130) from None
    print(f"{name} is already installed" if folder is None else f"{name} is installed in {folder}", file=sys.stderr)


@app.command("export")
@reads("split")
def export(
    source: Annotated[str, typer.Argument(metavar="NAME", help="A corpus, NAME/PART, or a file (- for stdin).")],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="JSON lines file to write; also .gz or .zst. (default: stdout)"),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="Split of a corpus to export, with its sides. (default: all documents)"),
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Write a corpus or a file of documents as JSON lines."""
    from bayesift.cli.outputs import DOCUMENTS, check_outputs
    from bayesift.corpora import Document, Vectors, load_corpus, write_jsonl
    from bayesift.corpora.jsonl import write_vectors_jsonl
    from bayesift.corpora.layout import suffix_of
    from bayesift.files import STDOUT, write_compressed

    if file is not None and suffix_of(file) in (".csv", ".tsv", ".tab"):
        raise BadInput("export writes JSON lines only", path=file, remedy="choose a name that ends in .jsonl")
    to = file or Path(STDOUT)
    check_outputs((to, DOCUMENTS), inputs=(source,))
    reading.split = split
    reading.check(source, labels=True)
    content: Content
    if is_corpus(source):
        content = load_corpus(source, split=split, data=reading.data).content()
    else:
        content = (d for _, d in reading.records(source, labels=True))
    with write_compressed(to) as out:
        if isinstance(content, Vectors):
            number = write_vectors_jsonl(content, out)
        elif split is None and is_corpus(source):  # all documents: the split is left out
            number = write_jsonl((Document(d.id, d.title, d.body, d.labels, d.date) for d in content), out)
        else:
            number = write_jsonl(content, out)
    print(f"{number} documents", file=sys.stderr)
    reading.note_skipped()


def _state(description: Description, folder: Path, verify: bool) -> str:
    if description.layouts and not folder.is_dir():
        return "no"
    if missing := description.missing(folder):
        return f"missing {missing[0]}" + (" .." if len(missing) > 1 else "")
    if not verify:
        return "yes"
    from bayesift.corpora import load_corpus

    try:
        wrong = [count.what for count in load_corpus(description.name, data=folder.parent).check() if not count.right]
    except BayesiftError:
        return "damaged"
    return f"wrong: {wrong[0]}" if wrong else "verified"


def _number(number: int | None, at_least: bool) -> str:
    return "-" if number is None else f"{number}+" if at_least else str(number)
