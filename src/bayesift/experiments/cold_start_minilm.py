"""Topics from a cold start with all-MiniLM-L6-v2 beside the words, as `TextFilter(meaning="minilm")` has it, on arXiv.

Rocchio has the same vectors. The same systems with words alone are in `cold_start`.
"""

from __future__ import annotations

import time

from bayesift.experiments.cold_start import DRAWS, FEW_DRAWS, STARTS, rows_of_traces, setting_of, traces_of
from bayesift.experiments.result import Options, Result
from bayesift.text.meaning.minilm import MiniLM

SYSTEMS = ("Rocchio", "GP target", "GP t9p", "GP daily")
NOTES = (
    "The vector of all-MiniLM-L6-v2 stands beside the words of each document and statement, with the weight 0.5 where"
    " words have 1. That weight was chosen among 0.5, 1 and 2 on the first third of arXiv (two draws).",
    f"Means over {FEW_DRAWS} draws, on all that follows the first fifth over {DRAWS}. The same systems with words alone"
    " are in cold-start.",
)


def table(options: Options) -> Result:
    """Compare ours and Rocchio on arXiv, from each start; Rocchio and t9p also on all that follows the first fifth."""
    start, encoder = time.monotonic(), MiniLM()
    result = Result("cold-start-minilm", "arxiv as a stream", notes=list(NOTES))
    whole = setting_of("arxiv", options, "whole", encoder)
    for how in ("2 examples and statement", "all examples"):
        for system in SYSTEMS[:3]:
            rows = rows_of_traces(system, f"arxiv whole, {how}", traces_of(whole, how, system))
            result.rows += [row for row in rows if row.metric == "T9P"]
    rest = setting_of("arxiv", options, "rest", encoder)
    for how in STARTS:
        for system in SYSTEMS:
            result.rows += rows_of_traces(system, f"arxiv, {how}", traces_of(rest, how, system, FEW_DRAWS))
    result.seconds = time.monotonic() - start
    return result
