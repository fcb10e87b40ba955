import csv
import gzip
import io
import json
import warnings

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bayesift.corpora import Document, Skipped, read_documents, write_jsonl
from bayesift.corpora.dates import day_first, iso_date
from bayesift.errors import BadInput, NotFound, Notice

text = st.text(st.characters(exclude_categories=["Cs"]))
name = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])).filter(str.strip)
labels = st.none() | st.lists(name, unique=True).map(tuple)
documents = st.builds(
    Document,
    id=text,
    title=text,
    body=text,
    labels=labels,
    date=st.none() | st.dates().map(str),
    split=st.none() | text,
)


@given(st.lists(documents, max_size=5))
def test_what_is_exported_is_read_again(tmp_path_factory, few):
    file = tmp_path_factory.mktemp("own") / "x.jsonl"
    with file.open("wb") as out:
        assert write_jsonl(few, out) == len(few)
    assert list(read_documents(file)) == few


def test_jsonl_fields_and_defaults(tmp_path):
    file = tmp_path / "x.jsonl"
    lines = [
        '\ufeff{"text": "a", "more": {"ignored": 1}}',
        '{"id": 5, "title": "t", "body": "b", "labels": [], "date": "2025-03-18T01:02:03Z"}',
        "",
        '{"id": "z", "title": null, "text": "", "labels": ["x", "y", "x"], "split": "train"}',
        '{"body": "last", "labels": null}',
    ]
    file.write_text("\n".join(lines), "utf-8")
    assert list(read_documents(file)) == [
        Document("1", body="a"),
        Document("5", "t", "b", (), "2025-03-18T01:02:03Z"),
        Document("z", labels=("x", "y"), split="train"),
        Document("4", body="last"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"text": "a"', "not JSON"),
        (b"[]", "expected `object`"),
        (b'{"text": 3}', "in `text`"),
        (b'{"text": "a", "labels": true}', "in `labels`"),
        (b'{"text": "a", "labels": [1.5]}', "in `labels"),
        (b'{"text": "a", "labels": [0, 1, 0]}', "a row of 0 and 1, not a list of labels"),
        (b'{"text": "a", "labels": [" "]}', "empty label"),
        (b'{"text": "a", "labels": ["x", "y\\nz"]}', r"the label 'y\nz' has a line break, a tab or a"),
        (b'{"text": "a", "labels": "y\\u2028z"}', "the label 'y\\u2028z' has a line break"),
        (b'{"id": 1}', "no text"),
        (b'{"text": "a", "body": "b"}', "both 'text' and 'body'"),
        (b'{"text": "a", "x": ' + b"[" * 5000, "not JSON"),
        (b'{"text": "\xff"}', "not UTF-8"),
        (b'{"text": "\\ud800"}', "not JSON"),
        (b'{"id": 1.5, "text": "a"}', "in `id`"),
        (b'{"text": "a\x00"}', "not JSON"),
    ],
)
def test_a_bad_json_line_is_named_or_skipped(tmp_path, line, reason):
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"text": "fine"}\n' + line + b'\n{"text": "fine too"}\n')
    with pytest.raises(BadInput) as caught:
        list(read_documents(file))
    assert (caught.value.path, caught.value.line) == (str(file), 2)
    assert reason in str(caught.value)
    skipped = Skipped()
    assert [d.body for d in read_documents(file, skip_bad=True, skipped=skipped)] == ["fine", "fine too"]
    assert (skipped.count, skipped.first[0].line) == (1, 2)
    with pytest.warns(UserWarning, match="1 bad line skipped"):
        list(read_documents(file, skip_bad=True))


def test_table_with_quotes_newlines_and_a_byte_order_mark(tmp_path):
    file = tmp_path / "x.csv"
    file.write_bytes(
        b'\xef\xbb\xbfid,title,body,labels,date\r\n7,"a, ""b""","one\r\ntwo",x; y,2025-01-02\r\n\r\n,t,,,\r\n'
    )
    assert list(read_documents(file)) == [
        Document("7", 'a, "b"', "one\r\ntwo", ("x", "y"), "2025-01-02"),
        Document("2", "t", "", ()),
    ]


def test_table_with_other_names_separator_and_tabs(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("Headline\tTags\tNotes\nRain\tsky|wet\tno\n")
    read = read_documents(file, format="tsv", columns={"title": "Headline", "labels": "Tags"}, separator="|")
    assert list(read) == [Document("1", "Rain", labels=("sky", "wet"))]
    (unlabelled,) = read_documents(file, format="tsv", columns={"text": "Notes"})
    assert unlabelled == Document("1", body="no")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"a,b,c", "3 fields, the header has 2"),
        (b"a", "1 fields"),
        (b'"a"b,c', "not CSV"),
        (b"a\x00,b", "NUL"),
        (b"\xff,b", "not UTF-8"),
        (b'a,"b\nc"', "the label 'b.nc' has a line break, a tab or a control character; leave it out"),
    ],
)
def test_a_bad_row_is_named_by_its_first_line_or_skipped(tmp_path, row, reason):
    file = tmp_path / "x.csv"
    file.write_bytes(b'text,labels\n"two\nlines",x\n' + row + b"\nlast,\n")
    with pytest.raises(BadInput, match=reason) as caught:
        list(read_documents(file))
    assert (caught.value.path, caught.value.line) == (str(file), 4)
    skipped = Skipped()
    read = list(read_documents(file, skip_bad=True, skipped=skipped))
    assert [d.body for d in read] == ["two\nlines", "last"]
    assert skipped.count == 1


def test_a_quote_never_closed_is_named_where_it_opens(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text('text\nfine\n"open\nand on\n')
    with pytest.raises(BadInput, match=r"x.csv:3: a quote is never closed"):
        list(read_documents(file))


def test_a_field_far_beyond_the_csv_modules_limit_is_read(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("text\n" + "word " * 100_000 + "\n")
    (one,) = read_documents(file)
    assert len(one.body) == 500_000


@pytest.mark.parametrize(
    ("header", "options", "reason"),
    [
        ("a,b", {}, "no column 'text', 'title' or 'body'"),
        ("text,body", {}, "both 'text' and 'body'"),
        ("text,text", {}, "duplicate column name"),
        ("text", {"columns": {"labels": "tags"}}, "no column 'tags'"),
        ("text", {"columns": {"lables": "tags"}}, "unknown field 'lables'"),
        ("text", {"separator": ""}, "separator"),
        ("", {}, "header"),
        ("text", {"format": "xml"}, "unknown format 'xml'"),
    ],
)
def test_wrong_headers_and_options(tmp_path, header, options, reason):
    file = tmp_path / "x.csv"
    file.write_text(header)
    with pytest.raises(BadInput, match=reason):
        list(read_documents(file, **options))


@pytest.mark.parametrize("squeeze", [gzip.compress, zstandard.compress])
def test_compressed_files_are_known_by_their_content(tmp_path, squeeze):
    file = tmp_path / "x.jsonl.gz"
    whole = squeeze(b'{"text": "a"}\n' * 50_000)
    file.write_bytes(whole)
    assert sum(1 for _ in read_documents(file)) == 50_000
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="damaged"):
        list(read_documents(file))
    file.write_bytes(whole + whole)  # members or frames one after another, as `cat` makes them
    assert sum(1 for _ in read_documents(file)) == 100_000


def test_standard_input(monkeypatch):
    lines = json.dumps({"text": "from a pipe"}) + "\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(lines.encode()))))
    assert [d.body for d in read_documents("-")] == ["from a pipe"]


def test_a_name_without_a_format_and_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BadInput, match="unknown file name extension"):
        read_documents(tmp_path / "x.dat")
    with pytest.raises(NotFound, match="no such file"):
        list(read_documents(tmp_path / "x.csv"))


@pytest.mark.parametrize(("name", "format"), [("x.xlsx", None), ("x.csv", None), ("x.xlsx", "csv"), ("x.dat", "json")])
def test_a_spreadsheet_is_named_with_the_remedy(tmp_path, name, format):
    file = tmp_path / name
    file.write_bytes(b"PK\x03\x04\x14\x00\x06\x00more\n")
    with pytest.raises(BadInput, match=f"{name}: is a spreadsheet or a packed file, not text; save it as CSV UTF-8"):
        list(read_documents(file, format=format))


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(st.tuples(cells, cells), max_size=6), st.sampled_from([",", ";", "\t", "|"]))
def test_a_table_of_any_delimiter_is_read_as_it_was_written(tmp_path_factory, few, delimiter):
    file = tmp_path_factory.mktemp("own") / "x.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, delimiter=delimiter).writerows([("title", "body"), *few])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [(d.title, d.body) for d in read_documents(file)] == few


def test_a_table_of_one_column_has_no_delimiter(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("text\nhello; world\n\nrain|again\n")
    assert [d.body for d in read_documents(file)] == ["hello; world", "rain|again"]
    file.write_text("text\nhello, world\n")
    with pytest.raises(BadInput, match=r"x.csv:2: 2 fields, the header has 1"):
        list(read_documents(file))


def test_an_explicit_text_comes_before_a_body_and_unnamed_columns_may_repeat(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("body,story,,\nno,yes,1,2\n")
    assert [d.body for d in read_documents(file, columns={"text": "story"})] == ["yes"]


def test_labels_of_json_lines_may_be_one_text(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"text": "a", "labels": "x|y"}\n{"text": "b", "labels": "x"}\n{"text": "c", "labels": ""}\n')
    with pytest.warns(Notice, match="label separator '|'"):
        assert [d.labels for d in read_documents(file)] == [("x", "y"), ("x",), ()]
    with pytest.warns(Notice):
        assert [d.labels for d in read_documents(file, empty="unlabelled")][2] is None


def test_whole_numbers_are_labels(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"text": "a", "label": 1}\n{"text": "b", "label": [1, "x", 20]}\n{"text": "c", "label": null}\n')
    read = read_documents(file, columns={"labels": "label"})
    assert [d.labels for d in read] == [("1",), ("1", "x", "20"), None]


def test_ids_are_row_numbers_also_after_bad_rows(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text('text,labels\n"two\nlines",x\nbad\n\nlast,y\n')
    assert [d.id for d in read_documents(file, skip_bad=True, skipped=Skipped())] == ["1", "3"]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["2025-03-18", "1987", "1987-03"], ["2025-03-18", "1987", "1987-03"]),
        (["26/02/1987", "03/05/1987 10:00"], ["1987-02-26", "1987-05-03 10:00"]),
        (["2/26/1987", "3/5/1987"], ["1987-02-26", "1987-03-05"]),
        (["5.3.1987", "1987/3/5", "5-13-1987"], ["1987-03-05", "1987-03-05", "1987-05-13"]),
        (["3/5/1987"], None),
        (["26/02/1987", "2/26/1987"], None),
        (["30.2.1987"], None),
        (["1/2/87"], None),
        (["soon"], None),
    ],
)
def test_dates_in_the_formats_people_have(dates, expected):
    first = day_first(dates)
    if expected is None:
        with pytest.raises(ValueError, match=r"date|told apart"):
            [iso_date(text, first) for text in dates]
    else:
        assert [iso_date(text, first) for text in dates] == expected
