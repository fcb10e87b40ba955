import gzip

import numpy as np
import pytest

from bayesift.corpora.libsvm import read_libsvm
from bayesift.corpora.rcv1 import read_rcv1_qrels, read_rcv1_vectors
from bayesift.corpora.tmc2007 import N_LABELS, read_arff, read_tmc2007, read_tmc_texts
from bayesift.errors import BadInput


def test_libsvm_with_named_labels_and_documents_without_any(tmp_path):
    file = tmp_path / "x.svm.gz"
    file.write_bytes(gzip.compress(b"1,0 2:0.5 4:1e-1 # seen\n# note\n 1:-2\n2\n3:7\r\n"))
    vectors = read_libsvm(file, ["a", "b", "c"], n_terms=5)
    assert vectors.X.toarray().tolist() == [[0, 0.5, 0, 0.1, 0], [-2, 0, 0, 0, 0], [0] * 5, [0, 0, 7, 0, 0]]
    assert vectors.Y.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert vectors.ids == ["1", "2", "3", "4"]
    assert (vectors.X.dtype, vectors.Y.dtype) == (np.float64, np.int8)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0 1", "'1'"),
        ("0 1:2:3", "'1:2:3'"),
        ("0 1 2:3:4", "'1'"),
        ("0 1:x 2:1", "'1:x'"),
        ("0 :5 2:1", "':5'"),
        ("0 1.5:2", "'1.5:2'"),
        ("0 1_0:2", "'1_0:2'"),
        ("0 99999999999:2", "'99999999999:2'"),
        ("0 1:nan", "not finite"),
        ("0 1:1e999", "not finite"),
        ("0 0:1", "outside 1..9"),
        ("0 10:1", "outside 1..9"),
        ("0 3:1 2:1", "ascend: 2:1"),
        ("0 3:1 3:1", "ascend: 3:1"),
        ("x 1:1", "not integers: x"),
        ("0,,1 1:1", "not integers"),
        ("0,0 1:1", "duplicate label"),
        ("3 1:1", "only 3 labels"),
        ("", "empty line"),
    ],
)
def test_a_bad_libsvm_line_is_named(tmp_path, line, reason):
    file = tmp_path / "x.svm"
    file.write_text(f"0 1:1 9:1\n{line}\n1 1:1\n")
    with pytest.raises(BadInput, match=reason) as caught:
        read_libsvm(file, ["a", "b", "c"], n_terms=9)
    assert (caught.value.path, caught.value.line) == (str(file), 2)


def test_drawing_is_seeded_and_splits_nothing_twice(tmp_path):
    file = tmp_path / "x.svm"
    file.write_text("".join(f"{i % 2} {i + 1}:1\n" for i in range(20)))
    vectors = read_libsvm(file)
    train, test = vectors.draw(train=15, seed=3)
    again, _ = vectors.draw(train=15, seed=3)
    assert train.ids == again.ids
    assert sorted(train.ids + test.ids, key=int) == vectors.ids
    assert (train.X != again.X).nnz == 0
    with pytest.raises(BadInput, match="have no split"):
        vectors.split()
    with pytest.raises(BadInput, match="cannot draw 21"):
        vectors.draw(train=21, seed=0)


def tmc_folder(tmp_path, rows="{0 1,2 1,3 1}\n{}\n", matrix_row=0):
    words = ["classic", "engine", "zzz"]
    attributes = words + [f"class{j + 1:02}" for j in range(N_LABELS)]
    head = "% made up\n@relation x\n\n" + "".join(f"@attribute {a} {{0,1}}\n" for a in attributes) + "\n@data\n"
    cells = [["-1"] * N_LABELS for _ in range(2)]
    cells[matrix_row][0] = "1"
    matrix = "".join(",".join(row) + "\r\n" for row in cells)
    for side, name in (("train", "TrainCategoryMatrix.csv"), ("test", "TestTruth.csv")):
        (tmp_path / f"tmc2007-500-{side}.arff").write_text(head + rows)
        (tmp_path / name).write_text(matrix)
    (tmp_path / "TrainingData_small.txt").write_text("1~the engine QUIT\n2~a ~ tilde\n")
    return tmp_path, head.count("\n")


def test_tmc2007_takes_the_last_attributes_as_labels(tmp_path):
    folder, _ = tmc_folder(tmp_path)
    vectors = read_tmc2007(folder)
    assert vectors.terms == ["classic", "engine", "zzz"]
    assert vectors.labels[0] == "class01"
    train, test = vectors.split()
    assert train.X.toarray().tolist() == [[1, 0, 1], [0, 0, 0]]
    assert test.Y.toarray()[:, 0].tolist() == [1, 0]
    assert [(d.id, d.body, d.labels) for d in read_tmc_texts(folder)] == [
        ("train-1", "the engine QUIT", ("class01",)),
        ("train-2", "a ~ tilde", ()),
    ]


@pytest.mark.parametrize("row", ["{0 1,0 1}", "{0 2}", "{x 1}", "{25 1}", "0,1,1", "{3 1,1 1}"])
def test_a_bad_arff_row_is_named(tmp_path, row):
    folder, head = tmc_folder(tmp_path, "{}\n" + row + "\n")
    with pytest.raises(BadInput) as caught:
        read_arff(folder / "tmc2007-500-train.arff", N_LABELS)
    assert caught.value.line == head + 2


def test_tmc2007_matrices_must_agree_with_the_arff(tmp_path):
    folder, _ = tmc_folder(tmp_path, matrix_row=1)
    with pytest.raises(BadInput, match="labels differ") as caught:
        read_tmc2007(folder)
    assert caught.value.path.endswith("TrainCategoryMatrix.csv")
    (folder / "TrainCategoryMatrix.csv").write_text("1,0\n")
    with pytest.raises(BadInput, match="expected 22 cells"):
        read_tmc2007(folder)
    (folder / "TrainingData_small.txt").write_text("1~fine\nno tilde\n")
    (folder / "TrainCategoryMatrix.csv").write_text(",".join(["1"] * 22))
    with pytest.raises(BadInput, match=r"small.txt:2: expected number~text"):
        list(read_tmc_texts(folder))


def rcv1_files(tmp_path):
    (tmp_path / "qrels").write_text("E11 2286 1\nECAT 2286 1\nE11 30000 1\n")
    (tmp_path / "vectors").write_text("2286  1:0.5 4:0.25\n30000  2:1\n")
    return tmp_path


def test_rcv1_vectors_and_qrels(tmp_path):
    folder = rcv1_files(tmp_path)
    topics = read_rcv1_qrels(folder / "qrels")
    assert topics == {"2286": ["E11", "ECAT"], "30000": ["E11"]}
    vectors = read_rcv1_vectors([folder / "vectors"], topics, n_terms=4)
    assert vectors.X.toarray().tolist() == [[0.5, 0, 0, 0.25], [0, 1, 0, 0]]
    assert vectors.Y.toarray().tolist() == [[1, 1], [1, 0]]
    assert [len(side) for side in vectors.split()] == [1, 1]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("qrels", "E11 2286 1\nE11 2286\n", 2),
        ("qrels", "E11 2286 0\n", 1),
        ("vectors", "2286  1:1\n7  1:1\n", 2),
        ("vectors", "2286  1:1\n\n", 2),
        ("vectors", "2286  1:1 1\n", 1),
    ],
)
def test_a_bad_rcv1_line_is_named(tmp_path, name, text, line):
    folder = rcv1_files(tmp_path)
    (folder / name).write_text(text)

    def read_all():
        topics = read_rcv1_qrels(folder / "qrels")
        read_rcv1_vectors([folder / "vectors"], topics)

    with pytest.raises(BadInput) as caught:
        read_all()
    assert (caught.value.path, caught.value.line) == (str(folder / name), line)
