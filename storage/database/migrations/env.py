"""Alembic's entry point: runs inside the transaction that the workspace opened."""

from alembic import context

from pagetrail.storage.database.base import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
