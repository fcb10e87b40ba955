"""`bayesift compare`: compare two models, or two rules of one model, by sign tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import notice
from bayesift.cli.sources import TEST, Reading, reads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document

UNFITTED = ("own", "together", "0.5", "expected-f1", "expected-f")


@reads()
def compare(
    model: o.Model,
    other: Annotated[Path | None, typer.Argument(metavar="OTHER", help="Second model file.")] = None,
    source: Annotated[str, typer.Option("--on", metavar="DATA", help="Labelled documents, - for stdin.")] = "-",
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", help="Rule, given twice: own, together, 0.5, expected-f1 or expected-f."),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    *,
    reading: Reading,
) -> None:
    """Compare two models, or two rules of one model, by micro and macro sign tests."""
    from bayesift.arrays import label_matrix
    from bayesift.classify import load
    from bayesift.classify.inputs import some
    from bayesift.cli.outputs import FIGURES, check_outputs, table_console
    from bayesift.errors import BadInput
    from bayesift.evaluate import compare as sign_tests

    rules = list(rule or ())
    for given in rules:
        if given not in UNFITTED:
            remedy = f"rules that need no fitting are: {', '.join(UNFITTED)}; for others train two models with --rule"
            raise BadInput(f"cannot compare the rule {given!r}", remedy=remedy)
    if (other is None) != (len(rules) == 2) or len(rules) not in (0, 2):
        raise BadInput("compare needs two systems", remedy="pass two models, or one model and --rule twice")
    check_outputs((json, FIGURES), inputs=(model, other, source))
    first = load(model)
    reading.remembered = first.reading_
    documents = reading.labelled(source, TEST)
    second = first if other is None else load(other)
    both = [{str(c) for c in m.classes_} for m in (first, second)]
    sets: list[tuple[Any, ...]] = [d.labels or () for d in documents]
    for m in (first, second):
        sets = m.hierarchy_.complete_all(sets)
    present = {str(c) for labels in sets for c in labels}
    if only := sorted((both[0] ^ both[1]) - present):
        what = "macro F1 counts the labels of both models, evaluate those of one"
        notice(f"{what}; learned by one model and in no document: {some(only)}")
    names = sorted(both[0] | both[1] | present)
    sides = [(first, rules[0]), (first, rules[1])] if other is None else [(first, "own"), (second, "own")]
    decided = [_decided(m, r, documents, names) for m, r in sides]
    truth = label_matrix(sets, names)
    titles = (rules[0], rules[1]) if other is None else (model.name, other.name)
    found = sign_tests(truth, decided[0], decided[1], names=titles)
    table_console(json).print(found)
    if json is not None:
        from bayesift.files import write_whole

        with write_whole(json) as out:
            out.write(_encoded(found.to_dict()))


def _decided(model: TextClassifier, rule: str, documents: list[Document], names: list[str]) -> NDArray[np.bool_]:
    """Return the decisions of a model with a rule, as a matrix (documents, names)."""
    from bayesift.classify.evaluation import widened
    from bayesift.decide import ExpectedF, ExpectedF1, Threshold

    unfitted = {"0.5": Threshold(), "expected-f1": ExpectedF1(), "expected-f": ExpectedF()}

    predictions = model.predictions(documents, together=rule == "together")
    decisions = predictions.decisions
    if rule not in ("own", "together"):
        decisions = model.labels_of(predictions.probabilities, unfitted[rule])
    return widened(predictions.probabilities, decisions, [str(c) for c in model.classes_], names)[1]


def _encoded(value: Any) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"
