"""Days of a stream: their documents, and what was shown on them."""

from collections import Counter

import numpy as np

from bayesift import TextFilter


def test_two_sources_far_apart_keep_the_number_of_documents_per_day(tmp_path):
    """A live source and an archive take turns; each day has its limit, also after saving and loading."""
    f = TextFilter(per_day=3, balance=0.9)
    f.add_topic("grain", about="wheat and corn")
    shown = Counter()
    for i in range(120):
        date = "2026-06-01" if i // 10 % 2 else "2026-01-01"
        shown.update(item.date for item in f.process({"id": str(i), "text": f"wheat and corn, {i}x", "date": date}))
        if i % 25 == 0:
            before = f.state()
            f.save(tmp_path / "f")
            f = TextFilter.load(tmp_path / "f")
            f.save(tmp_path / "again")
            assert (tmp_path / "again").read_bytes() == (tmp_path / "f").read_bytes()
            assert f.state().keys() == before.keys()
    assert 0 < sum(shown.values()) <= 6
    f.remove_topic("grain")
    f.add_topic("grain", about="wheat and corn")
    list(f.process({"id": "next", "text": "wheat", "date": "2026-06-02"}))
    bars = f._state.stream.decisions.bars
    assert (bars.days, bars.before, bars.now) == (2, 120, 1)


def test_a_document_of_today_does_not_stand_for_an_archive_after_it():
    f = TextFilter(per_day=3, balance=0.9)
    f.add_topic("grain", about="wheat and corn")
    list(f.process({"id": "first", "text": "a first test", "date": "2026-01-20"}))
    shown = Counter()
    other = ["silo", "rain", "field", "price", "ship", "port", "tonne", "export"]
    words = np.random.default_rng(0).choice(other, (1000, 10))
    for i in range(1000):
        text = " ".join(["wheat corn" if i % 4 == 0 else "oil gas", *words[i]])
        date = f"2026-01-{2 + i // 100:02d}"
        for item in f.process({"id": str(i), "text": text, "date": date}):
            shown[item.date] += 1
            f.judge("grain", item.document, i % 4 == 0)
    assert [shown[f"2026-01-{day:02d}"] for day in range(3, 12)] == [3] * 9
    assert shown["2026-01-02"] <= 6  # those of the day before the filter knew
    list(f.process({"id": "next", "text": "wheat", "date": "2026-01-20"}))
    bars = f._state.stream.decisions.bars
    assert bars.day == "2026-01-20"
    assert bars.now == 51  # the day goes on
