"""How fast are Gaussian processes, against LIBLINEAR on the same documents, and how does a step grow?

One-vs-rest on Reuters (ModApte): ours goes three times over each category's selected terms with each kernel of
chai2002 and at most as many basis vectors as terms; LIBLINEAR (scikit-learn's LinearSVC, C = 1) optimises over all
words in three documents or more. Two threads for both. One online step is timed against the number of basis vectors.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from _run import ONE_VS_REST, arguments, best, fit_one_vs_rest, one_vs_rest_task, plot, show
from bayesift.learn import PerLabel
from bayesift.learn.gp import GaussianProcess

KERNELS = ("linear", "poly", "rbf")
SIZES = (25, 50, 100, 200, 400, 800)
TERMS = 20  # a document
THREADS = 2


def seconds_a_step(n_basis: int) -> float:
    """One step with so many basis vectors, none coming or going; waiting updates and folding included."""
    rng = np.random.default_rng(0)
    n, d = max(n_basis, min(4096, 40_000_000 // n_basis**2)), 4 * n_basis
    indices = np.concatenate([np.sort(rng.choice(d, TERMS, replace=False)) for _ in range(n)])
    rows = sparse.csr_matrix((rng.random(indices.size), indices, np.arange(n + 1) * TERMS), shape=(n, d))
    y = rng.choice([-1.0, 1.0], n)
    y[:2] = -1.0, 1.0
    model = GaussianProcess("rbf", passes=1, max_basis=n_basis, tolerance=0.0).fit(rows[:n_basis], y[:n_basis])
    model.set_params(tolerance=1e9)
    return best(lambda: model.partial_fit(rows, y), 3) / n


def main() -> None:
    """Measure, print and plot."""
    options = arguments(__doc__)
    corpus, X, Y, common = one_vs_rest_task()
    rows = []
    peer_s = best(lambda: fit_one_vs_rest(common, Y, THREADS), options.repeat)
    for kernel in KERNELS:
        model = PerLabel(GaussianProcess(kernel), threads=THREADS)
        model.fit(X[:50], Y[:50])  # compile first
        ours_s = best(lambda m=model: m.fit(X, Y), min(options.repeat, 2))
        rows.append({"task": f"{corpus}: {Y.shape[1]} categories x 3 passes, {kernel}", "ours_s": ours_s,
                     "peer": ONE_VS_REST, "peer_s": peer_s, "ratio": peer_s / ours_s,
                     "basis": sum(learner.belief_.n_basis for learner in model.learners_)})  # fmt: skip
    steps = {n: seconds_a_step(n) for n in SIZES}
    rows += [{"task": f"one step, {n} basis vectors", "ours_s": seconds, "basis": n} for n, seconds in steps.items()]
    slope = np.polyfit(np.log(SIZES[-3:]), np.log([steps[n] for n in SIZES[-3:]]), 1)[0]
    figure = plot("gp-step", list(steps), [1e6 * s for s in steps.values()], "basis vectors", "microseconds a step")
    times = ", ".join(f"{row['ours_s'] / peer_s:.1f}" for row in rows[: len(KERNELS)])
    notes = [
        f"ratio = peer_s / ours_s. Ours takes {times} times LIBLINEAR's time; both with {THREADS} threads.",
        f"A step grows as basis vectors^{slope:.2f} over the last three sizes.",
        f"Plot: {figure}",
    ]
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
