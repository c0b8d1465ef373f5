"""Reads vectors of texts and pages that a model made elsewhere, from Parquet.

Columns: ``vector`` (a list of numbers), ``text``, or ``document`` and ``page`` (from 1), or both;
``model``, unless the file's metadata has it under that key. Rows that cannot be used are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.statistics.text_vectors import TextVectors, text_key
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.field_types import without_fraction
from pagetrail.storage.importers.files.rows import read_error, refuse
from pagetrail.storage.importers.files.table_rows import check_header, parquet_file

MAX_ROWS = 1_000_000

VectorProblem = Literal[
    "other_length", "not_finite", "no_vector", "no_text_or_page", "other_model", "second_vector"
]

_ADVICE = "Split the file, or leave out columns that are not needed."
_COLUMNS = ("text", "document", "page", "vector", "model")


@dataclass(frozen=True)
class BadVector:
    """A row that is not used.

    Attributes:
        line: number of the row, from 1.
        problem: machine-readable kind of the reason.
    """

    line: int
    problem: VectorProblem
    reason: str


@dataclass(frozen=True)
class VectorFile:
    """The vectors of a file, and the rows that are not used."""

    vectors: TextVectors
    bad: Sequence[BadVector] = field(default_factory=list)


def read_vectors(path: Path) -> VectorFile:
    """Read the file.

    Raises:
        InputFileError: it is missing or not Parquet, has no column of vectors or of what they
            belong to, does not name the model, or no row can be used.
    """
    try:
        if not path.is_file():
            refuse(path, "is not a regular file.")
    except OSError as error:
        raise read_error(path, error) from error
    return read_in_worker(_read, path, advice=_ADVICE)


def _read(path: Path) -> VectorFile:
    with parquet_file(path) as file:
        _check_columns(path, file.schema_arrow)
        if file.metadata.num_rows > MAX_ROWS:
            refuse(path, f"has more than {MAX_ROWS:,} rows. {_ADVICE}")
        metadata: Mapping[bytes, bytes] = file.schema_arrow.metadata or {}
        table = file.read(columns=[name for name in _COLUMNS if name in file.schema_arrow.names])
    model = metadata.get(b"model", b"").decode("utf-8", "replace").strip() or None
    column = table.column("vector")
    if not _is_list(column.type):
        refuse(path, f"has no lists of numbers in the column vector, but {column.type}.")
    if not table.num_rows:
        refuse(path, "has no rows.")
    rows = table.select([name for name in table.column_names if name != "vector"]).to_pylist()
    model = model or _most_frequent([row.get("model") for row in rows])
    if model is None:
        refuse(path, "does not name the model. Add a column model, or that key to its metadata.")
    lengths = pc.list_value_length(column).to_pylist()
    length = _most_frequent([number for number in lengths if number])
    if length is None:
        refuse(path, "has no vector.")
    vectors, kept, bad = _usable(column, lengths, int(length))
    reader = _Rows(str(model))
    for position, line in enumerate(kept):
        reader.add(rows[line], line + 1, position, vectors)
    bad = sorted([*bad, *reader.bad], key=lambda entry: entry.line)
    if not reader.texts and not reader.pages:
        refuse(path, f"has no usable row: row {bad[0].line:,} {bad[0].reason}.")
    return VectorFile(TextVectors(str(model), vectors, reader.texts, reader.pages), bad)


def _check_columns(path: Path, schema: pa.Schema) -> None:
    names: list[str] = schema.names
    if "vector" not in names or not ("text" in names or {"document", "page"} <= set(names)):
        columns = ", ".join(name[:40] for name in names[:20])
        refuse(
            path,
            "needs a column vector, and a column text or the columns document and page. Columns: "
            f"{columns}.",
        )
    check_header(path, names, "vector")
    for name in ("text", "document", "model"):
        if name in names and not _is_text(schema.field(name).type):
            refuse(path, f"has no text in the column {name}, but {schema.field(name).type}.")


def _is_text(kind: pa.DataType) -> bool:
    value_kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return pa.types.is_null(kind) or any(test(value_kind) for test in tests)


def _is_list(kind: pa.DataType) -> bool:
    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    if not any(test(kind) for test in tests):
        return False
    number = kind.value_type
    return bool(pa.types.is_floating(number) or pa.types.is_integer(number))


def _most_frequent(values: Sequence[Any]) -> Any:
    """The most frequent value that is not None or empty; of several the first."""
    counts = Counter(value for value in values if value not in (None, ""))
    return counts.most_common(1)[0][0] if counts else None


def _usable(
    column: pa.ChunkedArray, lengths: Sequence[int | None], length: int
) -> tuple[np.ndarray[Any, np.dtype[np.float32]], list[int], list[BadVector]]:
    """Vectors of length 1, the rows that they are of, counted from 0, and the other rows."""
    bad: list[BadVector] = []
    right: list[int] = []
    for row, number in enumerate(lengths):
        if not number:
            bad.append(BadVector(row + 1, "no_vector", "has no vector"))
        elif number != length:
            reason = f"has a vector of {number:,} numbers; the others have {length:,}"
            bad.append(BadVector(row + 1, "other_length", reason))
        else:
            right.append(row)
    flat = pc.list_flatten(column.take(pa.array(right, pa.int64())))
    numbers = flat.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    matrix = numbers.reshape(len(right), length)
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(matrix, axis=1)
    usable = np.isfinite(norms) & (norms > 0)
    for row, is_usable, norm in zip(right, usable, norms, strict=True):
        if not is_usable:
            reason = "has a vector of zeros" if norm == 0 else "has a number that is not finite"
            bad.append(BadVector(row + 1, "not_finite", reason))
    kept = [row for row, is_usable in zip(right, usable, strict=True) if is_usable]
    unit = (matrix[usable] / norms[usable][:, None]).astype(np.float32)
    return unit, kept, bad


class _Rows:
    """What each vector belongs to.

    Attributes:
        texts, pages, bad: as of ``TextVectors`` and ``VectorFile``.
    """

    def __init__(self, model: str) -> None:
        self.texts: dict[str, int] = {}
        self.pages: dict[tuple[str, int], int] = {}
        self.bad: list[BadVector] = []
        self._model = model

    def add(
        self,
        row: Mapping[str, Any],
        line: int,
        position: int,
        vectors: np.ndarray[Any, np.dtype[np.float32]],
    ) -> None:
        """Add a row; ``position`` is that of its vector."""
        model = row.get("model")
        if model not in (None, "", self._model):
            reason = f"is of the model {short_value(model)}; the others are of {self._model}"
            self.bad.append(BadVector(line, "other_model", reason))
            return
        text, document, page = row.get("text"), row.get("document"), row.get("page")
        has_text = isinstance(text, str) and text.strip()
        has_page = isinstance(document, str) and document and _is_page(page)
        if not has_text and not has_page:
            reason = "has neither a text nor a document and a page from 1"
            self.bad.append(BadVector(line, "no_text_or_page", reason))
            return
        known = {
            name: earlier
            for name, earlier in (
                ("text", self.texts.get(text_key(str(text))) if has_text else None),
                ("page", self.pages.get((str(document), int(page or 0))) if has_page else None),
            )
            if earlier is not None and not np.array_equal(vectors[earlier], vectors[position])
        }
        if known:
            reason = f"has a second vector of the same {next(iter(known))}; the first counts"
            self.bad.append(BadVector(line, "second_vector", reason))
            return
        if has_text:
            self.texts.setdefault(text_key(str(text)), position)
        if has_page:
            self.pages.setdefault((str(document), int(page or 0)), position)


def _is_page(page: object) -> bool:
    """pandas writes whole numbers as floats in a column where some rows have none."""
    number = without_fraction(page)
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1
