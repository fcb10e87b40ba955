"""Words alone and with the corpus vector."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

CORPORA = ("reuters21578", "ohsumed91", "arxiv")
SIZES = ("5 per label", "20 per label", "1,000 documents", "all")
WORDS, LEARNED, UNLABELLED = "words alone", "corpus, documents learned", "corpus, unlabelled text"
METRICS = ("micro F1", "macro F1", "mean average precision", "times words alone")

LAYOUTS: dict[str, list[Layout]] = {
    "meaning-corpus": [
        Layout(
            metric[0].upper() + metric[1:],
            tuple(Line(f"{corpus}, {size}", setting=f"{corpus}, {size}") for corpus in CORPORA for size in SIZES),
            lines("system", (WORDS, LEARNED, UNLABELLED)), Line("", metric=metric), digits=1,
        )
        for metric in METRICS
    ],
}  # fmt: skip
