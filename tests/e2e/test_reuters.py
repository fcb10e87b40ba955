"""The default classifier on Reuters-21578, ModApte: the figures that it is meant to have, and the size of its file."""

import numpy as np

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
