"""Duplicates are found and explained; what may be two works is not merged without asking."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesift.corpora.data_dir import data_folder
from bayesift.corpora.synergy import REVIEWS
from bayesift.filtering.screening.records import Record, find_duplicates, read_records
from bayesift.filtering.screening.records.minhash import overlap, shingles, similar_pairs

ABSTRACT = (
    "We asked one hundred and twenty people in a coastal town whether they had pain in their legs after they had "
    "begun to take the invented medicine, and compared them with as many people who took none. Pain was more frequent "
    "in the first group, and less so in the second. Nobody was harmed. The trial was registered before it began."
)
TITLE = "Muscle pain after an invented medicine in a coastal town"


def record(title=TITLE, abstract=ABSTRACT, **parts):
    return Record("", title, abstract, **parts)


def pairs(*records, others=()):
    return [(pair.first, pair.second, pair.why, pair.caution) for pair in find_duplicates(records, others)]


def other(n):
    words = [f"word{random.Random(n * 1000 + k).randrange(5000)}" for k in range(60)]
    return record(" ".join(words[:10]), " ".join(words[10:]), year=2000)


def test_by_number_title_and_text():
    assert pairs(record(doi="10.1/a"), other(1), record(doi="10.1/a")) == [(0, 2, "DOI", "")]
    assert pairs(
        record(pmid="7"), record(pmid="7", title="MUSCLE PAIN after an invented medicine in a coastal town.")
    ) == [(0, 1, "PMID", "")]
    assert pairs(record(year=2019), record(year=2019, title=TITLE.upper() + "!")) == [(0, 1, "title and year", "")]
    shorter = ABSTRACT.removesuffix(" The trial was registered before it began.")
    assert pairs(record(), record(abstract=shorter)) == [(0, 1, "text", "texts differ in part")]
    assert pairs(record(), record(abstract=ABSTRACT + " © The Town.")) == [(0, 1, "text", "")]
    assert pairs(record(doi="10.1/a", pmid="7", year=2019), record(doi="10.1/a", pmid="7", year=2019)) == [
        (0, 1, "DOI, PMID, title and year", "")
    ]


def test_an_abstract_that_was_cut():
    cut = ABSTRACT[: len(ABSTRACT) // 3]
    assert pairs(record(), record(abstract=cut)) == [(0, 1, "text", "texts differ in part")]
    assert pairs(record(year=2019), record(abstract=cut, year=2019)) == [(0, 1, "title and year", "")]


def test_a_missing_abstract_leaves_the_titles_to_decide():
    assert pairs(record(year=2019), record(abstract="", year=2019)) == [(0, 1, "title and year", "")]
    assert pairs(record(year=2019), record(TITLE.replace("Muscle", "Muscles"), "", year=2020)) == [
        (0, 1, "text", "texts differ in part")
    ]
    assert pairs(record(year=2010), record(TITLE.replace("Muscle", "Muscles"), "", year=2020)) == []


@pytest.mark.parametrize(
    ("change", "caution"),
    [
        ({"title": f"Correction to: {TITLE}"}, "one is a correction, comment or protocol"),
        ({"title": f"Erratum: {TITLE}"}, "one is a correction, comment or protocol"),
        ({"title": f"{TITLE}: study protocol"}, "one is a correction, comment or protocol"),
        ({"title": f"{TITLE}. Reply"}, "one is a correction, comment or protocol"),
        ({"title": f"{TITLE}, part II"}, "numbers in the titles differ"),
        ({"title": f"{TITLE}: 2019 update"}, "numbers in the titles differ"),
        ({"doi": "10.1101/2020.01.01.1"}, "one is a preprint; DOIs differ"),
        ({"journal": "medRxiv"}, "one is a preprint"),
        ({"kind": "Conference Abstract"}, "one is a conference abstract"),
        ({"doi": "10.1000/other"}, "DOIs differ"),
        ({"pmid": "8"}, "PubMed numbers differ"),
        ({"year": 2015}, "years differ"),
        ({"authors": ("Poe, Bob",)}, "authors differ"),
    ],
)
def test_what_may_be_two_works_has_a_caution(change, caution):
    parts = {"doi": "10.1000/a", "pmid": "7", "year": 2020, "authors": ("Roe, Ann",), "journal": "J", "kind": "JOUR"}
    first = record(**parts)
    second = record(**(parts | ({"pmid": ""} if "doi" in change else {"doi": ""}) | change))
    ((_, _, _, found),) = pairs(first, second)
    assert found == caution


@pytest.mark.parametrize(
    ("first", "second", "caution"),
    [
        (("Li, X.", "Wu, Y."), ("Li, X.", "Wu, Y."), ""),
        (("王 伟",), ("王 伟",), ""),
        (("Li, X.",), ("Li, Xiang",), ""),
        (("Li, X.",), ("Wu, X.",), "authors differ"),
        (("Li, X.",), ("Wu, Yan",), "authors differ"),
        (("王 伟",), ("李 娜",), "authors differ"),
        (("?",), ("Roe, Ann",), ""),
    ],
)
def test_authors_with_short_names(first, second, caution):
    ((*_, found),) = pairs(record(doi="10.1/a", authors=first), record(doi="10.1/a", authors=second))
    assert found == caution


def test_parts_of_a_series_are_not_merged():
    parts = [record(f"{TITLE}, part {n}", ABSTRACT, year=2019) for n in ("I", "II", "III")]
    assert {caution for *_, caution in pairs(*parts)} == {"numbers in the titles differ"}


def test_the_same_doi_for_different_works_has_a_caution():
    ((_, _, why, caution),) = pairs(record(doi="10.1/a"), Record("", "Rain", "It rained all day long.", doi="10.1/a"))
    assert why == "DOI"
    assert "titles differ" in caution
    assert "abstracts differ" in caution


def test_short_titles_need_the_same_author():
    assert pairs(Record("", "Editorial", year=2019), Record("", "Editorial", year=2019)) == []
    same = [Record("", "Editorial", year=2019, authors=("Roe, A",)) for _ in range(2)]
    assert pairs(*same) == [(0, 1, "title and year", "")]


def test_only_new_records_are_compared():
    old = [record(doi="10.1/a"), record(doi="10.1/a"), other(1)]
    assert pairs(other(2), record(doi="10.1/a"), others=old) == [(0, 4, "DOI", ""), (1, 4, "DOI", "")]
    assert pairs(others=old) == []
    assert pairs() == []


def test_many_records_with_one_key_do_not_give_all_pairs():
    found = find_duplicates([Record("", f"Talk number {n} of the meeting", doi="10.1/a") for n in range(300)])
    assert len(found) < 1000


def test_unrelated_records_are_no_duplicates():
    assert find_duplicates([other(n) for n in range(500)]) == []


def test_planted_copies_are_found_and_nothing_else():
    """Copies with some words changed, as databases differ, among unrelated records."""
    rng = random.Random(5)
    records = [other(n) for n in range(400)]
    planted = []
    for n in range(0, 100, 2):
        words = records[n].abstract.split()
        words[rng.randrange(len(words))] = "changed"
        planted.append((n, len(records)))
        records.append(record(records[n].title, " ".join(words), year=2003))
    found = [(pair.first, pair.second) for pair in find_duplicates(records)]
    assert found == planted


@given(st.lists(st.text("abc ", max_size=12), max_size=12), st.integers(0, 12))
@settings(deadline=None, max_examples=60)
def test_candidates_are_pairs_in_order_without_repeats(texts, new):
    found = similar_pairs(texts, size=2, words=True, bands=4, rows=1, new=new)
    assert found == sorted(set(found))
    assert all(i < j and j >= new for i, j in found)
    same = {text: n for n, text in reversed(list(enumerate(texts)))}
    for j, text in enumerate(texts):
        if text.strip() and same[text] < j and j >= new:
            assert (same[text], j) in found or any(pair[1] == j for pair in found)


def test_minhash_finds_what_the_formula_says():
    """Of pairs of similarity s a share of 1 - (1 - s^rows)^bands is found."""
    rng = random.Random(0)
    texts, truth = [], []
    for n in range(400):
        words = [f"w{rng.randrange(10**6)}" for _ in range(40)]
        changed = words[:34] + [f"v{rng.randrange(10**6)}" for _ in range(6)]
        texts += [" ".join(words), " ".join(changed)]
        truth.append((2 * n, 2 * n + 1))
    s, _ = overlap(shingles(texts[0], 1, words=True), shingles(texts[1], 1, words=True))
    assert s == pytest.approx(34 / 46)
    for bands, rows in ((16, 4), (8, 8), (2, 4)):
        found = similar_pairs(texts, size=1, words=True, bands=bands, rows=rows)
        expected = 1 - (1 - s**rows) ** bands
        assert set(found) <= set(truth)
        assert len(found) / len(truth) == pytest.approx(
            expected, abs=4 * (expected * (1 - expected) / 400) ** 0.5 + 0.002
        )


@pytest.mark.parametrize("review", REVIEWS)
def test_judged_reviews_have_few_pairs(review):
    """They were deduplicated by their authors: what is found is corrections, comments and copies that were missed."""
    path = data_folder() / "synergy" / f"{review}.csv.gz"
    if not path.exists():
        pytest.skip(f"needs the corpus synergy: {path}")
    records = read_records(path).records
    found = find_duplicates(records)
    assert len(found) <= 0.02 * len(records)
    assert sum(not pair.caution for pair in found) <= 1  # what would be merged without asking
