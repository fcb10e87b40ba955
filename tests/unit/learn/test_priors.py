"""What is known beforehand: read from files with clear errors, and taken by every linear learner."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn import BayesianPerceptron, PerLabel, SparseLogistic, SparseProbit
from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal, PriorTerms, shape_of


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_says_what_a_person_knows(tmp_path):
    by_csv = PriorTerms.read(written(tmp_path, "p.csv", "term,mean,scale\nwheat,2.0,1.0\n\"crude oil\",-1,0.5\n"))
    by_toml = PriorTerms.read(written(tmp_path, "p.toml", '[terms]\nwheat = [2.0, 1]\n"crude oil" = [-1, 0.5]\n'))
    by_excel = PriorTerms.read(
        written(tmp_path, "e.csv", b"\xef\xbb\xbfterm;mean;scale\r\nwheat;2,0;1\r\ncrude oil;-1;0.5\r\n")
    )
    assert by_csv == by_toml == by_excel == PriorTerms({"wheat": (2.0, 1.0), "crude oil": (-1.0, 0.5)})


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.csv", "term,mean\nwheat,2\n", "p.csv:1: no columns term, mean, scale"),
        ("p.csv", "term,mean,scale\nwheat,2,1\nrye,2,0\n", "p.csv:3: 'rye' has mean 2.0, scale 0.0"),
        ("p.csv", "term,mean,scale\nrye,2,-1\n", "p.csv:2: 'rye' has mean 2.0, scale -1.0"),
        ("p.csv", "term,mean,scale\nrye,two,1\n", "p.csv:2: not numbers: mean 'two'"),
        ("p.csv", "term,mean,scale\nrye,2\n", "p.csv:2: not numbers"),
        ("p.csv", "term,mean,scale\nrye,nan,1\n", "p.csv:2: 'rye' has mean nan"),
        ("p.csv", "term,mean,scale\nrye,2,1\nrye,3,1\n", "p.csv:3: duplicate term 'rye'"),
        ("p.csv", b"term,mean,scale\n\xff,2,1\n", "p.csv: not utf-8"),
        ("p.toml", "wheat = [2, 1]\n", "p.toml: no table"),
        ("p.toml", "[terms]\nwheat = 2\n", "p.toml: term 'wheat' is 2"),
        ("p.toml", "[terms\n", "p.toml: not TOML"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, name, text, says):
    with pytest.raises(BadInput) as error:
        PriorTerms.read(written(tmp_path, name, text))
    assert says in str(error.value)


def test_knowledge_goes_to_the_columns_of_its_terms():
    knowledge = PriorTerms({"wheat": (2.0, 1.0), "barley": (1.0, 0.5), "unused": (3.0, 1.0)})
    known = knowledge.to_features({"corn": 0, "wheat": 1, "barley": 2}, 3)
    assert known.mean.tolist() == [0.0, 2.0, 1.0]
    assert np.isnan(known.sd).tolist() == [True, False, False]
    with pytest.raises(BadInput, match="'wheat' and 'barley' are the same term"):
        knowledge.to_features({"wheat": 1, "barley": 1}, 3)


def test_a_description_weighs_rare_words_more():
    knowledge = PriorTerms.from_description(["rare", "common", "new"], {"rare": 8.0, "common": 2.0}, mean=4.0, sd=2.0)
    assert knowledge.terms == {"rare": (4.0, 2.0), "common": (1.0, 0.5), "new": (4.0, 2.0)}


def test_the_perceptron_starts_from_what_is_known():
    known = FeaturePrior(np.array([0.0, 3.0]), np.array([np.nan, 0.5]))
    X = sparse.csr_matrix((1, 2))
    model = BayesianPerceptron(feature_prior=known).partial_fit(X, [1], classes=[0, 1])
    assert model.coef_.tolist() == [[0.0, 3.0]]
    assert model.coef_sd_.tolist() == [[1.0, 0.5]]
    model.partial_fit(sparse.csr_matrix((1, 3)), [1])  # a feature beyond those that anything is known of
    assert model.coef_sd_.tolist() == [[1.0, 0.5, 1.0]]


@pytest.mark.parametrize("learner", [SparseLogistic, SparseProbit])
@pytest.mark.parametrize("prior", [Normal(0.5), Laplace(4.0)])
def test_a_mode_stays_at_the_known_mean_where_documents_say_nothing(learner, prior):
    known = FeaturePrior(np.array([0.0, 1.5, -2.0]), np.array([np.nan, 0.7, 0.2]))
    X = np.zeros((40, 3))
    X[:, 0] = np.linspace(-1, 1, 40)
    y = (X[:, 0] + 0.3 * np.sin(40 * X[:, 0]) > 0).astype(int)
    model = learner(prior, feature_prior=known).fit(X, y)
    assert model.coef_[0, 1:].tolist() == [1.5, -2.0]
    assert model.coef_[0, 0] > 0.1


def test_per_label_learns_what_is_known_of_each_label():
    rng = np.random.default_rng(1)
    X = sparse.random(300, 10, density=0.3, random_state=1, format="csr")
    Y = (X.toarray()[:, :2] + 0.02 * rng.normal(size=(300, 2)) > 0.4).astype(int)
    told = [None, PriorTerms({"f9": (2.0, 0.02)}).to_features({f"f{j}": j for j in range(10)}, 10)]
    for learner in (BayesianPerceptron(), SparseLogistic(tolerance=1e-8)):
        model = PerLabel(learner, feature_priors=told, threads=1).fit(X, Y)
        assert 9 in model.terms_[1]
        assert 9 not in model.terms_[0]
        weight = model.learners_[1].coef_[0, model.terms_[1].tolist().index(9)]
        assert weight == pytest.approx(2.0, abs=0.3)
    grown = PerLabel(feature_priors=told, threads=1).partial_fit(X[:5, :4], Y[:5]).partial_fit(X[5:], Y[5:])
    assert 9 in grown.terms_[1]
    copy = PerLabel(feature_priors=told, threads=1).restore(grown.state())
    assert np.array_equal(copy.predict_proba(X), grown.predict_proba(X))


def test_all_terms_without_a_cut():
    X = sparse.random(50, 6, density=0.5, random_state=2, format="csr")
    Y = (X.toarray()[:, :1] > 0.5).astype(int)
    model = PerLabel(SparseLogistic(), min_statistic=None).fit(X, Y)
    assert model.terms_[0].tolist() == list(range(6))
    alone = SparseLogistic().fit(X, Y[:, 0])
    assert np.array_equal(model.predict_proba(X)[:, 0], alone.predict_proba(X)[:, 1])


def test_shapes():
    assert shape_of("normal") == Normal(1.0)
    assert shape_of(Jeffreys()) == Jeffreys()
    for wrong in (lambda: shape_of("cauchy"), lambda: Laplace(0.0), lambda: Normal(-1.0), lambda: Normal(np.nan)):
        with pytest.raises(BadInput):
            wrong()


@pytest.mark.parametrize("weight", [1.0, "12", (1.0,), (1.0, "much"), None])
def test_a_weight_without_a_deviation_is_an_error(weight):
    with pytest.raises(BadInput, match=r"the weight of 'rye' is .*give mean and standard deviation"):
        PriorTerms({"rye": weight})
