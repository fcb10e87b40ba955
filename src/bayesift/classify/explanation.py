"""An explanation as data and as plain text: what each word adds to a label, and why the label is given or not."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bayesift.classify.input_labels import Label

SHOWN = 12  # words in the table
HALF = 12  # characters of the longest bar, on either side of the axis


@dataclass(frozen=True)
class Contribution:
    """What a term adds to a label's field, with its deviation (None: not known)."""

    term: str
    mean: float
    sd: float | None
    word: str = ""  # the term as it stands in the document, where it does
    is_sum: bool = False  # of several terms: the other words, or the total

    @property
    def name(self) -> str:
        """The word as it stands in the document, else the term."""
        return self.word or self.term

    @property
    def amount(self) -> str:
        """The mean with its sign, and the deviation."""
        return f"{self.mean:+.3f}" + ("" if self.sd is None else f" ± {self.sd:.3f}")


@dataclass(frozen=True)
class Explanation:
    """Why one document has, or has not, one label. `words` and `missing` hold the largest contributions first."""

    document: int
    label: Label
    given: bool
    probability: float
    threshold: float | None  # the label is given above this probability
    reason: str  # of the decision
    unit: str  # "field", the learner's own scale, or "log-odds"
    total: Contribution  # the whole field
    prior: Contribution
    words: tuple[Contribution, ...]
    others: Contribution  # of the words that are not listed
    missing: tuple[Contribution, ...]  # informative terms of the label that the document does not have
    base_rate: float  # the label's share of all documents learned

    @property
    def headline(self) -> str:
        """One line: label, decision, probability, the reason of the decision, and how frequent the label is."""
        share = f"{100 * self.base_rate:.2g} % of the training documents have it"
        given = "given" if self.given else "not given"
        return f"{self.label}: {given}, p = {self.probability:.3f} ({self.reason}; {share})"

    def amounts(self, shown: int = SHOWN) -> list[Contribution]:
        """Return what each part adds: the largest words, the other words, the prior, and last the total."""
        rest = self.words[shown:]
        others = self.others
        if rest:
            sd = None if others.sd is None else sum((p.sd or 0.0) ** 2 for p in (*rest, others)) ** 0.5
            others = Contribution(others.term, others.mean + sum(p.mean for p in rest), sd, is_sum=True)
        some = [others] if others.mean or others.sd else []
        return [*self.words[:shown], *some, self.prior, self.total]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self)

    @property
    def largest(self) -> float:
        """The largest contribution of a word, or of the prior: the length of the longest bar."""
        return max(abs(part.mean) for part in (*self.words, self.prior))

    def __str__(self) -> str:
        parts = self.amounts()
        width, amounts = (max(map(len, column)) for column in zip(*((p.name, p.amount) for p in parts)))
        lines = [
            f"  {part.name:<{width}}  {part.amount:<{amounts}}  {''.join(bar(part, self.largest))}".rstrip()
            for part in parts
        ]
        missing = ", ".join(f"{part.name} ({part.amount})" for part in self.missing)
        last = [f"missing, would add: {missing}"] if missing else []
        return "\n".join([self.headline, f"adds to the {self.unit}:", *lines, *last])


def bar(part: Contribution, largest: float) -> tuple[str, str, str]:
    """Return a bar to the left of an axis (negative), the axis, and a bar to its right (positive); sums have none.

    >>> "".join(bar(Contribution("oil", 0.5, None), 1.0)), "".join(bar(Contribution("corn", -0.25, None), 1.0))
    ('            |######', '         ###|')
    """
    if part.is_sum:
        return "", "", ""
    length = "#" * (max(1, round(HALF * abs(part.mean) / largest)) if part.mean else 0)  # the sign is always seen
    return (length if part.mean < 0 else "").rjust(HALF), "|", length if part.mean > 0 else ""
