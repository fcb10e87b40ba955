"""Settings of a TextFilter: wrong types are errors with a remedy, and numbers of numpy are numbers."""

import numpy as np
import pytest

from bayesift import TextFilter
from bayesift.errors import BadInput
from bayesift.filtering.text_settings import TextSettings


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"strategy": "target", "horizon": "5"}, "the horizon is '5'; give a whole number from 1 to 999,999,999"),
        ({"strategy": "target", "horizon": 100.5}, "the horizon is 100.5"),
        ({"strategy": "target", "horizon": True}, "the horizon is True"),
        ({"strategy": "target", "horizon": 10**10}, "the horizon is 10000000000"),
        ({"strategy": ""}, "no strategy ''"),
        ({"strategy": "rel+rel-recent+ig"}, "no strategy 'rel[+]rel-recent[+]ig'"),
        ({"strategy": "none+ig"}, "no strategy 'none[+]ig'"),
        ({"learner": ""}, "no learner ''"),
        ({"per_day": 10**10}, "per_day is 10000000000; give a whole number from 1 to 999,999,999"),
        ({"per_day": "5"}, "per_day is '5'"),
        ({"per_day": np.float64(5.0)}, "per_day is"),
        ({"balance": "0.5"}, "balance is '0.5'"),
        ({"balance": np.nan}, "balance is nan"),
        ({"balance": 10**400}, "balance is 1000"),
        ({"balance": np.float32(1.5)}, "balance is"),
        ({"seed": True}, "the random seed is True"),
        ({"language": 5}, "the language is 5"),
        ({"language": "klingon"}, "no language 'klingon'; use one of ar [(]arabic[)], ca"),
    ],
)
def test_wrong_settings_are_errors_with_a_remedy(settings, reason):
    for make in (TextSettings, TextFilter):
        with pytest.raises(BadInput, match=reason) as error:
            make(**settings)
        assert error.value.remedy


def test_numbers_of_numpy_become_numbers_of_python(tmp_path):
    f = TextFilter(np.int64(7), np.float32(0.25), seed=np.uint8(3))
    assert f.settings == TextSettings(7, 0.25, seed=3)
    assert [type(value) for value in (f.settings.per_day, f.settings.balance, f.settings.seed)] == [int, float, int]
    assert TextSettings(strategy="target", horizon=np.int32(9)).horizon == 9
    f.add_topic("corn", about="corn")
    f.set_topic("corn", per_day=np.int64(3), balance=np.float32(0.75))
    f.save(tmp_path / "a.filter")
    info = TextFilter.load(tmp_path / "a.filter").topic_info("corn")
    assert (info.per_day, info.balance) == (3, 0.75)


def test_a_topic_has_the_same_bounds_as_the_filter():
    f = TextFilter()
    f.add_topic("corn", about="corn")
    for own in ({"per_day": 10**12}, {"per_day": 10**9}, {"per_day": 2.5}, {"balance": "high"}):
        with pytest.raises(BadInput, match=r"(per_day|balance) is .*; give a"):
            f.set_topic("corn", **own)
        with pytest.raises(BadInput, match=r"(per_day|balance) is .*; give a"):
            f.settings.own(**{"per_day": None, "balance": None} | own)
    assert f.settings.own(np.int64(10**9 - 1), None) == (10**9 - 1, None)
    with pytest.raises(BadInput, match=r"no effect with 'rel\+ig'"):
        TextSettings(strategy="rel+ig").own(5, None)


@pytest.mark.parametrize("name", [["t"], {"t": 1}, 7, None, b"t"])
def test_a_name_of_a_topic_is_text(name):
    f = TextFilter()
    f.add_topic("t", about="corn")
    with pytest.raises(BadInput, match="is not a name of a topic; give a text"):
        f.add_topic(name, about="x")
    with pytest.raises(BadInput, match="is not a name of a topic; give a text"):
        f.rename_topic("t", name)
    with pytest.raises(BadInput, match="begins or ends with a space; leave the space out"):
        f.rename_topic("t", " u")
    with pytest.raises(BadInput, match="has a line break, a tab or a control character; leave it out or"):
        f.add_topic("u\nv", about="x")
    f.rename_topic("t", "u\u00a0v \N{ZERO WIDTH JOINER}w")  # these are not control characters
    f.rename_topic("u\u00a0v \N{ZERO WIDTH JOINER}w", "t")
    calls = [
        lambda: f.judge(name, "x", True, text="corn"), lambda: f.change(name, "x", True), lambda: f.inbox(name),
        lambda: f.withdraw(name, "x"), lambda: f.pause_topic(name), lambda: f.remove_topic(name),
        lambda: f.rename_topic(name, "u"), lambda: f.set_topic(name, 5), lambda: f.explain(name, "corn"),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(BadInput, match=r"no topic .*; topics are: t"):
            call()
    assert f.topics == ["t"]


@pytest.mark.parametrize("name", ["a\0b", "\0", "a\ud800"])
def test_a_name_that_a_database_cannot_hold(name):
    f = TextFilter()
    f.add_topic("t", about="corn")
    for call in (lambda: f.add_topic(name, about="x"), lambda: f.rename_topic("t", name)):
        with pytest.raises(BadInput, match="choose another name"):
            call()
    assert f.topics == ["t"]
