"""Targets that are no matrix of 0 and 1 are refused by every learner of many labels, with what to give instead."""

import numpy as np
import pytest

from bayesift import BOMC, LabelClassifier, PerLabel
from bayesift.errors import BadInput
from bayesift.learn import Categoriser

X = np.eye(4).repeat(3, axis=0)


@pytest.mark.parametrize("learner", [LabelClassifier, BOMC, PerLabel, Categoriser])
@pytest.mark.parametrize("y", [["a", "b"] * 6, [["a"], ["a", "b"]] * 6, [("a",)] * 12, np.array(["a"] * 12), None])
def test_names_of_labels_are_refused(learner, y):
    for verb in ("fit", "partial_fit"):
        with pytest.raises(BadInput, match=r"one column of 0 and 1 per label|requires y to be passed"):
            getattr(learner(), verb)(X, y)
