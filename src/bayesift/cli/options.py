"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli.paths import existing_model, existing_source, existing_sources

Source = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="JSON lines, JSON array, CSV, TSV (also .gz, .zst) or Parquet file, a folder or 'pattern*' of files,"
        " - for stdin, or a corpus.",
        callback=existing_source,
    ),
]
Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help="As one DATA of other commands, or several files, folders and patterns, read one after the other.",
        callback=existing_sources,
    ),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file.", callback=existing_model)]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Corpora directory. (default: $BAYESIFT_DATA, else the user cache)"),
]
Split = Annotated[str | None, typer.Option("--split", help="Split of a corpus; required if it has several.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="jsonl, json, csv, tsv or parquet. (default: from the file name; stdin: jsonl)"),
]
Column = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="FIELD=NAME", help="Column or JSON field to read, e.g. text=Abstract."),
]
Delimiter = Annotated[
    str | None, typer.Option("--delimiter", help="Column delimiter of a CSV file, or tab. (default: detected)")
]
Separator = Annotated[
    str | None, typer.Option("--separator", help="Label separator within a cell; also tab or json. (default: detected)")
]
Empty = Annotated[
    str | None,
    typer.Option(
        "--empty",
        metavar="none|unlabelled",
        help="Meaning of an empty labels cell: no label applies, or unlabelled. (default: none)",
    ),
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Skip invalid lines and report their number. (default: stop with an error)")
]
Together = Annotated[
    bool,
    typer.Option("--together", help="Decide the labels of all documents jointly. (default: one document at a time)"),
]

Learner = Annotated[
    str,
    typer.Option(
        "--learner", help="Learner: multilabel, best, bomc, wide, perceptron, gp, logistic, probit or categoriser."
    ),
]
Rule = Annotated[
    str | None,
    typer.Option(
        "--rule",
        help="Threshold rule: joint (default), 0.5, max-f1, min-error, scut, scut-fbr, expected-f1, expected-f, or a"
        " target for every label: precision=0.9 or recall=0.9.",
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option(
        "--target", metavar="LABEL=SHARE", help="Target of one label, with --rule precision or recall. (default: 0.9)"
    ),
]
Language = Annotated[str, typer.Option("--language", help="Language of the stemmer and stop words, e.g. de or german.")]
Stem = Annotated[str | None, typer.Option("--stem", help="Language of the stemmer, or none. (default: --language)")]
StopWords = Annotated[
    str | None,
    typer.Option(
        "--stop-words", help="Language of the stop words, none, or a file with one word per line. (default: --language)"
    ),
]
KeepHtml = Annotated[
    bool,
    typer.Option("--keep-html", help="Keep HTML tags and entities as text. (default: strip tags, decode entities)"),
]
Ngrams = Annotated[
    int | None, typer.Option("--ngrams", min=1, help="Maximum n-gram length. (default: 1; best: 2)")
]  # fmt: skip
MinDf = Annotated[
    int | None, typer.Option("--min-df", min=1, help="Minimum document frequency of a term. (default: 1; best: 2)")
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight", help="Term weighting: raw, log, ltc, tfidf, log-tfidf or binary. (default: ltc; categoriser: raw)"
    ),
]
OneLabel = Annotated[
    bool, typer.Option("--one-label", help="Single-label: each document has exactly one label. (default: multi-label)")
]
PriorTermFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--prior-terms",
        metavar="LABEL=FILE",
        help="Prior weights of a label's terms: CSV with columns term,mean,scale.",
    ),
]
Meaning = Annotated[
    list[str] | None,
    typer.Option(
        "--meaning",
        help="Vectors of meaning beside the words: corpus, minilm, minilm=FOLDER or none; can be repeated."
        " (default: corpus with --unlabelled, else none)",
    ),
]
Unlabelled = Annotated[
    str | None,
    typer.Option(
        "--unlabelled",
        metavar="DATA",
        help="More text, for the vocabulary, the meaning corpus and --label-rates; its labels are not read.",
        callback=lambda source: None if source is None else existing_source(source),
    ),
]
LabelRates = Annotated[
    str | None,
    typer.Option(
        "--label-rates",
        metavar="FILE|unlabelled",
        help="Share of documents with each label where the model is used: CSV with columns label,rate, or estimated"
        " from --unlabelled. (default: as in the training documents)",
    ),
]
Hierarchy = Annotated[
    Path | None,
    typer.Option(
        "--hierarchy",
        metavar="FILE",
        help="Labels that imply others: CSV with columns child,parent, or a JSON object from labels to parents.",
    ),
]
Inconsistent = Annotated[
    bool,
    typer.Option("--inconsistent", help="Predict label by label, also label sets that contradict --hierarchy."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Random seed.")]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS|local",
        help="Dask scheduler whose workers do the work, e.g. tcp://host:8786; local starts one worker per core.",
    ),
]
