"""Changes of the tables, one file per version in `versions`; alembic applies them when a workspace is opened."""
