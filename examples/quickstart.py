"""Train, measure, explain, save and load a classifier.

Run it with: python examples/quickstart.py
"""

from pathlib import Path
from tempfile import mkdtemp

from bayesift import TextClassifier, load, load_corpus

# Other input: texts and label sets, a column of a data frame, or a file: read_documents("mine.csv").
train, test = load_corpus("docstrings").split()

model = TextClassifier().fit(train)  # the documents have labels; otherwise .fit(texts, labels)
report = model.evaluate(test)
print(f"micro F1 {report.summary['micro F1']:.2f}, macro F1 {report.summary['macro F1']:.2f}")

print(model.predict(["Fit a linear model by least squares", "Discrete Fourier transform of a signal"]))

why = model.explain(["Fit a linear model by least squares"], ["sklearn"])[0]
for word in why.words[:3]:
    print(f"{word.term}: {word.mean:+.2f} ± {word.sd:.2f}")

file = Path(mkdtemp(), "docstrings.model")
model.save(file)  # one file, no pickle
assert load(file).predict(test[:50]) == model.predict(test[:50])
