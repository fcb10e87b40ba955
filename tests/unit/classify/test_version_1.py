"""Model files of format version 1 stay readable, and predict what they predicted when they were written."""

import json
from pathlib import Path

import numpy as np
import pytest

from bayesift import load

FOLDER = Path(__file__).parent / "data"
ASKED = ["wheat and barley", "opec", "oil cargo in port", "nothing known", ""]


@pytest.mark.parametrize("learner", ["multilabel", "perceptron", "categoriser"])
def test_a_file_of_version_1_is_read(learner):
    expected = json.loads((FOLDER / "version-1.json").read_text())[learner]
    model = load(FOLDER / f"version-1-{learner}.model")
    p = model.predict_proba(ASKED)
    assert np.allclose(p[:3], expected[:3], rtol=1e-6, atol=1e-9)
    assert np.allclose(p[3:], np.array([9.5, 6.5, 6.5]) / 19)  # base rates: no word of these documents is known
    assert list(model.classes_) == ["crude", "grain", "ship"]
    assert model.partial_fit(["wheat"], [("grain",)]).n_documents_ == 19


def test_a_model_of_version_1_learns_a_new_label_and_keeps_what_it_knew():
    """It has no sample of its documents: they are not learned again, and what was learned must not be lost."""
    model = load(FOLDER / "version-1-multilabel.model")
    before = model.decisions(ASKED)[1][:3]
    model.partial_fit(["a drought in spring"], [("weather",)])
    p, given = model.decisions(ASKED)
    assert np.array_equal(given[:3, :3], before)
    assert model.predict_proba(["drought"])[0, 3] > p[:3, 3].max()


@pytest.mark.parametrize("file", sorted((FOLDER / "version-1").glob("*.model")), ids=lambda file: file.stem)
def test_old_names_of_classes_and_settings_are_read(file, tmp_path):
    """These files hold MultiLabel, Knowledge, Fixed, JointCut, `least`, `cut`, `known` and the rule "half"."""
    old = json.loads((FOLDER / "version-1" / "probabilities.json").read_text())
    model = load(file)
    p = model.predict_proba(old["documents"])
    assert np.allclose(p, old["probabilities"][file.stem], rtol=1e-6, atol=1e-9)
    model.save(tmp_path / "new.model")
    assert np.array_equal(load(tmp_path / "new.model").predict_proba(old["documents"]), p)


def test_settings_of_old_files_have_their_new_names():
    half = load(FOLDER / "version-1" / "multilabel-knowledge.model")
    assert (half.rule, half.prior_terms["wheat"].terms) == ("0.5", {"wheat": (2.0, 1.0)})
    few = load(FOLDER / "version-1" / "perceptron-max-f1.model").learner
    assert (few.min_statistic, few.max_terms) == (None, 9)
