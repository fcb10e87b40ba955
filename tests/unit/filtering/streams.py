"""Filters over a synthetic stream, for several tests."""

import numpy as np
from scipy import sparse

from bayesift.filtering import Filter, Profile, ProfileSettings, rows_of, strategy_of


def made(strategy="ig", n_topics=3, budget=None, learner="flip-perceptron", sample=True, **settings):
    """Return a filter, the rows of a stream and their truth; with `sample`, initial thresholds are set from one."""
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix(sparse.random(400, 60, 0.12, "csr", rng=rng))
    X.sort_indices()
    Y = np.column_stack([np.asarray(X[:, 4 * t : 4 * t + 4].sum(axis=1)).ravel() > 0.9 for t in range(n_topics)])
    chosen, again = strategy_of(strategy, **({"horizon": 300} | settings))
    profiles = [
        Profile.start(f"t{t}", ProfileSettings(learner, min_statistic=3.0, again=again), training=X[:100],
                      relevant=np.flatnonzero(Y[:100, t]))
        for t in range(n_topics)
    ]  # fmt: skip
    stream = Filter(profiles, chosen, budget=budget)
    relevant = {f"t{t}": np.flatnonzero(Y[:100, t]).tolist() for t in range(n_topics)}
    if sample:
        stream.set_initial_thresholds(list(rows_of(X[:100])), relevant)
    return stream, list(rows_of(X[100:])), Y[100:]


def run(stream, rows, Y, answer=True, begin=0, end=None):
    """Process the rows and judge what is shown; return the outcomes."""
    shown = []
    for i, row in enumerate(rows[:end]):
        if i < begin:
            continue
        for outcome in stream.process(str(i), row, f"2025-01-{1 + i // 20:02}"):
            shown.append(outcome)
            if answer:
                stream.judge(outcome.topic, outcome.document, bool(Y[i, stream.number[outcome.topic]]))
    return shown


def documents(seed=0, n=200, d=60):
    """Return random rows, and which of them are relevant."""
    rng = np.random.default_rng(seed)
    X = sparse.csr_matrix(sparse.random(n, d, 0.1, "csr", rng=rng))
    X.sort_indices()
    return X, np.asarray(X[:, :4].sum(axis=1)).ravel() > 0.3


def started(learner="flip-perceptron", **settings):
    """Return a profile after its batch phase, the rows to come and their truth."""
    X, y = documents()
    profile = Profile.start(
        "t",
        ProfileSettings(learner=learner, min_statistic=3.0, **settings),
        training=X[:100],
        relevant=np.flatnonzero(y[:100]),
    )
    return profile, list(rows_of(X[100:])), y[100:]


def same(a, b):
    """Return whether two profiles have the same state, to the last bit."""
    left, right = a.arrays(), b.arrays()
    return left.keys() == right.keys() and all(
        left[k].dtype == right[k].dtype and left[k].tobytes() == right[k].tobytes() for k in left
    )
