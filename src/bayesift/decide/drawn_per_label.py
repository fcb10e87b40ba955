"""Training documents that were drawn label by label: how much rarer each label is where documents come as they are.

Somebody who collects n examples of every label has as many of a rare label as of a common one. Thresholds fitted to
such documents give rare labels too freely. The true rates cannot be read off, but documents with several labels tell
something: a common label comes along with the examples of many others, a rare one with few.

    N_c   documents of label c among all documents;   q_c = min(n / N_c, 1)   the chance that one is drawn for c
    w_i = 1 / (1 - prod over the labels c of document i of (1 - q_c)),   N_c = sum of w_i over the documents of c

Each drawn document stands for w_i documents (Horvitz & Thompson 1952). N starts at the counts of the draw; `STEPS`
steps are made, since in more of them N follows chance. Where documents have one label each, N stays: they tell nothing.

Whether documents were drawn by label is seen in those with a single label, which were drawn for it: no label has more
than n of them, and nearly all labels have n documents. In a corpus as it comes the most common label has more single
ones than most other labels have documents. `belief` is between 0 and 1 where that does not decide.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logit

from bayesift.arrays import BoolArray, FloatArray

STEPS = 5
TRUST = 0.75  # of the shift of log-odds: the estimate is larger than the truth, and so is what a wrong one costs
UNLIKELY, LIKELY = 0.35, 0.5  # shares of labels with n documents at which belief is 0 and 1
SURE = 1.0 - 1e-9


def raised_thresholds(truth: BoolArray) -> FloatArray:
    """Return what is added to the log-odds of each label's threshold: (labels,), 0 where documents come as they are.

    `truth` (documents, labels) are the labels of the training documents. Thresholds of labels that are more frequent in
    the draw than elsewhere rise.
    """
    n, sure = drawn(truth)
    if not sure:
        return np.zeros(truth.shape[1])
    return np.asarray(-TRUST * sure * rate_shift(truth, n))


def drawn(truth: BoolArray) -> tuple[float, float]:
    """Return the number of documents drawn for each label, and the belief that documents were drawn so.

    >>> single, both = np.eye(3, dtype=bool), np.array([[True, True, False]])
    >>> drawn(np.repeat(np.vstack([single, both]), 5, axis=0))
    (5.0, 1.0)
    >>> drawn(np.vstack([np.repeat(single, [50, 5, 5], axis=0), both]))
    (50.0, 0.0)
    """
    labels, have = truth.sum(axis=1), truth.sum(axis=0)
    seen = np.flatnonzero(have)
    if seen.size < 2 or not labels.all() or labels.max() < 2:  # a document without a label was drawn for none
        return 0.0, 0.0
    single = truth[labels == 1].sum(axis=0)
    top = int(single.argmax())
    enough = float((have[seen[seen != top]] >= single[top]).mean())
    belief = float(np.clip((enough - UNLIKELY) / (LIKELY - UNLIKELY), 0.0, 1.0))
    return float(max(single[top], have[seen].min())), belief


def rate_shift(truth: BoolArray, n: float) -> FloatArray:
    """Return logit of each label's rate among all documents - logit of its rate in the draw, n drawn per label."""
    t = truth.astype(np.float64)
    have = t.sum(axis=0)
    documents = np.maximum(have, 1.0)
    weights = np.ones(len(t))
    for _ in range(STEPS):
        chance = np.minimum(n / np.maximum(documents, n), SURE)
        weights = 1.0 / -np.expm1(t @ np.log1p(-chance))
        documents = np.maximum(t.T @ weights, np.maximum(have, 1.0))
    rate = documents / weights.sum() * len(t)
    shift = logit((rate + 0.5) / (len(t) + 1.0)) - logit((have + 0.5) / (len(t) + 1.0))
    return np.where(have > 0.0, shift, 0.0)
