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
FEWEST = 20  # documents of a label: with 40 the page knows no clustering


def main() -> None:
    """Learn the sub-packages that have many docstrings, and write the model."""
    found = [d for d in load_corpus("docstrings").documents() if d.labels]
    often = Counter(d.labels[-1] for d in found)
    names = {name for name, count in often.items() if count >= FEWEST and "." in name}
    some = [d for d in found if d.labels[-1] in names]
    model = TextClassifier().fit([f"{d.title} {d.body}" for d in some], [(d.labels[-1],) for d in some])
    small = write_javascript(model, FILE, SIZE)
    terms = small.vectorizer_.vocabulary_.n_columns
    print(f"{FILE}: {FILE.stat().st_size:,} bytes, {len(names)} labels, {terms:,} terms")


if __name__ == "__main__":
    main()
