"""How long does one prediction take from the command line, and where does the time go?

`bayesift predict` on one document, from a warm cache, beside the usual way of keeping a scikit-learn model: import
scikit-learn, `joblib.load` a TfidfVectorizer with one-vs-rest LinearSVC, predict. Then the first `train` with
an empty compilation cache beside a second one. Each run is a process of its own; CPU seconds (user and system) are
those of the process, the best of some runs.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from _run import arguments, show
from bayesift.corpora import load_corpus

COMMAND = [sys.executable, "-c", "from bayesift.cli.main import main; main()"]
DOCUMENT = "sparse matrix multiplication of arrays"
TRAIN_PEER = """
import json, sys, joblib
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC
documents = [json.loads(line) for line in open(sys.argv[2])]
model = make_pipeline(TfidfVectorizer(), OneVsRestClassifier(LinearSVC()))
names = MultiLabelBinarizer()
model.fit([d["title"] + " " + d["body"] for d in documents], names.fit_transform([d["labels"] for d in documents]))
joblib.dump((model, names), sys.argv[1])
"""
PEER = """
import sys, joblib
model, names = joblib.load(sys.argv[1])
print(names.inverse_transform(model.predict([sys.argv[2]])))
"""
STAGES = """
import sys, time
def stage(name):
    print(name, time.process_time(), sep="\\t")
stage("Python")
import typer
from bayesift.cli import main
stage("command line")
from bayesift.cli.lazy_imports import postponed
with postponed():
    import numpy, scipy.sparse
    stage("import numpy, scipy.sparse")
    import numba
    stage("import numba")
    import sklearn.base
    stage("import sklearn.base")
    from bayesift.classify import load
    stage("import bayesift.classify")
    model = load(sys.argv[1])
    stage("load the model; numba's start")
    model.predictions([sys.argv[2]])
    stage("first answer; kernels from the cache")
    model.predictions([sys.argv[2]])
    stage("second answer")
"""


def measured(command: list[str], environment: dict[str, str] | None = None) -> tuple[float, float, str]:
    """CPU seconds, seconds and output of a process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | (environment or {}))
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds, done.stdout


def best(command: list[str], repeat: int) -> tuple[float, float]:
    """Return the minimum CPU time and the minimum wall time of some runs."""
    cpu, seconds, _ = zip(*(measured(command) for _ in range(repeat)))
    return min(cpu), min(seconds)


def stages(model: Path, repeat: int) -> list[str]:
    """Return the time of each part of a prediction, the minimum of some runs."""
    runs = []
    for _ in range(repeat):
        lines = measured([sys.executable, "-c", STAGES, str(model), DOCUMENT])[2].splitlines()
        names, at = zip(*(line.split("\t") for line in lines))
        times = [0.0, *map(float, at)]
        runs.append([after - before for before, after in pairwise(times)])
    return [f"{name}: {min(column):.3f} s of CPU" for name, column in zip(names, zip(*runs))]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    folder = Path(tempfile.mkdtemp())
    document, model, peer = folder / "one.jsonl", folder / "ours.model", folder / "peer.joblib"
    document.write_text('{"text": "' + DOCUMENT + '"}\n')
    data = folder / "docstrings.jsonl"
    kept = load_corpus("docstrings").split()[0]
    lines = [json.dumps({"title": d.title, "body": d.body, "labels": d.labels}) for d in kept]
    data.write_text("\n".join(lines) + "\n")
    cache = {"NUMBA_CACHE_DIR": str(folder / "numba")}
    train = [*COMMAND, "train", str(data), str(model)]
    (first_cpu, first_s, _), (again_cpu, again_s, _) = measured(train, cache), measured(train, cache)
    peer_cpu, peer_s, _ = measured([sys.executable, "-c", TRAIN_PEER, str(peer), str(data)])
    name = "scikit-learn: TfidfVectorizer, one-vs-rest LinearSVC, joblib"
    rows = [
        {"task": "docstrings: first train, empty cache", "ours_cpu_s": first_cpu, "ours_s": first_s,
         "peer": name, "peer_cpu_s": peer_cpu, "peer_s": peer_s, "ratio": peer_cpu / first_cpu},
        {"task": "docstrings: train again", "ours_cpu_s": again_cpu, "ours_s": again_s,
         "peer": name, "peer_cpu_s": peer_cpu, "peer_s": peer_s, "ratio": peer_cpu / again_cpu},
    ]  # fmt: skip
    best([*COMMAND, "predict", str(model), str(document)], 1)  # fills the cache
    ours_cpu, ours_s = best([*COMMAND, "predict", str(model), str(document)], options.repeat)
    peer_cpu, peer_s = best([sys.executable, "-c", PEER, str(peer), DOCUMENT], options.repeat)
    help_cpu, help_s = best([*COMMAND, "--help"], options.repeat)
    rows += [
        {"task": "predict one document", "ours_cpu_s": ours_cpu, "ours_s": ours_s, "peer": name,
         "peer_cpu_s": peer_cpu, "peer_s": peer_s, "ratio": peer_cpu / ours_cpu},
        {"task": "--help", "ours_cpu_s": help_cpu, "ours_s": help_s},
    ]  # fmt: skip
    show(rows, ["predict one document, by stages:", *stages(model, options.repeat)], options.json)


if __name__ == "__main__":
    main()
