"""`bayesift inspect`: what a model file holds, and what the model has learned of each label."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from bayesift.cli import options as o


def inspect(
    model: o.Model,
    label: Annotated[list[str] | None, typer.Option("--label", help="Only these labels. (default: all)")] = None,
    terms: Annotated[int, typer.Option("--terms", min=1, help="How many telling terms a label.")] = 6,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Show settings, training summary, telling terms of each label, and labels with too little evidence."""
    from rich.table import Table

    from bayesift.classify.saving import load_with_manifest
    from bayesift.cli.explain import _label
    from bayesift.terminal import console

    classifier, manifest = load_with_manifest(model)
    known = classifier.classes_.tolist()
    told = [classifier.telling_terms(_label(known, c), terms) for c in label or map(str, known)]
    about: dict[str, Any] = {key: manifest[key] for key in ("format", "version", "kind", "digest", "libraries")}
    about |= {"training": manifest["training"], "settings": repr(classifier)}
    if json:
        import msgspec

        line = about | {"labels": [entry.to_dict() for entry in told]}
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        return
    shown = console(soft_wrap=not sys.stdout.isatty())
    training = manifest["training"]
    shown.print(f"{model}: {manifest['format']}, version {manifest['version']}, whole (digest checked)")
    written = ", ".join(f"{name} {version}" for name, version in manifest["libraries"].items())
    shown.print(f"written by {written}")
    shown.print(
        f"{training['documents']:,} documents, {len(known)} labels, {training['terms']:,} terms,"
        f" {training['learner']} with {training['rule']}"
    )
    shown.print(repr(classifier))
    table = Table("label", "documents", "speak for it", "speak against it", "too little evidence")
    for entry in told:
        sides = (entry.speak_for, entry.speak_against)
        cells = [", ".join(f"{t.term} {t.mean:+.1f}±{t.sd:.1f}" for t in side) for side in sides]
        table.add_row(str(entry.label), str(entry.documents), *cells, entry.thin)
    shown.print(table)
