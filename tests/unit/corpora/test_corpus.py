import json

import pytest

from bayesift.corpora import load_corpus
from bayesift.corpora.catalogue import CATALOGUE
from bayesift.corpora.data_dir import data_folder
from bayesift.corpora.docstrings import read_docstrings
from bayesift.errors import BadInput, NotFound


def write_lines(path, *lines):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_where_corpora_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("BAYESIFT_DATA", str(tmp_path / "variable"))
    assert data_folder(tmp_path / "given") == tmp_path / "given"
    assert data_folder() == tmp_path / "variable"
    monkeypatch.delenv("BAYESIFT_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder().name == "corpora"


def test_arxiv_keeps_real_categories_only(tmp_path):
    paper = {"id": "1", "date": "2025-03-18", "title": "t", "abstract": "a"}
    categories = ["cs.LG", "68T07", "I.2.7; K.4.1", "cond-mat.soft", "cs.LG", "J.3"]
    write_lines(tmp_path / "arxiv" / "arxiv_2025.jsonl", paper | {"categories": categories})
    (one,) = load_corpus("arxiv", data=tmp_path).documents()
    assert one.labels == ("cs.LG", "cond-mat.soft")
    write_lines(tmp_path / "arxiv" / "arxiv_2025.jsonl", paper)
    with pytest.raises(BadInput, match=r"arxiv_2025.jsonl:1: object missing required field `categories`"):
        list(load_corpus("arxiv", data=tmp_path).documents())


def test_ohsumed91_and_its_split(tmp_path):
    reference = {"labels": ["C01"], "title": "t", "abstract": "a"}
    file = tmp_path / "ohsumed91" / "ohsumed1991_23cat.jsonl"
    sides = ["training", None, "test"]
    write_lines(file, *({"id": i, "split20000": side} | reference for i, side in enumerate(sides)))
    assert [d.id for d in load_corpus("ohsumed91", data=tmp_path).documents()] == ["0", "1", "2"]
    corpus = load_corpus("ohsumed91", data=tmp_path, split="split20000")
    assert [[d.id for d in side] for side in corpus.split()] == [["0"], ["2"]]
    assert [d.id for d in corpus.documents()] == ["0", "2"]
    assert corpus.labels == ["C01"]
    write_lines(file, {"id": 0, "split20000": "other"} | reference)
    with pytest.raises(BadInput, match=r"23cat.jsonl:1: .*split20000"):
        list(corpus.documents())


def test_synergy_whole_and_by_review(tmp_path):
    folder = tmp_path / "synergy"
    folder.mkdir()
    head = "openalex_id,doi,pmid,publication_date,publication_year,title,abstract,label\n"
    for review in CATALOGUE["synergy"].parts:
        (folder / f"{review}.csv").write_text(head + "https://o/W1,,,2001-01-01,2001,t,a,1\nhttps://o/W2,,,,,,a,0\n")
    assert sum(1 for _ in load_corpus("synergy", data=tmp_path).documents()) == 10
    one, two = load_corpus("synergy/Oud_2018", data=tmp_path).documents()
    assert (one.id, one.labels, one.date) == ("Oud_2018/W1", ("included",), "2001-01-01")
    assert (two.labels, two.date) == ((), None)
    (folder / "Oud_2018.csv").write_text(head + "https://o/W1,,,,,t,a,maybe\n")
    with pytest.raises(BadInput, match=r"Oud_2018.csv:2: label is neither"):
        list(load_corpus("synergy", part="Oud_2018", data=tmp_path).documents())
    (folder / "Oud_2018.csv").unlink()
    with pytest.raises(BadInput, match=r"is incomplete: no Oud_2018.csv"):
        load_corpus("synergy", data=tmp_path)


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFound, match=r"no corpus 'routers'.*reuters21578"):
        load_corpus("routers")
    with pytest.raises(NotFound, match="bayesift corpus get rcv1"):
        load_corpus("rcv1", data=tmp_path)
    with pytest.raises(NotFound, match=r"no split 'apte'; it has: modapte"):
        load_corpus("reuters21578", split="apte", data=tmp_path)
    with pytest.raises(NotFound, match="no part 'x'"):
        load_corpus("docstrings/x")
    with pytest.raises(BadInput, match="has text, not vectors"):
        load_corpus("docstrings").vectors()


def test_docstrings_are_many_distinct_and_always_the_same():
    documents = list(read_docstrings())
    assert documents == list(read_docstrings())
    assert len({d.id for d in documents}) == len({d.body for d in documents}) == len(documents)
    by_id = {d.id: d for d in documents}
    assert by_id["scipy.stats.ttest_ind"].labels == ("scipy", "scipy.stats")
    assert by_id["numpy.linspace"].labels == ("numpy",)
    assert not any("test" in label for d in documents for label in d.labels)
    other = {d.id: d.split for d in read_docstrings(seed=1)}
    assert 0.2 < sum(other[d.id] != d.split for d in documents) / len(documents) < 0.7
    corpus = load_corpus("docstrings")
    assert all(count.right for count in corpus.check())


def test_every_description_is_complete():
    for name, description in CATALOGUE.items():
        assert description.name == name
        assert description.terms
        assert "documents" in description.expected
        assert not description.layouts or description.downloads or description.to_get


@pytest.mark.parametrize("name", [n for n, d in CATALOGUE.items() if d.layouts])
def test_the_real_corpus_is_as_described(name, corpus_folder):
    corpus = load_corpus(name, data=corpus_folder(name).parent)
    assert [(c.what, c.found) for c in corpus.check()] == list(CATALOGUE[name].expected.items())
