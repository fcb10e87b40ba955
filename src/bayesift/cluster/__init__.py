"""Training and labelling on a Dask cluster (extra `cluster`)."""

from __future__ import annotations

from typing import Any

__all__ = ["DaskTextClassifier"]


def __getattr__(name: str) -> Any:
    if name == "DaskTextClassifier":
        from bayesift.cluster.classifier import DaskTextClassifier

        return DaskTextClassifier
    raise AttributeError(name)
