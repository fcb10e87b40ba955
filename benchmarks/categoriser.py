"""How fast does the one-pass categoriser count and fold in, against scikit-learn's MultinomialNB?

TMC2007, 21,519 reports to learn and 7,077 to label (else the docstrings). The peer is MultinomialNB, one-vs-rest, which
is how scikit-learn does many labels. One thread each.
"""

from __future__ import annotations

import numpy as np
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB

from _run import arguments, best, show
from bayesift.corpora import load_corpus
from bayesift.errors import NotFound
from bayesift.learn import Categoriser

PEER = "MultinomialNB, one-vs-rest"


def task() -> tuple[str, object, object, object]:
    """(corpus, training vectors, label matrix, test vectors)."""
    try:
        train, test = load_corpus("tmc2007", split="competition").vectors().split()
        return "tmc2007", train.X, train.Y.toarray(), test.X
    except NotFound:
        from sklearn.preprocessing import MultiLabelBinarizer

        from bayesift.text import TextVectorizer

        corpus = load_corpus("docstrings")
        train, test = corpus.split()
        vectorizer = TextVectorizer(weight="raw", min_df=3)
        Y = MultiLabelBinarizer(classes=corpus.labels).fit_transform([d.labels for d in train])
        return "docstrings", vectorizer.fit_transform(train), Y, vectorizer.transform(test)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    corpus, X, Y, X_test = task()
    Y = np.asarray(Y)[:, np.asarray(Y).any(axis=0)]
    Categoriser().fit(X[:20], Y[:20]).predict_proba(X[:20])  # compile first
    mine, peer = Categoriser(), OneVsRestClassifier(MultinomialNB())
    rows = []
    for name, ours, theirs in (
        (f"learn {X.shape[0]:,} documents", lambda: mine.fit(X, Y), lambda: peer.fit(X, Y)),
        (
            f"label {X_test.shape[0]:,} documents, 5 steps of EM",
            lambda: mine.predict_proba(X_test),
            lambda: peer.predict_proba(X_test),
        ),
    ):
        ours_s, peer_s = best(ours, options.repeat), best(theirs, options.repeat)
        rows.append(
            {"task": f"{corpus}: {name}", "ours_s": ours_s, "peer": PEER, "peer_s": peer_s, "ratio": peer_s / ours_s}
        )
    to_the_end = Categoriser(steps=1000).fit(X, Y)
    rows.append(
        {"task": f"{corpus}: label, EM to convergence", "ours_s": best(lambda: to_the_end.predict_proba(X_test), 2)}
    )
    show(rows, ["ratio = peer_s / ours_s."], options.json)


if __name__ == "__main__":
    main()
