"""All annotators' answers to each task, for a model that merges them (ViDoRe V3, figure 22).

``answers.jsonl`` has one row per task with at least one answer, as the work is now: what was
reopened is missing, and of what was resubmitted the last submission counts. ``proposed_answers``
are the texts for the model's prompt, ``pages`` the pages that anybody marked, and ``answers``
everybody's submission with evidence, fields and boxes; ``number`` is its place in
``proposed_answers``, null without an answer. Where the campaign hides names from reviewers,
``annotator`` is null unless names are asked for.

A model's reply becomes a draft with ``import-drafts``: the reply's fields, with ``task`` and
``sources`` copied from the row, so that a draft of earlier work is recognised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation.review.drafts import merge_order
from pagetrail.annotation.review.retention import marked_pages
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, leave_out_never_opened, work_of
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import json_value
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.people.system_roles import SYSTEM

FILE = "answers.jsonl"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the answers of all tasks that have any."""
    tally = WrittenFiles(counts={"tasks": 0, "answers": 0})
    source = replace(source, submission="final")
    with JsonLines(folder / FILE) as lines:
        for attempts in _attempts_by_task(source, tally):
            if not any(attempt.submission.answer for attempt in attempts):
                tally.leave_out("task", "no_answer", attempts[0].head.task)
                continue
            row = _task_row(source, attempts)
            lines.write(row)
            tally.count("answers", len(row["proposed_answers"]))
        tally.rows[FILE] = lines.rows
    tally.counts["tasks"] = lines.rows
    return tally


FORMAT = Format(
    name="answers-to-merge",
    summary="all annotators' answers to each task, for a model that merges them",
    purpose="annotators' answers for a model, whose reply `import-drafts` brings back",
    applies_to="answered questions",
    write=write,
    has_submissions=False,
)


def _attempts_by_task(source: Source, tally: WrittenFiles) -> Iterator[list[ReadAttempt]]:
    """The attempts of people that are submitted or skipped now, task by task."""
    leave_out_never_opened(source, tally)
    for _, group in groupby(source.attempts(), key=lambda attempt: attempt.head.task):
        attempts = []
        for attempt in group:
            status = (read := work_of(source, attempt)).state.status
            if attempt.head.role == SYSTEM:
                tally.leave_out("attempt", "of_a_system", attempt.head.id)
            elif status not in SUBMITTED_OR_SKIPPED:
                tally.leave_out("attempt", f"status_{status}", attempt.head.id)
            else:
                attempts.append(read)
        if attempts:
            yield attempts


def _task_row(source: Source, attempts: Sequence[ReadAttempt]) -> dict[str, Any]:
    record = attempts[0].head.record
    submitted = [a for a in attempts if a.state.status == "submitted"]
    pseudonyms = {attempt.head.id: attempt.head.pseudonym for attempt in attempts}
    answered = merge_order([attempt.submission for attempt in submitted], pseudonyms)
    numbers = {submission.attempt: n for n, submission in enumerate(answered, start=1)}
    others = sorted(
        (attempt for attempt in submitted if attempt.head.id not in numbers),
        key=lambda attempt: (attempt.head.pseudonym, attempt.head.id),
    )
    by_attempt = {attempt.head.id: attempt for attempt in submitted}
    in_order = [*(by_attempt[submission.attempt] for submission in answered), *others]
    marks = Counter(page for attempt in submitted for page in marked_pages(attempt.submission))
    return {
        "task": attempts[0].head.task,
        "question": record.get("question"),
        "language": record.get("language"),
        "proposed_answers": ["\n".join(submission.answer) for submission in answered],
        "pages": [
            {"document": document, "page": page, "annotators": count}
            for (document, page), count in sorted(marks.items())
        ],
        "answers": [
            _answer_row(source, attempt, numbers.get(attempt.head.id)) for attempt in in_order
        ],
        "sources": {
            attempt.head.id: _submission_seq(attempt)
            for attempt in sorted(attempts, key=lambda attempt: attempt.head.id)
        },
    }


def _submission_seq(attempt: ReadAttempt) -> int:
    """The event that last submitted or skipped it."""
    return max(e.seq for e in attempt.attempt.events if e.type in SUBMITTED_OR_SKIPPED)


def _answer_row(source: Source, attempt: ReadAttempt, number: int | None) -> dict[str, Any]:
    submission, protocol = attempt.submission, source.campaign.protocol
    is_named = source.identify or not protocol.review.hide_names
    return {
        "number": number,
        "annotator": attempt.name if is_named else None,
        "attempt": attempt.head.id,
        "outcome": submission.outcome,
        "answer": list(submission.answer),
        "evidence": [
            {"document": document, "page": page}
            for document, page in (submission.pages if protocol.evidence.enabled else ())
        ],
        "fields": [
            {
                "field": spec.name,
                "document": target.document,
                "page": target.page,
                "value": json_value(submission.value(spec, target)),
            }
            for spec in protocol.fields
            if spec.kind != "records" and spec.scope != "box"
            for target in submission.targets(spec)
            if submission.value(spec, target) is not None
        ],
        "boxes": [
            {
                "document": box.document,
                "page": box.page,
                "rect": list(box.rect),
                "label": box.label,
                "content": box.content,
            }
            for box in submission.boxes
        ],
    }
