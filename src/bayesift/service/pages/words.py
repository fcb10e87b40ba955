"""The words of a topic, as its page sends them."""

from __future__ import annotations

import math

from bayesift.errors import BadInput
from bayesift.service.topic_form import WEIGHTS, is_weight
from bayesift.service.views import FORBIDDEN_SD

FORBIDDEN = (0.0, FORBIDDEN_SD)  # a word that counts for nothing


def edited_words(given: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Return the words of the form: those set, the new one, and forbidden ones.

    >>> edited_words({"set:wheat": "1.5", "set:oil": "", "forbid:spam": "on", "new": "corn", "new_weight": "2"})
    {'wheat': (1.5, 0.5), 'spam': (0.0, 0.001), 'corn': (2.0, 0.5)}
    """
    found: dict[str, tuple[float, float]] = {}
    pairs = [(name.removeprefix("set:"), value) for name, value in given.items() if name.startswith("set:")]
    if given.get("new", "").strip():
        pairs.append((given["new"].strip(), given.get("new_weight", "") or "1"))
    forbidden = {name.removeprefix("forbid:"): FORBIDDEN for name in given if name.startswith("forbid:")}
    for word, value in pairs:
        if value.strip() and word not in forbidden:
            try:
                mean = float(value)
            except ValueError:
                mean = math.nan
            if not is_weight(mean):
                raise BadInput(f"the weight of {word[:40]!r} is {value[:20]!r}", remedy=f"give {WEIGHTS}")
            found[word] = (mean, 0.5)
    new = {word: pair for word, pair in found.items() if word not in dict(pairs[:-1])}
    return {w: p for w, p in found.items() if w not in new} | forbidden | new
