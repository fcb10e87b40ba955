"""A filter with an encoder beside the words: what it finds, and that it goes on exactly as it was."""

import json

import numpy as np
import pytest
from tests.unit.filtering.texts import SUBJECTS, Subjects, made, run, saved, stream

from bayesift import Document, TextFilter
from bayesift.errors import BadInput, NotFound
from bayesift.filtering import Row
from bayesift.filtering.store import Workspace
from bayesift.filtering.stream_terms import DIGITS, MEANING, StreamTerms, beside
from bayesift.model_file import read_model, write_model
from bayesift.text.meaning import minilm, sources
from bayesift.text.meaning.encoder import width_of


class Broken(Subjects):
    """An encoder that fails on texts with a word."""

    def __init__(self, word=""):
        super().__init__()
        self.word = word

    def encode(self, texts):
        found = super().encode(texts)
        found[[self.word in text for text in texts]] = np.nan
        return found


@pytest.fixture
def fake(monkeypatch):
    """MiniLM by its name, without its weights."""
    encoder = Subjects(384)
    sources.encoder_of.cache_clear()
    monkeypatch.setattr(minilm, "MiniLM", lambda folder: encoder)
    yield encoder
    sources.encoder_of.cache_clear()


def test_the_vector_stands_before_the_words_with_its_own_length():
    terms = StreamTerms(encoder=Subjects())
    row = terms.learn("wheat and corn rose")
    assert row.columns.tolist() == list(range(7))
    assert row.weights[:4] @ row.weights[:4] == pytest.approx(MEANING, abs=10.0**-DIGITS)
    assert row.weights[4:] @ row.weights[4:] == pytest.approx(1.0)
    assert terms.names(row.columns[4:]) == ["wheat", "corn", "rose"]
    assert set(terms.written(row)) == {"wheat", "corn", "rose"}
    assert beside(Row.of({0: 1.0}), np.zeros(3)).columns.tolist() == [3]
    assert terms.row("oilfield").columns.tolist() == [0, 1, 2, 3]  # a word that never occurred


def test_documents_in_other_words_are_found():
    documents = stream(200)
    news = [Document(f"new{i}", body=f"{' '.join(SUBJECTS[s][7:])} now") for i, s in enumerate(sorted(SUBJECTS))]
    found = []
    for meaning in ("corpus", Subjects()):
        f = TextFilter(meaning=meaning)
        f.add_topic("grain", about="wheat corn barley")
        list(f.process([d for d in documents if not set(SUBJECTS["grain"][7:]) & set(d.body.strip(".").split())]))
        found.append([f.explain("grain", d).probability for d in news])
    (without, *_), (beside_it, *others) = found
    assert beside_it > without
    assert beside_it > max(others)


def test_only_words_are_shown():
    f = made(meaning=Subjects())
    items = run(f, stream())
    assert items
    for item in items:
        assert {word for word, _ in item.why} <= {word.strip(".") for word in item.shown.document.body.split()}
    assert all(f.topic("grain").profile.strongest(20)[0] >= 4)
    words = {word for word, *_ in f.topic_words("grain")}
    assert {"wheat", "corn"} <= words <= {word for d in stream() for word in d.body.strip(".").split()} | {"crops"}


def test_saved_and_loaded_it_goes_on_to_the_byte(tmp_path):
    f, documents = made(meaning=Subjects()), stream(120)
    run(f, documents[:60])
    f.save(tmp_path / "f")
    again = TextFilter.load(tmp_path / "f", encoder=Subjects())
    for one in (f, again):
        run(one, documents[60:])
        one.undo()
    assert saved(f, tmp_path, "a") == saved(again, tmp_path, "b")


def test_batches_and_replay_give_the_same_bytes(tmp_path):
    log, documents = [], stream(90)
    f, g = made(log, meaning=Subjects()), made(meaning=Subjects())
    for one in (f, g):
        one.add_topic("oil", about="crude oil and refineries", examples=[documents[3].body])
    items = [(item.about, item.probability) for item in f.process(documents)]
    assert items == [(item.about, item.probability) for item in g.process_batch(documents)]
    assert saved(f, tmp_path, "f") == saved(g, tmp_path, "g")
    f.judge(*items[0][0], relevant=False)
    f.change(*items[0][0], relevant=True)
    h = TextFilter(meaning=Subjects()).replay(log, {d.id: d for d in documents})
    assert saved(f, tmp_path, "f") == saved(h, tmp_path, "h")


def test_a_withdrawn_answer_leaves_no_trace():
    f = made(meaning=Subjects())
    items = list(f.process(stream(80)))
    before = f.topic("grain").profile.arrays()
    f.judge(*items[0].about, relevant=False)
    f.withdraw(*items[0].about)
    now = f.topic("grain").profile.arrays()
    assert all(now[key].tobytes() == before[key].tobytes() for key in before)


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (None, "the encoder is missing; give an object with encode"),
        (Subjects(5), "vectors of 5 numbers, before they had 4; give the encoder that the filter was made with"),
        (object(), r"f: encoder is <object.*>; give an object with encode\(texts\)"),
        ("minilm", r"f: encoder is 'minilm'; give an object with encode\(texts\)"),
    ],
)
def test_a_file_wants_its_encoder(tmp_path, encoder, message):
    made(meaning=Subjects()).save(tmp_path / "f")
    with pytest.raises(BadInput, match=message):
        TextFilter.load(tmp_path / "f", encoder=encoder)


@pytest.mark.parametrize(("part", "value"), [("settings", None), ("stream", None), ("settings", {"meaning": ["a"]})])
def test_an_altered_file_does_not_fit_together(tmp_path, part, value):
    made(meaning=Subjects()).save(tmp_path / "f")
    state = read_model(tmp_path / "f", {}, kind="TextFilter").model
    altered = {**state, part: value} if value else {name: each for name, each in state.items() if name != part}
    write_model(tmp_path / "f", altered, {}, kind="TextFilter", labels=[], training={})
    with pytest.raises(BadInput, match="f: does not fit together"):
        TextFilter.load(tmp_path / "f", encoder=Subjects())


@pytest.mark.parametrize("width", [0, -3, True, "4", None])
def test_a_width_that_is_none_is_found_out(width):
    encoder = Subjects()
    encoder.encode, encoder.width = lambda texts: np.ones((len(texts), 3)), width
    assert width_of(encoder) == 3


def test_a_text_is_encoded_once_for_all_topics():
    encoder = Subjects()
    f = TextFilter(meaning=encoder)
    for name in ("grain", "metal", "money"):
        f.add_topic(name, about="wheat corn barley")
    encoder.read.clear()
    assert len(f.score(None, ["corn rose", "wheat fell"])) == 6
    assert encoder.read == ["corn rose", "wheat fell"]


def test_a_filter_without_an_encoder_takes_none(tmp_path):
    made().save(tmp_path / "f")
    with pytest.raises(BadInput, match="has no encoder; load it without one"):
        TextFilter.load(tmp_path / "f", encoder=Subjects())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"meaning": "word2vec"}, "meaning"),
        ({"meaning": 7}, "no method encode"),
        ({"meaning": "encoder"}, "the encoder is missing; give an object"),
        ({"meaning": "auto"}, "auto"),
        ({"meaning": Subjects(), "learner": "diagonal-perceptron", "strategy": "ig"}, "is for the learner gp"),
    ],
)
def test_settings_that_do_not_go_together(settings, message):
    with pytest.raises(BadInput, match=message):
        TextFilter(**settings)


def test_missing_weights_are_said_before_anything_is_made(tmp_path):
    with pytest.raises((NotFound, BadInput)):
        TextFilter(meaning=f"minilm={tmp_path}")
    with pytest.raises((NotFound, BadInput)):
        Workspace.create(tmp_path / "news.db", meaning=f"minilm={tmp_path}")
    with pytest.raises(BadInput, match="a workspace cannot hold an encoder; name one, such as minilm"):
        Workspace.create(tmp_path / "news.db", meaning=Subjects())
    assert not list(tmp_path.iterdir())


def test_an_encoder_that_fails_changes_nothing(tmp_path):
    f = made(meaning=Subjects())
    run(f, stream(40))
    before = saved(f, tmp_path)
    f._state.terms._encoder = Broken()
    with pytest.raises(BadInput, match="nan or inf"):
        list(f.process({"id": "n", "text": "wheat rose"}))
    with pytest.raises(BadInput, match="nan or inf"):
        f.add_topic("oil", about="crude oil", words={"opec": (1.0, 0.5)})
    with pytest.raises(BadInput, match="nan or inf"):
        f.judge("grain", "elsewhere", True, text="wheat")
    f._state.terms._encoder = Broken("barrels")
    with pytest.raises(BadInput, match="nan or inf"):
        f.add_topic("oil", about="crude oil", examples=["tankers at sea", "barrels of oil"])
    assert saved(f, tmp_path) == before


def test_an_exported_topic_keeps_the_words_of_its_judgements():
    f = made(meaning=Subjects())
    run(f, stream(60))
    g = TextFilter(meaning=Subjects())
    g.add_topic("grain", exported=json.loads(json.dumps(f.export_topic("grain"))))
    assert len(g.topic("grain").surviving) == len(f.topic("grain").surviving)
    assert all((event.row.columns >= 4).all() for event in g.topic("grain").surviving)
    assert g.explain("grain", "wheat and corn").probability > g.explain("grain", "bank bond yield").probability


def test_a_workspace_names_its_encoder(tmp_path, fake):
    documents = stream(100)
    with Workspace.create(tmp_path / "news.db", meaning="minilm") as news:
        news.add_topic("grain", about="wheat and corn harvests")
        items = list(news.process(documents[:50]))
        news.judge(*items[0].about, relevant=True)
        news.add_documents(documents[50:])
        items += news.work(once=True)
    with Workspace.open(tmp_path / "news.db") as news:
        assert news.filter.settings.meaning == "minilm"
        assert [item.document for item in news.inbox("grain")] != []
        news.undo("grain")
    f = TextFilter(meaning="minilm")
    f.add_topic("grain", about="wheat and corn harvests")
    assert {item.document for item in f.process_batch(documents[:50])} <= {item.document for item in items}


def test_the_encoder_reads_before_the_database_is_locked(tmp_path, fake, monkeypatch):
    with Workspace.create(tmp_path / "news.db", meaning="minilm") as news:
        news.add_topic("grain", about="wheat and corn harvests")
        held, changing = [], news._groups.changing
        monkeypatch.setattr(news._groups, "changing", lambda *a, **k: held.append(len(fake.read)) or changing(*a, **k))
        before = len(fake.read)
        list(news.process(stream(20)))
        assert held[0] == before + 20
