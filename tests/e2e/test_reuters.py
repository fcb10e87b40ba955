"""The default classifier on Reuters-21578, ModApte: the figures that it is meant to have, and the size of its file."""

import numpy as np
import pytest

from bayesift import TextClassifier, load, load_corpus


def test_the_defaults_on_reuters(corpus_folder, tmp_path):
    folder = corpus_folder("reuters21578")
    train, test = load_corpus("reuters21578", split="modapte", data=folder.parent).split()
    model = TextClassifier().fit(train)
    alone, together = (model.evaluate(test, together=together).summary for together in (False, True))
    assert alone["micro F1"] > 0.88
    assert alone["macro F1"] > 0.61
    assert together["micro F1"] > 0.88
    assert together["macro F1"] > 0.65
    assert alone["calibration error"] < 0.003
    model.save(tmp_path / "x.model")
    assert (tmp_path / "x.model").stat().st_size < 30e6
    assert np.array_equal(load(tmp_path / "x.model").predict_proba(test), model.predict_proba(test))


@pytest.mark.parametrize(
    ("learner", "documents"),
    [("multilabel", 3000), ("bomc", 3000), ("categoriser", 3000), ("perceptron", 800), ("gp", 800)],
)
def test_a_label_that_comes_late(learner, documents, corpus_folder, tmp_path):
    """Teach 1, 5 and 20 stories of a label that training left out; compare with a fit from the start on the same."""
    folder = corpus_folder("reuters21578")
    train, test = load_corpus("reuters21578", split="modapte", data=folder.parent).split()
    order = np.random.default_rng(0).permutation(len(train)).tolist()
    label = "coffee"
    before = [train[i] for i in order if label not in (train[i].labels or ())][:documents]
    late = [d for d in train if label in (d.labels or ())]
    unrelated = [d for d in test if label not in (d.labels or ())][:500]
    related = [d for d in test if label in (d.labels or ())]
    model = TextClassifier(learner).fit(before)
    model.save(tmp_path / "m")
    plain = model.predictions(unrelated)
    for k in (1, 5, 20) if documents > 1000 else (5,):
        taught = load(tmp_path / "m").partial_fit(late[:k])
        answers, c = taught.predictions(unrelated), taught.label_number(label)
        p, likely = answers.probabilities[:, c], taught.predict_proba(related)[:, c]
        start = TextClassifier(learner).fit(before + late[:k])
        q, probable = (start.predict_proba(some)[:, start.label_number(label)] for some in (unrelated, related))
        assert p.mean() < 0.01
        assert np.abs(p - q).mean() < 0.005  # the distances that docs/models/default-classifier.md states
        assert -0.3 < likely.mean() - probable.mean() < 0.4  # above a fit is nearer to the truth, which is 1
        assert answers.decisions[:, c].mean() < 0.01
        assert np.median(answers.confidence) > np.median(plain.confidence) - 0.04
        same = answers.decisions[:, : plain.decisions.shape[1]] == plain.decisions
        assert same.all(axis=1).mean() > 0.93
