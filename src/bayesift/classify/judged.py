"""Documents with their targets, made ready and checked: what every verb that learns or measures begins with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.documents import as_documents, own_labels
from bayesift.classify.targets import Kind, Label, as_sets, kind_of, notice_case
from bayesift.errors import BadInput


def judged(X: Any, y: Any) -> tuple[list[Any], list[tuple[Label, ...]], Kind, Any]:
    """Documents, their label sets, the kind of the targets and the targets; without what nobody judged."""
    if y is None:
        X = X.to_dict("records") if hasattr(X, "to_dict") and hasattr(X, "columns") else list(X)
        own = own_labels(X)
        X, y = [x for x, labels in zip(X, own) if labels is not None], [labels for labels in own if labels is not None]
    documents = as_documents(X)
    if isinstance(y, Iterable) and not isinstance(y, str) and not hasattr(y, "shape"):
        y = list(y)
        y = np.asarray(y) if y and isinstance(y[0], np.ndarray) and y[0].dtype.kind in "biuf" else y
    kind = kind_of(y)
    sets = as_sets(y, kind)
    if len(sets) != len(documents):
        raise BadInput(f"{len(documents)} documents and {len(sets)} targets", remedy="give one target a document")
    return documents, sets, kind, y


def check_names(names: Sequence[Label], sets: Sequence[tuple[Label, ...]], kind: Kind) -> None:
    """Refuse targets from which nothing can be learned, and say what is odd about them."""
    if not sets:
        raise BadInput("there are no judged documents", remedy="give documents with labels")
    if not names:
        raise BadInput("no document has a label", remedy="give some documents a label")
    if len(names) == 1 and (kind == "one" or all(sets)):
        raise BadInput(
            f"there is one label only, {names[0]!r}, and every document has it",
            remedy="give documents of other labels too, or some with none",
        )
    notice_case(names)


def check_terms(rows: sparse.csr_matrix) -> None:
    """Raise if the documents have no term to learn from."""
    if rows.shape[1] == 0:
        raise BadInput(
            "no term is left to learn from: the documents have no words, or only stop words and rare ones",
            remedy="lower the minimum document frequency (min_df), keep stop words, or give other documents",
        )


def as_names(names: Sequence[Label]) -> NDArray[Any]:
    """The names as an array, whatever they are."""
    found = np.empty(len(names), object)
    found[:] = names
    return found


def some(names: Sequence[Label], most: int = 20) -> str:
    """The first names, for a message."""
    return ", ".join(map(str, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")
