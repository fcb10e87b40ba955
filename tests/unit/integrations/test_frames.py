"""Columns and frames of pandas, Polars and Arrow: the same model and the same answers as for lists."""

import numpy as np
import pytest

from bayesift import TextClassifier, TextVectorizer
from bayesift.errors import BadInput
from bayesift.integrations.frames import predict_frame
from bayesift.text.arrow_texts import ArrowTexts, arrow_column
from bayesift.text.tokens import PieceTable

pandas = pytest.importorskip("pandas", reason="needs pandas: pip install '.[dev]'")
polars = pytest.importorskip("polars", reason="needs polars: pip install '.[dev]'")
pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[cluster]'")

TEXTS = ["wheat corn harvest", "oil barrel & <b>opec</b>", "", "Straße &amp; naïve port", "vessel cargo", "x" * 90] * 8
SETS = [("grain",), ("crude",), (), ("ship",), ("ship", "grain"), ()] * 8
DICTIONARY = pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
COLUMNS = {
    "pandas, Arrow": lambda texts: pandas.Series(texts, dtype=pandas.ArrowDtype(pyarrow.string())),
    "pandas, strings": lambda texts: pandas.Series(texts, dtype=pandas.StringDtype("pyarrow")),
    "pandas, objects": lambda texts: pandas.Series(texts, dtype=object),
    "Polars": polars.Series,
    "Arrow": pyarrow.array,
    "Arrow, large": lambda texts: pyarrow.array(texts, pyarrow.large_string()),
    "Arrow, view": lambda texts: pyarrow.array(texts, pyarrow.string_view()),
    "Arrow, chunks": lambda texts: pyarrow.chunked_array([texts[:7], [], texts[7:]], pyarrow.string()),
    "Arrow, dictionary": lambda texts: pyarrow.array(texts).dictionary_encode(),
    "Arrow, dictionary in chunks": lambda texts: pyarrow.chunked_array([pyarrow.array(texts).dictionary_encode()]),
    "pandas, dictionary": lambda texts: pandas.Series(pyarrow.array(texts).dictionary_encode(), dtype=DICTIONARY),
    "Arrow, part": lambda texts: pyarrow.array(["other", *texts, "more"]).slice(1, len(texts)),
}
FRAMES = {
    "pandas": pandas.DataFrame,
    "Polars": polars.DataFrame,
    "Arrow": pyarrow.table,
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_give_what_lists_give(kind):
    column = COLUMNS[kind](TEXTS)
    for settings in ({}, {"html": "keep", "ngrams": 2}):
        expected = TextVectorizer(**settings).fit_transform(TEXTS)
        vectorizer = TextVectorizer(**settings)
        assert (vectorizer.fit_transform(column) != expected).nnz == 0
        assert (vectorizer.transform(column) != expected).nnz == 0
    model, plain = TextClassifier().fit(column, SETS), TextClassifier().fit(TEXTS, SETS)
    assert np.array_equal(model.predict_proba(column), plain.predict_proba(TEXTS))
    assert model.predict(column) == plain.predict(TEXTS)
    assert model.score(column, SETS) == plain.score(TEXTS, SETS)


@pytest.mark.parametrize("kind", [kind for kind in COLUMNS if kind != "pandas, objects"])
def test_strings_in_arrow_become_no_python_strings(kind, monkeypatch):
    column = COLUMNS[kind](["wheat corn", "oil barrel"] * 500)
    model = TextClassifier().fit(TEXTS, SETS)
    monkeypatch.setattr(ArrowTexts, "__iter__", lambda self: pytest.fail("a string per text"))
    monkeypatch.setattr("bayesift.text.arrow_texts._decoded", lambda *given: pytest.fail("a string per text"))
    assert model.predict_proba(column).shape == (1000, 3)


@pytest.mark.parametrize("kind", ["pandas, Arrow", "pandas, strings", "Arrow", "Arrow, large", "Arrow, part"])
def test_the_scanner_reads_the_bytes_of_the_column(kind, monkeypatch):
    column = COLUMNS[kind](["wheat corn", "oil barrel", "", "corn"] * 500)
    whole = arrow_column(column)
    buffer = (whole.chunk(0) if hasattr(whole, "chunk") else whole).buffers()[2]
    seen, scan = [], PieceTable.scan
    monkeypatch.setattr(PieceTable, "scan", lambda self, data, ends: (seen.append(data), scan(self, data, ends))[1])
    TextVectorizer().fit_transform(column)
    assert sum(data.size for data in seen) == 500 * 24
    for data in seen:
        assert buffer.address <= data.ctypes.data < buffer.address + buffer.size


def test_texts_with_markup_are_few_or_many():
    plain, marked = "wheat and corn", "oil &amp; <b>gas</b> 5 < 7"
    for every in (2, 3, 500):  # copied, copied, in runs
        texts = [marked if i % every == 1 else f"{plain} {i % 9}" for i in range(2000)]
        expected = TextVectorizer().fit_transform(texts)
        assert (TextVectorizer().fit_transform(pyarrow.array(texts)) != expected).nnz == 0


def test_texts_can_be_looked_at():
    texts = ArrowTexts(pyarrow.chunked_array([["a", "bc"], ["é"]]))
    assert (len(texts), texts[1], texts[-1], texts[1:], list(texts)) == (3, "bc", "é", ["bc", "é"], ["a", "bc", "é"])
    with pytest.raises(IndexError):
        texts[3]
    assert len(ArrowTexts(pyarrow.array([], pyarrow.string()))) == 0


@pytest.mark.parametrize("kind", ["pandas, Arrow", "Polars", "Arrow", "Arrow, dictionary"])
def test_missing_texts_are_errors(kind):
    column = COLUMNS[kind](["wheat", None, "oil"])
    with pytest.raises(BadInput, match="document 1 is missing; fill missing texts"):
        TextClassifier().fit(column, [("a",), ("b",), ("a",)])


@pytest.mark.parametrize("library", FRAMES)
def test_frames_are_zones(library):
    rows = {"title": TEXTS, "body": TEXTS[::-1], "labels": [list(labels) for labels in SETS]}
    expected = TextClassifier().fit([{"title": t, "body": b} for t, b in zip(TEXTS, TEXTS[::-1])], SETS)
    frame = FRAMES[library](rows)
    model = TextClassifier().fit(frame)
    assert model.feature_names_in_.tolist() == ["title", "body"]
    assert np.array_equal(model.predict_proba(frame), expected.predict_proba(
        [{"title": t, "body": b} for t, b in zip(TEXTS, TEXTS[::-1])]))  # fmt: skip
    with pytest.raises(BadInput, match="missing column 'body'"):
        model.predict(FRAMES[library]({"title": TEXTS}))


@pytest.mark.parametrize("library", FRAMES)
def test_rows_without_labels_are_left_out(library):
    frame = FRAMES[library]({"body": TEXTS, "labels": [["grain"], ["crude"], None, ["ship"], None, None] * 8})
    assert TextClassifier().fit(frame).n_documents_ == 24


@pytest.mark.parametrize("targets", [polars.Series, pyarrow.array, pandas.Series])
def test_targets_are_columns_too(targets):
    names = ["grain", "crude", "ship", "ship", "grain", "crude"] * 8
    assert TextClassifier().fit(TEXTS, targets(names)).kind_ == "one"
    sets = TextClassifier().fit(TEXTS, targets([list(labels) for labels in SETS]))
    assert sets.kind_ == "sets"
    assert sets.classes_.tolist() == ["crude", "grain", "ship"]
    matrix = TextClassifier().fit(TEXTS, targets([[int(name in labels) for name in set(names)] for labels in SETS]))
    assert (matrix.kind_, matrix.classes_.tolist()) == ("matrix", [0, 1, 2])


@pytest.mark.parametrize("library", FRAMES)
def test_targets_are_frames_of_zeros_and_ones(library):
    names = ["ship", "grain", "crude"]  # columns keep their order
    frame = FRAMES[library]({name: [int(name in labels) for labels in SETS] for name in names})
    model = TextClassifier().fit(TEXTS, frame)
    assert (model.kind_, model.classes_.tolist()) == ("frame", names)
    assert model.predict(TEXTS).columns.tolist() == names
    assert model.score(TEXTS, frame) == model.score(TEXTS, SETS)


@pytest.mark.parametrize("kind", ["pandas, Arrow", "pandas, objects", "Polars", "Arrow"])
def test_predictions_are_a_frame_of_the_same_library(kind):
    model = TextClassifier().fit(TEXTS, SETS)
    column = COLUMNS[kind](["wheat corn", "vessel cargo"])
    found = predict_frame(model, column, probabilities=True)
    assert type(found).__module__.partition(".")[0] == type(column).__module__.partition(".")[0]
    to_rows = next(name for name in ("to_pylist", "to_dicts", "to_dict") if hasattr(found, name))
    rows = found.to_dict("records") if to_rows == "to_dict" else getattr(found, to_rows)()
    assert list(rows[0]) == ["labels", "confidence", "probability:crude", "probability:grain", "probability:ship"]
    expected = model.predictions(["wheat corn", "vessel cargo"])
    assert [row["confidence"] for row in rows] == expected.confidence.tolist()
    assert [tuple(row["labels"]) for row in rows] == model.predict(["wheat corn", "vessel cargo"])
    assert rows[0]["probability:grain"] == expected.probabilities[0, 1]


def test_pandas_keeps_the_index():
    model = TextClassifier().fit(TEXTS, SETS)
    found = predict_frame(model, pandas.Series(["wheat"], index=["a17"]))
    assert found.index.tolist() == ["a17"]
    with pytest.raises(BadInput, match="list is not a column or a frame"):
        predict_frame(model, ["wheat"])
