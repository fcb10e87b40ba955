"""A hierarchy of labels: what `hierarchy=` and `--hierarchy` take, and what follows from it.

A label implies its parents, their parents and so on: its *ancestors*. A training document with a label has the
ancestors too, whether they were given or not. Predicted label sets respect it (`decide.consistent`), unless that is
switched off.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesift.arrays import BoolArray, FloatArray, IntArray, label_matrix
from bayesift.beliefs.other_labels import ENOUGH, implications
from bayesift.classify.hierarchy_file import read_pairs
from bayesift.classify.input_labels import Kind, Label, as_label, check_spelling, new_labels
from bayesift.decide.consistent import consistent, contradicted
from bayesift.errors import BadInput, Notice
from bayesift.learn.base import log_odds

if TYPE_CHECKING:
    from bayesift.classify.label_classifier import LabelClassifier


class Hierarchy:
    """The parents of labels; a label may have several, and none is above itself.

    >>> news = Hierarchy({"corn": "grain", "grain": ["crops"]})
    >>> news.ancestors("corn"), news.complete(("corn", "oil"))
    (('grain', 'crops'), ('corn', 'oil', 'grain', 'crops'))
    >>> Hierarchy({"corn": "grain", "grain": "corn"})
    Traceback (most recent call last):
    bayesift.errors.BadInput: the hierarchy has a cycle: grain > corn > grain; ...
    """

    def __init__(self, parents: Mapping[Any, Any] | None = None) -> None:
        self.parents: dict[Label, list[Label]] = {}
        self._above: dict[Label, tuple[Label, ...]] = {}
        self._pairs: tuple[list[Label], IntArray] | None = None
        for child, above in (parents or {}).items():
            for parent in [above] if isinstance(above, str | int) else _listed(child, above):
                self._add(child, parent)

    @classmethod
    def of(cls, given: Any) -> Hierarchy:
        """Return the hierarchy of a mapping from labels to their parents, or of a file; None has no labels."""
        if given is None or isinstance(given, Mapping):
            return cls(given)
        if isinstance(given, str | Path):
            return cls.read(given)
        remedy = 'give {"corn": "grain", ...}, or the name of a file with the columns child and parent'
        raise BadInput(f"hierarchy is a {type(given).__name__}", remedy=remedy)

    @classmethod
    def read(cls, path: str | Path) -> Hierarchy:
        """Read a file: CSV with the columns child and parent, or a JSON object from labels to their parents."""
        found = cls()
        for line, child, parent in read_pairs(path):
            try:
                found._add(child, parent)
            except BadInput as error:
                raise BadInput(error.reason, path=path, line=line, remedy=error.remedy) from None
        if not found:
            raise BadInput("no label has a parent", path=path, remedy="write child,parent and one pair per line")
        return found

    def __bool__(self) -> bool:
        return bool(self.parents)

    def ancestors(self, label: Label) -> tuple[Label, ...]:
        """Return all labels that a label implies, the nearest first."""
        if label not in self._above:
            found: dict[Label, None] = {}
            waiting = list(self.parents.get(label, ()))
            for parent in waiting:  # grows
                if parent not in found:
                    found[parent] = None
                    waiting += self.parents.get(parent, ())
            self._above[label] = tuple(found)
        return self._above[label]

    def complete(self, labels: Collection[Label]) -> tuple[Label, ...]:
        """Return the labels of a document, then all that they imply."""
        if not self:
            return tuple(labels)
        return tuple(dict.fromkeys([*labels, *(above for label in labels for above in self.ancestors(label))]))

    def complete_all(self, sets: Sequence[tuple[Label, ...]]) -> list[tuple[Label, ...]]:
        """Return the label sets of documents with all that they imply."""
        return [self.complete(labels) for labels in sets] if self else list(sets)

    def pairs(self, names: Sequence[Label]) -> IntArray:
        """Return the columns of labels and of their parents: (2, pairs).

        >>> Hierarchy({"corn": "grain", "grain": "crops"}).pairs(["corn", "crops", "grain"]).tolist()
        [[0, 2], [2, 1]]
        """
        if self._pairs is None or self._pairs[0] != names:
            column = {name: c for c, name in enumerate(names)}
            found = [(c, column[a]) for name, c in column.items() for a in self.parents.get(name, ()) if a in column]
            self._pairs = list(names), np.array(found, np.int64).reshape(-1, 2).T
        return self._pairs[1]

    def consistent(
        self, classifier: LabelClassifier, p: FloatArray, decisions: BoolArray, names: Sequence[Label]
    ) -> BoolArray:
        """Return decisions of a classifier, for these probabilities, as label sets that respect the hierarchy.

        A document that would lose all its labels gets what they imply, where all documents learned had a label.
        """
        pairs = self.pairs(names)
        wrong = np.flatnonzero(contradicted(decisions, pairs))
        if not wrong.size:
            return decisions
        rule, given, found = classifier.rule_, decisions[wrong], decisions.copy()
        excess = log_odds(p[wrong]) - log_odds(rule.document_thresholds(p[wrong]))
        found[wrong] = consistent(given, excess, pairs, may_add=rule.may_add, may_drop=rule.may_drop)
        if classifier.always_one_ and not rule.each_label_alone:
            none = ~found[wrong].any(axis=1)
            found[wrong[none]] = consistent(given[none], excess[none], pairs, may_drop=False)
        return found

    def check_labels(self, names: Sequence[Label], kind: Kind, begins_stream: bool = False) -> None:
        """Raise if these labels of documents do not go with the hierarchy; warn if it has none of them.

        At the beginning of a stream labels are still to come.
        """
        if not self:
            return
        self.check_kind(kind)
        check_spelling(names, "the hierarchy has")  # those of documents have been checked
        self.check_columns(names, kind)
        if not begins_stream and not self.parents.keys() & set(names):
            message = f"no document has a label of the hierarchy that has a parent, as {next(iter(self.parents))!r}"
            warnings.warn(message, Notice, stacklevel=5)

    def check_columns(self, names: Sequence[Label], kind: Kind) -> None:
        """Raise if targets are a matrix that has a column for a label but not for one of its ancestors."""
        known = set(names)
        for label in names if self and kind != "sets" else ():
            for above in self.ancestors(label):
                if above not in known:
                    what = f"the hierarchy puts {label!r} below {above!r}, which is not a column of the targets"
                    raise BadInput(what, remedy="add the column, or give label sets")

    def check_kind(self, kind: Kind) -> None:
        """Raise if documents have one label each."""
        if self and kind == "one":
            what = "a hierarchy gives documents several labels, but each document has a single label"
            raise BadInput(what, remedy="leave the hierarchy out, or give sets of labels")

    def _add(self, child: Any, parent: Any) -> None:
        child, parent = (_named(label) for label in (child, parent))
        if child == parent:
            raise BadInput(f"label {child!r} is its own parent", remedy="remove the pair")
        above = self.parents.setdefault(child, [])
        if parent in above:
            return
        if (way := self._way(parent, child)) is not None:
            shown = " > ".join(map(str, [child, *way]))
            raise BadInput(f"the hierarchy has a cycle: {shown}", remedy="remove one of these pairs")
        above.append(parent)

    def _way(self, label: Label, to: Label) -> list[Label] | None:
        """Return the labels from one up to another above it, both included; None if there is no way."""
        below: dict[Label, Label | None] = {label: None}
        waiting = [label]
        for here in waiting:  # grows
            if here == to:
                way: list[Label] = []
                step: Label | None = here
                while step is not None:
                    way.append(step)
                    step = below[step]
                return way[::-1]
            for parent in self.parents.get(here, ()):
                if parent not in below:
                    below[parent] = here
                    waiting.append(parent)
        return None


def implied_labels(sets: Iterable[Collection[Label]], least: int = ENOUGH) -> dict[Label, list[Label]]:
    """Return which labels imply others in these label sets, for `TextClassifier(hierarchy=...)`.

    Parameters
    ----------
    sets : label sets of documents
        For example those of the training documents.
    least : int
        Documents of a label from which on it may imply others.

    Returns
    -------
    dict from label to list of labels
        The labels that all its documents have too, and more documents than these.

    Examples
    --------
    >>> implied_labels([("grain", "corn"), ("grain",), ("oil",)] * 10)
    {'corn': ['grain']}
    """
    given = [tuple(labels) for labels in sets]
    names = new_labels(given, (), "sets", None)
    found: dict[Label, list[Label]] = {}
    for child, parent in implications(label_matrix(given, names), least).T.tolist():
        found.setdefault(names[child], []).append(names[parent])
    return found


def saved_hierarchy(hierarchy: Hierarchy) -> dict[str, Any]:
    """Return what a model file holds of a hierarchy: pairs of labels; nothing if there is none."""
    pairs = [(child, parent) for child, above in hierarchy.parents.items() for parent in above]
    if not pairs:
        return {}
    return {"hierarchy": {"children": [child for child, _ in pairs], "parents": [parent for _, parent in pairs]}}


def restored_hierarchy(state: Mapping[str, Any]) -> dict[Label, list[Label]] | None:
    """Return the parents of labels in a model file; None if it has none, as files of earlier versions."""
    kept = state.get("hierarchy")
    if kept is None:
        return None
    found: dict[Label, list[Label]] = {}
    for child, parent in zip(kept["children"], kept["parents"], strict=True):
        found.setdefault(child, []).append(parent)
    return found


def _listed(child: Any, above: Any) -> list[Any]:
    if isinstance(above, list | tuple | set | frozenset):
        return sorted(above, key=str) if isinstance(above, set | frozenset) else list(above)
    raise BadInput(f"the parents of {child!r} are {above!r}", remedy="give a label or a list of labels")


def _named(label: Any) -> Label:
    found = as_label(label, "the hierarchy")
    if isinstance(found, str) and not found.strip():
        raise BadInput("a label of the hierarchy has an empty name", remedy="name it, or leave the pair out")
    return found
