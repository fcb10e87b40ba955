import pytest

from bayesift.corpora import load_corpus
from bayesift.corpora.trec import read_qrels, read_references, read_topics
from bayesift.errors import BadInput

REFERENCES = """.I 1
.U
87000001
.S
J Tea 8703; 1(2):3-4
.M
Tea/*AD; Human; Tea/*AD.
.T
On tea.
.P
JOURNAL ARTICLE.
.W
It is warm.
.5 of it is water.
.A
Leaf A; Cup B.
.I 2
.U
87000002
.T
No abstract.
"""
TOPICS = """<top>
<num> Number: OHSU1
<title> a thirsty person
<desc> Description:
what to drink
and when
</top>

<top>
<num> Number: OHSU2
<title> another
</top>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "references").write_text(REFERENCES)
    (tmp_path / "topics").write_text(TOPICS)
    (tmp_path / "qrels").write_text("OHSU1\t87000001\t2\nOHSU2 0 87000001 1\n")
    return tmp_path


def test_references_have_all_their_fields(folder):
    one, two = read_references(folder / "references")
    assert (one.number, one.ui, one.date) == (1, "87000001", "1987-03")
    assert one.mesh == ("Tea/*AD", "Human")
    assert one.abstract == "It is warm. .5 of it is water."
    assert (one.kind, one.authors) == ("JOURNAL ARTICLE.", "Leaf A; Cup B.")
    assert (two.title, two.abstract, two.date) == ("No abstract.", "", None)


def test_topics_and_judgements(folder):
    assert [(t.id, t.title, t.description) for t in read_topics(folder / "topics")] == [
        ("OHSU1", "a thirsty person", "what to drink and when"),
        ("OHSU2", "another", ""),
    ]
    judgements = [(j.topic, j.document, j.grade) for j in read_qrels(folder / "qrels")]
    assert judgements == [("OHSU1", "87000001", 2), ("OHSU2", "87000001", 1)]


@pytest.mark.parametrize(
    ("reader", "text", "line"),
    [
        (read_references, "stray\n", 1),
        (read_references, ".U\n1\n", 1),
        (read_references, ".I one\n", 1),
        (read_references, ".I 1\n.U\n1\n.U\n2\n", 4),
        (read_references, ".I 1\n.T\nno identifier\n", 1),
        (read_references, ".I 1\nstray\n", 2),
        (read_topics, "stray\n", 1),
        (read_topics, "<top>\n<num> Number: 1\n<top>\n", 3),
        (read_topics, "<top>\n<title> no number\n</top>\n", 3),
        (read_topics, "<top>\n<num> Number: 1\n", 2),
        (read_qrels, "OHSU1 1 1\nOHSU1 1\n", 2),
        (read_qrels, "OHSU1 1 yes\n", 1),
    ],
)
def test_a_bad_line_is_named(tmp_path, reader, text, line):
    (tmp_path / "bad").write_text(text)
    with pytest.raises(BadInput) as caught:
        list(reader(tmp_path / "bad"))
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "bad"), line)


def test_the_whole_corpus_joins_documents_and_judgements(tmp_path):
    folder = tmp_path / "ohsumed"
    folder.mkdir()
    for years, name in (("87", "batch.87"), ("88-91", "88-91")):
        (folder / f"ohsumed.{years}").write_text(REFERENCES)
        (folder / f"qrels.ohsu.{name}").write_text("OHSU1\t87000001\t2\nOHSU2\t87000001\t0\n")
    train, test = load_corpus("ohsumed", data=tmp_path).split()
    assert [(d.id, d.labels, d.split) for d in train] == [("87000001", ("OHSU1",), "train"), ("87000002", (), "train")]
    assert len(test) == 2
    assert load_corpus("ohsumed/mesh", data=tmp_path).labels == ["Human", "Tea/*AD"]
