"""Choose settings with scikit-learn's GridSearchCV: a TextClassifier is a scikit-learn estimator.

Run it with: python examples/search.py
"""

from sklearn.model_selection import GridSearchCV, KFold

from bayesift import TextClassifier, load_corpus

train, test = load_corpus("docstrings").split()
train, test = train[::4], test[::4]

settings = {"vectorizer__zones": [(), ("title",)], "rule": [None, "0.5"]}
search = GridSearchCV(TextClassifier(), settings, cv=KFold(3, shuffle=True, random_state=0))
search.fit(train)  # the documents have labels
print(search.best_params_, f"{search.best_score_:.3f} by cross-validation,", end=" ")
print(f"{search.score(test):.3f} on the test documents")
