"""What an experiment is told and what it gives: rows of paper beside ours, as table, JSON and Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from bayesift.files import write_whole


@dataclass(frozen=True)
class Options:
    """What can be chosen: where corpora are, how many categories for a quick look, and slow comparators."""

    data: Path | None = None
    categories: int | None = None
    kernel_svm: bool = False


@dataclass(frozen=True)
class Row:
    """One figure: None where the paper has none."""

    system: str
    setting: str
    metric: str
    paper: float | str | None
    ours: float | str | None


@dataclass
class Result:
    """All figures of one experiment.

    >>> result = Result("demo-table1", "docstrings", rows=[Row("perceptron", "0.5", "micro_f1", 85.12, 85.2)])
    >>> print(result.markdown())
    ### demo-table1
    Corpus: docstrings. ...
    | system | setting | metric | paper | ours |
    | :-- | :-- | :-- | --: | --: |
    | perceptron | 0.5 | micro_f1 | 85.12 | 85.20 |
    """

    name: str
    corpus: str
    seconds: float = 0.0
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def write_json(self, path: Path) -> None:
        """{"name", "corpus", "seconds", "rows": [{"system", "setting", "metric", "paper", "ours"}], "notes"}."""
        with write_whole(path) as out:
            out.write(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")

    def markdown(self) -> str:
        """A section with the table."""
        head = ["system", "setting", "metric", "paper", "ours"]
        lines = [f"### {self.name}", f"Corpus: {self.corpus}. Took {self.seconds:.0f} s.", ""]
        lines += ["| " + " | ".join(head) + " |", "| :-- | :-- | :-- | --: | --: |"]
        lines += ["| " + " | ".join(cells(row)) + " |" for row in self.rows]
        return "\n".join([*lines, "", *self.notes]).rstrip()

    def __rich__(self) -> Any:
        from rich.table import Table

        table = Table("system", "setting", "metric", title=f"{self.name} on {self.corpus}")
        table.add_column("paper", justify="right")
        table.add_column("ours", justify="right")
        for row in self.rows:
            table.add_row(*cells(row))
        return table


def put_section(path: Path, result: Result, order: list[str]) -> None:
    """Put a result into a Markdown file of results: its section is renewed, the others stay, in the given order."""
    text = path.read_text("utf-8") if path.exists() else ""
    sections = {part.partition("\n")[0]: f"### {part.rstrip()}" for part in text.split("### ")[1:]}
    sections[result.name] = result.markdown()
    known = [sections[name] for name in order if name in sections]
    with write_whole(path) as out:
        out.write(("# Results\n\nWritten by `make reproduce`.\n\n" + "\n\n".join(known) + "\n").encode())


def cells(row: Row) -> list[str]:
    """A row as text."""
    return [row.system, row.setting, row.metric, *(_text(value) for value in (row.paper, row.ours))]


def _text(value: float | str | None) -> str:
    if not isinstance(value, float):
        return "–" if value is None else str(value)
    return f"{value:.3f}" if abs(value) < 5 else f"{value:.2f}"
