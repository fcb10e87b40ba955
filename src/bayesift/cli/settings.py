"""The options of verbs that train, and the classifier that they make."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesift.cli import options as o
from bayesift.cli.grouped_options import Decorator, takes
from bayesift.cli.sources import Reading, pair_of
from bayesift.errors import BadInput, NotFound

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document


NONE = "none"


@dataclass(frozen=True)
class Words:
    """Options of the vectorizer that depend on the language; None is the default of the language."""

    language: str
    stem: str | None
    stop_words: str | None
    keep_html: bool

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of a `TextVectorizer`; raise `BadInput` if the language is unknown."""
        from bayesift.text.languages import check_language

        check_language(self.language)
        found: dict[str, Any] = {"language": self.language, "html": "keep" if self.keep_html else "strip"}
        if self.stem is not None:
            found["stem"] = None if self.stem == NONE else self.stem
        if self.stop_words is not None:
            found["stop_words"] = None if self.stop_words == NONE else self._stop_words(self.stop_words)
        return found

    def _stop_words(self, given: str) -> str | list[str]:
        """Return the name of a language, or the words in a file."""
        from bayesift.files import read_lines
        from bayesift.text.languages import stop_words_of

        if stop_words_of(given):
            return given
        if not Path(given).exists():
            raise NotFound(f"no stop words for {given!r}", remedy="name a language, e.g. de, or a file of words")
        return [word for _, line in read_lines(given) if (word := line.strip())]


@dataclass(frozen=True)
class MoreText:
    """Options for meaning and for label rates: their sources, and the file of unlabelled text."""

    meaning: list[str] | None
    unlabelled: str | None
    label_rates: str | None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of a `TextClassifier`; the text is read later."""
        names: Any = "auto" if self.meaning is None else None if self.meaning == [NONE] else self.meaning
        unlabelled: Any = None if self.unlabelled is None else []
        return {"meaning": names, "unlabelled": unlabelled, "label_rates": self._rates()}

    def _rates(self) -> dict[str | int, float] | str | None:
        """Return the rates of a file, or that they are estimated."""
        from bayesift.classify.label_rates import read_rates
        from bayesift.decide.label_rates import UNLABELLED

        if self.label_rates is None or self.label_rates == UNLABELLED:
            return self.label_rates
        return read_rates(self.label_rates)

    def read(self, reading: Reading, sources: list[str], classifier: TextClassifier) -> None:
        """Read the unlabelled text, with the options of the labelled documents but without their labels."""
        if self.unlabelled is None:
            return
        if self.unlabelled in sources:
            remedy = "name two different sources"
            raise BadInput("is both labelled and unlabelled text", path=self.unlabelled, remedy=remedy)
        reading.others = (self.unlabelled,)
        columns = [text for text in reading.column or () if not text.startswith("labels=")]
        own = replace(reading, column=columns)
        own.others = tuple(sources)
        found = [document.zones() for document in own.stream(self.unlabelled)]
        own.note_skipped()
        if not found:
            raise BadInput("has no documents", path=self.unlabelled, remedy="pass a file with documents")
        classifier.set_params(unlabelled=found)


@dataclass(frozen=True)
class LabelsAbove:
    """Options of a hierarchy: its file, and whether label sets may contradict it."""

    hierarchy: Path | None
    inconsistent: bool

    def parameters(self, one_label: bool) -> dict[str, Any]:
        """Return the parameters of a `TextClassifier`; raise `BadInput` if options do not go together."""
        from bayesift.classify.hierarchy import Hierarchy

        if self.hierarchy is None:
            if self.inconsistent:
                raise BadInput("--inconsistent needs --hierarchy", remedy="add a hierarchy, or remove the option")
            return {}
        if one_label:
            what = "--hierarchy gives documents several labels, --one-label a single one"
            raise BadInput(what, remedy="remove one of them")
        return {"hierarchy": Hierarchy.read(self.hierarchy).parents, "consistent": not self.inconsistent}


@dataclass(frozen=True)
class Settings:
    """Options of a classifier, the same for all verbs that train one."""

    learner: o.Learner = "multilabel"
    rule: o.Rule = None
    target: o.Target = None
    language: o.Language = "english"
    stem: o.Stem = None
    stop_words: o.StopWords = None
    keep_html: o.KeepHtml = False
    ngrams: o.Ngrams = None
    min_df: o.MinDf = None
    weight: o.Weight = None
    one_label: o.OneLabel = False
    prior_terms: o.PriorTermFiles = None
    meaning: o.Meaning = None
    unlabelled: o.Unlabelled = None
    label_rates: o.LabelRates = None
    hierarchy: o.Hierarchy = None
    inconsistent: o.Inconsistent = False
    seed: o.Seed = 0

    @property
    def _text(self) -> MoreText:
        return MoreText(self.meaning, self.unlabelled, self.label_rates)

    def classifier(self) -> TextClassifier:
        """Return an unfitted classifier with these settings."""
        from bayesift.cli.lazy_imports import postponed

        with postponed():
            from sklearn.base import clone

            from bayesift.classify import TextClassifier
            from bayesift.classify.registry import vectorizer_of
            from bayesift.learn.priors import PriorTerms
            from bayesift.learn.registry import learner_of

        learner = learner_of(self.learner)
        rule, target = self._rule()
        words = Words(self.language, self.stem, self.stop_words, self.keep_html).parameters()
        own = {"ngrams": self.ngrams, "min_df": self.min_df, "weight": self.weight}
        words |= {name: value for name, value in own.items() if value is not None}  # else the default of the learner
        vectorizer = clone(vectorizer_of(None, learner)).set_params(**words)
        pairs = by_label(self.prior_terms, "--prior-terms", "LABEL=FILE")
        known = {label: PriorTerms.read(path) for label, path in pairs.items()} or None
        more, above = self._text.parameters(), LabelsAbove(self.hierarchy, self.inconsistent).parameters(self.one_label)
        classifier = TextClassifier(
            self.learner, rule=rule, target=target, vectorizer=vectorizer, prior_terms=known, seed=self.seed,
            **more, **above,
        )  # fmt: skip
        classifier.check()
        return classifier

    def _rule(self) -> tuple[str | None, float | dict[str | int, float] | None]:
        """Return the rule's name and its target: `precision=0.9`, or one target per label."""
        if self.one_label and self.rule is not None:
            raise BadInput("--rule has no effect with --one-label", remedy="remove one of them")
        name, given, value = (self.rule or "").partition("=")
        pairs = by_label(self.target, "--target", "LABEL=SHARE")
        targets: dict[str | int, float] = {label: _share(share, f"--target {label}") for label, share in pairs.items()}
        if targets and name not in ("precision", "recall"):
            raise BadInput("--target needs --rule precision or --rule recall", remedy="add one of them")
        if given and targets:
            remedy = "use one of them; a label without --target has the target 0.9"
            raise BadInput("--rule has a target for all labels and --target one for single labels", remedy=remedy)
        return name or None, _share(value, f"--rule {name}") if given else targets or None

    def read_unlabelled(self, reading: Reading, sources: list[str], classifier: TextClassifier) -> None:
        """Read the unlabelled text for a classifier whose labelled documents are those of sources."""
        self._text.read(reading, sources, classifier)

    def targets(self, documents: Iterable[Document]) -> list[Any]:
        """Return the labels of documents: a set per document, or with --one-label a single label."""
        from bayesift.classify.input_documents import labels_of

        return labels_of(documents, self.one_label)


def learns(only: Collection[str] = ()) -> Decorator:
    """Replace the parameter `settings` of a verb by the options of `Settings`, by all of them or only by some."""
    left_out = {option.name for option in fields(Settings)} - set(only) if only else ()
    return takes("settings", Settings, left_out)


def by_label(given: list[str] | None, option: str, what: str) -> dict[str, str]:
    """Return the values of an option that is given once per label; raise if a label has two."""
    pairs = [pair_of(text, what) for text in given or ()]
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(label for n, (label, _) in enumerate(pairs) if label in dict(pairs[:n]))
        raise BadInput(f"{option} is given twice for {twice!r}", remedy="keep one of the two")
    return found


def _share(text: str, option: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.0 < float(text) < 1.0:
            return float(text)
    raise BadInput(f"{option} is {text!r}", remedy="use a number between 0 and 1, e.g. 0.9")
