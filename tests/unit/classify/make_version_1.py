"""Makes the model files that `test_version_1` keeps readable; run it only before format version 1 is released."""

import json
from pathlib import Path

from bayesift import TextClassifier

FOLDER = Path(__file__).parent / "data"
TEXTS = ["wheat harvest and corn", "barley crop", "crude oil prices", "opec oil output", "a vessel", "cargo ship"]
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("ship",), ("ship", "crude")]
ASKED = ["wheat and barley", "opec", "oil cargo in port", "nothing known", ""]


def make() -> None:
    """Write a file of each learner with what it predicts."""
    expected = {}
    for learner in ("multilabel", "perceptron", "categoriser"):
        model = TextClassifier(learner).fit(TEXTS * 3, LABELS * 3)
        model.save(FOLDER / f"version-1-{learner}.model")
        expected[learner] = model.predict_proba(ASKED).tolist()
    (FOLDER / "version-1.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    make()
