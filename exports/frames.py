"""Rows of export formats as data frames, for one or more campaigns.

A frame has all its columns even without rows; the column ``campaign`` names the campaign.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.exports.formats import adjudicated, gold, labels, trajectories
from pagetrail.exports.gold.gold_checks import Gold, read_checked_gold
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics import scores
from pagetrail.storage.corpus.overview import DocumentRow

CAMPAIGN = "campaign"

_RECORD_COLUMNS = tuple(name for name in TaskRecord.model_fields if name != "id")

Writer = Callable[[Source, Path], WrittenFiles]


class ParquetTable(NamedTuple):
    """A Parquet file of an export format, with the columns that hold times."""

    write: Writer
    file: str
    schema: pa.Schema
    times: Sequence[str]


PARQUET_TABLES: Mapping[str, ParquetTable] = {
    "attempts": ParquetTable(
        trajectories.write,
        f"{trajectories.ATTEMPTS}.parquet",
        trajectories.ATTEMPT_SCHEMA,
        ("started_at", "updated_at"),
    ),
    "events": ParquetTable(
        trajectories.write,
        f"{trajectories.EVENTS}.parquet",
        trajectories.EVENT_SCHEMA,
        ("server_ts", "client_ts"),
    ),
    "labels": ParquetTable(labels.write, labels.TABLE, labels.SCHEMA, ("set_at",)),
    "scores": ParquetTable(scores.write_scores, scores.TABLE, scores.SCHEMA, ("submitted_at",)),
}


def parquet_frame(table: ParquetTable, sources: Iterable[Source]) -> pd.DataFrame:
    """The rows of a format's Parquet file, campaign by campaign."""
    # Joined as Arrow tables, so that columns without values in one campaign keep their type.
    parts = [_with_campaign(table.schema.empty_table(), "")]
    for source in sources:
        with TemporaryDirectory() as folder:
            table.write(source, Path(folder))
            rows = pq.read_table(Path(folder, table.file))
        parts.append(_with_campaign(rows, source.campaign.name))
    joined = pa.concat_tables(parts, promote_options="default").replace_schema_metadata(None)
    return with_times(joined.to_pandas(), table.times)


def box_frame(sources: Iterable[Source]) -> pd.DataFrame:
    """``boxes.jsonl`` of the format ``labels``, campaign by campaign."""
    rows = [row for source in sources for row in _json_rows(labels.write, labels.BOXES, source)]
    return with_times(_frame(rows, labels.BOX_COLUMNS), ("made_at",))


def task_frame(sources: Iterable[Source]) -> pd.DataFrame:
    """One row per task with batch and record; fields outside the schema come last."""
    rows = [
        _task_row(source, gold.gold_record(task.record)) | {"batch": task.batch}
        for source in sources
        for task in source.tasks()
    ]
    return _frame(rows, (CAMPAIGN, "task", "batch", *_RECORD_COLUMNS))


def gold_frame(sources: Iterable[Source], gold_choice: Gold) -> pd.DataFrame:
    """One row per task with gold: as imported, as decided in review, or as corrected."""
    if gold_choice == "corrected":
        return _corrected_gold_frame(sources)
    is_adjudicated = gold_choice == "adjudicated"
    write, file = (
        (adjudicated.write, adjudicated.GOLD) if is_adjudicated else (gold.write, gold.FILE)
    )
    rows = [
        _task_row(source, record)
        for source in sources
        for record in _json_rows(write, file, source)
    ]
    extra_columns = ("adjudication", "previous") if is_adjudicated else ()
    return _frame(rows, (CAMPAIGN, "task", *_RECORD_COLUMNS, *extra_columns))


def _corrected_gold_frame(sources: Iterable[Source]) -> pd.DataFrame:
    rows = []
    for source in sources:
        checked = read_checked_gold(source)
        for task in source.tasks():
            record = checked.after(task.key, task.record)
            decision = checked.decisions.get(task.key)
            if record is not None and decision != "dropped":
                rows.append(_task_row(source, gold.gold_record(record)) | {"decision": decision})
    return _frame(rows, (CAMPAIGN, "task", *_RECORD_COLUMNS, "decision"))


def document_frame(documents: Sequence[DocumentRow]) -> pd.DataFrame:
    """One row per document of the collection."""
    columns = [field.name for field in fields(DocumentRow)]
    return with_times(pd.DataFrame(documents, columns=columns), ("added_at",))


def with_times(frame: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """Convert columns with ISO 8601 text to UTC times; missing values become ``NaT``."""
    for column in columns:
        frame[column] = pd.to_datetime(frame[column], utc=True, format="ISO8601").dt.as_unit("us")
    return frame


def _frame(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    more = dict.fromkeys(name for row in rows for name in row if name not in columns)
    return pd.DataFrame(rows, columns=[*columns, *more])


def _json_rows(write: Writer, file: str, source: Source) -> list[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        write(source, Path(folder))
        with Path(folder, file).open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def _task_row(source: Source, record: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in record.items() if name != "id"}
    return {CAMPAIGN: source.campaign.name, "task": record["id"], **values}


def _with_campaign(rows: pa.Table, campaign: str) -> pa.Table:
    if CAMPAIGN in rows.column_names:
        return rows
    names = pa.array([campaign] * rows.num_rows, pa.string())
    return rows.add_column(0, pa.field(CAMPAIGN, pa.string(), nullable=False), names)
