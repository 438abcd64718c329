"""Alembic's side of `classroom.database`: it is run with a connection that is open."""

from alembic import context

from classroom.tables import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
