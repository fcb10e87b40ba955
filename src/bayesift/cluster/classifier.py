"""`DaskTextClassifier`: the `TextClassifier` of a cluster, with the interface of LightGBM's and XGBoost's."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.registry import vectorizer_of
from bayesift.classify.text_classifier import TextClassifier
from bayesift.cluster.connection import LOCAL, check_workers, connected, import_distributed
from bayesift.cluster.documents import ClusterDocuments, sources_of
from bayesift.cluster.partitions import Reader
from bayesift.errors import BadInput, NotFound, Notice


class DaskTextClassifier:
    """A text classifier that learns and predicts on a Dask cluster.

    Vectors are made once, on the workers. By default each worker owns a block of labels and learns all documents in one
    order, so that the model is the same, bit for bit, for any number of workers. With `shards` each worker learns a
    part of the documents, for all labels, and what they say is merged in rounds.

    Parameters
    ----------
    client : distributed.Client, optional
        The cluster; None is the current client, else workers on this machine.
    shards : int, optional
        Parts of the documents that are learned at the same time, at most one per partition; None shares out labels.
    **settings
        Settings of `TextClassifier`: words alone, and a learner with independent labels without drift.

    Examples
    --------
    >>> DaskTextClassifier(rule="max-f1").model.rule
    'max-f1'
    """

    def __init__(self, client: Any = None, *, shards: int | None = None, **settings: Any) -> None:
        if shards is not None and (not isinstance(shards, int) or shards < 1):
            raise BadInput(f"shards is {shards!r}", remedy="give a whole number from 1 on, or None")
        self.client, self.shards, self.model = client, shards, TextClassifier(**settings)

    @classmethod
    def around(cls, model: TextClassifier, client: Any = None) -> DaskTextClassifier:
        """Return one that fits and uses this model."""
        found = cls(client)
        found.model = model
        return found

    def fit(self, X: Any, y: None = None, *, skip_bad: bool = False, reader: Reader | None = None) -> Self:
        """Learn from scratch.

        Parameters
        ----------
        X : a Dask bag of documents, a Dask data frame, or names of files
            Documents bring their labels, as in `TextClassifier.fit`. A file is one partition.
        y : None
            Labels are part of the documents.
        skip_bad : bool
            Whether files and lines that cannot be read are left out, with a warning.
        reader : Reader, optional
            How files are read, if not in the usual way.

        Raises
        ------
        BadInput
            If settings need all documents in one place, or documents are of another kind.
        ClusterFailed
            If there is no cluster, or its workers do not fit.
        """
        if y is not None:
            raise BadInput("labels are given apart from the documents", remedy="give documents with their labels")
        learner = self.check()
        vectorizer, hierarchy = clone(vectorizer_of(self.model.vectorizer, learner)), Hierarchy.of(self.model.hierarchy)
        with self._cluster() as client:
            reader = replace(reader or Reader(skip_bad=skip_bad), hierarchy=hierarchy)
            documents = ClusterDocuments(client, sources_of(X, client), vectorizer, reader, self.shards)
            bad = sum(summary.bad for summary in documents.summaries)
            if bad:
                first = next(summary.first_bad for summary in documents.summaries if summary.bad)
                warnings.warn(f"{bad:,} bad lines or files skipped, first: {first}", Notice, stacklevel=2)
            self.model.fit_cluster(documents, learner)
        return self

    def check(self) -> Any:
        """Return the learner, before any worker is asked.

        Raises
        ------
        BadInput
            If settings need all documents in one place.
        """
        learner = self.model.check()
        if not self.model.learns_blocks(learner):
            raise BadInput(
                f"the learner {self.model.learner!r} with these settings needs all documents in one place",
                remedy="use the learner multilabel or bomc with independent labels, without drift, meaning and"
                " unlabelled text; or TextClassifier",
            )
        return learner

    def predict(self, X: Any) -> Any:
        """Return the labels of documents, lazily: a bag for a bag, a series for a data frame."""
        return self._mapped(X, "predict", (None, object))

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each label, lazily: a Dask array (documents, labels)."""
        import dask.array as da

        delayed = import_dask().delayed
        model = delayed(self.to_local(), pure=True)
        parts = [delayed(_predicted)(model, part, "predict_proba") for part in np.ravel(X.to_delayed())]
        shape = (np.nan, len(self.to_local().classes_))
        arrays = [da.from_delayed(part, shape, np.float64) for part in parts]
        return da.concatenate(arrays, allow_unknown_chunksizes=True)

    def to_local(self) -> TextClassifier:
        """Return an ordinary `TextClassifier`, which can be saved."""
        if not hasattr(self.model, "classifier_"):
            raise NotFound("nothing was learned yet", remedy="call fit first")
        return self.model

    def _mapped(self, X: Any, method: str, meta: Any) -> Any:
        model = import_dask().delayed(self.to_local(), pure=True)
        if hasattr(X, "columns"):
            return X.map_partitions(_series, model, method, meta=meta)
        if not hasattr(X, "map_partitions"):
            remedy = "give a Dask bag or data frame, or use to_local()"
            raise BadInput(f"documents are {type(X).__name__}", remedy=remedy)
        return X.map_partitions(_listed, model, method)

    @contextlib.contextmanager
    def _cluster(self) -> Iterator[Any]:
        client = self.client
        if client is None:
            with contextlib.suppress(ValueError):
                client = import_distributed().get_client()
        if client is None:
            with connected(LOCAL) as client:
                yield client
        else:
            check_workers(client)
            yield client


def import_dask() -> Any:
    """Return the package `dask`."""
    import_distributed()
    import dask

    return dask


def _predicted(model: TextClassifier, documents: Any, method: str) -> Any:
    found = documents if hasattr(documents, "columns") else list(documents)
    return getattr(model, method)(found)


def _listed(documents: Any, model: TextClassifier, method: str) -> list[Any]:
    return list(_predicted(model, documents, method))


def _series(frame: Any, model: TextClassifier, method: str) -> Any:
    from pandas import Series

    return Series(_listed(frame, model, method), index=frame.index, dtype=object)
