"""Model files of format version 1: names of classes and settings that have changed since.

A version 1 file holds objects as {"object": class name, "settings": {..}} and rules as {"rule": class name, ..} (see
`bayesift.model_file.codec`). Reading one renames what is in it; everything else stays as it was written.
"""

from __future__ import annotations

from typing import Any

CLASSES = {
    "MultiLabel": "BOMC",
    "Knowledge": "PriorTerms",
    "Fixed": "Threshold",
    "JointCut": "JointThresholds",
    "ExpectedCut": "ExpectedFThresholds",
}
SETTINGS = {
    "TextClassifier": {"knowledge": "prior_terms"},
    "LabelClassifier": {"known": "feature_priors"},
    "BOMC": {"known": "feature_priors"},
    "PerLabel": {"known": "feature_priors", "cut": "min_statistic", "most": "max_terms"},
    "BayesianPerceptron": {"known": "feature_prior"},
    "SparseLogistic": {"known": "feature_prior"},
    "SparseProbit": {"known": "feature_prior"},
    "MaxF1": {"least": "fbr"},
    "SCut": {"least": "fbr"},
    "SCutFBR": {"least": "fbr"},
}
RULES = {"half": "0.5"}


def with_new_names(packed: Any) -> Any:
    """Return the content of a version 1 file under the names of today.

    >>> with_new_names({"object": "Knowledge", "settings": {"terms": {"dict": {}}}})
    {'object': 'PriorTerms', 'settings': {'terms': {'dict': {}}}}
    """
    if isinstance(packed, list):
        return [with_new_names(x) if isinstance(x, dict | list) else x for x in packed]
    if not isinstance(packed, dict):
        return packed
    found = {key: with_new_names(value) for key, value in packed.items()}
    match found:
        case {"object": str(name), "settings": dict(settings)}:
            name = CLASSES.get(name, name)
            if name == "TextClassifier" and isinstance(rule := settings.get("rule"), str):
                settings["rule"] = RULES.get(rule, rule)
            return {"object": name, "settings": _renamed(name, settings)}
        case {"rule": str(name)}:
            name = CLASSES.get(name, name)
            return _renamed(name, found | {"rule": name})
    return found


def _renamed(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    return {SETTINGS.get(name, {}).get(key, key): value for key, value in settings.items()}
