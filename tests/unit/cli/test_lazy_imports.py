"""A fast start leaves everything usable."""

import subprocess
import sys

AFTER = """
import sys
from bayesift.cli.lazy_imports import postponed
with postponed():
    import sklearn.base
    import sklearn.preprocessing  # binds scipy.stats by name
    assert not {"scipy.stats.distributions", "narwhals.dataframe"} & set(sys.modules)
    assert sys.modules["pandas"] is None
import pandas
import scipy.stats
import numpy as np
from sklearn.preprocessing import PowerTransformer
print(round(scipy.stats.norm.cdf(0.0), 2), pandas.DataFrame({"a": [1]}).shape)
from sklearn.utils.validation import check_array
check_array(pandas.DataFrame({"a": [1]}))  # uses narwhals, which was bound
print(PowerTransformer().fit_transform(np.arange(1.0, 9.0)[:, None]).shape)  # uses what was bound
"""


def test_all_is_there_afterwards():
    done = subprocess.run([sys.executable, "-c", AFTER], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "0.5 (1, 1)\n(8, 1)\n"


def test_what_is_loaded_stays_loaded():
    import pandas
    import scipy.stats

    from bayesift.cli.lazy_imports import postponed

    with postponed():
        assert sys.modules["pandas"] is pandas
    assert sys.modules["scipy.stats"] is scipy.stats
