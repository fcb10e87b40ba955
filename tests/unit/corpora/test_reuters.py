import io
import tarfile

import pytest

from bayesift.corpora import load_corpus
from bayesift.corpora.reuters import read_reuters, reuters_documents
from bayesift.errors import BadInput, NotFound

BODY = "<BODY>Body &amp; soul.\n&#3;</BODY>"


def story(number, lewis="TRAIN", judged="YES", topics=("tea",), text=None, date="26-FEB-1987 15:01:01.79"):
    items = "".join(f"<D>{t}</D>" for t in topics)
    text = text or f"<TEXT>&#2;\n<TITLE>T &lt;X></TITLE>\n<DATELINE> HERE - </DATELINE>{BODY}</TEXT>"
    return (
        f'<REUTERS TOPICS="{judged}" LEWISSPLIT="{lewis}" CGISPLIT="TRAINING-SET" OLDID="9" NEWID="{number}">\n'
        f"<DATE>{date}</DATE>\n<UNKNOWN>&#5;</UNKNOWN>\n<TOPICS>{items}</TOPICS>\n<PLACES><D>here</D></PLACES>\n"
        "<PEOPLE></PEOPLE>\n<ORGS><D>club</D><D>union</D></ORGS>\n<EXCHANGES></EXCHANGES>\n<COMPANIES></COMPANIES>\n"
        f"<UNKNOWN>&#5;</UNKNOWN>\n{text}\n</REUTERS>\n"
    )


def folder_of(tmp_path, *files):
    for i, stories in enumerate(files):
        text = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n' + "".join(stories)
        (tmp_path / f"reut2-{i:03}.sgm").write_text(text, "latin-1")
    return tmp_path


def test_a_story_has_title_body_date_and_every_kind_of_label(tmp_path):
    (one,) = read_reuters(folder_of(tmp_path, [story(1)]))
    assert (one.id, one.title, one.body) == ("1", "T <X>", "Body & soul.")
    assert one.date == "1987-02-26T15:01:01"
    assert one.labels == {
        "topics": ("tea",),
        "places": ("here",),
        "people": (),
        "orgs": ("club", "union"),
        "exchanges": (),
    }


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ('<TEXT TYPE="UNPROC">&#2;\nALL OF IT\n 1 vs 2\n&#3;</TEXT>', "", "ALL OF IT\n 1 vs 2"),
        ('<TEXT TYPE="BRIEF">&#2;\n******<TITLE>SHORT\n</TITLE>Blah blah blah.\n&#3;</TEXT>', "SHORT", ""),
        ("<TEXT><TITLE>No body</TITLE></TEXT>", "No body", ""),
        ("<TEXT><BODY>\xfcber&#5;&#30;side</BODY></TEXT>", "", "\xfcber  side"),
    ],
)
def test_texts_that_are_not_marked_up_as_usual(tmp_path, text, title, body):
    (one,) = read_reuters(folder_of(tmp_path, [story(1, text=text)]))
    assert (one.title, one.body) == (title, body)


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        (" 9-APR-1987 10:00:00.00", "1987-04-09T10:00:00"),
        ("19-MAR-1987 06:17:22.36&#9;&#9;&#9;F", "1987-03-19T06:17:22"),
        ("31-MAR-1987 605:12:19.12", "1987-03-31"),
    ],
)
def test_dates_as_the_real_files_write_them(tmp_path, date, iso):
    (one,) = read_reuters(folder_of(tmp_path, [story(1, date=date)]))
    assert one.date == iso


def test_tar_and_folder_give_the_same(tmp_path):
    folder = folder_of(tmp_path, [story(1), story(2)], [story(3)])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for file in sorted(folder.iterdir()):
            archive.add(file, f"./{file.name}")
    (tmp_path / "all.tar.gz").write_bytes(packed.getvalue())
    assert list(read_reuters(tmp_path / "all.tar.gz")) == list(read_reuters(folder))


def test_splits_follow_the_attributes_and_keep_labels_of_both_sides(tmp_path):
    stories = [
        story(1, topics=("tea", "rare")),
        story(2, topics=("rare",)),
        story(3, judged="NO", topics=()),
        story(4, judged="BYPASS"),
        story(5, "TEST"),
        story(6, "NOT-USED"),
    ]
    read = list(read_reuters(folder_of(tmp_path, stories)))

    def of(split, kind="topics"):
        return [(d.id, d.split, d.labels) for d in reuters_documents(read, split, kind)]

    assert of("modapte") == [("1", "train", ("tea",)), ("2", "train", ()), ("5", "test", ("tea",))]
    assert of("r90") == [("1", "train", ("tea",)), ("5", "test", ("tea",))]
    assert [x[0] for x in of("modlewis")] == ["1", "2", "3", "5"]
    assert len(of(None)) == 6
    assert of(None, "orgs")[5] == ("6", None, ("club", "union"))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (story(1) + story(2).replace("</REUTERS>", ""), 12, "without </REUTERS>"),
        (story(1) + "stray\n", 12, "not a <REUTERS> story"),
        (story(1) + story(2).replace("NEWID", "NEW"), 12, "no NEWID"),
        (story(1) + story(2).replace("<PEOPLE></PEOPLE>", ""), 12, "no <PEOPLE>"),
        (story(1, lewis="MAYBE"), 1, "MAYBE"),
        (story(1, date="yesterday"), 1, "no <DATE>"),
        (story(1, text="no text"), 1, "no <TEXT>"),
    ],
)
def test_a_broken_story_is_named_by_file_and_line(tmp_path, text, line, reason):
    file = tmp_path / "reut2-000.sgm"
    file.write_text(text, "latin-1")
    with pytest.raises(BadInput, match=reason) as caught:
        list(read_reuters(file))
    first = story(1).count("\n") + 1
    assert (caught.value.path, caught.value.line) == (str(file), first if line > 1 else 1)


def test_damaged_missing_and_empty_places(tmp_path):
    (tmp_path / "x.tar.gz").write_bytes(b"<html>not here</html>")
    with pytest.raises(BadInput, match="damaged archive"):
        list(read_reuters(tmp_path / "x.tar.gz"))
    with pytest.raises(NotFound):
        list(read_reuters(tmp_path / "nothing.tar.gz"))
    with pytest.raises(NotFound, match="no reut2"):
        list(read_reuters(tmp_path))


def test_the_real_corpus_by_split(corpus_folder):
    corpus = load_corpus("reuters21578", split="modapte", data=corpus_folder("reuters21578").parent)
    train, test = corpus.split()
    assert (len(train), len(test), len(corpus.labels)) == (9603, 3299, 90)
    assert corpus.labels[:2] == ["acq", "alum"]
    assert sum(bool(d.labels) for d in train) == 7770
    assert {label for d in train + test for label in d.labels} == set(corpus.labels)
    assert all(d.zones() for d in train)
    assert min(d.date for d in test) > max(d.date for d in train)
