"""Use prior terms: weights of terms that no training document has.

Run it with: python examples/prior_terms.py
"""

from bayesift import TextClassifier
from bayesift.learn import PriorTerms

texts = ["wheat harvest rose", "corn exports", "oil prices fell", "crude oil output", "vessel held in port"] * 4
labels = [("grain",), ("grain",), ("crude",), ("crude",), ()] * 4

# No document has the word petroleum. A person knows that it is evidence for crude: a weight of 5 with deviation 1.
known = {"crude": PriorTerms({"petroleum": (5.0, 1.0)})}

for name, prior_terms in (("without", None), ("with", known)):
    model = TextClassifier(prior_terms=prior_terms).fit(texts, labels)
    p = dict(zip(model.classes_, model.predict_proba(["petroleum shipments"])[0]))
    print(f"{name} prior terms: P(crude) = {p['crude']:.2f}")
