"""`bayesift export`: write a model for programs without bayesift: an ONNX graph, or one JavaScript file."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o

UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def export(
    model: o.Model,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The file to write: NAME.onnx, or NAME.js.")],
    js: Annotated[
        bool, typer.Option("--js", help="Write JavaScript: text in, labels out, for browsers and node.")
    ] = False,
    size: Annotated[
        str | None,
        typer.Option(metavar="BYTES", help="With --js: bytes of the file at most, such as 300k; weights are left out."),
    ] = None,
) -> None:
    """Write a model as an ONNX graph (vectors in, probabilities and labels out) or as one JavaScript file."""
    from bayesift.cli.outputs import JAVASCRIPT, ONNX, check_outputs
    from bayesift.errors import BadInput

    if not js and output.suffix != ".onnx":
        what = "--js writes JavaScript" if output.suffix == ".js" else "name it NAME.onnx, or add --js"
        raise BadInput("is not the name of an ONNX file", path=output, remedy=what)
    if js and output.suffix == ".onnx":
        raise BadInput("is the name of an ONNX file", path=output, remedy="name it NAME.js, or leave --js out")
    if size is not None and not js:
        raise BadInput("--size is for JavaScript", remedy="add --js, or leave --size out")
    most = None if size is None else _bytes(size)
    check_outputs((output, JAVASCRIPT if js else ONNX), inputs=[model])

    from bayesift.classify import load

    classifier = load(model)
    if not js:
        from bayesift.integrations.onnx import write_onnx

        write_onnx(classifier, output)
        return
    from bayesift.integrations.javascript import write_javascript

    written, terms = write_javascript(classifier, output, most), classifier.vectorizer_.vocabulary_.n_columns
    kept = written.vectorizer_.vocabulary_.n_columns
    print(f"{output}: {output.stat().st_size:,} bytes, {kept:,} of {terms:,} terms", file=sys.stderr)


def _bytes(text: str) -> int:
    """Return a number of bytes: 300000, 300k or 1.5M."""
    from bayesift.errors import BadInput

    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kKmM]?)[bB]?", text.strip())
    if found is None:
        raise BadInput(f"--size is {text!r}", remedy="give bytes: 300000, 300k or 1.5M")
    return int(float(found[1]) * UNITS[found[2].lower()])
