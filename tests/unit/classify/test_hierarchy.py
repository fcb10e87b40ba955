"""`hierarchy=`: what it takes, what training documents get, and what predictions respect."""

import gzip
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bayesift import Document, TextClassifier, load
from bayesift.classify import compare_learners, implied_labels
from bayesift.classify.cross_validation import cross_validate
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.saving import classes
from bayesift.cluster.partitions import Reader, count_partition
from bayesift.decide.consistent import contradicted
from bayesift.errors import BadInput, Notice
from bayesift.integrations.linear_model import linear_model
from bayesift.model_file import read_model
from bayesift.text import TextVectorizer

WORDS = {"corn": "corn maize kernel", "wheat": "wheat flour bread", "crude": "oil opec barrel", "gas": "gas pipe heat"}
PARENTS = {"corn": "grain", "wheat": ["grain", "food"], "grain": "crops", "crude": "energy", "gas": "energy"}
LACKING = "get labels that the hierarchy implies"


def made(n=120, seed=0):
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        own = [list(WORDS)[i % 4], *(["gas"] if i % 12 == 2 else [])]
        words = [rng.choice(WORDS[label].split()) for label in own for _ in range(2)]
        noise = rng.choice(" ".join(WORDS.values()).split(), 3)  # so that some decisions are wrong
        found.append((" ".join([*words, *noise, *rng.choice(["said", "rose", "fell"], 3)]), tuple(own)))
    texts, sets = zip(*found)
    return list(texts), list(sets)


TEXTS, SETS = made()
NEW, TRUE = made(200, seed=1)
FULL = Hierarchy(PARENTS)
COMPLETE = FULL.complete_all(SETS)


def fitted(learner="multilabel", y=SETS, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        return TextClassifier(learner, **{"hierarchy": PARENTS} | settings).fit(TEXTS, y)


def wrong(model, decisions):
    return contradicted(decisions, model.hierarchy_.pairs(model.classes_.tolist()))


def test_ancestors_are_all_labels_above_the_nearest_first():
    assert FULL.ancestors("wheat") == ("grain", "food", "crops")
    assert FULL.ancestors("crops") == ()
    assert FULL.complete(("gas", "energy")) == ("gas", "energy")
    assert not Hierarchy()
    assert Hierarchy().complete(["a", "b"]) == ("a", "b")


def test_training_documents_get_what_their_labels_imply():
    with pytest.warns(Notice, match=f"120 documents {LACKING} and that they lacked, as 'grain'") as noted:
        model = TextClassifier(hierarchy=PARENTS).fit(TEXTS, SETS)
    assert noted[0].filename == __file__
    assert list(model.classes_) == ["corn", "crops", "crude", "energy", "food", "gas", "grain", "wheat"]
    assert dict(zip(model.classes_, model.label_documents_))["crops"] == 60
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same = TextClassifier(hierarchy=PARENTS).fit(TEXTS, COMPLETE)
    assert np.array_equal(same.predict_proba(NEW), model.predict_proba(NEW))
    assert same.predict(NEW) == model.predict(NEW)


def test_without_a_hierarchy_nothing_changes(tmp_path):
    plain, model = TextClassifier().fit(TEXTS, COMPLETE), fitted(y=COMPLETE)
    assert np.array_equal(plain.predict_proba(NEW), model.predict_proba(NEW))
    own = model.set_params(consistent=False).decisions(NEW)[1]
    assert np.array_equal(plain.decisions(NEW)[1], own)
    plain.save(tmp_path / "plain")
    again = load(tmp_path / "plain")
    assert again.hierarchy is None
    assert not again.hierarchy_
    assert "hierarchy" not in read_model(tmp_path / "plain", classes(), kind="TextClassifier").model["state"]


@pytest.mark.parametrize("together", [False, True])
def test_predictions_respect_it_unless_that_is_switched_off(together):
    model = fitted()
    respected = model.decisions(NEW, together=together)[1]
    assert not wrong(model, respected).any()
    model.set_params(consistent=False)
    own = model.decisions(NEW, together=together)[1]
    assert wrong(model, own).any()
    assert np.array_equal(respected[~wrong(model, own)], own[~wrong(model, own)])
    assert respected[wrong(model, own)].any(axis=1).all()  # every training document has a label


def test_a_rule_with_a_target_keeps_it():
    for rule, kept in (("precision", lambda found, own: (found <= own).all()), ("recall", lambda f, o: (f >= o).all())):
        model = fitted(rule=rule)
        found, own = model.decisions(NEW)[1], model.set_params(consistent=False).decisions(NEW)[1]
        assert wrong(model, own).any()
        assert not wrong(model, found).any()
        assert kept(found, own)


def test_every_way_to_measure_agrees():
    model = fitted()
    report = model.evaluate(NEW, TRUE)
    assert model.score(NEW, TRUE) == pytest.approx(report.summary["micro F1"])
    assert model.score(NEW, FULL.complete_all(TRUE)) == pytest.approx(report.summary["micro F1"])
    assert report.summary["macro F1"] > 0.5
    with pytest.warns(Notice, match=f"120 documents {LACKING}"):
        found = cross_validate(TextClassifier(hierarchy=PARENTS), TEXTS, SETS, folds=3)
    assert "crops" in found.labels
    assert not contradicted(found.decisions, FULL.pairs(found.labels)).any()
    learners = {"with": TextClassifier(hierarchy=PARENTS), "without": TextClassifier()}
    assert len(compare_learners(TEXTS, SETS, learners=learners).learners) == 2


@pytest.mark.parametrize("learner", ["multilabel", "wide"])
def test_a_saved_model_keeps_it(tmp_path, learner):
    file = tmp_path / "h.csv"
    file.write_text("child,parent\n" + "".join(f"{c},{p}\n" for c in PARENTS for p in FULL.parents[c]))
    model = fitted(learner, hierarchy=file)
    file.unlink()
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.hierarchy == again.hierarchy_.parents == FULL.parents
    assert again.consistent
    assert again.predict(NEW) == model.predict(NEW) == [model.predict([text])[0] for text in NEW]
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    model.set_params(consistent=False).save(tmp_path / "m")
    assert not load(tmp_path / "m").consistent
    if learner == "multilabel":
        model.partial_fit(TEXTS[:4], SETS[:4])  # the file is not read again


def test_labels_of_the_hierarchy_may_come_later():
    with pytest.warns(Notice, match="no document has a label of the hierarchy that has a parent, as 'rye'"):
        model = TextClassifier(hierarchy={"rye": "cereals"}).fit(TEXTS, SETS)
    model.partial_fit(["rye field", "rye whisky"] * 4, [("rye",)] * 8).calibrate()
    assert list(model.classes_[-2:]) == ["cereals", "rye"]
    assert model.label_documents_[-2:].tolist() == [8, 8]
    assert model.predict(["rye field"]) == [("cereals", "rye")]
    begun = TextClassifier(hierarchy=PARENTS)
    with pytest.warns(Notice, match=f"1 document {LACKING.replace('get', 'gets')}"):
        begun.partial_fit(TEXTS[:1], SETS[:1], classes=["wheat"])
    assert list(begun.classes_) == ["corn", "crops", "food", "grain", "wheat"]
    begun.partial_fit(TEXTS[1:], SETS[1:], classes=["gas"])
    assert not wrong(begun, begun.decisions(NEW)[1]).any()


def test_documents_that_come_from_an_iterator():
    with pytest.warns(Notice, match=f"120 documents {LACKING}"):
        model = TextClassifier(hierarchy=PARENTS).fit(iter(TEXTS), iter(SETS))
    assert model.predict(NEW) == fitted().predict(NEW)
    with pytest.raises(BadInput, match="each document has a single label"):
        TextClassifier(hierarchy=PARENTS).fit(iter(TEXTS), iter([labels[0] for labels in SETS]))


def test_a_worker_of_a_cluster_completes_labels():
    documents = [{"text": text, "labels": labels} for text, labels in zip(TEXTS, SETS)]
    _, _, summary = count_partition(documents, TextVectorizer(), Reader(hierarchy=FULL))
    have = dict(zip(summary.labels, summary.label_documents))
    assert (have["crops"], have["corn"], summary.completed.documents) == (60, 30, 120)


@pytest.mark.parametrize("kind", ["matrix", "sparse", "frame"])
def test_a_matrix_needs_a_column_for_each_ancestor(kind):
    names = ["corn", "wheat", "grain"]
    Y = np.array([["corn" in s, "wheat" in s, False] for s in SETS], int)
    make = {"matrix": lambda Y: Y, "sparse": sparse.csr_matrix, "frame": lambda Y: pd.DataFrame(Y, columns=names)}[kind]
    given = {"corn": "grain", "wheat": "grain"} if kind == "frame" else {0: 2, 1: [2]}
    with pytest.warns(Notice, match=f"60 documents {LACKING}"):
        model = TextClassifier(hierarchy=given).fit(TEXTS, make(Y))
    found = np.asarray(sparse.csr_matrix(model.predict(NEW)).toarray())
    assert found[:, 2].sum() > 20
    assert (found[:, 2] >= found[:, :2].max(axis=1)).all()
    few = make(Y[:, :2]) if kind != "frame" else make(Y)[["corn", "wheat"]]
    with pytest.raises(BadInput, match="which is not a column of the targets; add the column"):
        TextClassifier(hierarchy=given).fit(TEXTS, few)


def test_single_labels_have_no_hierarchy():
    with pytest.raises(BadInput, match="each document has a single label; leave the hierarchy out"):
        TextClassifier(hierarchy=PARENTS).fit(TEXTS, [labels[0] for labels in SETS])
    with pytest.raises(BadInput, match="each document has a single label"):
        cross_validate(TextClassifier(hierarchy=PARENTS), TEXTS, [labels[0] for labels in SETS])


def test_an_explanation_says_what_the_hierarchy_changed():
    model = fitted()
    found, own = model.decisions(NEW)[1], model.classifier_.labels_of(model.predict_proba(NEW))
    reasons = {"a predicted label implies it": found & ~own, "it implies a label that is not": own & ~found}
    for reason, change in reasons.items():
        i, c = np.argwhere(change)[0].tolist()
        assert model.explain([NEW[i]], [model.classes_[c]])[0].reason.startswith(reason)
    same = np.argwhere(found & own)[0].tolist()
    assert "implies" not in model.explain([NEW[same[0]]], [model.classes_[same[1]]])[0].reason


def test_a_model_with_a_hierarchy_is_not_exported_as_one_without():
    model = fitted()
    with pytest.raises(BadInput, match="hierarchy of labels cannot be exported"):
        linear_model(model)
    assert linear_model(model.set_params(consistent=False)).labels == model.classes_.tolist()


def test_labels_that_imply_others_are_found():
    assert implied_labels(COMPLETE) == {
        "corn": ["crops", "grain"], "crude": ["energy"], "food": ["crops", "grain"], "gas": ["energy"],
        "wheat": ["crops", "grain"],
    }  # fmt: skip
    assert implied_labels(COMPLETE[:12]) == {}
    assert "corn" in implied_labels(COMPLETE[:12], least=1)
    assert implied_labels([]) == {}
    Hierarchy(implied_labels(COMPLETE))


@pytest.mark.parametrize(("given", "message"), [
    ({"a": "b", "b": "c", "c": "a"}, "the hierarchy has a cycle: c > a > b > c; remove one of these pairs"),
    ({"a": "a"}, "label 'a' is its own parent; remove the pair"),
    ({"a": ""}, "a label of the hierarchy has an empty name"),
    ({" ": "a"}, "a label of the hierarchy has an empty name"),
    ({"a": 1.5}, "the parents of 'a' are 1.5; give a label or a list of labels"),
    ({"a": ["b", None]}, "a label of the hierarchy is None; labels are texts or whole numbers"),
    ([("a", "b")], "hierarchy is a list; give"),
    (7, "hierarchy is a int; give"),
])  # fmt: skip
def test_bad_hierarchies_are_errors_before_documents_are_read(given, message):
    def documents():
        raise AssertionError("read")
        yield

    with pytest.raises(BadInput) as error:
        TextClassifier(hierarchy=given).fit(documents(), [])
    assert str(error.value).startswith(message)


GOOD = {
    "CSV": b"child,parent\ncorn,grain\nwheat,grain\nwheat,food\ncorn,grain\n",
    "other columns, quotes, blank lines": b'\nid,parent,child\n\n1, grain ,corn\r\n2,grain,"wheat"\n3,food,wheat\n',
    "byte-order mark": b"\xef\xbb\xbfchild,parent\ncorn,grain\nwheat,grain\nwheat,food\n",
    "semicolons, as Excel writes them": b"\xef\xbb\xbfchild;parent\r\ncorn;grain\r\nwheat;grain\r\nwheat;food\r\n",
    "tabs": b"child\tparent\ncorn\tgrain\nwheat\tgrain\nwheat\tfood\n",
    "JSON": b'{"corn": "grain", "wheat": ["grain", "food"], "grain": []}',
    "JSON, duplicate": b'\n{"corn": "grain",\n "wheat": "grain", "wheat": "food"}\n',
    "compressed": gzip.compress(b"child,parent\ncorn,grain\nwheat,grain\nwheat,food\n"),
}


@pytest.mark.parametrize("name", GOOD)
def test_files(name, tmp_path):
    file = Path(tmp_path, "h")
    file.write_bytes(GOOD[name])
    assert Hierarchy.of(str(file)).parents == {"corn": ["grain"], "wheat": ["grain", "food"]}


def test_a_label_may_hold_commas_quotes_and_line_ends(tmp_path):
    file = Path(tmp_path, "h.csv")
    file.write_bytes(b'child,parent\n"a, ""b""",c\n"d\ne",c\nx,x\n')
    with pytest.raises(BadInput, match=r"h\.csv:5: label 'x' is its own parent"):
        Hierarchy.read(file)
    file.write_bytes(file.read_bytes()[:-4])
    assert Hierarchy.read(file).parents == {'a, "b"': ["c"], "d\ne": ["c"]}


def test_labels_have_no_line_breaks_when_they_are_learned():
    with pytest.raises(BadInput, match=r"the hierarchy has the label .* with a line break"):
        TextClassifier(hierarchy={"corn": "all\ngrain"}).fit(TEXTS, SETS)


BAD = {
    "empty": (b"", ": is empty; begin with the line child,parent"),
    "blank": (b"\n  \n", ": is empty"),
    "header alone": (b"child,parent\n", ": no label has a parent"),
    "no header": (b"corn,grain\n", ":1: no columns child and parent; begin with the line child,parent"),
    "tildes": (b"child~parent\ncorn~grain\n", ":1: no columns child and parent"),
    "cycle": (b"child,parent\na,b\nb,c\n\nc,a\n", ":5: the hierarchy has a cycle: c > a > b > c; remove one"),
    "itself": (b"\nchild,parent\na,b\nb,b\n", ":4: label 'b' is its own parent; remove the pair"),
    "no name": (b"child,parent\na,b\n,b\n", ":3: a label of the hierarchy has an empty name"),
    "no parent": (b"child,parent\na, \n", ":2: a label of the hierarchy has an empty name"),
    "one column": (b"child,parent\na,b\nc\n", ":3: 'c' has no parent; write a label and its parent"),
    "open quote": (b'child,parent\na,b\n"c,d\n', ":3: not CSV: unexpected end of data; put labels"),
    "Latin-1": (b"child,parent\nbl\xe9,grain\n", ":2: not utf-8"),
    "JSON list": (b'[["a", "b"]]', ": is a JSON list, not an object"),
    "bad JSON": (b'\n{"a": "b",\n "c": }\n', ":3: not JSON: Expecting value"),
    "JSON lines": (b'{"a": "b"}\n{"c": "d"}\n', ":2: not JSON: Extra data"),
    "JSON number": (b'{"a": 1}', ":1: the parents of 'a' are not labels; give a label or a list of labels"),
    "JSON object": (b'{"a": {"b": "c"}}', ":1: the parents of 'a' are not labels"),
    "JSON deep": (b'{"a": ' + b"[" * 100_000, ": nested too deep"),
    "JSON cycle": (b'{"a": "b", "b": "a"}', ":1: the hierarchy has a cycle: b > a > b"),
    "JSON cycle in its line": (b'\n{"a":\n ["b",\n "c"],\n "b": "a"}', ":5: the hierarchy has a cycle: b > a > b"),
    "JSON number in its line": (b'{"a": "b",\n "c": ["b", 5]}', ":2: the parents of 'c' are not labels"),
    "JSON, none": (b'{"a": []}', ": no label has a parent"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name, tmp_path):
    content, message = BAD[name]
    file = Path(tmp_path, "h.csv")
    file.write_bytes(content)
    with pytest.raises(BadInput) as error:
        Hierarchy.read(file)
    assert str(error.value).startswith(f"{file}{message}")


def test_documents_may_bring_their_labels():
    documents = [Document(str(i), "", text, labels) for i, (text, labels) in enumerate(zip(TEXTS, SETS))]
    with pytest.warns(Notice, match=LACKING):
        model = TextClassifier(hierarchy=PARENTS).fit(documents)
    assert model.predict(NEW) == fitted().predict(NEW)
    assert model.score(documents) > 0.8
