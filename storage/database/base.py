"""Base class of the tables: its own registry, names for constraints, and typed columns.

SQLModel's default registry breaks under Streamlit's hot reload.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from sqlalchemy import MetaData, Row, Select, Table
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


AnyRow = Row[*tuple[Any, ...]]
"""A row with any columns."""
AnySelect = Select[*tuple[Any, ...]]
"""A SELECT of any columns."""

if TYPE_CHECKING:
    from sqlalchemy.orm import Mapped as Mapped
else:

    class Mapped:
        """``Mapped[str]`` is ``str``, as SQLModel needs it.

        Type checkers see SQLAlchemy's class: ``Task.key`` is a column, ``task.key`` its value.
        """

        def __class_getitem__(cls, value_type: Any) -> Any:
            return value_type


class Base(SQLModel, registry=registry(metadata=metadata)):
    """Root of the project's own registry."""

    metadata = metadata
    if TYPE_CHECKING:
        __table__: ClassVar[Table]

    @classmethod
    def from_row(cls, row: AnyRow) -> Self:
        """The instance in a row of a statement that selects this class, alone or among others."""
        columns = cls.__table__.columns
        return cls(**{name: row._mapping[column] for name, column in columns.items()})
