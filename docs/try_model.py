"""Make docs/_static/try.js, the model of the page "Try it": which part of numpy, scipy or scikit-learn a text is about.

Run it with: python docs/try_model.py          (the corpus is that of the installed docstrings; half a minute)
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bayesift import TextClassifier, load_corpus
from bayesift.integrations import write_javascript

FILE = Path(__file__).parent / "_static" / "try.js"
SIZE = 250_000  # bytes
FEWEST = 40  # documents of a label


def main() -> None:
    """Learn the sub-packages that have many docstrings, and write the model.

    A sub-package has one name in all libraries: scipy.cluster and sklearn.cluster are about the same, and each alone
    has too few docstrings.
    """
    found = [(d, d.labels[-1].partition(".")[2]) for d in load_corpus("docstrings").documents() if d.labels]
    often = Counter(part for _, part in found if part)
    names = {name for name, count in often.items() if count >= FEWEST}
    some = [(f"{d.title} {d.body}", part) for d, part in found if part in names]
    model = TextClassifier().fit([text for text, _ in some], [(part,) for _, part in some])
    small = write_javascript(model, FILE, SIZE)
    terms = small.vectorizer_.vocabulary_.n_columns
    print(f"{FILE}: {FILE.stat().st_size:,} bytes, {len(names)} labels, {terms:,} terms")


if __name__ == "__main__":
    main()
