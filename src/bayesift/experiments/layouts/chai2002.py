"""Tables 2 to 7 and figures 1 and 2 of chai2002.

Slack: micro F1 is at most 0.5 points below the paper, macro F1 not below it. The streams of tables 4 and 5 are not the
paper's, so nothing is marked there.
"""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, Slack, lines

MACHINES = ("SVM_a-1", "SVM_a-2", "SVM_a-R1", "SVM_b-1", "SVM_b-2", "SVM_b-R1", "Perceptron", "GP-1", "GP-2", "GP-R1")
MICRO_HERE, MACRO_HERE = Slack(below=0.5), Slack(below=0.0)
AGAINST = tuple(Line(name, setting=f"against {name}") for name in MACHINES[1:])


def _pairs(rules: tuple[str, ...], slack: bool) -> tuple[Line, ...]:
    return tuple(
        Line(f"{rule}: {label}", setting=rule, metric=metric, slack=allowed if slack else None)
        for rule in rules
        for label, metric, allowed in (("micro", "micro_f1", MICRO_HERE), ("macro", "macro_f1", MACRO_HERE))
    )


EVIDENCE = (
    Line("micro F1", metric="micro_f1", slack=MICRO_HERE),
    Line("macro F1", metric="macro_f1", slack=MACRO_HERE),
    Line("mean log-evidence", metric="log_evidence"),
)
PPTRON = Line("", system="Perceptron")
STREAMS = {"arxiv": "arXiv 2025", "ohsumed91": "OHSUMED-91", "reuters21578": "Reuters-21578"}
FILTERS = ("Microsoft", "Fudan", "Pptron+rel+ig", "Pptron+ig", "Pptron+rnd", "Pptron+rel", "Pptron")
MORE_FILTERS = (
    "Pptron+pace", "Pptron+utility", "Pptron+rel-recent+ig", "Pptron+rel+region", "Pptron+rel+utility",
    "Pptron+rel+f1", "Probit+rel+ig", "Diagonal", "Diagonal+rel+ig", "Diagonal+rel+target",
)  # fmt: skip
MEASURES = (
    Line("total retrieved", metric="total retrieved", digits=0),
    Line("relevant retrieved", metric="relevant retrieved", digits=0),
    Line("macro-average recall", metric="macro recall", digits=1),
    Line("macro-average precision", metric="macro precision", digits=1),
    Line("**mean T9P**", metric="T9P", digits=1),
    Line("mean T9U", metric="T9U", digits=3),
    Line("mean scaled utility", metric="scaled utility", digits=3),
    Line("zero returns", metric="zero returns", digits=0),
)
MORE_MEASURES = (
    Line("T11SU", metric="T11SU", digits=3),
    Line("documents asked about", metric="asked", digits=0),
    Line("relevant among them, %", metric="asked relevant, %", digits=1),
    Line("topics", metric="topics", digits=0),
)


def _filtering(stream: str, name: str) -> tuple[Layout, Layout]:
    where = Line("", setting=stream)
    paper = Layout(f"{name} (paper: OHSUMED 1988-91)", MEASURES, lines("system", FILTERS), where, beyond=MORE_MEASURES)
    more = (*MEASURES, *MORE_MEASURES)
    return paper, Layout(f"{name}, systems that the paper does not have", more, lines("system", MORE_FILTERS), where)


def _retrieved(stream: str, name: str) -> Layout:
    rows = (
        Line("retrieved by the classifier", setting="delivered"),
        Line("retrieved by asking", setting="asked"),
        Line("total", setting="total"),
    )
    columns = tuple(
        Line(f"{system}: {label}", system=f"Pptron{system}", metric=metric, digits=digits)
        for system in ("+ig", "+rnd")
        for label, metric, digits in (
            ("relevant", "relevant", 0), ("not relevant", "irrelevant", 0), ("total", "total", 0),
            ("relevant, %", "relevant, %", 1),
        )
    )  # fmt: skip
    return Layout(f"{name} (paper: OHSUMED 1988-91)", rows, columns, Line("", setting=stream))


LAYOUTS: dict[str, list[Layout]] = {
    "chai2002-table2": [
        Layout(
            "Table 2: F1 by threshold rule", lines("system", MACHINES),
            _pairs(("0.5", "MaxF1", "ExpectedF1"), slack=True),
        ),
        Layout(
            "Rules that the paper does not have", lines("system", MACHINES),
            _pairs(("ExpectedF1, exact", "SCutFBR.1"), slack=False),
        ),
    ],
    "chai2002-table3": [
        Layout(caption, lines("system", MACHINES[:-1]), AGAINST, Line("", metric=metric))
        for caption, metric in (
            ("Table 3, upper half: s-test and S-test of the row's system against the column's", "s-test / S-test"),
            ("p-values of ours, s-test and S-test", "p-values"),
        )
    ],
    "chai2002-table6": [
        Layout(
            "Table 6: Perceptron, MaxF1 thresholds", lines("setting", ("logit", "probit", "flip")), EVIDENCE, PPTRON
        )
    ],
    "chai2002-table7": [
        Layout(
            "Table 7: Perceptron, MaxF1 thresholds", tuple(Line(str(n), setting=f"{n} passes") for n in range(1, 6)),
            EVIDENCE, PPTRON, "passes",
        )
    ],
    "chai2002-table4": [layout for stream in STREAMS.items() for layout in _filtering(*stream)],
    "chai2002-table5": [_retrieved(*stream) for stream in STREAMS.items()],
    "chai2002-figure1": [
        Layout(
            "θ after some documents, in bits", tuple(Line(str(n), setting=f"N_ret = {n}") for n in (0, 50, 100)),
            (Line("θ", metric="bits", digits=4),), Line("", system="theta"), "documents retrieved",
        )
    ],
    "chai2002-figure2": [
        Layout(
            "Mean number of terms", lines("system", ("Pptron", "Pptron+rnd", "Pptron+ig", "Pptron+rel+ig")),
            tuple(Line(f"{n} judged", setting=f"{n} relevant judged") for n in (0, 5, 10, 20, 40)),
            Line("", metric="terms"), digits=1,
        )
    ],
}  # fmt: skip
