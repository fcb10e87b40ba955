"""The comparison on all corpora, figures 4 to 7 of zhang2010, and shards. The paper has plots only: no slack."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

MICRO, MACRO = Line("micro F1", metric="micro_f1"), Line("macro F1", metric="macro_f1")
SEEDS = "mean ± sd over five seeds"
CORPORA = (
    "Reuters 9,603/3,299, words", "Reuters 9,603/3,299, words + bigrams + title",
    "Reuters R90 7,770/3,019, words", "Reuters R90 7,770/3,019, words + bigrams + title",
    "RCV1 sample, 20,000", "TMC2007", "OHSUMED-91",
)  # fmt: skip
SYSTEMS = (
    "bayesift predict", "bayesift predict(together=True)", "bayesift predict, names not read",
    "bayesift LabelStack, together",
    "BOMC as published, ExpectedF1", "LIBLINEAR at 0", "LIBLINEAR + SCutFBR.1",
)  # fmt: skip
SCORES = (MICRO, MACRO, Line("Q", metric="q", digits=3), Line("training, s", metric="seconds", digits=1))
CURVES = (
    "BOMC_CMN", "BOMC_Sample", "BOMC_IND_CMN", "BOMC_IND_Sample", "bayesift, together", "SVM_Batch", "PA_OnlineCV"
)  # fmt: skip
ONE, ROUNDS = "one pass over everything", "merged in rounds"
SHARDS = (
    Line(ONE, "BOMC", ONE),
    *(
        Line(f"{system}, {n} shards", system, f"{n} shards")
        for system in ("merged once", ROUNDS)
        for n in (2, 4, 8, 16, 64)
    ),
    *(
        Line(f"{corpus}: {what}", f"{corpus}: {system}", setting)
        for corpus in ("OHSUMED-91", "RCV1 sample")
        for what, system, setting in (
            (ONE, "BOMC", ONE), *((f"{ROUNDS}, {n} shards", ROUNDS, f"{n} shards") for n in (16, 64))
        )
    ),
)  # fmt: skip
SIZES = tuple(f"{size:,} documents" for size in (1000, 3000, 8000, 20_000))

LAYOUTS: dict[str, list[Layout]] = {
    "zhang2010-f1": [
        Layout(f"{corpus}: {SEEDS}", lines("system", SYSTEMS), SCORES, Line("", setting=corpus)) for corpus in CORPORA
    ],
    "zhang2010-figure4": [
        Layout(
            "Sum of F1 over the labels", (
                Line("threshold of highest expected F1", setting="threshold of highest expected F1"),
                Line("best threshold", setting="best threshold"),
            ), lines("system", ("RCV1 sample", "Reuters 9,603/3,299")), Line("", metric="sum of F1 over labels"),
        )
    ],
    "zhang2010-figure5": [
        Layout(f"Macro F1, {SEEDS}", lines("system", CURVES), lines("setting", SIZES), Line("", metric="macro_f1"))
    ],
    "zhang2010-figure6": [
        Layout(
            f"Difference of macro F1, relative to the mean of both, %: {SEEDS}",
            (Line("coupled minus independent", "coupled minus independent"),),
            lines("setting", SIZES), Line("", metric="relative %"),
        )
    ],
    "zhang2010-figure7": [
        Layout(
            f"Seconds of training, one thread: {SEEDS}", lines("system", CURVES), lines("setting", SIZES),
            Line("", metric="seconds"), digits=3,
        )
    ],
    "zhang2010-shards": [
        Layout(
            "Merged shards", SHARDS, (MICRO, MACRO),
        ),
        Layout(
            "Weights set to 0 where |mean| is at most so many deviations",
            lines("setting", ("0.05", "0.2", "0.5", "1.0")),
            (Line("weights set to 0, %", metric="weights set to 0, %", digits=1), MICRO, MACRO), Line("", "pruned"),
            "deviations",
        ),
    ],
}  # fmt: skip
