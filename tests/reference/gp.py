"""Gaussian process learning in plain NumPy: exact over all documents, and sparse by the textbook."""

import numpy as np


def gram(kind, a, b):
    """Kernel values of the rows of a with those of b, without jitter."""
    dot = a @ b.T
    if kind == "linear":
        return dot + 1.0
    if kind == "poly":
        return (dot + 1.0) ** 2
    return np.exp(-0.5 * ((a**2).sum(1)[:, None] + (b**2).sum(1) - 2.0 * dot))


def exact(kind, moments, x, y, new, passes=1, jitter=1e-4):
    """Mean and variance at `new` by moment matching over the values of the field itself, at all documents at once."""
    both = np.vstack([x, new])
    mean, cov = np.zeros(len(both)), gram(kind, both, both) + jitter * np.eye(len(both))
    for _ in range(passes):
        for t in range(len(x)):
            _, g1, g2 = moments(y[t], mean[t], cov[t, t])
            s = cov[:, t].copy()
            mean += g1 * s
            cov += g2 * np.outer(s, s)
    return mean[len(x) :], np.diag(cov)[len(x) :]


def sparse(kind, moments, x, y, new, cap, tolerance, passes=1, jitter=1e-4):
    """Mean and variance at `new`, and the documents kept, by Csato & Opper's steps: come first, go after."""
    kept, alpha, c = [], np.zeros(0), np.zeros((0, 0))
    for _ in range(passes):
        for t in range(len(x)):
            k = gram(kind, x[kept], x[t : t + 1])[:, 0] + jitter * (np.array(kept, int) == t)
            own = gram(kind, x[t : t + 1], x[t : t + 1])[0, 0] + jitter
            q = np.linalg.inv(gram(kind, x[kept], x[kept]) + jitter * np.eye(len(kept)))
            e = q @ k
            gamma = own - k @ e
            _, g1, g2 = moments(y[t], alpha @ k, own + k @ c @ k)
            if abs(g1) * gamma > tolerance and gamma > 1e-10 * own:
                kept.append(t)
                s, alpha, c = np.append(c @ k, 1.0), np.append(alpha, 0.0), np.pad(c, (0, 1))
            else:
                s = c @ k + e
            alpha, c = alpha + g1 * s, c + g2 * np.outer(s, s)
            if len(kept) > cap:
                q = np.linalg.inv(gram(kind, x[kept], x[kept]) + jitter * np.eye(len(kept)))
                i = int(np.argmin(np.abs(alpha) / np.diag(q)))
                r = [j for j in range(len(kept)) if j != i]
                qs, cs = q[r, i], c[r, i]
                alpha = alpha[r] - alpha[i] * qs / q[i, i]
                c = (
                    c[np.ix_(r, r)]
                    + c[i, i] * np.outer(qs, qs) / q[i, i] ** 2
                    - (np.outer(qs, cs) + np.outer(cs, qs)) / q[i, i]
                )
                kept = [kept[j] for j in r]
    k = gram(kind, x[kept], new)
    own = np.diag(gram(kind, new, new)) + jitter
    return alpha @ k, own + (k * (c @ k)).sum(0), kept
