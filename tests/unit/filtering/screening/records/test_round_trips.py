"""What is read from any format and written as RIS or CSV is read back as it was."""

from __future__ import annotations

import csv
from html import escape

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.unit.filtering.screening.records.formats import WRITERS, Entry

from bayesift.filtering.screening.records import DECISIONS, LISTS, Given, read_records, write_csv, write_ris
from bayesift.filtering.screening.records.formulas import as_text, from_text
from bayesift.filtering.screening.records.record import Record

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
# A value on one line: no control characters, and no surrogates, which no file holds.
line = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40).map(
    lambda s: " ".join(s.split())
)
# What BibTeX has marks for is left to tests of its own.
word = st.text(st.characters(codec="utf-8", categories=("L", "N"), include_characters=" -.'"), min_size=1, max_size=20)
plain = word.map(lambda s: " ".join(s.split()).strip("-. ")).filter(lambda s: s and s.lower() != "and")
entries = st.lists(
    st.builds(
        Entry,
        title=plain,
        abstract=st.just("") | st.lists(plain, min_size=1, max_size=5).map(". ".join),
        authors=st.lists(st.tuples(plain, plain).map(", ".join), max_size=3, unique=True).map(tuple),
        year=st.none() | st.integers(1900, 2026),
        journal=st.just("") | plain,
        doi=st.just("") | st.integers(1, 9999).map(lambda n: f"10.1000/x.{n}"),
        pmid=st.just("") | st.integers(1, 10**8 - 1).map(str),
        keywords=st.lists(plain, max_size=3, unique=True).map(tuple),
    ),
    min_size=1,
    max_size=4,
)
decisions = st.lists(
    st.builds(
        Given,
        st.sampled_from(LISTS),
        st.sampled_from(DECISIONS),
        reviewer=line,
        reason=line,
        note=st.text(st.characters(exclude_categories=("Cs",)), max_size=60),
        tags=st.lists(line, max_size=3).map(tuple),
        time=st.just("") | st.datetimes().map(lambda t: t.isoformat()),
        settled=st.booleans(),
    ),
    max_size=4,
).map(tuple)


def read_back(records, write, path):
    write(path, records)
    found = read_records(path)
    assert not found.bad
    return list(found.records)


@pytest.mark.parametrize("form", WRITERS)
@given(entries=entries, given=decisions)
@QUICK
def test_every_format_is_read_and_exported_without_loss(form, entries, given, tmp_path):
    write, suffix = WRITERS[form]
    path = tmp_path / f"found{suffix}"
    path.write_bytes(write(entries))
    found = read_records(path)
    assert (found.format, found.bad) == (form, ())
    for entry, record in zip(entries, found.records, strict=True):
        assert (record.title, record.abstract, record.year) == (entry.title, entry.abstract, entry.year)
        assert (record.authors, record.journal) == (entry.authors, entry.journal)
        assert (record.doi, record.pmid, record.keywords) == (entry.doi, entry.pmid, entry.keywords)
    judged = [msgspec.structs.replace(record, given=given, duplicate_of="7") for record in found.records]
    assert read_back(judged, write_ris, tmp_path / "out.ris") == judged
    assert read_back(judged, write_csv, tmp_path / "out.csv") == judged


@pytest.mark.parametrize("write", [write_ris, write_csv])
@given(
    fields=st.dictionaries(
        line.filter(bool), st.lists(line.filter(bool), min_size=1, max_size=3).map(tuple), max_size=5
    ),
    title=line.filter(bool),
    names=st.lists(line.filter(bool), max_size=3, unique=True).map(tuple),
    form=st.sampled_from(sorted(WRITERS)),
)
@QUICK
@example(fields={"TY": ("JOUR",), "title": ("x",)}, title="=1+2", names=("a; b", "Roe A, Poe B"), form="csv")
def test_any_text_survives(write, fields, title, names, form, tmp_path):
    """Titles, names and fields of any characters, with marks and markup of every format among them."""
    if form == "ris":
        fields = {}  # of its own format; the test above has those
    made = [Record("", title, authors=names, keywords=names, format=form, fields=fields)]
    path = tmp_path / f"out.{write.__name__[-3:]}"
    first = read_back(made, write, path)
    assert (first[0].authors, first[0].keywords, first[0].fields) == (names, names, fields)
    assert read_back(first, write, path) == first


MARKS = st.sampled_from("=+-@\t\r\n'")
cells = st.tuples(st.text(MARKS, max_size=4), st.text("ab1'=", max_size=4)).map("".join)


@given(cells=st.lists(cells, min_size=3, max_size=3))
@example(cells=["=1+2", "'=1+2", "'90s"])
def test_cells_are_text_for_spreadsheets_and_read_back_as_they_were(cells):
    written = [as_text(cell) for cell in cells]
    assert not any(cell.startswith(tuple("=+-@\t\r\n")) for cell in written)
    assert [from_text(cell) for cell in written] == cells


def test_no_cell_of_an_export_is_a_formula(tmp_path):
    formula = '=HYPERLINK("https://example.org/?q="&A1, "open")'
    fields = {"=cmd": ("+1",), "n": ("'-2",), "later": ("@x",)}
    given = (Given("abstract", "exclude", "=ann", reason="-1", note="@b"),)
    record = Record("", formula, "@x", authors=("=Roe", "+Poe"), journal="-J", keywords=("=k",), format="csv",
                    fields=fields, given=given)  # fmt: skip
    (back,) = read_back([record], write_csv, tmp_path / "out.csv")
    assert (back.title, back.abstract, back.authors, back.journal) == (formula, "@x", record.authors, "-J")
    assert (back.keywords, back.fields, back.given) == (("=k",), fields, given)
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [cell for row in csv.reader(file) for cell in row if cell[:1] in set("=+-@\t\r")] == []


def test_apostrophes_in_files_of_others_stay(tmp_path):
    (tmp_path / "a.csv").write_text("title,doi\n'=1+2,10.1000/a\n")
    assert read_records(tmp_path / "a.csv").records[0].title == "'=1+2"


def test_a_changed_decision_outlives_the_label_in_the_file(tmp_path):
    path = tmp_path / "rayyan.csv"
    path.write_text('title,notes,label_included\nRain,"RAYYAN-INCLUSION: {""Ann""=>""Included""}",1\n')
    (record,) = read_records(path).records
    assert [one.decision for one in record.given] == ["include"]
    for write in (write_ris, write_csv):
        out = tmp_path / f"out.{write.__name__[-3:]}"
        for given_now in ((), (Given("abstract", "exclude", "Ann"),)):
            (back,) = read_back([msgspec.structs.replace(record, given=given_now)], write, out)
            assert back.given == given_now


def test_a_label_changed_elsewhere_comes_after_the_decisions_of_the_file(tmp_path):
    record = Record("1", "Rain", given=(Given("abstract", "exclude", "ann", reason="wrong population"),))
    write_csv(tmp_path / "out.csv", [record])
    text = (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "changed.csv").write_text(text.replace(",0,0,", ",1,0,"))
    found = read_records(tmp_path / "changed.csv").records[0].given
    assert [(one.decision, one.reviewer) for one in found] == [("exclude", "ann"), ("include", "ASReview")]


def test_an_export_that_went_through_zotero(tmp_path):
    """Zotero keeps the tags that it knows, and puts notes into HTML."""
    given = (Given("full-text", "maybe", "ann", note="a < b"),)
    record = Record("", "Rain & snow", source="a.csv:2", format="csv", fields={"N": ("7",)}, given=given)
    (before,) = read_back([record], write_ris, tmp_path / "out.ris")
    lines = (tmp_path / "out.ris").read_text().splitlines()
    notes = [f"N1  - <p>{escape(line[6:])}</p>" if line.startswith("N1") else line for line in lines]
    (tmp_path / "zotero.ris").write_text("\n".join(notes))
    assert read_records(tmp_path / "zotero.ris").records == (before,)
