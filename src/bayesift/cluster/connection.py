"""Connect to a Dask scheduler, or start workers on this machine, and check that the workers fit."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from typing import Any

import bayesift
from bayesift.errors import BayesiftError, NotFound

LOCAL = "local"
SECONDS = 5  # to wait for a scheduler


class ClusterFailed(BayesiftError, OSError):
    """Cluster that cannot be reached or used; also an OSError."""


def import_distributed() -> Any:
    """Return the package `distributed`, or raise `NotFound` naming the extra."""
    try:
        import distributed
    except ImportError:
        remedy = "install it: pip install 'bayesift[cluster]'"
        raise NotFound("a cluster needs dask and distributed, which are missing", remedy=remedy) from None
    return distributed


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[Any]:
    """Yield a client of the scheduler at this address; `local` starts one worker per core on this machine.

    Raises
    ------
    NotFound
        If distributed is not installed.
    ClusterFailed
        If there is no scheduler, or a worker does not have this version of bayesift.
    """
    distributed = import_distributed()
    with contextlib.ExitStack() as stack:
        if scheduler == LOCAL:
            cores = os.cpu_count() or 1
            cluster = distributed.LocalCluster(
                n_workers=cores, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.ERROR
            )
            client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        else:
            client = stack.enter_context(_client(distributed, scheduler))
        check_workers(client)
        yield client


def _client(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=SECONDS)
    except (OSError, ValueError) as error:
        reason = f"no Dask scheduler at {address}: {str(error).splitlines()[0]}"
        raise ClusterFailed(reason, remedy="start one with `dask scheduler`, or use local") from None


def check_workers(client: Any) -> list[str]:
    """Return the addresses of the workers.

    Raises
    ------
    ClusterFailed
        If there is none, or one does not have this version of bayesift.
    """
    workers = addresses(client)
    if not workers:
        raise ClusterFailed("the scheduler has no workers", remedy="start some with `dask worker ADDRESS`")

    def own_version() -> str | None:  # nested, so that it is sent as code: workers may lack the package
        try:
            from bayesift import __version__
        except ImportError:
            return None
        return __version__

    found = client.run(own_version)
    for worker, version in found.items():
        if version is None:
            remedy = "install it there: pip install 'bayesift[cluster]'"
            raise ClusterFailed(f"the worker {worker} does not have bayesift", remedy=remedy)
        if version != bayesift.__version__:
            reason = f"the worker {worker} has bayesift {version}, not {bayesift.__version__}"
            raise ClusterFailed(reason, remedy="install the same version everywhere")
    return workers


def addresses(client: Any) -> list[str]:
    """Return the addresses of the workers that are there now, by name."""
    return sorted(client.scheduler_info(n_workers=-1)["workers"])
