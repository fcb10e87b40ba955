"""Write reference files by hand, as other tools do, for tests."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from xml.sax.saxutils import escape


@dataclass(frozen=True)
class Entry:
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""
    doi: str = ""
    pmid: str = ""
    keywords: tuple[str, ...] = ()
    more: dict[str, str] = field(default_factory=dict)


def ris(entries: list[Entry]) -> bytes:
    lines = []
    for e in entries:
        lines += ["TY  - JOUR", f"TI  - {e.title}"]
        lines += [f"AU  - {a}" for a in e.authors]
        lines += [f"AB  - {e.abstract}", f"PY  - {e.year or ''}", f"T2  - {e.journal}", f"DO  - {e.doi}"]
        lines += [f"AN  - {e.pmid}", "DB  - PubMed"] + [f"KW  - {k}" for k in e.keywords]
        lines += [f"N1  - {value}" for value in e.more.values()] + ["ER  - ", ""]
    return "\n".join(lines).encode()


def nbib(entries: list[Entry]) -> bytes:
    lines = []
    for e in entries:
        lines += [f"PMID- {e.pmid}", f"TI  - {e.title}", f"AB  - {e.abstract}", f"DP  - {e.year or ''}"]
        lines += [f"FAU - {a}" for a in e.authors] + [f"OT  - {k}" for k in e.keywords]
        lines += [f"JT  - {e.journal}"] + ([f"LID - {e.doi} [doi]"] if e.doi else []) + [""]
    return "\n".join(lines).encode()


def wos(entries: list[Entry]) -> bytes:
    lines = ["FN Clarivate Analytics Web of Science", "VR 1.0"]
    for e in entries:
        lines += ["PT J"] + [("AF " if i == 0 else "   ") + a for i, a in enumerate(e.authors)]
        lines += [f"TI {e.title}", f"SO {e.journal}", f"DE {'; '.join(e.keywords)}", f"AB {e.abstract}"]
        lines += [f"PY {e.year or ''}", f"DI {e.doi}", f"PM {e.pmid}", "ER", ""]
    return "\n".join([*lines, "EF"]).encode()


def bibtex(entries: list[Entry]) -> bytes:
    out = []
    for n, e in enumerate(entries):
        fields = {"title": e.title, "abstract": e.abstract, "author": " and ".join(e.authors), "journal": e.journal}
        fields |= {"year": str(e.year or ""), "doi": e.doi, "pmid": e.pmid, "keywords": "; ".join(e.keywords)}
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        out.append(f"@article{{key{n},\n{body}\n}}\n")
    return "\n".join(out).encode()


def endnote(entries: list[Entry]) -> bytes:
    def style(value: object) -> str:
        return f'<style face="normal" font="default" size="100%">{escape(str(value))}</style>'

    out = ['<?xml version="1.0" encoding="UTF-8"?><xml><records>']
    for e in entries:
        authors = "".join(f"<author>{style(a)}</author>" for a in e.authors)
        keywords = "".join(f"<keyword>{style(k)}</keyword>" for k in e.keywords)
        out.append(
            f'<record><ref-type name="Journal Article">17</ref-type><contributors><authors>{authors}</authors>'
            f"</contributors><titles><title>{style(e.title)}</title><secondary-title>{style(e.journal)}"
            f"</secondary-title></titles><keywords>{keywords}</keywords><dates><year>{style(e.year or '')}</year>"
            f"</dates><abstract>{style(e.abstract)}</abstract><accession-num>{style(e.pmid)}</accession-num>"
            f"<electronic-resource-num>{style(e.doi)}</electronic-resource-num>"
            f"<remote-database-name>PubMed</remote-database-name></record>"
        )
    return "".join([*out, "</records></xml>"]).encode()


HEADER = ("Title", "Abstract", "Authors", "Publication Year", "Source title", "DOI", "PubMed ID", "Author Keywords")


def rows(entries: list[Entry]) -> list[list[str]]:
    more = sorted({name for e in entries for name in e.more})
    table = [[*HEADER, *more]]
    for e in entries:
        cells = [e.title, e.abstract, "; ".join(e.authors), str(e.year or ""), e.journal, e.doi, e.pmid]
        table.append([*cells, "; ".join(e.keywords), *(e.more.get(name, "") for name in more)])
    return table


def table(entries: list[Entry], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows(entries))
    return out.getvalue().encode()


def tsv(entries: list[Entry]) -> bytes:
    return table(entries, "\t")


def xlsx(entries: list[Entry]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows(entries):
        book.active.append([cell or None for cell in row])
    for row in book.active.iter_rows():
        for cell in row:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type  # a title that begins with =
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


WRITERS = {
    "ris": (ris, ".ris"),
    "nbib": (nbib, ".nbib"),
    "wos": (wos, ".txt"),
    "bibtex": (bibtex, ".bib"),
    "endnote": (endnote, ".xml"),
    "csv": (table, ".csv"),
    "tsv": (tsv, ".tsv"),
    "xlsx": (xlsx, ".xlsx"),
}
