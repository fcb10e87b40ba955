"""Data frames as documents and every kind of target, in and out."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bayesift import TextClassifier, load
from bayesift.classify.input_labels import as_sets, read_targets
from bayesift.classify.inputs import as_names
from bayesift.corpora import Document
from bayesift.errors import BadInput, Notice

TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 8
SETS = [("grain",), ("crude",), ("ship",), ("grain", "ship")] * 8
NAMES = ["ship", "grain", "crude"]  # not sorted: columns keep their order
Y = np.array([[name in labels for name in NAMES] for labels in SETS]).astype(int)
FRAME = pd.DataFrame({"headline": ["news"] * 32, "story": TEXTS})


def fitted(**more):
    return TextClassifier().fit(FRAME.assign(**more), SETS)


def test_columns_are_remembered_in_any_order(tmp_path):
    model = fitted(id=range(32), date="1987-03-05")
    assert model.feature_names_in_.tolist() == ["headline", "story"]
    p = model.predict_proba(FRAME)
    assert np.array_equal(model.predict_proba(FRAME[["story", "headline"]].assign(split="test")), p)
    assert np.array_equal(model.predict_proba(FRAME.to_dict("records")), p)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.feature_names_in_.tolist() == ["headline", "story"]
    model.fit(TEXTS, SETS)
    assert not hasattr(model, "feature_names_in_")


def test_other_columns_are_refused_by_name():
    model = fitted()
    wide, narrow = FRAME.assign(tags="grain"), FRAME[["story"]]
    for method in (model.predict, model.predict_proba, model.explain):
        with pytest.raises(BadInput, match=r"unknown column 'tags'.*headline, story"):
            method(wide)
        with pytest.raises(BadInput, match="missing column 'headline'"):
            method(narrow)
    for method in (model.score, model.evaluate, model.partial_fit):
        with pytest.raises(BadInput, match="unknown column 'tags'"):
            method(wide, SETS)


@pytest.mark.parametrize(
    "tags",
    [
        [";".join(labels) for labels in SETS],
        [" | ".join(reversed(labels)) for labels in SETS],
        [", ".join(labels) + "," for labels in SETS],
        [list(labels) for labels in SETS],
    ],
)
def test_a_column_that_holds_the_target_is_refused_by_name(tags):
    with pytest.raises(BadInput, match=r"column 'tags' .* holds the labels.*drop\(columns='tags'\)"):
        fitted(tags=tags)


def test_single_labels_and_missing_cells_are_found_too():
    y = [labels[0] for labels in SETS]
    with pytest.raises(BadInput, match="column 'topic'"):
        TextClassifier().fit(FRAME.assign(topic=y), y)
    with pytest.raises(BadInput, match="column 'topic'"):
        TextClassifier().fit(FRAME.assign(topic=[None, *y[1:]]), [(), *((label,) for label in y[1:])])
    with pytest.raises(BadInput, match="column 'number'"):
        TextClassifier().fit(FRAME.assign(number=range(32)), np.arange(32))
    almost = [*y[:-1], "other"]
    assert TextClassifier().fit(FRAME.assign(topic=almost), y).feature_names_in_.tolist()[-1] == "topic"


def test_numbers_are_refused_by_name_and_missing_texts_are_not():
    with pytest.raises(BadInput, match=r"'price' of document 0 is 3\.5, not text; drop 'price'"):
        fitted(price=3.5)
    with pytest.raises(BadInput, match="'price' of document 0 is 3, not text"):
        TextClassifier().fit([{"body": "oil", "price": 3}], [("crude",)])
    plain = fitted().predict_proba(FRAME)
    for nothing in (None, np.nan, pd.Series([pd.NA] * 32, dtype="string")):
        assert np.array_equal(fitted(note=nothing).predict_proba(FRAME.assign(note=nothing)), plain)


def test_a_frame_brings_its_labels():
    frame = FRAME.assign(labels=SETS)
    unlabelled = frame.assign(labels=None).head(3)
    model = TextClassifier().fit(pd.concat([frame, unlabelled]))
    assert model.n_documents_ == 32
    assert np.array_equal(model.predict_proba(FRAME), fitted().predict_proba(FRAME))
    with pytest.raises(BadInput, match=r"brings no labels.*headline, story"):
        TextClassifier().fit(FRAME)
    with pytest.raises(BadInput, match="no text column"):
        model.predict(frame[["labels"]])
    with pytest.raises(BadInput, match="duplicate column 'story'"):
        model.predict(FRAME[["story", "story"]])


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["; ".join(labels) for labels in SETS], "label separator ';'"),
        (["|".join(labels) for labels in SETS], r"label separator '\\|'"),
        ([str(list(labels)) for labels in SETS], "lists of labels"),
    ],
)
def test_own_labels_in_one_text_are_split_as_on_the_command_line(texts, found):
    records = FRAME.assign(labels=texts).to_dict("records")
    for documents in (FRAME.assign(labels=texts), records):
        with pytest.warns(Notice, match=f"detected {found} in the labels of documents"):
            model = TextClassifier().fit(documents)
        assert (model.kind_, model.classes_.tolist()) == ("sets", sorted(NAMES))
        assert np.array_equal(model.predict_proba(FRAME), fitted().predict_proba(FRAME))
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        assert len(TextClassifier().fit(FRAME.story, texts).classes_) == 4  # as y they are single labels
        kept = TextClassifier().fit(FRAME.assign(labels=["Paris, France", "Bonn"] * 16))
    assert (kept.kind_, kept.classes_.tolist()) == ("one", ["Bonn", "Paris, France"])


def test_large_whole_numbers_stay_what_they_are(tmp_path):
    large = [(1 << 63) + 1, -1]
    model = TextClassifier().fit(["oil fell", "wheat rose"] * 9, large * 9)
    assert model.classes_.tolist() == sorted(large)
    model.save(tmp_path / "m")
    for each in (model, load(tmp_path / "m")):
        assert each.predict(["oil fell", "wheat rose"]).tolist() == large
    assert as_names([1, 2]).dtype == np.int64
    assert as_names([False, True]).dtype == bool


def test_lists_of_0_and_1_are_a_matrix():
    model = TextClassifier().fit(TEXTS, Y.tolist())
    assert model.kind_ == "matrix"
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.array_equal(model.predict(TEXTS), TextClassifier().fit(TEXTS, Y).predict(TEXTS))
    truth = TextClassifier().fit(["law", "vote law"] * 20, [[1, 0], [1, 1]] * 20).predict(["vote law"])
    assert truth.tolist() == [[1, 1]]


@pytest.mark.parametrize(
    ("y", "kind", "sets"),
    [
        ([[1, 0], [1, 1]], "matrix", [(0,), (0, 1)]),
        ([[True, False], [False, True]], "matrix", [(0,), (1,)]),
        ([np.array([0, 1]), np.array([0, 0])], "matrix", [(1,), ()]),
        ([np.array([False, True]), [np.True_, np.False_]], "matrix", [(1,), (0,)]),
        ([[1], [0]], "matrix", [(0,), ()]),
        ([(1, 0), (1, 1)], "sets", [(1, 0), (1, 1)]),
        ([{1}, {0, 1}], "sets", [(1,), (0, 1)]),
        ([["1", "0"], []], "sets", [("1", "0"), ()]),
        ([[], []], "sets", [(), ()]),
        ([1, 0], "one", [(1,), (0,)]),
        (sparse.csr_matrix([[1, 0], [0, 0]]), "sparse", [(0,), ()]),
        (pd.DataFrame({"b": [1, 0], "a": [1, 1]}), "frame", [("b", "a"), ("a",)]),
    ],
)
def test_one_rule_tells_a_matrix_from_label_sets(y, kind, sets):
    given, found = read_targets(y)
    assert found == kind
    assert as_sets(given, found) == sets


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[1, 0], [1]], "row 1 of the targets is .* tuples or sets"),
        ([[1, 0], []], "row 1 of the targets"),
        ([[3, 7], [5, 6]], "only 0 and 1.*tuples or sets"),
        ([[0, 1], [0.5, 1]], "only 0 and 1"),
        (np.array([["a"], ["b"]]), "only 0 and 1.*flat list"),
        (pd.DataFrame({"category": ["a", "b"]}), "only 0 and 1"),
        (pd.DataFrame([[1, 0], [0, 1]], columns=["a", "a"]), "duplicate column 'a'"),
        (7, "y is int"),
        ({"oil": "a"}, "y is dict"),
        ([{"grain": 1, "crude": 0}] * 2, r"document 0 are a mapping; give the labels that apply, e.g. \{k for k"),
        ([("grain",), {"grain": 1}], "document 1 are a mapping"),
        (np.zeros((2, 2)), "no document has a label"),
    ],
)
def test_wrong_targets_are_refused(y, message):
    with pytest.raises(BadInput, match=message):
        TextClassifier().fit(["oil", "wheat"], y)


def test_a_frame_of_named_columns_keeps_its_names(tmp_path):
    model = TextClassifier().fit(TEXTS, pd.DataFrame(Y, columns=NAMES))
    assert model.classes_.tolist() == NAMES
    found = model.predict(TEXTS)
    assert isinstance(found, pd.DataFrame)
    assert found.columns.tolist() == NAMES
    assert np.array_equal(found, TextClassifier().fit(TEXTS, Y).predict(TEXTS))
    model.save(tmp_path / "m")
    assert load(tmp_path / "m").predict(TEXTS).equals(found)
    model.partial_fit(["gold bar"] * 3, pd.DataFrame({"gold": [1] * 3, "crude": 0, "grain": 0, "ship": 0}))
    assert model.classes_.tolist() == [*NAMES, "gold"]
    assert model.score(TEXTS, pd.DataFrame(Y[:, ::-1], columns=NAMES[::-1])) == model.score(TEXTS, SETS)


def test_a_sparse_matrix_comes_back_sparse(tmp_path):
    model = TextClassifier().fit(TEXTS, sparse.csc_array(Y))
    found = model.predict(TEXTS)
    assert sparse.issparse(found)
    assert np.array_equal(found.toarray(), TextClassifier().fit(TEXTS, Y).predict(TEXTS))
    model.save(tmp_path / "m")
    assert sparse.issparse(load(tmp_path / "m").predict(TEXTS))


def test_a_column_of_labels_is_refused_where_cells_are_missing():
    frame = pd.DataFrame({"story": ["wheat rose", "oil fell", "rain"] * 6, "tags": ["grain", "crude", None] * 6})
    with pytest.raises(BadInput, match="column 'tags' of the data frame holds the labels"):
        TextClassifier().fit(frame, frame.tags.fillna(""))


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_documents_or_targets_have_no_order(kind):
    model = TextClassifier().fit(TEXTS, SETS)
    calls = [lambda: model.fit(kind(TEXTS[:4]), SETS[:4]), lambda: model.predict(kind(TEXTS))]
    calls += [lambda: model.fit(kind({Document("1", body="corn", labels=("a",))}))]
    for call in calls:
        with pytest.raises(BadInput, match=f"documents are a {kind.__name__}, which has no order; give a list"):
            call()
    with pytest.raises(BadInput, match=f"y is a {kind.__name__}, which has no order; give a list"):
        model.fit(["corn", "oil"], kind(["grain", "crude"]))
    known = dict(zip(TEXTS, SETS))
    assert model.fit(known.keys(), known.values()).n_documents_ == len(known)  # these are ordered


def test_whole_numbers_with_a_missing_one_are_floats_in_a_frame():
    frame = pd.DataFrame({"text": ["corn", "oil", "ship"] * 8, "labels": [0, 1, None] * 8})
    assert frame["labels"].dtype == float
    for given in (frame, frame.to_dict("records"), iter(frame.to_dict("records")), frame.astype({"labels": "Int64"})):
        model = TextClassifier().fit(given)
        assert (model.n_documents_, model.classes_.tolist(), model.kind_) == (16, [0, 1], "one")
        assert model.classes_.dtype.kind == "i"
    known = frame.dropna()
    assert TextClassifier().fit(known["text"], known["labels"]).classes_.tolist() == [0, 1]
    with pytest.raises(BadInput, match="document 2 has no label; leave it out"):
        TextClassifier().fit(frame["text"], frame["labels"])
    for wrong in (0.5, 1e300, float("inf")):
        with pytest.raises(BadInput, match=r"a label of document 1 is .*; labels are texts or whole numbers"):
            TextClassifier().fit(["corn", "oil"], [0.0, wrong])
