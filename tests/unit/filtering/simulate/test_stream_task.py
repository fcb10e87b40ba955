"""A labelled stream made ready for a filter: its parts, its vocabulary, its topics."""

import numpy as np
import pytest
from tests.news import texts

from bayesift.corpora import Document, read_documents
from bayesift.errors import BadInput
from bayesift.filtering import ProfileSettings
from bayesift.filtering.simulate.stream_task import in_order_of_date, prepare


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(texts()) + "\n")
    return path


def task_of(path, **options):
    return prepare("news", read_documents(path), 0.3, **options)


def test_a_growing_vocabulary_has_the_words_of_the_stream():
    words = ["wheat corn", "ship port", "wheat port", "drought wheat", "drought ship"]
    documents = [Document(str(i), "", text) for i, text in enumerate(words)]
    fixed, growing = (prepare("news", documents, 0.6, grow=grow) for grow in (False, True))
    assert fixed.training.shape == growing.training.shape == (3, 4)
    assert [row.columns.size for row in fixed.rows] == [1, 1]
    assert [row.columns.size for row in growing.rows] == [2, 2]
    assert [row.columns.max() for row in growing.rows] == [4, 4]
    assert "drought" in growing.vectorizer.get_feature_names_out()
    assert "drought" not in fixed.vectorizer.get_feature_names_out()


def test_a_stream_needs_two_parts(stream):
    with pytest.raises(BadInput, match="too few to split"):
        prepare("news", read_documents(stream), 0.0)
    with pytest.raises(BadInput, match="share for training is 2"):
        prepare("news", read_documents(stream), 2.0)


def test_dates_order_and_ties_stay(stream):
    documents = list(read_documents(stream))
    assert in_order_of_date(documents[::-1])[-1].id == documents[-1].id


def test_a_name_is_one_belief_in_training_and_in_the_simulation(stream):
    from bayesift.errors import NotFound
    from bayesift.filtering.learners import TOPIC_LEARNERS, topic_belief
    from bayesift.learn.registry import LEARNERS, TOPICS_ONLY, learner_of

    assert set(TOPICS_ONLY) == set(TOPIC_LEARNERS) - set(LEARNERS)
    for name in TOPICS_ONLY:
        with pytest.raises(NotFound, match="is for the topics of `simulate` only"):
            learner_of(name)
    for name in set(LEARNERS) - set(TOPIC_LEARNERS) - {"gp"}:
        with pytest.raises(BadInput, match=f"learner '{name}' is for `train` only; learners of topics are: flip-perc"):
            topic_belief(name)
    with pytest.raises(BadInput, match=r"'gp' is for filters of texts only; .* flip-perceptron"):
        topic_belief("gp")
    task = task_of(stream)
    targets = np.array([["farm" in labels] for labels in task.training_labels], int)
    for name in set(TOPIC_LEARNERS) & set(LEARNERS):
        published = {"max_terms": 300, "learner__passes": 3, "learner__negligible": 0.0}  # as topics are trained
        model = learner_of(name).set_params(**published).fit(task.training, targets)
        settings = ProfileSettings(name, min_terms=0)
        profile = task.profile("farm", settings)
        assert np.sort(profile.terms).tolist() == model.terms_[0].tolist()
        X = task.vectorizer.transform(task.documents[:40])
        ours = [profile.probability(row) for row in task.rows[:40]]
        assert ours == pytest.approx(model.predict_proba(X)[:, 0].tolist(), abs=1e-12)


def test_a_broad_topic_starts_with_enough_terms(stream):
    """A topic whose words are each too rare for the cut used to start with none, and never learned any."""
    task = task_of(stream)
    rng = np.random.default_rng(0)
    task.training_labels[:] = [("any",) if rng.random() < 0.3 else () for _ in task.training_labels]
    assert task.profile("any", ProfileSettings(min_terms=0)).terms.size < 5
    assert task.profile("any", ProfileSettings(min_terms=12)).terms.size == 12
