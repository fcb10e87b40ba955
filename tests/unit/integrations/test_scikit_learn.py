"""scikit-learn beyond its checks: data frames out, successive halving, metadata routing."""

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import Pipeline, make_pipeline

from bayesift import BOMC, LabelClassifier, TextClassifier, TextVectorizer
from bayesift.errors import BadInput

TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 15
ONE = ["grain", "crude", "ship", "ship"] * 15
Y = np.array([[c in t for c in ("wheat", "oil", "cargo")] for t in TEXTS]).astype(int)


def test_set_output_gives_sparse_data_frames():
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install '.[dev]'")
    vectorizer = TextVectorizer().set_output(transform="pandas")
    plain = TextVectorizer().fit_transform(TEXTS)
    for found in (vectorizer.fit_transform(TEXTS), vectorizer.transform(TEXTS), vectorizer.transform(TEXTS[:1])):
        assert isinstance(found, pandas.DataFrame)
        assert found.columns.tolist() == vectorizer.get_feature_names_out().tolist()
        assert all(isinstance(kind, pandas.SparseDtype) for kind in found.dtypes)
        assert (found.to_numpy() == plain.toarray()[: len(found)]).all()
    assert sparse.issparse(vectorizer.set_output(transform="default").transform(TEXTS))


def test_set_output_gives_polars_frames():
    polars = pytest.importorskip("polars", reason="needs polars: pip install '.[dev]'")
    with sklearn.config_context(transform_output="polars"):
        found = TextVectorizer().fit_transform(TEXTS)
    assert isinstance(found, polars.DataFrame)
    assert found.columns == TextVectorizer().fit(TEXTS).get_feature_names_out().tolist()
    assert np.allclose(found.to_numpy(), TextVectorizer().fit_transform(TEXTS).toarray())


def test_feature_names_go_through_a_column_transformer():
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install '.[dev]'")
    frame = pandas.DataFrame({"title": TEXTS, "body": TEXTS[::-1]})
    parts = [("title", TextVectorizer(), "title"), ("body", TextVectorizer(), "body")]
    columns = ColumnTransformer(parts).set_output(transform="pandas").fit(frame)
    assert columns.transform(frame).columns[0] == "title__wheat"
    model = LabelClassifier().fit(columns.transform(frame), Y)
    assert model.feature_names_in_[0] == "title__wheat"
    with pytest.raises(ValueError, match="feature names"):
        model.predict(columns.transform(frame).rename(columns={"title__wheat": "other"}))


@pytest.mark.parametrize("targets", [ONE, Y], ids=["single labels", "matrix"])
def test_successive_halving(targets):
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    grid = {"vectorizer__ngrams": [1, 2], "seed": [0, 1]}
    search = HalvingGridSearchCV(
        TextClassifier(), grid, cv=KFold(2, shuffle=True, random_state=0), min_resources=20, factor=2, random_state=0
    ).fit(TEXTS, targets)
    assert search.n_resources_[0] == 20
    assert search.best_score_ > 0.9
    assert len(search.predict(TEXTS[:2])) == 2


def test_halving_over_vectors():
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    X = TextVectorizer().fit_transform(TEXTS)
    search = HalvingGridSearchCV(
        BOMC(), {"noise": [0.1, 0.5]}, cv=2, min_resources=20, scoring="f1_micro", random_state=0
    ).fit(X, Y)
    assert search.best_score_ > 0.9


def test_metadata_is_routed_to_prediction():
    with sklearn.config_context(enable_metadata_routing=True):
        plain = TextClassifier().fit(TEXTS, [tuple(np.flatnonzero(row).tolist()) for row in Y])
        assert plain.get_metadata_routing().predict.requests == {"together": None}
        model = Pipeline([("model", TextClassifier().set_predict_request(together=True))]).fit(TEXTS, Y)
        expected = TextClassifier().fit(TEXTS, Y)
        some = [*TEXTS[:4], "wheat", "cargo oil"]
        assert (model.predict(some, together=True) == expected.predict(some, together=True)).all()
        assert TextClassifier().set_partial_fit_request(classes=True).get_metadata_routing().partial_fit.requests == {
            "classes": True
        }


def test_metadata_of_vectors_is_routed_by_a_search():
    seen = []

    class Noting(LabelClassifier):
        def fit(self, X, Y, weigh=None):
            seen.append(weigh)
            return super().fit(X, Y)

    X, mark = TextVectorizer().fit_transform(TEXTS).toarray(), object()
    with sklearn.config_context(enable_metadata_routing=True):
        model = Noting().set_fit_request(weigh=True)
        GridSearchCV(model, {"seed": [0]}, cv=2, scoring="f1_micro").fit(X, Y, weigh=mark)
    assert seen == [mark] * 3


def test_weights_of_samples_are_an_error_with_a_reason():
    with pytest.raises((TypeError, BadInput), match="sample_weight"):
        make_pipeline(TextClassifier()).fit(TEXTS, ONE, textclassifier__sample_weight=np.ones(len(TEXTS)))
