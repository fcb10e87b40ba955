"""From the options of the command line to a classifier that is ready to learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesift.cli.sources import pair_of

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document


@dataclass(frozen=True)
class Settings:
    """How to learn; the same for every verb that learns."""

    learner: str
    rule: str | None
    stem: str
    stop_words: str
    ngrams: int
    min_df: int
    weight: str | None
    one_label: bool
    knowledge: list[str] | None
    seed: int

    def classifier(self) -> TextClassifier:
        """A classifier with these settings."""
        from sklearn.base import clone

        from bayesift.classify import TextClassifier
        from bayesift.classify.choices import learner_of, rule_of, vectorizer_of
        from bayesift.learn.priors import Knowledge

        learner = learner_of(self.learner)
        rule_of(self.rule)
        vectorizer = clone(vectorizer_of(None, learner)).set_params(
            stem=None if self.stem == "none" else self.stem,
            stop_words=self._stop_words(),
            ngrams=self.ngrams,
            min_df=self.min_df,
        )
        if self.weight is not None:
            vectorizer.set_params(weight=self.weight)
        pairs = [pair_of(text, "LABEL=FILE") for text in self.knowledge or ()]
        known = {label: Knowledge.read(path) for label, path in pairs} or None
        return TextClassifier(self.learner, rule=self.rule, vectorizer=vectorizer, knowledge=known, seed=self.seed)

    def targets(self, documents: Iterable[Document]) -> list[Any]:
        """Return the labels of documents: sets, or with --one-label the only one of each."""
        from bayesift.classify.documents import labels_of

        return labels_of(documents, self.one_label)

    def _stop_words(self) -> Any:
        if self.stop_words in ("english", "none"):
            return None if self.stop_words == "none" else "english"
        from bayesift.files import read_lines

        return [word for _, line in read_lines(self.stop_words) if (word := line.strip())]
