"""What can be asked of a filter, without changing it."""

from collections import Counter

import pytest
from tests.unit.filtering.texts import STATEMENT, made, run, saved, stream

from bayesift.errors import BadInput

DOCUMENTS = stream()
TEXTS = ["wheat crops and harvest of farmers", "oil barrels of opec", "wombats"]


@pytest.fixture
def f():
    f = made()
    run(f, DOCUMENTS)
    f.add_topic("oil", about="crude oil barrels", words={"opec": (2.0, 0.5), "wombat": (1.0, 0.5)}, examples=["opec"])
    return f


def test_nothing_that_is_asked_changes_the_filter(f, tmp_path):
    before = saved(f, tmp_path)
    f.score(None, TEXTS)
    f.preview(TEXTS, about="kangaroos and wheat", words={"emu": (1.0, 1.0)})
    f.preview_words("grain", {"emu": (1.0, 1.0), "drought": (1.0, 1.0)}, TEXTS)
    f.topic_words("grain")
    f.topic_info("grain")
    f.inbox("grain")
    f.explain("grain", "emu and wheat")
    f.export_topic("grain")
    assert saved(f, tmp_path) == before


def test_the_description_of_a_topic(f):
    info = f.topic_info("grain")
    counters = f.topic("grain").profile.counters
    assert (info.name, info.about, info.paused, info.words) == ("grain", STATEMENT, False, {})
    assert (info.shown, info.relevant, info.irrelevant) == (counters.shown, counters.relevant, counters.irrelevant)
    assert info.shown == info.relevant + info.irrelevant > 0
    assert len(f.topic_info("oil").examples) == 1
    assert f.topic_info("oil").words == {"opec": (2.0, 0.5), "wombat": (1.0, 0.5)}


def test_a_topic_has_settings_of_its_own(f):
    assert (f.topic_info("oil").per_day, f.topic_info("oil").balance) == (20, 0.5)
    f.set_topic("oil", per_day=3, balance=0.9)
    assert (f.topic_info("oil").per_day, f.topic_info("oil").balance) == (3, 0.9)
    assert f.topic_info("grain").per_day == 20
    f.set_topic("oil")
    assert f.topic_info("oil").per_day == 20
    for wrong in ({"per_day": 0}, {"balance": 2.0}):
        with pytest.raises(BadInput, match="is"):
            f.set_topic("oil", **wrong)
    with pytest.raises(BadInput, match="no topic 'x'"):
        f.set_topic("x", per_day=3)
    with pytest.raises(BadInput, match="no effect with 'rel\\+ig'"):
        made(strategy="rel+ig").set_topic("grain", per_day=3)


def test_a_topic_is_shown_no_more_per_day_than_its_reader_wants():
    f = made(balance=1.0, per_day=4)
    f.add_topic("oil", about="crude oil")
    f.set_topic("oil", per_day=2)
    shown = Counter((item.topic, item.date) for item in run(f, stream(300, seed=2)))
    per_day = {topic: [n for (name, _), n in shown.items() if name == topic] for topic in f.topics}
    assert max(per_day["grain"]) == 4
    assert max(per_day["oil"]) == 2


def test_the_words_of_a_topic(f):
    words = f.topic_words("oil", 4)
    assert len(words) == 4
    assert [abs(mean) for _, mean, _, _ in words] == sorted((abs(mean) for _, mean, _, _ in words), reverse=True)
    assert all(sd > 0.0 for _, _, sd, _ in words)
    by_hand = {word for word, _, _, given in f.topic_words("oil") if given}
    assert by_hand == {"opec", "wombat"}
    assert not any(given for *_, given in f.topic_words("grain"))


def test_scores_of_documents(f):
    items = f.score("grain", TEXTS)
    assert [item.probability for item in items] == [f.explain("grain", text).probability for text in TEXTS]
    assert [item.topic for item in f.score(None, TEXTS[:2])] == ["grain", "oil", "grain", "oil"]


def test_a_preview_is_what_the_topic_would_say(f):
    items = f.preview(TEXTS, about="oil barrels", words={"opec": (2.0, 0.5)})
    assert items[0].title == TEXTS[1]
    assert [item.probability for item in items] == sorted((item.probability for item in items), reverse=True)
    with pytest.raises(BadInput, match="only stop words"):
        f.preview(TEXTS, about="the of and")


def test_a_preview_of_words_is_what_the_edited_topic_says(f):
    words = {"drought": (2.0, 0.5)}
    before = {item.title: item.probability for item in f.preview_words("grain", words, TEXTS)}
    f.edit_words("grain", words)
    after = {item.title: item.probability for item in f.score("grain", TEXTS)}
    assert before == pytest.approx(after)


def test_estimates_and_what_a_removed_topic_leaves_behind(f):
    assert f.estimates("grain").found == f.topic_info("grain").relevant
    stream_of = f._state.stream
    list(f.process("wheat"))
    before = int(stream_of.decisions.index.length.sum())
    f.add_topic("other", about="wheat corn barley oil opec kangaroo")
    list(f.process("corn"))
    assert int(stream_of.decisions.index.length.sum()) > before
    f.remove_topic("other")
    list(f.process("barley"))
    assert int(stream_of.decisions.index.length.sum()) == before
    assert len(stream_of.decisions.topics) == 2


def test_changes_leave_nothing_behind_in_the_index_of_scores(f):
    index = f._state.stream.decisions.index
    document = next(iter(f.topic("grain").answers))
    f.change("grain", document, False)
    f.change("grain", document, True)
    sizes = (int(index.length.sum()), index.end, index.topic.size)
    for i in range(100):
        f.change("grain", document, i % 2 == 1)
    assert (int(index.length.sum()), index.end, index.topic.size) == sizes


def test_kept_probabilities_are_those_of_now():
    """Whatever happens between two looks, a ranking has the probabilities of the profile, to the byte."""
    f = made(per_day=50, balance=0.95)
    looks = 0

    def look():
        nonlocal looks
        for name in f.topics:
            own = f.topic(name)
            for among in (None, set(list(own.waiting)[::2]), None):
                ranked = f.ranking(name, among)
                assert [r.document for r in ranked if among is None or r.document in among] == [
                    r.document for r in ranked
                ]
                assert {r.document: r.probability for r in ranked} == {
                    id: own.profile.probability(row) for id, row in own.waiting.items() if among is None or id in among
                }
                looks += len(ranked)

    for i, document in enumerate(DOCUMENTS[:300]):
        list(f.process(document))
        if i % 20 == 0:
            look()
    waiting = list(f.topic("grain").waiting)
    assert len(waiting) > 5
    changes = [
        lambda: f.judge("grain", waiting[0], True),
        lambda: f.judge("grain", waiting[1], False),
        lambda: f.change("grain", waiting[1], True),
        lambda: f.withdraw("grain", waiting[0]),
        f.undo,
        lambda: f.edit_words("grain", {"wheat": (2.0, 0.1)}),
        f.undo,
        lambda: f.rename_topic("grain", "corn"),
        lambda: f.add_topic("grain", about="farmers and fields"),
        lambda: f.remove_topic("corn"),
        lambda: list(f.process(DOCUMENTS[300:400])),
    ]
    for change in changes:
        change()
        look()
    assert looks > 100


def believed(f):
    """Return all that the views believe, topic by topic."""
    return {
        name: (
            [tuple(r) for r in f.ranking(name)], [(i.document, i.probability) for i in f.inbox(name)],
            f.explain(name, TEXTS[0]).probability, by_title(f.score(name, TEXTS)),
        )
        for name in f.topics
    } | {"preview": by_title(f.preview(TEXTS, about="crude oil"))}  # fmt: skip


def judged_by_one_topic():
    """Return a filter in which the answers of one topic raise the probabilities of another one."""
    f = made(per_day=50, balance=0.95)
    f.add_topic("rates", about="mortgage rates of banks and bonds")
    for document in stream(100):
        list(f.process(document))
    for document in list(f.topic("rates").waiting)[:10]:
        f.judge("rates", document, True)
    return f


def test_probabilities_follow_a_removed_topic_at_once(tmp_path):
    f = judged_by_one_topic()
    before = believed(f)
    f.remove_topic("rates")
    after = believed(f)
    assert after["grain"] != before["grain"]
    assert saved(f, tmp_path)
    assert believed(f) == after


def test_probabilities_follow_a_topic_added_from_an_export_at_once(tmp_path):
    exported, f = judged_by_one_topic().export_topic("rates"), made(per_day=50, balance=0.95)
    list(f.process_batch(stream(100)))
    before = believed(f)
    f.add_topic("rates", exported=exported)
    after = believed(f)
    assert after["grain"] != before["grain"]
    assert after["preview"] != before["preview"]
    assert saved(f, tmp_path)
    assert believed(f) == after


def test_an_answer_after_a_removed_topic_records_what_is_believed_now():
    log = []
    f = judged_by_one_topic()
    f.log = log
    f.remove_topic("rates")
    f.judge("grain", "new", True, text=TEXTS[0])
    assert log[-1].probability == pytest.approx(_without_the_answer(f))


def _without_the_answer(f):
    f.withdraw("grain", "new")
    return f.explain("grain", TEXTS[0]).probability


def test_looking_between_changes_of_topics_changes_nothing(tmp_path):
    assert changed_topics(believed, tmp_path) == changed_topics(lambda f: None, tmp_path)


def changed_topics(look, folder):
    """Return the bytes of a filter whose topics change, with a look at it after each change."""
    f = judged_by_one_topic()
    for change in (
        lambda: f.add_topic("oil", about="crude oil"),
        lambda: f.remove_topic("rates"),
        lambda: f.add_topic("rates", about="mortgage rates"),
        lambda: f.process_batch(DOCUMENTS[50:]),
    ):
        change()
        look(f)
    return saved(f, folder)


UNSEEN = {"narwhal": (3.0, 0.5), "market": (-1.0, 0.5)}
SIGHTINGS = ["narwhal sightings near the market", "narwhals, narwhals and unicorns", "market", "wheat", "unicorns"]


def by_title(items):
    return {item.title: item.probability for item in items}


def check_preview(f, start, n, folder):
    """Check that after n documents a preview changes nothing, and says what the new topic does."""
    run(f, DOCUMENTS[:n])
    before = saved(f, folder)
    items = f.preview(SIGHTINGS, **start)
    assert saved(f, folder) == before
    f.add_topic("w", **start)
    assert by_title(items) == pytest.approx(by_title(f.score("w", SIGHTINGS)))


@pytest.mark.parametrize("settings", [{}, {"strategy": "rel+ig"}])
def test_words_that_have_not_occurred_count_in_a_preview_of_words(settings, tmp_path):
    f = made(**settings)
    run(f, DOCUMENTS)
    before = saved(f, tmp_path)
    items = f.preview_words("grain", UNSEEN, SIGHTINGS)
    list(f.process("walrus"))  # words are looked up when they are asked for, and columns have been added since
    assert [word for word, _ in next(i for i in items if i.title == SIGHTINGS[0]).why] == ["narwhal", "market"]
    f = made(**settings)
    run(f, DOCUMENTS)
    f.preview_words("grain", UNSEEN, SIGHTINGS)
    assert saved(f, tmp_path) == before
    f.edit_words("grain", UNSEEN)
    assert by_title(items) == pytest.approx(by_title(f.score("grain", SIGHTINGS)))


@pytest.mark.parametrize("start", [{"words": UNSEEN}, {"words": {"narwhal": (3.0, 0.5)}}])
@pytest.mark.parametrize("settings", [{}, {"strategy": "rel+ig"}])
@pytest.mark.parametrize("n", [0, 40])
def test_words_that_have_not_occurred_count_in_a_preview(start, settings, n, tmp_path):
    f = made(**settings)
    check_preview(f, start, n, tmp_path)
    assert by_title(f.preview_words("w", {"dugong": (2.0, 0.5)}, ["dugong"]))["dugong"] > 0.4


ABOUT, EXAMPLES = {"about": "sightings of narwhals"}, {"examples": ["narwhal and wheat", "narwhal"]}
BOTH = ABOUT | EXAMPLES | {"words": UNSEEN}


@pytest.mark.parametrize(("start", "n"), [(ABOUT, 0), (ABOUT, 40), (EXAMPLES, 0), (EXAMPLES, 40), (BOTH, 10)])
def test_new_words_of_a_statement_or_an_example_count_in_a_preview(start, n, tmp_path):
    check_preview(made(), start, n, tmp_path)
