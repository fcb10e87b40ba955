"""Kernels work where nothing can be cached."""

import pytest
from numba.core import caching

from bayesift.compile import kernel


def test_without_any_cache_directory(monkeypatch):
    for implementation in (caching.CompileResultCacheImpl, caching.CacheImpl):
        monkeypatch.setattr(implementation, "_locator_classes", [])

    @kernel
    def twice(x):
        return 2 * x

    assert twice(4) == 8


def test_errors_of_the_function_itself_are_not_hidden():
    with pytest.raises(KeyError, match="no_such_option"):
        kernel(no_such_option=True)(lambda x: x)(1)
