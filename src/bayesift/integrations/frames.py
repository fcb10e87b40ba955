"""pandas, Polars and Arrow: a column or a frame of texts in, a frame of predictions of the same library out."""

from __future__ import annotations

from typing import Any

from bayesift.classify.text_classifier import TextClassifier
from bayesift.errors import BadInput
from bayesift.integrations.extras import needed

LIBRARIES = ("pandas", "polars", "pyarrow")


def predict_frame(model: TextClassifier, data: Any, *, probabilities: bool = False) -> Any:
    """Return the predictions of a column or a frame of texts as a frame of the same library.

    Parameters
    ----------
    model : TextClassifier
        A fitted model.
    data : Series, DataFrame, or array or table of Arrow
        The texts, as `TextClassifier.predict` takes them; strings in Arrow's memory do not become Python strings.
    probabilities : bool
        Whether there is also a column `probability:LABEL` per label.

    Returns
    -------
    DataFrame or pyarrow.Table
        The columns `labels` (lists) and `confidence`, one row per text; a frame of pandas has the index of the data.

    Raises
    ------
    BadInput
        If the data are of another library.

    Examples
    --------
    >>> import pandas
    >>> model = TextClassifier().fit(["corn rose", "oil fell"] * 10, [("grain",), ("crude",)] * 10)
    >>> predict_frame(model, pandas.Series(["corn", "oil"], index=["a", "b"]))["labels"].tolist()
    [['grain'], ['crude']]
    """
    library = type(data).__module__.partition(".")[0]
    if library not in LIBRARIES:
        remedy = "give data of pandas, Polars or Arrow, or call predictions"
        raise BadInput(f"{type(data).__name__} is not a column or a frame", remedy=remedy)
    found, names = model.predictions(data), model.classes_.tolist()
    columns: dict[str, Any] = {
        "labels": [[names[c] for c, given in enumerate(row) if given] for row in found.decisions.tolist()],
        "confidence": found.confidence,
    }
    if probabilities:
        columns |= {f"probability:{name}": found.probabilities[:, c] for c, name in enumerate(names)}
    made = needed(library, "dev")
    if library == "pandas":
        return made.DataFrame(columns, index=data.index)
    return made.DataFrame(columns) if library == "polars" else made.table(columns)
