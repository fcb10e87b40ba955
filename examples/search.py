"""Choose settings with scikit-learn's GridSearchCV: a TextClassifier is an estimator like any other.

Run it with: python examples/search.py
"""

from sklearn.model_selection import GridSearchCV

from bayesift import TextClassifier, TextVectorizer, load_corpus

train, test = load_corpus("docstrings").split()
train, test = train[::4], test[::4]

settings = {"vectorizer": [TextVectorizer(), TextVectorizer(zones=["title"])], "rule": [None, "half"]}
search = GridSearchCV(TextClassifier(), settings, cv=3)
search.fit(train, [d.labels for d in train])
print(search.best_params_, f"{search.best_score_:.3f} by cross-validation,", end=" ")
print(f"{search.score(test, [d.labels for d in test]):.3f} on the test documents")
