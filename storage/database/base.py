"""What the tables have in common: a registry of their own, and names for their constraints.

SQLModel's default registry breaks under Streamlit's hot reload.
"""

from __future__ import annotations

from sqlalchemy import MetaData, Table
from sqlalchemy.orm import registry
from sqlmodel import SQLModel

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Base(SQLModel, registry=registry(metadata=metadata)):
    """Root of the project's own registry."""

    metadata = metadata


def table(model: type[Base]) -> Table:
    """The SQLAlchemy table behind a model."""
    return metadata.tables[str(model.__tablename__)]
