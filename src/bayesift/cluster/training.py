"""Feed batches of documents in order to the workers that own blocks of labels, and go on when a worker dies.

Each block of labels has an owner: an actor on one worker. Every `CHECKPOINT` batches its state is copied here. When the
worker is lost, the block goes on elsewhere from the last copy and learns the batches after it again: actors are
deterministic, so the result is the same to the bit. Batches that were lost with the worker are made again by Dask.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesift.classify.blocks.fitting import Counting, MarginCounts
from bayesift.classify.dense_weights import for_labels
from bayesift.cluster.connection import ClusterFailed, addresses, import_distributed
from bayesift.cluster.label_block import LabelBlock, blocks_of_labels, joined
from bayesift.learn.bomc.block_passes import BlockOrder, rows_in_order
from bayesift.learn.bomc.bomc import BOMC
from bayesift.progress import track

CHECKPOINT = 32  # batches
AHEAD = 4  # batches that a worker may have before it, so that it never waits
MOST_LOSSES = 20
POLL = 0.5  # seconds


class Step(NamedTuple):
    """One batch of one way."""

    way: int
    block: int
    skip: int  # documents of the batch whose margins do not count


class WorkerLost(Exception):
    """The worker that owned a block of labels is gone."""


def steps_of(order: BlockOrder, sizes: Sequence[int]) -> list[Step]:
    """Return the batches of both ways, in turn."""
    found: list[list[Step]] = []
    n = sum(sizes)
    for way in range(2):
        skip, steps = n - n // 2 if way else n // 2, []
        for block in (order.blocks[::-1] if way else order.blocks).tolist():
            steps.append(Step(way, block, min(max(skip, 0), sizes[block])))
            skip -= sizes[block]
        found.append(steps)
    return [step for pair in zip(*found) for step in pair]


class Owner:
    """A block of labels, and the worker that learns it."""

    def __init__(self, client: Any, template: BOMC, labels: tuple[int, int], counting: Counting, place: int) -> None:
        self.client, self.counting, self.labels, self.place = client, counting, labels, place
        self.template = for_labels(template, np.arange(*labels))
        self.checkpoint: tuple[int, dict[str, Any] | None] = (0, None)  # steps, and the state after them
        self.losses = 0
        self._start()

    def _start(self) -> None:
        workers = addresses(self.client)
        if not workers:
            raise ClusterFailed("no worker is left", remedy="start workers, and train again")
        self.address = workers[self.place % len(workers)]
        steps, state = self.checkpoint
        actor = self.client.submit(
            LabelBlock, self.template, *self.labels, self.counting, steps, state, actor=True, workers=[self.address],
            allow_other_workers=False, pure=False,
        )  # fmt: skip
        self.done = self.fed = steps
        self._tasks: list[Any] = []
        self.actor = self._result(actor)

    def feed(self, steps: Sequence[Step], batches: Sequence[Any], order: BlockOrder, begins: Any) -> None:
        """Submit batches until `AHEAD` of them wait."""
        while self.fed < len(steps) and len(self._tasks) < AHEAD:
            step = steps[self.fed]
            what = self.fed, step, batches[step.block], order.seed, int(begins[step.block])
            there = {"workers": [self.address], "allow_other_workers": False, "pure": False}
            self._tasks.append(self.client.submit(_learn, self.actor, *what, **there))
            self.fed += 1

    def wait(self, steps: int) -> None:
        """Wait for the oldest batch of so many; copy the state from time to time, but not shortly before the end."""
        self._result(self._tasks.pop(0))
        self.done += 1
        if self.done >= self.checkpoint[0] + CHECKPOINT and self.done + CHECKPOINT // 2 < steps:
            while self._tasks:  # the state is that after all batches submitted
                self._result(self._tasks.pop(0))
                self.done += 1
            self.checkpoint = (self.done, self._result(self.actor.state()))

    def result(self) -> tuple[dict[str, Any], MarginCounts]:
        """Return what was learned and counted."""
        found: tuple[dict[str, Any], MarginCounts] = self._result(self.actor.result())
        return found

    def move(self) -> None:
        """Go on elsewhere from the last copy."""
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise ClusterFailed(
                f"workers were lost {self.losses} times", remedy="look at their logs: memory may be too small"
            )
        time.sleep(POLL)
        try:
            self._start()
        except WorkerLost:
            self.move()

    def _result(self, future: Any) -> Any:
        """Return the result of a task; raise `WorkerLost` if its worker is gone."""
        while True:
            try:
                return future.result(timeout=POLL)
            except (TimeoutError, import_distributed().TimeoutError):
                if self.address not in addresses(self.client):
                    raise WorkerLost from None
            except Exception as error:
                if self.address not in addresses(self.client) or "Actor was lost" in str(error):
                    raise WorkerLost from None
                raise


def _learn(actor: Any, number: int, step: Step, batch: Any, seed: int, begin: int) -> int:
    """Hand a batch to the actor, which is on this worker; a call through Dask would send it through a socket.

    Tasks do not wait for each other, so that batches are fetched while others are learned; the actor keeps the order.
    """
    rows = rows_in_order(seed, step.block, batch[0].shape[0])
    rows = rows[::-1].copy() if step.way else rows
    owner: LabelBlock = import_distributed().get_worker().state.actors[actor.key]
    return owner.take(number, (step.way, batch, rows, begin, step.skip))


def learn_by_labels(
    client: Any, batches: Sequence[Any], sizes: Sequence[int], labels: int, learner: BOMC, seed: int, counting: Counting
) -> tuple[BOMC, MarginCounts]:
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
    seed : int
        Random seed of the order.
    counting : Counting
        What is counted of margins.
    """
    order, begins = BlockOrder(sizes, seed), np.cumsum([0, *sizes])
    steps = [step for step in steps_of(order, sizes) if sizes[step.block]]
    parts = blocks_of_labels(labels, len(addresses(client)), whole=learner.compact)
    owners = [Owner(client, learner, part, counting, place) for place, part in enumerate(parts)]

    def learn_until(owner: Owner, n: int) -> None:
        while owner.done < n:
            for each in owners:
                each.feed(steps, batches, order, begins)
            try:
                owner.wait(len(steps))
            except WorkerLost:
                owner.move()

    for n in track(range(len(steps)), "batches learned", len(steps)):
        for owner in owners:
            learn_until(owner, n + 1)
    found: list[tuple[dict[str, Any], MarginCounts]] = []
    for owner in owners:
        while len(found) <= owner.place:
            learn_until(owner, len(steps))
            try:
                found.append(owner.result())
            except WorkerLost:
                owner.move()
    return joined(learner, found, counting)
