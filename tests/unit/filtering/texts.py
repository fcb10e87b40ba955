"""A small stream of texts with its truth, for several tests."""

import numpy as np

from bayesift import Document, TextFilter

SUBJECTS = {
    "grain": ["wheat", "corn", "barley", "harvest", "crop", "bushel", "farmer", "drought", "acre", "silo"],
    "oil": ["crude", "oil", "barrel", "refinery", "opec", "drilling", "tanker", "pipeline", "gasoline", "rig"],
    "rates": ["mortgage", "rate", "bank", "bond", "yield", "central", "inflation", "lending", "discount", "treasury"],
}
COMMON = ["market", "report", "week", "month", "company", "year", "trade", "minister", "percent", "rose", "news"]
STATEMENT = "wheat and corn harvests, crops of farmers"


class Subjects:
    """An encoder that counts the words of each subject: it knows which words mean the same."""

    def __init__(self, width=4):
        self.width, self.read = width, []

    def encode(self, texts):
        self.read += texts
        counts = [[sum(w.strip(".,") in SUBJECTS[s] for w in text.split()) for s in sorted(SUBJECTS)] for text in texts]
        return np.hstack([np.array(counts, float), np.full((len(texts), self.width - len(SUBJECTS)), 0.5)])


class FullLog(list):
    """A log with room for some more events."""

    room = 1_000_000

    def append(self, event):
        if self.room == 0:
            raise OSError(28, "No space left on device")
        self.room -= 1
        super().append(event)


def stream(n=60, seed=0):
    """Return documents about one subject each; their labels are the subjects."""
    rng = np.random.default_rng(seed)
    names, found = sorted(SUBJECTS), []
    for i in range(n):
        subject = names[rng.integers(3)]
        words = [*rng.choice(SUBJECTS[subject], 5), *rng.choice(COMMON, 8)]
        body = " ".join(rng.permutation(words).tolist()) + "."
        date = f"2025-{3 + i // 280:02}-{1 + i // 10 % 28:02}"
        found.append(Document(f"d{i}", body=body, labels=(subject,), date=date))
    return found


def made(log=None, **settings):
    """Return a filter with one topic."""
    f = TextFilter(log=log, **settings)
    f.add_topic("grain", about=STATEMENT)
    return f


def run(f, documents, topics=("grain", "oil", "rates")):
    """Process documents and judge what is shown by the labels; return the items."""
    items = []
    for document in documents:
        for item in f.process(document):
            items.append(item)
            assert item.topic in topics
            f.judge(*item.about, item.topic in document.labels)
    return items


def saved(f, folder, name="f"):
    """Return the bytes of a saved filter."""
    f.save(folder / name)
    return (folder / name).read_bytes()
