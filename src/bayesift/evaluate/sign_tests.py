"""Sign tests between two systems A and B (Yang & Liu, SIGIR 1999), as in chai2002 table 3.

n  pairs in which A and B differ (ties are left out);  k  those in which A is better.
Under the null hypothesis k ~ Bin(n, 1/2). The P-value is one-sided, in the direction of the better system:
P(Z >= k) if k >= n/2, else P(Z <= k), always exact (Yang & Liu take the normal approximation for n > 12).
  micro, s-test   over all decisions (document, label): who is right
  macro, S-test   over labels: whose F_1 is higher
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from bayesift.arrays import LabelMatrix
from bayesift.errors import BadInput
from bayesift.evaluate.counts import as_label_pair, counts
from bayesift.evaluate.labels import f_measures

STRONG, WEAK = 0.01, 0.05  # chai2002, under table 3


@dataclass(frozen=True)
class SignTest:
    """Sign test: the pairs in which A is better than B (`wins`) and B than A (`losses`), and the P-value.

    >>> SignTest(wins=5, losses=0).p_value  # 1/32
    0.03125
    >>> [SignTest(*pair).sign for pair in [(9, 0), (5, 0), (4, 0), (0, 5), (0, 9)]]
    ['>>', '>', '~', '<', '<<']
    >>> SignTest(wins=0, losses=0).p_value
    1.0
    """

    wins: int
    losses: int

    @property
    def n(self) -> int:
        """Pairs that are not ties."""
        return self.wins + self.losses

    @property
    def p_value(self) -> float:
        """One-sided P(Z >= max(wins, losses)), Z ~ Bin(n, 1/2); 1 if all pairs are ties."""
        if self.n == 0:
            return 1.0
        k = max(self.wins, self.losses)
        return float(special.betainc(k, self.n - k + 1, 0.5))  # the binomial tail from k on

    @property
    def sign(self) -> str:
        """`>>` or `<<` if the P-value is at most 0.01, `>` or `<` if at most 0.05, else `~`."""
        p = self.p_value
        strength = 2 if p <= STRONG else 1 if p <= WEAK else 0
        return (">" if self.wins > self.losses else "<") * strength or "~"


def sign_test(first: npt.ArrayLike, second: npt.ArrayLike) -> SignTest:
    """Compare two systems by paired scores, one pair per label, topic or run; higher is better.

    >>> sign_test([0.9, 0.8, 0.5, 0.7], [0.6, 0.7, 0.5, 0.8])  # the third is a tie
    SignTest(wins=2, losses=1)
    """
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise BadInput(
            f"expected two lists of the same length, but their shapes are {a.shape} and {b.shape}",
            remedy="pass one score per pair for each system",
        )
    if np.isnan(a).any() or np.isnan(b).any():
        raise BadInput("some scores are nan", remedy="leave out pairs that have no score")
    return SignTest(wins=int((a > b).sum()), losses=int((a < b).sum()))


def micro_sign_test(truth: LabelMatrix, first: LabelMatrix, second: LabelMatrix) -> SignTest:
    """Compare two systems over all decisions (s-test).

    >>> micro_sign_test([[1, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 0]])
    SignTest(wins=2, losses=0)
    """
    t, a = as_label_pair(truth, first, "first")
    _, b = as_label_pair(truth, second, "second")
    # Where A and B differ one of them is right, so disagreements are enough: |x xor y| = |x| + |y| - 2 |xy|.
    differ, wrong_a, wrong_b = (x.nnz + y.nnz - 2 * x.multiply(y).nnz for x, y in ((a, b), (a, t), (b, t)))
    wins = (differ + wrong_b - wrong_a) // 2
    return SignTest(wins=int(wins), losses=int(differ - wins))


def macro_sign_test(
    truth: LabelMatrix, first: LabelMatrix, second: LabelMatrix, empty: float = 0.0
) -> SignTest:
    """Compare two systems over the F_1 of each label (S-test); `empty` as in `f_measures`.

    >>> macro_sign_test([[1, 0], [1, 1]], [[1, 0], [1, 0]], [[1, 1], [0, 1]])  # 1, 0 against 2/3, 2/3
    SignTest(wins=1, losses=1)
    """
    return sign_test(
        f_measures(counts(truth, first), empty=empty), f_measures(counts(truth, second), empty=empty)
    )
