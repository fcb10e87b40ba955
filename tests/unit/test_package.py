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


@pytest.mark.parametrize("name", ["bayesift", "bayesift.integrations"])
def test_import_does_no_work(name):
    code = (
        f"import sys; before = set(sys.modules); import {name}; new = set(sys.modules) - before;"
        " print(*sorted(m for m in new if m.partition('.')[0] not in sys.stdlib_module_names))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {"bayesift", name}
