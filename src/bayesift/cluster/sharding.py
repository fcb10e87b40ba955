"""Documents in shards on the workers of a cluster, merged in rounds (`learn.bomc.shards`), block of labels by block.

Every step is a pure task, so Dask makes again what is lost with a worker. Labels do not touch each other: each block of
labels is merged on its own, and all blocks at the same time, a grid of shards and blocks of labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.blocks.fitting import Counting, MarginCounts
from bayesift.classify.dense_weights import for_labels
from bayesift.cluster.label_block import blocks_of_labels, joined, parts_of
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.bomc.shards import Factor, Merge, Shard, Turn, positives_of, turns_of
from bayesift.progress import track

Longs = NDArray[np.int64]
LABELS = 1024  # of a block, so that what is sent of it stays small


def learn_by_documents(
    client: Any, batches: Sequence[Any], sizes: Sequence[int], labels: int, learner: BOMC, counting: Counting,
    shards: int,
) -> tuple[BOMC, MarginCounts]:  # fmt: skip
    """Return a learner of all documents, and the counts of their margins.

    Parameters
    ----------
    client : distributed.Client
        The cluster.
    batches : futures
        Vectors and labels of each block of documents.
    sizes : sequence of int
        Documents of each.
    labels : int
        Number of labels.
    learner : BOMC
        Settings.
    counting : Counting
        What is counted of margins.
    shards : int
        Shards that batches are put together to, at most; a batch is not split.
    """
    begins = np.cumsum([0, *sizes])
    groups = [group for group in np.array_split(np.flatnonzero(sizes), shards) if group.size]
    wholes, ranges = [], []  # of each shard its documents, and where their numbers begin and end
    for group in groups:
        wholes.append(client.submit(_stacked, [batches[b] for b in group.tolist()], pure=False))
        ranges.append([(int(begins[b]), int(begins[b + 1])) for b in group.tolist()])
    many = [sum(end - begin for begin, end in own) for own in ranges]
    have = client.gather([client.submit(_positives, whole, pure=False) for whole in wholes])
    features = client.submit(_features, wholes[0], pure=False).result()
    blocks = blocks_of_labels(labels, -(-labels // LABELS), whole=learner.compact)
    merges = []
    for first, last in blocks:
        template = for_labels(learner, np.arange(first, last))
        positives = [part[first:last] for part in have]
        merges.append(client.submit(Merge.of, template, features, positives, many, pure=False))
    sharded = [
        [client.submit(_shard, merge, whole, block, pure=False) for whole in wholes]
        for merge, block in zip(merges, blocks)
    ]
    factors = [[client.submit(_nothing, shard, pure=False) for shard in row] for row in sharded]
    beliefs = [client.submit(_belief, merge, row, pure=False) for merge, row in zip(merges, factors)]
    counts: list[list[Any]] = []
    turns = turns_of(len(wholes))
    for turn in track(turns, "rounds"):
        for merge, row, known, belief in zip(merges, sharded, factors, beliefs):
            learned = []
            for k in turn.workers:
                own = ranges[k] if turn is turns[-1] else None
                learned.append(
                    client.submit(_learn, merge, row[k], belief, known[k], turn, own, counting, pure=False)
                )
            for k, pair in zip(turn.workers, learned):
                known[k] = client.submit(_first, pair, pure=False)
            if turn is turns[-1]:
                counts.append([client.submit(_second, pair, pure=False) for pair in learned])
        beliefs = [client.submit(_belief, merge, list(row), pure=False) for merge, row in zip(merges, factors)]
        client.gather([client.submit(_done, belief, pure=False) for belief in beliefs])
    parts = []
    for merge, belief, row in zip(merges, beliefs, counts):
        found = client.gather(row)
        for other in found[1:]:
            found[0].merge(other)
        parts.append((client.submit(_parts, merge, belief, pure=False).result(), found[0]))
    return joined(learner, parts, counting)


def _stacked(batches: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    rows, labels = zip(*batches)
    return sparse.csr_matrix(sparse.vstack(rows)), sparse.csr_matrix(sparse.vstack(labels))


def _positives(whole: tuple[Any, Any]) -> Longs:
    return positives_of(whole[1])


def _features(whole: tuple[Any, Any]) -> int:
    return int(whole[0].shape[1])


def _shard(merge: Merge, whole: tuple[Any, Any], block: tuple[int, int]) -> Shard:
    return Shard(merge.settings, whole[0], whole[1][:, slice(*block)])


def _nothing(shard: Shard) -> Factor:
    return shard.nothing()


def _belief(merge: Merge, factors: list[Factor]) -> Any:
    return merge.belief(factors)


def _parts(merge: Merge, belief: Any) -> dict[str, Any]:
    return parts_of(merge.model(belief).belief_)


def _learn(
    merge: Merge, shard: Shard, belief: Any, factor: Factor, turn: Turn, ranges: list[tuple[int, int]] | None,
    counting: Counting,
) -> tuple[Factor, MarginCounts | None]:  # fmt: skip
    """Let a shard learn; with the numbers of its documents, in `ranges`, their margins are counted."""
    found, margins = shard.learn(belief, factor, merge.step(turn), turn.number)
    if ranges is None:
        return found, None
    counts = MarginCounts(counting, shard.labels.shape[1])
    counts.add(np.concatenate([np.arange(*each) for each in ranges]), margins, shard.labels)
    return found, counts


def _first(pair: tuple[Factor, Any]) -> Factor:
    return pair[0]


def _second(pair: tuple[Any, MarginCounts]) -> MarginCounts:
    return pair[1]


def _done(belief: Any) -> None:
    """Wait for a belief without moving it."""
