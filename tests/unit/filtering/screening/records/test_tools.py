"""Files as tools write them: their names of columns and tags, their quirks, and the decisions that they hold."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.unit.filtering.screening.records.formats import WRITERS, Entry

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.records import Given, read_records
from bayesift.filtering.screening.records import xlsx as xlsx_module

DATA = Path(__file__).parent / "data"


def read(name):
    return read_records(DATA / name)


def only(name, at=0):
    return read(name).records[at]


def test_asreview_ris():
    first, second, third = read("asreview.ris").records
    assert first.given == (
        Given("abstract", "include", "ASReview", note="large sample", time="2023-11-14T22:13:20+00:00"),
    )
    assert (second.title, second.abstract, second.year) == ("Rainfall and umbrellas", "A study of umbrellas.", 2001)
    assert [one.decision for one in second.given] == ["exclude"]  # within a paragraph, as Zotero writes notes
    assert third.given == ()
    assert first.fields["N1"] == ("asreview_time: 1700000000.0", 'asreview_note: "large sample"', "from the thesis")
    assert "N1" not in third.fields


def test_ris_of_scopus_with_a_missing_end_and_two_abstracts():
    found = read("scopus.ris")
    first, second = found.records
    assert (first.doi, first.pmid, first.journal) == ("10.1000/tea.2020", "31234567", "Journal of Invented Results")
    assert (second.abstract, second.year, second.kind) == ("First part Second part", 2020, "CONF")
    assert [str(bad) for bad in found.bad] == ["scopus.ris:27: no title, abstract, DOI or PubMed number"]


def test_ris_with_one_blank_before_the_dash():
    record = only("one_blank.ris")
    assert record.abstract == "A long abstract that continues on the next line and after an empty one."
    assert (record.authors, record.year) == (("Poe, Bob",), 1999)


def test_rayyan():
    first, second, third = read("rayyan.csv").records
    assert first.given == (
        Given("abstract", "include", "Ann", note="check later", tags=("rct", "coffee")),
        Given("abstract", "maybe", "Bob", tags=("rct", "coffee")),
    )
    assert second.given == (Given("abstract", "exclude", "Ann", "wrong population", "further reasons: animals"),)
    assert third.given == ()
    assert (first.authors, first.pmid) == (("Roe, A.", "Poe, B."), "123")


def test_covidence():
    first, second = read("covidence.csv").records
    assert first.given == (
        Given("abstract", "include", "Covidence"),
        Given("full-text", "exclude", "Covidence", "Wrong outcomes", tags=("Awaiting", "Grey literature")),
    )
    assert (first.year, first.pmid) == (2015, "")  # the accession number is PsycINFO's
    assert second.given == ()


def test_zotero():
    record = only("zotero.csv")
    assert (record.title, record.abstract) == ("An invented trial of cushions", "Cushions were sat on.")
    assert (record.journal, record.keywords) == ("Cushion Science", ("comfort", "seats", "Humans"))


def test_scopus_csv():
    record = only("scopus.csv")
    assert (record.authors, record.pmid) == (("Imaginary I.", "Fictive F."), "31234567")
    assert (record.kind, record.url) == ("Article", "https://www.example.org/1")
    assert record.fields["EID"] == ("2-s2.0-1",)


def test_web_of_science_in_utf_16_with_a_tab_too_many():
    found = read("wos_tab.txt")
    assert (found.encoding, found.bad) == ("utf-16", ())
    assert (found.records[0].authors, found.records[0].doi) == (("Roe, Ann", "Poe, Bob"), "10.1000/ice.1")
    assert found.records[1].abstract == ""


def test_web_of_science_plain_text():
    first, second = read("wos_plain.txt").records
    assert first.title == "Glaciers and invented ice in a title that is so long that it is wrapped"
    assert (first.authors, first.keywords) == (("Roe, Ann", "Poe, Bob"), ("ice", "cold", "SNOW"))
    assert second.authors == ("Doe, J",)


def test_pubmed():
    table, first, second, third = only("pubmed.csv"), *read("pubmed.nbib").records
    assert table.authors == ("Roe A", "Poe BC", "de la Doe J")
    assert (first.pmid, first.doi, first.year) == (table.pmid, table.doi, table.year)
    assert first.title.endswith("that PubMed wraps it.")
    assert first.keywords == ("Vitamins/adverse effects", "supplements")
    assert first.fields["XYZ"] == ("a tag that nobody knows",)
    assert (second.year, third.title) == (2017, "Third")


def test_bibtex():
    found = read("zotero.bib")
    first, quoted, same, last = found.records
    assert first.title == "An invented trial of Cushions in München & Malmö"
    assert first.abstract == "Cushions were sat on; 50% were soft."
    assert first.authors == ("Roe, Ann", "The Cushion Group", "Muñoz, José")
    assert (first.journal, first.doi, first.year) == ("Invented Letters B", "10.1000/cush.1", 2012)
    assert [one.decision for one in first.given] == ["include"]
    assert (quoted.title, same.title, last.title) == ('Quoted "title"', "The same key again", "After the broken one")
    assert [bad.place for bad in found.bad] == ["zotero.bib:20"]


def test_endnote():
    found = read("endnote.xml")
    first, third = found.records
    assert (first.title, first.abstract) == ("Growth of E. inventa & others", "It grew. Much.")
    assert (first.doi, first.pmid, first.kind) == ("10.1000/grow.1", "33333333", "Journal Article")
    assert (third.title, third.pmid) == ("With a form feed inside", "")  # a bare number of Embase is no PubMed number
    assert [bad.place for bad in found.bad] == ["endnote.xml:record 2"]


def test_excel_names_its_delimiter():
    first, second = read("excel.csv").records
    assert first.title == "Semicolons; as Excel writes them"
    assert [record.given[0].decision for record in (first, second)] == ["include", "exclude"]


@pytest.mark.parametrize(
    "column", ["asreview_label", "included", "label_included", "final_included", "Label", "Decision"]
)
@pytest.mark.parametrize(
    ("cell", "decision"), [("1", "include"), ("0.0", "exclude"), ("Excluded", "exclude"), ("", None)]
)
def test_label_columns(tmp_path, column, cell, decision):
    (tmp_path / "a.csv").write_text(f"title,{column}\nRain,{cell}\n")
    (record,) = read_records(tmp_path / "a.csv").records
    assert [one.decision for one in record.given] == ([decision] if decision else [])


def test_tags_and_keywords_that_are_decisions(tmp_path):
    (tmp_path / "a.ris").write_text(
        "TY  - JOUR\nTI  - A\nKW  - Excluded: wrong population\nER  - \nTY  - JOUR\nTI  - B\nKW  - rain\nER  - \n"
    )
    first, second = read_records(tmp_path / "a.ris").records
    assert (first.given, second.given) == ((Given("abstract", "exclude", reason="wrong population"),), ())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "found"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"),
     ("utf-16-be", "utf-16-be"), ("cp1252", "windows-1252"), ("latin-1", "windows-1252")],
)  # fmt: skip
@pytest.mark.parametrize("form", ["ris", "nbib", "wos", "bibtex", "endnote", "csv", "tsv"])
def test_encodings_and_line_ends(tmp_path, form, encoding, found, end):
    write, suffix = WRITERS[form]
    text = write([Entry("Größe – naïve".replace("–", "-") + " café", "Été.", ("Müller, Ana",), 2001)]).decode()
    path = tmp_path / f"a{suffix}"
    path.write_bytes(text.replace("\r\n", "\n").replace("\n", end).encode(encoding))
    read_now = read_records(path)
    assert (read_now.format, read_now.encoding) == (form, found)
    (record,) = read_now.records
    assert (record.title, record.abstract, record.authors) == ("Größe - naïve café", "Été.", ("Müller, Ana",))


def test_a_file_of_two_encodings(tmp_path):
    path = tmp_path / "a.ris"
    parts = ["TY  - JOUR\nTI  - Größe\nER  - \n".encode(), "TY  - JOUR\nTI  - “Café”\nER  - \n".encode("cp1252")]
    path.write_bytes(b"".join(parts))
    found = read_records(path)
    assert [record.title for record in found.records] == ["Größe", "“Café”"]
    assert found.encoding == "utf-8 and windows-1252"


def test_a_compressed_file(tmp_path):
    path = tmp_path / "a.ris.gz"
    path.write_bytes(gzip.compress(WRITERS["ris"][0]([Entry("Rain")])))
    assert read_records(path).records[0].title == "Rain"


def test_the_content_decides_the_format_before_the_name(tmp_path):
    for form, (write, _) in WRITERS.items():
        if form not in ("csv", "tsv"):
            path = tmp_path / "export.txt"
            path.write_bytes(write([Entry("Rain", pmid="7")]))
            assert read_records(path).format == form


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b" \n \n", "is empty"), (b"a,b\n1,2\n", "no column 'title'"), (b"just words", "no column"),
     (b"title\n", "no record can be read as csv"), (b"PK\x03\x04 but no archive", "not a readable XLSX file"),
     (b"<?xml version='1.0'?><html/>", "no record can be read as endnote"),
     (b"TY  - JOUR\nAU  - A\nER  - \n", "no record can be read as ris (first: a.csv:1: no title")],
)  # fmt: skip
def test_files_without_records_are_refused(tmp_path, content, message):
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(BadInput) as error:
        read_records(tmp_path / "a.csv")
    assert message in str(error.value)


def test_missing_files_and_formats(tmp_path):
    with pytest.raises(NotFound):
        read_records(tmp_path / "none.ris")
    with pytest.raises(BadInput, match="formats are: ris, nbib"):
        read_records(DATA / "labels.tsv", format="word")


def test_rows_that_do_not_fit_are_named_and_the_others_kept(tmp_path):
    (tmp_path / "a.csv").write_text('title,abstract\nA,b\nC\n"never closed,x\nD,e\n"F","g"\nH,i,j\n,\n,""\n')
    found = read_records(tmp_path / "a.csv")
    assert [record.title for record in found.records] == ["A", "D", "F"]
    assert [str(bad) for bad in found.bad] == [
        "a.csv:3: 1 fields, the header has 2",
        "a.csv:4: not CSV: ',' expected after '\"'",
        "a.csv:7: 3 fields, the header has 2",
    ]


def test_records_without_title_or_abstract_are_kept(tmp_path):
    (tmp_path / "a.csv").write_text("title,abstract,doi\n,Only an abstract.,\nOnly a title,,\n,,10.1000/1\n")
    found = read_records(tmp_path / "a.csv")
    assert [(r.title, r.abstract, r.doi) for r in found.records] == [
        ("", "Only an abstract.", ""),
        ("Only a title", "", ""),
        ("", "", "10.1000/1"),
    ]


def test_xlsx_takes_the_sheet_with_known_columns(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["about", "this file"])
    sheet = book.create_sheet("data")
    sheet.append(["Title", "Year", "included", "Date"])
    sheet.append(["=1+2", 2019.0, 1, __import__("datetime").date(2020, 1, 2)])
    sheet.append([None, None, None, None])
    sheet["A2"].data_type = "s"
    book.save(tmp_path / "a.xlsx")
    (record,) = read_records(tmp_path / "a.xlsx").records
    assert (record.title, record.year, record.source) == ("=1+2", 2019, "a.xlsx:row 2")
    assert [one.decision for one in record.given] == ["include"]


def test_lines_above_the_header_are_passed_over(tmp_path):
    (tmp_path / "a.csv").write_text(
        '"Search query","rain AND umbrella"\n"Date","1 May"\n\nTitle;Abstract\nRain;Wet, very\n'
    )
    (record,) = read_records(tmp_path / "a.csv").records
    assert (record.title, record.abstract, record.source) == ("Rain", "Wet, very", "a.csv:5")


def test_many_bad_rows_take_no_longer_than_good_ones(tmp_path):
    (tmp_path / "a.csv").write_text("title,abstract\n" + 'A "b,c\n"d"e,f\n' * 20_000)
    found = read_records(tmp_path / "a.csv")
    assert (len(found.records), len(found.bad)) == (20_000, 20_000)


def test_long_cells_are_read(tmp_path):
    (tmp_path / "a.csv").write_text(f"title,abstract\nRain,{'wet ' * 60_000}\n")
    assert len(read_records(tmp_path / "a.csv").records[0].abstract) == 239_999


def test_xlsx_without_openpyxl_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "a.xlsx"
    path.write_bytes(WRITERS["xlsx"][0]([Entry("Rain")]))
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(NotFound, match=r"pip install 'bayesift\[screening\]'"):
        read_records(path)


def test_xlsx_that_is_too_large_when_decompressed(tmp_path, monkeypatch):
    path = tmp_path / "a.xlsx"
    path.write_bytes(WRITERS["xlsx"][0]([Entry("Rain")]))
    monkeypatch.setattr(xlsx_module, "LARGEST", 1000)
    with pytest.raises(BadInput, match="when decompressed"):
        read_records(path)


def test_the_page_lists_every_column():
    from bayesift.filtering.screening.records.columns import COLUMNS, LABELS, NOTES, TAGS
    from bayesift.filtering.screening.records.read import FORMATS

    page = (Path(__file__).parents[5] / "docs/reference/record-files.md").read_text("utf-8")
    for names in (*COLUMNS.values(), LABELS, NOTES, TAGS):
        assert f"| {', '.join(f'`{name}`' for name in names)} |" in page
    assert [name for name in FORMATS if f"`{name}`" not in page] == []
