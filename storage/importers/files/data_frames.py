"""The rows of tables that pandas wrote with ``DataFrame.to_json``, in any of its shapes.

Source: pandas' documentation of ``to_json`` (``orient``). An index that numbers the rows from 0 is
left out; other whole numbers become the field ``index``. Labels that are text are refused: no shape
but ``table`` says what they are called, and two of the shapes cannot be told apart then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

_INDEX = "index"
_JsonObject = Mapping[str, Any]


def rows_of_frame(value: _JsonObject) -> list[dict[str, Any]] | None:
    """The rows of a table as objects; None if the value is not such a table.

    Raises:
        ValueError: its rows have labels that are text.
    """
    shapes: tuple[Callable[[_JsonObject], list[dict[str, Any]] | None], ...] = (
        _split_rows,
        _schema_rows,
        _nested_rows,
    )
    return next((rows for read in shapes if (rows := read(value)) is not None), None)


def _split_rows(value: _JsonObject) -> list[dict[str, Any]] | None:
    """Rows of ``orient="split"``: names of columns, labels of rows, and lists of cells."""
    if value.keys() != {"columns", "index", "data"}:
        return None
    columns, labels, cells = value["columns"], value["index"], value["data"]
    if not all(isinstance(part, list) for part in (columns, labels, cells)):
        return None
    if len(labels) != len(cells) or not all(
        isinstance(row, list) and len(row) == len(columns) for row in cells
    ):
        return None
    return _with_labels(labels, [dict(zip(map(str, columns), row, strict=True)) for row in cells])


def _schema_rows(value: _JsonObject) -> list[dict[str, Any]] | None:
    """Rows of ``orient="table"``: a schema with pandas' version, and objects with their label."""
    schema, rows = value.get("schema"), value.get("data")
    if value.keys() != {"schema", "data"} or not isinstance(schema, dict):
        return None
    if "pandas_version" not in schema or not isinstance(rows, list):
        return None
    if not all(isinstance(row, dict) for row in rows):
        return None
    if schema.get("primaryKey") != [_INDEX] or not all(_INDEX in row for row in rows):
        return rows
    unlabelled = [{name: cell for name, cell in row.items() if name != _INDEX} for row in rows]
    return _with_labels([row[_INDEX] for row in rows], unlabelled)


def _nested_rows(value: _JsonObject) -> list[dict[str, Any]] | None:
    """Rows of ``orient="columns"``, which is the default, and of ``orient="index"``.

    Which of the two it is only shows in the labels: they number the rows.
    """
    inner = list(value.values())
    if not inner or not all(isinstance(part, dict) and part for part in inner):
        return None
    names = inner[0].keys()
    if any(part.keys() != names for part in inner):
        return None
    if _are_numbers(value) and not _are_numbers(names):
        return _with_labels([*map(int, value)], inner)
    if not _are_numbers(value) and _are_numbers(names):
        rows = [{column: value[column][label] for column in value} for label in names]
        return _with_labels([*map(int, names)], rows)
    if len(inner) > 1:
        _refuse_labels()
    return None


def _are_numbers(labels: Sequence[Any] | Any) -> bool:
    return all(str(label).isdecimal() for label in labels)


def _with_labels(labels: Sequence[Any], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, each with its label unless the labels number them."""
    if list(labels) == list(range(len(rows))):
        return rows
    if not all(isinstance(label, int) for label in labels):
        _refuse_labels()
    return [{_INDEX: label, **row} for label, row in zip(labels, rows, strict=True)]


def _refuse_labels() -> NoReturn:
    raise ValueError(
        "is a table of pandas whose index is text, which this shape does not name. Make it a "
        'column: df.rename_axis("id").reset_index().to_json(path, orient="records").'
    )
