"""Documents on a cluster, in partitions: what `LabelClassifier.fit_blocks` learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.blocks.counted import blocks_for
from bayesift.classify.blocks.fitting import Counting, MarginCounts, in_blocks, put_together
from bayesift.classify.completion import Completion
from bayesift.classify.input_labels import Label
from bayesift.cluster.partitions import CountedPartition, Reader, Summary, count_partition, groups_of, together
from bayesift.cluster.sharding import learn_by_documents
from bayesift.cluster.training import learn_by_labels
from bayesift.cluster.vocabularies import Terms, merge_on_cluster
from bayesift.corpora.document_files import all_files
from bayesift.errors import BadInput
from bayesift.learn.bomc.bomc import BOMC
from bayesift.progress import track
from bayesift.text import TextVectorizer

Longs = NDArray[np.int64]


def sources_of(X: Any, client: Any) -> list[Any]:
    """Return partitions of documents: files, or futures of lists or data frames.

    X is a Dask bag or data frame, or the name of a file, folder or pattern, or a list of such names.
    """
    if isinstance(X, str | Path):
        X = [X]
    if isinstance(X, Sequence) and X and all(isinstance(name, str | Path) for name in X):
        return list(all_files(X))
    if not hasattr(X, "to_delayed"):
        raise BadInput(
            f"documents are {type(X).__name__}",
            remedy="give a Dask bag or data frame, or names of files; TextClassifier takes lists",
        )
    return list(client.compute(list(np.ravel(np.array(X.to_delayed(), dtype=object)))))


@dataclass
class Columns:
    """What a worker needs to make vectors of counted documents."""

    vectorizer: TextVectorizer
    labels: list[Label]

    def counts(self, partition: CountedPartition) -> sparse.csr_matrix:
        """Return term counts."""
        return self.vectorizer.count_matrix(partition.terms, partition.counts, partition.ends)

    def batch(self, partition: CountedPartition) -> tuple[Any, Any]:
        """Return vectors, in the precision that is learned, and labels."""
        rows = self.vectorizer.weigh(self.counts(partition))
        rows.data = rows.data.astype(np.float32)
        return rows, self.label_matrix(partition)

    def label_matrix(self, partition: CountedPartition) -> sparse.csr_matrix:
        """Return labels (documents, labels) of 0 and 1."""
        column = {label: c for c, label in enumerate(self.labels)}
        numbers = np.array([column[label] for label in partition.labels], np.int32)
        data = np.ones(partition.codes.size, np.int8)
        shape = (partition.label_ends.size - 1, len(self.labels))
        matrix = sparse.csr_matrix((data, numbers[partition.codes], partition.label_ends), shape=shape)
        matrix.sort_indices()
        return matrix


class ClusterDocuments:
    """Documents counted on the workers of a cluster; only what the model needs of them comes to the client."""

    def __init__(
        self, client: Any, sources: Sequence[Any], vectorizer: TextVectorizer, reader: Reader, shards: int | None
    ) -> None:
        self.client, self.shards, self._settings = client, shards, vectorizer
        counted = [client.submit(count_partition, source, vectorizer, reader, pure=False) for source in sources]
        partitions, terms, summaries = (
            [client.submit(_part, found, k, pure=False) for found in counted] for k in range(3)
        )
        self._terms, places = merge_on_cluster(client, terms)
        self.summaries: list[Summary] = []
        for number in track(range(len(summaries)), "partitions counted"):
            self.summaries.append(summaries[number].result())
        sizes = [summary.documents for summary in self.summaries]
        groups = groups_of(sizes, self._blocks() if shards is None else sum(sizes) or 1)
        self.sizes = [sum(sizes[begin:end]) for begin, end in groups]
        self._partitions = [
            client.submit(together, partitions[begin:end], places[begin:end], pure=False) for begin, end in groups
        ]
        self.vectorizer = self._terms.result().fitted(vectorizer)
        self.completed = Completion.total(reader.hierarchy, [summary.completed for summary in self.summaries])
        self._columns: Any = None

    def _blocks(self) -> int:
        """Return how many blocks one process would learn."""
        documents, entries = (sum(getattr(s, name) for s in self.summaries) for name in ("documents", "entries"))
        labels = len({label for summary in self.summaries for label in summary.labels})
        return max(1, blocks_for(documents, entries, labels))

    @property
    def fewest_labels(self) -> int:
        """Fewest labels of a document."""
        return min((summary.fewest for summary in self.summaries if summary.documents), default=0)

    @property
    def most_labels(self) -> int:
        """Most labels of a document."""
        return max((summary.most for summary in self.summaries), default=0)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self._labels)

    def use_labels(self, labels: Sequence[Label]) -> None:
        """Take the labels as columns in this order, and make vectors."""
        self._labels = list(labels)
        # Tasks, not scattered data: what is lost with a worker can be made again.
        self._columns = self.client.submit(_columns, self._terms, self._settings, self._labels, pure=False)
        self._batches = [self.client.submit(_batch, self._columns, found, pure=False) for found in self._partitions]

    def take(self, documents: Longs, *, weigh: bool = False) -> tuple[Any, Any]:
        """Return term counts, or with `weigh` vectors, and labels of some documents, in the order given."""
        found = in_blocks(documents, self.sizes)
        if weigh:
            tasks = [self.client.submit(_some, self._batches[block], own, pure=False) for block, own, _ in found]
        else:
            tasks = [
                self.client.submit(_some_counts, self._columns, self._partitions[block], own, pure=False)
                for block, own, _ in found
            ]
        parts, places = self.client.gather(tasks), [place for _, _, place in found]
        return put_together([p[0] for p in parts], places), put_together([p[1] for p in parts], places)

    def labels_of(self, documents: Longs) -> sparse.csr_matrix:
        """Return the labels of some documents, in the order given."""
        found = in_blocks(documents, self.sizes)
        tasks = [
            self.client.submit(_some_labels, self._columns, self._partitions[b], own, pure=False) for b, own, _ in found
        ]
        return put_together(self.client.gather(tasks), [place for _, _, place in found])

    def learn(self, learner: BOMC, seed: int, counting: Counting) -> tuple[BOMC, MarginCounts]:
        """Return a learner of all documents, in an order by the seed, and the counts of their margins."""
        what = self.client, self._batches, self.sizes, self.n_labels, learner
        if self.shards is not None:
            return learn_by_documents(*what, counting, self.shards)
        return learn_by_labels(*what, seed, counting)


def _part(counted: tuple[CountedPartition, Terms, Summary], number: int) -> Any:
    return counted[number]


def _columns(terms: Terms, vectorizer: TextVectorizer, labels: list[Label]) -> Columns:
    return Columns(terms.fitted(vectorizer, words=False), labels)


def _batch(columns: Columns, partition: CountedPartition) -> tuple[Any, Any]:
    return columns.batch(partition)


def _some(batch: tuple[Any, Any], documents: Longs) -> tuple[Any, Any]:
    return batch[0][documents].astype(np.float64), batch[1][documents]


def _some_counts(columns: Columns, partition: CountedPartition, documents: Longs) -> tuple[Any, Any]:
    few = partition.some(documents)
    return columns.counts(few), columns.label_matrix(few)


def _some_labels(columns: Columns, partition: CountedPartition, documents: Longs) -> sparse.csr_matrix:
    return columns.label_matrix(partition.some(documents))
