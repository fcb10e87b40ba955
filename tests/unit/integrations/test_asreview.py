"""ASReview's plug-in: its own commands find it and review with it, and a warm start equals a fit from scratch."""

import csv
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import roc_auc_score
from tests.unit.filtering.screening.records_of_two_kinds import records

import bayesift
from bayesift.corpora import load_corpus
from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.integrations import asreview as plugin
from bayesift.integrations.asreview import OnlineClassifier, PoolClassifier, PoolFeatures, pool_classifier

NEEDS = "needs ASReview, which needs pandas < 3: pip install '.[asreview]' pytest in an environment of its own"
ROOT = Path(__file__).parents[3]
PRESET = '{"querier": "max", "classifier": "bayesift_pool", "feature_extractor": "bayesift"}\n'  # as the page has it


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Run `asreview` with the entry points of this tree, whatever version is installed."""
    pytest.importorskip("asreview", reason=NEEDS)
    about = tmp_path / "installed" / f"bayesift-{bayesift.__version__}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bayesift\nVersion: {bayesift.__version__}\n")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    lines = [f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in names.items()) for group, names in groups.items()]
    (about / "entry_points.txt").write_text("\n\n".join(lines))
    path = os.pathsep.join([str(about.parent), str(Path(bayesift.__file__).parents[1])])

    def run(*arguments):
        program = "import sys, warnings; warnings.simplefilter('ignore'); from asreview.__main__ import main; main()"
        return subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": path},
        )  # fmt: skip

    return run


@pytest.fixture
def table():
    pandas = pytest.importorskip("pandas")
    texts, truth = records(60)
    return pandas.DataFrame(texts, columns=["title", "abstract"]), truth


def test_asreview_lists_the_classifiers(command):
    shown = command("algorithms").stdout
    assert re.search(r"bayesift_pool +\[bayesift", shown)
    assert re.search(r"bayesift_bomc +\[bayesift", shown)


def test_the_lab_shows_their_labels():
    names = {"classifiers": {PoolClassifier, OnlineClassifier}, "feature_extractors": {PoolFeatures}}
    for kind, classes in names.items():
        labels = {name: entry["label"] for name, entry in plugin.MODEL_METADATA[kind].items()}
        assert labels == {found.name: found.label for found in classes}


def write_records(path, rows):
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["title", "abstract", "label_included"])
        writer.writerows(rows)


def test_simulate_with_the_preset_on_a_review_of_synergy(command, tmp_path, corpus_folder):
    data = corpus_folder("synergy").parent
    found = list(load_corpus("synergy", part="Donners_2021", data=data).documents())
    write_records(tmp_path / "donners.csv", [(d.title, d.body, int(bool(d.labels))) for d in found])
    (tmp_path / "preset.json").write_text(PRESET)
    priors = ("--n-prior-included", 1, "--n-prior-excluded", 1, "--prior-seed", 1)
    losses = []
    for chosen in (("--config-file", "preset.json"), ("--ai", "elas_u4")):
        done = command("simulate", "donners.csv", *chosen, *priors)
        assert done.returncode == 0, done.stderr
        losses.append(float(re.search(r"Loss: ([\d.]+)", done.stdout)[1]))
    assert losses[0] < 0.15
    assert losses[0] < losses[1] + 0.02


def test_simulate_with_every_part_and_a_project_file(command, tmp_path):
    texts, truth = records(40)
    write_records(tmp_path / "some.csv", [(*text, int(label)) for text, label in zip(texts, truth)])
    chosen = ("-c", "bayesift_bomc", "-e", "tfidf", "-q", "max", "-b", "balanced")
    done = command("simulate", "some.csv", *chosen, "-o", "some.asreview", "--prior-idx", 0, 1)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "some.asreview").stat().st_size > 0


def test_the_preset_is_the_one_of_the_page(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # ASReview leaves a cache file where it is imported
    pytest.importorskip("asreview", reason=NEEDS)
    made = plugin.preset()
    assert {name: getattr(made, name) for name in json.loads(PRESET)} == json.loads(PRESET)
    assert made.balancer is None
    page = (ROOT / "docs" / "guides" / "integrations" / "asreview.md").read_text("utf-8")
    assert PRESET in page


def test_without_asreview_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "asreview", None)
    with pytest.raises(NotFound, match=r"asreview is not installed; pip install 'bayesift\[asreview\]'"):
        plugin.preset()


def test_the_pool_is_ranked_as_pool_ranker_does(table):
    X, truth = PoolFeatures().fit_transform(table[0]), table[1]
    ranker = PoolRanker(list(table[0].itertuples(index=False, name=None)))
    known = [0, 1, 2, 5]
    ranker.learn(known, truth[known])
    unread = np.setdiff1d(np.arange(truth.size), known)
    model = PoolClassifier().fit(X[known], truth[known].astype(int))
    np.testing.assert_allclose(model.decision_function(X[unread]), ranker.scores()[unread], atol=1e-5)
    np.testing.assert_allclose(model.predict_proba(X[unread])[:, 1], ranker.probabilities()[unread], atol=1e-3)


@pytest.mark.parametrize("kind", [PoolClassifier, OnlineClassifier])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_warm_start_equals_a_fit_from_scratch(kind, weighted):
    pandas = pytest.importorskip("pandas")
    texts, truth = records(300)
    X, truth = PoolFeatures().fit_transform(pandas.DataFrame(texts, columns=["title", "abstract"])), truth.astype(int)
    weights = np.where(truth, 1.0, 0.5) if weighted else None
    warm, order = kind(), np.random.default_rng(0).permutation(truth.size)
    for n in (4, 5, 6, 9, 30, 150):
        some, rest = order[:n], order[n:]
        given = None if weights is None else weights[some]
        found = warm.fit(X[some], truth[some], given).predict_proba(X[rest])
        cold = kind().fit(X[some], truth[some], given).predict_proba(X[rest])
        assert (found == cold).all()
    assert roc_auc_score(truth[rest], found[:, 1]) > 0.9
    assert warm.score(X[rest], truth[rest]) > 0.85


def test_a_warm_start_learns_new_rows_only(table, monkeypatch):
    X, truth = PoolFeatures().fit_transform(table[0]), table[1].astype(int)
    sizes = []
    learn = OnlineClassifier.fit.__globals__["BOMC"].learn_prequential
    monkeypatch.setattr(
        "bayesift.integrations.asreview.online_classifier.BOMC.learn_prequential",
        lambda self, rows, *rest, **more: (sizes.append(rows.shape[0]), learn(self, rows, *rest, **more))[1],
    )
    kernels = []
    made = pool_classifier.PoolKernel
    monkeypatch.setattr(pool_classifier, "PoolKernel", lambda *given: (kernels.append(1), made(*given))[1])
    online, pool, learned = OnlineClassifier(), PoolClassifier(), []
    for n in (10, 11, 12):
        online.fit(X[:n], truth[:n])
        learned.append(sum(sizes))
        pool.fit(X[:n], truth[:n]).predict_proba(X[n:])
    assert learned == [10, 11, 12]
    assert len(kernels) == 1
    changed = truth[:13].copy()
    changed[0] = 1 - changed[0]
    online.fit(X[:13], changed)
    assert sum(sizes) == 12 + 13
    pool.fit(X[:13], changed).predict_proba(X)  # all rows, as ASReview LAB gives them
    assert len(kernels) == 1


def test_margins_are_those_of_bomc(table):
    X, truth = PoolFeatures().fit_transform(table[0]), table[1].astype(int)
    model = OnlineClassifier().fit(X[:30], truth[:30])
    np.testing.assert_allclose(model.decision_function(X), model.model_.decision_function(X)[:, 0], rtol=1e-5)
    with pytest.raises(BadInput, match="columns, as in fit"):
        model.decision_function(X[:, :5])


def test_labels_of_equal_rows_add_up():
    X = sparse.csr_matrix([[1.0, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]])
    twice = PoolClassifier().fit(X[:3], [1, 1, 0]).decision_function(X[3:])
    heavy = PoolClassifier().fit(X[[0, 2]], [1, 0], [2.0, 1.0]).decision_function(X[3:])
    np.testing.assert_allclose(twice, heavy)


@pytest.mark.parametrize("kind", [PoolClassifier, OnlineClassifier])
def test_bad_labels_are_errors(kind):
    X = sparse.csr_matrix(np.eye(3))
    with pytest.raises(BadInput, match="one 0 or 1 per row"):
        kind().fit(X, [1, 0, 2])
    with pytest.raises(BadInput, match="positive number per row"):
        kind().fit(X, [1, 0, 1], [1.0, 0.0, 1.0])


def test_records_without_a_column_are_errors():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(BadInput, match="no column 'abstract'"):
        PoolFeatures().fit_transform(pandas.DataFrame({"title": ["a"]}))
