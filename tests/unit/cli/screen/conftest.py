"""A file of made-up references, and a review of them."""

import csv
import shutil

import pytest
from tests.service.literature import literature

from bayesift.filtering.screening.records import write_ris


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Return two files of references; two records of the second are also in the first."""
    folder = tmp_path_factory.mktemp("files")
    write_ris(folder / "found.ris", literature(30))
    with (folder / "more.csv").open("w") as out:
        rows = csv.writer(out)
        rows.writerow(("Title", "Abstract", "Year"))
        rows.writerows((record.title, record.abstract, record.year) for record in literature(12, first=28))
    (folder / "criteria.md").write_text("- adults\n- any statin\n")
    (folder / "reasons.txt").write_text("wrong drug\n\nno adults\n")
    return folder


@pytest.fixture(scope="session")
def made(files, tmp_path_factory):
    from bayesift.filtering.screening.records import read_records
    from bayesift.filtering.screening.review import Review

    path = tmp_path_factory.mktemp("made") / "hiv.db"
    options = {"question": "statins for adults with hiv", "criteria": "- adults\n- any statin"}
    options["reasons"] = ["wrong drug", "no adults"]
    Review.create(path, read_records(files / "found.ris").records, **options).close()
    return path


@pytest.fixture
def hiv(made, tmp_path):
    """Return the file of a review of 30 records, none of them read."""
    return shutil.copy(made, tmp_path / "hiv.db")
