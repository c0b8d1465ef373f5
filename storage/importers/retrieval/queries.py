"""Reads queries: TREC topics, BEIR's JSON Lines, ViDoRe's Parquet, and task files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.json_rows import read_text
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import RawRow, Row, RowError, TaskFile, refuse
from pagetrail.storage.importers.files.table_rows import column_names

IDS = ("query_id", "query-id", "qid", "_id", "id")
_TEXTS = ("question", "query", "text")
_TOPICS = (".tsv", ".txt", ".csv")


@dataclass(frozen=True)
class Query:
    """A query.

    Attributes:
        key: its id in the judgements.
        fields: the fields of its task.
    """

    line: int
    key: str
    fields: dict[str, Any]


@dataclass
class Queries:
    """Queries of one or more files, and errors for rows that cannot be read."""

    queries: list[Query] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_queries(paths: Sequence[Path]) -> Queries:
    """Read the queries of all files; line numbers continue from one file to the next.

    Raises:
        InputFileError: a file cannot be used as a whole.
    """
    result = Queries()
    keys: set[str] = set()
    line_offset = 0
    for path in paths:
        file = _read_rows(path)
        result.notes += file.notes
        result.errors += [RowError(line_offset + error.line, error.reason) for error in file.errors]
        for row in file.rows:
            line = line_offset + row.line
            try:
                query = _parse_query(line, row.data)
            except ValueError as error:
                result.errors.append(RowError(line, str(error)))
                continue
            if query.key in keys:
                result.errors.append(RowError(line, f"the query {query.key!r} occurs twice"))
                continue
            keys.add(query.key)
            result.queries.append(query)
        line_offset += max(
            [row.line for row in file.rows] + [error.line for error in file.errors], default=0
        )
    return result


def _read_rows(path: Path) -> TaskFile:
    suffix = path.suffix.lower()
    names = _header_names(path) if suffix in _TOPICS else []
    if suffix == ".parquet":
        names = column_names(path)
    column = next((name for name in _TEXTS if name in names), None)
    if column is not None:
        return read_task_file(path, column)
    if suffix in _TOPICS:
        return TaskFile.from_rows(_topics(path))
    if suffix == ".parquet":
        columns = ", ".join(map(printable, names[:20]))
        refuse(path, f"has no column of queries ({', '.join(_TEXTS)}). Columns: {columns}.")
    return read_task_file(path)


def _header_names(path: Path) -> list[str]:
    """Column names of a table, or the parts of the first line of another text file."""
    first = read_text(path).lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return [name.strip().strip('"') for name in first.split(delimiter)]


def _topics(path: Path) -> Iterator[Row]:
    """Topics from lines of id, tab and text; ids are percent-encoded in our own exports."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        key, tab, text = line.partition("\t")
        if tab and key.strip() and text.strip():
            yield RawRow(number, {"qid": key.strip(), "id": unquote(key.strip()), "text": text})
        else:
            yield RowError(number, "is not a topic: an id, a tab and the text of the query")


def _parse_query(line: int, data: Mapping[str, Any]) -> Query:
    key = first_value(data, IDS)
    text = first_value(data, _TEXTS)
    if key is None or isinstance(key, bool) or not isinstance(key, str | int):
        raise ValueError(f"has no query id ({', '.join(IDS)})")
    if text is None:
        raise ValueError(f"has no query text ({', '.join(_TEXTS)})")
    metadata = data.get("metadata")
    exported_id = metadata.get("task") if isinstance(metadata, dict) else None
    task_ids = (data.get("task_id"), exported_id, data.get("id"), key)
    task = next(name for name in task_ids if name is not None)
    other_fields = {
        name: value
        for name, value in data.items()
        if name not in (*IDS, *_TEXTS, "task_id", "query_types", "annotators", "unanswerable")
        and value is not None
        and not (
            exported_id is not None and metadata == {"task": exported_id} and name == "metadata"
        )
    }
    query_type = {"query_type": data["query_types"]} if data.get("query_types") else {}
    return Query(
        line,
        str(key).strip(),
        {"id": task, "question": text, **query_type, **other_fields, **_unanswerable(data)},
    )


def _unanswerable(data: Mapping[str, Any]) -> dict[str, bool]:
    """``unanswerable``, if stated; with ViDoRe's counts, only if all annotators agree."""
    unanswerable, annotators = data.get("unanswerable"), data.get("annotators")
    if isinstance(unanswerable, bool) or annotators is None:
        return {"unanswerable": unanswerable} if isinstance(unanswerable, bool) else {}
    if unanswerable in (0, annotators):
        return {"unanswerable": unanswerable != 0}
    return {}
