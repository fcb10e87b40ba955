"""An explanation as data, as plain text and in a notebook: what each word adds to a label, and why it is predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from bayesift.classify.input_labels import Label
from bayesift.terminal import one_line, printable, width

SHOWN = 12  # words in the table
HALF = 12  # characters of the longest bar, on either side of the axis
LONGEST = 1500  # characters of a document that are shown
FEWEST, MOST = 3, 10  # decimals of a probability
FAINT = 0.06  # weaker contributions, as a share of the largest, are not coloured


@dataclass(frozen=True)
class Contribution:
    """What a term adds to a label's field, with its standard deviation (None: not known)."""

    term: str
    mean: float
    sd: float | None
    word: str = ""  # the term as it stands in the document, or if it does not as training documents have it
    is_sum: bool = False  # not of one term: the other words, the prior, or the total

    @property
    def name(self) -> str:
        """Return the word as it stands in the document, else the term."""
        return self.word or self.term

    @property
    def amount(self) -> str:
        """Return the mean with its sign, and the standard deviation."""
        return f"{self.mean:+.3f}" + ("" if self.sd is None else f" ± {self.sd:.3f}")


class Part(NamedTuple):
    """A part of the document's text, a word or what is between words, and what its terms add to the label."""

    zone: str
    text: str
    amount: float


class Line(NamedTuple):
    """A line of an explanation's table: the bar is to the left of the axis if negative, else to its right."""

    name: str
    amount: str
    left: str
    axis: str
    right: str


@dataclass(frozen=True)
class Explanation:
    """Why one document has, or has not, one label. `words` and `missing` hold the largest contributions first.

    `print` shows it as text, a notebook as HTML with the coloured document.
    """

    document: int
    label: Label
    predicted: bool
    probability: float
    threshold: float | None  # the label is predicted above this probability
    reason: str  # of the decision
    unit: str  # "field", the learner's own scale, or "log-odds"
    total: Contribution  # the whole field
    prior: Contribution
    words: tuple[Contribution, ...]
    others: Contribution  # of the words that are not listed
    missing: tuple[Contribution, ...]  # informative terms of the label that the document does not have
    base_rate: float  # the label's share of all documents learned
    meaning: Contribution | None = None  # of the vector beside the words, with the nearest training documents
    name: str = ""  # the document's id
    text: tuple[Part, ...] = field(default=(), repr=False)  # the document

    @property
    def headline(self) -> str:
        """Return one line: label, decision, probability, its reason, and how frequent the label is."""
        share = f"{100 * self.base_rate:.2g} % of the training documents have it"
        predicted = "predicted" if self.predicted else "not predicted"
        p = f"{self.probability:.{digits(self.probability, self.threshold)}f}"
        return f"{self.label}: {predicted}, p = {p} ({self.reason}; {share})"

    def amounts(self, shown: int = SHOWN) -> list[Contribution]:
        """Return what each part adds: the largest words, the other words, meaning, the prior, and last the total."""
        rest = self.words[shown:]
        others = self.others
        if rest:
            sd = None if others.sd is None else sum((p.sd or 0.0) ** 2 for p in (*rest, others)) ** 0.5
            others = Contribution(others.term, others.mean + sum(p.mean for p in rest), sd, is_sum=True)
        some = [others] if others.mean or others.sd else []
        return [*self.words[:shown], *some, *([self.meaning] if self.meaning else []), self.prior, self.total]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold, without the document's text."""
        found = asdict(self)
        del found["text"], found["name"]
        return found

    @property
    def largest(self) -> float:
        """Return the largest contribution of a word: the length of the longest bar."""
        return max((abs(part.mean) for part in self.words), default=0.0)

    def strength(self, amount: float) -> float:
        """Return how strongly to colour a word: 0 to 1, by the largest contribution of a word; 0 if it is faint."""
        share = min(1.0, abs(amount) / self.largest) if self.largest > 0.0 else 0.0
        return share if share > FAINT else 0.0

    def shown(self) -> Iterator[tuple[str, list[Part]]]:
        """Yield the zones of the document, each with its first `LONGEST` characters in parts."""
        for zone, parts in groupby(self.text, lambda part: part.zone):
            kept, room = [], LONGEST
            for part in parts:
                if room <= 0:
                    kept.append(Part(zone, " …", 0.0))
                    break
                kept.append(part._replace(text=part.text[:room]))
                room -= len(part.text)
            yield zone, kept

    def lines(self, shown: int = SHOWN) -> list[Line]:
        """Return the parts of `amounts` as lines of text, their columns aligned."""
        parts = self.amounts(shown)
        names = [one_line(part.name) for part in parts]
        wide, amounts = max(map(width, names)), max(len(part.amount) for part in parts)
        padded = [name + " " * (wide - width(name)) for name in names]
        return [
            Line(name, part.amount.ljust(amounts), *bar(part, self.largest)) for name, part in zip(padded, parts)
        ]

    @property
    def would_add(self) -> str:
        """Return the missing terms, with what each would add; empty if there are none."""
        missing = ", ".join(f"{part.name} ({part.amount})" for part in self.missing)
        return one_line(f"missing, would add: {missing}") if missing else ""

    def __str__(self) -> str:
        lines = [f"  {x.name}  {x.amount}  {x.left}{x.axis}{x.right}".rstrip() for x in self.lines()]
        last = [self.would_add] if self.missing else []
        return "\n".join([one_line(self.headline), f"adds to the {self.unit}:", *lines, *last])

    def _repr_html_(self) -> str:
        return Explanations([self])._repr_html_()


class Explanations(list[Explanation]):
    """Explanations in the order of their documents; each document is shown once, whatever the number of its labels."""

    def by_document(self) -> Iterator[list[Explanation]]:
        """Yield the explanations of each document."""
        for _, entries in groupby(self, lambda entry: entry.document):
            yield list(entries)

    def __str__(self) -> str:
        parts = []
        for entries in self.by_document():
            text = ["".join(part.text for part in zone) for _, zone in entries[0].shown()]
            parts.append("\n\n".join([printable("\n".join(text)), *map(str, entries)]))
        return "\n\n\n".join(parts)

    def _repr_html_(self) -> str:
        from bayesift.classify.explanation_html import document_html
        from bayesift.display import notebook

        return notebook("Explanation", "", *map(document_html, self.by_document()))


def digits(p: float, threshold: float | None) -> int:
    """Return how many decimals show on which side of the threshold p is: 3, or more where 3 are equal.

    >>> digits(0.9, 0.4), digits(0.98601, 0.98597)
    (3, 5)
    """
    if threshold is None:
        return FEWEST
    return next((d for d in range(FEWEST, MOST) if f"{p:.{d}f}" != f"{threshold:.{d}f}"), FEWEST)


def threshold_text(threshold: float, p: float) -> str:
    """Return a threshold as text, beside a probability.

    >>> [threshold_text(t, 0.98601) for t in (0.5, 0.99999, 0.00042, 0.98597)]
    ['0.5', '1', '0.00042', '0.98597']
    """
    if threshold < 10.0**-FEWEST:
        return f"{threshold:.2g}"
    return f"{threshold:.{digits(p, threshold)}f}".rstrip("0").rstrip(".")


def bar(part: Contribution, largest: float) -> tuple[str, str, str]:
    """Return a bar to the left of an axis (negative), the axis, and a bar to its right (positive); sums have none.

    >>> "".join(bar(Contribution("oil", 0.5, None), 1.0)), "".join(bar(Contribution("corn", -0.25, None), 1.0))
    ('            |######', '         ###|')
    """
    if part.is_sum:
        return "", "", ""
    length = "#" * (max(1, round(HALF * abs(part.mean) / largest)) if part.mean else 0)  # the sign is always seen
    return (length if part.mean < 0 else "").rjust(HALF), "|", length if part.mean > 0 else ""
