"""Gold that was made in review, with what each decision rests on.

``gold.jsonl`` has one row per task that has such gold: the task's record in the schema that
``import-tasks`` reads, with the gold of its last version. If an answer matches one of the accepted
answers, all of these stay; otherwise the gold's answers, one or several variants, replace them.
``adjudication`` has who decided when and why, from which attempts up to which of their events, and
how each part was put together; ``previous`` has the gold that the record came with, if any.

Where models' drafts were decided on, ``drafts`` has each with its model and version, whether it was
shown, and what became of everything that it proposed: unchanged, edited or rejected.

``versions.jsonl`` has one row per version, earlier ones included, with everything that the gold
holds: values, rows, boxes, and the pages with the number of people who marked them. Attempts and
event numbers are those of the trajectories export.

A task whose gold was reopened keeps its last version until there is another.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.gold import has_gold
from pagetrail.exports.gold.adjudicated_gold import (
    GoldVersion,
    draft_provenance,
    gold_pages,
    gold_versions,
    is_reopened,
    version_parts,
)
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import json_value
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.snapshot.rows import AttemptEvents, TaskRow

GOLD, VERSIONS = "gold.jsonl", "versions.jsonl"
BY_RULE = "rule"
"""The decider of a task that the campaign's rule accepted."""


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the gold of all tasks that have any."""
    counts = ("tasks", "by_rule", "by_reviewer", "checked", "versions", "taken_up_again")
    tally = WrittenFiles(counts=dict.fromkeys(counts, 0))
    streams = {stream.head.task: stream for stream in source.gold_streams()}
    with JsonLines(folder / GOLD) as gold, JsonLines(folder / VERSIONS) as all_versions:
        for task in source.tasks():
            task_versions = (
                list(gold_versions(source, streams[task.key])) if task.key in streams else []
            )
            if not task_versions:
                tally.leave_out("task", "no_gold", task.key)
                continue
            for version in task_versions:
                all_versions.write(_version_row(source, task, version))
            last_version = task_versions[-1]
            gold.write(_gold_row(source, task, streams[task.key], last_version))
            tally.count("tasks")
            tally.count("by_rule" if last_version.review.automatic else "by_reviewer")
            tally.count("checked", int(last_version.review.checked))
            tally.count("taken_up_again", int(is_reopened(streams[task.key].events)))
        tally.rows = {GOLD: gold.rows, VERSIONS: all_versions.rows}
    tally.counts["versions"] = all_versions.rows
    rule = source.campaign.protocol.review
    tally.choices = {"review": rule.model_dump(mode="json")}
    return tally


FORMAT = Format(
    name="adjudicated",
    summary="gold made in review, every version, with the attempts it rests on",
    purpose="gold made in review, with every version",
    applies_to="decided in review",
    write=write,
    has_submissions=False,
)


def _gold_row(
    source: Source, task: TaskRow, stream: AttemptEvents, version: GoldVersion
) -> dict[str, Any]:
    record = task.record
    row = dict(record) | version_parts(stream, version)
    row["adjudication"] = _adjudication(source, version)
    if has_gold(task.record):
        names = ("answer_variants", "evidence", "unanswerable", "gold")
        row["previous"] = {name: record.get(name) for name in names if record.get(name)}
    return row


def _adjudication(source: Source, version: GoldVersion) -> dict[str, Any]:
    review = version.review
    drafts = draft_provenance(version)
    return {
        "version": review.version,
        "by": BY_RULE if version.event.actor == GOLD_USER else source.name(version.event.actor),
        "at": version.event.server_ts,
        "reason": review.reason,
        "automatic": review.automatic,
        "checked": review.checked,
        "errors": list(review.errors),
        "confidence": review.confidence,
        "attempt": version.event.attempt_id,
        "seq": version.event.seq,
        "sources": [
            {"attempt": s.attempt, "annotator": source.name(s.annotator), "seq": s.seq}
            for s in review.sources
        ],
        "choices": [choice.model_dump(mode="json") for choice in review.choices],
        **({"drafts": drafts} if drafts else {}),
        **_said_of_dataset(version),
    }


def _said_of_dataset(version: GoldVersion) -> dict[str, str]:
    payload = version.event.payload
    said = payload.dataset_answers if isinstance(payload, ev.Adjudicated) else None
    return {} if said is None else {"dataset_answers": said}


def _version_row(source: Source, task: TaskRow, version: GoldVersion) -> dict[str, Any]:
    form = version.form
    state = form.state
    order = reading_order(form)
    evidence = {(k.document, k.page): k for k in version.review.evidence}
    return {
        "task": task.key,
        "batch": task.batch,
        **_adjudication(source, version),
        "outcome": state.outcome,
        "answer": state.answer,
        "variants": [list(variant) for variant in Submission(form).accepted[1:]],
        "question_text": state.question_text,
        **({"transcript": state.transcript.text} if state.transcript else {}),
        **({"tables": _tables(version)} if version.review.tables_decided else {}),
        "evidence": [
            {
                **page,
                "annotators": vote.annotators if vote else 0,
                "reviewer": vote.reviewer if vote else True,
            }
            for page in gold_pages(form)
            for vote in [evidence.get((page["document"], page["page"]))]
        ],
        "fields": [
            {
                "field": spec.name,
                "document": target.document,
                "page": target.page,
                "box": target.box,
                "value": json_value(form.value(spec, target)),
            }
            for spec in form.protocol.fields
            if spec.kind != "records"
            for target in form.targets(spec)
            if form.value(spec, target) is not None
        ],
        "rows": [
            row.model_dump(
                mode="json", include={"field", "document", "page", "box", "row", "values"}
            )
            for row in state.rows
            if not row.deleted and _row_asked(form, row.field, row.document, row.page)
        ],
        "boxes": [
            {
                **box.model_dump(
                    mode="json",
                    include={"id", "document", "page", "rect", "label", "content"},
                ),
                "order": order.get(box.id),
                "attributes": box.attributes,
                "verdict": box.verdict,
            }
            for box in Submission(form).boxes
        ],
    }


def _tables(version: GoldVersion) -> list[dict[str, Any]]:
    return [
        {
            "id": table.id,
            "document": table.document,
            "page": table.page,
            "html": table.grid.to_html(),
        }
        for table in version.form.state.tables.tables
    ]


def _row_asked(form: Form, field: str, document: str | None, page: int | None) -> bool:
    spec = form.protocol.field(field)
    return spec is not None and form.is_asked(spec, Target(document, page))
