"""ASReview 3: the ranker of a pool and BOMC as classifiers, our vectors as a feature extractor, and a preset of them.

ASReview finds the classes by the entry points in `pyproject.toml` and calls `fit` with the labelled rows of a feature
matrix after every label, then `predict_proba` with the others. Nothing here imports ASReview but `preset`.
"""

from __future__ import annotations

from typing import Any

from bayesift.integrations.asreview.features import PoolFeatures
from bayesift.integrations.asreview.online_classifier import OnlineClassifier
from bayesift.integrations.asreview.pool_classifier import PoolClassifier
from bayesift.integrations.extras import needed

__all__ = ["MODEL_METADATA", "OnlineClassifier", "PoolClassifier", "PoolFeatures", "preset"]

MODEL_METADATA = {
    "classifiers": {found.name: {"label": found.label} for found in (PoolClassifier, OnlineClassifier)},
    "feature_extractors": {PoolFeatures.name: {"label": PoolFeatures.label}},
}


def preset() -> Any:
    """Return our counterpart of ELAS u4, as ASReview's `ActiveLearningCycleData`.

    Raises
    ------
    NotFound
        If ASReview is not installed.
    """
    asreview = needed("asreview", "asreview")
    return asreview.ActiveLearningCycleData(
        querier="max", classifier="bayesift_pool", feature_extractor="bayesift", balancer=None
    )
