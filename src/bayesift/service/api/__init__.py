"""The API: the same calls as the pages, as JSON. Errors are problem+json; a topic is known by its number."""

from bayesift.service.api import changes, documents, judgements, topics, workspace
from bayesift.service.api.common import DESCRIPTION

ROUTERS = (workspace.router, documents.router, topics.router, judgements.router, changes.router)

__all__ = ["DESCRIPTION", "ROUTERS"]
