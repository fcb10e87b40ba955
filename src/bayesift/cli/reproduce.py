"""`bayesift reproduce`: compute published tables and figures and show the paper's figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Experiments; none: list them.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run all experiments.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file (one experiment).")] = None,
    docs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Store the figures in DIR/results and write DIR/RESULTS.md from them."),
    ] = None,
    readme: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --docs: write the table between the marks of FILE.")
    ] = None,
    render: Annotated[
        bool, typer.Option("--render", help="With --docs: run nothing, write tables and figures from stored figures.")
    ] = False,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Directory with the corpora.")] = None,
    categories: Annotated[int | None, typer.Option(min=1, help="Only the N most frequent categories.")] = None,
    kernel_svm: Annotated[
        bool, typer.Option("--kernel-svm", help="Also run chai2002's SVMs with nonlinear kernels (minutes).")
    ] = False,
    part: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this part: a stream of cold-start, a corpus of best.")
    ] = None,
) -> None:
    """Compute published tables and figures and show the paper's figures beside ours."""
    from bayesift.cli.outputs import FIGURES, RESULTS, check_outputs, table_console
    from bayesift.experiments import EXPERIMENTS, Options, check_name, run
    from bayesift.experiments.layouts import LAYOUTS
    from bayesift.experiments.render import notes
    from bayesift.experiments.render import render as write_docs
    from bayesift.experiments.result import store

    console = table_console(json)
    chosen = list(EXPERIMENTS) if everything else list(names or [])
    _check(chosen, json, docs, readme, render, categories)
    if part is not None:
        _check_part(chosen, part)
    for name in chosen:
        check_name(name)
    check_outputs((json, FIGURES), (docs and docs / "RESULTS.md", RESULTS))
    if render and docs is not None:
        write_docs(docs, readme)
        return
    if not chosen:
        console.print(_listed(), highlight=False)
        return
    for name in chosen:
        result = run(name, Options(data, categories, kernel_svm, part))
        for layout in LAYOUTS[name]:
            table = layout.table(result)
            if table.rows:
                console.print(table.rich())
        for note in notes(result):
            console.print(note, markup=False)
        if json is not None:
            result.write_json(json)
        if docs is not None:  # after each experiment, so that a later failure loses nothing
            store(docs / "results", result)
            write_docs(docs, readme)


def _check(
    chosen: list[str], json: Path | None, docs: Path | None, readme: Path | None, render: bool, categories: int | None
) -> None:
    from bayesift.errors import BadInput

    if json is not None and len(chosen) != 1:
        raise BadInput("--json takes one experiment", remedy="name one experiment, or use --docs for several")
    if docs is None and (render or readme is not None):
        option = "--render" if render else "--readme"
        raise BadInput(f"{option} needs --docs", remedy="name the folder of RESULTS.md, for example --docs docs")
    if docs is not None and not docs.is_dir():
        raise BadInput("is not a folder", path=docs, remedy="create it or choose another name")
    if docs is not None and categories is not None:
        raise BadInput("--docs stores whole tables", remedy="leave out --categories, or use --json")
    if render and chosen:
        raise BadInput("--render runs no experiment", remedy="leave out --render or the names")


def _check_part(chosen: list[str], part: str) -> None:
    from bayesift.errors import BadInput
    from bayesift.experiments import parts_of

    if len(chosen) != 1 or not (known := parts_of(chosen[0])):
        raise BadInput("--part takes one experiment that has parts", remedy="leave it out, or run cold-start or best")
    if part not in known:
        raise BadInput(f"unknown part {part!r}", remedy=f"parts of {chosen[0]} are: {', '.join(known)}")


def _listed() -> str:
    """Return the names of the experiments, by paper, with what each computes."""
    from bayesift.experiments import EXPERIMENTS
    from bayesift.experiments.render import PAPERS

    width = max(map(len, EXPERIMENTS))
    parts = []
    for paper, title in PAPERS.items():
        named = {name: found.summary for name, found in EXPERIMENTS.items() if name.startswith(paper)}
        parts.append("\n".join([title, *(f"  {name.ljust(width)}  {summary}" for name, summary in named.items())]))
    return "\n\n".join(parts)
