"""`bayesift reproduce`: compute a published table anew and print paper beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Experiments; none: list them.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run all of them.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the figures here (one experiment).")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Put each table into this file, in its place.")] = None,
    readme: Annotated[Path | None, typer.Option(help="Put the main figures between the marks in this file.")] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Where corpora are.")] = None,
    categories: Annotated[int | None, typer.Option(min=1, help="Only the N most frequent categories.")] = None,
    kernel_svm: Annotated[bool, typer.Option("--kernel-svm", help="The slow kernel machines too.")] = False,
) -> None:
    """Compute published tables anew and print paper beside ours."""
    from bayesift.cli.outputs import FIGURES, RESULTS, check_outputs, table_console
    from bayesift.errors import BadInput
    from bayesift.experiments import EXPERIMENTS, Options, headlines, run
    from bayesift.experiments.result import put_section

    console = table_console(json)
    chosen = list(EXPERIMENTS) if everything else list(names or [])
    if not chosen:
        for name, (_, _, what) in EXPERIMENTS.items():
            console.print(f"{name}\t{what}")
        return
    if json is not None and len(chosen) > 1:
        raise BadInput("--json takes one experiment", remedy="use --markdown for several")
    check_outputs((json, FIGURES), (markdown, RESULTS))
    results = []
    for name in chosen:
        result = run(name, Options(data, categories, kernel_svm))
        console.print(result)
        for note in result.notes:
            console.print(note)
        if json is not None:
            result.write_json(json)
        results.append(result)
        if markdown is not None:  # at once, so that a later experiment's failure loses nothing
            put_section(markdown, result, list(EXPERIMENTS))
    if readme is not None:
        headlines.write(readme, results)
