"""From a file of texts to a trained model, and to predictions: how fast, and how good?

`TextClassifier` at its defaults against scikit-learn (TfidfVectorizer + one-vs-rest LinearSVC), Vowpal Wabbit
(--multilabel_oaa) and fastText (-loss ova), each at its natural threshold. All begin with the same JSON-lines file and
read it with the same reader; peers that want a file of their own write it within the time measured. Ours is compiled
before it is measured, as the peers are. Same process, in turns, the best of some rounds. A peer that is not installed
or does not run is left out, with the reason.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _run import arguments, show
from bayesift import TextClassifier
from bayesift.corpora import load_corpus, read_documents, write_jsonl
from bayesift.errors import NotFound
from bayesift.evaluate import f_measure

WORD = re.compile(r"[a-z0-9]+")
Labels = list[tuple[str, ...]]


class Ours:
    """The defaults; `together` decides all test documents at once."""

    name = "bayesift"

    def train(self, file: Path, folder: Path) -> None:
        """Read and learn."""
        self.model = TextClassifier().fit(list(read_documents(file)))

    def predict(self, file: Path) -> Labels:
        """Read and decide, each document on its own."""
        return self.model.predict(list(read_documents(file)))


class OursTogether(Ours):
    """As above, all test documents at once."""

    name = "bayesift, together"

    def predict(self, file: Path) -> Labels:
        """Read and decide."""
        return self.model.predict(list(read_documents(file)), together=True)


class ScikitLearn:
    """TfidfVectorizer and LinearSVC, one-vs-rest, as its user guide has it."""

    name = "scikit-learn TfidfVectorizer + LinearSVC"

    def train(self, file: Path, folder: Path) -> None:
        """Read and learn."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.multiclass import OneVsRestClassifier
        from sklearn.preprocessing import MultiLabelBinarizer
        from sklearn.svm import LinearSVC

        texts, labels = _texts(file)
        self.names, self.vectorizer = MultiLabelBinarizer(sparse_output=True), TfidfVectorizer(sublinear_tf=True)
        Y = self.names.fit_transform(labels)
        self.model = OneVsRestClassifier(LinearSVC()).fit(self.vectorizer.fit_transform(texts), Y)

    def predict(self, file: Path) -> Labels:
        """Read and decide."""
        return self.names.inverse_transform(self.model.predict(self.vectorizer.transform(_texts(file)[0])))


class VowpalWabbit:
    """--multilabel_oaa with the logistic loss, one pass."""

    name = "Vowpal Wabbit --multilabel_oaa, 1 pass"
    passes = 1

    def train(self, file: Path, folder: Path) -> None:
        """Write its format, and let it read that."""
        from vowpalwabbit import Workspace

        texts, labels = _texts(file)
        self.names = sorted({label for some in labels for label in some})
        number = {name: str(c) for c, name in enumerate(self.names)}
        own, cache = folder / "train.vw", folder / "train.cache"
        cache.unlink(missing_ok=True)
        own.write_text("".join(self._line(t, ",".join(number[c] for c in some)) for t, some in zip(texts, labels)))
        self.model = Workspace(
            f"--multilabel_oaa {len(self.names)} --loss_function logistic -b 24 --passes {self.passes}"
            f" --cache_file {cache} --holdout_off -d {own} --quiet"
        )

    def predict(self, file: Path) -> Labels:
        """One document after another."""
        texts, _ = _texts(file)
        found = (self.model.predict(self._line(text, "")) for text in texts)
        return [tuple(self.names[c] for c in some) for some in found]

    def _line(self, text: str, labels: str) -> str:
        return f"{labels} | {' '.join(WORD.findall(text.lower()))}\n"


class VowpalWabbitLonger(VowpalWabbit):
    """As above, ten passes: one is far from its best."""

    name = "Vowpal Wabbit --multilabel_oaa, 10 passes"
    passes = 10


class FastText:
    """-loss ova, two threads."""

    name = "fastText -loss ova"

    def train(self, file: Path, folder: Path) -> None:
        """Write its format, and let it read that."""
        import fasttext

        texts, labels = _texts(file)
        own = folder / "train.ft"
        tags = ([f"__label__{c}" for c in some] for some in labels)
        lines = (" ".join([*some, *WORD.findall(t.lower())]) for t, some in zip(texts, tags))
        own.write_text("\n".join(lines) + "\n")
        self.model = fasttext.train_supervised(str(own), loss="ova", epoch=25, lr=0.5, thread=2, verbose=0)

    def predict(self, file: Path) -> Labels:
        """One document after another, past a wrapper that NumPy 2 breaks."""
        found = []
        for text in _texts(file)[0]:
            pairs = self.model.f.predict(" ".join(WORD.findall(text.lower())) + "\n", -1, 0.5, "strict")
            found.append(tuple(label.removeprefix("__label__") for _, label in pairs))
        return found


def _texts(file: Path) -> tuple[list[str], list[tuple[str, ...]]]:
    documents = list(read_documents(file))
    return [f"{d.title}\n{d.body}" for d in documents], [d.labels or () for d in documents]


def corpora() -> dict[str, Callable[[], Any]]:
    """Return a loader for each corpus."""
    return {
        "reuters21578": lambda: load_corpus("reuters21578", split="modapte").split(),
        "ohsumed91": lambda: load_corpus("ohsumed91").split(),
        "docstrings": lambda: load_corpus("docstrings").split(),
    }


def matrix(labels: Labels, names: list[str]) -> np.ndarray:
    """(documents, labels) of bool."""
    number = {name: c for c, name in enumerate(names)}
    found = np.zeros((len(labels), len(names)), bool)
    for i, some in enumerate(labels):
        found[i, [number[c] for c in some if c in number]] = True
    return found


def measure(system: Any, folder: Path) -> tuple[float, float, Labels]:
    """Seconds to a model and to predictions, and the predictions."""
    start = time.perf_counter()
    system.train(folder / "train.jsonl", folder)
    middle = time.perf_counter()
    labels = system.predict(folder / "test.jsonl")
    return middle - start, time.perf_counter() - middle, labels


def in_turns(systems: list[Any], folder: Path, repeat: int) -> Iterator[tuple[Any, float, float, Labels, str]]:
    """Each system in turn, some rounds: what else the machine does falls on all alike. The best of each counts."""
    runs: dict[str, list[tuple[float, float, Labels]]] = {system.name: [] for system in systems}
    wrong: dict[str, str] = {}
    for _ in range(repeat):
        for system in systems:
            try:
                if system.name not in wrong:
                    runs[system.name].append(measure(system, folder))
            except Exception as error:  # an error of a peer is reported and does not stop the run
                wrong[system.name] = f"{type(error).__name__}: {error}"
    for system in systems:
        if system.name in wrong:
            yield system, 0.0, 0.0, [], wrong[system.name]
        else:
            done = runs[system.name]
            yield system, min(r[0] for r in done), min(r[1] for r in done), done[0][2], ""


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    TextClassifier().fit(["corn fell", "oil rose"] * 9, [("corn",), ("oil",)] * 9).predict(["corn"], together=True)
    for corpus, load in corpora().items():
        try:
            train, test = load()
        except NotFound as error:
            notes.append(f"{corpus} left out: {error}")
            continue
        if corpus == "docstrings" and rows:
            continue
        names = sorted({c for d in train for c in d.labels or ()})
        truth = matrix([d.labels or () for d in test], names)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            for name, side in (("train", train), ("test", test)):
                with (folder / f"{name}.jsonl").open("wb") as out:
                    write_jsonl(side, out)
            ours = 0.0
            systems = [Ours(), OursTogether(), ScikitLearn(), VowpalWabbit(), VowpalWabbitLonger(), FastText()]
            for system, train_s, predict_s, labels, wrong in in_turns(systems, folder, min(options.repeat, 3)):
                if wrong:
                    notes.append(f"{corpus}: {system.name} left out: {wrong}")
                    continue
                ours = ours or train_s + predict_s
                given = matrix(labels, names)
                rows.append({
                    "corpus": corpus, "system": system.name, "train_s": train_s, "predict_s": predict_s,
                    "both_s": train_s + predict_s, "times ours": (train_s + predict_s) / ours,
                    **{f"{a} F1": 100 * f_measure(truth, given, a) for a in ("micro", "macro")},
                })  # fmt: skip
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
