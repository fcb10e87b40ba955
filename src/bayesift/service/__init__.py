"""The live filter as pages and an API: one workspace, one process, nothing to set up.

`bayesift serve news.db` starts it. `create_app` returns the ASGI application, for another server or for tests. Pages
are rendered on the server and work without the script; the API has the same calls for programs.
"""

from bayesift.service.app import ServiceSettings, create_app

__all__ = ["ServiceSettings", "create_app"]
