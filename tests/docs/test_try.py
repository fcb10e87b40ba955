"""The page "Try it" has a model that works: in node as in a browser."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from bayesift.integrations.javascript import SCORER

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = {
    "Fit a normal distribution to samples and test whether two means are equal.": "stats",
    "Solve a system of linear equations by LU decomposition of the matrix": "linalg",
    "Cluster samples around centroids": "cluster",
    "Hierarchical clustering by linkage, drawn as a dendrogram": "cluster",
    "Compute the discrete Fourier transform": "fft",
}


def test_the_model_classifies():
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: install Node.js")
    model, texts = json.dumps(str(DOCS / "_static" / "try.js")), json.dumps(list(TEXTS))
    code = f"console.log(JSON.stringify({texts}.map(require({model}).classify)))"
    done = subprocess.run([node, "-e", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    best = [max(found["probabilities"], key=found["probabilities"].get) for found in answers]
    assert best == list(TEXTS.values())


def test_the_file_is_small_and_the_page_has_it():
    assert 100_000 < (DOCS / "_static" / "try.js").stat().st_size <= 250_000
    assert "_static/try.js" in (DOCS / "guides" / "integrations" / "try.md").read_text("utf-8")


def test_the_page_has_the_scorer_of_exports():
    begin, end = SCORER.read_text("utf-8").split("/*DATA*/null")
    page = (DOCS / "_static" / "try.js").read_text("utf-8")
    assert page.startswith(begin)
    assert page.endswith(end), "run docs/try_model.py"
