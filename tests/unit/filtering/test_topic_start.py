"""The ways to start a topic, and what happens to it while the stream runs."""

import json

import pytest
from tests.unit.filtering.texts import STATEMENT, made, run, saved, stream

from bayesift import TextClassifier, TextFilter
from bayesift.errors import BadInput

DOCUMENTS = stream(80)
GRAIN = [d for d in DOCUMENTS if "grain" in d.labels]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier().fit(stream(120, seed=7))


def starts(classifier):
    old = made()
    run(old, DOCUMENTS[:40])
    return {
        "statement": {"about": STATEMENT},
        "words": {"words": {"wheat": (3.0, 1.0), "harvest": (3.0, 1.0), "crops": (3.0, 1.0), "opec": (-3.0, 1.0)}},
        "examples": {"examples": GRAIN[:2]},
        "one text": {"examples": GRAIN[0].body},
        "label": {"label": (classifier, "grain")},
        "exported": {"exported": json.loads(json.dumps(old.export_topic("grain")))},
        "several": {"about": STATEMENT, "examples": GRAIN[:2], "words": {"silo": (2.0, 1.0)}},
    }


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "kind", ["statement", "words", "examples", "one text", "label", "exported", "several"]
)
def test_a_topic_starts(kind, late, classifier):
    f = TextFilter()
    if late:
        f.add_topic("oil", about="crude oil barrels")
        run(f, stream(40, seed=3))
    f.add_topic("grain", **starts(classifier)[kind])
    texts = ("wheat crops and harvest", "oil barrels of opec")
    grain, oil = (f.explain("grain", text).probability for text in texts)
    assert grain > oil
    rest = [d for d in DOCUMENTS[40:] if f.topic("grain").answer(d.id) is None]
    shown = [item for item in run(f, stream(200, seed=5) if late else rest) if item.topic == "grain"]
    assert shown
    grain, oil = (f.explain("grain", text).probability for text in texts)
    assert grain > max(0.5, oil)


def test_examples_are_not_shown_again():
    f = TextFilter()
    f.add_topic("grain", about=STATEMENT, examples=GRAIN[:2])
    assert not {item.document for item in f.process(GRAIN)} & {d.id for d in GRAIN[:2]}
    with pytest.raises(BadInput, match="already an example of the topic"):
        f.judge("grain", GRAIN[0].id, False, text=GRAIN[0])


def test_words_act_before_they_occur_and_judgements_outweigh_them():
    f = made()
    run(f, DOCUMENTS[:20])
    before = f.explain("grain", "quokka").probability
    f.edit_words("grain", {"quokka": (1.0, 0.5)})
    assert f.explain("grain", "quokka").probability > before
    list(f.process({"id": "q", "text": "quokka"}))
    assert f.explain("grain", "q").probability > before
    assert f.words("grain") == {"quokka": (1.0, 0.5)}
    ((_, high),) = f.explain("grain", "q").why
    for i in range(8):
        f.judge("grain", f"no{i}", False, text="quokka zebra")
    ((_, low),) = f.explain("grain", "q").why
    assert low < 0.9 * high


def test_edited_words_are_as_if_the_topic_had_started_with_them(tmp_path):
    words = {"drought": (2.0, 0.5), "opec": (-2.0, 0.5)}
    f, g = TextFilter(strategy="none"), TextFilter(strategy="none")
    for it, given in ((f, {}), (g, words)):
        list(it.process(DOCUMENTS))
        it.add_topic("grain", about=STATEMENT, words=given)
        it.judge_all([("grain", d.id, "grain" in d.labels) for d in DOCUMENTS[:30]])
    assert f.explain("grain", "drought").probability != g.explain("grain", "drought").probability
    f.edit_words("grain", words)
    for text in ("drought", "opec wells", "wheat harvest"):
        assert f.explain("grain", text).probability == g.explain("grain", text).probability


def test_topics_come_and_go_while_the_stream_runs():
    f = made()
    run(f, DOCUMENTS[:20])
    f.add_topic("oil", about="crude oil barrels and refineries")
    assert {item.topic for item in run(f, DOCUMENTS[20:40])} == {"grain", "oil"}
    f.rename_topic("grain", "cereals")
    assert f.topics == ["cereals", "oil"]
    f.pause_topic("oil")
    shown = {item.topic for item in f.process(DOCUMENTS[40:60])}
    assert shown == {"cereals"}
    f.resume_topic("oil")
    assert "oil" in {item.topic for item in f.process(DOCUMENTS[60:])}
    f.remove_topic("cereals")
    assert f.topics == ["oil"]
    assert {item.topic for item in f.process(stream(40, seed=9))} <= {"oil"}
    f.add_topic("cereals", about=STATEMENT)
    assert f.topic("cereals").answers == {}


def test_a_paused_topic_can_be_judged_and_forgets_nothing(tmp_path):
    f = made()
    best = max(f.process(DOCUMENTS), key=lambda item: item.probability)
    f.pause_topic("grain")
    again = TextFilter.from_state(f.state())
    assert list(again.process("wheat harvest")) == []
    for it in (f, again):
        it.judge("grain", best.document, True)
        it.resume_topic("grain")
    assert saved(f, tmp_path, "a") != saved(again, tmp_path, "b")  # one more document came
    assert list(again.process("wheat and corn harvest"))


def test_undo_follows_a_renamed_topic():
    f = made()
    document = next(iter(f.process(DOCUMENTS))).document
    f.judge("grain", document, True)
    f.rename_topic("grain", "cereals")
    assert f.undo().topic == "cereals"
    assert f.topic("cereals").answers == {}
    f.judge("cereals", document, True)
    f.remove_topic("cereals")
    with pytest.raises(BadInput, match="nothing to undo"):
        f.undo()


def test_an_exported_topic_believes_the_same_elsewhere():
    f = made()
    run(f, DOCUMENTS)
    f.edit_words("grain", {"drought": (2.0, 0.5)})
    exported = json.loads(json.dumps(f.export_topic("grain")))
    f.add_topic("copy", exported=exported)
    assert f.topic("copy").answers.keys() == f.topic("grain").answers.keys()
    assert f.words("copy") == f.words("grain")
    other = TextFilter()
    other.add_topic("grain", exported=exported)
    assert other.topic("grain").answers.keys() == f.topic("grain").answers.keys()
    documents = stream(40, seed=4)
    for it in (f, other):
        p = {d.id: it.explain("grain", d.body).probability for d in documents}
        grain, rest = ([p[d.id] for d in documents if ("grain" in d.labels) is own] for own in (True, False))
        assert sum(a > b for a in grain for b in rest) > 0.9 * len(grain) * len(rest)
    assert exported["judgements"][0].keys() == {"document", "relevant", "words"}


def test_a_label_without_informative_words_is_an_error(classifier):
    f = TextFilter()
    with pytest.raises(BadInput, match="no label 'none'"):
        f.add_topic("x", label=(classifier, "none"))
    f.add_topic("grain", label=(classifier, "grain"), words={"wheat": (9.0, 0.1)})
    assert f.words("grain")["wheat"] == (9.0, 0.1)
    assert len(f.words("grain")) > 5
