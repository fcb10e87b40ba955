"""Workspaces: a filter in a database, SQLite or PostgreSQL.

`Workspace` is what users need; the other modules are its parts, from the bottom:

- `schema`, `migrations`, `migrate`: the tables, and how they came to be.
- `database`, `locking`, `failures`: connections, write locks that name their holder, errors in plain words.
- `documents`, `search`, `texts`, `topic_table`, `recording`, `checkpoints`: what is in the tables.
- `group`, `groups`: the filters in memory, which catch up with the database and never go ahead of it.
- `claims`, `expiry`, `status`, `export`: sharing of work, old documents, numbers, copies.

SQLAlchemy is imported with this package only.
"""

from bayesift.filtering.store.documents import StoredDocument
from bayesift.filtering.store.failures import StoreFailed
from bayesift.filtering.store.status import Status
from bayesift.filtering.store.workspace import Workspace

__all__ = ["Status", "StoreFailed", "StoredDocument", "Workspace"]
