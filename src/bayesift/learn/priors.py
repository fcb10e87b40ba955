"""What is known before any document: the shape of a prior, and what a person or another model says of single terms.

Shapes, over each weight beta_j on its own (eyheramendy2003 2):

    Normal(variance):  N(0, variance)
    Laplace(gamma):    sqrt(gamma)/2 exp(-sqrt(gamma) |beta_j|), so its variance is 2/gamma   (eq. 5)
    Jeffreys():        1/|beta_j|, which has no setting and many modes                           (eq. 6)

`PriorTerms` says of single terms what mean and what standard deviation their weight has; every linear learner takes it,
whatever its prior's shape, and keeps its own setting for all other terms.
"""

from __future__ import annotations

import csv
import io
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora.detect import delimiter_of, with_point
from bayesift.corpora.table import HEAD_LINES
from bayesift.errors import BadInput
from bayesift.files import open_bytes

Floats = NDArray[np.float64]
COLUMNS = ("term", "mean", "scale")  # of a file


@dataclass(frozen=True)
class Normal:
    """Every weight is N(0, variance)."""

    variance: float = 1.0

    def __post_init__(self) -> None:
        _check_positive("variance", self.variance)


@dataclass(frozen=True)
class Laplace:
    """Every weight has density sqrt(gamma)/2 exp(-sqrt(gamma) |beta|): most of the modes are exactly 0."""

    gamma: float = 10.0

    def __post_init__(self) -> None:
        _check_positive("gamma", self.gamma)


@dataclass(frozen=True)
class Jeffreys:
    """Every weight has density proportional to 1/|beta|: sparser still, without a setting, and with many modes."""


Shape = Normal | Laplace | Jeffreys


def shape_of(prior: str | Shape) -> Shape:
    """Return a prior by its name, with its usual setting, or the one given.

    >>> shape_of("laplace")
    Laplace(gamma=10.0)
    """
    named: dict[str, Shape] = {"normal": Normal(), "laplace": Laplace(), "jeffreys": Jeffreys()}
    if isinstance(prior, Normal | Laplace | Jeffreys):
        return prior
    if prior in named:
        return named[prior]
    raise BadInput(f"no prior {prior!r}", remedy=f"use one of {', '.join(named)}, or one such as Laplace(gamma=3)")


@dataclass(frozen=True, eq=False)
class FeaturePrior:
    """Mean and standard deviation of each feature's weight; nan where nothing is known."""

    mean: Floats
    sd: Floats

    def take(self, columns: NDArray[np.intp]) -> FeaturePrior:
        """Return the prior of some of the features; of those beyond the last one nothing is known."""
        known = columns < self.mean.size
        mean, sd = np.zeros(columns.size), np.full(columns.size, np.nan)
        mean[known], sd[known] = self.mean[columns[known]], self.sd[columns[known]]
        return FeaturePrior(mean, sd)

    @property
    def columns(self) -> NDArray[np.intp]:
        """The features of which something is known."""
        return np.flatnonzero(~np.isnan(self.sd))

    def over(self, n_features: int, sd: float) -> tuple[Floats, Floats]:
        """Return mean and deviation of n features, with this deviation where nothing is known."""
        full = self.take(np.arange(n_features))
        return full.mean, np.where(np.isnan(full.sd), sd, full.sd)


NOTHING_KNOWN = FeaturePrior(np.empty(0), np.empty(0))


@dataclass
class PriorTerms:
    """Terms with the mean and standard deviation of their weight.

    >>> prior = PriorTerms({"wheat": (2.0, 1.0)})
    >>> prior.to_features({"corn": 0, "wheat": 1}, 3)
    FeaturePrior(mean=array([0., 2., 0.]), sd=array([nan,  1., nan]))
    """

    terms: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for term, given in self.terms.items():
            try:
                if isinstance(given, str) or any(isinstance(number, str) for number in given):
                    raise TypeError
                mean, sd = map(float, given)
            except (TypeError, ValueError):
                remedy = "give mean and standard deviation of its weight, e.g. (2.0, 1.0)"
                raise BadInput(f"the weight of {term!r} is {given!r}", remedy=remedy) from None
            if not (math.isfinite(mean) and sd > 0.0 and math.isfinite(sd)):
                raise BadInput(f"{term!r} has mean {mean}, scale {sd}", remedy="means are finite, scales positive")

    def to_features(self, columns: Mapping[str, int], n_features: int) -> FeaturePrior:
        """Return what is known of each of so many features; `columns` has the feature of each term."""
        mean, sd = np.zeros(n_features), np.full(n_features, math.nan)
        for term, (m, s) in self.terms.items():
            if term not in columns:
                continue
            if not math.isnan(sd[columns[term]]):
                same = next(t for t in self.terms if columns.get(t) == columns[term])
                raise BadInput(f"{same!r} and {term!r} are the same term", remedy="keep one of the two")
            mean[columns[term]], sd[columns[term]] = m, s
        return FeaturePrior(mean, sd)

    @classmethod
    def read(cls, path: str | Path) -> PriorTerms:
        """Read a file: CSV with the columns term, mean, scale, or TOML with `[terms]` and `wheat = [2.0, 1.0]`."""
        return cls({term: pair for _, term, pair in read_terms(path)})

    @classmethod
    def from_description(
        cls, words: Iterable[str], idf: Mapping[str, float], mean: float = 5.0, sd: float = 3.0
    ) -> PriorTerms:
        """Return the terms of a text that describes a category, with mean and deviation times their idf, largest = 1.

        Words without an idf have never been seen and count as the rarest.
        """
        top = max(idf.values(), default=1.0) or 1.0
        share = {word: idf.get(word, top) / top for word in words}
        return cls({word: (mean * s, max(sd * s, 1e-3)) for word, s in share.items()})


def read_terms(path: str | Path) -> Iterator[tuple[int | None, str, tuple[float, float]]]:
    """Yield the terms of a file that `PriorTerms.read` takes, each with its line (None in TOML), mean and scale."""
    known: set[str] = set()
    for line, term, mean, sd in _entries(Path(path)):
        if term in known:
            raise BadInput(f"duplicate term {term!r}", path=path, line=line, remedy="keep one of the two")
        known.add(term)
        try:
            pair = PriorTerms({term: (float(mean), float(sd))}).terms[term]
        except (TypeError, ValueError) as error:
            reason = error.reason if isinstance(error, BadInput) else f"not numbers: mean {mean!r}, scale {sd!r}"
            raise BadInput(reason, path=path, line=line, remedy="means are finite, scales positive") from error
        yield line, term, pair


def check_prior_terms(given: object) -> None:
    """Raise BadInput unless prior terms are None or a mapping from labels to `PriorTerms`."""
    if given is None or (isinstance(given, Mapping) and all(isinstance(one, PriorTerms) for one in given.values())):
        return
    remedy = 'give {"grain": PriorTerms({"wheat": (2.0, 1.0)}), ...}'
    raise BadInput("prior_terms is not a mapping from labels to PriorTerms", remedy=remedy)


def _entries(path: Path) -> Iterator[tuple[int | None, str, Any, Any]]:
    with open_bytes(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInput(f"not utf-8: {error.reason}", path=path, remedy="save it as UTF-8") from error
    if path.suffix == ".toml":
        yield from _toml_entries(text, path)
        return
    mark = delimiter_of(text.splitlines(keepends=True)[:HEAD_LINES], COLUMNS)
    rows = csv.DictReader(io.StringIO(text), delimiter=mark)
    if rows.fieldnames is None or not set(COLUMNS) <= set(rows.fieldnames):
        raise BadInput("no columns term, mean, scale", path=path, line=1, remedy="begin with: term,mean,scale")
    for row in rows:
        mean, scale = (with_point(row[name] or "", mark) for name in COLUMNS[1:])
        yield rows.line_num, row["term"] or "", mean, scale


def _toml_entries(text: str, path: Path) -> Iterator[tuple[None, str, Any, Any]]:
    try:
        terms = tomllib.loads(text).get("terms")
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}", path=path) from error
    if not isinstance(terms, dict):
        raise BadInput("no table [terms]", path=path, remedy="write [terms] and below it: wheat = [2.0, 1.0]")
    for term, pair in terms.items():
        if not (isinstance(pair, list) and len(pair) == 2):
            raise BadInput(f"term {term!r} is {pair!r}", path=path, remedy="give [mean, scale]")
        yield None, term, pair[0], pair[1]


def _check_positive(name: str, value: float) -> None:
    if not value > 0.0:
        raise BadInput(f"{name} is {value}", remedy="give a positive number")
