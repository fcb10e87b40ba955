"""Every learner with every strategy and every start of a topic: it runs, saved in between or not, with the same bytes.

Learners and strategies are discovered: what is added to them is tested here.
"""

import pytest
from tests.unit.filtering.texts import STATEMENT, made, run, saved, stream

from bayesift import TextClassifier, TextFilter
from bayesift.errors import BadInput
from bayesift.filtering.learners import TOPIC_LEARNERS
from bayesift.filtering.profile_settings import GP
from bayesift.filtering.reading import STRATEGIES
from bayesift.filtering.strategies import GP_ONLY, NAMES
from bayesift.filtering.text_settings import NEED_HORIZON

DOCUMENTS = stream(36)
BY_ID = {d.id: d for d in DOCUMENTS}
STARTS = ("statement", "words", "examples", "label", "exported")


@pytest.fixture(scope="module")
def starts():
    classifier = TextClassifier("perceptron").fit(stream(60, seed=7))
    old = made()
    run(old, stream(20, seed=8))
    found = {
        "statement": {"about": STATEMENT},
        "words": {"words": {"wheat": (2.0, 1.0), "crops": (2.0, 1.0), "opec": (-2.0, 1.0)}},
        "examples": {"examples": [d.body for d in stream(20, seed=8) if "grain" in d.labels][:2]},
        "label": {"label": (classifier, "grain")},
        "exported": {"exported": old.export_topic("grain")},
    }
    assert set(found) == set(STARTS)
    return found


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("strategy", [None, *NAMES, "rel+ig"])
@pytest.mark.parametrize("learner", [None, GP, *TOPIC_LEARNERS])
def test_a_combination(learner, strategy, start, starts, tmp_path):
    settings = {"learner": learner, "strategy": strategy}
    if strategy in NEED_HORIZON:
        with pytest.raises(BadInput, match="needs a horizon"):
            TextFilter(**settings)
        settings["horizon"] = len(DOCUMENTS)
    gp_only = strategy is None or strategy in GP_ONLY
    if (learner in TOPIC_LEARNERS and gp_only) or (learner == GP and (strategy or "daily") not in STRATEGIES):
        with pytest.raises(BadInput, match=r"is (not )?for the learner gp"):
            TextFilter(**settings)
        return
    f = TextFilter(**settings, log=(log := []))
    list(f.process(DOCUMENTS[:4]))
    f.add_topic("grain", **starts[start])
    run(f, DOCUMENTS[4:20])
    f.save(tmp_path / "middle")
    other = TextFilter.load(tmp_path / "middle")
    assert run(f, DOCUMENTS[20:]) == run(other, DOCUMENTS[20:])
    assert saved(f, tmp_path, "a") == saved(other, tmp_path, "b")
    replayed = TextFilter(**settings).replay(log, BY_ID)
    assert saved(replayed, tmp_path, "c") == saved(f, tmp_path, "a")
    item = f.explain("grain", "wheat crops")
    assert 0.0 <= item.interval[0] <= item.probability <= item.interval[1] <= 1.0
