"""The few figures that the README shows, taken from the results of a run and put between two marks in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bayesift.errors import BadInput
from bayesift.experiments.result import Result, cells
from bayesift.files import write_whole

BEGIN, END = "<!-- results -->", "<!-- /results -->"
METRICS = ("micro_f1", "macro_f1")
SETTINGS = (
    "Reuters 9,603/3,299, words", "Reuters 7,770/3,019, words + bigrams + title", "RCV1 sample, 20,000", "TMC2007",
    "OHSUMED-91",
)  # fmt: skip
SYSTEMS = ("ours", "ours, together", "LIBLINEAR, SCutFBR.1")  # "ours" is what `predict` gives by default
SHOWN = [  # experiment, system, setting
    *(("zhang2010-f1", system, setting) for setting in SETTINGS for system in SYSTEMS),
    ("chai2002-table2", "SVM_a-1", "MaxF1"),
    ("chai2002-table2", "Perceptron", "MaxF1"),
    ("chai2002-table2", "GP-2", "ExpectedF1"),
    ("chai2002-table2", "GP-R1", "ExpectedF1"),
]


def table(results: Sequence[Result], before: str = "") -> str:
    """A Markdown table, one row for each figure of the chosen systems; what was not run stays as it stood BEFORE."""
    lines = ["| experiment | system | setting | metric | paper | ours |", "| :-- | :-- | :-- | :-- | --: | --: |"]
    by_name = {result.name: result for result in results}
    for experiment, system, setting in SHOWN:
        if experiment in by_name:
            rows = [row for row in by_name[experiment].rows if (row.system, row.setting) == (system, setting)]
            shown = [[experiment, *cells(row)] for row in rows if row.metric in METRICS]
            lines += ["| " + " | ".join(row) + " |" for row in shown]
        else:
            begin = f"| {experiment} | {system} | {setting} |"
            lines += [line for line in before.splitlines() if line.startswith(begin)]
    return "\n".join(lines)


def write(path: Path, results: Sequence[Result]) -> None:
    """Put the table between the marks of a file."""
    text = path.read_text("utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise BadInput(f"no single {BEGIN} ... {END}", path=path, remedy="put the two marks where the table belongs")
    before, _, rest = text.partition(BEGIN)
    standing, _, after = rest.partition(END)
    with write_whole(path) as out:
        out.write(f"{before}{BEGIN}\n{table(results, standing)}\n{END}{after}".encode())
