"""The folder of the format ``dataset``: Parquet tables, a card, and Croissant metadata.

Each table is a configuration of the data set: ``load_dataset(DIR, "tasks")``. ``attempts`` and
``events`` are those of ``trajectories``, ``labels`` those of ``labels``, ``scores`` those of
``scores``. Nothing of the collection but names and hashes of documents is in it: whether its pages
may be published is not ours to say.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa

from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.formats import labels, trajectories
from pagetrail.exports.formats.export_format import COMPARED_WITH_GOLD, Format
from pagetrail.exports.formats.gold import gold_record
from pagetrail.exports.gold.adjudicated_gold import GOLD_DROPPED, RecordOf, leave_out_undecided
from pagetrail.exports.gold.gold_checks import dropped_tasks, gold_choice, records_by_gold
from pagetrail.exports.reading.attempts import attempts_not_withdrawn, cut_to_submission, work_of
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.dataset.card import save_dataset_card
from pagetrail.exports.reports.dataset.croissant import FILE as CROISSANT
from pagetrail.exports.reports.dataset.croissant import Table, croissant
from pagetrail.exports.reports.dataset.numbers import Numbers, task_groups
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.scores import SCHEMA as SCORES
from pagetrail.exports.reports.metrics.scores import score_values
from pagetrail.exports.reports.per_task.attempt_results import work_row
from pagetrail.exports.writing.dataset_card import CARD
from pagetrail.exports.writing.file_formats import ParquetRows, json_text, save_json
from pagetrail.storage.files.digests import file_sha256

_PAGE = pa.struct([pa.field("document", pa.string()), pa.field("page", pa.int64())])
TASKS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        pa.field("answer_variants", pa.list_(pa.list_(pa.string()))),
        pa.field("evidence", pa.list_(_PAGE)),
        pa.field("unanswerable", pa.bool_()),
        pa.field("document_category", pa.string()),
        pa.field("domain", pa.string()),
        pa.field("query_type", pa.list_(pa.string())),
        pa.field("query_format", pa.string()),
        pa.field("language", pa.string()),
        pa.field("hop", pa.string()),
        pa.field("batch", pa.string(), nullable=False),
        pa.field("candidates", pa.list_(_PAGE)),
        pa.field("other_fields", pa.string(), nullable=False),
    ]
)
DOCUMENTS = pa.schema(
    [
        pa.field("document", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("pages", pa.int64(), nullable=False),
    ]
)
DESCRIPTIONS = {
    "tasks": "one row per task, with its gold; `other_fields` is JSON of what has no column",
    "attempts": "one row per attempt: status, answer, cited pages, times in milliseconds",
    "events": "the event log, one row per event in order; `payload` is JSON",
    "scores": "one row per submitted attempt, with its scores, effort and times",
    "labels": "one row per value of a field",
    "documents": "one row per document: name, SHA-256 and number of pages",
}
"""The configurations, in the order of the card. A table without rows is left out."""
_SCHEMAS = {
    "tasks": TASKS,
    "attempts": trajectories.ATTEMPT_SCHEMA,
    "events": trajectories.EVENT_SCHEMA,
    "scores": SCORES,
    "labels": labels.SCHEMA,
    "documents": DOCUMENTS,
}


def write_dataset(source: Source, folder: Path) -> WrittenFiles:
    """Write the tables, then the card and the metadata about them."""
    tally = WrittenFiles(choices={"rule": "first"})
    if source.adjudicated:
        tally.choices["gold"] = "adjudicated"
    if source.checked_gold is not None:
        tally.choices["gold"] = source.checked_gold
    source.leave_out_excluded(tally)
    choice = gold_choice(source)
    record_of, dropped = records_by_gold(source, choice), dropped_tasks(source, choice)
    for task in sorted(dropped):
        tally.leave_out("task", GOLD_DROPPED, task)
    if source.adjudicated:
        leave_out_undecided(source, tally, dropped)
    numbers = Numbers()
    with ExitStack() as stack:
        tables = {
            name: stack.enter_context(ParquetRows(folder / _path(name), schema))
            for name, schema in _SCHEMAS.items()
        }
        _write_tasks(source, tally, tables["tasks"], numbers, record_of, dropped)
        _write_work(source, tally, tables, numbers, record_of, dropped)
        for document in source.database.documents():
            tables["documents"].write(document)
    full = {name: table.rows for name, table in tables.items() if table.rows}
    tally.counts |= {name: tables[name].rows for name in DESCRIPTIONS if name != "documents"}
    for name in DESCRIPTIONS.keys() - full.keys():
        (folder / _path(name)).unlink()
    descriptions = [
        Table(
            name, _path(name), DESCRIPTIONS[name], _SCHEMAS[name], file_sha256(folder / _path(name))
        )
        for name in DESCRIPTIONS
        if name in full
    ]
    tally.rows = {_path(name): rows for name, rows in full.items()}
    save_dataset_card(source, folder, tally, descriptions, full, numbers)
    save_json(folder / CROISSANT, croissant(source.campaign.name, descriptions))
    tally.rows |= {CARD: 1, CROISSANT: 1}
    return tally


FORMAT = Format(
    name="dataset",
    summary="a folder to publish: tables, a card with computed numbers, Croissant metadata",
    purpose="a folder to publish: Parquet tables for `load_dataset`, a card with computed "
    "numbers, Croissant metadata",
    applies_to="any",
    write=write_dataset,
    gold=COMPARED_WITH_GOLD,
)


def _path(name: str) -> str:
    return f"data/{name}.parquet"


def _write_tasks(
    source: Source,
    tally: WrittenFiles,
    table: ParquetRows,
    numbers: Numbers,
    record_of: RecordOf,
    dropped: Collection[str],
) -> None:
    for task in source.database.tasks(source.campaign.id):
        if task.key in dropped:
            continue
        stored = record_of(task.key, task.record)
        try:
            record = read_task(stored)
        except ValueError:
            tally.leave_out("task", "broken_task_record", task.key)
            continue
        kinds = record.query_type
        values = gold_record(stored) | {
            "query_type": [kinds] if isinstance(kinds, str) else kinds,
            "hop": record.hop,
            "batch": task.batch,
        }
        protocol_fields = {k: v for k, v in values.items() if k not in TASKS.names}
        table.write(
            {n: values.get(n) for n in TASKS.names} | {"other_fields": json_text(protocol_fields)}
        )
        numbers.add_task(record.unanswerable, task_groups(record))


def _write_work(
    source: Source,
    tally: WrittenFiles,
    tables: dict[str, ParquetRows],
    numbers: Numbers,
    record_of: RecordOf,
    dropped: Collection[str],
) -> None:
    campaign, protocol = source.campaign.name, source.campaign.protocol
    never = source.campaign.attempts - source.campaign.opened
    tally.leave_out("attempt", "never_opened", n=never)
    for events_of_attempt in attempts_not_withdrawn(source, tally):
        if events_of_attempt.head.task in dropped:
            tally.leave_out("attempt", GOLD_DROPPED, events_of_attempt.head.id)
            continue
        name = source.name(events_of_attempt.head.user)
        for event in events_of_attempt.events:
            logged = trajectories.event_row(
                events_of_attempt, event, name, source.name(event.actor)
            )
            tables["events"].write({**logged, "payload": json_text(logged["payload"])})
        tally.note_indexes(events_of_attempt.events)
        attempt_work = work_of(source, cut_to_submission(source, events_of_attempt, tally))
        attempt = trajectories.attempt_row(attempt_work.attempt, attempt_work.state, protocol, name)
        tables["attempts"].write(attempt)
        row = work_row(
            source,
            attempt_work,
            "first",
            record_of(attempt_work.head.task, attempt_work.head.record),
            name,
        )
        if row is not None:
            numbers.add_attempt(row)
            scored = MeasuredAttempt.from_row(
                row,
                campaign=campaign,
                batch=attempt_work.head.batch,
                condition=condition_of(protocol.name, attempt_work.head.setting),
                submitted_at=attempt_work.submitted_at,
            )
            tables["scores"].write(score_values(scored, source.prices))
        for value in labels.field_values(attempt_work):
            tables["labels"].write(labels.value_head(campaign, attempt_work) | value)
