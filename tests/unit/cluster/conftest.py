"""A cluster of two workers on this machine, one for all tests of a module."""

import pytest


@pytest.fixture(scope="module")
def client():
    import distributed  # test modules skip without it

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
