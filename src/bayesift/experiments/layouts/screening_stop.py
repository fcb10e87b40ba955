"""When to stop a review: coverage of the interval, and what each rule misses and reads."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

PARTS = ("reviews", "made pools")
READ = tuple(f"{share} % read" for share in (5, 10, 20, 30, 50, 70, 90))
RULES = (
    "oracle: 95 % just found", "certified, 95 % certain", "model, 95 % certain", "50 irrelevant in a row",
    "100 irrelevant in a row", "half of the pool",
)  # fmt: skip
FIGURES = tuple(
    Line(f"{part}: {metric}", setting=part, metric=metric, digits=1)
    for part in (*PARTS, "relevant ones last", "a tenth hidden")
    for metric in ("errs, %", "recall, %", "read, %")
)
FOUND = tuple(f"{found:,} found" for found in (10, 20, 50, 100, 200, 500, 1000))
NEEDED = (
    "500 unread, 95 %", "2,000 unread, 95 %", "10,000 unread, 95 %", "2,000 unread, 90 %", "2,000 unread, 80 %",
)  # fmt: skip

TERMS = {"mu": ("1", "log a", "log c", "log k", "logit s", "s"), "log sigma": ("1", "logit s", "s")}

LAYOUTS: dict[str, list[Layout]] = {
    "screening-stop": [
        Layout(
            "Intervals of 95 % for the relevant records that are unread: how many contain the truth, in per cent",
            lines("setting", (*READ, "all")), lines("system", PARTS), Line("", metric="coverage, %"), digits=1,
        ),
        Layout("Rules, where they stop", lines("system", RULES), FIGURES[:6]),
        Layout("Opponents of the certified rule", lines("system", RULES[1:2]), FIGURES[6:]),
        Layout(
            "Random records to read until a share is proved to be found, if none of them is relevant",
            lines("system", FOUND), lines("setting", NEEDED), Line("", metric="draws needed"), digits=0,
        ),
    ],
    "screening-weights": [
        Layout(
            f"Weights of {part}", lines("system", ("with probabilities", "without")),
            lines("metric", terms), Line("", setting=part), digits=3,
        )
        for part, terms in TERMS.items()
    ]
    + [
        Layout(
            "Intervals of 95 % in a corpus or review that was left out",
            lines("system", ("with probabilities", "without")),
            lines("metric", ("coverage before, %", "coverage, %")), Line("", setting="left out"), digits=2,
        )
    ],
}  # fmt: skip
