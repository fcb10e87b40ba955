"""ASReview reads what is written here, and what it writes is read here."""

from __future__ import annotations

from importlib.util import find_spec

import msgspec
import pytest
from tests.unit.filtering.screening.records.formats import WRITERS, Entry

from bayesift.filtering.screening.records import Given, read_records, write_csv, write_ris

if find_spec("asreview") is None:
    pytest.skip("asreview is not installed (extra bench)", allow_module_level=True)

ENTRIES = [
    Entry("Statins; a trial", "Half of them, ASReview_irrelevant.", ("Roe, Ann", "Poe, Bob"), 2019, "J", "10.1000/a"),
    Entry("Größe & Maß", "", (), None),
    Entry("Rain", "More of it.", ("Doe, J",), 2001, keywords=("wet", "cold")),
    Entry("Maybe", "Undecided.", year=1999),
]
GIVEN = [
    (Given("abstract", "include", "ann", note="large", tags=("rct",)), Given("full-text", "exclude", "ann", "design")),
    (Given("abstract", "include", "bob"),),
    (),
    (Given("abstract", "maybe", "bob"),),
]
LABELS = [0, 1, None, None]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder: what ASReview imports leaves a cache in the current one."""
    monkeypatch.chdir(tmp_path)


def judged(tmp_path, form):
    write, suffix = WRITERS[form]
    path = tmp_path / f"found{suffix}"
    path.write_bytes(write(ENTRIES))
    found = read_records(path).records
    return [msgspec.structs.replace(record, given=given) for record, given in zip(found, GIVEN, strict=True)]


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize(("write", "suffix"), [(write_ris, ".ris"), (write_csv, ".csv")])
def test_asreview_reads_our_exports(tmp_path, form, write, suffix):
    from asreview.data.loader import load_records

    records = judged(tmp_path, form)
    path = tmp_path / f"out{suffix}"
    write(path, records)
    found = load_records(path, dataset_id="x")
    assert [one.included for one in found] == LABELS
    assert [one.title for one in found] == [entry.title for entry in ENTRIES]
    assert [one.abstract or "" for one in found] == [entry.abstract for entry in ENTRIES]
    assert [one.year for one in found] == [entry.year for entry in ENTRIES]
    assert [[who.strip() for who in one.authors] for one in found] == [list(entry.authors) for entry in ENTRIES]


@pytest.mark.parametrize("suffix", [".ris", ".csv", ".tsv", ".xlsx"])
def test_labels_given_in_asreview_are_read_here(tmp_path, suffix):
    """The way of ASReview's own export: read the input, add its columns, write it with its writer."""
    from asreview.data.loader import _get_reader, _get_writer

    source = tmp_path / (f"in{suffix}" if suffix == ".ris" else "in.csv")
    write_ris(source, judged(tmp_path, "ris")) if suffix == ".ris" else write_csv(source, judged(tmp_path, "csv"))
    frame = _get_reader(source).read_data(source)
    frame = frame.loc[:, ~frame.columns.str.startswith("asreview_")]
    frame["asreview_label"] = [1, 1, 0, None]
    frame["asreview_label"] = frame["asreview_label"].astype("object").where(frame["asreview_label"].notna(), None)
    frame["asreview_time"], frame["asreview_note"] = "2023-11-14 22:13:20", "seen in ASReview"
    frame["asreview_tag_design_rct"], frame["asreview_tag_design_cohort"], frame["asreview_user_name"] = 1, 0, "Cy"
    out = tmp_path / f"asreview{suffix}"
    _get_writer(out).write_data(frame, out)
    found = read_records(out)
    assert not found.bad
    last = [record.given[-1] if record.given else None for record in found.records]
    assert [one and one.decision for one in last] == ["include", "include", "exclude", "maybe"]
    assert (last[0].reviewer, last[0].note, last[0].time) == (
        "Cy",
        "seen in ASReview",
        "2023-11-14T22:13:20+00:00",
    )
    assert last[0].tags == ("design_rct",)
    assert found.records[0].given[:2] == GIVEN[0]
    assert last[1] == GIVEN[1][0]  # the same label as before is no new decision
