"""Folders, patterns and Parquet files as sources of documents."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import zstandard

from bayesift import load
from bayesift.cli.sources import Reading
from bayesift.corpora import read_documents
from bayesift.corpora.document_files import files_of, is_many
from bayesift.errors import BadInput, NotFound

WORDS = {"grain": ("wheat", "corn", "barley"), "crude": ("oil", "barrel", "refinery")}


def lines(n: int, seed: int = 0, **more: object) -> list[dict[str, object]]:
    rng = np.random.default_rng(seed)
    names = list(WORDS)
    found = []
    for i in range(n):
        label = names[i % 2]
        text = " ".join(rng.choice(WORDS[label], 5))
        found.append({"id": f"{seed}-{i}", "text": text, "labels": [label], **more})
    return found


def write(path: Path, documents: list[dict[str, object]]) -> None:
    data = "".join(json.dumps(d) + "\n" for d in documents).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstandard.compress(data) if path.suffix == ".zst" else data)


def refused(run, *arguments: object) -> str:
    result = run(*arguments)
    assert result.code == 2
    return str(result.err)


def archive(folder: Path) -> list[dict[str, object]]:
    write(folder / "a.jsonl", lines(30, 0))
    write(folder / "b.jsonl.zst", lines(30, 1))
    write(folder / "deep" / "c.jsonl", lines(30, 2))
    (folder / "README").write_text("not documents")
    return lines(30, 0) + lines(30, 1) + lines(30, 2)


def test_a_folder_trains_the_model_that_one_file_of_all_documents_trains(tmp_path: Path, run) -> None:
    whole = archive(tmp_path / "archive")
    write(tmp_path / "whole.jsonl", whole)
    (tmp_path / "archive" / ".git").mkdir()
    (tmp_path / "archive" / ".git" / "config").write_text("hidden")
    said = run("train", tmp_path / "archive", tmp_path / "many.bayesift").err
    assert "90 documents" in said
    assert said.count("archive: 1 file left out, e.g. README; names of files with documents end in jsonl") == 1
    run("train", tmp_path / "whole.jsonl", tmp_path / "one.bayesift")
    many, one = load(tmp_path / "many.bayesift"), load(tmp_path / "one.bayesift")
    texts = ["wheat and oil", "barrel", "corn corn"]
    assert np.array_equal(many.predict_proba(texts), one.predict_proba(texts))


def test_a_pattern_takes_what_matches_by_name(tmp_path: Path) -> None:
    archive(tmp_path)
    pattern = f"{tmp_path}/*.jsonl*"
    assert is_many(pattern)
    assert [path.name for path in files_of(pattern)] == ["a.jsonl", "b.jsonl.zst"]
    assert len(list(Reading().stream(pattern))) == 60
    with pytest.raises(NotFound, match="no file matches this pattern"):
        files_of(f"{tmp_path}/*.csv")


def test_a_bad_file_is_named_or_skipped_and_counted_once(tmp_path: Path, run) -> None:
    archive(tmp_path / "archive")
    (tmp_path / "archive" / "aa.csv").write_bytes(b"\x1f\x8bnot gzip at all")
    failed = refused(run, "train", tmp_path / "archive", tmp_path / "m.bayesift")
    assert "aa.csv" in failed
    assert not (tmp_path / "m.bayesift").exists()
    found = run("train", tmp_path / "archive", tmp_path / "m.bayesift", "--skip-bad")
    assert "1 bad line skipped" in found.err
    assert "aa.csv" in found.err
    assert "90 documents" in found.err


def test_splits_and_single_labels_of_many_files(tmp_path: Path, run) -> None:
    write(tmp_path / "x" / "a.jsonl", lines(40, 0, split="train"))
    write(tmp_path / "x" / "b.jsonl", lines(20, 1, split="test"))
    assert "40 documents" in run("train", tmp_path / "x", tmp_path / "m.bayesift", "--one-label").err
    assert load(tmp_path / "m.bayesift").kind_ == "one"
    write(tmp_path / "y" / "a.jsonl", lines(4, 0))
    write(tmp_path / "y" / "b.jsonl", lines(4, 1, split="train"))
    assert "the documents before have none" in refused(run, "train", tmp_path / "y", tmp_path / "n.bayesift")


def test_parquet(tmp_path: Path, run) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow reads Parquet files: pip install 'bayesift[cluster]'")
    from pyarrow import parquet

    write(tmp_path / "whole.jsonl", lines(60))
    parquet.write_table(pyarrow.Table.from_pylist(lines(60)), tmp_path / "news.parquet", row_group_size=7)
    assert list(read_documents(tmp_path / "news.parquet")) == list(read_documents(tmp_path / "whole.jsonl"))
    assert "60 documents" in run("train", tmp_path / "news.parquet", tmp_path / "m.bayesift").err
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(BadInput, match=r"bad\.parquet: not Parquet, or damaged"):
        list(read_documents(tmp_path / "bad.parquet"))


def test_an_empty_folder_and_a_split_of_many_files_are_refused(tmp_path: Path, run) -> None:
    (tmp_path / "empty").mkdir()
    assert "no files of documents" in refused(run, "train", tmp_path / "empty", tmp_path / "m.bayesift")
    archive(tmp_path / "archive")
    assert "cannot split many files" in refused(run, "split", tmp_path / "archive")


def test_several_files_folders_and_patterns_are_read_one_after_the_other(tmp_path: Path, run) -> None:
    whole = archive(tmp_path / "archive")
    write(tmp_path / "one.jsonl", lines(20, 7))
    write(tmp_path / "all.jsonl", lines(20, 7) + whole)
    names = tmp_path / "one.jsonl", f"{tmp_path}/archive/*.jsonl*", tmp_path / "archive"  # the folder has one more
    assert "110 documents" in run("train", *names, tmp_path / "m.bayesift").err
    run("train", tmp_path / "all.jsonl", tmp_path / "n.bayesift")
    several, one = load(tmp_path / "m.bayesift"), load(tmp_path / "n.bayesift")
    texts = ["wheat and oil", "barrel", "corn corn"]
    assert np.array_equal(several.predict_proba(texts), one.predict_proba(texts))


def test_several_sources_must_all_be_files(tmp_path: Path, run) -> None:
    write(tmp_path / "one.jsonl", lines(20, 7))
    assert "missing.jsonl" in refused(run, "train", tmp_path / "one.jsonl", tmp_path / "missing.jsonl", tmp_path / "m")
    assert "standard input beside" in refused(run, "train", tmp_path / "one.jsonl", "-", tmp_path / "m")
    assert "corpus docstrings beside" in refused(run, "train", "docstrings", tmp_path / "one.jsonl", tmp_path / "m")
    failed = refused(run, "train", tmp_path / "one.jsonl", tmp_path / "one.jsonl")  # the last name is that of the model
    assert "one.jsonl" in failed


def csv_file(path: Path, rows: list[str], header: str = "text,labels") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n")


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A folder of two files, each with empty labels cells, and one id in both."""
    for name, empty in (("a", 3), ("b", 2)):
        rows = [f"{('wheat corn,grain', 'oil barrel,crude')[i % 2]},{name}{i}" for i in range(20)]
        rows += [f"nothing here,,{name}x{i}" for i in range(empty)] + ["wheat,grain,twice"]
        csv_file(tmp_path / "two" / f"{name}.csv", rows, "text,labels,id")
    return tmp_path / "two"


@pytest.mark.parametrize("verb", ["train", "cross-validate"])
def test_notes_count_all_files(two: Path, run, verb: str) -> None:
    to = [two.parent / "m.bayesift"] if verb == "train" else ["--folds", 2]
    said = run(verb, two, *to).err
    assert said.count("5 empty labels cells: no label applies") == 1
    assert said.count("1 duplicate ids, e.g. 'twice' (2 documents)") == 1
    said = run(verb, two, *to, "--empty", "unlabelled").err
    assert "5 documents without labels are left out" in said
    assert "empty labels cells" not in said


def test_row_numbers_of_several_files_are_not_ids(two: Path, run) -> None:
    for path in two.iterdir():
        path.write_text("\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines()) + "\n")
    assert "duplicate ids" not in run("cross-validate", two, "--folds", 2).err
    assert "duplicate ids" not in run("train", *sorted(two.iterdir()), two.parent / "m.bayesift").err


@pytest.mark.parametrize("first", ["valid", "training"])
def test_documents_of_other_splits_are_left_out_with_a_note(tmp_path: Path, run, first: str) -> None:
    write(tmp_path / "x" / "a.jsonl", lines(4, 0, split=first) + lines(2, 3) + lines(3, 4, split="valid"))
    write(tmp_path / "x" / "b.jsonl", lines(40, 1, split="train") + lines(9, 2, split="test"))
    said = run("train", tmp_path / "x", tmp_path / "m.bayesift").err
    number = {"valid": 7, "training": 3}[first]
    assert f"left out: {number} of 'valid', 2 without a split" in said or "2 without a split, 3 of 'valid'" in said
    assert f"{47 - number} documents, 2 labels" in said


def test_other_splits_alone_mean_nothing(tmp_path: Path, run) -> None:
    for name in "ab":
        write(tmp_path / "x" / f"{name}.jsonl", lines(20, 0, split="valid"))
    for source, number in ((tmp_path / "x" / "a.jsonl", 20), (tmp_path / "x", 40)):
        assert f"{number} documents, 2 labels" in run("train", source, tmp_path / "m.bayesift").err


def test_several_files_without_training_documents_are_an_error(tmp_path: Path, run) -> None:
    for name, split in (("a", "valid"), ("b", "test")):
        write(tmp_path / f"{name}.jsonl", lines(4, 0, split=split))
    failed = refused(run, "train", tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "m.bayesift")
    assert "has no documents of split 'train'; splits must be train or test" in failed


def test_a_folder_with_the_name_of_a_corpus(tmp_path: Path, run, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    archive(tmp_path / "docstrings")
    assert "90 documents, 2 labels" in run("train", "docstrings/", "m").err
    assert "60 documents, 2 labels" in run("train", "docstrings/*.jsonl*", "m").err
    assert "30 documents, 2 labels" in run("train", "docstrings/deep", "m").err
    assert "30 documents, 2 labels" in run("train", "docstrings/a.jsonl", "m").err
    found = run("corpus", "export", "docstrings")
    assert "the corpus docstrings is read; ./docstrings is your folder" in found.err
    assert len(found.out.splitlines()) > 90
    assert "the corpus docstrings beside" in refused(run, "train", "docstrings", "docstrings/a.jsonl", "m")
    assert "arxiv/: no such file or corpus" in refused(run, "train", "arxiv/", "m")
    assert "no file matches this pattern" in refused(run, "train", "arxiv/*.jsonl", "m")


@pytest.mark.parametrize("verb", ["train", "cross-validate"])
def test_documents_without_text_and_repeated_ones_are_noted(run, tmp_path, verb):
    texts = ["wheat harvest", "crude oil", "", " ", "wheat harvest", "wheat harvest", "oil prices", "corn"]
    lines = [json.dumps({"id": str(i), "body": t, "labels": ["a" if i % 2 else "b"]}) for i, t in enumerate(texts)]
    (tmp_path / "d.jsonl").write_text("\n".join(lines))
    said = run(verb, tmp_path / "d.jsonl", *([tmp_path / "m"] if verb == "train" else ["--folds", 2])).err
    assert "2 documents without text\n" in said
    assert "2 documents with the text of another one; if a split parts the two" in said
