"""The experiment of learning online, on a small made-up stream; figures need the real corpora."""

import numpy as np

from bayesift.corpora.document import Document
from bayesift.experiments.layouts.online import LAYOUTS, METRICS, SYSTEMS
from bayesift.experiments.online import in_time, measured


def documents(n, seed):
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 30, (n, 8))
    labels = [tuple(f"c{c}" for c in range(3) if c in row) or ("other",) for row in words.tolist()]
    texts = [" ".join(f"word{j}x" for j in row) for row in words.tolist()]
    return [Document(str(i), body=text, labels=own) for i, (text, own) in enumerate(zip(texts, labels))]


def test_every_way_to_learn_has_its_figures():
    found = measured(documents(150, 0), documents(80, 1), 0)
    assert set(found) == set(SYSTEMS)
    for name, figures in found.items():
        assert list(figures) == [line.metric for line in METRICS]
        assert figures["micro_f1"] > (60 if "SGD" not in name else 20)
    assert len(LAYOUTS["online"]) == 3


def test_the_order_is_that_of_dates_or_random():
    some = documents(5, 0)
    assert in_time(some, 0) != some
    assert sorted(d.id for d in in_time(some, 0)) == [d.id for d in some]
    dated = [Document(str(i), body="x", labels=("a",), date=f"1987-0{9 - i}-01") for i in range(5)]
    assert [d.id for d in in_time(dated, 0)] == ["4", "3", "2", "1", "0"]
