"""Rates of labels by name: what `label_rates=` and `--label-rates` take, checked before anything is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bayesift.classify.inputs import some
from bayesift.corpora.detect import delimiter_of, with_point
from bayesift.corpora.table import HEAD_LINES
from bayesift.decide.label_rates import UNLABELLED, check_rates, check_source, check_sum
from bayesift.errors import BadInput
from bayesift.files import read_lines


def check_values(label_rates: Any, unlabelled: Any) -> None:
    """Raise if rates are not between 0 and 1, or if there is no text to estimate them from."""
    if isinstance(label_rates, Mapping):
        check_rates(label_rates.items())
    elif isinstance(label_rates, str):
        check_source(label_rates, unlabelled)
    elif label_rates is not None:
        remedy = f'give a mapping from label to rate, or "{UNLABELLED}"'
        raise BadInput(f"label_rates is a {type(label_rates).__name__}", remedy=remedy)


def check_rates_of(label_rates: Any, labels: Sequence[Any], kind: str, begins_stream: bool) -> None:
    """Raise if rates are of other labels than these, or do not add up where a document has one label.

    At the beginning of a stream labels are still to come.
    """
    if label_rates == UNLABELLED and begins_stream:
        raise BadInput("rates cannot be estimated at the beginning of a stream", remedy="learn documents by fit first")
    if not isinstance(label_rates, Mapping):
        return
    if not begins_stream and (unknown := set(label_rates) - set(labels)):
        wrong = min(map(str, unknown))
        raise BadInput(f"a rate for {wrong!r}, which is not a label", remedy=f"labels are: {some(labels)}")
    if kind == "one":
        check_sum(label_rates.values(), of_all=not begins_stream and set(labels) <= set(label_rates))


def read_rates(path: str | Path) -> dict[str | int, float]:
    """Read a file: CSV with the columns label and rate."""
    found: dict[str | int, float] = {}
    lines = list(read_lines(path))
    mark = delimiter_of([f"{line}\n" for _, line in lines[:HEAD_LINES]], ("label", "rate"))
    for number, line in lines:
        label, _, rate = (part.strip() for part in line.rpartition(mark))
        if not line.strip() or (number == 1 and (label, rate) == ("label", "rate")):
            continue
        label = label.strip('"')
        if label in found:
            raise BadInput(f"duplicate label {label!r}", path=path, line=number, remedy="keep one of the two")
        try:
            found[label] = float(with_point(rate, mark))
            check_rates([(label, found[label])])
        except ValueError as error:
            reason = error.reason if isinstance(error, BadInput) else f"{line.strip()!r} has no rate"
            remedy = "write one label and the share of documents with it per line, e.g. wheat,0.02"
            raise BadInput(reason, path=path, line=number, remedy=remedy) from error
    if not found:
        raise BadInput("no rates", path=path, remedy="write one label and its rate per line, e.g. wheat,0.02")
    return found


def saved_rates(label_rates: Any, labels: Sequence[Any], used: Any) -> dict[str, Any]:
    """Return what a model file holds of rates: those given, or those estimated; nothing if there are none."""
    if label_rates is None:
        return {}
    pairs = label_rates.items() if isinstance(label_rates, Mapping) else zip(labels, used.tolist())
    known = [(label, float(rate)) for label, rate in pairs if rate == rate]
    return {"label_rates": {"labels": [label for label, _ in known], "rates": np.array([rate for _, rate in known])}}


def restored_rates(state: Mapping[str, Any]) -> dict[Any, float] | None:
    """Return the rates of a model file; None if it has none, as files of earlier versions."""
    kept = state.get("label_rates")
    return None if kept is None else dict(zip(kept["labels"], kept["rates"].tolist()))
