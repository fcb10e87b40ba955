import gzip
import json
import subprocess
import sys

import pytest
import zstandard

HEAVY = (
    "import sys, bayesift.cli.main as m; print({'numba', 'scipy', 'sklearn', 'numpy', 'msgspec'} & set(sys.modules))"
)


@pytest.fixture
def trec9(tmp_path):
    folder = tmp_path / "data" / "trec9"
    folder.mkdir(parents=True)
    topics = "".join(f"<top>\n<num> Number: OHSU{i}\n<title> topic {i}\n</top>\n" for i in range(1, 64))
    (folder / "query.ohsu.1-63").write_text(topics)
    (folder / "qrels.ohsu.batch.87").write_text("OHSU1\t87000001\t1\n" * 670)
    (folder / "qrels.ohsu.88-91").write_text("OHSU2\t88000001\t2\n" * 3205)
    return folder


def test_the_command_line_starts_light():
    assert subprocess.check_output([sys.executable, "-c", HEAVY], text=True).strip() == "set()"


def test_list_is_tab_separated_away_from_a_terminal(run, trec9):
    result = run("corpus", "list", "--data", trec9.parent)
    rows = {row[0]: row for row in (line.split("\t") for line in result.out.splitlines())}
    assert rows["corpus"][:3] == ["corpus", "installed", "documents"]
    assert rows["trec9"][1:3] == ["yes", "63"]
    assert rows["reuters21578"][1] == "no"
    assert rows["docstrings"][1] == "yes"
    assert all(len(row) == 7 for row in rows.values())
    (trec9 / "qrels.ohsu.88-91").write_text("OHSU2 1 1\n")
    verified = run("corpus", "list", "--verify", "--data", trec9.parent)
    assert "trec9\twrong: judgements in qrels.ohsu.88-91\t" in verified.out
    (trec9 / "qrels.ohsu.88-91").write_text("OHSU2\n")
    assert "trec9\tdamaged\t" in run("corpus", "list", "--verify", "--data", trec9.parent).out
    (trec9 / "qrels.ohsu.88-91").unlink()
    assert "trec9\tmissing qrels.ohsu.88-91\t" in run("corpus", "list", "--data", trec9.parent).out


def test_info_says_what_is_wrong(run, trec9):
    assert run("corpus", "info", "trec9", "--data", trec9.parent).code == 0
    (trec9 / "qrels.ohsu.batch.87").write_text("OHSU1\t87000001\t1\n" * 669)
    result = run("corpus", "info", "trec9", "--data", trec9.parent)
    assert result.code == 1
    assert "judgements in qrels.ohsu.batch.87: 669 (expected 670)  WRONG" in result.out
    (trec9 / "qrels.ohsu.batch.87").write_text("OHSU1\t87000001\t1\nOHSU1\n")
    result = run("corpus", "info", "trec9", "--data", trec9.parent)
    assert (result.code, "qrels.ohsu.batch.87:2:" in result.err) == (1, True)
    (trec9 / "qrels.ohsu.batch.87").write_text("OHSU99\t87000001\t1\n")
    assert "unknown topic 'OHSU99' in the judgements" in run("corpus", "info", "trec9", "--data", trec9.parent).err
    (trec9 / "qrels.ohsu.batch.87").unlink()
    result = run("corpus", "info", "trec9", "--data", trec9.parent)
    assert (result.code, "is incomplete: no qrels.ohsu.batch.87" in result.err) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [("info", "nothing"), ("info", "rcv1"), ("get", "nothing"), ("get", "arxiv"), ("export", "nothing"),
     ("export", "rcv1"), ("export", "docstrings", "x.csv"), ("export", "docstrings", "--split", "x")],
)  # fmt: skip
def test_what_is_wrong_is_one_line_and_code_2(run, tmp_path, arguments):
    result = run("corpus", *arguments, "--data", tmp_path)
    assert result.code == 2
    last = result.err.splitlines()[-1]
    assert last.startswith("bayesift: ")
    assert "Traceback" not in result.err
    assert list(tmp_path.iterdir()) == []


def test_export_to_stdout_and_files(run, trec9, tmp_path):
    plain = run("corpus", "export", "trec9", "--data", trec9.parent)
    assert (plain.code, plain.err) == (0, "63 documents\n")
    assert json.loads(plain.out.splitlines()[1]) == {"id": "OHSU2", "title": "topic 2", "body": "", "labels": ["OHSU2"]}
    for name, expand in (("x.jsonl", bytes), ("x.jsonl.gz", gzip.decompress), ("x.jsonl.zst", None)):
        file = tmp_path / name
        assert run("corpus", "export", "trec9", file, "--data", trec9.parent).out == ""
        raw = file.read_bytes()
        text = zstandard.ZstdDecompressor().decompressobj().decompress(raw) if expand is None else expand(raw)
        assert text.decode() == plain.out
        run("corpus", "export", "trec9", file, "--data", trec9.parent)
        assert file.read_bytes() == raw  # the same data, the same bytes


def test_a_damaged_corpus_leaves_the_old_export(run, trec9, tmp_path):
    (trec9 / "query.ohsu.1-63").write_text("<top>\n<num> Number: OHSU1\n</top>\nstray\n")
    out = tmp_path / "x.jsonl.gz"
    old = gzip.compress(b'{"id":"1","body":"old"}\n')
    out.write_bytes(old)
    result = run("corpus", "export", "trec9", out, "--data", trec9.parent)
    assert result.code == 2
    assert result.err.strip().splitlines()[-1].endswith("query.ohsu.1-63:4: not part of a topic: 'stray'")
    assert out.read_bytes() == old
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data", "x.jsonl.gz"]


def test_export_of_vectors(run, tmp_path):
    folder = tmp_path / "rcv1"
    folder.mkdir()
    (folder / "topics.txt").write_text("C11\nC12\n")
    (folder / "rcv1_topics_sample.svm").write_text("0,1 3:0.5\n1 47236:1\n")
    lines = run("corpus", "export", "rcv1", "--data", tmp_path).out.splitlines()
    assert json.loads(lines[0]) == {"id": "1", "terms": {"3": 0.5}, "labels": ["C11", "C12"]}
    (folder / "rcv1_topics_sample.svm").write_text("0,1 3:0.5\n2 1:1\n")
    result = run("corpus", "export", "rcv1", "--data", tmp_path)
    assert (result.code, result.out) == (2, "")
    assert "sample.svm:2: label 2 but only 2 labels" in result.err


def test_export_of_the_users_own_table(run, tmp_path):
    table = tmp_path / "mine.csv"
    table.write_text("Abstract,Tags\ngood,a|b\nbad\nalso good,\n")
    options = ("--column", "text=Abstract", "--column", "labels=Tags", "--separator", "|")
    out = tmp_path / "mine.jsonl"
    failed = run("corpus", "export", table, out, *options)
    wrong = f"bayesift: {table}:3: 1 fields, the header has 2; correct it; --skip-bad leaves bad lines out\n"
    assert (failed.code, failed.err) == (2, wrong)
    assert not out.exists()
    done = run("corpus", "export", table, out, "--skip-bad", *options)
    assert (done.code, "2 documents\nbayesift: note: 1 bad line skipped" in done.err) == (0, True)
    assert [json.loads(line)["labels"] for line in out.read_text().splitlines()] == [["a", "b"], []]
    assert run("corpus", "export", table, "--column", "text").code == 2
    assert run("corpus", "export", table, tmp_path / "no" / "x.jsonl", *options).code == 2
