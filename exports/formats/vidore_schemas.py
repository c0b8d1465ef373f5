"""Columns and types of the ViDoRe V3 layout, with what the ``datasets`` library must know of them.

Arrow cannot say that a struct of bytes and a path is an image; the library reads that from the
schema's metadata.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

_BOX = pa.struct([pa.field(name, pa.int64()) for name in ("annotator", "x1", "x2", "y1", "y2")])
_IMAGE = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
_TEXTS = pa.list_(pa.string())
_BOXES = pa.list_(_BOX)


def _schema(**columns: pa.DataType) -> pa.Schema:
    features = {name: _feature(type_) for name, type_ in columns.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    return pa.schema(list(columns.items()), metadata=metadata)


def _feature(type_: pa.DataType) -> Any:
    if type_ == _IMAGE:
        return {"_type": "Image"}
    if pa.types.is_struct(type_):
        return {field.name: _feature(field.type) for field in type_}
    if pa.types.is_list(type_):
        return [_feature(type_.value_type)]
    return {"dtype": str(type_), "_type": "Value"}


CORPUS = _schema(
    corpus_id=pa.int64(),
    image=_IMAGE,
    doc_id=pa.string(),
    markdown=pa.string(),
    page_number_in_doc=pa.int64(),
)
QUERIES = _schema(
    query_id=pa.int64(),
    query=pa.string(),
    language=pa.string(),
    query_types=_TEXTS,
    query_format=pa.string(),
    content_type=_TEXTS,
    raw_answers=_TEXTS,
    query_generator=pa.string(),
    query_generation_pipeline=pa.string(),
    source_type=pa.string(),
    query_type_for_generation=pa.string(),
    answer=pa.string(),
    task_id=pa.string(),
    annotators=pa.int64(),
    unanswerable=pa.int64(),
)
QRELS = _schema(
    query_id=pa.int64(),
    corpus_id=pa.int64(),
    score=pa.int64(),
    content_type=_TEXTS,
    bounding_boxes=_BOXES,
    box_content_type=_TEXTS,
)
RATINGS = _schema(
    query_id=pa.int64(),
    corpus_id=pa.int64(),
    annotator=pa.int64(),
    score=pa.int64(),
    content_type=_TEXTS,
    bounding_boxes=_BOXES,
    box_content_type=_TEXTS,
    task_id=pa.string(),
    doc_id=pa.string(),
    page_number_in_doc=pa.int64(),
)
ANNOTATORS = _schema(annotator=pa.int64(), name=pa.string())

MTEB = {
    "corpus": {"corpus_id": "id", "markdown": "text"},
    "queries": {"query_id": "id", "query": "text"},
    "qrels": {"query_id": "query-id", "corpus_id": "corpus-id"},
}
"""Columns that mteb's retrieval loader knows by other names; ids are text there.

Source: embeddings-benchmark/mteb, abstasks/retrieval_dataset_loaders.py.
"""


def renamed(schema: pa.Schema, names: Mapping[str, str] | None) -> pa.Schema:
    """The schema with other names for some columns; of these, numbers become text."""
    if not names:
        return schema
    columns = {
        names.get(f.name, f.name): pa.string() if f.name in names else f.type for f in schema
    }
    return _schema(**columns)


def with_names(row: dict[str, Any], names: Mapping[str, str] | None) -> dict[str, Any]:
    """A row for a schema that was renamed alike."""
    if not names:
        return row
    return {
        names.get(name, name): str(value) if name in names and value is not None else value
        for name, value in row.items()
    }
