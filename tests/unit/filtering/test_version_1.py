"""Filter files of format version 1 stay readable, and decide as they did when they were written."""

from pathlib import Path

import pytest

from bayesift.filtering import Row, load_filter

FOLDER = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    ("learner", "p"),
    [
        ("perceptron", 0.962039008742955),
        ("flip-perceptron", 0.8810038327186177),
        ("diagonal-perceptron", 0.9512134420401995),
    ],
)
def test_a_filter_file_of_version_1_is_read(learner, p):
    loaded = load_filter(FOLDER / f"version-1-{learner}.filter")
    (outcome,) = loaded.process("d3", Row.of({0: 1.0, 2: 0.2}))
    assert (outcome.topic, outcome.kind, outcome.probability) == ("wheat", "delivered", pytest.approx(p, rel=1e-9))
    assert loaded.topics[0].profile.settings.min_statistic == pytest.approx(12.13)
