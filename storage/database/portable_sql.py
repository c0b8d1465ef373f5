"""SQL that SQLite and PostgreSQL write differently.

Everything else in ``storage`` is written once, with SQLAlchemy's common constructs. Statements may
be built before the database is known, except those with ``insert_into``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Integer,
    SQLColumnExpression,
    TableValuedAlias,
    case,
    func,
    select,
)
from sqlalchemy import type_coerce as typed
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import NullType, Text

from pagetrail.storage.database.base import Base

Insert = sqlite.Insert | postgresql.Insert


def insert_into(connection: Connection, table: type[Base]) -> Insert:
    """An INSERT that can say what happens when the row exists (``on_conflict_do_…``)."""
    postgres = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if postgres else sqlite.insert(table)


def in_list(column: SQLColumnExpression[Any], ids: Sequence[str]) -> ColumnElement[bool]:
    """Whether a column holds one of these ids, more of them than a statement has room for."""
    listed = json_strings(json.dumps(ids), "listed")
    return column.in_(select(listed.c.value))


def json_strings(array: object, name: str) -> TableValuedAlias:
    """A row for each string of a JSON array, in the column ``value``."""
    return _json_strings(array).table_valued("value", name=name)


def json_objects(array: object, name: str) -> tuple[TableValuedAlias, ColumnElement[Any]]:
    """A row for each object of a JSON array, and the object, of which ``["key"]`` is a value.

    An array in a column gives the rows of that column's row alone, so joins need no other
    condition: ``.join(rows, true())``.
    """
    rows = _json_objects(array).table_valued("value", name=name)
    return rows, typed(rows.c.value, JSON)


def json_entries(document: object, name: str) -> TableValuedAlias:
    """A row for each entry of a JSON object, in the columns ``key``, ``value`` and ``type``."""
    return _json_entries(document).table_valued("key", "value", "type", name=name)


class as_json(GenericFunction[Any]):
    """A text column that holds JSON, of which ``["key"].as_string()`` is a value."""

    type = JSON()
    inherit_cache = True


class position_of(GenericFunction[int]):
    """Where a column has a text, case as written, from 1; 0 if it has not."""

    type = Integer()
    inherit_cache = True


class database_time(GenericFunction[Any]):
    """The time by the database's own clock; NULL where it has none but the machine's, in SQLite."""

    type = NullType()
    inherit_cache = True


class _json_strings(GenericFunction[Any]):
    type = Text()
    inherit_cache = True


class _json_objects(GenericFunction[Any]):
    type = NullType()
    inherit_cache = True


class _json_entries(GenericFunction[Any]):
    type = NullType()
    inherit_cache = True


@compiles(database_time)
def _no_time(_element: Any, _compiler: SQLCompiler, **_options: Any) -> str:
    return "NULL"


@compiles(database_time, "postgresql")
def _postgres_time(_element: Any, _compiler: SQLCompiler, **_options: Any) -> str:
    return "clock_timestamp()"


@compiles(_json_strings)
@compiles(_json_objects)
@compiles(_json_entries)
def _sqlite_rows(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **options)})"


@compiles(_json_strings, "postgresql")
def _postgres_strings(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    array = compiler.process(element.clauses, **options)
    return f"json_array_elements_text(CAST({array} AS JSON))"


@compiles(_json_objects, "postgresql")
def _postgres_objects(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    array = compiler.process(element.clauses, **options)
    return f"json_array_elements(CAST({array} AS JSON))"


@compiles(_json_entries, "postgresql")
def _postgres_entries(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    document = compiler.process(element.clauses, **options)
    columns = "SELECT key, value, json_typeof(value) AS type"
    return f"LATERAL ({columns} FROM json_each(CAST({document} AS JSON)))"


@compiles(as_json)
def _text_as_json(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(as_json, "postgresql")
def _postgres_text_as_json(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    # PostgreSQL has no NUL in texts, and fails where a value of JSON has one.
    column = compiler.process(element.clauses, **options)
    return rf"CAST(replace({column}, '\u0000', '\ufffd') AS JSON)"


@compiles(position_of)
def _position(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"instr({compiler.process(element.clauses, **options)})"


@compiles(position_of, "postgresql")
def _postgres_position(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"strpos({compiler.process(element.clauses, **options)})"


def count_where(condition: Any) -> ColumnElement[int]:
    """The number of rows that meet a condition; 0 without any rows."""
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
