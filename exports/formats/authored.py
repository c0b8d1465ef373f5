"""Questions that annotators wrote, as MADQA dataset records that ``import-tasks`` reads.

The question's id is the task's, followed by the author where several people wrote on one task. The
brief's own question and gold are not in the records, except a question that the editor started
with, as ``given_question``. ``drawn`` has the options that were drawn for the question. ``checks``
has the findings that the author saw last; ``checks_current`` is true if they are of the final
question.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.tasks.drawn_requests import drawn_options
from pagetrail.annotation.tasks.task import PageRef, hop_type
from pagetrail.annotation.tasks.variants import VARIANT, VARIANT_OF
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import ReadAttempt, submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.values import json_value
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "authored.jsonl"
REQUESTED = ("query_type", "query_format")
"""Requested by the brief; the author's value counts where the protocol asks for it."""
BRIEF_FIELDS = ("document_category", "domain", "language", VARIANT_OF, VARIANT)
"""Fields of the brief that hold for the written question too."""


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the questions of all submitted attempts."""
    tally = WrittenFiles(counts={"rows": 0, "multi_hop": 0, "authors": 0})
    authors = set()
    with JsonLines(folder / FILE) as lines:
        for record in authored_records(source, tally):
            lines.write(record)
            tally.count("multi_hop", int(len(record["evidence"]) > 1))
            authors.add(record["author"])
        tally.rows[FILE] = lines.rows
    tally.counts |= {"rows": lines.rows, "authors": len(authors)}
    return tally


FORMAT = Format(
    name="authored",
    summary="written questions as a task file",
    purpose="written questions, for `import-tasks`",
    applies_to="writing of questions",
    write=write,
)


def authored_records(source: Source, tally: WrittenFiles) -> Iterator[dict[str, Any]]:
    """The written questions of all submitted attempts, as task records."""
    for key, attempts in _written_questions(source, tally):
        for attempt in attempts:
            yield _record(attempt, key if len(attempts) == 1 else f"{key}/{attempt.name}")


def _written_questions(
    source: Source, tally: WrittenFiles
) -> Iterator[tuple[str, list[ReadAttempt]]]:
    """Task and its attempts with a question."""
    for key, group in groupby(
        submitted_works(source, tally), key=lambda attempt: attempt.head.task
    ):
        attempts = []
        for attempt in group:
            if (attempt.state.question_text or "").strip():
                attempts.append(attempt.without_events())
            else:
                tally.leave_out("attempt", "no_question_written", attempt.head.id)
        yield key, attempts


def _record(attempt: ReadAttempt, key: str) -> dict[str, Any]:
    state, brief, protocol = attempt.state, attempt.head.record, attempt.form.protocol
    fields = {
        spec.name: attempt.form.value(spec)
        for spec in protocol.scoped("task")
        if spec.kind != "records"
    }
    evidence = [{"document": c.document, "page": c.page} for c in state.citations]
    answer = submitted_answer(state, protocol)
    kinds = {name: fields.pop(name, None) or brief.get(name) for name in REQUESTED}
    hop = fields.pop("hop", None) or hop_type([PageRef(**page) for page in evidence])
    record = {
        "id": key,
        "question": state.question_text,
        "answer_variants": [answer] if answer else [],
        "evidence": evidence,
        **{name: brief.get(name) for name in BRIEF_FIELDS},
        **kinds,
        "drawn": drawn_options(brief) or None,
        "given_question": brief.get("question") if protocol.question.prefilled else None,
        "unanswerable": True if state.outcome == "unanswerable" else None,
        "hop": hop,
        **{name: json_value(value) for name, value in fields.items()},
        "author": attempt.name,
        "brief": attempt.head.task,
        "checks": [finding.model_dump(mode="json") for finding in state.checks.findings]
        if state.checks
        else None,
        "checks_current": state.checks_current if state.checks else None,
    }
    return {
        name: value
        for name, value in record.items()
        if value is not None or name == "answer_variants"
    }
