"""Learn a stream one document at a time, compare with river's naive Bayes and with training on all documents at once.

Run it with: python examples/stream.py          (river is optional: pip install river)
"""

import random
from collections.abc import Callable
from typing import Any

from bayesift import Document, TextClassifier, load_corpus
from bayesift.integrations import RiverAdapter

PACKAGES = ("numpy", "scipy", "sklearn")
documents = [d for d in load_corpus("docstrings").documents() if d.labels]
random.Random(0).shuffle(documents)
stream, held_out = documents[:1000], documents[1000:2000]


def truth(document: Document) -> dict[str, bool]:
    """Return a target as river has it: for each label whether the document has it."""
    return {name: name in document.labels for name in PACKAGES}


def right(predict: Callable[..., Any], learn: Callable[..., Any], some: list[Document]) -> list[bool]:
    """Predict each document, then learn it (prequential); return for each whether all labels were right."""
    found = []
    for document in some:
        found.append(predict(document) == truth(document))
        learn(document, truth(document))
    return found


ours = RiverAdapter()
found = right(ours.predict_one, ours.learn_one, stream)
print(f"right: {sum(found[:100])} of the first 100, {sum(found[-100:])} of the last 100")

try:
    from river import feature_extraction, multioutput, naive_bayes
except ImportError:
    print("river is not installed: nothing to compare the first 100 with")
else:
    bayes = multioutput.MultiClassEncoder(
        feature_extraction.BagOfWords(on="text", lowercase=True) | naive_bayes.MultinomialNB()
    )
    peer = right(
        lambda d: bayes.predict_one({"text": f"{d.title} {d.body}"}),
        lambda d, y: bayes.learn_one({"text": f"{d.title} {d.body}"}, y),
        stream[:100],
    )
    print(f"river's naive Bayes: {sum(peer)} of the first 100")
    assert sum(found[:100]) >= sum(peer)

batch = TextClassifier().fit(stream, [tuple(c for c in PACKAGES if c in d.labels) for d in stream])
asked = [{c for c in PACKAGES if c in d.labels} for d in held_out]
exact = {
    name: sum(set(given) == labels for given, labels in zip(model.predict(held_out), asked)) / len(asked)
    for name, model in (("one by one", ours.model), ("batch", batch))
}
print("on 1,000 others: " + ", ".join(f"{name} {100 * share:.1f} %" for name, share in exact.items()))
assert exact["one by one"] > exact["batch"] - 0.01
