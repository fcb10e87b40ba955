"""Rates of labels that differ from those of the training documents (Saerens, Latinne & Decaestecker 2002).

pi   the rate of a label among the training documents;   pi'   its rate where the classifier is used
odds' = odds [pi' (1 - pi)] / [pi (1 - pi')],   that is   logit p' = logit p + logit pi' - logit pi

It holds where the documents with the label, and those without it, are otherwise alike. pi' is known, or estimated from
unlabelled documents by EM: pi' <- (sum of p' + w pi) / (documents + w), until it rests. The Beta prior, worth w
documents with the rate pi, keeps rare labels from running away. For a label with k training documents
w = WORTH + documents FEW / (k + FEW): probabilities that rest on a handful of documents tell little of a rate, in
however many documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.special import expit, logit

from bayesift.arrays import FloatArray, IntArray
from bayesift.errors import BadInput

UNLABELLED = "unlabelled"  # the rates are estimated from unlabelled documents
WORTH, FEW = 5.0, 20.0  # documents
STEPS, RESTS = 1000, 1e-8
NEAR = 0.01  # how far from 1 the rates of all labels may add up, where they are rounded
MOST = 64.0  # by what factor the negatives of a label are counted more often, or more rarely


def rate_shift(rates: FloatArray, base_rates: FloatArray) -> FloatArray:
    """Return logit pi' - logit pi of each label; 0 where the rate is nan: as in training.

    >>> rate_shift(np.array([0.5, np.nan]), np.array([0.2, 0.2])).round(3)  # odds of 1 instead of 1/4
    array([1.386, 0.   ])
    """
    known = ~np.isnan(rates)
    return np.where(known, logit(np.where(known, rates, 0.5)) - logit(base_rates), 0.0)


def with_rest(rates: FloatArray, base_rates: FloatArray) -> FloatArray:
    """Return rates with those of the labels without one, where each document has one label: they share the rest.

    Their proportions are those of `base_rates`. Where nothing is left for them, they stay nan.

    >>> with_rest(np.array([0.1, np.nan, np.nan]), np.array([0.5, 0.1, 0.4])).round(2)
    array([0.1 , 0.18, 0.72])
    """
    others = np.isnan(rates)
    rest = 1.0 - rates[~others].sum()
    if others.all() or rest < RESTS:
        return rates
    return np.where(others, rest * base_rates / max(base_rates[others].sum(), RESTS), rates)


def estimated_rates(log_odds: FloatArray, base_rates: FloatArray, positives: FloatArray) -> FloatArray:
    """Return the rate of each label among unlabelled documents, from their log-odds (documents, labels).

    `base_rates` and `positives` are the rate and the number of documents of each label in training.

    >>> z = np.array([[4.0], [4.0], [-4.0], [4.0]] * 50)
    >>> estimated_rates(z, np.array([0.2]), np.array([2000.0])).round(2)
    array([0.78])
    >>> estimated_rates(z, np.array([0.2]), np.array([1.0])).round(2)
    array([0.48])
    """
    z, start = np.asarray(log_odds, np.float64), logit(base_rates)
    rates = np.asarray(base_rates, np.float64)
    worth = WORTH + len(z) * FEW / (np.asarray(positives) + FEW)
    for _ in range(STEPS):
        before, p = rates, expit(z + (logit(rates) - start))
        rates = (p.sum(axis=0) + worth * base_rates) / (len(z) + worth)
        if np.abs(rates - before).max(initial=0.0) < RESTS:
            break
    return np.asarray(rates)


def reweighted(documents: IntArray, positives: IntArray, shift: FloatArray) -> tuple[IntArray, IntArray]:
    """Return counts (folds, labels, levels) with so many negatives that the odds of each label are shifted.

    Negatives are counted e^-shift times, in whole numbers that add up along the levels; positives stay as they are.
    """
    times = np.clip(np.exp(-shift), 1.0 / MOST, MOST)[:, None]
    running = np.floor(np.cumsum(documents - positives, axis=2) * times + 0.5).astype(np.int64)
    return positives + np.diff(running, axis=2, prepend=0), positives


def as_rates(given: Any, labels: int, unlabelled: Any) -> FloatArray | None:
    """Return the rate of each of so many labels, nan where it is as in training; None if there are none yet.

    `given` is a sequence, "unlabelled" or None; raise if it does not fit.
    """
    if given is None:
        return None
    if isinstance(given, str):
        check_source(given, unlabelled)
        return None
    rates = np.asarray(given, np.float64)
    if rates.shape != (labels,):
        raise BadInput(f"rates of shape {rates.shape} for {labels} labels", remedy="give one rate per label")
    check_rates((c, rate) for c, rate in enumerate(rates.tolist()) if rate == rate)
    return rates


def check_source(name: str, unlabelled: Any) -> None:
    """Raise unless the word for rates is "unlabelled", and there is unlabelled text."""
    if name != UNLABELLED:
        raise BadInput(f"label_rates is {name!r}", remedy=f'give a rate for each label, or "{UNLABELLED}"')
    if unlabelled is None:
        raise BadInput(
            "rates are to be estimated, but there are no unlabelled documents",
            remedy="give unlabelled documents, or the rate of each label",
        )


def check_rates(rates: Iterable[tuple[Any, Any]]) -> None:
    """Raise unless the rate of each label, given as pairs, is a number between 0 and 1."""
    for label, rate in rates:
        number = isinstance(rate, int | float | np.number) and not isinstance(rate, bool)
        if not number or not 0.0 < float(rate) < 1.0:
            raise BadInput(
                f"the rate of label {label!r} is {rate!r}, not between 0 and 1",
                remedy="give the share of documents with it, e.g. 0.02",
            )


def check_sum(rates: Iterable[float], of_all: bool = False) -> None:
    """Raise if rates of labels of which a document has one add up to more than 1; those `of_all` labels to less."""
    total = sum(rates)
    if of_all and abs(total - 1.0) > NEAR:
        raise BadInput(
            f"the rates of all labels add up to {total:.3g}, not to 1, but each document has one label",
            remedy="give shares of all documents, or leave out a label that gets the rest",
        )
    if not of_all and total > 1.0 + 1e-6:
        raise BadInput(
            f"the rates add up to {total:.3g}, but each document has one label", remedy="give shares of all documents"
        )
