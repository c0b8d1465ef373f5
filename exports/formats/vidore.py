"""Graded pages in the layout of the ViDoRe V3 datasets: Parquet folders with page images.

Columns and types are those of the published datasets, followed by others: in
``queries`` the task's id and the number of annotators, in ``qrels`` the modality of each box. Pages
are counted from 1, while the published datasets count ``page_number_in_doc`` from 0, and pages
graded 0 are listed with score 0; pages that are open are in no qrel. ``ratings.parquet`` has the
ratings, one row per annotator and page, and ``annotators.parquet`` the name for each annotator
number of a box; with the gold decided in review, that gold is the only annotator. A card names the
tables as configurations of the data set. Ids and texts can have the names by which mteb's loader
knows them instead.
Source: huggingface.co/datasets/vidore, the datasets vidore_v3_*.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.tasks.variants import variant_fields
from pagetrail.exports.formats.export_format import GRADES_FROM_GOLD, Format
from pagetrail.exports.gold.page_grades import (
    Query,
    Rating,
    deciding_ratings,
    graded_queries,
    modalities_of,
    scoring_rules,
)
from pagetrail.exports.gold.without_documents import need_fields, needs_documents
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.dataset_card import save_card
from pagetrail.exports.writing.file_formats import ParquetRows
from pagetrail.exports.writing.page_images import (
    PageImage,
    PageKey,
    drawn_page_images,
    page_label,
)

_BOX = pa.struct([pa.field(name, pa.int64()) for name in ("annotator", "x1", "x2", "y1", "y2")])
_IMAGE = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
_TEXTS = pa.list_(pa.string())
_BOXES = pa.list_(_BOX)


def _schema(**columns: pa.DataType) -> pa.Schema:
    """A schema whose metadata tells the ``datasets`` library which structs are images."""
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
VARIANT_COLUMNS = _schema(variant_of=pa.string(), variant=pa.string())
"""Columns of ``queries`` where a query is a variant of another."""
NEED_COLUMN = _schema(needs_documents=pa.bool_())
"""Column of ``queries`` where models answered without documents."""
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
"""Columns with other names in mteb's retrieval loader, where ids are text.

Source: embeddings-benchmark/mteb, abstasks/retrieval_dataset_loaders.py.
"""


def with_renamed_columns(schema: pa.Schema, names: Mapping[str, str] | None) -> pa.Schema:
    """The schema with some columns renamed; renamed columns of numbers become text."""
    if not names:
        return schema
    columns = {
        names.get(f.name, f.name): pa.string() if f.name in names else f.type for f in schema
    }
    return _schema(**columns)


def with_names(row: dict[str, Any], names: Mapping[str, str] | None) -> dict[str, Any]:
    """A row for a schema from ``with_renamed_columns``."""
    if not names:
        return row
    return {
        names.get(name, name): str(value) if name in names and value is not None else value
        for name, value in row.items()
    }


CORPUS_FILE = "corpus/test-00000-of-00001.parquet"
QUERIES_FILE = "queries/test-00000-of-00001.parquet"
QRELS_FILE = "qrels/test-00000-of-00001.parquet"
RATINGS_FILE, ANNOTATORS_FILE = "ratings.parquet", "annotators.parquet"
CONFIGURATIONS = {
    "corpus": CORPUS_FILE,
    "queries": QUERIES_FILE,
    "qrels": QRELS_FILE,
    "ratings": RATINGS_FILE,
    "annotators": ANNOTATORS_FILE,
}
_CARD_TEXT = "Queries with graded pages, in the layout of the ViDoRe V3 data sets."
ANSWER = "the first accepted answer of the task, else what all annotators agree on"
GOLD_ANSWER = "the first accepted answer, unless the gold decided in review says another or none"
PICTURES_AT_ONCE = 32
"""Number of corpus rows in memory at a time."""


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the judged queries, their pages, and each annotator's ratings."""
    tally = WrittenFiles(counts={"queries": 0, "qrels": 0, "corpus": 0, "ratings": 0})
    tally.choices = {
        "dpi": source.dpi,
        **scoring_rules(source),
        "bounding_boxes": "pixels of the corpus image, which the page fills: points times pixels "
        "of the image by points of the page, each edge rounded half up",
        "page_number_in_doc": "from 1",
        "answer": GOLD_ANSWER if source.adjudicated else ANSWER,
    }
    names = MTEB if source.columns == "mteb" else {}
    judged_queries = graded_queries(source, tally)
    needs = needs_documents(source)
    numbers = {
        name: n for n, name in enumerate(sorted({a for q in judged_queries for a in q.annotators}))
    }
    pictures = _write_corpus(source, tally, judged_queries, folder, names)
    with (
        ParquetRows(
            folder / QUERIES_FILE,
            with_renamed_columns(queries_schema(judged_queries, needs), names.get("queries")),
        ) as query_rows,
        ParquetRows(folder / QRELS_FILE, with_renamed_columns(QRELS, names.get("qrels"))) as qrels,
        ParquetRows(folder / RATINGS_FILE, RATINGS) as rating_rows,
        ParquetRows(folder / ANNOTATORS_FILE, ANNOTATORS) as annotator_rows,
    ):
        for query_id, query in enumerate(judged_queries):
            row = _query(source, query_id, query) | need_fields(needs, query.key)
            query_rows.write(with_names(row, names.get("queries")))
            for page_ref, ratings in query.ratings.items():
                if page_ref not in pictures:
                    tally.leave_out("judgement", "page_without_image", page_label(page_ref))
                    continue
                corpus_id, picture = pictures[page_ref]
                if page_ref in query.scores:
                    score = query.scores[page_ref]
                    qrel = _qrel(
                        source, query_id, corpus_id, picture, ratings, score, numbers, tally
                    )
                    qrels.write(with_names(qrel, names.get("qrels")))
                for rating in ratings:
                    rating_rows.write(_rating(query_id, query, corpus_id, picture, rating, numbers))
        for name, number in numbers.items():
            annotator_rows.write({"annotator": number, "name": name})
        tally.rows |= {
            QUERIES_FILE: query_rows.rows,
            QRELS_FILE: qrels.rows,
            RATINGS_FILE: rating_rows.rows,
            ANNOTATORS_FILE: annotator_rows.rows,
        }
    save_card(folder, tally, CONFIGURATIONS, "test", _CARD_TEXT)
    tally.counts |= {
        "queries": query_rows.rows,
        "qrels": qrels.rows,
        "corpus": len(pictures),
        "ratings": rating_rows.rows,
    }
    return tally


FORMAT = Format(
    name="vidore",
    summary="graded pages in the ViDoRe V3 layout, with page images (Parquet)",
    purpose="graded pages as ViDoRe V3 publishes them, with page images, for retrieval",
    applies_to="graded pages",
    write=write,
    options=frozenset({"columns"}),
    gold=GRADES_FROM_GOLD,
)


def queries_schema(judged_queries: Sequence[Query], needs: Mapping[str, bool]) -> pa.Schema:
    """The columns of ``queries``, with those of variants and of needed documents where they apply.

    Args:
        needs: task → whether it needs the documents.
    """
    schemas = [QUERIES]
    if any(variant_fields(query.record) for query in judged_queries):
        schemas.append(VARIANT_COLUMNS)
    if needs:
        schemas.append(NEED_COLUMN)
    return _schema(**{column.name: column.type for schema in schemas for column in schema})


def corpus_pages(source: Source, judged_queries: Iterable[Query]) -> list[PageKey]:
    """The candidates and evidence of all tasks and what was graded, by document and page.

    Empty for a campaign without grades.
    """
    graded = {page_ref for query in judged_queries for page_ref in query.ratings}
    if not graded:
        return []
    task_pages = {
        (str(ref["document"]), int(ref["page"]))
        for task in source.database.tasks(source.campaign.id)
        for name in ("candidates", "evidence")
        for ref in task.record.get(name) or ()
    }
    return sorted(graded | task_pages)


def _write_corpus(
    source: Source,
    tally: WrittenFiles,
    judged_queries: Sequence[Query],
    folder: Path,
    names: Mapping[str, Mapping[str, str]],
) -> dict[PageKey, tuple[int, PageImage]]:
    pages = corpus_pages(source, judged_queries)
    corpus: dict[PageKey, tuple[int, PageImage]] = {}
    schema = with_renamed_columns(CORPUS, names.get("corpus"))
    with ParquetRows(folder / CORPUS_FILE, schema, PICTURES_AT_ONCE) as rows:
        for page_ref, picture, jpeg in drawn_page_images(source, tally, pages):
            document, page = page_ref
            row = {
                "corpus_id": len(corpus),
                "image": {"bytes": jpeg, "path": PurePosixPath(picture.file).name},
                "doc_id": document,
                "markdown": source.pages.text(document, page),
                "page_number_in_doc": page,
            }
            rows.write(with_names(row, names.get("corpus")))
            corpus[page_ref] = (len(corpus), picture)
        tally.rows[CORPUS_FILE] = rows.rows
    return corpus


def _query(source: Source, query_id: int, query: Query) -> dict[str, Any]:
    record = query.record
    deciders = [
        rating
        for page_ref, score in query.scores.items()
        if score >= 1
        for rating in deciding_ratings(query.ratings[page_ref], score)
    ]
    kinds = record.get("query_type")
    return {
        "query_id": query_id,
        "query": query.text,
        "language": record.get("language"),
        "query_types": [kinds] if isinstance(kinds, str) else list(kinds or ()),
        "query_format": record.get("query_format"),
        "content_type": modalities_of(source.campaign.protocol, deciders),
        "raw_answers": query.answers,
        **{
            name: _text_or_none(record.get(name))
            for name in (
                "query_generator",
                "query_generation_pipeline",
                "source_type",
                "query_type_for_generation",
            )
        },
        "answer": _answer(query),
        "task_id": query.key,
        "annotators": len(query.annotators),
        "unanswerable": query.unanswerable,
        **variant_fields(record),
    }


def _answer(query: Query) -> str | None:
    variants = query.record.get("answer_variants") or ()
    if variants:
        return "\n".join(map(str, variants[0]))
    agreed = {" ".join(answer.split()).casefold() for answer in query.answers}
    return min(query.answers) if len(agreed) == 1 else None


def _qrel(
    source: Source,
    query_id: int,
    corpus_id: int,
    picture: PageImage,
    ratings: Sequence[Rating],
    score: int,
    numbers: dict[str, int],
    tally: WrittenFiles,
) -> dict[str, Any]:
    deciders = deciding_ratings(ratings, score)
    boxes = [(numbers[r.name], box) for r in deciders for box in r.boxes if score]
    n_left_out = sum(len(rating.boxes) for rating in ratings) - len(boxes)
    tally.leave_out("box", "page_scored_0", n=n_left_out)
    return {
        "query_id": query_id,
        "corpus_id": corpus_id,
        "score": score,
        "content_type": modalities_of(source.campaign.protocol, deciders),
        "bounding_boxes": [_box(picture, number, box) for number, box in boxes],
        "box_content_type": [box.label for _, box in boxes],
    }


def _rating(
    query_id: int,
    query: Query,
    corpus_id: int,
    picture: PageImage,
    rating: Rating,
    numbers: dict[str, int],
) -> dict[str, Any]:
    number = numbers[rating.name]
    return {
        "query_id": query_id,
        "corpus_id": corpus_id,
        "annotator": number,
        "score": rating.grade,
        "content_type": list(rating.modalities),
        "bounding_boxes": [_box(picture, number, box) for box in rating.boxes],
        "box_content_type": [box.label for box in rating.boxes],
        "task_id": query.key,
        "doc_id": picture.document,
        "page_number_in_doc": picture.page,
    }


def _box(picture: PageImage, annotator: int, box: PageBox) -> dict[str, int]:
    x0, y0, x1, y1 = picture.whole_pixels(box.rect)
    return {"annotator": annotator, "x1": x0, "x2": x1, "y1": y0, "y2": y1}


def _text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)
