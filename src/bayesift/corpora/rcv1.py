"""RCV1-v2 as LYRL2004 distributes it (Lewis, Yang, Rose & Li 2004): vector files and topic qrels.

Vector file:  `2286  864:0.0497 1523:0.0444`, document then ascending term:weight, terms 1..47236.
Qrels:        `E11 2286 1`, a topic, a document and always 1; every document has a topic.
The official split is by date: documents up to 26150 train, later ones test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from bayesift.corpora.document import TEST, TRAIN, Vectors
from bayesift.corpora.libsvm import Pairs
from bayesift.errors import BadInput
from bayesift.files import open_bytes, read_lines

N_TERMS = 47236
LAST_TRAINING = 26150


def read_rcv1_qrels(path: str | Path) -> dict[str, list[str]]:
    """Return the topics of each document."""
    topics: dict[str, list[str]] = {}
    for number, line in read_lines(path):
        fields = line.split()
        if len(fields) != 3 or not fields[1].isdigit() or fields[2] != "1":
            raise BadInput("expected: topic document 1", path=path, line=number)
        topics.setdefault(fields[1], []).append(fields[0])
    return topics


def read_rcv1_vectors(
    paths: Iterable[str | Path], topics: Mapping[str, Iterable[str]], n_terms: int = N_TERMS
) -> Vectors:
    """Read vector files in order, with the topics of their documents."""
    import numpy as np
    from scipy.sparse import vstack

    from bayesift.arrays import label_matrix

    labels = sorted({topic for names in topics.values() for topic in names})
    blocks, ids, given = [], [], []
    for path in paths:
        pairs = Pairs(path)
        with open_bytes(path) as stream:
            for number, raw in enumerate(stream, start=1):
                name, *tokens = raw.split() or [b""]
                document = name.decode("ascii", "replace")
                if not document.isdigit() or document not in topics:
                    why = "has no topic in the qrels" if document.isdigit() else "is not a document number"
                    raise BadInput(f"{document[:40]!r} {why}", path=path, line=number)
                pairs.add(number, tokens)
                ids.append(document)
                given.append(tuple(topics[document]))
        blocks.append(pairs.matrix(n_terms))
    X = vstack(blocks, format="csr")
    return Vectors(X, label_matrix(given, labels), labels, ids, None, np.array([_side(i) for i in ids]))


def _side(document: str) -> str:
    return TRAIN if int(document) <= LAST_TRAINING else TEST
