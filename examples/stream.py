"""Learn a stream one document at a time, with river's verbs, and see the answers get better.

Run it with: python examples/stream.py
"""

import random

from bayesift import load_corpus
from bayesift.classify import OneByOne

documents = [d for d in load_corpus("docstrings").documents() if d.labels]
random.Random(0).shuffle(documents)
packages = ("numpy", "scipy", "sklearn")

stream, right = OneByOne(), []
for document in documents[:600]:
    truth = {name: name in document.labels for name in packages}
    right.append(stream.predict_one(document) == truth)  # first asked, then told
    stream.learn_one(document, truth)

print(f"right: {sum(right[:100])} of the first 100, {sum(right[-100:])} of the last 100")
assert sum(right[-100:]) > sum(right[:100])
