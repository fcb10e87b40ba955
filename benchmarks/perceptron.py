"""How fast is the Bayesian online perceptron, against LIBLINEAR on the same documents, and how does a step grow?

One-vs-rest on Reuters (ModApte): ours goes three times over each category's selected terms, LIBLINEAR (scikit-learn's
LinearSVC, C = 1) optimises over all words in three documents or more. Two threads for both. One online step is timed
against the number of features: its cost should grow as the square, with a constant near the memory's speed.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from _run import ONE_VS_REST, arguments, best, fit_one_vs_rest, one_vs_rest_task, peak_mb, plot, show
from bayesift.beliefs import Probit
from bayesift.beliefs.full import FullBelief
from bayesift.learn import PerLabel

SIZES = (25, 50, 100, 200, 400, 800, 1600)
TERMS = 20  # a document


def seconds_a_step(d: int) -> float:
    """One step with d features, waiting updates and folding included."""
    rng = np.random.default_rng(0)
    n = max(64, min(4096, 40_000_000 // (d * d)))
    indices = np.concatenate([np.sort(rng.choice(d, min(d, TERMS), replace=False)) for _ in range(n)])
    rows = sparse.csr_matrix((rng.random(indices.size), indices, np.arange(n + 1) * min(d, TERMS)), shape=(n, d))
    signs = rng.choice([-1.0, 1.0], n)
    belief = FullBelief.prior(Probit().code)
    belief.grow(d)
    belief.learn(rows, signs)
    return best(lambda: belief.learn(rows, signs), 3) / n


def memory_speed() -> float:
    """Bytes a second that one core copies, reading and writing counted."""
    a = np.ones(1 << 25)
    b = np.empty_like(a)
    return 2 * a.nbytes / best(lambda: np.copyto(b, a), 5)


def prepare(threads: int) -> tuple[PerLabel, object, object]:
    """For a process of its own."""
    _, X, Y, _ = one_vs_rest_task()
    PerLabel().fit(X[:50], Y[:50])  # compile first
    return PerLabel(threads=threads), X, Y


def fit(prepared: tuple[PerLabel, object, object]) -> PerLabel:
    """Fit: the part that is measured."""
    model, X, Y = prepared
    return model.fit(X, Y)


def main() -> None:
    """Measure, print and plot."""
    options = arguments(__doc__)
    corpus, X, Y, common = one_vs_rest_task()
    rows = []
    PerLabel().fit(X[:50], Y[:50])
    for threads in (2, 1):
        ours_s = best(lambda t=threads: PerLabel(threads=t).fit(X, Y), options.repeat)
        peer_s = best(lambda t=threads: fit_one_vs_rest(common, Y, t), options.repeat)
        rows.append({"task": f"{corpus}: {Y.shape[1]} categories x 3 passes, {threads} threads", "ours_s": ours_s,
                     "peer": ONE_VS_REST, "peer_s": peer_s, "ratio": peer_s / ours_s,
                     "ours_mb": peak_mb(prepare, (threads,), fit)})  # fmt: skip
    speed = memory_speed()
    steps = {d: seconds_a_step(d) for d in SIZES}
    for d, seconds in steps.items():
        rows.append({"task": f"one step, {d} features", "ours_s": seconds,
                     "ratio": (16.0 * (d + 1) ** 2 / speed) / seconds, "peer": "C read and written once at copy speed",
                     "peer_s": 16.0 * (d + 1) ** 2 / speed})  # fmt: skip
    slope = np.polyfit(np.log(SIZES[-4:]), np.log([steps[d] for d in SIZES[-4:]]), 1)[0]
    figure = plot("perceptron-step", list(steps), [1e6 * s for s in steps.values()], "features", "microseconds a step")
    notes = [
        f"ratio = peer_s / ours_s. Ours takes {rows[0]['ours_s'] / rows[0]['peer_s']:.2f} times LIBLINEAR's time.",
        f"A step grows as features^{slope:.2f} over the last four sizes; copying runs at {speed / 1e9:.1f} GB/s.",
        f"Plot: {figure}",
    ]
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
