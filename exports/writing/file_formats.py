"""Writers for files that have the same bytes for the same rows."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

PARQUET_ROWS = 5_000
"""Rows per Parquet row group, fixed so that the bytes do not depend on how rows arrive."""

MAX_STEM_BYTES = 200
"""Longest stem of a file name: 255 bytes minus room for suffixes."""

_CUT_LENGTH = MAX_STEM_BYTES // 6
"""Characters kept of a longer stem: at 4 bytes each, they and the hash stay below the limit."""


def json_text(value: object) -> str:
    """JSON on one line, keys in the given order.

    Non-ASCII characters are escaped: MADQA's evaluator opens files in the machine's own encoding,
    and other readers split lines at U+2028.
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def save_json(path: Path, value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Write a JSON file with one entry per line, and one list item per line in objects."""
    if isinstance(value, Mapping):
        parts = [f"{json_text(key)}: {_json_lines(item, ' ')}" for key, item in value.items()]
        text = "{\n" + ",\n".join(parts) + "\n}"
    else:
        text = _json_lines(value, "")
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _json_lines(value: Any, indent: str) -> str:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return json_text(value)
    return "[\n" + ",\n".join(f"{indent}{json_text(item)}" for item in value) + f"\n{indent}]"


def save_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a CSV file with a header; None becomes an empty cell. Returns the number of rows."""
    all_rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(all_rows)
    return len(all_rows)


def encoded_stem(name: str) -> str:
    """A name as a file stem; all but letters, digits and ``-_.@ `` is percent-encoded."""
    return re.sub(r"[^\w.@ -]", lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), name)


def safe_file_name(name: str) -> str:
    """``encoded_stem``; a stem that is too long for file systems is cut and gets a hash."""
    stem = encoded_stem(name)
    if len(stem.encode()) <= MAX_STEM_BYTES:
        return stem
    return _with_hash(stem, name)


def safe_folder_name(name: str) -> str:
    """``safe_file_name`` for a folder; names such as ``..`` must not lead out of the export."""
    return safe_file_name(name) if name.strip(".") else name.replace(".", "%2E")


class FileNames:
    """Names of files and folders for the ids of an export.

    macOS and Windows take names that differ in case or in the form of letters only for one. Of ids
    with such names the first has its ``safe_folder_name``, and each other gets a hash.
    """

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def __getitem__(self, id_: str) -> str:
        name = safe_folder_name(id_)
        form = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if self._ids.setdefault(form, id_) == id_:
            return name
        return _with_hash(name, id_)


def _with_hash(stem: str, name: str) -> str:
    return f"{stem[:_CUT_LENGTH]}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


class JsonLines:
    """Writes a JSONL file; creates its folder if necessary."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self.rows = 0

    def write(self, row: Mapping[str, Any]) -> None:
        """Add one row."""
        self._file.write(json_text(row) + "\n")
        self.rows += 1

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


class AppendedLines:
    """Writes many text files without keeping them open; creates folders if necessary.

    Attributes:
        rows: path below the folder → number of lines, 0 for an empty file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.rows: dict[str, int] = {}

    def add(self, path: str, lines: Iterable[str]) -> None:
        """Append lines to a file."""
        all_lines = list(lines)
        target = self._folder / path
        if path not in self.rows:
            target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in all_lines)
        self.rows[path] = self.rows.get(path, 0) + len(all_lines)


class ParquetRows:
    """Writes a Parquet file by row groups; creates its folder if necessary."""

    def __init__(self, path: Path, schema: pa.Schema, rows_at_once: int = PARQUET_ROWS) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._schema = schema
        self._rows_at_once = rows_at_once
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[Mapping[str, Any]] = []
        self.rows = 0

    def write(self, row: Mapping[str, Any]) -> None:
        """Add one row with the schema's keys."""
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) == self._rows_at_once:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []

    def __enter__(self) -> ParquetRows:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._waiting and kind is None:
            self._flush()
        self._writer.close()
