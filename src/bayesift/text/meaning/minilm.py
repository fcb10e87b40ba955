"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019) through onnxruntime and tokenizers, without torch.

The ONNX graph is built once from the official weights (`bert_graph`) and kept in the user's cache directory, and so are
the vectors of texts. A text is cut after 256 tokens, as its authors do; its vector has unit length.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.files import write_whole
from bayesift.progress import announce
from bayesift.text.meaning.bert_graph import WIDTH, minilm_graph
from bayesift.text.meaning.vector_cache import VectorCache, key_of
from bayesift.text.meaning.weight_file import DIGEST, TOKENIZER, WEIGHTS, find_weights

Singles = NDArray[np.float32]
LONGEST = 256  # tokens of a text that are read
VERSION = 1  # of the graph that is built; another one is another file


class MiniLM:
    """An encoder of English texts: 384 numbers per text.

    Parameters
    ----------
    folder : str, optional
        Folder with the official model.safetensors and tokenizer.json; by default they are looked for, see
        `weight_file`.
    cache : Path, optional
        Directory of the graph and of vectors; by default the user's cache directory.

    Raises
    ------
    BadInput
        If onnxruntime or tokenizers is not installed, or the weights are not the official ones.
    NotFound
        If there are no weights.
    """

    width = WIDTH

    def __init__(self, folder: str | None = None, cache: Path | None = None) -> None:
        check_extra()
        self._folder = find_weights(folder)
        self._cache = _cache_directory() if cache is None else cache
        self._vectors = VectorCache(self._cache / f"{_NAME}-vectors.sqlite")
        self._opened: tuple[Any, Any] | None = None  # tokenizer and session

    def encode(self, texts: list[str]) -> Singles:
        """Return one vector of unit length per text: (texts, 384)."""
        keys = [key_of(text) for text in texts]
        found = self._vectors.get(keys)
        missing = {key: text for key, text in zip(keys, texts) if key not in found}
        if missing:
            with ThreadPoolExecutor(min(len(missing), os.cpu_count() or 1)) as pool:
                self._open()
                new = dict(zip(missing, pool.map(self._vector, missing.values())))
            self._vectors.put(new.items())
            found |= new
        return np.array([found[key] for key in keys], np.float32).reshape(-1, WIDTH)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_opened": None}  # a copy opens its own session

    def _vector(self, text: str) -> Singles:
        tokenizer, session = self._open()
        tokens = np.array(tokenizer.encode(text).ids, np.int64)
        (x,) = session.run(None, {"tokens": tokens, "places": np.arange(tokens.size)})
        return np.asarray(x / np.sqrt(np.dot(x, x)), np.float32)

    def _open(self) -> tuple[Any, Any]:
        """Return tokenizer and session, opened when first needed."""
        if self._opened is None:
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
            tokenizer.no_padding()
            tokenizer.enable_truncation(LONGEST)
            self._opened = tokenizer, _session(self._graph())
        return self._opened

    def _graph(self) -> str | bytes:
        """Return the path of the graph, or where the cache cannot be written the graph itself."""
        path = self._cache / f"{_NAME}.onnx"
        if path.is_file():
            return str(path)
        from safetensors.numpy import load_file

        announce("building the graph of all-MiniLM-L6-v2, once")
        graph = minilm_graph(load_file(self._folder / WEIGHTS))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with write_whole(path) as out:
                out.write(graph)
        except (OSError, BadInput):
            return graph
        return str(path)


_NAME = f"minilm-{DIGEST[:12]}-{VERSION}"


def check_extra() -> None:
    """Raise unless onnxruntime and tokenizers are installed."""
    from importlib.util import find_spec

    missing = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    if missing:
        what = f"the meaning minilm needs {' and '.join(missing)}, which is not installed"
        raise BadInput(what, remedy="pip install 'bayesift[meaning]'")


def _session(graph: str | bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # texts are encoded side by side, and none depends on the number of threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _cache_directory() -> Path:
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("bayesift"), "meaning")
