"""A plain tokeniser and counter: what `bayesift.text` must equal, written without any of its code."""

import re
import unicodedata
from collections import Counter

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

CJK = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


UNSEEN = {0xAD, 0x61C, *range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A)}
UNSEEN |= {0xFEFF}


def is_cjk(c):
    return any(a <= ord(c) <= b for a, b in CJK)


def first_30_marks(piece):
    """Without the marks that come after 30 others."""
    found, run = "", 0
    for c in piece:
        run = run + 1 if unicodedata.category(c).startswith("M") or c in "\uff9e\uff9f" else 0
        found += c if run <= 30 else ""
    return found


def words(text, stem="english", stops=ENGLISH_STOP_WORDS, min_length=2):
    """The terms of a text, one after another, character by character."""
    stemmer = Stemmer.Stemmer(stem) if stem else None
    found = []
    for piece in re.split(r"[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]", text):
        piece = "".join(c for c in piece if ord(c) not in UNSEEN)
        piece = first_30_marks(piece.casefold())
        piece = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", piece).casefold())
        word = ""
        for c in [*piece, " "]:
            if c.isalnum() and not is_cjk(c):
                word += c
                continue
            if word and unicodedata.category(c).startswith("M"):
                word += c
                continue
            found.append(word)
            word = ""
            if is_cjk(c) and c.isalnum():
                found.append(c)
    kept = [w for w in found if w and len(w) <= 80 and w not in stops and (len(w) >= min_length or is_cjk(w[0]))]
    return [stemmer.stemWord(w) for w in kept] if stemmer else kept


def terms(document, ngrams=1, zones=(), **rules):
    """All terms of a fielded document, in the order in which they are met."""
    fields = document.items() if isinstance(document, dict) else [("", document)]
    for zone, text in fields:
        seen = []
        for word in words(text, **rules):
            seen.append(word)
            yield word
            if zone in zones:
                yield f"{zone}:{word}"
            for n in range(ngrams, 1, -1):
                if len(seen) >= n:
                    yield " ".join(seen[-n:])


def vocabulary(documents, min_df=1, **rules):
    """{term: (column, document frequency)}: a column when a term has come in min_df documents."""
    frequency, columns = Counter(), {}
    for document in documents:
        for term in dict.fromkeys(terms(document, **rules)):
            frequency[term] += 1
            if frequency[term] == min_df:
                columns[term] = len(columns)
    return {term: (column, frequency[term]) for term, column in columns.items()}
