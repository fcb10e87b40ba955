"""`bayesift split`: two files of unchanged rows."""

import gzip
import json
from collections import Counter

import pytest

LABELS = [["ab"[i % 2], *(["rare"] if i < 10 else [])] for i in range(50)]
LINES = [f'{{"text":"document {i}",  "labels": {json.dumps(labels)}}}\n' for i, labels in enumerate(LABELS)]


def test_both_parts_have_every_label_and_the_rows_as_they_were(run, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(LINES).rstrip("\n"))  # no line end after the last
    result = run("split", path, "--hold-out", "0.2")
    assert (result.code, result.out) == (0, "")
    parts = [(tmp_path / f"mine.{side}.jsonl").read_text().splitlines(keepends=True) for side in ("train", "test")]
    assert [len(part) for part in parts] == [40, 10]
    assert sorted(parts[0] + parts[1]) == sorted(LINES)
    assert all([LINES.index(line) for line in part] == sorted(LINES.index(line) for line in part) for part in parts)
    held = Counter(label for line in parts[1] for label in json.loads(line)["labels"])
    assert held == {"a": 5, "b": 5, "rare": 2}
    again = run("split", path, "--hold-out", "0.2", "--train", tmp_path / "a", "--test", tmp_path / "b")
    assert again.code == 0
    assert (tmp_path / "b").read_text() == "".join(parts[1])  # the same seed, the same bytes
    run("split", path, "--seed", "1", "--train", tmp_path / "c", "--test", tmp_path / "d")
    assert (tmp_path / "d").read_text() != "".join(parts[1])


def test_a_table_and_an_array_stay_what_they_are(run, tmp_path):
    table = tmp_path / "mine.csv.gz"
    rows = [f'"say ""{i}""\nand more";"x";{i}\r\n'.encode() for i in range(10)]
    table.write_bytes(gzip.compress(b'\xef\xbb\xbf"text";"labels";n\r\n' + b"".join(rows)))
    assert run("split", table, "--hold-out", "0.3").code == 0
    test = gzip.decompress((tmp_path / "mine.test.csv.gz").read_bytes())
    train = gzip.decompress((tmp_path / "mine.train.csv.gz").read_bytes())
    assert all(part.startswith(b'\xef\xbb\xbf"text";"labels";n\n"say ""') for part in (train, test))
    assert all(part.count(b"\xef\xbb\xbf") == 1 for part in (train, test))
    assert sum(row.rstrip(b"\r\n") in test for row in rows) == 3
    array = tmp_path / "mine.json"
    array.write_text(json.dumps([{"text": f"{i}", "labels": ["x"]} for i in range(10)], indent=2))
    assert run("split", array, "--hold-out", "0.5").code == 0
    parts = [json.loads((tmp_path / f"mine.{side}.json").read_text()) for side in ("train", "test")]
    assert sorted(int(d["text"]) for part in parts for d in part) == list(range(10))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mine.jsonl",), "mine.test.jsonl: already exists"),
        (("mine.jsonl", "--train", "x", "--test", "./x"), "x: is named for both parts"),
        (("mine.jsonl", "--test", "x", "--hold-out", "1"), "cannot hold out 1 of the documents"),
        (("mine.jsonl", "--test", "x", "--hold-out", "0.001"), "use a fraction from 0.01 to 0.99"),
        (("mine.jsonl", "--test", "x", "--hold-out", "0.01"), "too few documents (50) to hold out 1/100"),
        (("sided.jsonl",), "already has a split"),
        (("mine.jsonl", "--train", "x.csv", "--test", "y"), "x.csv: is the name of a CSV file, but mine.jsonl is"),
        (("mine.jsonl", "--train", "x", "--test", "y.tab.gz"), "rows are copied unchanged; name it y.jsonl.gz"),
        (("mine.csv", "--train", "x.jsonl.zst", "--test", "y"), "rows are copied unchanged; name it x.csv.zst"),
        (("mine.txt", "--format", "tsv", "--train", "x.csv", "--test", "y"), "name it x.tsv"),
        (("docstrings",), "cannot split the corpus docstrings"),
        (("-",), "cannot split standard input"),
        (("none.jsonl",), "no such file"),
    ],
)
def test_what_cannot_be_split(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_text("".join(LINES))
    (tmp_path / "sided.jsonl").write_text('{"text": "a", "split": "train"}\n' * 9)
    (tmp_path / "mine.test.jsonl").write_text("precious")
    for name, mark in (("mine.csv", ","), ("mine.txt", "\t")):
        (tmp_path / name).write_text(f"text{mark}labels\n" + f"a{mark}b\n" * 9)
    before = sorted(p.name for p in tmp_path.iterdir())
    result = run("split", *arguments)
    assert (result.code, message in result.err) == (2, True), result.err
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_parts_may_be_compressed_otherwise_or_have_a_name_that_tells_no_format(run, tmp_path):
    path = tmp_path / "mine.ndjson"
    path.write_text("".join(LINES))
    names = tmp_path / "a.jsonl.gz", tmp_path / "b.txt"
    assert run("split", path, "--train", names[0], "--test", names[1]).code == 0
    parts = gzip.decompress(names[0].read_bytes()).decode() + names[1].read_text()
    assert sorted(parts.splitlines(keepends=True)) == sorted(LINES)
