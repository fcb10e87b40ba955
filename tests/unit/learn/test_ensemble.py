"""The members of the ensemble against plain references, and how they are put together."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logit
from sklearn.preprocessing import normalize

from bayesift.beliefs.other_labels import NONE
from bayesift.classify import LabelClassifier
from bayesift.errors import BadInput
from bayesift.learn import BOMC, Ensemble, shared_layer
from bayesift.learn.blend import Blend
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.nearest import EARLIER_POWER, PRIOR, SHARPNESS, NearestDocuments
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.shared_layer import EARLIER_SHARE, LEFT_OUT, NAMES, RATE, SHARE, SMALL, SharedLayer
from bayesift.learn.term_variance import LEAST, MOST, OWN, rescaled, term_scales, term_variances


def task(n=80, d=15, c=3):
    X = sparse.random(n, d, density=0.3, random_state=3, format="csr")
    return X, sparse.csr_matrix((X.toarray()[:, :c] > 0.3).astype(np.int8))


def test_prior_variances_are_those_of_the_formula():
    X, _ = task()
    mean = np.random.default_rng(0).normal(size=(15, 3)).astype(np.float32)
    often = (X > 0).sum(axis=0).A1
    shared = (mean.astype(float) ** 2).mean(axis=1)
    mixed = np.column_stack([(1 - OWN) * shared[:, None] + OWN * mean.astype(float) ** 2, shared])
    width = np.clip(np.sqrt(mixed / np.median(shared)), LEAST, MOST)
    found = term_variances(mean, X, 0.1)
    np.testing.assert_allclose(found, 0.1 * width * often.sum() / (often @ width), rtol=1e-5)
    np.testing.assert_allclose(often @ found / often.sum(), 0.1, rtol=1e-5)  # the average stays


def test_a_first_fit_without_any_weight_keeps_the_variance():
    X, _ = task()
    assert (term_variances(np.zeros((15, 2), np.float32), X, 0.3) == np.float32(0.3)).all()
    assert (term_variances(np.ones((15, 2), np.float32), X[:0], 0.3) == np.float32(0.3)).all()


def test_equal_prior_variances_are_the_plain_model():
    X, Y = task()
    models = []
    for variances in (None, np.full((15, 4), 0.1, np.float32)):
        passes = Passes(BOMC(), 0, variances)
        passes.round(X, Y)
        models.append(passes.learner())
    assert np.array_equal(models[0].mean_, models[1].mean_)


def test_what_a_person_says_of_a_term_is_kept_beside_learned_variances():
    known = FeaturePrior(np.array([5.0, 0.0]), np.array([0.5, np.nan]))
    model = BOMC(feature_priors=[None, known])
    model.begin(2, 2, np.full((2, 3), 0.7, np.float32))
    assert model.mean_.tolist() == [[0.0, 5.0], [0.0, 0.0]]
    np.testing.assert_allclose(model.variance_, [[0.7, 0.25], [0.7, 0.7]])


@pytest.mark.parametrize(("k", "power"), [(1, 2), (4, 2), (4, 1), (200, 2)])
def test_nearest_documents_are_those_of_all_similarities(k, power):
    X, Y = task()
    member = NearestDocuments(k, threads=2).fit(X[:60], Y[:60])
    member.power = power
    base = np.append((Y[:60].sum(axis=0).A1 + 0.5) / 61, 0.5 / 61)
    expected = np.empty((20, 4))
    for i, row in enumerate((X[60:] @ X[:60].T).toarray().astype(np.float64)):
        near = np.argsort(-row, kind="stable")[:k]
        w = (SHARPNESS * row[near]) ** power
        votes = np.append(w @ Y.toarray()[near], 0.0)
        expected[i] = logit(np.clip((votes + PRIOR * base) / (w.sum() + PRIOR), 1e-5, 1 - 1e-5)) / 2
    np.testing.assert_allclose(member.margins(X[60:]), expected, atol=1e-4)


def test_of_many_documents_a_sample_is_kept(monkeypatch):
    monkeypatch.setattr("bayesift.learn.nearest.KEPT", 30)
    X, Y = task()
    member = NearestDocuments(1).fit(X, Y)
    assert member.rows.shape[0] == 30
    assert len({tuple(row) for row in member.rows.toarray()} - {tuple(row) for row in X.toarray().astype("f4")}) == 0


def test_similarity_weighs_as_it_did_in_files_of_earlier_versions():
    X, Y = task()
    member = NearestDocuments(4).fit(X, Y)
    state = member.state()
    assert np.array_equal(NearestDocuments(4).restore(state).margins(X), member.margins(X))
    del state["power"]
    member.power = EARLIER_POWER
    assert np.array_equal(NearestDocuments(4).restore(state).margins(X), member.margins(X))


def test_terms_that_matter_are_multiplied_and_documents_stay_as_long():
    X, _ = task()
    mean = np.random.default_rng(0).normal(size=(15, 3)).astype(np.float32)
    shared = (mean.astype(float) ** 2).mean(axis=1)
    scales = term_scales(mean)
    np.testing.assert_allclose(scales**2, np.clip(np.sqrt(shared / np.median(shared)), LEAST, MOST), rtol=1e-6)
    expected = X.toarray() * scales
    lengths = np.linalg.norm(X.toarray(), axis=1, keepdims=True)
    np.testing.assert_allclose(rescaled(X, scales).toarray(), normalize(expected) * lengths, atol=1e-12)
    assert (term_scales(np.zeros((4, 2), np.float32)) == 1.0).all()


def test_the_margins_of_the_network_are_those_of_its_weights():
    X, Y = task()
    net = SharedLayer().fit(X, Y)
    hidden = np.maximum(X @ net.inner + net.inner_bias, 0.0)
    np.testing.assert_allclose(net.margins(X)[:, :-1], (hidden @ net.outer + net.outer_bias) / 2, atol=1e-4)
    again = SharedLayer().restore(net.state())
    assert all(np.array_equal(getattr(net, name), getattr(again, name)) for name in NAMES)
    assert np.array_equal(SharedLayer().fit(X, Y).margins(X), net.margins(X))
    assert not np.array_equal(SharedLayer(seed=1).fit(X, Y).margins(X), net.margins(X))


def test_a_network_adds_to_given_log_odds():
    X, Y = task()
    log_odds = np.random.default_rng(0).normal(size=(80, 3)) * 3
    net = SharedLayer().fit(X, Y, log_odds)
    p = expit(log_odds)
    rows = np.hstack([X.toarray(), np.where(p > SMALL, np.sqrt(p), 0.0)])
    hidden = np.maximum(rows @ net.inner + net.inner_bias, 0.0)
    expected = SHARE * log_odds + hidden @ net.outer + net.outer_bias
    np.testing.assert_allclose(2 * net.margins(X, log_odds)[:, :-1], expected, atol=1e-4)
    again = SharedLayer().restore(net.state())
    assert np.array_equal(again.margins(X[7], log_odds[7:8]), net.margins(X, log_odds)[7:8])
    earlier = {name: value for name, value in net.state().items() if name != "share"}
    moved = SharedLayer().restore(earlier).margins(X, log_odds) - net.margins(X, log_odds)
    np.testing.assert_allclose(2 * moved[:, :-1], (EARLIER_SHARE - SHARE) * log_odds, atol=1e-4)


def plain_steps(X, Y, order, random, known, weights, squares):
    """Learn documents once, as the network does, in plain numpy."""

    def mask(size):
        nonlocal random
        kept = np.zeros(size)
        for k in range(size):
            random ^= random << 13 & 0xFFFFFFFF
            random ^= random >> 17
            random ^= random << 5 & 0xFFFFFFFF
            kept[k] = random >= int(LEFT_OUT * 2**32)
        return kept / (1.0 - LEFT_OUT)

    for t in order:
        inner, inner_bias, outer, outer_bias = weights
        x = X[t].toarray()[0]
        x[X[t].indices] *= mask(X[t].nnz)
        field = inner_bias + x @ inner
        keep = mask(len(field)) * (field > 0.0)
        h = keep * field
        off = expit(known[t] + outer_bias + h @ outer) - Y[t].toarray()[0]
        back = keep * (outer @ off)
        slopes = np.outer(x, back), back, np.outer(h, off), off
        squares = [square + slope**2 for square, slope in zip(squares, slopes)]
        weights = [w - RATE * slope / np.sqrt(square) for w, slope, square in zip(weights, slopes, squares)]
    return weights


def test_the_network_learns_with_a_part_of_its_inputs_and_units_left_out():
    X, Y = task(30)
    rng = np.random.default_rng(0)
    known = rng.normal(size=(30, 3)).astype(np.float32)
    shapes = (15, 8), (8,), (8, 3), (3,)
    weights = [0.3 * rng.standard_normal(shape, np.float32) for shape in shapes]
    squares = [np.full(shape, 0.01, np.float32) for shape in shapes]
    order, start = rng.permutation(30), 123_456_789
    expected = plain_steps(X, Y, order, start, known, weights, squares)
    rows = X.indptr, X.indices, X.data.astype(np.float32), Y.indptr, Y.indices
    shared_layer._train(*rows, order, np.uint32(start), known, *weights, *squares)
    for found, plain in zip(weights, expected):
        np.testing.assert_allclose(found, plain, atol=1e-3)


def test_an_ensemble_is_restored_with_the_curves_of_its_network():
    X, Y = task(200)
    members = ("learned", "nearest", "shared")
    model = LabelClassifier(Ensemble(members)).fit(X, Y).learner_
    linear = model.linear_margins([X])
    assert model.network_inputs(linear).shape == (200, 3)
    assert not model.before_
    again = Ensemble(members).restore(model.state())
    assert np.array_equal(again.margins(X), model.margins(X))
    assert np.array_equal(again.margins(X[5]), model.margins(X)[5:6])
    earlier = Ensemble(members).fit(X, Y)  # alone it tells nothing, as in files of earlier versions
    assert "input_curves" not in earlier.state()
    assert Ensemble(members).restore(earlier.state()).network_inputs(linear) is None


def test_several_networks_have_the_mean_of_their_log_odds():
    X, Y = task()
    both = SharedLayer(networks=2).fit(X, Y)
    each = []
    for rng in np.random.default_rng(0).spawn(2):
        inner, inner_bias, outer, outer_bias = shared_layer._fitted(X, Y, rng)
        each.append(np.maximum(X @ inner + inner_bias, 0.0) @ outer + outer_bias)
    assert not np.allclose(each[0], each[1])
    np.testing.assert_allclose(2 * SharedLayer(networks=1).fit(X, Y).margins(X)[:, :-1], each[0], atol=1e-4)
    np.testing.assert_allclose(2 * both.margins(X)[:, :-1], np.mean(each, axis=0), atol=1e-4)
    for threads in (1, 2, 3):
        assert np.array_equal(SharedLayer(networks=2, threads=threads).fit(X, Y).margins(X), both.margins(X))


def test_a_network_of_another_size_is_restored_as_it_was():
    X, Y = task()
    half = dict(SharedLayer().fit(X, Y).state())
    half |= {"inner": half["inner"][:, :64], "inner_bias": half["inner_bias"][:64], "outer": half["outer"][:64]}
    hidden = np.maximum(X @ half["inner"] + half["inner_bias"], 0.0)
    expected = (hidden @ half["outer"] + half["outer_bias"]) / 2
    np.testing.assert_allclose(SharedLayer().restore(half).margins(X)[:, :-1], expected, atol=1e-4)


def test_a_rare_label_learns_in_the_network():
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix((rng.random((400, 20)) < 0.2).astype(float))
    Y = sparse.csr_matrix(np.column_stack([X[:, 0].toarray() > 0, X[:, 1].toarray() * X[:, 2].toarray() > 0]))
    found = SharedLayer().fit(X, Y.astype(np.int8)).margins(X)[:, 1]
    positive = Y.toarray()[:, 1]
    assert found[positive].min() > np.quantile(found[~positive], 0.9)


@pytest.mark.parametrize("members", [("plain",), ("nearest",), ("shared", "learned")])
def test_an_ensemble_of_some_members_learns_and_is_restored(members):
    X, Y = task(200)
    model = Ensemble(members, noises=(0.25,)).fit(X, Y)
    assert len(model.blend_.weights) == len(members)
    again = Ensemble(members, noises=(0.25,)).restore(model.state())
    assert np.array_equal(again.margins(X), model.margins(X))
    assert (model.predict(X) == Y.toarray()).mean() > 0.8


@pytest.mark.parametrize("settings", [{}, {"scaled": False}])
def test_a_file_of_an_earlier_version_has_neither_scales_nor_other_labels(settings):
    X, Y = task(200)
    model = Ensemble(("learned", "nearest"), **settings).fit(X, Y)
    assert (model.scales_ is None) == (not settings.get("scaled", True))
    curves, weights = np.tile(np.linspace(-4.0, 4.0, 8), (2, 4, 1)), np.array([0.7, 0.3])
    others, pairs = np.array([0.2, 0.5, -0.3, 0.4, 0.5]), np.array([[0], [2]], np.int32)
    model.combine(curves, 2.0, Blend.of_earlier(weights, others, pairs, 3))
    earlier = {name: part for name, part in model.state().items() if name != "blend"} | {"weights": weights}
    again = Ensemble(("learned", "nearest"), **settings).restore(earlier | {"company": others, "pairs": pairs})
    assert np.array_equal(again.margins(X), model.margins(X))
    model.combine(curves, 2.0, Blend.of_earlier(weights, others[:3], NONE, 3))
    three = Ensemble(("learned", "nearest"), **settings).restore(earlier | {"company": others[:3]})
    assert np.array_equal(three.margins(X), model.margins(X))
    del earlier["curves"]
    earlier.pop("scales", None)
    old = Ensemble(("learned", "nearest"), **settings).restore(earlier)
    assert old.scales_ is None
    assert not old.blend_.more.any()


def test_other_labels_of_a_document_move_its_log_odds():
    X, Y = task(200)
    model = Ensemble(("learned", "nearest")).fit(X, Y)
    curves, weights = np.tile(np.linspace(-4.0, 4.0, 8), (2, 4, 1)), np.array([0.7, 0.3])
    model.combine(curves, 2.0, Blend(weights))
    z = 2.0 * model.margins(X)
    v = np.array([0.2, 0.5, -0.3])
    model.combine(curves, 2.0, Blend.of_earlier(weights, v, NONE, 3))
    p, by_others = expit(z), 2.0 * model.margins(X)
    for t, c in ((0, 0), (5, 2), (11, 1)):
        others = [p[t, other] for other in range(3) if other != c]  # the unseen label says nothing
        added = v @ [1.0, np.log(1.0 - min(max(others), 0.95)), np.log1p(sum(others))]
        assert by_others[t, c] == pytest.approx(z[t, c] + added)
    pairs = np.array([[0, 0], [1, 2]], np.int32)
    model.combine(curves, 2.0, Blend.of_earlier(weights, np.append(v, [0.5, 0.25]), pairs, 3))
    moved = 2.0 * model.margins(X) - by_others
    gap = np.minimum(np.minimum(z[:, 1], z[:, 2]) - z[:, 0], 0.0)
    np.testing.assert_allclose(moved[:, 0], 0.5 * np.maximum(gap, -4.0), atol=1e-12)
    np.testing.assert_allclose(moved[:, 2], 0.25 * np.clip(z[:, 0] - z[:, 2], 0.0, 4.0), atol=1e-12)
    assert np.array_equal(model.margins(X[7]), model.margins(X)[7:8])


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"members": ("svm",)}, "members are"), ({"members": ()}, "members are"), ({"noises": ()}, "noises are empty"),
     ({"rounds": 0}, "rounds is 0"), ({"nearest": 0}, "nearest is 0")],
)  # fmt: skip
def test_invalid_settings_are_refused(settings, message):
    with pytest.raises(BadInput, match=message):
        Ensemble(**settings).fit(*task())


@pytest.mark.parametrize("members", [("characters",), ("learned", "characters", "shared"), ("plain", "characters")])
def test_characters_are_the_second_view_which_no_other_member_reads(members):
    X, Y = task(200)
    wide, views = sparse.csr_matrix(sparse.hstack([X[:, 3:], X[:, :3]])), (12, 3)  # labels are those of the last three
    model = Ensemble(members, views=views).fit(wide, Y)
    assert len(model.linear_) == sum(kind != "shared" for kind in members)
    assert model.linear_[-1].mean_.shape == (3, 3)
    again = Ensemble(members, views=views).restore(model.state())
    assert np.array_equal(again.margins(wide), model.margins(wide))
    alone = Ensemble(("characters",), views=views).fit(wide, Y)
    assert (alone.predict(wide) == Y.toarray()).mean() > 0.9
    if len(members) > 1:
        assert model.others_.get("shared", model.linear_[0]).margins(X[:, 3:]).shape == (200, 4)
    assert np.array_equal(model.margins(wide[5]), model.margins(wide)[5:6])


def test_without_a_second_view_there_is_no_member_of_characters():
    X, Y = task(200)
    assert len(Ensemble().fit(X, Y).linear_) == 1
    with pytest.raises(BadInput, match="characters are the only members"):
        Ensemble(("characters",)).fit(X, Y)
    with pytest.raises(BadInput, match="views of"):
        Ensemble(views=(10, 4)).fit(X, Y)


def test_prior_terms_are_those_of_the_first_view():
    X, Y = task(200)
    known = FeaturePrior(np.append(20.0, np.zeros(11)), np.append(0.01, np.full(11, np.nan)))
    priors = [known, None, None]
    wide = sparse.csr_matrix(sparse.hstack([X[:, 3:], X[:, :3]]))
    model = Ensemble(("learned", "characters"), views=(12, 3), feature_priors=priors).fit(wide, Y)
    assert model.linear_[0].mean_[0, 0] > 19.0
    assert model.linear_[1].mean_[0, 0] < 19.0


def test_too_many_weights_are_refused(monkeypatch):
    monkeypatch.setattr("bayesift.learn.ensemble.LARGEST", 44)
    with pytest.raises(BadInput, match="15 terms times 3 labels are too many weights"):
        Ensemble().fit(*task())
