"""LIBSVM multi-label files: `0,4,17 12:0.05 31:0.2`, one document per line; labels first, then ascending term:weight.

A document without labels begins with its first pair (or a space). `#` begins a comment. Term numbers count from 1.
Lines are split by methods of `bytes`, which run in C; finite weights and ascending terms are checked afterwards on the
whole arrays. This is fast without a kernel.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bayesift.corpora.document import Vectors
from bayesift.errors import BadInput
from bayesift.files import open_bytes

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

_NOT_SHAPE = bytes(b for b in range(256) if b not in b": ")  # deleting these leaves the shape of a line, ": : :"


class Pairs:
    """Rows of term:weight pairs, collected line by line and checked together at the end."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.terms, self.weights = array("i"), array("d")
        self.ends, self.lines = array("q"), array("q")

    def add(self, line: int, pairs: list[bytes]) -> None:
        """Add one row; `line` is its line number in the file."""
        joined = b" ".join(pairs)
        flat = joined.replace(b":", b" ").split()
        whole = b": " * len(pairs)
        if joined.translate(None, _NOT_SHAPE) != whole[:-1] or len(flat) != 2 * len(pairs) or b"_" in joined:
            raise BadInput(f"not a term:weight pair: {_bad_pair(pairs)!r}", path=self.path, line=line)
        try:
            self.terms.extend(map(int, flat[::2]))
            self.weights.extend(map(float, flat[1::2]))
        except (ValueError, OverflowError):
            raise BadInput(f"not a term:weight pair: {_bad_pair(pairs)!r}", path=self.path, line=line) from None
        self.ends.append(len(self.terms))
        self.lines.append(line)

    def matrix(self, n_terms: int | None = None) -> csr_matrix[np.float64]:
        """Check all rows and return them as a matrix; column 0 is term 1."""
        import numpy as np
        from scipy.sparse import csr_matrix

        terms, weights = np.array(self.terms, np.int32), np.array(self.weights)
        indptr = np.concatenate([[0], np.array(self.ends, np.int64)])
        width = n_terms if n_terms is not None else int(terms.max(initial=0))
        self._check(indptr, ~np.isfinite(weights), "weight is not finite")
        self._check(indptr, (terms < 1) | (terms > width), f"term number outside 1..{width}")
        falls = np.diff(terms, prepend=0) <= 0
        falls[indptr[:-1][indptr[:-1] < len(terms)]] = False  # the first of a row may be less than the last before
        self._check(indptr, falls, "term numbers do not ascend")
        return csr_matrix((weights, terms - 1, indptr), shape=(len(self.ends), width))

    def _check(self, indptr: np.ndarray, bad: np.ndarray, reason: str) -> None:
        if bad.any():
            import numpy as np

            at = int(np.argmax(bad))
            row = int(np.searchsorted(indptr, at, side="right")) - 1
            shown = f"{self.terms[at]}:{self.weights[at]:g}"
            raise BadInput(f"{reason}: {shown}", path=self.path, line=self.lines[row])


def read_libsvm(path: str | Path, labels: Sequence[str] | None = None, n_terms: int | None = None) -> Vectors:
    """Read a multi-label file; the label numbers index `labels`, or without it they are the labels themselves.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "two.svm")
    >>> _ = file.write_text("0,2 1:0.5 3:1\\n2 2:0.25\\n")
    >>> vectors = read_libsvm(file)
    >>> vectors.X.toarray().tolist(), vectors.Y.toarray().tolist(), vectors.labels
    ([[0.5, 0.0, 1.0], [0.0, 0.25, 0.0]], [[1, 1], [0, 1]], ['0', '2'])
    """
    from bayesift.arrays import label_matrix

    pairs, given = Pairs(path), []
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            tokens = raw.split(b"#", 1)[0].split()
            if not tokens:
                if raw.strip():
                    continue
                raise BadInput("empty line", path=path, line=number, remedy="remove it")
            head = [] if b":" in tokens[0] else tokens.pop(0).split(b",")
            given.append(_label_numbers(head, path, number, None if labels is None else len(labels)))
            pairs.add(number, tokens)
    if labels is None:
        used = sorted({j for row in given for j in row})
        labels, Y = [str(j) for j in used], label_matrix(given, used)
    else:
        Y = label_matrix(given, range(len(labels)))
    return Vectors(pairs.matrix(n_terms), Y, list(labels), [str(i) for i in range(1, len(given) + 1)])


def _label_numbers(head: list[bytes], path: str | Path, line: int, n_labels: int | None) -> list[int]:
    if not all(map(bytes.isdigit, head)):
        raise BadInput(f"labels are not integers: {_show(b','.join(head))}", path=path, line=line)
    numbers = sorted(map(int, head))
    if numbers and n_labels is not None and numbers[-1] >= n_labels:
        raise BadInput(f"label {numbers[-1]} but only {n_labels} labels (from 0)", path=path, line=line)
    if len(set(numbers)) != len(numbers):
        raise BadInput("duplicate label", path=path, line=line, remedy="remove one")
    return numbers


def _bad_pair(pairs: list[bytes]) -> str:
    for pair in pairs:
        term, colon, weight = pair.partition(b":")
        try:
            if colon and b"_" not in pair and -(2**31) <= int(term) < 2**31:
                float(weight)
                continue
        except ValueError:
            pass
        return _show(pair)
    return ""


def _show(raw: bytes) -> str:
    return raw[:40].decode("utf-8", "replace")
