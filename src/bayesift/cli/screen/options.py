"""Arguments and options that several verbs of `bayesift screen` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bayesift.cli.filter.options import Json, Who, no_folder
from bayesift.cli.paths import check_file
from bayesift.errors import BadInput, NotFound

__all__ = ["Json", "Who"]
ListName = Literal["abstract", "full-text"]


def existing_review(name: str) -> str:
    """Return REVIEW; raise `NotFound`, before any slow import, if it is a file that does not exist."""
    if "://" not in name and not Path(name).exists():
        raise NotFound("no such review", path=name, remedy=f"create it: bayesift screen new {name} RECORDS...")
    return no_folder(name)


def new_review(name: str) -> str:
    """Return REVIEW; raise `BadInput`, before any slow import, if there is such a file."""
    if "://" not in no_folder(name) and Path(name).exists() and Path(name).stat().st_size:
        with Path(name).open("rb") as file:
            is_database = file.read(15) == b"SQLite format 3"
        if not is_database:
            remedy = "name the new review first, then files"
            raise BadInput("already exists and is not a review", path=name, remedy=remedy)
        raise BadInput("already exists", path=name, remedy="choose another name, or add to it: bayesift screen add")
    return name


def existing_files(files: list[Path]) -> list[Path]:
    """Return FILES; raise if one does not exist or is a folder."""
    for file in files:
        check_file(file, "check the name", "name the files in it")
    return files


def existing_file(file: Path | None) -> Path | None:
    """Return FILE; raise if it does not exist or is a folder."""
    return None if file is None else existing_files([file])[0]


Review = Annotated[
    str,
    typer.Argument(metavar="REVIEW", help="Database file, or postgresql://user@host/name.", callback=existing_review),
]
NewReview = Annotated[
    str,
    typer.Argument(
        metavar="REVIEW", help="Database file to create, or postgresql://user@host/name.", callback=new_review
    ),
]
Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="RECORDS...", help="Files of references: RIS, NBIB, BibTeX, EndNote XML, CSV, TSV or XLSX.",
        callback=existing_files,
    ),
]  # fmt: skip
Deduplicate = Annotated[
    bool, typer.Option("--deduplicate", help="Merge duplicates without asking; they can be taken apart later.")
]
List = Annotated[
    ListName, typer.Option("--list", help="Titles and abstracts, or the full texts of what was included by them.")
]
Question = Annotated[str | None, typer.Option("--question", help="What the review asks; the ranking starts from it.")]
Criteria = Annotated[
    Path | None,
    typer.Option("--criteria", metavar="FILE", help="Criteria for inclusion, shown beside the text.",
                 callback=existing_file),
]  # fmt: skip
Reasons = Annotated[
    Path | None,
    typer.Option("--reasons", metavar="FILE", help="Reasons for exclusion, one per line; the first nine have keys.",
                 callback=existing_file),
]  # fmt: skip
Reviewers = Annotated[
    int | None, typer.Option("--reviewers", min=1, max=9, help="How many persons decide about each record.")
]
Blind = Annotated[
    bool | None,
    typer.Option("--blind/--open", help="Whether others' decisions are hidden until a record has all of them.",
                 show_default=False),
]  # fmt: skip
Recall = Annotated[
    float | None, typer.Option("--recall", help="Stop when this share of the relevant records is found: 0.95.")
]
Certainty = Annotated[float | None, typer.Option("--certainty", help="With this certainty: 0.95.")]
Method = Annotated[
    Literal["certified", "model", "in-a-row", "share"] | None,
    typer.Option("--stop", help="How the stopping rule decides. (default: certified, by random draws)",
                 show_default=False),
]  # fmt: skip
InARow = Annotated[
    int | None, typer.Option("--in-a-row", min=1, help="For --stop in-a-row: so many irrelevant records.")
]
Share = Annotated[float | None, typer.Option("--share", help="For --stop share: the share of the records to read.")]
