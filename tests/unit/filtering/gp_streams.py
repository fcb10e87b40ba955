"""GP topics over a synthetic stream, for several tests."""

import numpy as np
from scipy import sparse

from bayesift.filtering import Filter, GPProfile, Strategy, TopicKernel, rows_of


def matrix(n=500, d=80, seed=0):
    """Return unit-length rows; those about topic t have four of its six words, columns 6 t to 6 t + 5."""
    rng = np.random.default_rng(seed)
    A = rng.random((n, d)) * (rng.random((n, d)) < 0.1)
    Y = rng.random((n, 3)) < 0.05
    for i, t in np.argwhere(Y):
        A[i, rng.permutation(np.arange(6 * t, 6 * t + 6))[:4]] += 2.0
    A[:, -1] += 0.1
    X = sparse.csr_matrix(A / np.linalg.norm(A, axis=1, keepdims=True))
    return X, Y


def made(strategy=None, **settings):
    """Return a filter of three GP topics, the rows of a stream and their truth."""
    X, Y = matrix()
    shared = TopicKernel(X[:200])
    rows = list(rows_of(X))
    profiles = [
        GPProfile.start(f"t{t}", shared, examples=[rows[i] for i in np.flatnonzero(Y[:200, t])[:2]]) for t in range(3)
    ]
    chosen = strategy or Strategy("daily", **({"balance": 2 / 3} | settings))
    return Filter(profiles, chosen, background=rows[:200], seed=3), rows[200:], Y[200:]


def run(stream, rows, Y, begin=0, end=None):
    """Process the rows and judge what is shown; return the outcomes."""
    shown = []
    for i, row in enumerate(rows[:end]):
        if i >= begin:
            for outcome in stream.process(str(i), row, f"2025-01-{1 + i // 20:02}"):
                shown.append(outcome)
                stream.judge(outcome.topic, outcome.document, bool(Y[i, stream.number[outcome.topic]]))
    return shown
