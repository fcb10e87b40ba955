"""Validate and normalise (X, y) for fit, score and evaluate."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.classify.alike_labels import notice_case
from bayesift.classify.input_documents import as_documents, column_values, is_frame, text_columns, with_own_labels
from bayesift.classify.input_labels import Kind, Label, as_sets, check_spelling, label_array, read_targets
from bayesift.errors import BadInput
from bayesift.text.documents import is_missing

LAST_SEED = (1 << 64) - 1
SEPARATOR = re.compile(r"[;,|]")  # between the labels in a cell


def labelled(
    X: Any, y: Any, columns: Sequence[str] | None = None
) -> tuple[Sequence[Any], list[tuple[Label, ...]], Kind, Any]:
    """Return labelled documents, their label sets, the kind of the targets and the targets.

    Without targets the documents' own labels are taken, and unlabelled documents are left out. `columns` are those of
    the data frame that was learned, if one was.
    """
    if y is None:
        X, y = with_own_labels(X)
    y, kind = read_targets(y)
    sets = as_sets(y, kind)
    if is_frame(X) and columns is None:
        _no_target_among(X, sets)
    documents = as_documents(X, columns)
    if len(sets) != len(documents):
        raise BadInput(f"{len(documents)} documents and {len(sets)} targets", remedy="give one target per document")
    for row, labels in enumerate(sets):
        check_spelling(labels, f"document {row} has")
    return documents, sets, kind, y


def check_seed(seed: Any) -> None:
    """Raise unless the random seed is a whole number that a generator takes."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= LAST_SEED:
        raise BadInput(f"the random seed is {seed!r}", remedy=f"give a whole number from 0 to {LAST_SEED}")


def checked_number(max_terms: Any) -> int:
    """Return how many terms to show; raise unless it is a whole number from 0 on."""
    if isinstance(max_terms, bool) or not isinstance(max_terms, int | np.integer) or max_terms < 0:
        raise BadInput(f"max_terms is {max_terms!r}", remedy="give a whole number from 0 on")
    return int(max_terms)


def check_names(names: Sequence[Label], kind: Kind, documents: int, fewest: int, most: int) -> None:
    """Raise on targets from which nothing can be learned; warn about suspicious label names.

    `fewest` and `most` are the numbers of labels that a document has.
    """
    if not documents:
        raise BadInput("there are no labelled documents", remedy="give documents with labels")
    if not names or not most:
        raise BadInput("no document has a label", remedy="give some documents a label")
    if len(names) == 1 and (kind == "one" or fewest):
        raise BadInput(
            f"there is one label only, {names[0]!r}, and every document has it",
            remedy="give documents of other labels too, or some with none",
        )
    notice_case(names)


def check_terms(terms: int, begins_stream: bool = False) -> None:
    """Raise if the documents have no term to learn from."""
    if terms == 0 and begins_stream:
        raise BadInput(
            "the first documents of the stream have no words, or only stop words",
            remedy="begin with a document that has words; later ones may be empty",
        )
    if terms == 0:
        raise BadInput(
            "no term is left to learn from: the documents have no words, or only stop words and rare ones",
            remedy="lower the minimum document frequency (min_df, --min-df), keep stop words, or give other documents",
        )


def as_names(names: Sequence[Label]) -> NDArray[Any]:
    """Return the names as an array: of numbers where all are numbers, else of objects.

    >>> as_names([0, 1]).dtype.kind, as_names(["a", "b"]).dtype.kind
    ('i', 'O')
    """
    numbers = len(names) > 0 and all(isinstance(name, int) for name in names)
    return label_array(names) if numbers else np.fromiter(names, object, len(names))


def some(names: Sequence[Label], most: int = 20) -> str:
    """Return the first names, for a message."""
    return ", ".join(map(str, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def _no_target_among(frame: Any, sets: Sequence[tuple[Label, ...]]) -> None:
    """Raise if a text column of the data frame holds the labels themselves."""
    wanted = [{str(label) for label in labels} for labels in sets]
    if len(set(sets)) < 2 or len(frame) != len(sets):
        return
    for column in text_columns(frame):
        if all(_holds(cell, labels) for cell, labels in zip(column_values(frame, column), wanted)):
            remedy = f"leave it out: frame.drop(columns={column!r})"
            raise BadInput(f"column {column!r} of the data frame holds the labels to be learned", remedy=remedy)


def _holds(cell: Any, labels: set[str]) -> bool:
    """Return whether the value of a cell is these labels, as one text, separated, or as a collection."""
    if isinstance(cell, str):
        parts = {part.strip() for part in SEPARATOR.split(cell)} - {""}
        return labels in (parts, {cell.strip()})
    if isinstance(cell, Collection):
        return {str(label) for label in cell} == labels
    return labels <= {""} if is_missing(cell) else {str(cell)} == labels
