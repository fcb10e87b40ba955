"""Tables 1 to 8 and figure 2 of eyheramendy2003, and learning from few examples.

Slack: micro F1 is not below the paper; counts of parameters are within a factor of 1.5. Tables 7 and 8 have a sample of
the paper's corpus, so nothing is marked there.
"""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, Slack, lines

R10 = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn")
TOPICS = (
    *(Line(topic, metric=f"f1 {topic}") for topic in R10),
    Line("macro-average", metric="macro_f1"),
    Line("micro-average", metric="micro_f1", slack=Slack(below=0.0)),
)
JEFFREYS, LAPLACE = "Jeffreys, log tf, 300 terms", "Laplace gamma=10, log tf, 300 terms"
GAMMAS = ("0.1", "0.3", "1", "3", "10", "30")
PRIORS = (
    Line("Jeffreys", "Probit", JEFFREYS),
    *(Line(f"Laplace γ = {gamma}", "Probit", f"Laplace gamma={gamma}, log tf, 300 terms") for gamma in GAMMAS),
)


def _topics(caption: str, *columns: tuple[str, str, str]) -> Layout:
    """F1 by topic; a column is (label, system, setting)."""
    return Layout(caption, TOPICS, tuple(Line(*column) for column in columns), corner="topic", digits=1)


AVERAGES = (Line("macro-average", metric="macro_f1"), Line("micro-average", metric="micro_f1"))
RCV1 = {
    "Probit Jeffreys, 300": ("Probit", "Jeffreys, 300 terms"),
    "Probit Laplace γ = 25, 300": ("Probit", "Laplace gamma=25, 300 terms"),
    "Probit Gaussian σ² = 0.001, 300": ("Probit", "Gaussian variance=0.001, 300 terms"),
    "Logistic Laplace γ = 25, 300": ("Logistic", "Laplace gamma=25, 300 terms"),
    "Logistic Laplace γ = 25, 3,000": ("Logistic", "Laplace gamma=25, 3,000 terms"),
    "Logistic Gaussian σ² = 0.01, 3,000": ("Logistic", "Gaussian variance=0.01, 3,000 terms"),
    "Probit, 300": ("Probit", "Laplace by evidence, 300 terms"),
    "Logistic, 300": ("Logistic", "Laplace by evidence, 300 terms"),
    "Logistic, 3,000": ("Logistic", "Laplace by evidence, 3,000 terms"),
    "SVM": ("SVM", "all terms"),
    "kNN": ("kNN", "all terms"),
    "Rocchio": ("Rocchio", "all terms"),
}
MODELS = list(RCV1)


def _rcv1(caption: str, *names: str) -> Layout:
    return Layout(caption, AVERAGES, tuple(Line(name, *RCV1[name]) for name in names), digits=1)


CHOSEN = "Not in the paper: Laplace prior, its width chosen by evidence"
FEW = [
    Line(f"{system}; {setting}", system=system, setting=setting)
    for system in ("logistic, Laplace gamma=10", "logistic, Normal", "perceptron")
    for setting in ("no description", "description", "gain")
]


LAYOUTS: dict[str, list[Layout]] = {
    "eyheramendy2003-table1": [
        _topics(
            "Table 1: F1 by topic", ("Naive Bayes", "Naive Bayes", "10,000 terms"),
            ("Log. Reg.", "Log. Reg.", "10,000 terms"), ("SVM", "SVM", "10,000 terms; ours all words, ltc"),
            ("Sparse Bayes", "Sparse Bayes", LAPLACE),
        )
    ],
    "eyheramendy2003-table2": [
        _topics("Table 2: F1 by topic", *(
            (f"{name} {tf}", "Probit", f"{prior}, {tf}, 300 terms")
            for name, prior in (("Jeffreys", "Jeffreys"), ("Laplace γ = 10", "Laplace gamma=10"))
            for tf in ("raw tf", "log tf")
        ))
    ],
    "eyheramendy2003-table3": [Layout("Table 3: F1 by topic", TOPICS, PRIORS, corner="topic", digits=1)],
    "eyheramendy2003-table4": [
        Layout(
            "Table 4: parameters that are not 0, of 301", tuple(Line(topic, metric=f"kept {topic}") for topic in R10),
            PRIORS, Line("parameters", slack=Slack(factor=1.5)), "topic", digits=0,
        )
    ],
    "eyheramendy2003-table5": [
        _topics("Table 5: F1 by topic", *(
            (f"{name}, {terms}", "Probit", f"{prior}, log tf, {terms} terms")
            for name, prior in (("Jeffreys", "Jeffreys"), ("Laplace γ = 10", "Laplace gamma=10"))
            for terms in ("300", "1,000")
        ))
    ],
    "eyheramendy2003-table6": [
        _topics(
            "Table 6: F1 by topic", ("Probit Gaussian", "Probit", "Gaussian variance=0.01, log tf, 300 terms"),
            ("Probit Laplace", "Probit", LAPLACE),
            ("Logistic Gaussian", "Logistic", "Gaussian variance=0.01, log tf idf, 300 terms"),
            ("Logistic Laplace", "Logistic", "Laplace gamma=10, log tf idf, 300 terms"),
        )
    ],
    "eyheramendy2003-figure2": [
        Layout(
            "F1 over the ten topics", lines("system", ("Naive Bayes", "Log. Reg.", "SVM", "Sparse Bayes")),
            lines("metric", ("minimum", "25th percentile", "median", "75th percentile", "maximum")),
            Line("", setting="over topics"), digits=1,
        )
    ],
    "eyheramendy2003-table7": [
        _rcv1("Table 7", "SVM", "kNN", "Rocchio", MODELS[0], MODELS[1], MODELS[4]),
        _rcv1(CHOSEN, MODELS[6], MODELS[8]),
    ],
    "eyheramendy2003-table8": [
        _rcv1("Table 8; the SVM is that of table 7", *MODELS[:6], "SVM"),
        _rcv1(CHOSEN, *MODELS[6:9]),
    ],
    "eyheramendy2003-few": [
        Layout(
            "Macro F1 by the number of relevant examples", tuple(FEW),
            tuple(Line(str(n), setting=f"{n} relevant") for n in (1, 2, 4, 8, 16)), Line("", metric="macro_f1"),
        )
    ],
}  # fmt: skip
