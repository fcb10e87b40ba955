"""Write `RESULTS.md`, the figures and the README's table from the stored results."""

from __future__ import annotations

from pathlib import Path

from bayesift.errors import BadInput
from bayesift.experiments import EXPERIMENTS
from bayesift.experiments.figures import FIGURES
from bayesift.experiments.headline import EXPERIMENT, READING, headline
from bayesift.experiments.layout import ABOVE, BELOW, BEYOND, UNEQUAL
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.result import Result, read_result
from bayesift.files import write_whole

BEGIN, END = "<!-- results -->", "<!-- /results -->"
PAPERS = {
    "chai2002": "Chai, Ng and Chieu 2002: Bayesian online classifiers",
    "cold": "Filtering from a cold start",
    "screening": "Screening",
    "meaning": "Meaning",
    "eyheramendy2003": "Eyheramendy, Genkin, Ju, Lewis and Madigan 2003: sparse Bayesian classifiers",
    "goutte2007": "Goutte 2007: a categoriser with confidence",
    "zhang2010": "Zhang, Graepel and Herbrich 2010: BOMC",
    "learners": "Learners by name",
    "best": "The learner best",
    "label-names": "Names of labels",
    "hierarchy": "Labels that imply others",
    "online": "Learning online",
    "few-labels": "Few labelled documents",
    "integrations": "Inside other tools",
    "wide-labels": "Very many labels",
}
INTRODUCTION = f"""\
# Results

`make reproduce` computes all results and writes this page. `bayesift reproduce NAME` computes one of them. The figures
are stored in `docs/results`, one JSON file per experiment.

{READING}

{{headline}}

## How to read the tables

A cell reads paper / ours. Where the paper has no figure, the cell has ours alone or a dash for the paper's.
{BELOW} marks a figure that is below the paper by more than the slack, {ABOVE} one that is above it by more than the
slack, {UNEQUAL} a sign that is not the paper's. {BEYOND} marks a row that the paper does not have.
"""


def render(docs: Path, readme: Path | None = None) -> None:
    """Write `docs/RESULTS.md` and `docs/results/*.svg`, and the table of a README, from `docs/results/*.json`."""
    folder = docs / "results"
    stored = {name: read_result(path) for name in EXPERIMENTS if (path := folder / f"{name}.json").exists()}
    for name, draw in FIGURES.items():
        if name in stored:
            _write(folder / f"{name}.svg", draw(stored[name]))
    head = headline(stored[EXPERIMENT], stored["best"]) if {EXPERIMENT, "best"} <= stored.keys() else ""
    parts = [INTRODUCTION.format(headline=head).rstrip()]
    for paper, title in PAPERS.items():
        sections = [section(stored[name]) for name in EXPERIMENTS if name in stored and name.startswith(paper)]
        parts += [f"## {title}", *sections] if sections else []
    _write(docs / "RESULTS.md", "\n\n".join(parts) + "\n")
    if readme is not None and head:
        write_readme(readme, head)


def section(result: Result) -> str:
    """Return one experiment as Markdown: what it is, its figure, its tables and its notes.

    >>> print(section(Result("chai2002-table7", "reuters", 16.2)))
    ### chai2002-table7
    <BLANKLINE>
    One to five passes over the training documents, Reuters. Corpus: reuters. Computed in 16 s.
    """
    what = EXPERIMENTS[result.name].summary
    took = f" Computed in {result.seconds:.0f} s." if result.seconds >= 1 else ""
    parts = [f"### {result.name}\n\n{what[0].upper()}{what[1:]}. Corpus: {result.corpus}.{took}"]
    if result.name in FIGURES:
        parts.append(f"![{what}](results/{result.name}.svg)")
    for layout in LAYOUTS[result.name]:
        table = layout.table(result)
        if table.rows:
            reading = layout.reading(result)
            parts += [f"{layout.caption}. {reading}".rstrip(), table.markdown()]
    return "\n\n".join([*parts, *notes(result)])


def notes(result: Result) -> list[str]:
    """Return the notes of a result, with the day on which the rows of slow systems were computed."""
    days = sorted(set(result.optional.values()))
    kept = [
        f"Computed on {day} with `--kernel-svm`: {', '.join(s for s, d in result.optional.items() if d == day)}."
        for day in days
    ]
    return [*result.notes, *kept]


def write_readme(path: Path, table: str) -> None:
    """Put the table between the marks of a file."""
    text = path.read_text("utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise BadInput(f"no single {BEGIN} ... {END}", path=path, remedy="put the two marks where the table belongs")
    before, _, rest = text.partition(BEGIN)
    _write(path, f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}")


def _write(path: Path, text: str) -> None:
    with write_whole(path) as out:
        out.write(text.encode())
