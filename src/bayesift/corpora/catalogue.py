"""Descriptions of the known corpora; the counts are those of the corpora and their READMEs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bayesift.corpora.arxiv import read_arxiv
from bayesift.corpora.data_dir import file_in, find_in
from bayesift.corpora.docstrings import read_docstrings
from bayesift.corpora.document import TEST, TRAIN, Document
from bayesift.corpora.libsvm import read_libsvm
from bayesift.corpora.ohsumed91 import read_ohsumed91
from bayesift.corpora.rcv1 import N_TERMS, read_rcv1_qrels, read_rcv1_vectors
from bayesift.corpora.reuters import KINDS, SPLITS, Story, read_reuters, reuters_documents
from bayesift.corpora.spec import Content, Description, Download
from bayesift.corpora.synergy import REVIEWS, read_synergy
from bayesift.corpora.tmc2007 import read_tmc2007, read_tmc_texts
from bayesift.corpora.trec import read_qrels, read_references, read_topics
from bayesift.errors import BadInput
from bayesift.files import read_lines

_LYRL = "http://www.ai.mit.edu/projects/jmlr/papers/volume5/lewis04a/"
_VECTORS = ["lyrl2004_vectors_train.dat", *(f"lyrl2004_vectors_test_pt{i}.dat" for i in range(4))]
_RCV1_QRELS = "rcv1-v2.topics.qrels"
_QUERIES, _QRELS_87, _QRELS_88 = "query.ohsu.1-63", "qrels.ohsu.batch.87", "qrels.ohsu.88-91"
_TREC9 = "https://trec.nist.gov/data/filtering/t9.filtering.tar.gz"


def _reuters_stories(folder: Path) -> Iterator[Story]:
    return read_reuters(find_in(folder, "reuters21578.tar.gz") or folder)


def _reuters(folder: Path, split: str | None, part: str | None) -> Content:
    return reuters_documents(_reuters_stories(folder), split, part or "topics")


def _count_reuters(folder: Path) -> dict[str, int]:
    stories = list(_reuters_stories(folder))
    counts = {"documents": len(stories)}
    counts |= {kind: len({x for s in stories for x in s.labels[kind]}) for kind in KINDS}
    for split in SPLITS:
        documents = list(reuters_documents(stories, split))
        for side in (TRAIN, TEST):
            counts[f"{split} {side}"] = sum(d.split == side for d in documents)
        counts[f"{split} labels"] = len({x for d in documents for x in d.labels or ()})
    return counts


def _tmc2007(folder: Path, split: str | None, part: str | None) -> Content:
    return read_tmc_texts(folder) if part == "text" else read_tmc2007(folder)


def _rcv1_sample(folder: Path, split: str | None, part: str | None) -> Content:
    topics = [line.strip() for _, line in read_lines(file_in(folder, "topics.txt"))]
    return read_libsvm(file_in(folder, "rcv1_topics_sample.svm"), topics, N_TERMS)


def _rcv1(folder: Path, split: str | None, part: str | None) -> Content:
    topics = read_rcv1_qrels(file_in(folder, _RCV1_QRELS))
    return read_rcv1_vectors([file_in(folder, name) for name in _VECTORS], topics)


def _synergy(folder: Path, split: str | None, part: str | None) -> Iterator[Document]:
    for review in REVIEWS if part is None else (part,):
        yield from read_synergy(file_in(folder, f"{review}.csv"), review)


def _count_synergy(folder: Path) -> dict[str, int]:
    counts = {"documents": 0}
    for review in REVIEWS:
        documents = list(_synergy(folder, None, review))
        counts["documents"] += len(documents)
        counts[review] = len(documents)
        counts[f"{review} included"] = sum(bool(d.labels) for d in documents)
    return counts


def _topics(folder: Path, split: str | None, part: str | None) -> Iterator[Document]:
    for topic in read_topics(file_in(folder, _QUERIES)):
        yield Document(topic.id, topic.title, topic.description, (topic.id,))


def _count_trec9(folder: Path) -> dict[str, int]:
    topics = {d.id for d in _topics(folder, None, None)}
    counts = {"documents": len(topics)}
    for name in (_QRELS_87, _QRELS_88):
        judgements = list(read_qrels(file_in(folder, name)))
        strangers = {j.topic for j in judgements} - topics
        if strangers:
            remedy = "download the corpus again"
            raise BadInput(f"unknown topic {min(strangers)!r} in the judgements", path=folder / name, remedy=remedy)
        counts[f"judgements in {name}"] = len(judgements)
    return counts


def _ohsumed(folder: Path, split: str | None, part: str | None) -> Iterator[Document]:
    for years, qrels, side in (("87", _QRELS_87, TRAIN), ("88-91", _QRELS_88, TEST)):
        relevant: dict[str, list[str]] = {}
        for judgement in read_qrels(file_in(folder, qrels)):
            if judgement.grade > 0:
                relevant.setdefault(judgement.document, []).append(judgement.topic)
        for r in read_references(file_in(folder, f"ohsumed.{years}")):
            labels = r.mesh if part == "mesh" else tuple(relevant.get(r.ui, ()))
            yield Document(r.ui, r.title, r.abstract, labels, r.date, side)


_ALL = [
    Description(
        name="docstrings",
        title="docstrings of the installed numpy, scipy and scikit-learn",
        terms="those of the libraries (BSD)",
        home="made on this machine",
        read=lambda folder, split, part: read_docstrings(),
        expected={"documents": 2000, TRAIN: 1000, TEST: 500, "labels": 30},
        at_least=True,
        splits=("hashed",),
    ),
    Description(
        name="reuters21578",
        title="Reuters-21578, Distribution 1.0: newswire of 1987",
        terms="research only; cite the distribution, see its README",
        home="https://archive.ics.uci.edu/dataset/137/reuters+21578+text+categorization+collection",
        read=_reuters,
        count=_count_reuters,
        layouts=(("reuters21578.tar.gz",), tuple(f"reut2-{i:03}.sgm" for i in range(22))),
        splits=SPLITS,
        parts=KINDS,
        expected={
            "documents": 21578,
            **{"topics": 120, "places": 147, "people": 114, "orgs": 32, "exchanges": 32},
            **{"modapte train": 9603, "modapte test": 3299, "modapte labels": 90},
            **{"modlewis train": 13625, "modlewis test": 6188, "modlewis labels": 90},
            **{"r90 train": 7770, "r90 test": 3019, "r90 labels": 90},
        },
        downloads=(
            Download(
                "reuters21578.tar.gz",
                (
                    "http://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
                    "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz",
                    "http://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz",
                ),
            ),
        ),
    ),
    Description(
        name="tmc2007",
        title="SIAM Text Mining Competition 2007: aviation safety reports, 500 words",
        terms="public, from NASA's Aviation Safety Reporting System",
        home="https://mulan.sourceforge.net/datasets-mlc.html",
        read=_tmc2007,
        layouts=(
            (
                *("tmc2007-500-train.arff", "tmc2007-500-test.arff"),
                *("TrainCategoryMatrix.csv", "TestTruth.csv", "TrainingData_small.txt"),
            ),
        ),
        splits=("competition",),
        parts=("words", "text"),
        expected={"documents": 28596, "terms": 500, TRAIN: 21519, TEST: 7077, "labels": 22},
        to_get="download tmc2007-500 there, and the label matrices and texts from the page of the competition",
    ),
    Description(
        name="rcv1",
        title="a sample of RCV1-v2 as vectors",
        terms="research only; cite Lewis, Yang, Rose & Li 2004",
        home=_LYRL + "lyrl2004_rcv1v2_README.htm",
        read=_rcv1_sample,
        layouts=(("rcv1_topics_sample.svm", "topics.txt"),),
        expected={"documents": 27613, "terms": N_TERMS, "labels": 102},
        to_get="this sample is not published; the full corpus is rcv1-v2",
    ),
    Description(
        name="rcv1-v2",
        title="RCV1-v2/LYRL2004: newswire of 1996-97 as vectors",
        terms="research only; cite Lewis, Yang, Rose & Li 2004",
        home=_LYRL + "lyrl2004_rcv1v2_README.htm",
        read=_rcv1,
        layouts=((*_VECTORS, _RCV1_QRELS),),
        splits=("lyrl2004",),
        expected={"documents": 804414, "terms": N_TERMS, TRAIN: 23149, TEST: 781265, "labels": 103},
        downloads=(
            *(Download(f"{name}.gz", (f"{_LYRL}a13-vector-files/{name}.gz",)) for name in _VECTORS),
            Download(f"{_RCV1_QRELS}.gz", (f"{_LYRL}a08-topic-qrels/{_RCV1_QRELS}.gz",)),
        ),
    ),
    Description(
        name="ohsumed91",
        title="OHSUMED 1991: medical abstracts, 23 disease categories",
        terms="research only, not for clinical use; tell users that it is old and incomplete",
        home="https://disi.unitn.it/moschitti/corpora.htm",
        read=lambda folder, split, part: read_ohsumed91(file_in(folder, "ohsumed1991_23cat.jsonl")),
        layouts=(("ohsumed1991_23cat.jsonl",),),
        splits=("split20000",),
        expected={"documents": 34389, TRAIN: 6286, TEST: 7643, "labels": 23},
        to_get="download ohsumed-all there and write it as JSON lines: id, split20000, labels, title, abstract",
    ),
    Description(
        name="trec9",
        title="TREC-9 filtering track: topic statements and judgements",
        terms="research only, not for clinical use",
        home="https://trec.nist.gov/data/t9_filtering.html",
        read=_topics,
        count=_count_trec9,
        layouts=((_QUERIES, _QRELS_87, _QRELS_88),),
        expected={"documents": 63, f"judgements in {_QRELS_87}": 670, f"judgements in {_QRELS_88}": 3205},
        downloads=(Download("t9.filtering.tar.gz", (_TREC9,), (_QUERIES, _QRELS_87, _QRELS_88)),),
    ),
    Description(
        name="ohsumed",
        title="OHSUMED 1987-91, the documents of the TREC-9 filtering track",
        terms="research only, not for clinical use; tell users that it is old and incomplete",
        home="https://trec.nist.gov/data/t9_filtering.html",
        read=_ohsumed,
        layouts=(("ohsumed.87", "ohsumed.88-91", _QRELS_87, _QRELS_88),),
        splits=("trec9",),
        parts=("topics", "mesh"),
        expected={"documents": 348566, TRAIN: 54710, TEST: 293856, "labels": 63},
        downloads=(Download("t9.filtering.tar.gz", (_TREC9,), ("ohsumed.87", "ohsumed.88-91", _QRELS_87, _QRELS_88)),),
    ),
    Description(
        name="arxiv",
        title="arXiv papers as a daily crawl first saw them, 2025-03-18 to 2025-12-31",
        terms="metadata CC0 (arXiv)",
        home="https://arxiv.org/help/api",
        read=lambda folder, split, part: read_arxiv(file_in(folder, "arxiv_2025.jsonl")),
        layouts=(("arxiv_2025.jsonl",),),
        expected={"documents": 40717, "labels": 123},
        to_get="this crawl is not published; write papers as JSON lines: id, date, categories, title, abstract",
    ),
    Description(
        name="synergy",
        title="SYNERGY: five systematic reviews and what they screened",
        terms="CC0",
        home="https://github.com/asreview/synergy-dataset",
        read=_synergy,
        count=_count_synergy,
        layouts=(tuple(f"{review}.csv" for review in REVIEWS),),
        parts=REVIEWS,
        expected={
            "documents": 3633,
            **{"Donners_2021": 258, "Donners_2021 included": 15},
            **{"Jeyaraman_2020": 1175, "Jeyaraman_2020 included": 96},
            **{"Meijboom_2021": 882, "Meijboom_2021 included": 37},
            **{"Nelson_2002": 366, "Nelson_2002 included": 80},
            **{"Oud_2018": 952, "Oud_2018 included": 20},
        },
        to_get="its own tool builds it from OpenAlex: python -m synergy_dataset get",
    ),
]

CATALOGUE: dict[str, Description] = {description.name: description for description in _ALL}
