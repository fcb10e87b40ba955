"""Pages and terminal text that people read: evaluations and explanations, each page one file without network."""

from bayesift.report.evaluation import evaluation_page
from bayesift.report.explanation import explanation_page, terminal
from bayesift.report.learning import learning_curve

__all__ = ["evaluation_page", "explanation_page", "learning_curve", "terminal"]
