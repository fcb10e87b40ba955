"""How fast is text turned into vectors, and how far is that from reading the bytes once?

Our full analysis (Unicode words, stop words, Snowball stems) against scikit-learn's CountVectorizer, which does no
stemming, and against CountVectorizer with the same stemmer. One thread each, the best of some runs, same process;
memory is what the task adds at its peak in a process of its own.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import Stemmer
from numba import njit
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from _run import arguments, best, documents, peak_mb, show
from bayesift.text import TextVectorizer
from bayesift.text.tokens import LOWER


@njit(nogil=True)
def count_words(data, lower):
    """Count word ends with no branch, looking at every byte once: the limit of speed."""
    words, before = 0, np.uint8(0)
    for byte in data:
        here = lower[byte]
        words += (here == 0) & (before != 0)
        before = here
    return words


def stemming_peer() -> CountVectorizer:
    """Scikit-learn with a Snowball stemmer behind its own tokeniser."""
    analyse, stem = CountVectorizer(stop_words="english").build_analyzer(), Stemmer.Stemmer("english")
    return CountVectorizer(analyzer=lambda text: stem.stemWords(analyse(text)))


def ours(ngrams: int = 1) -> TextVectorizer:
    """Return counts as the peers do; compiled before it is measured."""
    TextVectorizer(ngrams=ngrams).fit(["compile first"])
    return TextVectorizer(weight="raw", ngrams=ngrams)


TASKS = {
    "words, ours stemmed": (ours, "CountVectorizer, no stems", CountVectorizer),
    "words, both stemmed": (ours, "CountVectorizer + Snowball", stemming_peer),
    "bigrams, ours stemmed": (
        lambda: ours(ngrams=2),
        "CountVectorizer, no stems",
        lambda: CountVectorizer(ngram_range=(1, 2)),
    ),
}


def texts() -> list[str]:
    """Title and body of each document."""
    return [f"{d.title}\n{d.body}" for d in documents()[1]]


def prepare(task: str, which: int) -> tuple[TextVectorizer | CountVectorizer, list[str]]:
    """Return the vectoriser and the texts, for a separate process."""
    return TASKS[task][which](), texts()


def fit(prepared: tuple[TextVectorizer | CountVectorizer, list[str]]) -> object:
    """Fit: the part that is measured."""
    vectorizer, given = prepared
    return vectorizer.fit_transform(given)


def one_at_a_time(corpus: str, given: list[str], repeat: int) -> list[dict[str, object]]:
    """Seconds per document of a stream: known words, and the first reading of documents with new words."""
    half = len(given) // 2
    some, unseen = given[:1000], given[half : half + 1000]
    counts, hashes = CountVectorizer().fit(given[:half]), HashingVectorizer()
    known = TextVectorizer().fit(given[:half])
    fresh = [TextVectorizer().fit(given[:half]) for _ in range(min(repeat, 3))]  # each reads the words once
    ours = {
        "row": (lambda: [known.row(text) for text in some], repeat),
        "transform": (lambda: [known.transform([text]) for text in some], repeat),
        "row, new words": (lambda: [v.row(text) for v in [fresh.pop()] for text in unseen], len(fresh)),
        "learn_row": (lambda: [known.learn_row(text) for text in some], repeat),
    }
    ours_s = {task: best(run, times) / 1000 for task, (run, times) in ours.items()}
    peers = {"CountVectorizer, no stems": counts, "HashingVectorizer, no stems": hashes}
    peer_s = {name: best(partial(transform_each, v, some), repeat) / 1000 for name, v in peers.items()}
    return [
        {"task": f"{corpus}: one document at a time, {task}", "ours_s": seconds, "peer": name, "peer_s": theirs,
         "ratio": theirs / seconds} for task, seconds in ours_s.items() for name, theirs in peer_s.items()
    ]  # fmt: skip


def transform_each(vectorizer: CountVectorizer | HashingVectorizer, texts: list[str]) -> None:
    """Transform one text at a time."""
    for text in texts:
        vectorizer.transform([text])


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    corpus, given = documents()[0], texts()
    rows = []
    for task, (mine, name, peer) in TASKS.items():
        repeat = options.repeat if "bigrams" not in task else 2
        ours_s, peer_s = (best(partial(make().fit_transform, given), repeat) for make in (mine, peer))
        ours_mb, peer_mb = (peak_mb(prepare, (task, which), fit) for which in (0, 2))
        rows.append({"task": f"{corpus}: fit, {task}", "ours_s": ours_s, "peer": name, "peer_s": peer_s,
                     "ratio": peer_s / ours_s, "ours_mb": ours_mb, "peer_mb": peer_mb})  # fmt: skip
    mine, peer = ours().fit(given), CountVectorizer().fit(given)
    ours_s, peer_s = (best(partial(v.transform, given), options.repeat) for v in (mine, peer))
    rows.append({"task": f"{corpus}: transform all", "ours_s": ours_s, "peer": "CountVectorizer, no stems",
                 "peer_s": peer_s, "ratio": peer_s / ours_s})  # fmt: skip
    rows += one_at_a_time(corpus, given, options.repeat)
    data = np.frombuffer("\n".join(given).encode(), np.uint8)
    count_words(data, LOWER)
    limit, first, mb = best(lambda: count_words(data, LOWER), options.repeat), rows[0]["ours_s"], data.size / 1e6
    notes = [
        f"{len(given):,} documents, {mb:.1f} MB: ours {mb / first:.0f} MB/s from text to counts.",
        f"Limit, every byte looked at once: {limit:.4f} s ({mb / limit:.0f} MB/s);"
        f" ours takes {first / limit:.0f} times that.",
    ]
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
