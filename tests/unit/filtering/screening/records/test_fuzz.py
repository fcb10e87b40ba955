"""Damaged files: an error that names the file, or records and what is bad; never a traceback, never a hang."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.filtering.screening.records.formats import WRITERS, Entry

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.screening.records import find_duplicates, read_records, write_csv, write_ris

ENTRIES = [
    Entry(
        f"Title number {n}",
        f"Start {n} middle. " + "More. " * n,
        ("Roe, Ann", "Poe, Bob"),
        2000 + n,
        "J",
        f"10.1000/{n}",
    )
    for n in range(1, 6)
]
FILES = [(form, write(ENTRIES), suffix) for form, (write, suffix) in WRITERS.items()]
FILES += [(path.name, path.read_bytes(), path.suffix) for path in sorted(Path(__file__).with_name("data").iterdir())]
MARKS = [b'"', b"'", b"{", b"}", b"<", b">", b"&", b"\n", b"\r", b"\t", b",", b";", b"\0", b"\xff", b"\xfe", b"@a{",
         b"TY  - ", b"ER  - ", b"<record>", b"</record>", b"PMID- ", b"\\", b"]]>", b"<!DOCTYPE", b"N1  - ",
         b'bayesift_decisions: [{"list":1}]', b"bayesift_fields: {", b"PK\x03\x04"]  # fmt: skip
SLOW = settings(
    max_examples=60,
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def read_or_message(path):
    try:
        return read_records(path)
    except BayesiftError as error:
        return str(error)


@st.composite
def damaged(draw, content):
    """Bytes of a file with parts removed, repeated, or replaced by marks of the formats and by anything."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        end = min(len(content), at + draw(st.sampled_from([0, 1, 2, 10, 100, 10_000])))
        new = draw(st.sampled_from(MARKS) | st.binary(max_size=12) | st.just(content[at:end] * 2) | st.just(b""))
        content = content[:at] + new + content[end:]
    return content


@pytest.mark.parametrize(("form", "content", "suffix"), FILES, ids=[name for name, _, _ in FILES])
@given(data=st.data())
@SLOW
def test_damaged_files(form, content, suffix, data, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data.draw(damaged(content)))
    found = read_or_message(path)
    if isinstance(found, str):
        assert "a" + suffix in found
        return
    assert found.records
    find_duplicates(found.records)
    write_ris(tmp_path / "out.ris", found.records)
    write_csv(tmp_path / "out.csv", found.records)
    assert len(read_records(tmp_path / "out.ris").records) == len(found.records)
    assert len(read_records(tmp_path / "out.csv").records) == len(found.records)


@pytest.mark.parametrize("suffix", [".ris", ".nbib", ".bib", ".xml", ".csv", ".tsv", ".xlsx", ".txt"])
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(MARKS), max_size=30).map(b"".join))
@SLOW
def test_any_bytes(suffix, content, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    found = read_or_message(path)
    assert "a" + suffix in found if isinstance(found, str) else found.records


@pytest.mark.parametrize("form", [form for form in WRITERS if form != "xlsx"])
@pytest.mark.parametrize("junk", ['"', "{", "}", "<b", "&", "\\", "{{{", '"""', "<record", "@"])
def test_a_damaged_record_spoils_no_other(form, junk, tmp_path):
    """The third of five records is damaged within its abstract; the other four are read as before."""
    write, suffix = WRITERS[form]
    path = tmp_path / f"a{suffix}"
    whole = write(ENTRIES).decode()
    assert whole.count("Start 3 middle") == 1
    path.write_text(whole.replace("Start 3 middle", f"Start 3{junk} middle"))
    found = read_records(path)
    numbers = [record.title.removeprefix("Title number ") for record in found.records]
    assert [n for n in numbers if n != "3"] == ["1", "2", "4", "5"]
    assert "3" in numbers or found.bad


def test_entities_of_xml_are_not_expanded(tmp_path):
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    path = tmp_path / "a.xml"
    head = f'<?xml version="1.0"?><!DOCTYPE xml [<!ENTITY e0 "ha"><!ENTITY x SYSTEM "file:///etc/hostname">{bomb}]>'
    one = "<record><titles><title>{}</title></titles></record>"
    path.write_text(f"{head}<xml><records>{one.format('&e9;')}{one.format('&x;')}{one.format('Rain')}</records></xml>")
    found = read_records(path)
    assert [record.title for record in found.records] == ["Rain"]
    assert [bad.reason.split(":")[0] for bad in found.bad] == ["undefined entity"] * 2


def repacked(content, change):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet'),
        (b'<row r="2"', b'<row r="99999999999"'),
        (b'<c r="A2"', b'<c r="ZZZZZZ2"'),
        (b"<sheetData>", b"<sheetData>" + b"<a>" * 10_000),
    ],
)
def test_xlsx_that_claims_too_much(old, new, tmp_path):
    """Declared entities, a row number beyond every sheet, a column beyond the last: refused at once, or passed over."""
    path = tmp_path / "a.xlsx"
    content = WRITERS["xlsx"][0](ENTRIES)
    path.write_bytes(repacked(content, lambda name, raw: raw.replace(old, new, 1) if "sheet1" in name else raw))
    assert path.read_bytes() != content
    try:
        found = read_records(path)
    except BadInput:
        return
    assert len(found.records) < 5


def test_a_row_that_never_ends(tmp_path):
    """A quote that is never closed costs its own row, and not the time of one search to the end per row."""
    path = tmp_path / "a.csv"
    path.write_text('title,abstract\n"open,x\n' + "Rain,wet\n" * 30_000)
    found = read_records(path)
    assert (len(found.records), len(found.bad)) == (30_000, 1)
