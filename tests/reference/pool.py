"""The pool ranker's formulas in plain NumPy, with scikit-learn's vectors: dense, all eigenvectors, one solve."""

import re
from itertools import pairwise

import numpy as np
import Stemmer
from sklearn.feature_extraction.text import TfidfVectorizer

WORDS = re.compile(r"(?u)\b\w\w+\b")
STEMMER = Stemmer.Stemmer("english")


def terms(text):
    words = STEMMER.stemWords(WORDS.findall(text.lower()))
    return words + [f"{a} {b}" for a, b in pairwise(words)]


def analyse(record):
    title, abstract = record
    return 3 * terms(title) + terms(abstract)


def vectors(texts, question="", pair=0.4):
    """Vectors of the records, and of the question below them."""
    tfidf = TfidfVectorizer(analyzer=analyse, sublinear_tf=True, max_df=0.95, norm=None).fit(texts)
    X = tfidf.transform([*texts, ("", question)]).toarray()
    X *= np.where([" " in name for name in tfidf.get_feature_names_out()], pair, 1.0)
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(length > 0, length, 1.0)


def kernel(X, n, rank=64, smoothing=2.0):
    """S normalised, plus 1; the first n rows are the pool, over which it is smoothed."""
    K = X @ X.T
    values, U = np.linalg.eigh(K[:n, :n])
    values, U = values[::-1][:rank], U[:, ::-1][:, :rank]
    part = K[:, :n] @ U  # U lambda in the pool
    S = K + smoothing / values[1] * part @ part.T
    length = np.sqrt(np.diag(S))
    length[length == 0] = 1.0
    return S / np.outer(length, length) + 1.0


def scores(texts, judged, question="", relevant=0.25, irrelevant=12.5, asked=4.0):
    """Posterior means of all records, and leave-one-out means of the judged ones in ascending order."""
    n = len(texts)
    k = kernel(vectors(texts, question), n)
    rows = np.array(sorted(judged) + ([n] if question else []), int)
    truth = np.array([judged.get(i, True) for i in rows.tolist()])
    noise = np.where(rows == n, asked, np.where(truth, relevant, irrelevant))
    A = k[np.ix_(rows, rows)] + np.diag(noise)
    t = np.where(truth, 1.0, -1.0)
    alpha = np.linalg.solve(A, t)
    left_out = [
        k[i, rows[rows != i]] @ np.linalg.solve(A[np.ix_(rows != i, rows != i)], t[rows != i]) for i in sorted(judged)
    ]
    return k[:n, rows] @ alpha, np.array(left_out)
