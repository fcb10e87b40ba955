"""The few figures that the README shows, taken from the results of a run and put between two marks in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bayesift.errors import BadInput
from bayesift.experiments.result import Result, cells
from bayesift.files import write_whole

BEGIN, END = "<!-- results -->", "<!-- /results -->"
SHOWN = [  # experiment, system, setting
    ("chai2002-table2", "SVM_a-1", "MaxF1"),
    ("chai2002-table2", "Perceptron", "MaxF1"),
    ("chai2002-table2", "GP-2", "ExpectedF1"),
    ("chai2002-table2", "GP-R1", "ExpectedF1"),
]


def table(results: Sequence[Result]) -> str:
    """A Markdown table, one row for each figure of the chosen systems."""
    lines = ["| experiment | system | setting | metric | paper | ours |", "| :-- | :-- | :-- | :-- | --: | --: |"]
    by_name = {result.name: result for result in results}
    for experiment, system, setting in SHOWN:
        if experiment in by_name:
            rows = [row for row in by_name[experiment].rows if (row.system, row.setting) == (system, setting)]
            lines += ["| " + " | ".join([experiment, *cells(row)]) + " |" for row in rows]
    return "\n".join(lines)


def write(path: Path, results: Sequence[Result]) -> None:
    """Put the table between the marks of a file."""
    text = path.read_text("utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise BadInput(f"no single {BEGIN} ... {END}", path=path, remedy="put the two marks where the table belongs")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    with write_whole(path) as out:
        out.write(f"{before}{BEGIN}\n{table(results)}\n{END}{after}".encode())
