"""The colours of every page and chart, light and dark, as CSS variables.

`--c1` to `--c8` colour the series of charts. `--for` and `--against` are colour triples: they shade words, bars and
cells by strength. A page, a notebook cell and a chart in a file of its own take their colours from here.
"""

from __future__ import annotations

LIGHT = (
    "--ground:#fbfbf9;--card:#fff;--ink:#1c2430;--soft:#5c6675;--line:#e1e4e8;--for:31,95,174;--against:180,83,26;"
    "--shade:#0003;--c1:#1f5fae;--c2:#b4531a;--c3:#2e7d4f;--c4:#7a4fb5;--c5:#b0306a;--c6:#0f7b8a;--c7:#8a6d00;"
    "--c8:#5c6675"
)
DARK = (
    "--ground:#14181e;--card:#1b2028;--ink:#e6e9ee;--soft:#9aa5b4;--line:#2e3642;--for:96,160,240;--against:240,150,90;"
    "--shade:#fff4;--c1:#7db4f5;--c2:#f0a06a;--c3:#7ccf9d;--c4:#c3a5f0;--c5:#f08fbb;--c6:#6fcbd6;--c7:#dcc165;"
    "--c8:#9aa5b4"
)
COLOURS = tuple(f"var(--c{k})" for k in range(1, 9))
FONT = 'system-ui,-apple-system,"Segoe UI",sans-serif'


def colours(selector: str) -> str:
    """Return the rules that set the variables for a selector, dark where the reader prefers dark.

    >>> colours("svg").count("--ink")
    2
    """
    return f"{selector}{{{LIGHT}}}@media(prefers-color-scheme:dark){{{selector}{{{DARK}}}}}"
