"""Every estimator is discovered and put through scikit-learn's checks; what cannot apply has a reason here."""

import inspect
import pickle
import pkgutil
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_predict
from sklearn.utils import estimator_checks as checks

from bayesift.errors import BadInput

PACKAGES = ["bayesift.learn", "bayesift.text", "bayesift.classify"]

ONE_AND_TWO = "the check's only column holds 1 and 2; a label's column holds 0 and 1"
FLAT = "the check gives flat class labels and wants flat answers; here a label is a column, in and out"
TWO_COLUMNS = "the check wants two columns of probabilities for one label; here there is one column per label"
DECLARED = "the check declares classes to partial_fit; here the labels are the columns of Y"
ONE_COLUMN_PER_LABEL = {
    "check_estimators_dtypes": ONE_AND_TWO,
    "check_classifier_data_not_an_array": ONE_AND_TWO,
    "check_classifiers_classes": FLAT,
    "check_classifiers_train": FLAT,
    "check_estimator_sparse_array": TWO_COLUMNS,
    "check_estimator_sparse_matrix": TWO_COLUMNS,
}
ONLINE = {"check_n_features_in_after_fitting": DECLARED, "check_estimators_partial_fit_n_features": DECLARED}
ONE_FEATURE = {"check_fit2d_1feature": ONE_AND_TWO}
OWN_THRESHOLDS = {"check_classifier_multioutput": "the check wants thresholds of 1/2; these maximise expected F1"}
FIELD_AND_PROBABILITY = {"check_decision_proba_consistency": FLAT}
CANNOT_APPLY = {
    "BOMC": ONE_COLUMN_PER_LABEL | ONE_FEATURE | ONLINE | FIELD_AND_PROBABILITY,
    "Ensemble": ONE_COLUMN_PER_LABEL | ONE_FEATURE,
    "LabelClassifier": ONE_COLUMN_PER_LABEL | ONE_FEATURE | ONLINE | FIELD_AND_PROBABILITY | OWN_THRESHOLDS,
    "LabelStack": ONE_COLUMN_PER_LABEL | ONE_FEATURE | OWN_THRESHOLDS,
    "LinearLabels": ONE_COLUMN_PER_LABEL | ONE_FEATURE,
    "WideClassifier": ONE_COLUMN_PER_LABEL | ONE_FEATURE | ONLINE | FIELD_AND_PROBABILITY | OWN_THRESHOLDS
    | {"check_fit_score_takes_y": "the check calls partial_fit, which this classifier refuses"},
    "WideLabels": ONE_COLUMN_PER_LABEL | ONE_FEATURE | FIELD_AND_PROBABILITY,
    "PerLabel": ONE_COLUMN_PER_LABEL | ONE_FEATURE | ONLINE,
    "Categoriser": ONE_COLUMN_PER_LABEL
    | ONLINE
    | {"check_classifier_multioutput": "P(c|d) is shared among the labels: the most probable one is given"},
}
WITHOUT_DATA = [  # the checks of scikit-learn that can be run on estimators of text: the others give numbers
    checks.check_estimator_cloneable,
    checks.check_estimator_tags_renamed,
    checks.check_valid_tag_types,
    checks.check_estimator_repr,
    checks.check_no_attributes_set_in_init,
    checks.check_do_not_raise_errors_in_init_or_set_params,
    checks.check_mixin_order,
    checks.check_parameters_default_constructible,
    checks.check_get_params_invariance,
    checks.check_set_params,
]
TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 5
LABELS = ["grain", "crude", "ship", "ship"] * 5


def estimators():
    """Return every estimator whose name is public, also those that no package exports (`LabelStack`)."""
    found = {}
    for package in map(import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, public in vars(import_module(module.name)).items():
                ours = inspect.isclass(public) and public.__module__ == module.name
                if ours and issubclass(public, BaseEstimator) and not name.startswith("_") and is_complete(public):
                    found[name] = public
    return found


def is_complete(estimator):
    """Return whether the class defines all abstract methods; `inspect.isabstract` knows classes of type ABC only."""
    return not any(getattr(getattr(estimator, name, None), "__isabstractmethod__", False) for name in dir(estimator))


def takes_text(estimator):
    return estimator.__sklearn_tags__().input_tags.string


def takes_columns(estimator):
    tags = estimator.__sklearn_tags__()
    return not takes_text(estimator) and tags.classifier_tags.multi_label


def parametrized(wanted):
    return pytest.mark.parametrize(
        "estimator", [pytest.param(e(), id=n) for n, e in estimators().items() if wanted(e())]
    )


of_vectors = parametrized(lambda estimator: not takes_text(estimator))
of_columns = parametrized(takes_columns)
of_text = parametrized(takes_text)


def output(model, documents):
    if hasattr(model, "transform"):
        return model.transform(documents).toarray()
    return model.predict_proba(documents)


def test_estimators_are_found():
    assert {"TextClassifier", "TextVectorizer", "LabelClassifier", "BOMC", "SparseProbit"} <= set(estimators())
    assert set(CANNOT_APPLY) <= set(estimators())


@pytest.mark.filterwarnings("ignore")
@of_vectors
def test_scikit_learns_checks(estimator):
    reasons = CANNOT_APPLY.get(type(estimator).__name__, {})
    results = checks.check_estimator(estimator, expected_failed_checks=reasons, on_skip=None, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(reasons)  # every reason is needed


@of_columns
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", "b"] * 10, "one-dimensional binary.*one column of 0 and 1 per label.*MultiLabelBinarizer"),
        (["a", "b", "c", "d"] * 5, "one-dimensional multiclass"),
        ([("a",), ("a", "b")] * 10, "label sets"),
        (np.linspace(0, 1, 20), "continuous"),
        (np.array([["a", "b"]] * 20), "Unknown label type: "),
        (np.eye(20)[:, :3] * 2, "Y must hold only 0 and 1, but holds 2"),
        (np.eye(19)[:, :3], "20 documents and 19 rows"),
        (None, "y is None"),
    ],
)
def test_targets_that_are_not_columns_are_refused(estimator, y, message):
    with pytest.raises(BadInput, match=message):
        clone(estimator).fit(np.eye(20), y)


@of_columns
def test_labels_are_the_columns(estimator):
    X, Y = np.tile(np.eye(3), (10, 1)), np.tile(np.eye(3, dtype=int), (10, 1))
    assert not hasattr(clone(estimator), "classes_")
    assert clone(estimator).fit(X, Y).classes_.tolist() == [0, 1, 2]
    assert cross_val_predict(estimator, X, Y, cv=3, method="predict_proba").shape == (30, 3)
    assert cross_val_predict(estimator, sparse.csr_matrix(X), Y, cv=3).shape == (30, 3)


@of_text
@pytest.mark.parametrize("check", WITHOUT_DATA, ids=lambda check: check.__name__)
def test_scikit_learns_checks_without_data(estimator, check):
    check(type(estimator).__name__, estimator)


@of_text
def test_text_is_learned_by_scikit_learns_conventions(estimator):
    model = clone(estimator)
    with pytest.raises(NotFittedError):
        output(model, TEXTS)
    settings, texts = model.get_params(), list(TEXTS)
    assert model.fit(texts, LABELS) is model
    assert model.get_params() == settings
    names = set(vars(model))
    before = output(model, texts)
    assert set(vars(model)) == names
    assert texts == TEXTS
    assert np.array_equal(output(model.fit(TEXTS, LABELS), TEXTS), before)
    assert np.array_equal(output(clone(model).fit(np.array(TEXTS), np.array(LABELS)), TEXTS), before)
    assert np.array_equal(output(pickle.loads(pickle.dumps(model)), TEXTS), before)


@of_text
def test_text_is_answered_one_by_one_and_in_any_order(estimator):
    model = clone(estimator).fit(TEXTS, LABELS)
    whole = output(model, TEXTS)
    assert np.array_equal(np.vstack([output(model, [text]) for text in TEXTS]), whole)
    assert np.array_equal(output(model, TEXTS[::-1]), whole[::-1])
