"""Options that several verbs share, each with its help in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli.paths import existing_model, existing_source

Source = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="JSON lines, a JSON array, CSV, TSV, .gz or .zst too; - is stdin; or a corpus.",
        callback=existing_source,
    ),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.", callback=existing_model)]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where corpora are. (default: $BAYESIFT_DATA, else the user's cache)"),
]
Split = Annotated[str | None, typer.Option("--split", help="Which split of a corpus; needed if it has several.")]
Format = Annotated[
    str | None, typer.Option("--format", help="jsonl, json, csv or tsv. (default: by the file's name; stdin: jsonl)")
]
Column = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="FIELD=NAME", help="Which column or JSON field to read, e.g. text=Abstract."),
]
Delimiter = Annotated[
    str | None, typer.Option("--delimiter", help="Column delimiter of a CSV file, or tab. (default: detected)")
]
Separator = Annotated[
    str | None, typer.Option("--separator", help="Label separator in a cell, tab or json. (default: detected)")
]
Empty = Annotated[
    str | None,
    typer.Option("--empty", metavar="none|unjudged", help="What an empty labels cell means. (default: none applies)"),
]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip bad lines and count them. (default: stop at one)")]
Together = Annotated[
    bool, typer.Option("--together", help="Choose the labels of all documents at once. (default: each on its own)")
]

Learner = Annotated[
    str,
    typer.Option("--learner", help="multilabel, bomc, perceptron, gp, logistic, probit or categoriser."),
]
Rule = Annotated[
    str | None,
    typer.Option(
        "--rule",
        help="joint (the default), 0.5, max-f1, min-error, scut, scut-fbr, expected-f1, expected-f, or a target that"
        " every label should reach: precision=0.9 or recall=0.9.",
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option(
        "--target", metavar="LABEL=SHARE", help="With --rule precision or recall: a label's own target. (default: 0.9)"
    ),
]
Language = Annotated[
    str, typer.Option("--language", help="Language of the text, for stems and stop words: de or german, fr, ...")
]
Stem = Annotated[str | None, typer.Option("--stem", help="Another language's stemmer, or none. (default: --language)")]
StopWords = Annotated[
    str | None,
    typer.Option(
        "--stop-words", help="Another language's, none, or a file with one word per line. (default: --language)"
    ),
]
KeepHtml = Annotated[
    bool, typer.Option("--keep-html", help="Read HTML tags and entities as text. (default: strip and decode them)")
]
Ngrams = Annotated[int, typer.Option("--ngrams", min=1, help="Maximum n-gram length.")]
MinDf = Annotated[int, typer.Option("--min-df", min=1, help="Minimum document frequency of a term.")]
Weight = Annotated[
    str | None, typer.Option("--weight", help="raw, log, ltc, tfidf or binary. (default: ltc; the categoriser: raw)")
]
OneLabel = Annotated[bool, typer.Option("--one-label", help="Every document has exactly one label. (default: many)")]
PriorTermFiles = Annotated[
    list[str] | None,
    typer.Option("--prior-terms", metavar="LABEL=FILE", help="What is known of a label's terms: CSV term,mean,scale."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Random seed.")]
