"""SIAM Text Mining Competition 2007 (NASA ASRS reports): sparse ARFF, label matrices, and a few texts.

`tmc2007-500-{train,test}.arff`: 500 words and 22 labels, all {0,1}; a row is `{19 1,35 1}` with attributes counted from
0. The labels are the LAST 22 attributes: some words begin with "class" too. `TrainCategoryMatrix.csv` and
`TestTruth.csv` repeat the labels as rows of 1 and -1 and must agree with the ARFF.
`TrainingData_small.txt`: `number~text`, the first training reports as written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bayesift.corpora.data_dir import file_in
from bayesift.corpora.document import TEST, TRAIN, Document, Vectors
from bayesift.corpora.libsvm import Pairs
from bayesift.errors import BadInput
from bayesift.files import read_lines

N_LABELS = 22


def read_arff(path: str | Path, n_labels: int) -> Vectors:
    """Read sparse ARFF whose attributes are all {0,1} and whose last `n_labels` attributes are the labels."""
    from bayesift.arrays import label_matrix

    names: list[str] = []
    pairs, given = Pairs(path), []
    in_data = False
    for number, line in read_lines(path):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            row = _sparse_row(line, len(names), path, number)
            cut = len(names) - n_labels
            pairs.add(number, [b"%d:1" % (j + 1) for j in row if j < cut])
            given.append([j - cut for j in row if j >= cut])
        elif line.lower().startswith("@attribute"):
            names.append(_attribute(line, path, number))
        elif line.lower() == "@data":
            in_data = True
        elif not line.lower().startswith("@relation"):
            raise BadInput(f"not ARFF: {line[:40]!r}", path=path, line=number)
    if not in_data or len(names) <= n_labels:
        raise BadInput(f"no @data, or not more than {n_labels} attributes", path=path)
    words, labels = names[:-n_labels], names[-n_labels:]
    ids = [str(i) for i in range(1, len(given) + 1)]
    return Vectors(pairs.matrix(len(words)), label_matrix(given, range(n_labels)), labels, ids, words)


def read_label_matrix(path: str | Path, n_labels: int = N_LABELS) -> list[list[int]]:
    """Read rows of 1 and -1; return the label numbers of each row."""
    rows = []
    for number, line in read_lines(path):
        cells = line.strip().split(",")
        if len(cells) != n_labels or not set(cells) <= {"1", "-1"}:
            raise BadInput(f"expected {n_labels} cells of 1 or -1", path=path, line=number)
        rows.append([j for j, cell in enumerate(cells) if cell == "1"])
    return rows


def read_tmc2007(folder: Path) -> Vectors:
    """Read both sides, training first, and check the labels against the official matrices."""
    import numpy as np
    from scipy.sparse import vstack

    from bayesift.arrays import label_matrix

    parts = []
    for side, matrix in ((TRAIN, "TrainCategoryMatrix.csv"), (TEST, "TestTruth.csv")):
        part = read_arff(file_in(folder, f"tmc2007-500-{side}.arff"), N_LABELS)
        truth = file_in(folder, matrix)
        official = label_matrix(read_label_matrix(truth), range(N_LABELS))
        if official.shape != part.Y.shape:
            raise BadInput(f"{official.shape[0]} rows, the ARFF has {len(part)}", path=truth)
        wrong = np.flatnonzero(abs(official - part.Y).sum(axis=1))
        if len(wrong):
            raise BadInput("labels differ from the ARFF's", path=truth, line=int(wrong[0]) + 1)
        parts.append(part)
    train, test = parts
    if train.terms != test.terms or train.labels != test.labels:
        raise BadInput("training and test files name different attributes", path=folder)
    sides = np.array([TRAIN] * len(train) + [TEST] * len(test))
    ids = [f"{side}-{i}" for side, part in ((TRAIN, train), (TEST, test)) for i in part.ids]
    X, Y = vstack([train.X, test.X], format="csr"), vstack([train.Y, test.Y], format="csr")
    return Vectors(X, Y, train.labels, ids, train.terms, sides)


def read_tmc_texts(folder: Path) -> Iterator[Document]:
    """Yield the training reports that are available as text, with their labels."""
    rows = read_label_matrix(file_in(folder, "TrainCategoryMatrix.csv"))
    path = file_in(folder, "TrainingData_small.txt")
    for number, line in read_lines(path):
        report, tilde, text = line.partition("~")
        if not tilde or not report.isdigit() or not 1 <= int(report) <= len(rows):
            raise BadInput("expected number~text", path=path, line=number)
        labels = tuple(f"class{j + 1:02}" for j in rows[int(report) - 1])
        yield Document(f"{TRAIN}-{report}", body=text, labels=labels, split=TRAIN)


def _attribute(line: str, path: str | Path, number: int) -> str:
    name, _, values = line[len("@attribute") :].strip().rpartition("{")
    if not name or values.replace(" ", "") != "0,1}":
        raise BadInput("expected @attribute NAME {0,1}", path=path, line=number)
    return name.strip().strip("'\"")


def _sparse_row(line: str, width: int, path: str | Path, number: int) -> list[int]:
    row: list[int] = []
    if not (line.startswith("{") and line.endswith("}")):
        raise BadInput("expected a sparse row, {19 1,35 1}", path=path, line=number)
    for pair in line[1:-1].split(",") if line != "{}" else ():
        place, _, value = pair.strip().partition(" ")
        if not place.isdigit() or value not in ("0", "1"):
            raise BadInput(f"not 'attribute 0' or 'attribute 1': {pair[:40]!r}", path=path, line=number)
        if int(place) >= width or (row and int(place) <= row[-1]):
            raise BadInput(f"attributes must ascend and be below {width}: {pair!r}", path=path, line=number)
        if value == "1":
            row.append(int(place))
    return row
