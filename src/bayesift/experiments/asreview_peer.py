"""ASReview's default ranker, ELAS u4, by ASReview's own classes, over the same pool from the same records."""

from __future__ import annotations

import contextlib
import tempfile
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import NotFound

BoolArray = NDArray[np.bool_]


def elas_u4(texts: Sequence[tuple[str, str]], truth: BoolArray, known: Sequence[int]) -> BoolArray:
    """Return whether each record is relevant, in the order in which ELAS u4 reads them; known records do not count.

    It refits after each record, and stops when all relevant records are found; the others follow.
    """
    check_asreview()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions of pandas
        import pandas as pd
        from asreview import Simulate
        from asreview.learner import ActiveLearningCycle
        from asreview.models.models import get_ai_config

        table = pd.DataFrame(texts, columns=["title", "abstract"])
        cycle = ActiveLearningCycle.from_meta(get_ai_config("elas_u4")["value"])
        run = Simulate(table, truth.astype(int), [cycle], print_progress=False)
        run.label(list(known))
        run.review()
        read = run._results["label"].to_numpy()[len(known) :].astype(bool)
    return np.concatenate([read, np.zeros(truth.size - len(known) - read.size, bool)])


def check_asreview() -> None:
    """Raise `NotFound` if ASReview is not installed; else import it where its cache file is not in the way."""
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            import asreview  # noqa: F401
    except ModuleNotFoundError as error:
        raise NotFound(f"cannot import {error.name}", remedy="pip install 'bayesift[bench]'") from error
