"""Pages and terminal text that people read; each page is one file that needs no network."""

from bayesift.report.evaluation import evaluation_page
from bayesift.report.explanation import explanation_page, terminal
from bayesift.report.filtering import filtering_page
from bayesift.report.learning import learning_curve
from bayesift.report.review import review_page
from bayesift.report.screening import screening_page

__all__ = [
    "evaluation_page",
    "explanation_page",
    "filtering_page",
    "learning_curve",
    "review_page",
    "screening_page",
    "terminal",
]
