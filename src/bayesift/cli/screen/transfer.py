"""`bayesift screen export` and `import`: references with decisions, the report, or all of a review as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli.messages import say
from bayesift.cli.paths import check_file
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened, review_class
from bayesift.errors import BadInput

Out = Path | None


def export(
    review: s.Review,
    ris: Annotated[Out, typer.Option("--ris", metavar="FILE", help="References with decisions, for Zotero...")] = None,
    csv: Annotated[Out, typer.Option("--csv", metavar="FILE", help="A table of records with decisions.")] = None,
    jsonl: Annotated[
        Out, typer.Option("--jsonl", metavar="FILE", help="All of the review, for `import`; also .gz or .zst.")
    ] = None,
    report: Annotated[
        Out, typer.Option("--report", metavar="FILE", help="Report with a PRISMA 2020 flow diagram, HTML.")
    ] = None,
) -> None:
    """Write the references with their decisions (RIS, CSV), the report (HTML), or all of a review (JSON lines)."""
    from bayesift.cli.outputs import PAGE, RECORDS_CSV, RECORDS_RIS, REVIEW, check_outputs

    if ris is None and csv is None and jsonl is None and report is None:
        raise BadInput("nothing to write", remedy="give --ris, --csv, --jsonl or --report")
    check_outputs((ris, RECORDS_RIS), (csv, RECORDS_CSV), (jsonl, REVIEW), (report, PAGE), inputs=(review,))
    with opened(review, write=False) as found:
        if ris is not None or csv is not None:
            from bayesift.filtering.screening.records import write_csv, write_ris

            records = found.decided_records()
            for path, write in ((ris, write_ris), (csv, write_csv)):
                if path is not None:
                    say(f"{path}: {write(path, records):,} records")
        if jsonl is not None:
            counts = found.export(jsonl)
            say(f"{jsonl}: {counts['records']:,} records, {counts['events']:,} events")
        if report is not None:
            from bayesift.report.review import review_page

            review_page(found.summary()).write(report)
            say(f"{report}: report")


def import_(
    review: s.NewReview,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of `bayesift screen export --jsonl`.")],
) -> None:
    """Create a review from an exported file; it goes on where the exported one was, also on another machine."""
    check_file(file, "give a file of `bayesift screen export --jsonl`")
    with review_class().import_(file, review) as found:
        say(f"{found.database.name}: {len(found):,} records, {found.progress().read:,} of them read")
