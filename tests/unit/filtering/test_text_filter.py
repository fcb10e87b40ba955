"""TextFilter: texts in, items out, judgements that come when they come."""

import msgspec
import numpy as np
import pandas as pd
import pytest
from tests.unit.filtering.texts import FullLog, Subjects, made, run, saved, stream

from bayesift import Document, TextFilter
from bayesift.errors import BadInput
from bayesift.filtering import read_log, write_log
from bayesift.filtering.events import Judged, Received, Shown
from bayesift.filtering.incoming import documents_of
from bayesift.filtering.store.documents import incoming

DOCUMENTS = stream()


def test_the_example_of_the_issue(tmp_path):
    first = Document("doc1", body="The wheat harvest was late, crops suffered.")
    f = TextFilter(per_day=20)
    f.add_topic(
        "harvest", about="wheat and corn harvests, crop forecasts", examples=[first], words={"drought": (1.0, 0.5)}
    )
    items = list(f.process(DOCUMENTS))
    assert {item.kind for item in items} <= {"delivered", "asked"}
    assert items
    for item in items:
        low, high = item.interval
        assert 0.0 <= low <= item.probability <= high <= 1.0
        text = next(d.body for d in DOCUMENTS if d.id == item.document)
        assert item.why
        assert all(word in text for word, _ in item.why)
    document = items[0].document
    f.judge("harvest", document, relevant=True)
    assert f.undo().document == document
    assert f.topic("harvest").answer(document) is None
    f.save(tmp_path / "news.filter")
    again = TextFilter.load(tmp_path / "news.filter")
    assert list(again.process("wheat crops")) == list(f.process("wheat crops"))


def test_documents_of_every_kind_come_in():
    f = made()
    text = "wheat harvest and corn crops"
    ways = [text, Document("a", body=text), {"id": 7, "text": text}, {"title": "Wheat", "body": text}]
    shown = [item.document for item in f.process(iter(ways))]
    assert shown[1:3] == ["a", "7"]
    assert shown[0].startswith("text-")
    assert len(set(shown)) == 4
    assert [item.document for item in f.process({"id": "one", "text": text})] == ["one"]


def test_the_same_id_twice_is_one_document():
    f, g = made(), made()
    run(f, [*DOCUMENTS, *DOCUMENTS[::-1]])
    run(g, DOCUMENTS)
    assert f.n_documents == g.n_documents == len(DOCUMENTS)
    assert f.topic("grain").profile.counters == g.topic("grain").profile.counters
    text = "corn and wheat"
    assert len(list(f.process([text, text]))) == 1


def test_documents_without_text_and_out_of_order_are_reported():
    f = made()
    f.add_topic("oil", about="crude oil")
    given = [{"id": "a", "text": "Wheat.", "date": "2025-03-02"}, {"id": "b", "text": ""},
             {"id": "c", "text": "Corn crops", "date": "2025-03-01"}, {"id": "d", "text": "the of and"}]  # fmt: skip
    items = list(f.process(given))
    assert [item.document for item in items if item.topic == "grain"] == ["a", "c"]
    assert f.n_documents == 4
    assert [problem.split(", or")[0] for problem in f.problems] == [
        "document 'b' has no text",
        "document 'c' of 2025-03-01 comes after one of 2025-03-02",
        "document 'd' has no text",
    ]
    assert f.n_problems == 3
    assert f.problem_kinds == {
        "without words that count": (2, "document 'd' has no text, or no word that counts"),
        "out of date order": (1, "document 'c' of 2025-03-01 comes after one of 2025-03-02"),
    }


def test_ids_are_texts_or_numbers():
    f = made()
    given = [{"id": 7.0, "text": "corn"}, {"id": 7, "text": "wheat"}, {"id": float("nan"), "text": "corn crops"},
             {"id": float("nan"), "text": "wheat crops"}]  # fmt: skip
    assert [item.document[:5] for item in f.process(given)] == ["7", "text-", "text-"]
    for id in (True, ["a"], {"a": 1}):
        with pytest.raises(BadInput, match="the id of a document is"):
            list(f.process({"id": id, "text": "corn"}))


IDS = [7, 7.0, np.int64(7), np.float32(7.0), 2.5, "a\0b", "a\ud800"]


@pytest.mark.parametrize("id", IDS, ids=repr)
def test_a_document_is_judged_by_the_id_that_it_was_given(id):
    f = made()
    list(f.process({"id": id, "text": "corn crops"}))
    f.judge("grain", id, True)
    f.change("grain", id, False)
    f.withdraw("grain", id)
    assert f.judge_all([("grain", id, True)]) == []
    f.judge("grain", 1, True, text="wheat")
    assert f.topic("grain").answer("1") is True


def rows():
    """Return a data frame with missing cells."""
    dates = [pd.Timestamp("2026-01-02"), pd.NaT, pd.Timestamp("2026-01-03")]
    frame = {"id": [1, 2, 3], "title": ["wheat", None, np.nan], "text": ["wheat harvest", "corn crops", pd.NA]}
    return pd.DataFrame(frame | {"date": dates, "source": ["a", None, "b"]})


@pytest.mark.parametrize(
    "one_by_one",
    [
        lambda frame: (row for _, row in frame.iterrows()),
        lambda frame: frame.itertuples(),
        lambda frame: frame.itertuples(index=False),
        lambda frame: frame.to_dict("records"),
    ],
    ids=["iterrows", "itertuples", "without index", "records"],
)
def test_rows_of_a_table_are_taken_one_by_one(one_by_one):
    whole = list(documents_of(rows()))
    assert [(d.id, d.title, d.body, d.date) for d in whole] == [
        ("1", "wheat", "wheat harvest", "2026-01-02T00:00:00"), ("2", "", "corn crops", None),
        ("3", "", "", "2026-01-03T00:00:00"),
    ]  # fmt: skip
    assert list(documents_of(one_by_one(rows()))) == whole
    assert [next(documents_of(row)) for row in one_by_one(rows())] == whole
    assert [new.source for new in incoming(one_by_one(rows()), "feed")] == ["a", "feed", "b"]


def test_a_series_of_texts_is_many_documents():
    assert [d.body for d in documents_of(rows()["text"][:2])] == ["wheat harvest", "corn crops"]


def test_a_day_and_a_time_of_that_day_are_in_order():
    f = made()
    for date in ("2025-03-18T09:00:00+00:00", "2025-03-18", "2025-03-18T11:00:00+02:00", "2025-03"):
        list(f.process({"text": f"corn of {date}", "date": date}))
    assert f.problems == []
    list(f.process({"id": "late", "text": "corn", "date": "2025-03-17T23:00:00+00:00"}))
    assert f.n_problems == 1


def test_dates_in_other_forms_of_iso_8601_are_of_their_day():
    f = made(per_day=1, balance=1.0)
    dates = ["2026-01-05", "20260105", "20260105T0900", "2026-W02-1", "2026W021T10", "2026-01-05T11:00:00"]
    assert len(f.process_batch([{"text": f"wheat and corn, {date}", "date": date} for date in dates])) == 1
    assert f.problems == []
    assert [f.documents[id].date for id in f.topic("grain").waiting] == ["2026-01-05"]
    assert f.process_batch({"text": "wheat and corn on Tuesday", "date": "2026W022"})[0].date == "2026-01-06"
    assert f.process_batch({"id": "late", "text": "wheat", "date": "20260105"}) == []
    assert f.problems == ["document 'late' of 2026-01-05 comes after one of 2026-01-06"]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (7, "documents is a int"),
        ([7], "a document is a int"),
        (b"text", "a document is a bytes"),
        ({"id": "a", "content": "corn"}, "a document has the fields id, content"),
        (Document("x", body="corn", date="soon"), "invalid date 'soon' of document 'x'"),
        ({"text": 7}, "'text' of document None is 7"),
        ({"id": "x", "text": "a", "date": "yesterday"}, "invalid date 'yesterday' of document 'x'"),
    ],
)
def test_what_is_not_a_document_is_an_error(document, reason):
    with pytest.raises(BadInput, match=reason):
        list(made().process(document))


def test_characters_that_no_file_can_hold_are_replaced(tmp_path):
    f = TextFilter(log=(log := []))
    f.add_topic("Ernte", about="Weizen \ud800 und Mais", words={"Korn\ud800": (1.0, 1.0)})
    list(f.process(["Weizen \ud800 Mais \x00", {"id": "a\ud800", "text": "Mais"}]))
    assert saved(TextFilter.from_state(f.state()), tmp_path, "a") == saved(f, tmp_path, "b")
    write_log(tmp_path / "log", log)
    assert "\N{REPLACEMENT CHARACTER}" in next(iter(read_log(tmp_path / "log"))).about


def test_a_long_name_of_an_earlier_version_is_read(tmp_path):
    made(log := [])
    long = "w" * 1000
    TextFilter().replay([msgspec.structs.replace(log[0], topic=long)], {}).save(tmp_path / "filter")
    f = TextFilter.load(tmp_path / "filter")
    assert f.topics == [long]
    f.rename_topic(long, "w" * 200)
    assert f.topics == ["w" * 200]


def test_answers_that_do_not_fit_change_nothing(tmp_path):
    f = made(log := [])
    items = run(f, DOCUMENTS[:30])
    before, events = saved(f, tmp_path), len(log)
    not_finite = f.export_topic("grain")
    not_finite["judgements"][0]["words"] = {"corn": float("nan")}
    answered, document = items[0].document, f.topic("grain").answer(items[0].document)
    wrong = [
        (lambda: f.judge("corn", answered, True), "no topic 'corn'; topics are: grain"),
        (lambda: f.judge("grain", "nothing", True), "document 'nothing' is unknown"),
        (lambda: f.judge("grain", answered, document), "duplicate judgement"),
        (lambda: f.judge("grain", answered, not document), "contradicts the earlier judgement"),
        (lambda: f.judge("grain", "new", "yes", text="wheat"), "'yes' is not a boolean"),
        (lambda: f.judge("grain", "new", True, text="the and of"), "document 'new' has no words that count"),
        (lambda: f.change("grain", "nothing", True), "no judgement to change"),
        (lambda: f.withdraw("grain", "nothing"), "no judgement to change or withdraw"),
        (lambda: f.add_topic("grain", about="corn"), "topic 'grain' already exists"),
        (lambda: f.add_topic("stop", about="the and of"), "only stop words"),
        (lambda: f.add_topic("nothing"), "nothing to start from"),
        (lambda: f.add_topic("", about="corn"), "not a name"),
        (lambda: f.add_topic("w" * 201, about="corn"), "has 201 characters; choose one of at most 200"),
        (lambda: f.rename_topic("grain", "w" * 201), "has 201 characters; choose one of at most 200"),
        (lambda: f.add_topic("e", examples=["...", "corn"]), "has no words"),
        (lambda: f.add_topic("w", words={"corn": (1.0, 0.5), "the": (1.0, 1.0)}), "invalid word 'the'"),
        (lambda: f.add_topic("w", words={"crop": (1, 1), "crops": (1, 1)}), "same term"),
        (lambda: f.add_topic("w", words={"crop": 1.0}), "not a pair"),
        (lambda: f.add_topic("w", words=["crop"]), "words is not a mapping"),
        (lambda: f.add_topic("w", words={7: (1.0, 1.0)}), "words is not a mapping"),
        (lambda: f.add_topic("w", words={"crop": (1e300, 1.0)}), "usual weights"),
        (lambda: f.add_topic("w", words={"corn": (1.0, 1.0), "crop": 2.0}), "weight of 'crop' is not a pair"),
        (lambda: f.add_topic("w", about=7), "statement of topic 'w' is 7"),
        (lambda: f.add_topic("w\ud800", about="corn"), "no file can hold"),
        (lambda: f.add_topic("w", exported=not_finite), "weight that is not finite"),
        (lambda: f.judge("grain", None, True, text="corn"), "None is not the id"),
        (lambda: f.judge("grain", "new", True, text="corn", source="found"), "unknown source 'found'"),
        (lambda: f.edit_words("grain", None), "words is not a mapping"),
        (lambda: f.edit_words("grain", {"caf&eacute;s": (1.0, 1.0)}), "invalid term"),
        (lambda: f.add_topic("w", words={"emu": (1.0, 1.0), "ce\u2e9f": (1.0, 1.0)}), "invalid term"),
        (lambda: f.inbox("grain", -1), "limit is -1"),
        (lambda: f.inbox("grain", "x"), "the limit is 'x'; give a whole number from 0"),
        (lambda: f.ranking("grain", limit=2.5), "the limit is 2.5"),
        (lambda: f.topic_words("grain", "x"), "max_terms is 'x'; give a whole number from 0"),
        (lambda: f.judge_all(None), "answers is a NoneType; give an iterable of"),
        (lambda: f.judge_all("grain"), "answers is a str"),
        (lambda: TextFilter(log="x"), "the log is 'x'; give a list, or an object with append"),
        (lambda: TextFilter.from_state(f.state(), log=tmp_path), "the log is"),
        (lambda: TextFilter.load(tmp_path / "f", log="x"), "the log is 'x'"),
        (lambda: f.add_topic("w", words={"crop": (1.0, 0.0)}), "scales positive"),
        (lambda: f.add_topic("w", exported={"format": "other"}), "not an exported topic"),
        (lambda: f.add_topic("w", label="oil"), "label is not a pair"),
        (lambda: f.rename_topic("grain", "grain"), "already exists"),
        (lambda: f.rename_topic("oil", "x"), "no topic 'oil'"),
        (lambda: f.rename_topic("grain", " "), "not a name"),
        (lambda: f.pause_topic("oil"), "no topic 'oil'"),
        (lambda: f.remove_topic("oil"), "no topic 'oil'"),
        (lambda: f.edit_words("oil", {}), "no topic 'oil'"),
        (lambda: f.inbox("oil"), "no topic 'oil'"),
        (lambda: f.explain("oil", "x"), "no topic 'oil'"),
        (lambda: f.export_topic("oil"), "no topic 'oil'"),
    ]
    for call, reason in wrong:
        with pytest.raises(BadInput, match=reason):
            call()
    assert saved(f, tmp_path) == before
    assert len(log) == events


def test_answers_come_later_in_a_batch_or_never():
    f = made(strategy="rel+ig")  # which shows many
    items = list(f.process(DOCUMENTS))
    truth = {d.id: "grain" in d.labels for d in DOCUMENTS}
    answers = [(*item.about, truth[item.document]) for item in items[:6]]
    wrong = f.judge_all([*answers[:3], ("grain", "nothing", True), *answers[3:]])
    assert [reason.split(",")[0] for reason in wrong] == ["document 'nothing' is unknown"]
    assert len(f.topic("grain").surviving) == 6
    waiting = f.inbox("grain")
    assert {item.document for item in waiting} == {item.document for item in items[6:]}
    assert [item.probability for item in waiting] == sorted((i.probability for i in waiting), reverse=True)
    assert f.inbox("grain", 2) == f.inbox("grain", np.int64(2)) == waiting[:2]
    assert f.ranking("grain", limit=2) == f.ranking("grain")[:2]
    assert len(f.topic_words("grain", np.int64(3))) == 3
    assert f.inbox("grain", 0) == f.topic_words("grain", 0) == []


def test_answers_of_another_shape_are_named_and_the_others_are_taken():
    f = made()
    list(f.process({"id": "a", "text": "corn crops"}))
    wrong = f.judge_all([("grain",), "grain", ("grain", "a", True)])
    assert [text.split(";")[0] for text in wrong] == ["the answer ('grain',) has other parts",
                                                      "the answer 'grain' has other parts"]  # fmt: skip
    assert f.topic("grain").answer("a") is True


@pytest.mark.parametrize("said", [{"who": 5}, {"note": ["x"]}, {"time": 5}, {"time": "noon"}])
def test_a_log_takes_only_what_can_be_read_again(said, tmp_path):
    log = []
    f = TextFilter(log=log)
    f.add_topic("grain", about="corn and wheat")
    list(f.process({"id": "a", "text": "corn crops"}))
    before = saved(f, tmp_path)
    with pytest.raises(BadInput, match=next(iter(said))):
        f.judge("grain", "new", True, text="wheat crops", **said)
    with pytest.raises(BadInput, match=next(iter(said))):
        f.judge("grain", "a", True, **said)
    assert saved(f, tmp_path) == before
    f.judge("grain", "a", True, who="ad\ud800a")
    write_log(tmp_path / "log", log)
    assert [event.who for event in read_log(tmp_path / "log")][-1] == "ad\ufffd\ufffd\ufffda"


@pytest.mark.parametrize("strategy", [None, "rel+ig"])
def test_undo_goes_back_step_by_step(strategy):
    f = made(strategy=strategy)
    list(f.process(DOCUMENTS))
    items, states = DOCUMENTS, []
    steps = [
        lambda: f.judge("grain", items[0].id, True),
        lambda: f.judge("grain", items[1].id, False),
        lambda: f.change("grain", items[1].id, True),
        lambda: f.edit_words("grain", {"drought": (2.0, 0.5)}),
        lambda: f.judge("grain", items[2].id, True),
    ]
    for step in steps:
        states.append(f.topic("grain").profile.arrays())
        step()
    kinds = []
    for before in states[::-1]:
        kinds.append(type(f.undo()).__name__)
        now = f.topic("grain").profile.arrays()
        assert all(now[key].tobytes() == before[key].tobytes() for key in before)
    assert kinds == ["Judged", "WordsEdited", "Changed", "Judged", "Judged"]
    with pytest.raises(BadInput, match="nothing to undo"):
        f.undo()


def test_undo_of_a_topic_or_a_person_leaves_the_changes_of_others(tmp_path):
    f = made()
    f.add_topic("oil", about="crude oil")
    list(f.process(DOCUMENTS))
    a, b, c = (d.id for d in DOCUMENTS[:3])
    f.judge("grain", a, True, who="ada")
    f.judge("grain", b, False, who="bob")
    f.judge("oil", c, True, who="ada")
    f.save(tmp_path / "f")
    f = TextFilter.load(tmp_path / "f")  # who changed what is known after loading
    undone = f.undo("grain", by="ada", who="ada")
    assert (undone.topic, undone.document, undone.who) == ("grain", a, "ada")
    assert [f.topic("grain").answer(d) for d in (a, b)] == [None, False]
    with pytest.raises(BadInput, match="ada has nothing to undo in 'grain'"):
        f.undo("grain", by="ada")
    assert (f.undo("grain").document, f.undo().document) == (b, c)
    with pytest.raises(BadInput, match="no topic 'gas'"):
        f.undo("gas")


def test_a_change_that_somebody_else_has_changed_is_not_undone():
    f = made()
    list(f.process(DOCUMENTS))
    a = DOCUMENTS[0].id
    f.judge("grain", a, True, who="ada")
    f.change("grain", a, False, who="bob")
    with pytest.raises(BadInput, match=f"bob has changed '{a}' after"):
        f.undo(by="ada")
    f.edit_words("grain", {"drought": (2.0, 0.5)}, who="ada")
    f.edit_words("grain", {"flood": (2.0, 0.5)}, who="bob")
    with pytest.raises(BadInput, match="bob has changed the words after"):
        f.undo(by="ada")
    assert f.topic("grain").answer(a) is False


def test_undo_of_a_person_is_replayed():
    log = []
    f = made(log=log)
    list(f.process(DOCUMENTS))
    for d, who in zip(DOCUMENTS[:4], ("ada", "bob", "ada", "bob")):
        f.judge("grain", d.id, True, who=who)
    f.undo(by="ada")
    f.undo(by="ada")
    again = TextFilter(per_day=f.settings.per_day).replay(log, {d.id: d for d in DOCUMENTS})
    assert [again.topic("grain").answer(d.id) for d in DOCUMENTS[:4]] == [None, True, None, True]
    assert again.undo().document == f.undo().document == DOCUMENTS[3].id


def test_a_withdrawn_document_can_be_judged_again():
    f = made()
    document = next(iter(f.process(DOCUMENTS))).document
    f.judge("grain", document, False)
    f.withdraw("grain", document)
    assert document in [item.document for item in f.inbox("grain")]
    f.judge("grain", document, True)
    assert f.topic("grain").answer(document) is True
    f.withdraw("grain", document)
    assert type(f.undo()).__name__ == "Withdrawn"
    assert f.topic("grain").answer(document) is True


def test_documents_found_by_search_are_judged():
    f = made(log := [])
    list(f.process(DOCUMENTS))
    f.judge("grain", "found", True, text="Sorghum and barley on silos", who="ann", note="in the library")
    f.judge("grain", "other", False, text={"title": "Oil", "body": "tankers"}, source="imported")
    passed = next(d.id for d in DOCUMENTS if not f.topic("grain").was_shown(d.id))
    f.judge("grain", passed, False)
    received, first, _, second, third = log[-5:]
    assert isinstance(received, Received)
    assert (received.document, received.source) == ("found", "searched")
    assert (first.source, first.who, first.note, first.relevant) == ("searched", "ann", "in the library", True)
    assert 0.0 < first.probability < 1.0
    assert (second.source, third.source) == ("imported", "searched")
    assert f.n_documents == len(DOCUMENTS)
    list(f.process({"id": "found", "text": "wheat harvest"}))
    assert f.n_documents == len(DOCUMENTS)  # known already


def test_every_event_carries_its_provenance():
    f = made(log := [])
    items = run(f, DOCUMENTS)
    f.change(*items[0].about, False, who="bob", note="misread", time="2025-03-09T10:00:00")
    assert (log[-1].who, log[-1].note, log[-1].time) == ("bob", "misread", "2025-03-09T10:00:00")
    assert all(event.time for event in log)
    shown = [event for event in log if isinstance(event, Shown)]
    answers = [event for event in log if isinstance(event, Judged)]
    assert len(shown) == len(answers) == len(items)
    for event, answer, item in zip(shown, answers, items):
        assert event.source == answer.source == item.source
        assert event.probability == answer.probability == item.probability
        assert event.gain == answer.gain == item.gain
        assert event.version == answer.version
    assert [event.version for event in shown] == sorted(event.version for event in shown)
    assert f.topic("grain").version == len(answers) + 1


def test_explain_names_words_as_they_are_written():
    f = made()
    run(f, DOCUMENTS)
    item = f.explain("grain", "HARVESTS of Wheats and tankers")
    assert item.kind == "passed"
    assert {"HARVESTS", "Wheats"} <= {word for word, _ in item.why}
    waiting = next(iter(f.process({"id": "w", "title": "Wheat", "text": "harvest crops"})))
    again = f.explain("grain", "w")
    assert (again.kind, again.source, again.title) == (waiting.kind, waiting.source, waiting.title)
    assert again.probability == pytest.approx(waiting.probability)
    assert waiting.title == "Wheat"


def test_items_show_themselves():
    document = {"id": "d\x1b", "title": "Wheat & <b>corn", "text": "crops", "date": "2025-03-01"}
    (item,) = made().process(document)
    assert str(item).startswith(r"delivered: topic grain, document d\x1b, 'Wheat & <b>corn' (p = ")
    assert "Wheat +" in str(item)
    assert "&lt;b&gt;corn" in item._repr_html_()
    assert "2025-03-01" in item._repr_html_()
    assert item.to_dict()["why"][0][0] in ("Wheat", "corn", "crops")
    assert item.to_dict()["interval"] == list(item.interval)


def test_settings_are_checked():
    wrong = [({"per_day": 0}, "per_day is 0"), ({"per_day": 2.5}, "per_day is 2.5"), ({"balance": 1.5}, "balance is"),
             ({"strategy": "igg"}, "no strategy"), ({"strategy": "target"}, "needs a horizon"),
             ({"horizon": 100}, "horizon has no effect"), ({"strategy": "ig", "horizon": 9}, "horizon has no effect"),
             ({"strategy": "ig", "per_day": 5}, "have no effect with 'ig'"), ({"learner": "bomc"}, "for `train` only"),
             ({"learner": "perceptron"}, "is for the learner gp"),
             ({"learner": "gp", "strategy": "ig"}, "not for the learner gp"),
             ({"language": "klingon"}, "klingon"), ({"seed": -1}, "seed"), ({"seed": 1.5}, "random seed is 1.5"),
             ({"language": 7}, "language is 7"), ({"strategy": 7}, "not a name")]  # fmt: skip
    for settings, reason in wrong:
        with pytest.raises(BadInput, match=reason):
            TextFilter(**settings)


def test_another_language():
    f = TextFilter(language="german")
    f.add_topic("Ernte", about="die Ernten von Weizen")
    (item,) = f.process("Die Ernte des Weizens")
    assert {word for word, _ in item.why} == {"Ernte", "Weizens"}
    with pytest.raises(BadInput, match="only stop words"):
        f.add_topic("nichts", about="die und oder")


def test_the_text_of_a_filter_lists_its_topics():
    f = made()
    f.pause_topic("grain")
    first, second = str(f).splitlines()
    assert first == "TextFilter: 0 documents, 1 topic"
    assert second.startswith("topic grain: ")
    assert second.endswith("; paused")


@pytest.mark.parametrize("settings", [{}, {"learner": "flip-perceptron", "strategy": "rel+ig"}])
def test_a_batch_is_processed_as_one_document_after_the_other(settings):
    texts = [{"id": f"d{i}", "text": f"wheat harvest {i} corn" if i % 3 else f"oil price {i} port"} for i in range(90)]
    one, other = TextFilter(**settings), TextFilter(**settings)
    for f in (one, other):
        f.add_topic("harvest", about="wheat and corn harvests")
    alone = list(one.process([*texts, texts[0]]))
    together = other.process_batch([*texts, texts[0]])
    assert [item.to_dict() for item in alone] == [item.to_dict() for item in together]
    assert len(alone) > 0
    assert str(one.state()) == str(other.state())


def test_the_words_of_an_item_are_the_same_whenever_they_are_read():
    def shown():
        f = TextFilter()
        f.add_topic("harvest", about="wheat and corn harvests")
        return f, f.process_batch([{"id": "d1", "text": "The corn harvest was good.", "date": "2025-03-01"}])

    (_, (early,)), (f, (late,)) = shown(), shown()
    expected = early.to_dict()
    f.process_batch([f"Harvesting of corn number {i}, with other words" for i in range(50)])
    f.judge("harvest", "d1", True)
    assert late.to_dict() == expected
    assert (late, hash(late)) == (early, hash(early))
    assert [word for word, _ in late.why] == ["corn", "harvest"]
    assert (late.title, late.date) == ("The corn harvest was good.", "2025-03-01")
    assert late != late.topic
    assert "why=[['corn'" in repr(late)


def undated(n=60):
    return [Document(d.id, body=d.body, labels=d.labels) for d in stream(n)]


def test_without_dates_days_are_those_of_arrival():
    log = []
    f = TextFilter(per_day=2, balance=1.0, log=log)
    f.add_topic("grain", about="wheat and corn harvests, crops of farmers")
    days = [len(list(f.process(undated()[20 * i : 20 * i + 20], time=f"2025-03-0{i + 1}T10:00:00"))) for i in range(3)]
    assert days == [2, 2, 2]
    again = TextFilter(per_day=2, balance=1.0).replay(log, {d.id: d for d in undated()})
    assert again.state()["stream"]["reading"]["day"] == "2025-03-03"
    more = undated(80)[60:]
    assert f.process_batch(more, time="2025-03-03") == again.process_batch(more, time="2025-03-03") == []
    assert f.process_batch(stream(100)[80:])[:1]  # dates begin a day of their own, also an earlier one


def dated(days, **settings):
    """Return a filter, and how many documents it shows, two of them on each of these days."""
    f = TextFilter(per_day=1, balance=1.0, **settings)
    f.add_topic("grain", about="wheat and corn harvests, crops of farmers")
    documents = [d for d in stream(400) if "grain" in d.labels][: 2 * len(days)]
    moments = [day for day in days for _ in range(2)]
    found = [len(list(f.process({"id": d.id, "text": d.body, "date": day}))) for d, day in zip(documents, moments)]
    return f, found


def test_a_wrong_date_of_the_future_does_not_silence_a_topic():
    days = [f"2025-03-0{i}" for i in range(1, 5)]
    found = dated([*days[:2], "2052-01-01", *days[2:]])[1]
    assert found == [1, 0, 1, 0, 1, 0, 0, 1, 1, 0]  # the second document after it shows that it was wrong


def test_a_filter_saved_after_a_wrong_date_finds_out_as_one_that_was_not(tmp_path):
    f, _ = dated(["2025-03-01", "2052-01-01"])
    old = [d for d in stream(400) if "grain" in d.labels][10:13]
    first, *rest = [{"id": d.id, "text": d.body, "date": "2025-03-02"} for d in old]
    assert list(f.process(first)) == []
    f.save(tmp_path / "f")
    loaded = TextFilter.load(tmp_path / "f")
    found = [[item.document for each in rest for item in g.process(each)] for g in (f, loaded)]
    assert found == [[rest[0]["id"]]] * 2


def test_one_old_document_begins_no_day():
    f, found = dated(["2025-03-01"])
    assert found == [1, 0]
    more = [d for d in stream(400) if "grain" in d.labels][10:16]
    dates = ["2019-01-01", "2025-03-01", "2019-01-01", "2025-03-01", "2025-03-01", "2025-03-01"]
    for d, date in zip(more, dates):
        assert list(f.process({"id": d.id, "text": d.body, "date": date})) == []


def test_after_a_date_a_document_without_one_belongs_to_the_day_before_it():
    f = TextFilter(per_day=1, balance=1.0)
    f.add_topic("grain", about="wheat and corn harvests, crops of farmers")
    texts = [f"wheat and corn harvests, crops of farmers, week {i}" for i in range(3)]
    assert len(f.process_batch([{"text": texts[0], "date": "2025-03-01"}])) == 1
    assert f.process_batch(texts[1:2], time="2025-03-09") == []
    assert len(f.process_batch([{"text": texts[2], "date": "2025-03-02"}])) == 1


@pytest.mark.parametrize("time", ["yesterday", 7, "2025-13-01"])
def test_an_invalid_time_is_an_error_and_nothing_changes(tmp_path, time):
    f = made()
    with pytest.raises(BadInput, match="invalid time"):
        list(f.process("wheat", time=time))
    with pytest.raises(BadInput, match="invalid time"):
        f.process_batch("wheat", time=time)
    assert f.n_documents == 0
    assert saved(f, tmp_path) == saved(made(), tmp_path)


def test_topics_that_are_added_before_the_next_document_share_a_kernel():
    f = TextFilter()
    list(f.process([{"id": str(i), "text": " ".join(["wheat", "corn", "oil"][: 1 + i % 3])} for i in range(20)]))
    f.add_topic("wheat", about="wheat")
    f.add_topic("oil", about="oil")
    first, second = (topic.profile.shared for topic in f._state.stream.topics)
    assert first is second


def test_a_batch_with_known_documents_goes_on_behind_them():
    documents = [{"id": f"d{i}", "text": f"wheat and report {i}x"} for i in range(600)]
    again = [*documents[:256], *documents, {"id": "d599", "text": "another text of the last one"}]
    whole, one_by_one = TextFilter(), TextFilter()
    for found in (whole, one_by_one):
        found.add_topic("wheat", about="wheat")
    items = whole.process_batch(documents[:256]) + whole.process_batch(again)
    assert items == [item for document in [*documents[:256], *again] for item in one_by_one.process(document)]
    assert whole.n_documents == 600
    assert whole.documents.get("d599").body == "wheat and report 599x"


def test_a_batch_keeps_the_first_of_two_documents_with_one_id():
    found = TextFilter()
    found.process_batch([{"id": "1", "text": "wheat"}, {"id": "2", "text": "corn"}, {"id": "1", "text": "oil"}])
    assert (found.n_documents, found.documents.get("1").body) == (2, "wheat")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"examples": [{"id": "1", "title": "", "body": "zebra giraffe"}]}, "document '1' is twice"),
        ({"judgements": 2}, "document '1' is twice"),
        ({"about": "the of"}, "has no words, or only stop words"),
        ({"examples": [{"id": "x", "title": "", "body": "the"}]}, "the example 'x' of topic 'other' has no words"),
        ({"examples": [{"id": "", "title": "", "body": "zebra"}]}, "a document of an exported topic has no id"),
        ({"judgements": [{"document": "", "relevant": True, "words": {"zebra": 1.0}}]}, "exported topic has no id"),
        ({"judgements": [{"document": "7", "relevant": True, "words": {"caf&eacute;s": 1.0}}]}, "caf&eacute;s"),
    ],
)
def test_an_exported_topic_that_does_not_fit_changes_nothing(tmp_path, change, reason):
    found = TextFilter()
    found.add_topic("wheat", about="wheat corn harvest")
    list(found.process([{"id": "1", "text": "wheat corn harvest"}]))
    found.judge("wheat", "1", True)
    exported, before = found.export_topic("wheat"), saved(found, tmp_path)
    exported |= {"judgements": exported["judgements"] * 2} if change.get("judgements") == 2 else change
    with pytest.raises(BadInput, match=reason):
        found.add_topic("other", exported=exported)
    assert saved(found, tmp_path) == before


def test_an_exported_topic_with_odd_characters_can_be_saved(tmp_path):
    found = TextFilter()
    found.add_topic("wheat", about="wheat corn harvest")
    exported = found.export_topic("wheat") | {
        "examples": [{"id": "a\ud800", "title": "", "body": "zebra \ud800"}],
        "judgements": [{"document": "a\0b", "relevant": True, "words": {"zebra": 1.0}}],
    }
    found.add_topic("other", exported=exported)
    found.withdraw("other", "a\0b")
    before = saved(found, tmp_path)
    assert saved(TextFilter.load(tmp_path / "f"), tmp_path) == before


def test_documents_are_looked_up_by_the_ids_that_they_were_given():
    found = TextFilter()
    found.add_topic("wheat", about="wheat corn harvest")
    list(found.process([{"id": 7, "text": "wheat corn harvest"}, {"id": "a\0b", "text": "wheat corn"}]))
    assert {item.document for item in found.inbox("wheat", among=[7, "a\0b"])} == {"7", "a\N{REPLACEMENT CHARACTER}b"}
    assert found.explain("wheat", 7).title == "wheat corn harvest"
    assert found.explain("wheat", "a\0b").title == "wheat corn"
    with pytest.raises(BadInput, match="a document is a int"):
        found.explain("wheat", 8)


@pytest.mark.parametrize(("date", "reason"), [("yesterday", "date"), (7, "date")])
def test_a_document_with_a_wrong_date_changes_nothing(tmp_path, date, reason):
    found = TextFilter(log=(log := []))
    before = saved(found, tmp_path)
    with pytest.raises(BadInput, match=reason):
        list(found.process(Document("x", body="corn", date=date)))
    assert saved(found, tmp_path) == before
    assert log == []


def test_a_filter_without_topics_keeps_its_counts(tmp_path):
    found = made()
    list(found.process(DOCUMENTS[:60]))
    found.remove_topic("grain")
    before = saved(found, tmp_path)
    again = TextFilter.load(tmp_path / "f")
    assert saved(again, tmp_path) == before
    for one in (found, again):
        one.add_topic("grain", about="wheat and corn")
        list(one.process(DOCUMENTS[60:90]))
    assert saved(found, tmp_path) == saved(again, tmp_path)


@pytest.mark.parametrize("document", ["", None, float("nan"), True, ["a"], Document("a")])
def test_what_is_no_id_cannot_be_judged(document):
    found = TextFilter()
    found.add_topic("wheat", about="wheat")
    with pytest.raises(BadInput, match=r"is not the id of a document|the id of a document is"):
        found.judge("wheat", document, True, text="wheat and corn")
    with pytest.raises(BadInput, match="characters that no file can hold"):
        found.add_topic("a\0b", about="wheat")


def test_a_document_without_words_cannot_be_judged(tmp_path):
    found = TextFilter()
    found.add_topic("wheat", about="wheat")
    list(found.process([{"id": "s", "text": "the and of"}, {"id": "p", "text": "oil fell"}, {"id": "q", "text": "x"}]))
    before = saved(found, tmp_path)
    with pytest.raises(BadInput, match="document 's' has no words that count; judge documents"):
        found.judge("wheat", "s", True)
    assert saved(found, tmp_path) == before
    found.judge("wheat", "p", False, text="")  # what came along the stream counts
    assert found.export_topic("wheat")["judgements"][0]["words"].keys() == {"oil", "fell"}


CHANGES = [
    lambda f: f.judge("grain", "d0", True),
    lambda f: f.judge("grain", "new", True, text="wheat crops"),
    lambda f: f.change("grain", "d1", False),
    lambda f: f.withdraw("grain", "d1"),
    lambda f: f.undo(),
    lambda f: f.edit_words("grain", {"narwhal": (1.0, 0.5)}),
    lambda f: f.add_topic("narwhals", about="narwhals"),
    lambda f: f.rename_topic("grain", "corn"),
    lambda f: f.pause_topic("grain"),
    lambda f: f.set_topic("grain", per_day=3),
    lambda f: f.remove_topic("grain"),
    lambda f: list(f.process(Document("next", body="wheat and narwhals", date="2026-01-01"))),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("settings", [{}, {"meaning": Subjects()}], ids=["words", "encoder"])
def test_what_cannot_be_logged_does_not_happen(change, settings, tmp_path):
    f = made(log := FullLog(), **settings)
    list(f.process(DOCUMENTS[:20]))
    f.judge("grain", "d1", True)
    before, log.room = saved(f, tmp_path), 0
    with pytest.raises(OSError, match="No space"):
        change(f)
    assert saved(f, tmp_path) == before
    log.room = 10
    change(f)
    known = {d.id: d for d in DOCUMENTS} | {id: f.documents[id] for id in ("new", "next") if id in f.documents}
    assert saved(TextFilter(**settings).replay(log, known), tmp_path) == saved(f, tmp_path)


@pytest.mark.parametrize("room", [1, 2])
def test_what_is_shown_is_what_was_logged(room, tmp_path):
    f = made(log := FullLog())
    f.add_topic("more grain", about="wheat and corn")
    f.add_topic("oil", about="oil")
    log.room = room
    with pytest.raises(OSError, match="No space"):
        list(f.process(Document("a", body="wheat, corn")))
    assert len(log) == 3 + room
    assert sum(len(f.inbox(topic)) for topic in f.topics) == room - 1
    assert saved(TextFilter().replay(log, {"a": f.documents["a"]}), tmp_path) == saved(f, tmp_path)


def test_a_topic_keeps_something_to_start_from(tmp_path):
    f = TextFilter(log=(log := []))
    f.add_topic("grain", words={"corn": (1.0, 0.5)})
    before = saved(f, tmp_path)
    with pytest.raises(BadInput, match="topic 'grain' would have nothing to start from; leave a word"):
        f.edit_words("grain", {})
    assert saved(f, tmp_path) == before
    assert len(log) == 1
