"""The topics' descriptions, from the file or the archive."""

import io
import tarfile

import pytest

from bayesift.corpora.reuters_topics import FILE, topic_descriptions
from bayesift.errors import BadInput, NotFound

TEXT = """Notes

****Subject Codes (3)

Sea Freight/Harbours (SHIP)

**Commodity Codes (2)

BARLEY-OIL
BARLEY \n
____________
Some Council (COUNCIL)@*
"""
EXPECTED = {"ship": "Sea Freight/Harbours, ship", "barley-oil": "barley-oil", "barley": "barley"}


def test_from_the_file_and_from_the_archive(tmp_path):
    (tmp_path / FILE).write_text(TEXT)
    assert topic_descriptions(tmp_path) == EXPECTED
    other = tmp_path / "packed"
    other.mkdir()
    with tarfile.open(other / "reuters21578.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo(f"./{FILE}")
        member.size = len(TEXT)
        archive.addfile(member, io.BytesIO(TEXT.encode()))
    assert topic_descriptions(other) == EXPECTED


def test_what_is_wrong_is_named(tmp_path):
    with pytest.raises(NotFound, match=FILE):
        topic_descriptions(tmp_path)
    (tmp_path / FILE).write_text("nothing of the kind")
    with pytest.raises(BadInput, match="Subject Codes"):
        topic_descriptions(tmp_path)


def test_the_real_list(corpus_folder):
    found = topic_descriptions(corpus_folder("reuters21578"))
    assert len(found) == 135
    assert found["wheat"] == "wheat"
