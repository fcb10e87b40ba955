"""Random changes of a filter, with saving and loading among them, equal a replay of its log, to the byte."""

import numpy as np
import pytest
from tests.unit.filtering.texts import SUBJECTS, saved, stream

from bayesift import TextFilter

STEPS = 120


class Run:
    """A filter that is changed at random."""

    def __init__(self, seed, folder, **settings):
        self.rng, self.folder, self.settings = np.random.default_rng(seed), folder, settings
        self.documents = iter(stream(2 * STEPS, seed=seed))
        self.log, self.known, self.made, self.done = [], {}, 0, []
        self.f = TextFilter(log=self.log, **settings)

    def one_of(self, some):
        return some[self.rng.integers(len(some))]

    def step(self):
        names = ["process"] * 6 + ["judge"] * 4 + [
            "add", "undo", "undo", "change", "withdraw", "rename", "pause", "words", "remove", "save", "search", "own",
        ]  # fmt: skip
        name = "add" if not self.f.topics else self.one_of(names)
        if getattr(self, name)() is not False:
            self.done.append(name)

    def process(self):
        document = next(self.documents)
        self.known[document.id] = document
        list(self.f.process(document))

    def judge(self):
        items = self.f.inbox(self.one_of(self.f.topics), 3)
        return self.f.judge(*self.one_of(items).about, bool(self.rng.random() < 0.4)) if items else False

    def search(self):
        document = next(self.documents)
        self.known[document.id] = document
        self.f.judge(self.one_of(self.f.topics), document.id, True, text=document, source="imported")

    def add(self):
        self.made += 1
        words = SUBJECTS[self.one_of(sorted(SUBJECTS))]
        kind = self.rng.random()
        if kind < 0.4:
            start = {"about": " ".join(words[:4])}
        elif kind < 0.7:
            start = {"examples": [" ".join(words)]}
        elif kind < 0.9 or not self.f.topics:
            start = {"words": dict.fromkeys(words[:3], (2.0, 1.0))}
        else:
            start = {"exported": self.f.export_topic(self.one_of(self.f.topics))}
        self.f.add_topic(f"t{self.made}", **start)

    def answered(self):
        pairs = [(name, document) for name in self.f.topics for document in self.f.topic(name).answers]
        return self.one_of(pairs) if pairs else None

    def change(self):
        return self.f.change(*pair, bool(self.rng.random() < 0.5)) if (pair := self.answered()) else False

    def withdraw(self):
        return self.f.withdraw(*pair) if (pair := self.answered()) else False

    def undo(self):
        return bool(self.f._state.undo.changes) and self.f.undo() is not None

    def rename(self):
        self.made += 1
        self.f.rename_topic(self.one_of(self.f.topics), f"t{self.made}")

    def pause(self):
        name = self.one_of(self.f.topics)
        (self.f.resume_topic if self.f.topic(name).paused else self.f.pause_topic)(name)

    def words(self):
        name = self.one_of(self.f.topics)
        word = self.one_of(SUBJECTS["oil"])
        self.f.edit_words(name, self.f.words(name) | {word: (float(self.rng.normal()), 0.5)})

    def remove(self):
        return self.f.remove_topic(self.f.topics[0]) if self.rng.random() < 0.5 else False

    def own(self):
        if self.settings:  # only the default strategy has a number per day
            return False
        return self.f.set_topic(self.one_of(self.f.topics), per_day=int(self.rng.integers(1, 9)), balance=0.7)

    def save(self):
        self.f.save(self.folder / "between")
        self.f = TextFilter.load(self.folder / "between", log=self.log)


@pytest.mark.parametrize("seed", range(6))
def test_a_replay_equals_the_filter(seed, tmp_path):
    run = Run(seed, tmp_path, **[{}, {"strategy": "rel+ig"}, {"learner": "perceptron", "strategy": "ig"}][seed % 3])
    for _ in range(STEPS):
        run.step()
    assert {"process", "judge", "add", "save", "undo"} <= set(run.done)
    replayed = TextFilter(**run.settings).replay(run.log, run.known)
    assert saved(replayed, tmp_path, "a") == saved(run.f, tmp_path, "b")
    rest = list(run.documents)
    assert list(replayed.process(rest)) == list(run.f.process(rest))
