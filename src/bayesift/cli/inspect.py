"""`bayesift inspect`: show the settings of a model and the most informative terms of each label."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli import options as o
from bayesift.terminal import one_line

if TYPE_CHECKING:
    from bayesift.classify import LabelTerms


def inspect(
    model: o.Model,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="Label to show; can be repeated. (default: all)")
    ] = None,
    terms: Annotated[int, typer.Option("--terms", min=1, help="Number of terms per label.")] = 6,
    json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show a model: settings, training summary and the most informative terms of each label."""
    from bayesift.classify.label_terms import label_terms
    from bayesift.classify.saving import load_with_manifest
    from bayesift.cli.explain import _label
    from bayesift.terminal import console

    classifier, manifest = load_with_manifest(model)
    known = classifier.classes_.tolist()
    entries = label_terms(classifier, [_label(known, c) for c in label] if label else known, terms)
    about: dict[str, Any] = {key: manifest[key] for key in ("format", "version", "kind", "digest", "libraries")}
    fitted = classifier.classifier_  # a file may have older names of these classes
    training = manifest["training"] | {"learner": type(fitted.learner_).__name__, "rule": type(fitted.rule_).__name__}
    about |= {"training": training, "settings": repr(classifier), "reading": classifier.reading_}
    about |= {"meaning": classifier.meaning_weights_}
    if json:
        import msgspec

        line = about | {"labels": [entry.to_dict() for entry in entries]}
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        return
    shown = console(soft_wrap=not sys.stdout.isatty())
    shown.print(f"{model}: {manifest['format']}, version {manifest['version']}, digest verified")
    written = ", ".join(f"{name} {version}" for name, version in manifest["libraries"].items())
    shown.print(f"written by {written}")
    shown.print(
        f"{training['documents']:,} documents, {len(known)} labels, {training['terms']:,} terms,"
        f" {training['learner']} with {training['rule']}"
    )
    shown.print(repr(classifier))
    if weights := classifier.meaning_weights_:
        shown.print("meaning: " + ", ".join(f"{name}, weight {weight:g}" for name, weight in weights.items()))
    if parents := classifier.hierarchy_.parents:
        how = "label sets respect it" if classifier.consistent else "decided label by label"
        shown.print(f"hierarchy: {len(parents):,} label{'' if len(parents) == 1 else 's'} with parents, {how}")
    if classifier.reading_:
        shown.print(f"reads files with {_reading(classifier.reading_)}")
    if known and next(iter(fitted.learner_.weights([0]))) is None:
        shown.print("terms have no weights in this learner; `bayesift explain` shows what the words of a document add")
    shown.print("\n".join(line for entry in entries for line in _lines(entry)), soft_wrap=True)


def _lines(entry: LabelTerms) -> list[str]:
    """Return the lines that show one label."""
    lines = ["", f"{one_line(str(entry.label))}: {entry.documents:,} document{'' if entry.documents == 1 else 's'}"]
    for name, side in (("for", entry.positive), ("against", entry.negative)):
        if side:
            lines.append(f"  {name}: " + ", ".join(f"{t.name} {t.mean:+.1f}±{t.sd:.1f}" for t in side))
    return [*lines, f"  too little evidence: {entry.weak_evidence}"] if entry.weak_evidence else lines


def _reading(remembered: dict[str, Any]) -> str:
    columns = [f"{field}={name}" for field, name in remembered.get("columns", {}).items()]
    rest = [f"{key} {value!r}" for key, value in remembered.items() if key != "columns"]
    return ", ".join([*columns, *rest])
