"""How results are shown: one table renderer, one style sheet, and the HTML of notebooks and pages.

It is below every package whose objects show themselves, and knows none of them. Pages and charts: `bayesift.report`.
"""

from bayesift.display.html import Markup, cards, notebook, section, table_html, tags
from bayesift.display.tables import Cell, Table

__all__ = ["Cell", "Markup", "Table", "cards", "notebook", "section", "table_html", "tags"]
