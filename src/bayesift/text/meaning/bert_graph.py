"""all-MiniLM-L6-v2 as an ONNX graph: a BERT of six layers, 384 numbers per token, and the mean over tokens.

    x = norm(word + place + type)
    per layer:  q, k, v = x W + b;   a = softmax(q k' / sqrt(32)) v;   x = norm(x + a W + b)
                x = norm(x + gelu(x W + b) W + b)
    vector = mean of x over all tokens

One text at a time and no padding: a text has the same vector whatever it comes with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.text.meaning.onnx_format import Graph

LAYERS, HEADS, WIDTH = 6, 12, 384
TINY = 1e-12  # epsilon of the layer norms

Tensors = Mapping[str, NDArray[Any]]


def minilm_graph(tensors: Tensors) -> bytes:
    """Return the model file: `tokens` and their `places` (whole numbers) in, `vector` out."""
    graph = Graph({"tokens": ("int64", ["n"]), "places": ("int64", ["n"])})

    def constant(name: str) -> str:
        return graph.constant(name, np.asarray(tensors[name], np.float32))

    def dense(x: str, name: str) -> Any:
        return graph.node("Gemm", x, constant(f"{name}.weight"), constant(f"{name}.bias"), transB=1)

    def norm(x: str, name: str) -> Any:
        scale, shift = constant(f"{name}.weight"), constant(f"{name}.bias")
        return graph.node("LayerNormalization", x, scale, shift, axis=-1, epsilon=TINY)

    split = graph.constant("split", np.array([0, 3, HEADS, WIDTH // HEADS]))  # 0: as many as there are tokens
    joined = graph.constant("joined", np.array([0, WIDTH]))
    one = graph.constant("one", np.array([0]))
    words = graph.node("Gather", constant("embeddings.word_embeddings.weight"), "tokens")
    at = np.asarray(tensors["embeddings.position_embeddings.weight"], np.float32)
    place = graph.constant("place", at + tensors["embeddings.token_type_embeddings.weight"][0])
    x = norm(graph.node("Add", words, graph.node("Gather", place, "places")), "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        weight, bias = _attention(tensors, f"{name}.attention.self")
        both = graph.node("Gemm", x, graph.constant(f"{name}.w", weight), graph.constant(f"{name}.b", bias), transB=1)
        parts = graph.node("Transpose", graph.node("Reshape", both, split), perm=[1, 2, 0, 3])  # (3, heads, n, 32)
        q, k, v = graph.node("Split", parts, outputs=3, axis=0, num_outputs=3)
        scores = graph.node("MatMul", q, graph.node("Transpose", k, perm=[0, 1, 3, 2]))
        heads = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), v)  # (1, heads, n, 32)
        heads = graph.node("Transpose", graph.node("Squeeze", heads, one), perm=[1, 0, 2])
        a = dense(graph.node("Reshape", heads, joined), f"{name}.attention.output.dense")
        x = norm(graph.node("Add", x, a), f"{name}.attention.output.LayerNorm")
        h = graph.node("Gelu", dense(x, f"{name}.intermediate.dense"))
        x = norm(graph.node("Add", x, dense(h, f"{name}.output.dense")), f"{name}.output.LayerNorm")
    vector = graph.node("ReduceMean", x, one, keepdims=0)
    return graph.model({vector: ("float32", [WIDTH])})


def _attention(tensors: Tensors, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the weights of queries, keys and values as one matrix; queries are divided by sqrt(32) beforehand."""
    scale = np.float32((WIDTH // HEADS) ** -0.5)
    parts = [
        [factor * np.asarray(tensors[f"{name}.{part}.{kind}"], np.float32) for kind in ("weight", "bias")]
        for part, factor in (("query", scale), ("key", np.float32(1.0)), ("value", np.float32(1.0)))
    ]
    return np.concatenate([w for w, _ in parts]), np.concatenate([b for _, b in parts])
