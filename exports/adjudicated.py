"""Gold that was made in review, with what each decision rests on.

``gold.jsonl`` has one row a task that has such gold: the task's record in the schema that
``import-tasks`` reads, with the gold of its last version in it. Where the answer says what one of
the accepted answers said, all of those stay; otherwise it takes their place. ``adjudication`` says
who decided when and why, from which attempts and as of which of their events, and how each part was
put together; ``previous`` holds the gold that the record came with, where it had any.

``versions.jsonl`` has one row a version, the last as well as those before it, with everything that
the gold holds: values, rows, boxes, and the pages with how many people marked them. The attempts
and event numbers are those of the trajectories export.

A task whose gold was taken up again keeps its last version until there is another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation import events as ev
from annotation.answers import agreement
from annotation.forms import TASK, Form, Target
from annotation.gold import gold_of
from annotation.response import Response, Review, apply
from annotation.tasks import given_pages
from exports.files import JsonLines
from exports.gold import has_gold
from exports.source import Source, Written
from exports.values import plain
from storage.export_rows import AttemptEvents, TaskRow
from storage.roles import GOLD_USER

GOLD, VERSIONS = "gold.jsonl", "versions.jsonl"
BY_RULE = "rule"
"""Who decides where the campaign's rule accepted a task."""


@dataclass(frozen=True)
class Version:
    """One version of a task's gold.

    Attributes:
        form: the protocol's questions over the gold as it was decided.
        event: the decision.
    """

    form: Form
    event: ev.Event

    @property
    def review(self) -> Review:
        """What the decision rests on."""
        return self.form.state.review or Review()


def write(source: Source, folder: Path) -> Written:
    """Write the gold of all tasks that have any."""
    counts = ("tasks", "by_rule", "by_reviewer", "checked", "versions", "taken_up_again")
    written = Written(counts=dict.fromkeys(counts, 0))
    streams = {stream.head.task: stream for stream in source.gold_streams()}
    with JsonLines(folder / GOLD) as gold, JsonLines(folder / VERSIONS) as all_versions:
        for task in source.tasks():
            found = list(versions(source, streams[task.key])) if task.key in streams else []
            if not found:
                written.leave_out("task", "no_gold", task.key)
                continue
            for version in found:
                all_versions.write(_version_row(source, task, version))
            last = found[-1]
            gold.write(_gold_row(source, task, last))
            written.count("tasks")
            written.count("by_rule" if last.review.automatic else "by_reviewer")
            written.count("checked", int(last.review.checked))
            written.count("taken_up_again", int(_is_open(streams[task.key])))
        written.rows = {GOLD: gold.rows, VERSIONS: all_versions.rows}
    written.counts["versions"] = all_versions.rows
    rule = source.campaign.protocol.review
    written.choices = {"review": rule.model_dump(mode="json")}
    return written


def versions(source: Source, stream: AttemptEvents) -> Iterator[Version]:
    """The versions of a task's gold, the first one first."""
    given = given_pages(source.campaign.protocol.pages, stream.head.record)
    state = Response()
    for event in stream.events:
        state = apply(state, event)
        if isinstance(event.payload, ev.Adjudicated):
            yield Version(Form(source.campaign.protocol, state, given), event)


def _is_open(stream: AttemptEvents) -> bool:
    last = [e.payload for e in stream.events]
    kinds = [p for p in last if isinstance(p, ev.Adjudicated | ev.GoldReopened)]
    return bool(kinds) and isinstance(kinds[-1], ev.GoldReopened)


def _gold_row(source: Source, task: TaskRow, version: Version) -> dict[str, Any]:
    record, form = task.record, version.form
    row = dict(record)
    state = form.state
    if form.protocol.answer.kind != "off":
        row["answer_variants"] = _variants(form, record.get("answer_variants") or [])
        row["unanswerable"] = state.outcome == "unanswerable"
    if form.protocol.evidence.enabled:
        row["evidence"] = _evidence(form)
    row["gold"] = _beyond(form)
    row["adjudication"] = _adjudication(source, version)
    if has_gold(task):
        names = ("answer_variants", "evidence", "unanswerable", "gold")
        row["previous"] = {name: record.get(name) for name in names if record.get(name)}
    return row


def _variants(form: Form, accepted: list[list[str]]) -> list[list[str]]:
    state = form.state
    if form.ended or state.outcome != "answered" or not state.answer:
        return []
    return accepted if agreement(state.answer, accepted) == 1 else [state.answer]


def _evidence(form: Form) -> list[dict[str, Any]]:
    if form.ended:
        return []
    return [{"document": c.document, "page": c.page} for c in form.state.citations]


def _beyond(form: Form) -> dict[str, Any]:
    """Gold of fields, pages and boxes, in the form that pilots read (``annotation.gold``)."""
    fields: dict[str, Any] = {}
    pages: dict[tuple[str, int], dict[str, Any]] = {}
    for spec in form.protocol.fields:
        for target in form.targets(spec):
            if spec.scope == "box":
                continue
            value: Any = plain(form.value(spec, target))
            if spec.kind == "records":
                value = [row.values for row in form.rows(spec, target) if not row.deleted]
            if value is None or (value == [] and spec.kind != "records"):
                continue
            if target == TASK:
                fields[spec.name] = value
            elif target.document is not None and target.page is not None:
                pages.setdefault((target.document, target.page), {})[spec.name] = value
    found: dict[str, Any] = {
        "fields": fields,
        "pages": [
            {"document": document, "page": page, "fields": values}
            for (document, page), values in pages.items()
        ],
    }
    if form.protocol.boxes.enabled:
        found["boxes"] = [
            {
                "document": box.document,
                "page": box.page,
                "rect": list(box.rect),
                "label": box.label,
            }
            for box in form.state.boxes.boxes
            if not box.deleted and box.label and form.may_have_boxes(box.document, box.page)
        ]
    gold_of({"gold": found})  # what is written must be read again
    return found


def _adjudication(source: Source, version: Version) -> dict[str, Any]:
    review = version.review
    return {
        "version": review.version,
        "by": BY_RULE if version.event.actor == GOLD_USER else source.name(version.event.actor),
        "at": version.event.server_ts,
        "reason": review.reason,
        "automatic": review.automatic,
        "checked": review.checked,
        "attempt": version.event.attempt_id,
        "seq": version.event.seq,
        "sources": [
            {"attempt": s.attempt, "annotator": source.name(s.annotator), "seq": s.seq}
            for s in review.sources
        ],
        "choices": [choice.model_dump(mode="json") for choice in review.choices],
    }


def _version_row(source: Source, task: TaskRow, version: Version) -> dict[str, Any]:
    form = version.form
    state = form.state
    marked = {(k.document, k.page): k for k in version.review.evidence}
    return {
        "task": task.key,
        "batch": task.batch,
        **_adjudication(source, version),
        "outcome": state.outcome,
        "answer": state.answer,
        "question_text": state.question_text,
        "evidence": [
            {
                **page,
                "annotators": kept.annotators if kept else 0,
                "reviewer": kept.reviewer if kept else True,
            }
            for page in _evidence(form)
            for kept in [marked.get((page["document"], page["page"]))]
        ],
        "fields": [
            {
                "field": spec.name,
                "document": target.document,
                "page": target.page,
                "box": target.box,
                "value": plain(form.value(spec, target)),
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
                    include={"id", "document", "page", "rect", "label", "content", "order"},
                ),
                "attributes": box.attributes,
                "verdict": box.verdict,
            }
            for box in state.boxes.boxes
            if not box.deleted and form.may_have_boxes(box.document, box.page)
        ],
    }


def _row_asked(form: Form, field: str, document: str | None, page: int | None) -> bool:
    spec = form.protocol.field(field)
    return spec is not None and form.asked(spec, Target(document, page))
