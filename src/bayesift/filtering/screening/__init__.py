"""Screening a literature: rank a finite pool of records, estimate how many relevant ones are unread, and keep a review.

The public names are imported when first used: a review needs a database, a ranker does not. Files of references are in
`bayesift.filtering.screening.records`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Review": "review",
    "ReviewSettings": "store.settings",
    "Agreement": "store.agreement",
    "Progress": "store.views",
    "ToRead": "store.views",
    "PoolRanker": "pool_ranker",
    "Reading": "reading",
    "StoppingRule": "stopping",
    "certify": "certified",
    "estimate_remaining": "remaining",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
