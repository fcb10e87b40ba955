"""Topics by Gaussian-process regression: against the dense formula, and as a function of events."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.filtering.gp_streams import matrix
from tests.unit.filtering.streams import same

from bayesift.errors import BadInput
from bayesift.filtering import GPProfile, Row, TopicKernel, gp_profile, rows_of
from bayesift.filtering.events import Changed, Shown, Withdrawn, judged
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_documents import TopicDocuments
from bayesift.filtering.topic_kernel import LEAST_NOISE, MEANING, weight_of
from bayesift.learn.priors import PriorTerms

X, Y = matrix(400)
SHARED = TopicKernel(X[:350])
ROWS = list(rows_of(X))
RELEVANT = np.flatnonzero(Y[:350, 0]).tolist()


def profile(**start):
    return GPProfile.start("t", SHARED, **({"examples": [ROWS[i] for i in RELEVANT[:2]]} | start))


def learned(*documents, start=None):
    made = start or profile()
    for i in documents:
        made.apply(judged("t", str(i), bool(Y[i, 0]), ROWS[i]))
    return made


def meaning(rows):
    z = rows @ SHARED.meaning.components_.astype(float)
    return z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)


def dense_scores(documents, words=None):
    """Score all rows by one regression over the topic's documents and the weak negatives together."""
    own = [*RELEVANT[:2], *documents]
    V, n = SHARED.meaning.components_.astype(float), SHARED.reference.shape[0]
    A, B, Z = X[own].toarray(), X.toarray(), meaning(np.vstack([X[own].toarray(), SHARED.reference.toarray()]))
    weak = SHARED.reference.toarray() @ V  # all that counts of their words
    t = np.array([1.0 if i in RELEVANT[:2] or Y[i, 0] else -0.1 for i in own] + [0.0] * n)
    weak_noise = max(n / weight_of(int(np.sum(t == 1.0))), LEAST_NOISE)
    noise = np.where(t == 1.0, 0.5, np.where(t == 0.0, weak_noise, 1.5))
    prior = np.zeros(X.shape[1]) if words is None else words
    K = np.block([[A @ A.T, A @ V @ weak.T], [weak @ V.T @ A.T, weak @ weak.T]]) + MEANING * Z @ Z.T
    alpha = np.linalg.solve(K + np.diag(noise), t - np.append(A @ prior, weak @ (V.T @ prior)))
    return B @ prior + (np.hstack([B @ A.T, B @ V @ weak.T]) + MEANING * meaning(B) @ Z.T) @ alpha


@pytest.mark.parametrize("n_relevant", [4, 7, 8, 9, 16])
def test_scores_are_those_of_one_regression_with_the_weak_negatives(n_relevant):
    documents = [360, 361, *RELEVANT[3 : n_relevant + 1], 365]
    assert sum(bool(Y[i, 0]) for i in documents) == n_relevant - 2
    found = [learned(*documents).score(row) for row in ROWS]
    np.testing.assert_allclose(found, dense_scores(documents), atol=1e-6)


def test_words_are_the_prior_mean_of_their_weights():
    prior = PriorTerms({"a": (0.7, 1.0), "b": (-0.4, 2.0)}).to_features({"a": 5, "b": 9}, 10)
    words = np.zeros(X.shape[1])
    words[5], words[9] = 0.7, -0.4
    found = [learned(360, 361, start=profile(feature_prior=prior)).score(row) for row in ROWS]
    np.testing.assert_allclose(found, dense_scores([360, 361], words), atol=1e-6)


def test_a_sure_word_holds_out_longer():
    def weight(sd):
        prior = PriorTerms({"a": (0.8, sd)}).to_features({"a": 0}, 1)
        made = GPProfile.start("t", TopicKernel(), feature_prior=prior)
        for i in range(5):
            made.apply(judged("t", str(i), False, Row.of({0: 1.0})))
        return made.score(Row.of({0: 1.0}))

    assert weight(0.05) > weight(0.5) > weight(1.0)


def test_words_that_have_not_occurred_count():
    prior = PriorTerms({"new": (1.0, 0.5)}).to_features({"new": 500}, 501)
    made = profile(feature_prior=prior)
    assert made.probability(Row.of({3: 0.6, 500: 0.8})) > made.probability(Row.of({3: 0.6, 499: 0.8}))


def test_the_field_has_the_calibrated_probability_and_its_variance_falls_with_answers():
    few, many = learned(360), learned(*range(300, 350))
    row = ROWS[RELEVANT[5]]
    m, v = few.field(row)
    from scipy.special import ndtr

    assert ndtr(m / np.sqrt(1.0 + v)) == pytest.approx(few.probability(row))
    assert few.score(row) == pytest.approx(few.level(few.probability(row)))
    assert many.calibration.line.covariance[1, 1] < few.calibration.line.covariance[1, 1]


def test_contributions_and_the_dense_part_add_up_to_the_score():
    made = learned(360, RELEVANT[3])
    columns, share = made.contributions(ROWS[7])
    assert set(columns) <= set(ROWS[7].columns)
    assert share.sum() + made.dense @ SHARED.features(ROWS[7]) == pytest.approx(made.score(ROWS[7]))


def test_weights_of_words_are_all_that_a_score_has_but_the_meaning():
    made, row = learned(360, RELEVANT[3]), ROWS[RELEVANT[0]]
    columns, mean, _ = made.strongest(made.terms.size)
    assert (np.diff(np.abs(mean)) <= 0.0).all()
    weight = dict(zip(columns.tolist(), mean.tolist()))
    features, (c, u) = SHARED.features(row), np.split(made.dense, 2)
    _, z = np.split(features, 2)
    length = np.linalg.norm(SHARED.meaning.components_[row.columns].T.astype(float) @ row.weights)
    of_meaning = u @ z - c @ ((length * z) - features[: z.size])  # c.(y - l z) is c.y without c.(l z)
    words = sum(weight[j] * x for j, x in zip(row.columns.tolist(), row.weights.tolist()))
    assert words + of_meaning == pytest.approx(made.score(row))


def test_a_topic_needs_a_start():
    with pytest.raises(BadInput, match="no example and no statement"):
        GPProfile.start("t", SHARED)


def test_without_a_background_a_topic_knows_its_own_documents():
    made = GPProfile.start("t", TopicKernel(), statement=Row.of({0: 0.6, 1: 0.8}))
    assert made.probability(Row.of({1: 1.0})) > 0.5 > made.probability(Row.of({2: 1.0}))


def test_a_statement_says_more_than_an_example():
    statement, example = Row.of({0: 1.0}), Row.of({1: 1.0})
    made = GPProfile.start("t", TopicKernel(), statement=statement, examples=[example])
    assert made.score(statement) == pytest.approx(1.5 / 1.25)  # k(x, x) = 1 without a background
    assert made.score(example) == pytest.approx(1.0 / 1.5)


def test_a_restored_profile_goes_on_to_the_bit():
    first = learned(360, 361, RELEVANT[3])
    second = GPProfile("t", SHARED).restore(first.arrays())
    assert same(learned(365, start=first), learned(365, start=second))
    assert first.weights.tobytes() == second.weights.tobytes()
    assert first.calibration.line.offset == second.calibration.line.offset


def test_the_kernel_is_restored_to_the_bit():
    other = TopicKernel.of_state(SHARED.state())
    assert other.features(ROWS[3]).tobytes() == SHARED.features(ROWS[3]).tobytes()
    assert other.point(ROWS[3]).r.tobytes() == SHARED.point(ROWS[3]).r.tobytes()


def test_many_judgements_leave_out_those_that_say_least(monkeypatch):
    monkeypatch.setattr(gp_profile, "MOST", 20)
    monkeypatch.setattr(gp_profile, "BLOCK", 5)
    topic = Topic(profile(), every=8)
    for i in range(60):
        topic.record(judged("t", str(i), bool(Y[i, 0]), ROWS[i]))
    assert len(topic.profile.arrays()["learned"]) < 25
    again = GPProfile("t", SHARED).restore(topic.profile.arrays())
    assert again.weights.tobytes() == topic.profile.weights.tobytes()
    topic.record(Withdrawn("t", "55"))
    without = profile()
    for i in (*range(55), *range(56, 60)):
        without.apply(judged("t", str(i), bool(Y[i, 0]), ROWS[i]))
    assert same(without, topic.profile)


def test_the_calibration_is_fitted_to_judgements_that_were_left_out_too(monkeypatch):
    slope = learned(*range(340)).own.line.slope
    monkeypatch.setattr(gp_profile, "MOST", 60)
    monkeypatch.setattr(gp_profile, "BLOCK", 10)
    few = learned(*range(340))
    assert len(few.arrays()["learned"]) < 70
    assert few.own.line.slope == pytest.approx(slope, rel=0.04)  # that of those left is lower by 9 %
    monkeypatch.setattr(gp_profile, "FITTED", 100)
    assert learned(*range(340)).last.scores.tobytes() == few.last.scores.tobytes()  # the last ones are the same


def test_scores_of_many_documents_are_those_of_each_to_the_byte():
    regression = learned(*range(20))._regression
    rows = [*ROWS[:50], Row.of({}), Row.of({10**5: 1.0})]  # without words, and with one that no document has
    assert regression.scores(rows).tolist() == [regression.score(row) for row in rows]
    assert regression.scores(rows[50:51]).tolist() == [regression.score(rows[50])]


def test_a_revised_answer_is_learned_once_with_all_others(monkeypatch):
    topic, calls = Topic(profile(), every=8), []
    for i in range(30):
        topic.record(judged("t", str(i), bool(Y[i, 0]), ROWS[i]))
    real = GPProfile._calibrate
    monkeypatch.setattr(GPProfile, "_calibrate", lambda *given: (calls.append(1), real(*given)))
    for event in (Withdrawn("t", "29"), Changed("t", "3", True), Withdrawn("t", "12")):
        topic.record(event)
        assert topic.profile.score(ROWS[40]) != 0.0
    assert len(calls) == 3


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["judge", "change", "withdraw"])), max_size=60))
def test_a_topic_is_a_function_of_the_answers_that_survive(steps):
    topic, surviving = Topic(profile(), every=4), {}
    for i, what in steps:
        document = str(i)
        if what == "judge" and document not in surviving:
            topic.show(Shown("t", document), ROWS[i])
            topic.record(judged("t", document, bool(Y[i, 0]), ROWS[i]))
            surviving[document] = bool(Y[i, 0])
        elif what == "change" and document in surviving:
            topic.record(Changed("t", document, not surviving[document]))
            surviving[document] = not surviving[document]
        elif what == "withdraw" and document in surviving:
            topic.record(Withdrawn("t", document))
            del surviving[document]
    again = profile()
    for event in topic.surviving:
        again.apply(judged("t", event.document, event.relevant, ROWS[int(event.document)]))
    again.counters.shown = topic.profile.counters.shown
    assert {event.document: event.relevant for event in topic.surviving} == surviving
    assert same(again, topic.profile)
    assert again.weights.tobytes() == topic.profile.weights.tobytes()
    assert again.calibration.line.offset == topic.profile.calibration.line.offset


def test_documents_added_together_are_those_added_one_by_one():
    column = int(ROWS[0].columns[2])
    prior = PriorTerms({"a": (1.0, 0.5), "b": (-0.5, 2.0)}).to_features({"a": column, "b": column + 1}, X.shape[1])
    one, all_ = TopicDocuments(prior), TopicDocuments(prior)
    targets, noises = [1.0, -0.1, 1.0, -0.1], [0.5, 1.5, 0.5, 1.5]
    one.add(ROWS[9], 1.0, 0.5)
    all_.add(ROWS[9], 1.0, 0.5)
    for row, target, noise in zip(ROWS[:4], targets, noises):
        one.add(row, target, noise)
    all_.add_all(ROWS[:4], targets, noises)
    for name in ("terms", "target", "noise", "prior"):
        assert getattr(one, name).tobytes() == getattr(all_, name).tobytes(), name
    assert [part.tobytes() for part in one.rows] == [part.tobytes() for part in all_.rows]
