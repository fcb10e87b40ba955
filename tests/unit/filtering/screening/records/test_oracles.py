"""The same records as rispy, nbib, bibtexparser and pandas find in files without errors."""

from __future__ import annotations

import io

import pytest
from hypothesis import HealthCheck, given, settings
from tests.unit.filtering.screening.records.formats import WRITERS
from tests.unit.filtering.screening.records.test_round_trips import entries

from bayesift.filtering.screening.records import Record, read_records, write_csv, write_ris

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(tmp_path, form, found):
    write, suffix = WRITERS[form]
    path = tmp_path / f"a{suffix}"
    path.write_bytes(write(found))
    return path.read_text(), read_records(path).records


@given(entries)
@QUICK
def test_rispy(tmp_path, entries):
    rispy = pytest.importorskip("rispy")
    text, ours = read(tmp_path, "ris", entries)
    theirs = rispy.load(io.StringIO(text))
    assert [one["title"] for one in theirs] == [record.title for record in ours]
    assert [tuple(one.get("authors", ())) for one in theirs] == [record.authors for record in ours]
    assert [one.get("abstract", "") for one in theirs] == [record.abstract for record in ours]
    assert [tuple(one.get("keywords", ())) for one in theirs] == [record.keywords for record in ours]


@given(entries)
@QUICK
def test_nbib(tmp_path, entries):
    nbib = pytest.importorskip("nbib")
    entries = [entry for entry in entries if entry.pmid and entry.year]
    if entries:
        text, ours = read(tmp_path, "nbib", entries)
        theirs = nbib.read(text + "\n")
        assert [str(one["pubmed_id"]) for one in theirs] == [record.pmid for record in ours]
        assert [one["title"] for one in theirs] == [record.title for record in ours]


@given(entries)
@QUICK
def test_bibtexparser(tmp_path, entries):
    bibtexparser = pytest.importorskip("bibtexparser")
    text, ours = read(tmp_path, "bibtex", entries)
    theirs = [
        {key: field.value for key, field in one.fields_dict.items()} for one in bibtexparser.parse_string(text).entries
    ]
    assert [one["title"] for one in theirs] == [record.title for record in ours]
    assert [one.get("abstract", "") for one in theirs] == [record.abstract for record in ours]
    assert [one.get("author", "") for one in theirs] == [" and ".join(record.authors) for record in ours]


@given(entries)
@QUICK
def test_what_is_written(tmp_path, entries):
    """Files that are written here are RIS for rispy, and CSV for pandas."""
    rispy, pandas = pytest.importorskip("rispy"), pytest.importorskip("pandas")
    records = [
        Record("", e.title, e.abstract, e.authors, e.year, e.journal, e.doi, e.pmid, e.keywords) for e in entries
    ]
    write_ris(tmp_path / "out.ris", records)
    theirs = rispy.load((tmp_path / "out.ris").open(encoding="utf-8"))
    assert [one["title"] for one in theirs] == [entry.title for entry in entries]
    assert {one["notes"][0] for one in theirs} == {"ASReview_not_seen"}
    write_csv(tmp_path / "out.csv", records)
    frame = pandas.read_csv(tmp_path / "out.csv", dtype=str, keep_default_na=False)
    assert list(frame["title"]) == [entry.title for entry in entries]
    assert list(frame["abstract"]) == [entry.abstract for entry in entries]
