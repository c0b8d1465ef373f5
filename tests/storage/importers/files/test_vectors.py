"""Files of vectors: what is read, and which rows are named and left out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors


def _write(path: Path, rows: list[dict[str, Any]], metadata: dict[str, str] | None = None) -> Path:
    table = pa.Table.from_pylist(rows)
    pq.write_table(table.replace_schema_metadata(metadata), path)
    return path


def _read(tmp_path: Path, rows: list[dict[str, Any]], **metadata: str) -> VectorFile:
    return read_vectors(_write(tmp_path / "vectors.parquet", rows, metadata or None))


def test_texts_and_pages(tmp_path: Path) -> None:
    """Texts are found whatever their white space and width; pages by name and number."""
    file = _read(
        tmp_path,
        [
            {"text": "otters  eat", "document": None, "page": None, "vector": [3.0, 4.0]},
            {"text": None, "document": "a.pdf", "page": 2, "vector": [6.0, 8.0]},
            {"text": "fish", "document": "a.pdf", "page": 3, "vector": [4.0, -3.0]},
        ],
        model="m-1",
    )
    vectors = file.vectors
    assert (vectors.name, file.bad) == ("m-1", [])
    assert vectors.cosines([("otters eat\n", "fish"), ("fish", "unknown")]) == [
        pytest.approx(0, abs=1e-6),
        None,
    ]
    assert vectors.cosine_to_page("ｏtters eat", ("a.pdf", 2), "") == pytest.approx(1)
    assert vectors.cosine_of_pages(("a.pdf", 2), "", ("b.pdf", 1), "fish") == pytest.approx(
        0, abs=1e-6
    )
    assert vectors.cosine_of_pages(("a.pdf", 2), "", ("b.pdf", 1), "none") is None


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = [
        {"text": "a", "vector": [1.0, 2.0, 3.0], "model": "m"},
        {"text": "b", "vector": [1.0, 2.0], "model": "m"},
        {"text": "c", "vector": [1.0, math.nan], "model": "m"},
        {"text": "d", "vector": [0.0, 0.0], "model": "m"},
        {"text": " ", "vector": [1.0, 2.0], "model": "m"},
        {"text": "e", "vector": [1.0, 2.0], "model": "other"},
        {"text": "b", "vector": [2.0, 1.0], "model": "m"},
        {"text": "b", "vector": [1.0, 2.0], "model": "m"},
        {"text": "f", "vector": None, "model": "m"},
    ]
    file = _read(tmp_path, rows)
    assert [(bad.line, bad.problem) for bad in file.bad] == [
        (1, "other_length"),
        (3, "not_finite"),
        (4, "not_finite"),
        (5, "no_text_or_page"),
        (6, "other_model"),
        (7, "second_vector"),
        (9, "no_vector"),
    ]
    assert file.bad[0].reason == "has a vector of 3 numbers; the others have 2"
    assert "'other'" in file.bad[4].reason
    assert file.vectors.texts == {"b": 0}


@pytest.mark.parametrize("kind", [pa.list_(pa.float32(), 2), pa.large_list(pa.float16())])
def test_other_types_of_lists(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "v.parquet"
    vectors = pa.array([[1.0, 0.0], [0.0, 1.0]], pa.list_(pa.float64())).cast(kind)
    table = pa.table({"text": ["a", "b"], "vector": vectors, "model": ["m", "m"]})
    pq.write_table(table, path)
    assert read_vectors(path).vectors.cosines([("a", "b"), ("a", "a")]) == [0, 1]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"text": "a", "vector": [1.0]}], "does not name the model"),
        ([{"text": "a", "embedding": [1.0], "model": "m"}], "needs a column vector"),
        ([{"document": "a.pdf", "vector": [1.0], "model": "m"}], "document and page"),
        ([{"text": "a", "vector": "1, 2", "model": "m"}], "no lists of numbers"),
        ([{"text": "a", "vector": ["x"], "model": "m"}], "no lists of numbers"),
        ([{"text": "a", "vector": [0.0], "model": "m"}], "no usable row: row 1 has a vector of"),
    ],
)
def test_what_is_refused_as_a_whole(
    tmp_path: Path, rows: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(InputFileError, match=message):
        _read(tmp_path, rows)


def test_a_missing_or_damaged_file(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="not a regular file"):
        read_vectors(tmp_path / "none.parquet")
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 nothing")
    with pytest.raises(InputFileError, match="not readable Parquet"):
        read_vectors(damaged)


def test_columns_of_another_type_are_named(tmp_path: Path) -> None:
    """Models, texts and documents are text, and each column is there once."""
    vectors = pa.array([[1.0, 2.0]])
    columns = {"text": pa.array(["a"]), "vector": vectors, "model": pa.array(["m"])}
    path = tmp_path / "vectors.parquet"
    for name, values in {
        "model": pa.array([["m"]]),
        "text": pa.array([2**62], pa.timestamp("us")),
    }.items():
        pq.write_table(pa.table({**columns, name: values}), path)
        with pytest.raises(InputFileError, match=f"no text in the column {name}, but"):
            read_vectors(path)
    names = [*columns, "vector"]
    pq.write_table(pa.Table.from_arrays([*columns.values(), vectors], names=names), path)
    with pytest.raises(InputFileError, match="has the column 'vector' more than once"):
        read_vectors(path)


def test_numbers_of_any_type_and_pages_written_by_pandas(tmp_path: Path) -> None:
    """Integers beyond the precision of a float; whole pages as floats next to missing ones."""
    path = tmp_path / "vectors.parquet"
    table = pa.table(
        {
            "text": ["a", None, None, None],
            "document": [None, "a.pdf", "a.pdf", "a.pdf"],
            "page": [math.nan, 2.0, 2.5, 0.0],
            "vector": pa.array([[2**63 + 1, 0], [0, 7], [1, 1], [1, 1]], pa.list_(pa.uint64())),
            "model": pa.array(["m"] * 4).dictionary_encode(),
        }
    )
    pq.write_table(table, path)
    file = read_vectors(path)
    assert file.vectors.cosine_to_page("a", ("a.pdf", 2), "") == pytest.approx(0, abs=1e-6)
    assert [(row.line, row.problem) for row in file.bad] == [
        (3, "no_text_or_page"),
        (4, "no_text_or_page"),
    ]
