"""How fast are the sparse logistic and probit modes, against LIBLINEAR and against the published EM?

One model for each category on all words, one thread each, the same objective: C = 10 in LIBLINEAR is a penalty of
weight 0.1 here (Laplace with gamma = 0.01, or Normal with variance 10), and neither shrinks the intercept. Ours stops
where no optimality condition is violated by more than 1e-6, LIBLINEAR at several -e; violations and objectives of both
are printed, computed alike. Under the Normal prior ours is stopped where LIBLINEAR's violation is, so that both are
equally near. Only LIBLINEAR's train() is timed, and of ours everything from the rows on. Then: a path of 20 widths
against one fit at the widest, and the direct probit solver against EM over 300 terms.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from _run import arguments, best, one_vs_rest_task, show
from bayesift.learn.prior_width import grid_of
from bayesift.learn.priors import Laplace
from bayesift.learn.sparse_linear.descent import ABSOLUTE, LOGISTIC, PROBIT, SQUARE, Columns, balanced, minimise
from bayesift.learn.sparse_linear.em import em_probit
from bayesift.learn.sparse_linear.modes import moments, path, solve
from bayesift.learn.sparse_linear.newton import minimise_many
from bayesift.learn.term_selection import TermCounts

C = 10.0
STOPS = {6: (1e-2, 1e-3, 1e-4), 0: (1e-2, 1e-4, 1e-8)}  # -e of LIBLINEAR's solvers
TIGHT = 1e-6
Stopped = list[tuple[float, np.ndarray]]  # intercept and weights of each category


def liblinear(X: Any, targets: list[np.ndarray], solver: int, e: float) -> tuple[float, Stopped]:
    """Seconds in train(), and where it stopped."""
    from liblinear.liblinearutil import parameter, problem, train

    seconds, ends = 0.0, []
    for y in targets:
        given, options = problem(y, X, bias=1), parameter(f"-s {solver} -c {C} -B 1 -R -e {e} -q")
        start = time.perf_counter()
        model = train(given, options)
        seconds += time.perf_counter() - start
        w, b = model.get_decfun()
        ends.append((b, np.array(w)))
    return seconds, ends


def ours(X: Any, targets: list[np.ndarray], penalty: int, tolerance: float = TIGHT) -> tuple[float, Stopped]:
    """Seconds from the rows on, and where it stopped."""
    start = time.perf_counter()
    if penalty == SQUARE:
        signs, d = np.column_stack(targets), X.shape[1]
        begin = np.vstack([np.zeros((d, len(targets))), [[balanced(y, LOGISTIC) for y in targets]]])
        weight = np.append(np.full(d, 1.0 / C), 0.0)[:, None]
        beta = minimise_many(X, signs, LOGISTIC, weight, begin, tolerance=tolerance).beta
        return time.perf_counter() - start, [(float(b[-1]), b[:-1]) for b in beta.T]
    columns, weight = Columns.of(X), np.full(X.shape[1], 1.0 / C)
    found = [minimise(columns, y, LOGISTIC, penalty, weight, tolerance=tolerance) for y in targets]
    return time.perf_counter() - start, [(s.intercept, s.beta) for s in found]


def stand(X: Any, y: np.ndarray, penalty: int, intercept: float, w: np.ndarray) -> tuple[float, float]:
    """Return the objective and the largest violation of an optimality condition, for both in the same way."""
    z = X @ w + intercept
    g = -y * expit(-y * z)
    by_w = X.T @ g
    if penalty == ABSOLUTE:
        cost = np.abs(w).sum() / C
        off = np.where(w == 0.0, np.maximum(np.abs(by_w) - 1.0 / C, 0.0), np.abs(by_w + np.sign(w) / C))
    else:
        cost, off = 0.5 * w @ w / C, np.abs(by_w + w / C)
    return float(np.logaddexp(0.0, -y * z).sum() + cost), float(max(off.max(), abs(g.sum())))


def against_liblinear(name: str, X: Any, targets: list[np.ndarray], penalty: int, repeat: int) -> list[dict[str, Any]]:
    """Return a row for each -e; ours is at least as tight: to 1e-6, or under the Normal prior as tight as the peer."""
    solver, kind = (6, "Laplace") if penalty == ABSOLUTE else (0, "Normal")
    rows = []
    for e in STOPS[solver]:
        runs = [liblinear(X, targets, solver, e) for _ in range(repeat)]
        peer_s = min(seconds for seconds, _ in runs)
        there = [stand(X, y, penalty, *end) for y, end in zip(targets, runs[0][1])]
        tolerance = TIGHT if penalty == ABSOLUTE else max(v for _, v in there)
        runs = [ours(X, targets, penalty, tolerance) for _ in range(repeat)]
        ours_s = min(seconds for seconds, _ in runs)
        here = [stand(X, y, penalty, *end) for y, end in zip(targets, runs[0][1])]
        rows.append({"task": f"{name}: {kind}, {len(targets)} categories", "ours_s": ours_s,
                     "peer": f"LIBLINEAR -s {solver} -e {e:g}", "peer_s": peer_s, "ratio": peer_s / ours_s,
                     "ours_violation": max(v for _, v in here), "peer_violation": max(v for _, v in there),
                     "ours_objective": f"{sum(o for o, _ in here):.6f}",
                     "peer_objective": f"{sum(o for o, _ in there):.6f}"})  # fmt: skip
    return rows


def along_the_path(name: str, X: Any, targets: list[np.ndarray], repeat: int) -> list[dict[str, Any]]:
    """20 widths against the widest alone, for categories from the largest to the smallest."""
    columns, grid, rows = Columns.of(X), grid_of(Laplace()), []
    by_size = sorted(targets, key=lambda y: -float((y > 0).sum()))
    some = by_size[:: max(1, len(by_size) // 9)]
    for label, link in (("logistic", LOGISTIC), ("probit", PROBIT)):
        path_s = best(lambda k=link: [path(columns, y, k, grid, None, TIGHT) for y in some], repeat)
        one_s = best(lambda k=link: [solve(columns, y, k, grid[-1], None, TIGHT) for y in some], repeat)
        rows.append({"task": f"{name}: {label}, path of {len(grid)} widths, {len(some)} categories", "ours_s": path_s,
                     "peer": "one fit at the widest", "peer_s": one_s, "ratio": one_s / path_s})  # fmt: skip
    return rows


def against_em(name: str, X: Any, Y: Any, repeat: int) -> dict[str, Any]:
    """Measure the direct probit solver and EM on the largest category's 300 best terms."""
    label = int(np.argmax(Y.sum(axis=0)))
    terms = TermCounts().add(X, sparse.csc_matrix(Y)).select(label, max_terms=300)
    rows, y, shape = sparse.csr_matrix(X[:, terms]), np.where(Y[:, label] > 0, 1.0, -1.0), Laplace(10.0)
    _, sd = moments(rows.shape[1], shape, None)
    direct_s = best(lambda: solve(Columns.of(rows), y, PROBIT, shape, None, TIGHT), repeat)
    direct, start = solve(Columns.of(rows), y, PROBIT, shape, None, TIGHT), time.perf_counter()
    em = em_probit(rows, y, shape, sd, tolerance=1e-7)
    em_s = time.perf_counter() - start
    return {"task": f"{name}: probit, Laplace, largest category, {rows.shape[1]} terms", "ours_s": direct_s,
            "peer": "EM", "peer_s": em_s, "ratio": em_s / direct_s, "ours_objective": f"{direct.objective:.6f}",
            "peer_objective": f"{em.objective:.6f}"}  # fmt: skip


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    name, X, Y, _ = one_vs_rest_task()
    X, Y = sparse.csr_matrix(X), np.asarray(Y)
    repeat = min(options.repeat, 3)
    targets = [np.where(Y[:, c] > 0, 1.0, -1.0) for c in range(Y.shape[1]) if 0 < Y[:, c].sum() < Y.shape[0]]
    for link in (LOGISTIC, PROBIT):
        minimise(Columns.of(X[:50]), targets[0][:50], link, ABSOLUTE, np.ones(X.shape[1]))  # compile first
    ours(X[:50], [targets[0][:50]], SQUARE)
    rows = against_liblinear(name, X, targets, ABSOLUTE, repeat)
    rows += against_liblinear(name, X, targets, SQUARE, repeat)
    rows += along_the_path(name, X, targets, repeat)
    rows.append(against_em(name, X, Y, repeat))
    notes = [
        "ratio = peer_s / ours_s, one thread each. Violations are the worst of all categories, objectives their sum.",
        *(f"{row['task']}: {1 / row['ratio']:.2f} times one fit." for row in rows if "path" in row["task"]),
    ]
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
