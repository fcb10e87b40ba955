"""Simulated reviews: how pools are made, and what the tables about stopping hold."""

import json
from pathlib import Path

import numpy as np
import pytest

from bayesift.experiments.made_pools import KINDS, RATES, SIZES, made_pools
from bayesift.experiments.result import read_result
from bayesift.experiments.screening_stop import CERTIFIED, RULES, SHARES, _needed, _opponents
from bayesift.experiments.screening_weights import Places, fit, fit_spread
from bayesift.filtering.screening.remaining import NODES, WITH_PROBABILITIES, WITHOUT

ROOT = Path(__file__).parents[3]


def test_the_fit_finds_the_weights_that_made_the_reviews():
    rng, places = np.random.default_rng(0), Places()
    w, v = np.array([0.5, 0.4, 0.3, -0.3, 0.2, -0.4]), np.array([-0.7, 0.2, -0.3])
    for _ in range(4000):
        x, y = np.append(1.0, rng.normal(size=5)), np.append(1.0, rng.normal(size=2))
        places.x.append(x)
        places.y.append(y)
        places.relevant.append(int(rng.poisson(np.exp(w @ x + np.exp(v @ y) * rng.choice(NODES)))))
        places.unread.append(10**6)
        places.times.append(1.0)
    found = fit(places)
    assert found[0] == pytest.approx(w, abs=0.1)
    assert found[1] == pytest.approx(v, abs=0.1)


def test_the_spread_is_that_in_a_corpus_that_is_left_out():
    rng, places = np.random.default_rng(0), Places()
    for corpus, shift in (("a", -1.0), ("b", 0.0), ("c", 1.0)):
        for _ in range(150):
            x, y = np.append(1.0, rng.normal(size=5)), np.append(1.0, rng.normal(size=2))
            rate = np.exp(1.5 + shift + 0.3 * x[1] + 0.3 * rng.choice(NODES))
            for values, value in zip(vars(places).values(), (x, y, int(rng.poisson(rate)), 10**6, 1.0, corpus)):
                values.append(value)
    v, before, after = fit_spread(places)
    assert before < 0.9
    assert after > 0.94
    assert v[0] > fit(places)[1][0]


def test_the_code_has_the_weights_of_the_stored_result():
    rows = read_result(ROOT / "docs" / "results" / "screening-weights.json").rows
    for system, (w, v) in {"with probabilities": WITH_PROBABILITIES, "without": WITHOUT}.items():
        found = {part: [row.ours for row in rows if row.key[:2] == (system, part)] for part in ("mu", "log sigma")}
        assert found == {"mu": w.tolist(), "log sigma": v.tolist()}


def test_opponents_do_not_make_the_certified_rule_err():
    figures = {(row.setting, row.metric): row.ours for row in _opponents(100)}
    assert all(figures[setting, "errs, %"] <= 10.0 for setting, _ in figures)  # 5 % of 100 reviews, and noise
    assert all(figures[setting, "read, %"] > 50.0 for setting, _ in figures)


def test_more_records_found_need_fewer_draws():
    draws = {(row.system, row.setting): row.ours for row in _needed()}
    column = [number for (_, setting), number in draws.items() if setting == "2,000 unread, 95 %"]
    assert column == sorted(column, reverse=True)
    assert draws["100 found", "2,000 unread, 80 %"] < draws["100 found", "2,000 unread, 95 %"]


def test_made_pools_are_of_all_kinds_and_the_same_for_the_same_seed(corpus_folder):
    data = corpus_folder("ohsumed91").parent
    for name in ("reuters21578", "arxiv"):
        corpus_folder(name)
    pools = list(made_pools(14, 3, data))
    assert {pool.name.rpartition(", ")[2] for pool in pools} == set(KINDS)
    for pool in pools:
        assert SIZES[0] / 2 <= len(pool.texts) == pool.relevant.size <= SIZES[1]
        assert 5 <= pool.relevant.sum() <= 2 * RATES[1] * pool.relevant.size
    again = next(made_pools(1, 3, data))
    assert (again.texts, again.relevant.tolist()) == (pools[0].texts, pools[0].relevant.tolist())
    assert next(made_pools(1, 4, data)).texts != pools[0].texts


def test_the_table_of_one_review_and_one_pool(run, tmp_path, corpus_folder):
    data = corpus_folder("synergy").parent
    for name in ("ohsumed91", "reuters21578", "arxiv"):
        corpus_folder(name)
    code, _, err = run("reproduce", "screening-stop", "--categories", 1, "--data", data, "--json", tmp_path / "r.json")
    assert code == 0, err
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    found = {(row["system"], row["setting"], row["metric"]): row["ours"] for row in rows}
    for part in ("reviews", "made pools"):
        assert all(found[part, f"{100 * share:.0f} % read", "coverage, %"] in (0.0, 100.0) for share in SHARES)
        for rule in (CERTIFIED, *RULES):
            assert 0.0 < found[rule, part, "read, %"] <= 100.0
            assert found[rule, part, "errs, %"] == (0.0 if found[rule, part, "recall, %"] >= 95.0 else 100.0)
