"""A saved filter goes on as if it had never stopped, and a log gives the same filter, to the byte."""

import numpy as np
import pytest
from tests.unit.filtering.texts import made, run, saved, stream

from bayesift import TextFilter
from bayesift.errors import BadInput, NotFound
from bayesift.filtering import load_filter, read_log, write_log
from bayesift.filtering.topic import MOST_BYTES

DOCUMENTS = stream(120)
BY_ID = {d.id: d for d in DOCUMENTS}


def first_half(f):
    items = run(f, DOCUMENTS[:30])
    f.add_topic("oil", about="crude oil", examples=["barrels of crude from opec"], words={"tanker": (2.0, 1.0)})
    items += run(f, DOCUMENTS[30:60])
    f.withdraw(*items[0].about)
    f.change(*items[1].about, False)
    f.judge("grain", "found", True, text="silos of sorghum")
    f.undo()
    return items


def second_half(f):
    items = [f.undo().document]
    items += run(f, DOCUMENTS[60:])
    f.rename_topic("oil", "crude")
    f.edit_words("grain", {"drought": (1.0, 0.5)})
    return items, f.inbox("grain"), f.inbox("crude"), f.undo().words


def test_a_saved_filter_goes_on_to_the_byte(tmp_path):
    one, two = made(), made()
    first_half(one)
    first_half(two)
    assert saved(one, tmp_path, "a") == saved(two, tmp_path, "b")
    two = TextFilter.load(tmp_path / "b")
    assert saved(two, tmp_path, "c") == saved(one, tmp_path, "a")
    assert second_half(one) == second_half(two)
    assert saved(one, tmp_path, "a") == saved(two, tmp_path, "b")


def test_a_replayed_log_is_the_same_filter_to_the_byte(tmp_path):
    f = made(log := [])
    first_half(f)
    second_half(f)
    write_log(tmp_path / "events.jsonl.gz", log)
    known = BY_ID | {"found": f.documents["found"]}
    events = list(read_log(tmp_path / "events.jsonl.gz"))
    assert saved(TextFilter().replay(events, known), tmp_path, "b") == saved(f, tmp_path, "a")


@pytest.mark.parametrize("missing", ["d7", "found"])
def test_a_replay_without_a_document_names_it(missing):
    f = made(log := [])
    first_half(f)
    known = BY_ID | {"found": f.documents["found"]}
    del known[missing]
    with pytest.raises(BadInput, match=f"no text of document '{missing}'; .* texts were given to judge"):
        TextFilter().replay(log, known)


def test_a_log_replays_from_a_checkpoint(tmp_path):
    f = made(log := [])
    first_half(f)
    taken, state = len(log), f.state()
    second_half(f)
    other = TextFilter.from_state(state, log=[]).replay(log[taken:], BY_ID)
    assert saved(other, tmp_path, "b") == saved(f, tmp_path, "a")
    assert other.log == []


def test_events_that_do_not_fit_are_errors(tmp_path):
    f = made(log := [])
    run(f, DOCUMENTS[:20])
    shown = next(event for event in log if type(event).__name__ == "Shown")
    other = TextFilter()
    with pytest.raises(BadInput, match="no text of document 'd0'"):
        other.apply(next(event for event in log if type(event).__name__ == "Received"))
    other.add_topic("grain", about="wheat")
    with pytest.raises(BadInput, match="was shown but not received"):
        other.apply(shown)
    answer = next(event for event in log if type(event).__name__ == "Judged")
    with pytest.raises(BadInput, match="has words that the documents before do not have; documents are missing"):
        other.apply(answer)


def test_files_of_another_kind_and_damaged_ones_are_errors(tmp_path):
    f = made()
    f.save(tmp_path / "f")
    with pytest.raises(BadInput, match=r"holds a TextFilter, not a Filter; TextFilter\.load reads it"):
        load_filter(tmp_path / "f")
    data = bytearray((tmp_path / "f").read_bytes())
    data[-3] ^= 1
    (tmp_path / "g").write_bytes(data)
    with pytest.raises(BadInput, match="altered"):
        TextFilter.load(tmp_path / "g")
    with pytest.raises(NotFound, match=r"no such model file; give a file of TextFilter\.save"):
        TextFilter.load(tmp_path / "none")


def test_a_store_keeps_the_documents(tmp_path):
    class Shelf(dict):
        def keep(self, document):
            self[document.id] = document

        def show(self, id):
            assert id in self

    shelf = Shelf()
    f = TextFilter(documents=shelf)
    f.add_topic("grain", about="wheat harvest")
    run(f, DOCUMENTS)
    assert list(shelf) == [d.id for d in DOCUMENTS]
    state = f.state()
    assert state["documents"] is None
    again = TextFilter.from_state(state, documents=shelf)
    assert again.explain("grain", "d3") == f.explain("grain", "d3")


def size(value):
    if isinstance(value, dict):
        return sum(map(size, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(size, value))
    return value.nbytes if isinstance(value, np.ndarray) else len(str(value))


def test_memory_does_not_grow_with_the_stream():
    def shapes(f):
        state = f.state()
        return {name: size(state[name]) for name in ("stream", "documents", "undo")} | {"ids": state["ids"].size}

    from bayesift.filtering.kept_documents import KeptDocuments

    f = TextFilter(strategy="none", documents=None)
    f._state.documents = KeptDocuments(last=50, shown=20)
    f._state.ids._most = 200
    f._state.stream.background.size = 40
    f._state.stream.most_waiting = 30
    f.add_topic("grain", about="wheat corn barley harvest crops")
    f.topic("grain").most_waiting = 30
    list(f.process(stream(400, seed=1)))
    early = shapes(f)
    more = [d for n in range(4) for d in stream(400, seed=2 + n)]
    list(f.process({"id": f"m{i}", "text": d.body} for i, d in enumerate(more)))
    late = shapes(f)
    assert f.n_documents == 2000
    assert late["ids"] == early["ids"] == 200
    assert late["documents"] < 1.1 * early["documents"]
    assert late["stream"] < 1.1 * early["stream"]
    assert len(f.topic("grain").waiting) <= 30


def test_checkpoints_of_a_large_topic_are_bounded():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("bcdfgklmnprst"), 6)) for _ in range(600)]
    f = TextFilter(learner="perceptron", strategy="ig")
    f.add_topic("t", about=" ".join(words[:300]))
    for i in range(200):
        f.judge("t", f"d{i}", i % 2 == 0, text=" ".join(rng.choice(words, 40)))
    topic = f.topic("t")
    held = [sum(array.nbytes for array in arrays.values()) for _, arrays in topic.checkpoints]
    assert len(held) > 1
    assert sum(held) <= MOST_BYTES == 2_000_000
