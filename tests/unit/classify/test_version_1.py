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
    assert np.allclose(model.predict_proba(ASKED), expected, rtol=1e-6, atol=1e-9)
    assert list(model.classes_) == ["crude", "grain", "ship"]
    assert model.partial_fit(["wheat"], [("grain",)]).n_documents_ == 19
