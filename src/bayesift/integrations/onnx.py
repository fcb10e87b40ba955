"""ONNX: the classifier of vectors as a graph, which any runtime of ONNX runs without bayesift.

Vectors go in, (documents, terms) in double precision, as `TextClassifier.vectorize` makes them; probabilities
(documents, labels) and labels of 0 and 1 come out. The names of the labels are in the metadata of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.special import logit

from bayesift import __version__
from bayesift.beliefs.other_labels import FARTHEST, SURE
from bayesift.classify.text_classifier import TextClassifier
from bayesift.decide.calibration import BINS, PER_UNIT, REACH
from bayesift.files import write_whole
from bayesift.integrations.linear_model import LinearModel, linear_model
from bayesift.learn.base import TINY
from bayesift.text.meaning.onnx_format import Graph

FAR = 1e3  # in log-odds
LEAST = 1e-12


def write_onnx(model: TextClassifier, path: str | Path) -> None:
    """Write the graph of a model to a file.

    Parameters
    ----------
    model : TextClassifier
        A fitted model with the learner multilabel or bomc.
    path : str or Path
        The file.

    Raises
    ------
    BadInput
        If the model is of another kind.

    Examples
    --------
    >>> import tempfile
    >>> from bayesift import TextClassifier
    >>> model = TextClassifier().fit(["corn rose", "oil fell"] * 10, [("grain",), ("crude",)] * 10)
    >>> write_onnx(model, f"{tempfile.mkdtemp()}/news.onnx")
    """
    found = linear_model(model)
    with write_whole(Path(path)) as out:
        out.write(onnx_graph(found))


def onnx_graph(found: LinearModel) -> bytes:
    """Return the model file of a graph."""
    maker = _Maker(Graph({"vectors": ("float64", ["documents", found.mean.shape[0]])}))
    p = maker.probabilities(found)
    graph = maker.graph
    shape: list[int | str] = ["documents", len(found.labels)]
    graph.output("probabilities", p)
    graph.output("labels", graph.node("Cast", maker.labels(p, found), to=7))
    about = {"labels": msgspec.json.encode(found.labels).decode(), "bayesift": __version__}
    return graph.model({"probabilities": ("float64", shape), "labels": ("int64", shape)}, about)


class _Maker:
    """Adds the operators of a model to a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self._constants = graph, 0

    def number(self, value: Any, dtype: Any = np.float64) -> str:
        self._constants += 1
        return self.graph.constant(f"c{self._constants}", np.asarray(value, dtype))

    def clip(self, x: str, low: float, high: float) -> Any:
        return self.graph.node("Min", self.graph.node("Max", x, self.number(low)), self.number(high))

    def log_odds(self, p: str, tiny: float) -> Any:
        node = self.graph.node
        q = self.clip(p, tiny, 1.0 - tiny)
        return node("Log", node("Div", q, node("Sub", self.number(1.0), q)))

    def probabilities(self, found: LinearModel) -> Any:
        node, X = self.graph.node, "vectors"
        m = node("Sub", node("MatMul", X, self.number(found.mean)), self.number(found.bias))
        square = node("MatMul", node("Mul", X, X), self.number(found.variance))
        z = node("Div", m, node("Sqrt", node("Add", square, self.number(found.bias_variance + found.noise))))
        inside = node("Add", self.clip(z, -4.0 * REACH, 4.0 * REACH), self.number(REACH))
        place = node("Sub", node("Mul", inside, self.number(PER_UNIT)), self.number(0.5))
        b = node("Floor", self.clip(place, 0.0, BINS - 2.0))
        first = self.number(BINS * np.arange(len(found.labels)), np.int64)
        at = node("Add", node("Cast", b, to=7), first)
        curves = self.number(found.curves.ravel())
        low = node("Gather", curves, at)
        high = node("Gather", curves, node("Add", at, self.number(1, np.int64)))
        line = node("Add", low, node("Mul", node("Sub", place, b), node("Sub", high, low)))
        weight = node("ReduceSum", node("Abs", X), self.number([1], np.int64), keepdims=1)
        empty = node("Equal", weight, self.number(0.0))
        shifted = node("Add", line, self.number(found.shift))
        z = node("Where", empty, self.number(found.usual), shifted)
        return self.single(z, empty, found) if found.single else node("Sigmoid", z)

    def single(self, z: str, empty: str, found: LinearModel) -> Any:
        """Return the shares of labels of which each document has exactly one (`decide.single_label`)."""
        node = self.graph.node
        log_p, log_not = (node("Log", self.clip(node("Sigmoid", x), 1e-300, 1.0)) for x in (z, node("Neg", z)))
        a, b = (self.number(power) for power in found.powers)
        u = node("Where", empty, log_p, node("Sub", node("Mul", a, log_p), node("Mul", b, log_not)))
        return node("Softmax", u, axis=1)

    def labels(self, p: str, found: LinearModel) -> Any:
        """Return whether each label is given."""
        node, n = self.graph.node, len(found.labels)
        if found.single:
            return self.best(p, n)
        thresholds = self.thresholds(p, found)
        given = node("Greater", p, thresholds)
        if found.alone or not (found.always_one or found.at_most_one):
            return given
        number = node("ReduceSum", node("Cast", given, to=7), self.number([1], np.int64), keepdims=1)
        none = node("And", node("Equal", number, self.number(0, np.int64)), self.truth(found.always_one))
        many = node("And", node("Greater", number, self.number(1, np.int64)), self.truth(found.at_most_one))
        near = node("Sub", self.log_odds(p, TINY), self.log_odds(thresholds, TINY))
        usual = node("LessOrEqual", p, node("Sigmoid", self.number(found.usual)))
        near = node("Sub", near, node("Mul", node("Cast", usual, to=11), self.number(FAR)))
        other = node("Or", none, many)  # `Where` takes no bools everywhere
        return node("Or", node("And", other, self.best(near, n)), node("And", node("Not", other), given))

    def thresholds(self, p: str, found: LinearModel) -> Any:
        """Return the threshold of each label in each document."""
        node, n = self.graph.node, len(found.labels)
        finite = np.where(np.isfinite(found.thresholds), found.thresholds, 2.0)
        if not any(found.competition):
            return self.number(np.broadcast_to(finite, (1, n)))
        a, b, *agree = found.competition
        if n == 1:
            other: Any = self.number(np.zeros((1, n)))
        else:
            values, _ = node("TopK", p, self.number([2], np.int64), outputs=2, axis=1)
            first, second = node("Split", values, outputs=2, axis=1, num_outputs=2)
            other = node("Where", self.best(p, n), second, first)
        room = node("Log", node("Sub", self.number(1.0), node("Min", other, self.number(SURE))))
        moved = node("Add", self.number(a), node("Mul", self.number(b), room))
        for weight, gap in zip(agree, self.contradictions(p, found)):
            moved = node("Add", moved, node("Mul", self.number(weight), gap))
        base = self.number(logit(np.clip(finite, LEAST, 1.0 - LEAST))[None])
        return node("Sigmoid", node("Sub", base, moved))

    def contradictions(self, p: str, found: LinearModel) -> Iterator[Any]:
        """Yield how far each label is above those that it implies, and below those that imply it (`other_labels`)."""
        if not found.implied.size:
            return
        node, n = self.graph.node, len(found.labels)
        z = self.log_odds(p, LEAST)
        rows, columns = (node("Unsqueeze", z, self.number([axis], np.int64)) for axis in (2, 1))
        gap = node("Sub", columns, rows)  # of a label (rows) to another one (columns)
        implies = np.zeros((n, n), np.bool_)
        implies[tuple(found.implied)] = True
        above = node("Where", self.number(implies[None], np.bool_), gap, self.number(0.0))
        below = node("Where", self.number(implies.T[None], np.bool_), gap, self.number(0.0))
        least = node("ReduceMin", above, self.number([2], np.int64), keepdims=0)
        most = node("ReduceMax", below, self.number([2], np.int64), keepdims=0)
        yield node("Max", node("Min", least, self.number(0.0)), self.number(-FARTHEST))
        yield node("Min", node("Max", most, self.number(0.0)), self.number(FARTHEST))

    def best(self, values: str, n: int) -> Any:
        """Return True at the first of the largest values of each document."""
        top = self.graph.node("ArgMax", values, axis=1, keepdims=1)
        return self.graph.node("Equal", top, self.number(np.arange(n)[None], np.int64))

    def truth(self, value: bool) -> str:
        return self.number(value, np.bool_)
