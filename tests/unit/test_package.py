"""The public names: few, all there, and free at import."""

import subprocess
import sys

import pytest

import bayesift


def test_every_public_name_is_there():
    assert len(bayesift.__all__) <= 25
    for name in bayesift.__all__:
        assert getattr(bayesift, name) is not None
    assert set(bayesift.__all__) <= set(dir(bayesift))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = bayesift.Nothing


def test_import_does_no_work():
    code = "import sys, bayesift; print([m for m in ('numpy', 'numba', 'sklearn') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
