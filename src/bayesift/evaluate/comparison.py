"""Two systems on the same documents: their F_1 and both sign tests between them (chai2002, table 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesift.arrays import LabelMatrix, as_labels
from bayesift.display import Table, notebook
from bayesift.evaluate.labels import f_measure
from bayesift.evaluate.sign_tests import SignTest, macro_sign_test, micro_sign_test

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text as RichText


@dataclass(frozen=True)
class Comparison:
    """Result of `compare`: F_1 of (first, second) and the sign test, over all decisions and over labels."""

    names: tuple[str, str]
    micro_f1: tuple[float, float]
    macro_f1: tuple[float, float]
    micro: SignTest
    macro: SignTest

    @property
    def sign(self) -> str:
        """Return the cell of chai2002's table 3: s-test / S-test."""
        return f"{self.micro.sign} / {self.macro.sign}"

    @property
    def table(self) -> Table:
        """Table with one row per test."""
        tests = (
            ("micro (s-test, decisions)", self.micro_f1, self.micro),
            ("macro (S-test, labels)", self.macro_f1, self.macro),
        )
        header = ("F1 and sign test", *self.names, "wins", "losses", "P-value", "sign")
        rows = [
            (what, *f1, test.wins, test.losses, f"{test.p_value:.2g}", test.sign) for what, f1, test in tests
        ]
        return Table(f"{self.names[0]} against {self.names[1]}", header, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary for JSON."""
        tests = {"micro": (self.micro_f1, self.micro), "macro": (self.macro_f1, self.macro)}
        return {"names": list(self.names)} | {
            key: {"f1": list(f1), "wins": t.wins, "losses": t.losses, "p_value": t.p_value, "sign": t.sign}
            for key, (f1, t) in tests.items()
        }

    def markdown(self) -> str:
        """Return the comparison as Markdown."""
        table = self.table
        return f"# {table.title}\n\n{table.markdown()}\n"

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return notebook(self.table.title, "", self.table.html())

    def __rich__(self) -> RichText | RichTable:
        return self.table.rich()


def compare(
    truth: LabelMatrix,
    first: LabelMatrix,
    second: LabelMatrix,
    names: tuple[str, str] = ("A", "B"),
    empty: float = 0.0,
) -> Comparison:
    """Compare the decisions of two systems on the same documents.

    >>> truth = [[1, 0]] * 5
    >>> compare(truth, truth, [[0, 0]] * 5).sign  # better in 5 of 5 decisions, and in 1 of 1 label
    '> / ~'
    """
    t, a, b = as_labels(truth, "truth"), as_labels(first, "first"), as_labels(second, "second")
    return Comparison(
        names=names,
        micro=micro_sign_test(t, a, b),
        macro=macro_sign_test(t, a, b, empty),
        micro_f1=(f_measure(t, a, "micro", empty=empty), f_measure(t, b, "micro", empty=empty)),
        macro_f1=(f_measure(t, a, "macro", empty=empty), f_measure(t, b, "macro", empty=empty)),
    )
